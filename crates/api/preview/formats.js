// What values may look like, in either dialect, and how times are read and written. Knows nothing of elements.
//
// A format answers 0 for a value that fits, else what is wrong with it: its form, or its range.

export const FORM = 1;
export const RANGE = 2;

const fits = (good) => (good ? 0 : FORM);

export const text = (limit) => (value) => fits(value.length <= limit);
export const matching = (pattern) => (value) => fits(pattern.test(value));
export const oneOf = (...words) => (value) => fits(words.includes(value));

export function between(low, high) {
  return (value) => {
    if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(value)) return FORM;
    const number = Number(value);
    return number >= low && number <= high ? 0 : RANGE;
  };
}

export const real = between(-Infinity, Infinity);
export const orEmpty = (format) => (value) => (value === "" ? 0 : format(value));

export const either = (...formats) => (value) => (formats.some((format) => format(value) === 0) ? 0 : FORM);

// An identifier of 2004: anything without spaces; URNs and URLs among them.
export const identifier = (limit) => (value) => fits(value.length > 0 && value.length <= limit && !/\s/.test(value));

const TIMESPAN = /^(\d{2,4}):([0-5]\d):([0-5]\d(?:\.\d{1,2})?)$/;
const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,2})?)S)?)?$/;

export const timespan = matching(TIMESPAN);
export const clockTime = matching(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,2})?$/);
export const duration = (value) => fits(DURATION.test(value) && /\d/.test(value) && !value.endsWith("T"));
export const moment = matching(/^\d{4}(-\d{2}(-\d{2}(T\d{2}(:\d{2}(:\d{2}(\.\d{1,2})?(Z|[+-]\d{2}(:\d{2})?)?)?)?)?)?)?$/);

// Seconds in a time of either dialect.
export function seconds(value) {
  const plain = TIMESPAN.exec(value);
  if (plain) return Number(plain[1]) * 3600 + Number(plain[2]) * 60 + Number(plain[3]);
  const parts = DURATION.exec(value);
  if (!parts) return 0;
  const each = [31536000, 2592000, 86400, 3600, 60, 1];
  return each.reduce((sum, worth, at) => sum + worth * Number(parts[at + 1] || 0), 0);
}

export function asTimespan(total) {
  const two = (value) => String(value).padStart(2, "0");
  const rest = (total % 60).toFixed(2).padStart(5, "0");
  return String(Math.floor(total / 3600)).padStart(4, "0") + ":" + two(Math.floor(total / 60) % 60) + ":" + rest;
}

export function asDuration(total) {
  return "PT" + Math.floor(total / 3600) + "H" + (Math.floor(total / 60) % 60) + "M" + Number((total % 60).toFixed(2)) + "S";
}

// What a learner answered, as 1.2 writes it: identifiers are single characters.
const CLASSIC = {
  "true-false": matching(/^[01tf]/i),
  choice: matching(/^\{?[a-z0-9](,[a-z0-9])*\}?$/i),
  matching: matching(/^\{?[a-z0-9]\.[a-z0-9](,[a-z0-9]\.[a-z0-9])*\}?$/i),
  sequencing: matching(/^[a-z0-9](,[a-z0-9])*$/i),
  numeric: real,
  likert: matching(/^[a-z0-9]?$/i),
};

export const classicResponse = (type) => CLASSIC[type] || text(255);

const ID = "[^\\s\\[\\],]+";
const listOf = (item) => matching(new RegExp("^(" + item + "(\\[,\\]" + item + ")*)?$"));

// And as 2004 does: short identifiers, `[,]` between them and `[.]` inside of pairs.
const MODERN = {
  "true-false": oneOf("true", "false"),
  choice: listOf(ID),
  matching: listOf(ID + "\\[\\.\\]" + ID),
  sequencing: listOf(ID),
  numeric: real,
  likert: identifier(250),
  "long-fill-in": text(4000),
  performance: text(4000),
  other: text(4000),
};

export const modernResponse = (type) => MODERN[type] || text(1500);

export function modernPattern(type) {
  if (type === "numeric") return matching(/^(-?[\d.]*\[:\]-?[\d.]*|-?[\d.]+)$/);
  if (type === "true-false" || type === "likert") return MODERN[type];
  const plain = modernResponse(type);
  return (value) => plain(value.replace(/^(\{(case_matters|order_matters|lang)=[^}]*\})+/, ""));
}
