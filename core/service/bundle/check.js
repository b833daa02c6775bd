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
  }
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
    case "row": return link(one).said[two] ?? "";
  }
  throw new Unfit(`the page names “${path}”, which is no part of the data`);
}

const PARTS = {
  made: () => "how the bundle was made", transcript: (data, one) => `the transcript of ${data.transcripts[one].ref}`,
  turn: (data, one, two) => `turn ${Number(two) + 1} of ${data.transcripts[one].ref}`,
  call: (data, one, two) => `a call in turn ${Number(two) + 1} of ${data.transcripts[one].ref}`,
  quote: (data, one) => data.quotes[one].about, place: (data, one) => `the place of ${data.quotes[one].about}`,
  content: (data, one) => `the words of ${data.contents[one].about}`, link: (data, one) => `link ${one}`, row: (data, one) => `what link ${one} names`,
};

function required(data) {
  const turns = data.transcripts.flatMap((one, at) => one.turns.map((_, turn) => `turn:${at}:${turn}`));
  const links = data.links.flatMap((one) => [`link:${one.seq}:sha256`, ...(one.row === null ? [] : [`row:${one.seq}:by`])]);
  return [...turns, ...links, ...data.quotes.map((_, at) => `quote:${at}`)];
}

function page(data) {
  const parts = [...document.body.children].map((one) => one.tagName).join(" ");
  must(parts === "HEADER MAIN SCRIPT SCRIPT" && document.querySelector("header").children.length === 1, "something was put beside the page");
  const main = document.querySelector("main");
  const seen = new Set();
  for (const node of main.querySelectorAll("[data-said]")) {
    const path = node.dataset.said;
    const [what, one, two] = path.split(":");
    const value = shown(valueAt(data, path));
    must(node.textContent === value, `${PARTS[what](data, one, two)} is shown otherwise than it was hashed`);
    seen.add(path);
  }
  const lit = new Map();
  for (const mark of main.querySelectorAll("[data-lit]")) {
    for (const name of mark.dataset.lit.split(" ")) lit.set(name, (lit.get(name) || "") + mark.textContent);
  }
  data.quotes.forEach((one, at) => one.spans.forEach((span, number) => {
    must(lit.get(`${at}.${number}`) === shown(span[3]), `${one.about}: other words are lit than were quoted`);
  }));
  for (const path of required(data)) {
    const [what, one, two] = path.split(":");
    must(seen.has(path), `${PARTS[what](data, one, two)} is not shown`);
  }
  must(sha256(main.textContent) === data.page_sha256, "the page shows other words than it was made with");
}

const many = (count, one) => `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;

function checked() {
  const data = JSON.parse(document.getElementById("bundle").textContent);
  for (const step of [transcripts, quotes, rows, contents, page]) step(data);
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
