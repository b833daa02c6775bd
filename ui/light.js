// Evidence in the light: which quote is current, where it stands, and how the reader gets there.

const LIGHT = "tutelage-light";
const LAMP_HEIGHT = 0.36;

function numbers(element) {
  return (element.dataset.evidence || "").split(" ");
}

function light(within, number) {
  for (const element of within.querySelectorAll("[data-evidence]")) {
    const current = numbers(element).includes(String(number));
    element.classList.toggle("now", current);
    if (!element.matches("mark,.found")) continue;
    if (current) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
  }
}

function shine(view, number) {
  view.number = number;
  light(view.root, number);
  const count = view.root.querySelector("[data-count]");
  const at = view.stops.findIndex((stop) => stop[0] === Number(number));
  if (count && at >= 0) count.textContent = `Evidence ${at + 1} of ${count.dataset.count}`;
}

// A stop is a number, and what is pressed when its words stand in another transcript.
function walk(view, by) {
  const { stops } = view;
  if (!stops.length) return;
  const at = stops.findIndex((stop) => stop[0] === Number(view.number));
  const [number, elsewhere] = stops[(at + by + stops.length) % stops.length];
  if (elsewhere) view.component.setTriggerValue("pressed", elsewhere);
  else sendLight(number);
}

// `from` is the view in which words were pressed: it stays where it is, and the others show what is said about them.
function sendLight(number, from) {
  document.dispatchEvent(new CustomEvent(LIGHT, { detail: { number, from } }));
}

// Words that several quotes share bring up one quote after the other.
function pressWords(view, mark) {
  const all = numbers(mark);
  sendLight(all[(all.indexOf(String(view.number)) + 1) % all.length], view);
}

// A number that is asked for again brings up the next of its places.
function takeLight(view, { number, from }) {
  view.again = String(view.number) === String(number) ? (view.again || 0) + 1 : 0;
  shine(view, number);
  const words = from !== view && evidence(view, number, view.again);
  if (words) return bringTo(view, words), showPane(words);
  const about = [...view.root.querySelectorAll("[data-evidence].now")].find((one) => !one.closest("[data-anchor]"));
  if (about) reveal(about, Boolean(from));
}

function evidence(view, number, again = 0) {
  const held = (text) => (text || "").split(" ").includes(String(number));
  const holds = (one) => one && one.dataset && held(one.dataset.evidence);
  buildWhere(view, (attributes) => held(attributes["data-evidence"]));
  const marks = [...view.root.querySelectorAll("[data-anchor] mark")].filter(holds);
  const places = marks.filter((one) => !(one.previousSibling && holds(one.previousSibling)));
  const words = places[again % places.length] || [...view.root.querySelectorAll("[data-anchor]")].find(holds);
  const fold = words && words.closest("details");
  if (fold) fold.open = true;
  return words;
}

function turnOf(view, turn) {
  buildWhere(view, (attributes) => attributes["data-anchor"] === `t${turn}`);
  return view.root.querySelector(`[data-anchor="t${turn}"]`);
}

function land(view, turn) {
  for (const one of view.root.querySelectorAll(".turn.here")) {
    one.classList.remove("here");
    one.removeAttribute("aria-current");
  }
  const target = turn && turnOf(view, turn);
  if (!target) return null;
  target.classList.add("here");
  target.setAttribute("aria-current", "location");
  return target;
}

// Heights of turns that are not yet laid out are guesses, so the place is set again until it stands still, and once
// more when the letters of a late font have their true width.
function bringTo(view, target, pageToo = true) {
  const token = (view.scrolling = {});
  const step = (left, still) => {
    if (view.scrolling !== token || !left || still > 1) return;
    const host = scroller(target);
    const box = boxOf(host);
    const away = target.getBoundingClientRect().top - box.top - box.height * LAMP_HEIGHT;
    if (pageToo || !isPage(host)) host.scrollTop += away;
    requestAnimationFrame(() => step(left - 1, Math.abs(away) <= 0.5 ? still + 1 : 0));
  };
  requestAnimationFrame(() => step(8, 0));
  document.fonts.ready.then(() => step(8, 0));
}

// Where the panes stand below each other, the page brings up the one whose words were asked for.
function showPane(words) {
  const pane = words.closest("[data-scroll]");
  const page = pane && scroller(pane);
  if (!pane || scroller(words) === page) return;
  const [own, box] = [boxOf(pane), boxOf(page)];
  if (own.top < box.top || own.top + own.height / 2 > box.top + box.height) page.scrollTop += own.top - box.top - 60;
}

function scroller(element) {
  let host = element;
  while ((host = host.parentElement || (host.getRootNode() && host.getRootNode().host))) {
    if (/auto|scroll/.test(getComputedStyle(host).overflowY) && host.scrollHeight > host.clientHeight + 1) return host;
  }
  return document.scrollingElement;
}

function isPage(host) {
  return host === document.scrollingElement || host.matches('[data-testid="stMain"]');
}

function boxOf(host) {
  return host === document.scrollingElement ? { top: 0, height: window.innerHeight } : host.getBoundingClientRect();
}

// Bring a row or a note into sight with the least movement; the page itself moves only when it is asked to.
function reveal(row, pageToo) {
  const host = scroller(row);
  if (isPage(host) && !pageToo) return;
  const box = boxOf(host);
  const own = row.getBoundingClientRect();
  if (own.top < box.top) host.scrollTop += own.top - box.top - 8;
  else if (own.bottom > box.top + box.height) host.scrollTop += own.bottom - box.top - box.height + 8;
}
