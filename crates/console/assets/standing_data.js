// Where the learners of a cohort stand: by which rules, page by page, in which order, and how far all have come.
import { get } from "./api.js";
import { currentLanguage } from "./i18n.js";

// So many learners are read at most, a hundred at a time.
export const MOST = 2_000;
const PAGE = 100;
const BINS = 10;

export const RULES = {
  overdue: { usual: 1, most: 100 },
  inactive_days: { usual: 7, most: 365 },
  low_total: { usual: 50, most: 100 },
  pace: { usual: 25, most: 100 },
};
export const USUAL = Object.fromEntries(Object.entries(RULES).map(([name, { usual }]) => [name, usual]));

// What an address says of them; what is no such number is as usual.
export function rulesOf(query) {
  const one = ([name, { usual, most }]) => {
    const value = Number(query.get(name));
    return [name, Number.isInteger(value) && value >= 1 && value <= most ? value : usual];
  };
  return Object.fromEntries(Object.entries(RULES).map(one));
}

// What is as usual need not stand in an address.
export const unusual = (rules) => Object.fromEntries(Object.entries(rules).filter(([name, value]) => value !== USUAL[name]));

export const called = ({ name, email }) => name || email;

// Without those who have left. `told` hears how many were read by now.
export async function standingOf(cohort, rules, signal, told) {
  const rows = [];
  let startingAfter;
  for (;;) {
    const answer = await get(`/v1/cohorts/${cohort}/standing`, { limit: PAGE, ...rules, startingAfter }, signal);
    rows.push(...answer.data);
    const isOver = !answer.has_more;
    if (isOver || rows.length >= MOST) return { rows: inOrder(rows.filter(({ status }) => status !== "withdrawn")), isComplete: isOver, expected: answer.expected_percent };
    startingAfter = answer.next_cursor;
    told(rows.length);
  }
}

function inOrder(rows) {
  const { compare } = new Intl.Collator(currentLanguage(), { numeric: true });
  return rows.toSorted((one, other) => other.signs.length - one.signs.length || compare(called(one), called(other)));
}

export function found(rows, q) {
  const wanted = q.toLocaleLowerCase();
  return rows.filter(({ name, email }) => [name, email].some((text) => text?.toLocaleLowerCase().includes(wanted)));
}

// Who is through is in the last tenth.
export function tenths(rows) {
  const bins = Array.from({ length: BINS }, (_, at) => ({ from: at * BINS, to: (at + 1) * BINS, learners: 0 }));
  for (const { percent } of rows) bins[Math.min(BINS - 1, Math.floor(percent / BINS))].learners += 1;
  return bins;
}
