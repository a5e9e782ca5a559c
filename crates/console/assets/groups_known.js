// The groups of alike answers of an assignment, as they were found lately. Comparing all answers with each other takes the service a while
// where there are many, so it is asked seldom, never waited for long, and what it said is kept.
import { get, session } from "./api.js";

const LASTS_MS = 5 * 60_000;
const PATIENCE_MS = 3000;
const known = new Map();
// What was decided on the desk since.
const decided = new Set();

const keyOf = (assignment) => `${session.me?.email} ${session.platform?.uuid} ${assignment}`;

// What the service says knows of decisions itself.
function asSaid(groups) {
  for (const { members } of groups) for (const { submission_id: id } of members) decided.delete(id);
  return groups;
}

export function learnGroups(assignment, groups) {
  known.set(keyOf(assignment), { at: Date.now(), groups: asSaid(groups) });
}

export function noteDecision(id, isDecided) {
  if (isDecided) decided.add(id);
  else decided.delete(id);
}

async function asked(assignment, signal) {
  const { groups } = await get(`/v1/assignments/${assignment}/groups`, {}, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  return asSaid(groups);
}

// Asked for once, also by who asks meanwhile. Null where it takes too long: then it is not asked for again soon.
export function groupsKnown(assignment, signal) {
  const key = keyOf(assignment);
  const before = known.get(key);
  if (before && Date.now() - before.at < LASTS_MS) return before.groups;
  const entry = { at: Date.now() };
  entry.groups = asked(assignment, signal).catch(() => {
    if (signal.aborted && known.get(key) === entry) known.delete(key);
    return null;
  });
  known.set(key, entry);
  return entry.groups;
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
