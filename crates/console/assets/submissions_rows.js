// The table of submissions: a row for each, which is a card on a telephone, and a box to select it.
import { can } from "./api.js";
import { pageOf } from "./assignment_pages.js";
import { h, hidden, link, own, tag } from "./dom.js";
import { points, when } from "./format.js";
import { t, word } from "./i18n.js";
import { nameOf } from "./names.js";

const TONES = { draft: "plain", submitted: "plain", in_review: "wait", graded: "good", returned: "plain" };

export const personOf = ({ user }) => user?.name || user?.email || t("student");

// What is called so is written there as soon as it is known.
function named(href, id, otherwise) {
  const node = h("a", { href }, own("span", otherwise));
  nameOf(id).then((name) => name && (node.firstChild.textContent = name));
  return node;
}

const assignmentPage = (id) => pageOf(id, can("write:courses") ? "edit" : "ai");

function task(one) {
  const assignment = named(assignmentPage(one.assignment_id), one.assignment_id, t("submissions.assignment"));
  const course = named(`#/courses/${one.course_id}`, one.course_id, t("submissions.course"));
  return h("div.sb-task", assignment, h("small.hint", course));
}

// Where it is, and what else there is to know before it is opened.
function state(one) {
  const ai = { pending: () => h("span.hint", t("submissions.is_ai_pending")), error: () => tag(t("submissions.is_ai_error"), "bad") }[one.ai_status];
  return h(
    "div.sb-tags",
    tag(word("submission", one.status), TONES[one.status]),
    one.status === "graded" && one.review_status === "open" && tag(t("submissions.is_open"), "wait"),
    one.blind && tag(t("blind.word"), "wait"),
    one.late && h("span.late", t("review.late")),
    one.stale && h("span.hint", { title: t("review.stale_hint") }, t("review.stale")),
    one.status !== "graded" && one.status !== "returned" && ai?.(),
  );
}

function score({ score: given, max_score: most }) {
  if (given === null) return [h("span", { "aria-hidden": "true" }, "–"), hidden(t("no_score"))];
  return points(given, most);
}

// Who had the last word, and what else they decided; nobody where no name may be seen.
function grader(id) {
  const node = h("a", { href: `#/submissions?grader=${id}`, hidden: true }, own("small", ""));
  nameOf(id).then((name) => {
    node.firstChild.textContent = name;
    node.hidden = !name;
  });
  return node;
}

// Whoever let a grade of AI stand has had the last word about it.
function graded({ graded_by: by, grader_id: id, graded_at: at, decided_at: decided, review_status: review }) {
  if (!by) return h("span.quiet", "–");
  const who = by === "human" ? "person" : review === "done" ? "accepted" : "ai";
  return h("div.sb-graded", h("span", t(`submissions.grader_${who}`)), id && grader(id), h("small.hint", when(decided ?? at)));
}

const COLUMNS = [
  { name: "task", cell: task },
  { name: "state", cell: state },
  { name: "score", cell: score, class: "num" },
  { name: "handed_in", cell: (one) => when(one.submitted_at) },
  { name: "graded", cell: graded },
];

export class Rows {
  // `selection` is what is selected; null where nobody may do anything with it.
  constructor(selection) {
    this.selection = selection;
    this.items = [];
    this.body = h("tbody", { role: "rowgroup" });
    const label = (name) => h("th", { scope: "col", role: "columnheader", class: name === "score" ? "num" : "" }, t(`submissions.col_${name}`));
    const names = COLUMNS.map(({ name }) => name);
    const heads = [h("th", { scope: "col", role: "columnheader" }, t("student")), names.map(label)];
    const box = selection && h("th.sb-pick", { scope: "col", role: "columnheader" }, this.head());
    this.table = h(
      "table.table.sb-table",
      { role: "table" },
      h("caption", hidden(t("nav.submissions"))),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, box, heads)),
      this.body,
    );
    this.node = h("div.card.flush", this.table);
  }

  head() {
    this.all = h("input", { type: "checkbox", onclick: () => this.pickAll() });
    return h("label.sb-box", this.all, h("span.unseen.sb-all", t("submissions.select_shown")));
  }

  row(one) {
    const { selection } = this;
    const click = (event) => this.pick(one, event.target.checked, event.shiftKey);
    const name = personOf(one);
    const input = selection && h("input", { type: "checkbox", checked: selection.has(one.id), onclick: click });
    const box = input && h("td.sb-pick", { role: "cell" }, h("label.sb-box", input, hidden(t("submissions.select", { name }))));
    const label = (column) => t(`submissions.col_${column.name}`);
    const cell = (column) => h("td", { role: "cell", class: column.class || "", "data-label": label(column) }, column.cell(one));
    return h(
      "tr",
      { role: "row", "data-id": one.id, class: selection?.has(one.id) ? "sb-on" : "" },
      box,
      h("th", { scope: "row", role: "rowheader" }, link(`#/review/${one.id}`, own("span", name))),
      COLUMNS.map(cell),
    );
  }

  add(items) {
    this.items.push(...items);
    this.body.append(...items.map((one) => this.row(one)));
  }

  // The same list anew: whoever is in it stays where they are.
  set(items) {
    const here = this.current;
    const part = this.body.contains(document.activeElement) && (document.activeElement.matches("input") ? "input" : "th a");
    this.items = [];
    this.body.replaceChildren();
    this.add(items);
    if (here >= 0 && part) this.body.rows[Math.min(here, this.body.rows.length - 1)]?.querySelector(part)?.focus();
  }

  // --- Selecting

  pick(one, isOn, isRange) {
    const at = this.items.indexOf(one);
    const from = isRange && this.anchor !== undefined ? this.anchor : at;
    this.selection.set(this.items.slice(Math.min(from, at), Math.max(from, at) + 1), isOn);
    this.anchor = at;
    this.draw();
  }

  pickAll() {
    this.selection.set(this.items, !this.items.every(({ id }) => this.selection.has(id)));
    this.draw();
  }

  draw() {
    if (!this.selection) return;
    for (const row of this.body.rows) {
      const isOn = this.selection.has(row.dataset.id);
      row.classList.toggle("sb-on", isOn);
      row.querySelector("input").checked = isOn;
    }
    const count = this.items.filter(({ id }) => this.selection.has(id)).length;
    this.all.checked = count > 0 && count === this.items.length;
    this.all.indeterminate = count > 0 && count < this.items.length;
  }

  // --- By keys

  // The row in which the focus is, or was.
  get current() {
    const row = document.activeElement?.closest?.(".sb-table tbody tr");
    if (row) this.last = row.sectionRowIndex;
    return this.last ?? -1;
  }

  // Whether there was one to go to.
  move(step) {
    return this.go(Math.max(0, this.current + step));
  }

  go(at) {
    const to = this.body.rows[at];
    if (!to) return false;
    to.querySelector("th a").focus();
    to.scrollIntoView({ block: "nearest" });
    this.last = at;
    return true;
  }

  toggle(isRange) {
    const at = Math.max(0, this.current);
    const one = this.items[at];
    if (!one) return;
    this.go(at);
    this.pick(one, isRange || !this.selection.has(one.id), isRange);
  }
}
