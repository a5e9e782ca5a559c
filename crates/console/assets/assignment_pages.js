// The pages of an assignment: the ways from each to the others, and what stands above all of them.
import { can, get } from "./api.js";
import { h, link, own } from "./dom.js";
import { t } from "./i18n.js";
import { learn } from "./names.js";

const EDIT = ["edit", "assignment.edit"];
const PAGES = [
  ["statistics", "assignment.statistics"],
  ["calibration", "assignment.calibration"],
  ["certificate", "assignment.certificate"],
  ["redteam", "assignment.redteam"],
  ["groups", "assignment.groups"],
  ["ai", "assignment.ai"],
  ["regrades", "assignment.regrades"],
];

export function pageOf(id, page) {
  return `#/assignments/${id}/${page}`;
}

// Those of whoever is asking.
const pages = () => [...(can("write:courses") ? [EDIT] : []), ...(can("read:submissions") ? PAGES : [])];

export function pageLinks(id) {
  return pages().map(([page, label]) => link(pageOf(id, page), t(label)));
}

// The same on one of them, which is marked.
export function pagesNav(id, here) {
  const item = ([page, label]) => h("li", h("a", { href: pageOf(id, page), "aria-current": page === here ? "page" : null }, t(label)));
  const list = can("read:submissions") && h("li", link(`#/submissions?assignment=${id}`, t("nav.submissions")));
  return h("nav.pages", { "aria-label": t("assignment.pages") }, h("ul", pages().map(item), list));
}

// The assignment with its course, known by its name from now on.
export async function assignmentOf(id, signal) {
  const assignment = await get(`/v1/assignments/${id}`, { expand: "course" }, signal);
  learn(id, assignment.name);
  return assignment;
}

// Where one is: the course, the assignment, and what is between.
export function above(assignment, ...more) {
  const course = link(`#/courses/${assignment.course_id}`, own("span", assignment.course?.name || t("nav.courses")));
  return h("span.dots", course, h("span", own("span", assignment.name)), more);
}

// Which of these scopes is missing, in words; nothing where none is.
export function lacking(...scopes) {
  const missing = scopes.find((scope) => !can(scope));
  return missing && t("error.scope", { scope: missing });
}
