// Moments in fields: what somebody types is meant in the zone in which they are shown everything else.
import { zone } from "./format.js";

// How far a zone is ahead at a moment.
function aheadMs(moment) {
  const parts = new Intl.DateTimeFormat("en-u-hc-h23", {
    timeZone: zone(),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(moment);
  const of = (type) => Number(parts.find((part) => part.type === type).value);
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) - Math.floor(moment / 1000) * 1000;
}

// What stands in a field of date and time, as a moment of the service; null where nothing does.
export function momentOf(text) {
  if (!text) return null;
  const meant = Date.parse(`${text}Z`);
  const guess = meant - aheadMs(meant);
  // Where the clocks change in between, once more.
  return new Date(meant - aheadMs(guess)).toISOString();
}

export function fieldOf(moment) {
  if (!moment) return "";
  const at = Date.parse(moment);
  return new Date(at + aheadMs(at)).toISOString().slice(0, 16);
}
