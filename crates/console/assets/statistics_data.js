// How a task went: what is fetched, in which order its parts stand, and what their figures say by the rules that stand on the page.
import { above, assignmentOf, pagesNav } from "./assignment_pages.js";
import { can, get } from "./api.js";
import { h, link, own } from "./dom.js";
import { t } from "./i18n.js";
import { everything } from "./lists.js";
import { learn, nameOf } from "./names.js";

// From here on a part tells who is good at the rest. Of fewer learners the service tells nothing.
export const TELLS_FROM = 0.1;
export const FEWEST = 10;
// So many cohorts of a course can be chosen from, by pages of a hundred.
const MOST_PAGES = 5;

// --- What it is about

async function ofAssignment(id, signal) {
  const assignment = await assignmentOf(id, signal);
  return { id, kind: "assignment", path: `/v1/assignments/${id}`, name: assignment.name, course: assignment.course_id, above: above(assignment), nav: pagesNav(id, "statistics") };
}

async function ofQuiz(id, signal) {
  const quiz = await get(`/v1/activities/${id}`, {}, signal);
  const lesson = await get(`/v1/lessons/${quiz.lesson_id}`, { expand: "unit.course" }, signal);
  const course = lesson.unit?.course;
  const place = `#/courses/${course?.id}/${lesson.id}`;
  const name = can("write:courses") ? link(`${place}/activities/${id}`, own("span", quiz.name)) : own("span", quiz.name);
  const trail = h("span.dots", link(`#/courses/${course?.id}`, own("span", course?.name || t("nav.courses"))), link(place, own("span", lesson.name)), h("span", name));
  return { id, kind: "activity", path: `/v1/activities/${id}`, name: quiz.name, course: course?.id, above: trail, nav: null };
}

export const TASKS = { ofAssignment, ofQuiz };

// The cohorts to choose from, and the chosen one even where it is not among them.
export async function cohortsOf(course, chosen, signal) {
  if (!can("read:courses")) return [];
  const { data } = await everything("/v1/cohorts", { course_id: course }, signal, MOST_PAGES);
  for (const { id, name } of data) learn(id, name);
  const found = data.map(({ id, name }) => [id, name]);
  const isThere = !chosen || found.some(([id]) => id === chosen);
  return isThere ? found : [...found, [chosen, (await nameOf(chosen)) || chosen]];
}

export const statisticsOf = (task, cohort, signal) => get(`${task.path}/statistics`, { cohort_id: cohort }, signal);

// --- Its parts

// A text of Markdown that is short and may be cut off, as the words that it shows. What is in formulas stays as it was written.
export function plain(text) {
  const bare = (words) =>
    words
      .replace(/!?\[([^\]]*)\]\([^)]*\)?/g, "$1")
      .replace(/(^|\n)\s*(#{1,6}|>|[-*+])\s+/g, "$1")
      .replace(/\*\*|__|`/g, "")
      .replace(/(^|[^\p{L}\p{N}])[*_]([^*_\n]+)[*_](?![\p{L}\p{N}])/gu, "$1$2");
  const pieces = text.split(/(\$[^$]*\$)/).map((piece, at) => (at % 2 ? piece : bare(piece)));
  return pieces.join("").replace(/\s+/g, " ").trim();
}

// What its discrimination says: that it tells, tells nothing or the wrong way, and where there is none, why.
export function verdictOf({ learners, discrimination }) {
  if (discrimination === null) return learners < FEWEST ? "few" : "alike";
  if (discrimination < 0) return "wrong";
  return discrimination < TELLS_FROM ? "weak" : "tells";
}

// What is not known comes last.
const rising = (name) => (one, other) => (one[name] ?? Infinity) - (other[name] ?? Infinity) || 0;
const ORDERED = {
  given: (parts) => parts,
  hardest: (parts) => parts.toSorted(rising("difficulty")),
  telling: (parts) => parts.toSorted(rising("discrimination")),
};
export const ORDERS = Object.keys(ORDERED);

export const inOrder = (parts, order) => ORDERED[order](parts);

// From which points to which each tenth goes.
export function tenths({ max_score: most, distribution: { bins } }) {
  const edge = (at) => (most * at) / bins.length;
  return bins.map((learners, at) => ({ from: edge(at), to: edge(at + 1), learners }));
}
