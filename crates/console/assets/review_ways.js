// The ways from the desk, and from a list of submissions, to pages of an assignment: answers that say the same, and grading again.
import { pageOf } from "./assignment_pages.js";
import { h, link } from "./dom.js";
import { number } from "./format.js";
import { groupOf, groupsKnown, waitingIn } from "./groups_known.js";
import { t } from "./i18n.js";
import { ALIKE, BLIND } from "./review_data.js";
import { leave } from "./way_back.js";

// Whoever only passes by asks nothing of the service.
const DWELL_MS = 800;

// To the page of an assignment that names what is to be graded blind.
export function pageLink(kind, assignment) {
  return link(pageOf(assignment, BLIND[kind].page), t(BLIND[kind].title));
}

// The ways back to where somebody came from, if that was a page of an assignment.
export function waysBack({ kind, assignment, of }) {
  if (kind === ALIKE) return [link(`${pageOf(assignment, "groups")}/${of}`, t("assignment.groups"))];
  return Object.keys(BLIND).map((one) => pageLink(one, assignment));
}

function leaveFor(assignment, place) {
  const here = place();
  if (here) leave(assignment, here);
}

// The two pages. `place()` is where the way back leads, or nothing where it is to stay as it is; `mayLeave` says whether there is nothing to lose.
export function waysOf(assignment, place, mayLeave = () => true) {
  const way = (page, label) => {
    const onclick = (event) => {
      if (!mayLeave()) return event.preventDefault();
      leaveFor(assignment, place);
    };
    return h("a", { href: pageOf(assignment, page), "data-act": "", onclick }, h("span", t(label)));
  };
  return h("nav.dots.ways", { "aria-label": t("ways.title") }, way("groups", "assignment.groups"), way("regrades", "assignment.regrades"));
}

// Says beside the ways how many alike answers wait, and whether this one is of them, once that is known.
export async function tellAlike(ways, { id, assignment_id: assignment }, place, signal) {
  await new Promise((resolve) => setTimeout(resolve, DWELL_MS));
  if (signal.aborted || !ways.isConnected) return;
  const groups = await groupsKnown(assignment, signal);
  if (!groups || !ways.isConnected) return;
  const waiting = waitingIn(groups);
  if (waiting) ways.querySelector('[href$="/groups"]').append(" ", h("span.count", t("ways.waiting", { count: number(waiting) })));
  const group = groupOf(groups, id);
  if (!group) return;
  const href = `${pageOf(assignment, "groups")}/${group.representative_id}?level=${group.level}`;
  const onclick = () => leaveFor(assignment, place);
  ways.prepend(h("a.alike", { href, "data-act": "", onclick }, h("span", t("ways.alike", { count: number(group.members.length) }))));
}
