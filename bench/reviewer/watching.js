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
const looks = { item: readable, bare, row: () => rows()[0] || null, rows: () => rows().length || null };

const desk = (window.reviewerBench = {
  readable,
  answer,
  rows,
  acted: 0,
  appeared: [],
  presses: [],
  // From now until what `look` sees is there and differs from `before`: how long after the last key or press it was.
  watch(look, before) {
    desk.acted = 0;
    desk.seen = new Promise((resolve) => {
      const again = () => {
        const now = looks[look]();
        if (desk.acted && now && now !== before) resolve([performance.now() - desk.acted, now]);
        else requestAnimationFrame(again);
      };
      requestAnimationFrame(again);
    });
  },
});

// When each item could first be read, and when which key was pressed upon what; kept for as long as the page lives.
const note = () => {
  const now = readable();
  if (now && desk.appeared.at(-1)?.[0] !== now) desk.appeared.push([now, performance.now()]);
  requestAnimationFrame(note);
};
requestAnimationFrame(note);

const act = (event) => {
  if (event.isTrusted) desk.acted ||= event.timeStamp;
};
window.addEventListener("keydown", (event) => {
  act(event);
  if (event.isTrusted && !event.repeat) desk.presses.push([event.key, performance.now(), readable()]);
}, true);
window.addEventListener("pointerdown", act, true);
