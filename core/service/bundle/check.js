"use strict";
// Checks the bundle that it stands in, with nothing else: every hash, every place, and that the page shows what was hashed.
const K = [];
const H = [];
for (let n = 2; K.length < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  const part = (root) => Math.floor((root - Math.floor(root)) * 4294967296) >>> 0;
  if (H.length < 8) H.push(part(Math.sqrt(n)));
  K.push(part(Math.cbrt(n)));
}

function sha256(text) {
  const said = new TextEncoder().encode(text);
  const length = said.length;
  const bytes = new Uint8Array(((length + 72) >> 6) << 6);
  bytes.set(said);
  bytes[length] = 128;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(length / 536870912));
  view.setUint32(bytes.length - 4, (length << 3) >>> 0);
  const h = H.slice();
  const w = new Int32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      w[i] = (w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 64; i++) {
      const one = (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, z].forEach((value, i) => { h[i] = (h[i] + value) | 0; });
  }
  return h.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const shown = (value) => String(value).replaceAll("\0", "\u2400").replace(LONE, "\ufffd");
class Unfit extends Error {}
const must = (fits, why) => { if (!fits) throw new Unfit(why); };

function transcripts(data) {
  for (const one of data.transcripts) {
    must(sha256(one.turns.join("")) === one.sha256, `the transcript of ${one.ref} does not fit its hash`);
    one.messages = one.turns.map((turn) => JSON.parse(turn));
    one.points = one.messages.map((message) => Array.from(message[2]));
  }
}

function quotes(data) {
  for (const one of data.quotes) {
    for (const [turn, start, end, exact] of one.spans) {
      const words = (data.transcripts[one.transcript].points[turn] || []).slice(start, end).join("");
      must(words === exact && end > start, `${one.about}: other words stand in turn ${turn + 1}, characters ${start} to ${end}`);
    }
  }
}

function mayBeKeptBack(data, link) {
  if (link.kept_back === "sealed") return link.logged === "blind_verdict";
  const later = (one) => one.logged === link.logged && one.row_id === link.row_id && one.seq > link.seq;
  return link.kept_back === "masked" && data.links.some(later);
}

function rows(data) {
  let before = null;
  for (const link of data.links) {
    const name = `link ${link.seq}, ${link.logged.replaceAll("_", " ")} ${link.row_id}`;
    must(before === null || before.seq < link.seq, `${name} does not stand in the order of the log`);
    must(link.row !== null || mayBeKeptBack(data, link), `${name}: its row is missing`);
    must(link.row === null || sha256(link.row) === link.row_sha256, `${name}: its row was changed`);
    const said = [link.seq, link.at, link.before, link.logged, link.row_id, link.row_sha256].join("\n");
    must(sha256(said) === link.sha256, `${name}: the link was changed`);
    must(!before || before.seq + 1 !== link.seq || before.sha256 === link.before, `${name} does not stand on the link before`);
    link.said = link.row === null ? {} : JSON.parse(link.row);
    must(link.row === null || (link.said.id === link.row_id && (link.said.item_id || 0) === link.item), `${name}: it names another row`);
    before = link;
  }
}

function contents(data) {
  const last = new Map();
  for (const link of data.links) if (link.logged === "decision" && link.row !== null) last.set(link.item, link.said);
  for (const one of data.contents) {
    must(one.masked ? one.said.includes(" removed]") : sha256(one.said) === one.sha256, `the words of ${one.about} do not fit their hash`);
    const decided = last.get(one.item);
    must(!decided || decided.content_hash === one.sha256, `the words of ${one.about} are not those that were decided about`);
    one.fields = JSON.parse(one.said.slice(one.said.indexOf("{")));
  }
  for (const note of data.notes) {
    const decided = last.get(note.item);
    must(!decided || decided.after === note.state, `${note.ref} is shown as ${note.state}, and its last decision says ${decided && decided.after}`);
    const severity = (decided && decided.severity) || note.severity;
    must(severity === note.severity, `${note.ref} is shown as ${note.severity}, and its last decision says ${severity}`);
  }
}

function withoutHoles(data) {
  const named = new Map(data.contents.map((one) => [one.item, [one.about, one.revision]]));
  for (const note of data.notes) for (const [ref, item, revision] of note.others) if (!named.has(item)) named.set(item, [ref, revision]);
  const made = new Map([...named.keys()].map((item) => [item, new Set()]));
  for (const link of data.links) {
    if (link.logged !== "decision" || link.row === null) continue;
    if (!made.has(link.item)) made.set(link.item, new Set());
    made.get(link.item).add(link.said.revision);
  }
  for (const [item, revisions] of made) {
    const most = Math.max(0, ...revisions);
    const [name, last] = named.get(item) || [`item ${item}`, most];
    for (let one = 1; one <= last; one++) must(revisions.has(one), `the decision that made revision ${one} of ${name} is missing`);
    must(most === last, `${name} is shown at revision ${last}, and was decided about since`);
  }
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
function inWords(at) {
  const [, year, month, day, clock] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)\.\d{6}\+00:00$/.exec(at);
  return `${Number(day)} ${MONTHS[month - 1]} ${year}, ${clock} UTC`;
}

function valueAt(data, path) {
  const [what, one, two, three] = path.split(":");
  const link = (seq) => data.links.find((each) => String(each.seq) === seq);
  switch (what) {
    case "made": return data.made[one];
    case "transcript": return data.transcripts[one][two];
    case "turn": return data.transcripts[one].messages[two][2];
    case "call": return ((call) => `${call[1]}(${call[2]})`)(data.transcripts[one].messages[two][4][three]);
    case "quote": return data.quotes[one].text;
    case "place": return ((span) => `turn ${span[0] + 1}, characters ${span[1]} to ${span[2]}`)(data.quotes[one].spans[two]);
    case "content": return two === "sha256" ? data.contents[one].sha256 : data.contents[one].fields[two];
    case "link": return link(one)[two];
    case "when": return inWords(link(one).at);
    case "did": return data.did[one];
    case "note": return two === "severity" ? data.notes[one].severity.replace(/^./, (sign) => sign.toUpperCase()) : data.notes[one][two];
    case "step": return ((step) => three === "0" ? inWords(step[0]) : step[three])(data.notes[one].steps[two]);
    case "row": return link(one).said[two] ?? "";
  }
  throw new Unfit(`the page names “${path}”, which is no part of the data`);
}

const PARTS = {
  made: () => "how the bundle was made", transcript: (data, one) => `the transcript of ${data.transcripts[one].ref}`,
  turn: (data, one, two) => `turn ${Number(two) + 1} of ${data.transcripts[one].ref}`,
  call: (data, one, two) => `turn ${Number(two) + 1} of ${data.transcripts[one].ref}`,
  quote: (data, one) => data.quotes[one].about, place: (data, one) => `the place of ${data.quotes[one].about}`,
  content: (data, one) => `the words of ${data.contents[one].about}`, link: (data, one) => `link ${one}`, row: (data, one) => `what link ${one} names`,
  when: (data, one) => `link ${one}`, did: (data, one) => `what link ${one} names`, step: (data, one) => `the case of ${data.notes[one].ref}`,
  note: (data, one, two) => `the ${two === "summary" ? "case" : two} of ${data.notes[one].ref}`,
};

// Every value that the page shows, as often as it shows it.
function required(data) {
  const paths = ["by", "at", "program", "head"].map((part) => `made:${part}`);
  data.transcripts.forEach((one, at) => {
    one.messages.forEach((message, turn) => {
      paths.push(`turn:${at}:${turn}`, ...message[4].map((_, call) => `call:${at}:${turn}:${call}`));
    });
    paths.push(`transcript:${at}:sha256`);
  });
  data.quotes.forEach((one, at) => paths.push(`quote:${at}`, ...one.spans.map((_, span) => `place:${at}:${span}`)));
  data.notes.forEach((note, at) => {
    const content = data.contents.findIndex((one) => one.item === note.item);
    paths.push(`note:${at}:severity`, `note:${at}:state`, `note:${at}:summary`, `content:${content}:observation`, `content:${content}:improvement`);
    note.steps.forEach((_, step) => { for (let part = 0; part < 4; part++) paths.push(`step:${at}:${step}:${part}`); });
  });
  data.contents.forEach((_, at) => paths.push(`content:${at}:observation`, `content:${at}:sha256`));
  for (const { seq, logged, row, said } of data.links) {
    paths.push(...["seq", "at", "row_sha256", "sha256"].map((part) => `link:${seq}:${part}`), `when:${seq}`, `did:${seq}`);
    if (row === null) continue;
    const inText = ["decision", "refusal", "blind_verdict"].includes(logged);
    paths.push(`row:${seq}:by`, `row:${seq}:${inText ? "text" : "reason"}`);
    if (inText && said.reason) paths.push(`row:${seq}:reason`);
    if (said.second) paths.push(`row:${seq}:second`);
    if (logged === "policy_version") paths.push(`row:${seq}:text`);
  }
  return paths;
}

const counted = (paths) => paths.reduce((counts, path) => counts.set(path, (counts.get(path) || 0) + 1), new Map());
const TAGS = new Set(("html head meta title style script body header main section article div " +
  "h1 h2 h3 p ol li br span b q a mark code table thead tbody tr th td").split(" "));
const ATTRIBUTES = new Set("class id dir href scope role data-said data-lit".split(" "));
const ALSO = { html: ["lang"], meta: ["charset", "http-equiv", "content", "name"], script: ["type"] };

// Nothing is in the file but what a bundle is made of, so that nothing hides a part of it or shows words beside it.
function made() {
  for (const node of document.querySelectorAll("*")) {
    const tag = node.localName;
    must(TAGS.has(tag), `“${tag}” stands in the page, which no bundle has`);
    for (const { name, value } of node.attributes) {
      const known = ATTRIBUTES.has(name) || (ALSO[tag] || []).includes(name);
      must(known && (name !== "href" || value.startsWith("#")), `“${name}” stands in the page, which no bundle has`);
    }
  }
  const comment = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT).nextNode();
  must(comment === null, "a comment stands in the page, which no bundle has");
  const head = [...document.head.children].map((one) => one.localName).join(" ");
  must(head === "meta meta meta title style", "the head of the file has other parts than it was made with");
  const hash = (text) => btoa(sha256(text).replace(/../g, (two) => String.fromCharCode(parseInt(two, 16))));
  const may = `default-src 'none'; style-src 'sha256-${hash(document.querySelector("style").textContent)}'; ` +
    `script-src 'sha256-${hash(document.scripts[1].textContent)}'; base-uri 'none'; form-action 'none'`;
  const policies = [...document.querySelectorAll("meta[http-equiv]")].map((one) => one.content);
  must(policies.length === 1 && policies[0] === may, "the content policy of the file is another one than it was made with");
}

function page(data) {
  const parts = [...document.body.children].map((one) => one.tagName).join(" ");
  const beside = [...document.body.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
  must(parts === "HEADER MAIN SCRIPT SCRIPT" && !beside && document.querySelector("header").children.length === 1, "something was put beside the page");
  const main = document.querySelector("main");
  const paths = [];
  for (const node of main.querySelectorAll("[data-said]")) {
    const path = node.dataset.said;
    const [what, one, two] = path.split(":");
    const value = shown(valueAt(data, path));
    must(node.textContent === value, `${PARTS[what](data, one, two)} is shown otherwise than it was hashed`);
    paths.push(path);
  }
  const lit = new Map();
  for (const mark of main.querySelectorAll("[data-lit]")) {
    for (const name of mark.dataset.lit.split(" ")) lit.set(name, (lit.get(name) || "") + mark.textContent);
  }
  data.quotes.forEach((one, at) => one.spans.forEach((span, number) => {
    must(lit.get(`${at}.${number}`) === shown(span[3]), `${one.about}: other words are lit than were quoted`);
  }));
  const seen = counted(paths);
  const due = counted(required(data));
  const part = (path) => (([what, one, two]) => PARTS[what](data, one, two))(path.split(":"));
  for (const [path, count] of due) must((seen.get(path) || 0) >= count, `${part(path)} is not shown`);
  for (const [path, count] of seen) must(count === due.get(path), `${part(path)} is shown more often than it was`);
  made();
  must(sha256(main.textContent) === data.page_sha256, "the page shows other words than it was made with");
}

const many = (count, one) => `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;

function checked() {
  const sets = document.querySelectorAll("script#bundle");
  must(sets.length === 1, `${sets.length} sets of data stand in the file, and a bundle holds one`);
  const data = JSON.parse(sets[0].textContent);
  for (const step of [transcripts, quotes, rows, contents, withoutHoles, page]) step(data);
  const back = data.links.filter((link) => link.row === null).length;
  const counts = [many(data.transcripts.length, "transcript"), many(data.quotes.length, "quote"), many(data.links.length - back, "row")];
  const kept = back ? ` ${many(back, "row")} ${back === 1 ? "is" : "are"} kept back, as said beside ${back === 1 ? "it" : "them"}.` : "";
  return `Checked in this browser: ${counts.join(", ")} fit their hashes.${kept}`;
}

function tell() {
  const line = document.getElementById("checked");
  try {
    line.textContent = checked();
    line.className = "fits";
  } catch (error) {
    line.textContent = error instanceof Unfit ? `Does not fit: ${error.message}.` : `The data of this bundle cannot be read any more (${error.message}).`;
    line.className = "broken";
  }
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", tell); else tell();
