// Draws a tree as elements of a white list and text nodes, and answers keys and presses.
// Nothing in here reads HTML: every text arrives as a text node.

const TAGS = new Set([
  "div", "span", "p", "b", "i", "h3", "h4", "hr", "section", "article", "nav", "button", "mark", "del", "ins", "code",
  "pre", "kbd", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "small",
]);
const SHAPES = new Set(["svg", "path", "line", "circle"]);
const ATTRIBUTES = new Set([
  "class", "role", "tabindex", "open", "hidden", "type", "dir", "scope", "title",
  "aria-label", "aria-current", "aria-live", "aria-hidden",
  "data-press", "data-evidence", "data-go", "data-turn", "data-anchor", "data-count", "data-list", "data-more",
  "data-scroll", "data-title", "data-sheet",
  "viewBox", "d", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height",
]);
const SVG = "http://www.w3.org/2000/svg";
const LIGHT = "tutelage-light";
const LAMP_HEIGHT = 0.36;
const SHORTCUTS = new Set("axesujkno123456".split(""));
const views = new WeakMap();
let keysGuarded = false;

function build(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, attributes, ...children] = node;
  const element = SHAPES.has(tag)
    ? document.createElementNS(SVG, tag)
    : document.createElement(TAGS.has(tag) ? tag : "span");
  for (const [name, value] of Object.entries(attributes || {}))
    if (ATTRIBUTES.has(name) && value) element.setAttribute(name, value === true ? "" : value);
  for (const child of children) element.append(build(child));
  if (element.dataset && element.dataset.more) element.append(element.dataset.more);
  return element;
}

function typing(event) {
  const target = event.composedPath()[0];
  return target instanceof Element && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

// A held key must not march through the queue, and no shortcut may fire behind the sheet of keys.
function guardKeys() {
  if (keysGuarded) return;
  keysGuarded = true;
  window.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (typing(event) || modified || !SHORTCUTS.has(event.key.toLowerCase())) return;
    if (event.repeat || document.documentElement.hasAttribute("data-sheet-open")) event.stopImmediatePropagation();
  }, true);
  window.addEventListener("beforeunload", (event) => {
    const drafts = document.querySelectorAll('[class*="st-key-draft"] textarea, [class*="st-key-draft"] input');
    if ([...drafts].some((field) => field.value)) event.preventDefault();
  });
}

function numbers(element) {
  return (element.dataset.evidence || "").split(" ");
}

function shine(view, number) {
  view.number = number;
  for (const element of view.root.querySelectorAll("[data-evidence]"))
    element.classList.toggle("now", numbers(element).includes(String(number)));
  const count = view.root.querySelector("[data-count]");
  const at = stopsOf(view).findIndex((stop) => stop[0] === Number(number));
  if (count && at >= 0) count.textContent = `Evidence ${at + 1} of ${count.dataset.count}`;
}

// Where the keys stop: every number with what is pressed when its words stand in another transcript.
function stopsOf(view) {
  const given = view.component.data.stops || [];
  if (given.length) return given;
  const all = [...view.root.querySelectorAll("[data-scroll] .ring[data-go]")].map((ring) => Number(ring.dataset.go));
  return [...new Set(all)].sort((a, b) => a - b).map((number) => [number, ""]);
}

// Heights of turns that are not yet laid out are guesses, so the place is set again until it stands still.
function bringTo(view, target) {
  const pane = view.root.querySelector("[data-scroll]");
  if (!pane || !target) return;
  const token = (view.scrolling = {});
  let before = null;
  const step = (left) => {
    if (view.scrolling !== token) return;
    const own = pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY !== "visible";
    const box = own ? pane.getBoundingClientRect() : { top: 0, height: window.innerHeight };
    const away = target.getBoundingClientRect().top - box.top - box.height * LAMP_HEIGHT;
    if (own) pane.scrollTop += away;
    else scroller(pane).scrollTop += away;
    const now = target.getBoundingClientRect().top;
    if (left > 0 && (before === null || Math.abs(now - before) > 0.5)) {
      before = now;
      requestAnimationFrame(() => step(left - 1));
    }
  };
  requestAnimationFrame(() => step(8));
}

function scroller(element) {
  let host = element;
  while ((host = host.parentElement || (host.getRootNode() && host.getRootNode().host))) {
    if (/auto|scroll/.test(getComputedStyle(host).overflowY) && host.scrollHeight > host.clientHeight) return host;
  }
  return document.scrollingElement;
}

function evidence(view, number) {
  const marks = view.root.querySelectorAll("[data-scroll] mark[data-evidence]");
  const mark = [...marks].find((one) => numbers(one).includes(String(number)));
  const turn = [...view.root.querySelectorAll("[data-scroll] [data-anchor]")]
    .find((one) => numbers(one).includes(String(number)));
  const fold = (mark || turn) && (mark || turn).closest("details");
  if (fold) fold.open = true;
  return mark || turn;
}

function sendLight(number, move) {
  document.dispatchEvent(new CustomEvent(LIGHT, { detail: { number, move } }));
}

function walk(view, by) {
  const stops = stopsOf(view);
  if (!stops.length) return;
  const at = stops.findIndex((stop) => stop[0] === Number(view.number));
  const [number, elsewhere] = stops[(at + by + stops.length) % stops.length];
  if (elsewhere) view.component.setTriggerValue("pressed", elsewhere);
  else sendLight(number, true);
}

function sheet(view, open) {
  const card = view.root.querySelector("[data-sheet]");
  if (!card) return;
  card.hidden = open === undefined ? !card.hidden : !open;
  document.documentElement.toggleAttribute("data-sheet-open", !card.hidden);
}

const ACTS = {
  "evidence:next": (view) => walk(view, 1),
  "evidence:back": (view) => walk(view, -1),
  sheet: (view) => sheet(view),
};

function pressKey(view, event) {
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Escape") return sheet(view, false);
  const act = ACTS[(view.component.data.keys || {})[event.key]];
  if (!act || document.querySelector('[role="dialog"]')) return;
  event.preventDefault();
  act(view);
}

function press(view, event) {
  const target = event.target.closest("[data-more],[data-turn],[data-go],[data-press]");
  if (!target) return;
  const { more, turn, go, press: pressed } = target.dataset;
  if (more) {
    target.previousElementSibling.hidden = false;
    target.remove();
  } else if (turn) {
    event.preventDefault();
    bringTo(view, view.root.querySelector(`[data-anchor="${turn}"]`));
  } else if (go) {
    event.preventDefault();
    sendLight(go, true);
  } else if (pressed === "sheet") {
    sheet(view);
  } else if (pressed) {
    view.component.setTriggerValue("pressed", pressed);
  }
}

function moveInList(view, event) {
  const row = event.target.closest("[data-list] [data-press]");
  if (!row) return;
  if ((event.key === "Enter" || event.key === " ") && row.tagName === "TR") {
    event.preventDefault();
    view.component.setTriggerValue("pressed", row.dataset.press);
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const rows = [...row.closest("[data-list]").querySelectorAll("[data-press]")];
  const next = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
  if (next) next.focus();
}

function install(view) {
  const onKey = (event) => pressKey(view, event);
  const onLight = (event) => {
    shine(view, event.detail.number);
    if (event.detail.move) bringTo(view, evidence(view, event.detail.number));
  };
  view.root.addEventListener("click", (event) => press(view, event));
  view.root.addEventListener("keydown", (event) => moveInList(view, event));
  document.addEventListener("keydown", onKey);
  document.addEventListener(LIGHT, onLight);
  return () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(LIGHT, onLight);
    sheet(view, false);
    views.delete(view.parent);
  };
}

function focusAgain(view, pressed) {
  if (!pressed) return;
  const row = [...view.root.querySelectorAll("[data-press]")].find((one) => one.dataset.press === pressed);
  if (row) row.focus({ preventScroll: true });
}

function rebuild(view, data) {
  const pane = view.root.querySelector("[data-scroll],[data-list],.pane");
  const top = pane ? pane.scrollTop : 0;
  const active = view.root.getRootNode().activeElement;
  const pressed = active && view.root.contains(active) ? active.dataset.press : null;
  view.root.replaceChildren(build(data.tree));
  const fresh = view.root.querySelector("[data-scroll],[data-list],.pane");
  if (fresh && view.place === data.place) fresh.scrollTop = top;
  focusAgain(view, pressed);
}

function settle(view, data) {
  const moved = view.place !== data.place || view.light !== data.light || view.turn !== data.turn;
  view.place = data.place;
  view.light = data.light;
  view.turn = data.turn;
  if (data.light) shine(view, moved ? data.light : view.number || data.light);
  if (!moved) return;
  const target = data.turn ? view.root.querySelector(`[data-anchor="t${data.turn}"]`) : evidence(view, data.light);
  const pane = view.root.querySelector("[data-scroll]");
  // On a narrow screen the panes stand below each other: there the page stays where the reader is.
  if (target && pane && getComputedStyle(pane).overflowY !== "visible") bringTo(view, target);
}

export default function (component) {
  const { data, parentElement } = component;
  guardKeys();
  let view = views.get(parentElement);
  if (!view) {
    const root = document.createElement("div");
    root.className = "drawing";
    parentElement.append(root);
    view = { parent: parentElement, root, mark: null, place: null, number: null };
    views.set(parentElement, view);
    view.remove = install(view);
  }
  view.component = component;
  const changed = view.mark !== data.mark;
  if (changed) rebuild(view, data);
  view.mark = data.mark;
  settle(view, data);
  const selected = changed && view.root.querySelector('[data-list] [aria-current="true"]');
  if (selected) reveal(selected);
  return () => {
    view.remove();
    view.root.remove();
  };
}

// The selected row of a list stays in sight without moving the page.
function reveal(row) {
  const list = row.closest(".scroll");
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const box = list.getBoundingClientRect();
  const own = row.getBoundingClientRect();
  if (own.top < box.top) list.scrollTop += own.top - box.top;
  if (own.bottom > box.bottom) list.scrollTop += own.bottom - box.bottom;
}
