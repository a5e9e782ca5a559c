// What can be set of an assignment: how it is read, what of it was changed, and how that is saved.
import { freshKey, getTagged, patchTagged } from "./api.js";

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

export function readAssignment(id, signal) {
  return getTagged(`/v1/assignments/${id}?expand=course`, signal);
}

// Sends what differs from `before` alone, so that of what nobody touched here the newest stays.
export function saveAssignment(id, before, after, tag) {
  const changes = Object.fromEntries(changedFields(before, after).map((name) => [name, after[name]]));
  return patchTagged(`/v1/assignments/${id}`, changes, tag, freshKey());
}
