// The ways from the desk, and from a list of submissions, to pages of an assignment: answers that say the same, and grading again.
import { pageOf } from "./assignment_pages.js";
import { h, replace } from "./dom.js";
import { number } from "./format.js";
import { groupOf, groupsKnown, waitingIn } from "./groups_known.js";
import { t } from "./i18n.js";
import { leave } from "./way_back.js";

export { noteDecision } from "./groups_known.js";
export { forgetWay } from "./way_back.js";

// Whoever only passes by asks nothing of the service.
const DWELL_MS = 800;

// `place()` is where the way back leads, or nothing where it is to stay as it is; `mayLeave()` says whether there is nothing to lose.
const leaving = (assignment, place, mayLeave) => (event) => {
  if (!mayLeave()) return event.preventDefault();
  const here = place();
  if (here) leave(assignment, here);
};

// The two pages.
export function waysOf(assignment, place, mayLeave = () => true) {
  const onclick = leaving(assignment, place, mayLeave);
  const way = (page, label) => h("a", { href: pageOf(assignment, page), "data-act": "", onclick }, h("span", t(label)));
  return h("nav.dots.ways", { "aria-label": t("ways.title") }, way("groups", "assignment.groups"), way("regrades", "assignment.regrades"));
}

// Says beside the ways how many alike answers wait, and whether this one is of them, once that is known.
async function tellAlike(ways, { id, assignment_id: assignment }, place, mayLeave, signal) {
  await new Promise((resolve) => setTimeout(resolve, DWELL_MS));
  if (signal.aborted || !ways.isConnected) return;
  const groups = await groupsKnown(assignment, signal);
  if (!groups || !ways.isConnected) return;
  const waiting = waitingIn(groups);
  if (waiting) ways.querySelector('[href$="/groups"]').append(" ", h("span.count", t("ways.waiting", { count: number(waiting) })));
  const group = groupOf(groups, id);
  if (!group) return;
  const href = `${pageOf(assignment, "groups")}/${group.representative_id}?level=${group.level}`;
  const props = { href, "data-act": "", onclick: leaving(assignment, place, mayLeave) };
  ways.prepend(h("a.alike", props, h("span", t("ways.alike", { count: number(group.members.length) }))));
}

// Both of it on the desk, which has a place for it and goes on meanwhile.
export function showWays(place, submission, here, mayLeave, signal) {
  const ways = waysOf(submission.assignment_id, here, mayLeave);
  replace(place, ways);
  if (submission.id) return tellAlike(ways, submission, here, mayLeave, signal);
}
