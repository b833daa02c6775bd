// What keys and presses do. A held key does nothing, and no key acts while a field has the focus.

const SHORTCUTS = new Set("axesumjknog123456789".split(""));
let keysGuarded = false;

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
  // What the desk put into a field is not lost with the page; only what somebody typed is.
  const typed = new WeakSet();
  window.addEventListener("input", (event) => typed.add(event.composedPath()[0]), true);
  window.addEventListener("beforeunload", (event) => {
    const drafts = document.querySelectorAll('[class*="st-key-draft"] textarea, [class*="st-key-draft"] input');
    if ([...drafts].some((field) => field.value && typed.has(field) && !isKept(field))) event.preventDefault();
  });
}

// Words that the desk keeps already (ui/keeping.js) are not lost with the page.
function isKept(field) {
  const box = field.closest('[class*="st-key-draft-"]');
  const key = [...box.classList].find((one) => one.startsWith("st-key-draft-"));
  return document.tutelageKept?.get(key) === field.value;
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
  const act = ACTS[view.keys[event.key]];
  if (!act || document.querySelector('[role="dialog"]')) return;
  event.preventDefault();
  act(view);
}

const PRESSES = {
  more: (view, target) => showMore(target),
  turn: (view, target) => {
    const turn = land(view, target.dataset.turn);
    if (turn) bringTo(view, turn);
  },
  link: (view, target) => {
    view.turn = Number(target.dataset.link);
    land(view, view.turn);
    view.component.setTriggerValue("pressed", `turn:${view.turn}`);
  },
  go: (view, target) => sendLight(target.dataset.go),
  press: (view, target) =>
    target.dataset.press === "sheet" ? sheet(view) : view.component.setTriggerValue("pressed", target.dataset.press),
};

function press(view, event) {
  const target = event.target.closest("[data-more],[data-turn],[data-link],[data-go],[data-press],mark[tabindex]");
  if (!target || selecting(view, target)) return;
  const what = Object.keys(PRESSES).find((one) => target.dataset[one]);
  const isLink = target.tagName === "A";
  if ((what === "link" || isLink) && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  if (what !== "more" && (what !== "press" || isLink)) event.preventDefault();
  if (what) PRESSES[what](view, target);
  else pressWords(view, target);
}

// Whoever marks words with the mouse wants to copy them.
function selecting(view, target) {
  const selection = view.root.getRootNode().getSelection?.() || document.getSelection();
  return target.tagName === "MARK" && selection && !selection.isCollapsed;
}

function showMore(button) {
  const rest = button.previousElementSibling;
  rest.removeAttribute("hidden");
  rest.tabIndex = -1;
  rest.focus({ preventScroll: true });
  button.remove();
}

function pressRow(view, event) {
  const row = event.target.closest("[data-list] [data-press]");
  const mark = event.target.closest("mark[tabindex]");
  if (event.key === "Enter" || event.key === " ") {
    if (!mark && !(row && row.tagName === "TR")) return;
    event.preventDefault();
    if (mark) pressWords(view, mark);
    else view.component.setTriggerValue("pressed", row.dataset.press);
  }
  if (!row || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
  event.preventDefault();
  const rows = [...row.closest("[data-list]").querySelectorAll("[data-press]")];
  const next = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
  if (next) next.focus();
}
