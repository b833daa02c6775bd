// Sends the words of the fields of one item while they are typed. What was sent is remembered in the document, so that
// leaving the page asks only about words that are nowhere else yet.

const QUIET = 100;
const listeners = new WeakMap();

function fieldOf(target) {
  const box = target instanceof Element && target.closest('[class*="st-key-draft-"]');
  return box ? [...box.classList].find((one) => one.startsWith("st-key-draft-")) : null;
}

function listen(state) {
  const typed = (event) => {
    const field = fieldOf(event.target);
    if (!field || !state.fields.has(field)) return;
    state.words[field] = event.target.value;
    clearTimeout(state.timer);
    state.timer = setTimeout(() => send(state), QUIET);
  };
  document.addEventListener("input", typed, true);
  return () => {
    document.removeEventListener("input", typed, true);
    clearTimeout(state.timer);
  };
}

function send(state) {
  const words = state.words;
  state.words = {};
  document.tutelageKept ??= new Map();
  for (const [field, text] of Object.entries(words)) document.tutelageKept.set(field, text);
  state.component.setTriggerValue("typed", words);
}

export default function (component) {
  let state = listeners.get(component.parentElement);
  if (!state) {
    state = { words: {}, fields: new Set() };
    state.stop = listen(state);
    listeners.set(component.parentElement, state);
  }
  state.component = component;
  state.fields = new Set(component.data.fields);
  return () => {
    state.stop();
    listeners.delete(component.parentElement);
  };
}
