// Numbers, moments and sizes as they are written where the reader is from.
import { h } from "./dom.js";
import { currentLanguage, t } from "./i18n.js";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

let timeZone;

// If the browser knows it.
export function inTimeZone(zone) {
  timeZone = undefined;
  try {
    if (zone) timeZone = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {}
}

// The zone that moments are shown in.
export function zone() {
  return timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function number(value, options = { maximumFractionDigits: 2 }) {
  return new Intl.NumberFormat(currentLanguage(), options).format(value);
}

export function percent(value) {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 0 }).format(value / 100);
}

export function usd(value) {
  if (value === null || value === undefined) return t("no_price");
  const digits = value !== 0 && value < 1 ? 4 : 2;
  return new Intl.NumberFormat(currentLanguage(), {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(value);
}

export function points(score, most) {
  if (score === null || score === undefined) return t("no_score");
  return t("points_of", { score: number(score), max: number(most) });
}

export function bytes(size) {
  const units = ["byte", "kilobyte", "megabyte"];
  const step = Math.min(2, Math.floor(Math.log(Math.max(size, 1)) / Math.log(1000)));
  return number(size / 1000 ** step, { style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: 1 });
}

export function date(moment) {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeZone }).format(new Date(moment));
}

export function exactly(moment) {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(moment));
}

export function ago(moment, style = "long") {
  const seconds = (new Date(moment) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, least]) => Math.abs(seconds) >= least) || ["second", 1];
  if (unit === "second") return t("just_now");
  return new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto", style }).format(Math.round(seconds / length), unit);
}

// A moment as people say it, exactly when somebody asks.
export function when(moment, style) {
  if (!moment) return h("span.quiet", "–");
  return h("time", { datetime: moment, title: exactly(moment) }, ago(moment, style));
}
