// The code of all drawings: draws a tree once, keeps it while the tree stays the same, and follows the aim that ui/aim.js leaves beside it.

const AIM = "tutelage-aim";
const ANSWER = "tutelage-answer";
const MARK_LENGTH = 40;
const PANE = "[data-scroll],[data-list],.pane";
const decoder = new TextDecoder();
const views = new WeakMap();
const style = new CSSStyleSheet();

function install(view) {
  const onKey = (event) => pressKey(view, event);
  const onLight = (event) => takeLight(view, event.detail);
  const onAim = () => settle(view);
  const onAnswer = (event) => takeAnswer(view, event.detail);
  // Whoever scrolls goes where they want.
  for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
    view.root.addEventListener(moved, () => (view.scrolling = null), { passive: true });
  view.root.addEventListener("click", (event) => press(view, event));
  view.root.addEventListener("keydown", (event) => pressRow(view, event));
  // The browser's own search opens what was cut; then there is no more to show.
  view.root.addEventListener("beforematch", ({ target }) => target.matches(".rest") && target.nextElementSibling.remove());
  document.addEventListener("keydown", onKey);
  document.addEventListener(LIGHT, onLight);
  document.addEventListener(AIM, onAim);
  document.addEventListener(ANSWER, onAnswer);
  const clock = setInterval(() => tellTheTime(view), TICK);
  return () => {
    clearInterval(clock);
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(LIGHT, onLight);
    document.removeEventListener(AIM, onAim);
    document.removeEventListener(ANSWER, onAnswer);
    if (view.sight) view.sight.disconnect();
    view.building = null;
    sheet(view, false);
    views.delete(view.parent);
  };
}

function focusAgain(view, pressed) {
  if (!pressed) return;
  const row = [...view.root.querySelectorAll("[data-press]")].find((one) => one.dataset.press === pressed);
  if (row) row.focus({ preventScroll: true });
}

// The turn at the upper edge and where it stands there; of another pane, how far it was scrolled.
function whatIsRead(view) {
  const pane = view.root.querySelector(PANE);
  if (!pane) return null;
  const edge = boxOf(scroller(pane.firstElementChild || pane)).top;
  const turn = [...pane.querySelectorAll(".turn")].find((one) => one.getBoundingClientRect().bottom > edge);
  return { top: pane.scrollTop, turn: turn?.dataset.anchor.slice(1), at: turn?.getBoundingClientRect().top };
}

function readOn(view, { top, turn, at }) {
  const pane = view.root.querySelector(PANE);
  if (pane) pane.scrollTop = top;
  const target = turn && turnOf(view, turn);
  if (target) scroller(target).scrollTop += target.getBoundingClientRect().top - at;
}

function rebuild(view, { key, place, stops, keys, tree }) {
  const same = view.place === place;
  const read = same ? whatIsRead(view) : null;
  const active = view.root.getRootNode().activeElement;
  const pressed = active && view.root.contains(active) ? active.dataset.press : null;
  Object.assign(view, { key, place, stops, keys, settled: same ? { ...view.settled } : {} });
  view.root.replaceChildren(build(tree));
  reserve(view);
  if (read) readOn(view, read);
  focusAgain(view, pressed);
  const selected = view.root.querySelector('[data-list] [aria-current="true"]');
  if (selected) reveal(selected);
}

// An aim counts only for the place that it was made for: the tree of another place may still be on its way.
function settle(view) {
  const aim = document.tutelageAims?.get(view.key);
  const before = view.settled;
  if (!aim || aim === before || aim.place !== view.place) return;
  const turned = before.turn !== aim.turn && view.turn !== aim.turn;
  const moved = before.light !== aim.light;
  view.settled = aim;
  view.turn = aim.turn;
  if (aim.light) shine(view, moved ? aim.light : view.number || aim.light);
  const turn = land(view, aim.turn);
  const words = moved && !(turned && turn) && aim.light ? evidence(view, aim.light) : null;
  if (turned && turn) bringTo(view, turn);
  // On a narrow screen the panes stand below each other: there the page stays where the reader is. So does an excerpt,
  // which stands below the note that it proves.
  else if (words && words.closest("[data-scroll]")) bringTo(view, words, false);
  buildTheRest(view);
}

function viewOf(component) {
  const { parentElement } = component;
  let view = views.get(parentElement);
  if (view) return view;
  const root = document.createElement("div");
  root.className = "drawing";
  parentElement.append(root);
  const shadow = root.getRootNode();
  if (!shadow.adoptedStyleSheets.includes(style)) shadow.adoptedStyleSheets.push(style);
  view = { parent: parentElement, root, place: null, stops: [], keys: {}, settled: {} };
  views.set(parentElement, view);
  view.remove = install(view);
  return view;
}

// What is answered without a run of the script (ui/pressing.js) stands where the desk answers, until the next run.
function takeAnswer(view, { text, added }) {
  const line = view.key === "answer-line" && view.root.querySelector('[role="status"]');
  if (!line) return;
  line.textContent = added && line.textContent ? `${line.textContent} · ${text}` : text;
  line.className = "answer no";
  view.mark = null;
}

// The minutes that a lease has left go by while nothing else happens.
const TICK = 5000;
function tellTheTime(view) {
  for (const lease of view.root.querySelectorAll("[data-until]")) {
    const left = Math.ceil((Number(lease.dataset.until) - Date.now()) / 60000);
    lease.textContent = left > 0 ? `${lease.dataset.whose}, ${left} min` : "free";
  }
}

function drawInto(component) {
  guardKeys();
  const view = viewOf(component);
  view.component = component;
  const mark = decoder.decode(component.data.subarray(0, MARK_LENGTH));
  if (view.mark !== mark) {
    view.mark = mark;
    rebuild(view, JSON.parse(decoder.decode(component.data.subarray(MARK_LENGTH))));
    settle(view);
    buildTheRest(view);
  }
  return () => {
    view.remove();
    view.root.remove();
  };
}

// What every drawing of this window uses (ui/drawn.js). The first to come stays: views belong to the code that made them.
export default function ({ data }) {
  if (document.tutelageDraw) return;
  style.replaceSync(data.style);
  document.tutelageDraw = drawInto;
  document.dispatchEvent(new CustomEvent("tutelage-code"));
}
