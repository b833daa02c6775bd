// One drawing. Its code is the same for all of them and comes once (ui/drawing.js), perhaps a moment later.

export default function (component) {
  if (document.tutelageDraw) return document.tutelageDraw(component);
  let stop = () => {};
  const begin = () => (stop = document.tutelageDraw(component));
  document.addEventListener("tutelage-code", begin, { once: true });
  return () => {
    document.removeEventListener("tutelage-code", begin);
    stop();
  };
}
