// Work that is handed in: what to do, what was written, and what became of it.

function assignmentView(step, content, player) {
  const done = player.progress.done.has(step.id);
  const note = h("p", { class: "verdict good", hidden: !done }, icon("check"), h("span", null, t("markedDone")));
  const mark = button("submit", t("markDone"), { class: "button main", hidden: done }, "check");
  mark.addEventListener("click", () => {
    player.complete(step);
    note.hidden = false;
    mark.hidden = true;
    announce(t("markedDone"), true);
    player.focusFlow();
  });
  return [prose(content.html), h("div", { class: "card" }, h("p", null, t("assignmentHint")), h("div", { class: "submit-row" }, mark), note)];
}
