// Texts of an assignment on the desk as its learners see them, put into the places where they stand as they were written: the
// queue knows the words at once, and how they are shown comes with the submission.
import { prose, words } from "./prose.js";

const shown = new WeakMap();

function put(node, html) {
  // What is open in it, or played, stays so.
  if (shown.get(node) === html) return;
  shown.set(node, html);
  node.replaceChildren(prose(html, { level: Number(node.dataset.level) }));
}

export function showTexts(desk, { html }) {
  for (const node of desk.querySelectorAll("[data-text]")) if (node.dataset.text in html) put(node, html[node.dataset.text]);
  for (const node of desk.querySelectorAll("[data-title]")) if (node.dataset.title in html) node.title = words(html[node.dataset.title]);
}
