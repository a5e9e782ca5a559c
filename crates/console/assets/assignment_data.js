// What can be set of an assignment: how it is read, what of it was changed, and how that is saved.
import { freshKey, getTagged, patchTagged } from "./api.js";
import { nameOf } from "./names.js";

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

// With its course's name, which is asked for apart: the tag is of the assignment alone.
export async function readAssignment(id, signal) {
  const { found: value, tag } = await getTagged(`/v1/assignments/${id}`, signal);
  return { value: { ...value, course: { name: await nameOf(value.course_id) } }, tag };
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

function withIds(rubric) {
  if (!rubric) return rubric;
  const whole = (one) => (one.levels ? { ...one, levels: identified(one.levels, "l") } : one);
  return { ...rubric, criteria: identified(rubric.criteria, "c").map(whole) };
}

// Sends what differs from `before` alone, so that of what nobody touched here the newest stays.
export async function saveAssignment(id, before, after, tag) {
  const changes = Object.fromEntries(changedFields(before, after).map((name) => [name, after[name]]));
  if ("rubric" in changes) changes.rubric = withIds(changes.rubric);
  const { found: value, tag: next } = await patchTagged(`/v1/assignments/${id}`, changes, tag, freshKey());
  return { value, tag: next };
}
