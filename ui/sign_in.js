// Keeps what a sign-in gave in a cookie of this browser, once for each window, and takes it out when it has ended.
// Only what this window was told to end is taken out: another window may have signed in since.

export default function ({ data }) {
  const done = (document.tutelageSignIns ??= new Set());
  const what = `${data.keep} ${data.secret}`;
  if (done.has(what)) return;
  done.add(what);
  const scope = `path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
  const held = document.cookie.split("; ").includes(`${data.name}=${data.secret}`);
  if (data.keep) document.cookie = `${data.name}=${data.secret}; Max-Age=${data.seconds}; ${scope}`;
  else if (held) document.cookie = `${data.name}=; Max-Age=0; ${scope}`;
}
