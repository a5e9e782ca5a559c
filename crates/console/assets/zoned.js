// Moments as they are typed: a date and a time of day in the person's own time zone.
import { zone } from "./format.js";

// What a clock in that zone shows, as if it were UTC.
function clock(moment) {
  const form = { timeZone: zone(), calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" };
  const parts = new Intl.DateTimeFormat("en", { ...form, year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" });
  const { year, month, day, hour, minute } = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute);
}

// For a field of the kind datetime-local.
export function typed(moment) {
  return moment ? new Date(clock(new Date(moment))).toISOString().slice(0, 16) : "";
}

// Back again. Clocks that are put forward or back lie at most one step away from the first guess.
export function momentOf(text) {
  const wanted = Date.parse(`${text}Z`);
  if (Number.isNaN(wanted)) return null;
  const first = wanted - (clock(new Date(wanted)) - wanted);
  return new Date(first - (clock(new Date(first)) - wanted)).toISOString();
}
