// The figures of a task in words, as tables and as files.
import { h, own } from "./dom.js";
import { number } from "./format.js";
import { currentLanguage, t } from "./i18n.js";
import { table } from "./lists.js";
import { FEWEST, TELLS_FROM, plain, tenths, verdictOf } from "./statistics_data.js";

// So many of what was handed in are counted at most.
const FIGURES = ["min", "lower_quartile", "median", "upper_quartile", "max", "mean"];

// Isolated, so that a sign stays on its side of the number in a sentence from right to left.
export const figure = (value) => `\u2066${number(value, { maximumFractionDigits: 3 })}\u2069`;
export const share = (value) => `\u2066${number(value, { style: "percent", maximumFractionDigits: 1 })}\u2069`;
export const nameOf = (part, at) => plain(part.name) || t("statistics.nameless", { at: number(at + 1) });

// --- How the points are spread

export function spreadInWords({ distribution, max_score: most }) {
  const values = Object.fromEntries(FIGURES.map((name) => [name, figure(distribution[name])]));
  return t("statistics.spread_said", { ...values, count: figure(distribution.learners), most: figure(most) });
}

// What the picture shows, for who does not see it.
export function spreadLabel(found) {
  const { learners, median, mean } = found.distribution;
  const fullest = tenths(found).reduce((best, one) => (one.learners > best.learners ? one : best));
  const range = { from: figure(fullest.from), to: figure(fullest.to), most: figure(fullest.learners) };
  return t("statistics.spread_label", { ...range, count: figure(learners), median: figure(median), mean: figure(mean) });
}

export function spreadTables(found) {
  const { distribution } = found;
  const points = (row) => t("statistics.from_to", { from: figure(row.from), to: figure(row.to) });
  const counted = [
    { label: t("statistics.points"), cell: points },
    { label: t("statistics.learners"), class: "num", cell: (row) => figure(row.learners) },
    { label: t("statistics.of_all"), class: "num", cell: (row) => share(row.learners / distribution.learners) },
  ];
  const told = [
    { label: t("statistics.figure"), cell: (name) => t(`statistics.${name}`) },
    { label: t("statistics.points"), class: "num", cell: (name) => figure(distribution[name]) },
  ];
  return h("div.ch-tables", kept(table(t("statistics.bins"), counted, tenths(found))), kept(table(t("statistics.figures"), told, FIGURES)));
}

// A table of two or three short columns is one on a telephone too.
function kept({ node }) {
  node.classList.add("keep");
  return node;
}

export function spreadFile(found) {
  const { distribution } = found;
  const rows = [
    ...tenths(found).map(({ from, to, learners }) => ["learners", from, to, learners]),
    ["learners", 0, found.max_score, distribution.learners],
    ...FIGURES.map((name) => [name, null, null, distribution[name]]),
  ];
  return [["figure", "from_points", "to_points", "value"], rows];
}

// --- How long learners waited

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const UNITS = [["day", DAY], ["hour", HOUR], ["minute", MINUTE], ["second", 1]];

// In the largest unit in which it is no less than one.
export function lasting(seconds) {
  const [unit, long] = UNITS.find(([, long]) => seconds >= long) ?? UNITS.at(-1);
  return `\u2068${number(seconds / long, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 })}\u2069`;
}


// From when to when each step goes; the last has no end.
export function waits({ time_to_feedback: { spread } }) {
  return spread.map(({ up_to_seconds: to, grades }, at) => ({ from: at ? spread[at - 1].up_to_seconds : 0, to, grades }));
}

const waited = ({ from, to }) => (to === null ? t("statistics.wait_longer", { from: lasting(from) }) : t("statistics.wait_within", { to: lasting(to) }));

export function waitsEdges(found) {
  return ["0", ...waits(found).map(({ to }) => (to === null ? "" : lasting(to)))];
}

export function waitsInWords({ time_to_feedback: told }) {
  const { grades, median_seconds: median, ninth_decile_seconds: most, longest_seconds: longest } = told;
  return t("statistics.waits_said", { count: figure(grades), median: lasting(median), most: lasting(most), longest: lasting(longest) });
}

export function waitsLabel(found) {
  const fullest = waits(found).reduce((best, one) => (one.grades > best.grades ? one : best));
  return t("statistics.waits_label", { count: figure(found.time_to_feedback.grades), most: figure(fullest.grades), wait: waited(fullest) });
}

export function waitsTable(found) {
  const { grades } = found.time_to_feedback;
  const columns = [
    { label: t("statistics.wait"), cell: waited },
    { label: t("statistics.wait_grades"), class: "num", cell: (row) => figure(row.grades) },
    { label: t("statistics.of_all"), class: "num", cell: (row) => share(row.grades / grades) },
  ];
  return kept(table(t("statistics.waits"), columns, waits(found)));
}

export function waitsFile(found) {
  const { time_to_feedback: told } = found;
  const rows = [
    ...waits(found).map(({ from, to, grades }) => ["grades", from, to, grades]),
    ...["median_seconds", "ninth_decile_seconds", "longest_seconds"].map((name) => [name, null, null, told[name]]),
  ];
  return [["figure", "from_seconds", "to_seconds", "value"], rows];
}

// --- What members made of AI's grades, week by week

// A week is called by its Monday, which is the same day wherever one is.
const day = (moment) => new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(moment));
const weekOf = ({ begins_at: at }) => t("statistics.week_of", { day: day(at) });
const difference = ({ mean_difference: share }) => `\u2066${number(share, { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" })}\u2069`;

function totals(weeks) {
  const sum = (name) => weeks.reduce((all, week) => all + week[name], 0);
  return { decisions: sum("decisions"), same: sum("same"), near: sum("within_tenth") };
}

export function decisionsInWords(weeks) {
  const { decisions, same, near } = totals(weeks);
  return t("statistics.decisions_said", { count: figure(decisions), same: share(same / decisions), near: share(near / decisions) });
}

export function decisionsDrawn(weeks) {
  const row = (week) => ({
    name: `${weekOf(week)} (${figure(week.decisions)})`,
    share: week.same / week.decisions,
    said: share(week.same / week.decisions),
    tells: week.mean_difference,
    told: difference(week),
    look: "tells",
  });
  const newest = weeks.at(-1);
  const values = { week: weekOf(newest), same: share(newest.same / newest.decisions), difference: difference(newest), count: figure(weeks.length) };
  return { rows: weeks.map(row), label: t("statistics.decisions_label", values), ends: ["-100%", "0%", "+100%"].map((text) => `\u2066${text}\u2069`) };
}

export function decisionsTable(weeks) {
  const columns = [
    { label: t("statistics.week"), cell: weekOf },
    { label: t("statistics.decisions_count"), class: "num", cell: (week) => figure(week.decisions) },
    { label: t("statistics.decisions_same"), class: "num", cell: (week) => share(week.same / week.decisions) },
    { label: t("statistics.decisions_near"), class: "num", cell: (week) => share(week.within_tenth / week.decisions) },
    { label: t("statistics.decisions_difference"), class: "num", cell: difference },
  ];
  return table(t("statistics.decisions"), columns, weeks).node;
}

export function decisionsFile(weeks) {
  const names = ["begins_at", "decisions", "same", "within_tenth", "mean_difference"];
  return [names, weeks.map((week) => names.map((name) => week[name]))];
}

// --- Its parts

export const difficultyOf = ({ difficulty }) => (difficulty === null ? t("statistics.unjudged") : share(difficulty));

// A figure, or why there is none.
export function discriminationOf(part) {
  if (part.discrimination !== null) return figure(part.discrimination);
  return t(`statistics.${part.difficulty === null ? "unjudged" : verdictOf(part)}`);
}

export function partsTable(parts, kind) {
  const columns = [
    { label: t(`statistics.${kind}`), cell: ({ name }) => own("span", name) },
    { label: t("statistics.best_possible"), class: "num", cell: (part) => figure(part.max_score) },
    { label: t("statistics.learners"), class: "num", cell: (part) => figure(part.learners) },
    { label: t("statistics.difficulty"), class: "num", cell: difficultyOf },
    { label: t("statistics.discrimination"), class: "num", cell: discriminationOf },
  ];
  return table(t(`statistics.parts_${kind}`), columns, parts).node;
}

export function partsFile(parts) {
  const row = ({ id, name, max_score: most, learners, difficulty, discrimination }) => [id, name, most, learners, difficulty, discrimination];
  return [["id", "name", "max_score", "learners", "difficulty", "discrimination"], parts.map(row)];
}

export function partsLabel(parts) {
  const known = parts.filter(({ difficulty }) => difficulty !== null).toSorted((one, other) => one.difficulty - other.difficulty);
  if (!known.length) return t("statistics.parts_label_none");
  const [hardest, easiest] = [known[0], known.at(-1)];
  return t("statistics.parts_label", { count: figure(parts.length), hardest: hardest.name, low: share(hardest.difficulty), easiest: easiest.name, high: share(easiest.difficulty) });
}

// What to do about which part, the worst first.
export function advice(parts, kind) {
  const said = (part) =>
    h("li", h("b", own("span", part.name), ` (${figure(part.discrimination)})`), " ", t(`statistics.look_${verdictOf(part)}`), " ", t(`statistics.look_${verdictOf(part)}_${kind}`));
  const found = parts.filter((part) => ["wrong", "weak"].includes(verdictOf(part))).toSorted((one, other) => one.discrimination - other.discrimination);
  if (found.length) return h("ul.plain", found.map(said));
  const isTold = parts.some(({ discrimination }) => discrimination !== null);
  return h("p", isTold ? t("statistics.all_tell") : t("statistics.none_told", { fewest: number(FEWEST) }));
}

export function rules() {
  const told = { from: figure(TELLS_FROM), fewest: number(FEWEST) };
  return h("ul.plain.hint", ["rule_difficulty", "rule_discrimination", "rule_marks", "rule_few"].map((rule) => h("li", t(`statistics.${rule}`, told))));
}

export function limits({ is_complete: isComplete, attempt }) {
  return [t(`statistics.attempt_${attempt}`), !isComplete && t("statistics.newest_only")].filter(Boolean).join(" ");
}
