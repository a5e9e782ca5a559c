// What can be set of an assignment: how it is read, what of it was changed, and how that is saved.
import { freshKey, get, getTagged, patchTagged } from "./api.js";
import { nameOf } from "./names.js";
import { drafted } from "./waiting.js";

const FIELDS = [
  "name",
  "instructions",
  "max_score",
  "due_at",
  "max_attempts",
  "late_policy",
  "ai_evaluator",
  "human_review",
  "feedback",
  "rubric",
];

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// A copy of what can be set, which may be changed.
export function settingsOf(assignment) {
  return structuredClone(Object.fromEntries(FIELDS.map((name) => [name, assignment[name] ?? null])));
}

export function changedFields(before, after) {
  return FIELDS.filter((name) => !isSame(before[name], after[name]));
}

// With its course, which is asked for apart: the tag is of the assignment alone. Where changes of the course wait, it is read as it will be.
export async function readAssignment(id, signal) {
  const live = `/v1/assignments/${id}`;
  const now = await getTagged(live, signal);
  const around = now.found.course_id;
  const course = await get(`/v1/courses/${around}`, {}, signal).catch(async () => ({ name: await nameOf(around) }));
  const path = drafted(live, course);
  const { found: value, tag } = path === live ? now : await getTagged(path, signal);
  return { value: { ...value, course }, tag };
}

// What is new gets an id that nothing beside it has: left to the service it would get one by its place, which may be taken.
function identified(items, letter) {
  const taken = new Set(items.map(({ id }) => id));
  let next = 1;
  const fresh = () => {
    while (taken.has(`${letter}${next}`)) next += 1;
    taken.add(`${letter}${next}`);
    return `${letter}${next}`;
  };
  return items.map((item) => (item.id ? item : { ...item, id: fresh() }));
}

export function withIds(rubric) {
  if (!rubric) return rubric;
  const whole = (one) => (one.levels ? { ...one, levels: identified(one.levels, "l") } : one);
  return { ...rubric, criteria: identified(rubric.criteria, "c").map(whole) };
}

// Sends what differs from `before` alone, so that of what nobody touched here the newest stays.
export async function saveAssignment(id, course, before, after, tag) {
  const changes = Object.fromEntries(changedFields(before, after).map((name) => [name, after[name]]));
  if ("rubric" in changes) changes.rubric = withIds(changes.rubric);
  const { found: value, tag: next } = await patchTagged(drafted(`/v1/assignments/${id}`, course), changes, tag, freshKey());
  return { value, tag: next };
}
