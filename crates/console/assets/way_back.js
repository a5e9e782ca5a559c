// The place that somebody left for a page of an assignment, so that one step leads back to it as it was: the same filter, the same
// submission. Kept in the tab until they sign out.
import { session, WAY_BACK } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const PLACES = { "#/review": "ways.to_desk", "#/submissions": "ways.to_list" };

const whose = () => `${session.me?.email} ${session.platform?.uuid}`;
const labelOf = (href) => PLACES[/^#\/[a-z]+/.exec(href)?.[0]];

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(WAY_BACK)) || {};
  } catch {
    return {};
  }
}

// `chosen` are submissions of the assignment, where it is about these alone.
export function leave(assignment, href, chosen = []) {
  try {
    sessionStorage.setItem(WAY_BACK, JSON.stringify({ by: whose(), assignment, href, chosen }));
  } catch {
    // A browser that keeps nothing has its own way back.
  }
}

export function forgetWay() {
  try {
    sessionStorage.removeItem(WAY_BACK);
  } catch {
    // There is none.
  }
}

function wayOf(assignment) {
  const { by, assignment: of, href, chosen } = kept();
  return by === whose() && of === assignment && labelOf(href) ? { href, chosen } : null;
}

export function chosenOf(assignment) {
  return wayOf(assignment)?.chosen || [];
}

// Nothing where nobody came from such a place.
export function backLink(assignment) {
  const way = wayOf(assignment);
  return way && h("a.way-back", { href: way.href, "data-act": "" }, h("span", t(labelOf(way.href))));
}
