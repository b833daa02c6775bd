// Remembers which quotes of the item on the screen were walked to or pressed, and tells the desk once the reader rests,
// or in time for what is pressed next. A step from one to the next asks for nothing.

const REST = 1500;
const LIGHT = "tutelage-light";
const WALKING = new Set(["n", "N", "Shift"]);
const listeners = new WeakMap();

function listen(state) {
  const lit = (event) => {
    const number = String(event.detail && event.detail.number);
    if (!(number in state.quotes) || state.told.has(number)) return;
    state.seen.add(number);
    clearTimeout(state.timer);
    state.timer = setTimeout(() => send(state), REST);
  };
  const acts = (event) => {
    if (event.type === "keydown" && WALKING.has(event.key)) return;
    if (event.type === "pointerdown" && !event.target.closest("button")) return;
    send(state);
  };
  document.addEventListener(LIGHT, lit);
  window.addEventListener("keydown", acts, true);
  window.addEventListener("pointerdown", acts, true);
  return () => {
    document.removeEventListener(LIGHT, lit);
    window.removeEventListener("keydown", acts, true);
    window.removeEventListener("pointerdown", acts, true);
    clearTimeout(state.timer);
  };
}

function send(state) {
  clearTimeout(state.timer);
  if (!state.seen.size) return;
  const seen = [...state.seen];
  for (const number of seen) state.told.add(number);
  state.seen.clear();
  state.component.setTriggerValue("seen", { item: state.item, quotes: seen.map((number) => state.quotes[number]) });
}

export default function (component) {
  let state = listeners.get(component.parentElement);
  if (!state) {
    state = { seen: new Set(), told: new Set() };
    state.stop = listen(state);
    listeners.set(component.parentElement, state);
  }
  const { item, quotes } = component.data;
  if (state.item !== item || JSON.stringify(state.quotes) !== JSON.stringify(quotes)) {
    clearTimeout(state.timer);
    Object.assign(state, { item, seen: new Set(), told: new Set() });
  }
  Object.assign(state, { component, quotes });
  return () => {
    state.stop();
    listeners.delete(component.parentElement);
  };
}
