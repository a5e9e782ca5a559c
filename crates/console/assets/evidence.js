// Passages of a text and the criteria that they are evidence for, lit together. A view has `node`, `paper` with the marks, `pinned`, and
// says itself what `light` and `pin` do besides.

function rowsOf(target) {
  const mark = target.closest?.("[data-rows]");
  if (mark) return mark.dataset.rows.split(" ").map(Number);
  const card = target.closest?.("[data-row]");
  return card ? [Number(card.dataset.row)] : null;
}

export function watchEvidence(view) {
  for (const kind of ["pointerover", "focusin"]) view.node.addEventListener(kind, (event) => view.light(rowsOf(event.target)));
  view.node.addEventListener("pointerleave", () => view.light(null));
  view.paper.addEventListener("click", (event) => {
    const rows = rowsOf(event.target);
    if (rows) view.pin(rows[0]);
  });
}

// Lights these criteria, else the one that is pinned; `cards` is what they stand in.
export function lightEvidence({ node, paper, pinned }, cards, rows) {
  const lit = rows || (pinned === null ? [] : [pinned]);
  const isLit = (list) => list.some((row) => lit.includes(Number(row)));
  node.classList.toggle("lit", lit.length > 0);
  for (const mark of paper.querySelectorAll("[data-rows]")) mark.classList.toggle("on", isLit(mark.dataset.rows.split(" ")));
  for (const card of cards.querySelectorAll("[data-row]")) card.classList.toggle("on", isLit([card.dataset.row]));
}
