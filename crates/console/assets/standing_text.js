// Who falls behind, in words, as tables and as a file.
import { link, own, h } from "./dom.js";
import { number, when } from "./format.js";
import { t } from "./i18n.js";
import { table } from "./lists.js";
import { called, tenths } from "./standing_data.js";

const MARKS = /[\u2066-\u2069]/g;

// Isolated, so that a sign stays on its side of the number in a sentence from right to left.
const figure = (value) => `\u2066${number(value, { maximumFractionDigits: 1 })}\u2069`;
export const share = (value) => `\u2066${number(value / 100, { style: "percent", maximumFractionDigits: 1 })}\u2069`;

export function signInWords({ rule, value }) {
  return rule === "low_total" ? t("standing.sign_low_total", { total: share(value) }) : t(`standing.sign_${rule}`, { count: figure(value) });
}

export function inShort(rows) {
  return t("standing.short", { count: figure(rows.filter(({ signs }) => signs.length).length), of: figure(rows.length) });
}

// --- The list

const signsOf = ({ signs }) => h("ul.plain", signs.map((sign) => h("li", signInWords(sign))));

export function learners(caption, rows, cohort) {
  const submissions = (row) => `#/submissions?${new URLSearchParams({ cohort, q: called(row) })}`;
  const columns = [
    { label: t("name"), cell: (row) => link(submissions(row), own("span", called(row))) },
    rows.some(({ signs }) => signs.length) && { label: t("standing.signs"), cell: signsOf },
    { label: t("cohort.last"), cell: ({ last_activity_at: moment }) => (moment ? when(moment) : t("cohort.never")) },
    { label: t("standing.lessons"), class: "num", cell: ({ percent }) => share(percent) },
    { label: t("standing.total"), class: "num", cell: ({ total }) => (total === null ? t("standing.no_total") : share(total)) },
  ];
  return h("div.card.flush", table(caption, columns.filter(Boolean), rows).node);
}

const COLUMNS = ["name", "email", "status", "signs", "overdue", "total_percent", "graded", "lessons_percent", "last_activity_at"];

export function listFile(rows) {
  const row = (one) => {
    const signs = one.signs.map((sign) => signInWords(sign).replace(MARKS, "")).join("; ");
    return [one.name, one.email, one.status, signs, one.overdue, one.total, one.graded, one.percent, one.last_activity_at];
  };
  return [COLUMNS, rows.map(row)];
}

// --- How far they have come

function spreadOf({ rows, expected }) {
  const mean = rows.reduce((sum, { percent }) => sum + percent, 0) / rows.length;
  const behind = rows.filter(({ percent }) => percent < expected).length;
  const fullest = tenths(rows).reduce((best, one) => (one.learners > best.learners ? one : best));
  const range = { from: share(fullest.from), to: share(fullest.to), most: figure(fullest.learners) };
  return { ...range, count: figure(rows.length), mean: share(mean), behind: figure(behind), expected: share(expected ?? 0) };
}

function withCalendar(key, found) {
  const values = spreadOf(found);
  const said = t(`standing.${key}`, values);
  return found.expected === null ? said : `${said} ${t(`standing.${key}_expected`, values)}`;
}

export const spreadInWords = (found) => withCalendar("spread_said", found);
// What the picture shows, for who does not see it.
export const spreadLabel = (found) => withCalendar("spread_label", found);

export function spreadTable({ rows }) {
  const columns = [
    { label: t("standing.lessons"), cell: ({ from, to }) => t("standing.from_to", { from: share(from), to: share(to) }) },
    { label: t("standing.learners"), class: "num", cell: (one) => figure(one.learners) },
  ];
  const { node } = table(t("standing.bins"), columns, tenths(rows));
  // Two short columns are a table on a telephone too.
  node.classList.add("keep");
  return node;
}
