// What stands in the cells of a book of grades: figures, signs and the words beside them.
import { h, hidden, icon, own } from "./dom.js";
import { date } from "./format.js";
import { currentLanguage, t } from "./i18n.js";

// Made once: there are thousands of figures.
export function figures() {
  const points = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 2 });
  return { points: (value) => points.format(value), percent: (value) => percent.format(value / 100) };
}

const STATES = { not_handed_in: "absent", waits_for_a_grade: "waits", missing_counts_as_zero: "zero", graded: "graded" };

export const nameOf = ({ name, email }) => name || email;

// What is to be known of a cell besides its figure, in the order in which it matters.
export function marksOf(cell) {
  return [
    cell.state !== "graded" && STATES[cell.state],
    cell.dropped && "dropped",
    cell.late && "late",
    cell.awaits_grade && cell.state !== "waits_for_a_grade" && "newer",
  ].filter(Boolean);
}

function figureOf(cell, show) {
  if (cell.points !== null && cell.points !== undefined) return show.points(cell.points);
  return cell.state === "missing_counts_as_zero" ? show.points(0) : "";
}

// There is room for one word: of others there is the sign, which says its word to who asks, or listens.
function signOf(mark) {
  const said = t(`gradebook.${mark}`);
  return h(`span.gb-mark.${mark}`, { title: said }, hidden(`${said} `));
}

// Few elements, for there are hundreds of these. A cell that has not come yet says so.
export function taskCell(cell, show) {
  if (!cell) return [hidden(t("loading"))];
  const figure = figureOf(cell, show);
  const [mark, ...others] = marksOf(cell);
  const word = mark && h(`${others.length ? "span" : "small"}.gb-mark.${mark}`, t(`gradebook.${mark}`));
  // The word comes last: where it is too long, its end is what is missing.
  const small = others.length ? h("small", others.map(signOf), word) : word;
  const parts = [figure && h(cell.dropped ? "b.off" : "b", figure), small].filter(Boolean);
  return cell.submission_id ? [h("a.gb-in", { href: `#/review/${cell.submission_id}`, tabindex: "-1" }, parts)] : parts;
}

export function nameCell(row) {
  const said = row.status === "active" ? null : h("small", t(`enrollment.${row.status}`));
  return [h("span.gb-in", { title: row.email }, own("b.cut", nameOf(row)), said)];
}

export function totalCell(row, show, explain) {
  const isThere = row.total !== null && row.total !== undefined;
  const figure = isThere ? h("b", show.percent(row.total)) : [h("b", { "aria-hidden": "true" }, "–"), hidden(t("gradebook.no_total"))];
  return [h("button.gb-in", { type: "button", tabindex: "-1", "aria-haspopup": "dialog", onclick: () => explain(row) }, figure)];
}

// A click leads to the task; beside it is the way to how it went.
export function taskHead(column, show, groups, statistics) {
  const group = groups.get(column.group);
  const about = [t("gradebook.of_points", { points: show.points(column.points) }), column.object === "activity" && t("activity.quiz")];
  const due = column.due_at && h("small", t("gradebook.due", { date: date(column.due_at) }));
  const parts = [own("b", column.name), h("small", about.filter(Boolean).join(" · ")), due, group && own("small", group.name)];
  const what = { class: "gb-in", title: column.name };
  const said = `${t("assignment.statistics")}: ${column.name}`;
  const more = h("a.gb-more", { href: statistics, tabindex: "-1", "aria-label": said, title: said }, icon("usage"));
  return [column.object === "assignment" ? h("a", { ...what, href: `#/assignments/${column.id}/edit`, tabindex: "-1" }, parts) : h("span", what, parts), more];
}

// How the total of one learner comes about, group by group.
export function reckoning(row, show, groups) {
  const line = (group) => {
    const known = groups.get(group.id);
    const why = { nothing_counts: t("gradebook.nothing_counts"), weighs_nothing: t("gradebook.weighs_nothing") }[group.counting];
    return h(
      "tr",
      h("th", { scope: "row" }, own("span", known?.name || t(groups.size ? "gradebook.no_group" : "gradebook.all_tasks"))),
      h("td.num", show.percent(group.weight)),
      h("td.num", `${show.points(group.points)} / ${show.points(group.possible)}`),
      h("td.num", group.percent === null ? "–" : show.percent(group.percent), why && h("small.quiet", ` ${why}`)),
      h("td.num", show.points(group.dropped)),
    );
  };
  const heads = ["group", "weight", "points", "percent", "dropped_tasks"].map((one, at) => h(at ? "th.num" : "th", { scope: "col" }, t(`gradebook.${one}`)));
  return h(
    "div.stack",
    row.email && row.email !== nameOf(row) && h("p.hint", { dir: "auto" }, row.email),
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": t("gradebook.total") }, h("table.table.keep.gb-groups", h("caption.unseen", t("gradebook.total")), h("thead", h("tr", heads)), h("tbody", row.groups.map(line)))),
    h("p", h("b", t("gradebook.total"), ": ", row.total === null ? t("gradebook.no_total") : show.percent(row.total))),
  );
}
