// A tree becomes elements of a white list and text nodes. Nothing in here reads HTML: every text arrives as a text node.

const TAGS = new Set([
  "div", "span", "p", "b", "i", "a", "h1", "h2", "h3", "h4", "hr", "section", "article", "nav", "button", "mark", "del",
  "ins", "code", "pre", "kbd", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li",
  "small",
]);
const SHAPES = new Set(["svg", "path", "line", "circle", "text"]);
const ATTRIBUTES = new Set([
  "class", "role", "tabindex", "open", "hidden", "type", "dir", "scope", "title", "href",
  "aria-label", "aria-current", "aria-checked", "aria-live", "aria-hidden", "aria-description",
  "data-press", "data-evidence", "data-go", "data-turn", "data-link", "data-anchor", "data-count", "data-list",
  "data-more", "data-scroll", "data-title", "data-sheet", "data-until", "data-whose",
  "viewBox", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height",
]);
const SVG = "http://www.w3.org/2000/svg";
const A_PAGE_OF_THE_DESK = /^[a-z_]*\?/;

// Control characters and the marks that turn the direction of writing: unseen, or able to show words in another order.
const SIGNS = /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]+)/;

function build(node) {
  if (typeof node === "string") return textOf(node);
  const [tag, attributes, ...children] = node;
  const element = SHAPES.has(tag)
    ? document.createElementNS(SVG, tag)
    : document.createElement(TAGS.has(tag) ? tag : "span");
  for (const [name, value] of Object.entries(attributes || {}))
    if (ATTRIBUTES.has(name) && value && (name !== "href" || A_PAGE_OF_THE_DESK.test(value)))
      element.setAttribute(name, value === true ? "" : value);
  if (element.dataset.scroll !== undefined) appendInChunks(element, children);
  else for (const child of children) element.append(build(child));
  return element;
}

// Each run of signs stands in an isolated span of its own, where it can turn nothing, and the style sheet prints its
// name before it. The text of the document stays the text that was said.
function textOf(words) {
  if (!SIGNS.test(words)) return document.createTextNode(words);
  const all = document.createDocumentFragment();
  words.split(SIGNS).forEach((part, at) => {
    if (at % 2) all.append(sign(part));
    else if (part) all.append(document.createTextNode(part));
  });
  return all;
}

function sign(run) {
  const span = document.createElement("span");
  span.className = "sign";
  const code = run.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  span.dataset.sign = run.length > 1 ? `U+${code}, ${run.length} signs` : `U+${code}`;
  span.append(document.createTextNode(run));
  return span;
}
