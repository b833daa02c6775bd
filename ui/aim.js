// Leaves beside a drawing what is in the light there, so that moving the light sends these few words and no tree.

export default function ({ data }) {
  document.tutelageAims ??= new Map();
  document.tutelageAims.set(data.drawing, data);
  document.dispatchEvent(new CustomEvent("tutelage-aim"));
}
