// Looks at the desk as a reviewer does: which item stands there, whether its words can be read, what the desk answered.
// Times are those of the browser's own clock, in milliseconds.

const inside = (key) => {
  const box = document.querySelector(`.st-key-${key}`);
  return box ? [...box.querySelectorAll("*")].map((one) => one.shadowRoot).find(Boolean) : null;
};

const known = new Map();
const root = (key) => {
  const kept = known.get(key);
  if (kept && kept.host.isConnected) return kept;
  const found = inside(key);
  if (found) known.set(key, found);
  return found;
};

const inSight = (element) => {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
};

// The item whose card stands there, once the words that prove it are lit and in sight; else null.
const readable = () => {
  const card = root("card-tree")?.querySelector("article.card");
  const lit = root("words-tree")?.querySelector("mark.now");
  const quote = card?.querySelector(".quote mark")?.textContent;
  if (!card || !lit || !quote || !inSight(lit) || !quote.includes(lit.textContent)) return null;
  return card.getAttribute("aria-label").split(" ")[1];
};

const bare = () => document.querySelector('[data-testid="stText"]')?.textContent || null;
const answer = () => root("answer-line")?.querySelector("p")?.textContent || "";
const rows = () => [...(root("queue-list")?.querySelectorAll("[data-press]") || [])].map((row) => row.textContent);
const counts = () => root("queue-counts")?.querySelector("p")?.textContent || null;
const looks = { item: readable, counts, bare, row: () => rows()[0] || null };

const desk = (window.reviewerBench = {
  readable,
  answer,
  rows,
  counts,
  acted: 0,
  // What came up when: an item that can be read, an answer of the desk, a press; [what, which, milliseconds].
  seen: [],
  // From now until what `look` sees is there and differs from `before`: how long after the last key or press it was.
  watch(look, before) {
    desk.acted = 0;
    desk.until = new Promise((resolve, reject) => {
      desk.wanted = { look, before, resolve };
      setTimeout(() => reject(new Error(`nothing but ${before} was seen (${look}); the desk said: ${answer()}`)), 20000);
    });
    again(FRAMES);
  },
});

const add = (what, which) => desk.seen.push([what, which, performance.now()]);

let shown = null;
let said = "";
const check = () => {
  for (const key of ["card-tree", "words-tree", "answer-line", "queue-list", "queue-counts"]) watchOver(root(key));
  const item = readable();
  if (item && item !== shown) add("item", (shown = item));
  if (answer() !== said) add("answer", (said = answer()));
  const wanted = desk.wanted;
  const now = wanted && desk.acted && looks[wanted.look]();
  if (!now || now === wanted.before) return;
  desk.wanted = null;
  wanted.resolve([performance.now() - desk.acted, now]);
};

// Looking at every frame would cost more than what is looked at: some frames after each change are enough.
const FRAMES = 12;
let left = 0;
const again = (frames) => {
  const idle = left === 0;
  left = Math.max(left, frames);
  if (idle) requestAnimationFrame(frame);
};
const frame = () => {
  check();
  if (--left > 0) requestAnimationFrame(frame);
};
const watched = new WeakSet();
const watchOver = (tree) => {
  if (!tree || watched.has(tree)) return;
  watched.add(tree);
  new MutationObserver(() => again(FRAMES)).observe(tree, { childList: true, subtree: true, characterData: true });
};
watchOver(document);

const act = (event) => {
  if (event.isTrusted) desk.acted ||= event.timeStamp;
};
window.addEventListener("keydown", (event) => {
  act(event);
  if (event.isTrusted) add(event.repeat ? "repeat" : "press", event.key);
}, true);
window.addEventListener("pointerdown", act, true);
