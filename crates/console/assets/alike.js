// Whether two documents say the same, in whatever order they name their members.
function sorted(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export const alike = (one, other) => JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
