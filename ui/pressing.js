// Presses that come before their item can be decided are answered here at once: while the answer to the press before is
// on its way, and before the item has been on the screen for long enough. The desk is told of each and logs it as
// refused. The reason that follows "reject" may be pressed before its button is there: it waits for it.

const LONGEST = 8000; // milliseconds for which a press that nobody answers holds back the next
const guards = new WeakMap();

const typing = (target) =>
  target instanceof Element && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const buttonOf = (widget) => document.querySelector(`.st-key-${CSS.escape(widget)} button:not(:disabled)`);

const fieldOf = (widget) => document.querySelector(`.st-key-${CSS.escape(widget)} :is(input, textarea)`);

function install(guard) {
  const onKey = (event) => {
    const key = event.key.toLowerCase();
    const confirms = key === "enter" && (event.ctrlKey || event.metaKey);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.repeat || document.documentElement.hasAttribute("data-sheet-open")) return;
    if (confirms) press(guard, event, "ctrl+enter");
    else if (!modified && !typing(event.composedPath()[0])) press(guard, event, key);
  };
  const onClick = (event) => {
    const box = event.target instanceof Element && event.target.closest('[class*="st-key-"]');
    const found = box && Object.entries(guard.data.keys).find(([, widget]) => box.classList.contains(`st-key-${widget}`));
    // A key that acts arrives as a click, too, which no hand has made.
    if (found && event.isTrusted && event.target.closest("button")) press(guard, event, found[0]);
  };
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("click", onClick, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("click", onClick, true);
  };
}

function press(guard, event, key) {
  const { data, waits } = guard;
  const now = performance.now();
  const waiting = waits && now - waits.since < LONGEST;
  if (waiting && waits.asks && /^[1-9]$/.test(key)) {
    stop(event);
    guard.next = key;
    return;
  }
  const widget = data.keys[key];
  if (!widget) return;
  if (waiting) return refuse(guard, event, "on_its_way", now - waits.since, data.acts[key]);
  if (!buttonOf(widget)) return;
  if (data.decides.includes(key) && now - guard.since < data.after)
    return refuse(guard, event, "too_soon", now - guard.since, data.acts[key]);
  guard.waits = { since: now, asks: data.asks.includes(key) };
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function refuse(guard, event, why, milliseconds, act) {
  stop(event);
  guard.since = performance.now(); // it asks again, and the time begins anew
  guard.early.push({ n: ++guard.count, item: guard.data.item, act, why, seconds: milliseconds / 1000 });
  guard.said = guard.data.says[why].replace("{seconds}", (milliseconds / 1000).toFixed(1));
  answer(guard.said);
  tell(guard);
}

// What was said before, about the decision that is on the screen now, stays in front.
function answer(text, added = false) {
  document.dispatchEvent(new CustomEvent("tutelage-answer", { detail: { text, added } }));
}

function tell(guard) {
  clearTimeout(guard.telling);
  guard.telling = setTimeout(() => {
    if (guard.early.length && !guard.waits) guard.component.setTriggerValue("early", guard.early);
  }, 60);
}

// One frame later the buttons listen, too.
function arrived(guard) {
  requestAnimationFrame(() => {
    const { next, waits, said } = guard;
    Object.assign(guard, { waits: null, next: null, said: null });
    if (guard.key !== guard.data.key) guard.since = performance.now();
    guard.key = guard.data.key;
    if (waits && said) answer(said, true);
    if (guard.data.writes && guard.writes !== guard.data.writes) fieldOf(guard.data.writes)?.focus();
    guard.writes = guard.data.writes;
    if (next) document.dispatchEvent(new KeyboardEvent("keydown", { key: next, code: `Digit${next}`, bubbles: true }));
    tell(guard);
  });
}

export default function (component) {
  let guard = guards.get(component.parentElement);
  if (!guard) {
    guard = { early: [], count: component.data.taken, since: performance.now() };
    guards.set(component.parentElement, guard);
    guard.stop = install(guard);
  }
  const anew = guard.data?.run !== component.data.run;
  Object.assign(guard, { component, data: component.data });
  guard.early = guard.early.filter((one) => one.n > component.data.taken);
  guard.count = Math.max(guard.count, component.data.taken);
  if (anew) {
    guard.waits ??= { since: performance.now() };
    arrived(guard);
  }
  return () => {
    clearTimeout(guard.telling);
    guard.stop();
    guards.delete(component.parentElement);
  };
}
