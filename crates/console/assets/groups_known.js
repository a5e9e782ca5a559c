// The groups of alike answers of an assignment, as they were found lately. Comparing all answers with each other takes the service a while
// where there are many, so it is asked seldom, never waited for long, and what it said is kept.
import { get, session } from "./api.js";

const LASTS_MS = 5 * 60_000;
const PATIENCE_MS = 3000;
const known = new Map();
// What was decided on the desk since.
const decided = new Set();

const keyOf = (assignment) => `${session.me?.email} ${session.platform?.uuid} ${assignment}`;

export function learnGroups(assignment, groups) {
  for (const { members } of groups || []) for (const { submission_id: id } of members) decided.delete(id);
  known.set(keyOf(assignment), { at: Date.now(), groups });
}

export function noteDecision(id, isDecided) {
  if (isDecided) decided.add(id);
  else decided.delete(id);
}

// Null where it takes too long: then it is not asked for again soon.
export async function groupsKnown(assignment, signal) {
  const before = known.get(keyOf(assignment));
  if (before && Date.now() - before.at < LASTS_MS) return before.groups;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const { groups } = await get(`/v1/assignments/${assignment}/groups`, {}, AbortSignal.any([signal, patience]));
    learnGroups(assignment, groups);
    return groups;
  } catch {
    if (!signal.aborted) learnGroups(assignment, null);
    return null;
  }
}

// The group of an answer; without a level the one to grade together, if there is one.
export function groupOf(groups, member, level) {
  const its = groups.filter(({ members }) => members.some((one) => one.submission_id === member));
  return its.find((one) => one.level === level) || its[0];
}

// Answers in groups to grade together that nobody has decided.
export function waitingIn(groups) {
  const members = groups.filter(({ level }) => level === "grade_together").flatMap((one) => one.members);
  return members.filter((one) => !one.decided && !decided.has(one.submission_id)).length;
}
