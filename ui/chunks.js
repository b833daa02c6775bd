// A long transcript is built in chunks: first the one in the light, the rest when the browser has nothing else to do,
// or at once where it comes into sight. A chunk that is not built yet is as tall as its turns are guessed to be, and a
// turn out of sight is as tall as it was guessed too, so that building moves nothing on the screen.

const CHUNK = 40;
const PADDING = 18;
const SLICE = 16; // milliseconds that building may take away from scrolling and typing
const unbuilt = new WeakMap();
const tall = new WeakMap();

function appendInChunks(pane, turns) {
  for (let at = 0; at < turns.length; at += CHUNK) {
    const chunk = document.createElement("div");
    chunk.className = "chunk";
    unbuilt.set(chunk, turns.slice(at, at + CHUNK));
    pane.append(chunk);
  }
}

function unbuiltChunks(root) {
  return [...root.querySelectorAll(".chunk")].filter((chunk) => unbuilt.has(chunk));
}

function reserve(view) {
  const chunks = unbuiltChunks(view.root);
  if (!chunks.length) return; // to ask how wide it is would lay the whole page out
  const wide = Math.max(24, Math.min(84, (view.root.clientWidth - 110) / 7.2));
  for (const chunk of chunks) {
    const turns = unbuilt.get(chunk);
    for (const turn of turns) tall.set(turn, guess(turn, wide));
    chunk.style.height = `${turns.reduce((sum, turn) => sum + tall.get(turn) + PADDING, 0)}px`;
  }
}

function buildChunk(view, chunk) {
  const turns = unbuilt.get(chunk);
  if (!turns) return;
  unbuilt.delete(chunk);
  if (view.sight) view.sight.unobserve(chunk);
  chunk.replaceChildren(...turns.map((turn) => {
    const element = build(turn);
    element.style.setProperty("--tall", `${tall.get(turn)}px`);
    return element;
  }));
  chunk.style.height = "";
  if (view.number) light(chunk, view.number);
}

// How tall a turn will be: its lines of text, without what is folded or cut away.
function guess(turn, wide) {
  return Math.max(40, Math.ceil(lines(turn, wide)) * 25 + 8);
}

function lines(node, wide) {
  if (typeof node === "string") return node.length / wide + (node.match(/\n/g) || []).length;
  const [tag, attributes, ...children] = node;
  if (attributes.hidden || attributes.class === "gutter") return 0;
  if (tag === "details" && !attributes.open) return 0.8;
  const own = attributes.class === "call" ? 0.4 : 0;
  return children.reduce((sum, child) => sum + lines(child, wide), own);
}

// The chunks that hold a turn or a piece of evidence, found in the tree and built.
function buildWhere(view, holds) {
  for (const chunk of unbuiltChunks(view.root))
    if (unbuilt.get(chunk).some((turn) => holds(turn[1]))) buildChunk(view, chunk);
}

function buildTheRest(view) {
  if (view.sight) view.sight.disconnect();
  view.sight = new IntersectionObserver((seen) => {
    for (const one of seen) if (one.isIntersecting) buildChunk(view, one.target);
  });
  for (const chunk of unbuiltChunks(view.root)) view.sight.observe(chunk);
  const left = nearestFirst(unbuiltChunks(view.root));
  const token = (view.building = {});
  const step = (deadline) => {
    const until = performance.now() + Math.max(SLICE, deadline.timeRemaining() - SLICE);
    while (view.building === token && left.length && performance.now() < until) buildChunk(view, left.shift());
    if (view.building === token && left.length) whenIdle(step);
  };
  whenIdle(step);
}

function nearestFirst(chunks) {
  const away = new Map(chunks.map((chunk) => [chunk, Math.abs(chunk.getBoundingClientRect().top)]));
  return chunks.sort((one, other) => away.get(one) - away.get(other));
}

function whenIdle(work) {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: SLICE });
  else setTimeout(() => work({ timeRemaining: () => SLICE }), 16);
}
