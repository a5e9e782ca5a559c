// What differs between two versions of something: of texts word by word, of all else member by member.
import { h, own } from "./dom.js";
import { pieces, stepsOf } from "./groups_text.js";
import { has, t } from "./i18n.js";

// Comparing takes the pieces of one times those of the other; where that is more, all of it counts as changed.
const MOST_PAIRS = 4_000_000;
// Where less than this share of the shorter side stayed, the old ones stand before the new ones instead of among them.
const LEAST_KEPT = 0.3;
// So many lines are shown around what differs.
const AROUND = 2;

const isSame = (one, other) => one === other;

// Steps from one row of pieces to the other, letter for letter. What both begin and end with is not compared.
function stepsBetween(one, other) {
  const least = Math.min(one.length, other.length);
  let head = 0;
  while (head < least && one[head] === other[head]) head += 1;
  let foot = 0;
  while (foot < least - head && one.at(-1 - foot) === other.at(-1 - foot)) foot += 1;
  const [from, to] = [one.slice(head, one.length - foot), other.slice(head, other.length - foot)];
  const changed =
    from.length * to.length > MOST_PAIRS
      ? [{ kind: "missing", text: from.join("") }, { kind: "added", text: to.join("") }]
      : stepsOf(from, to, isSame);
  const kept = (part) => ({ kind: "kept", text: part.join("") });
  return [kept(one.slice(0, head)), ...changed, kept(one.slice(one.length - foot))].filter(({ text }) => text);
}

const lettersOf = (text) => text.replace(/\s/g, "").length;

// Changes with nothing but space between them are one: first all that went, then all that came.
function joined(found) {
  const all = [];
  let change = { missing: "", added: "" };
  const close = () => {
    all.push(...["missing", "added"].map((kind) => ({ kind, text: change[kind] })).filter(({ text }) => text));
    change = { missing: "", added: "" };
  };
  found.forEach(({ kind, text }, at) => {
    const isBetween = kind === "kept" && !text.trim() && at > 0 && at < found.length - 1;
    if (kind !== "kept") change[kind] += text;
    else if (isBetween) change = { missing: change.missing + text, added: change.added + text };
    else {
      close();
      all.push({ kind, text });
    }
  });
  close();
  return all;
}

// Of a passage that changed, the words that did.
function words(from, to) {
  const whole = [{ kind: "missing", text: from }, { kind: "added", text: to }].filter(({ text }) => text);
  if (whole.length < 2) return whole;
  const found = stepsBetween(pieces(from), pieces(to));
  const kept = found.filter(({ kind }) => kind === "kept").reduce((sum, { text }) => sum + lettersOf(text), 0);
  return kept < LEAST_KEPT * Math.min(lettersOf(from), lettersOf(to)) ? whole : joined(found);
}

// Steps from one text to the other: first by lines, and where lines changed by words.
function textSteps(from, to) {
  const lines = (text) => text.split(/(?<=\n)/);
  const found = [];
  let gone = { missing: "", added: "" };
  const close = () => {
    found.push(...words(gone.missing, gone.added));
    gone = { missing: "", added: "" };
  };
  for (const { kind, text } of stepsBetween(lines(from), lines(to))) {
    if (kind !== "kept") {
      gone[kind] += text;
      continue;
    }
    close();
    found.push({ kind, text });
  }
  close();
  return found;
}

// What is kept, but for a few lines where it borders on what is not.
function shortened(text, isFirst, isLast) {
  const lines = text.split("\n");
  const [before, after] = [isFirst ? 0 : AROUND + 1, isLast ? 0 : AROUND + 1];
  if (lines.length <= before + after + 1) return text;
  const gap = h("span.skipped", "\u22ef");
  return [lines.slice(0, before).join("\n"), before ? "\n" : "", gap, after ? "\n" : "", after ? lines.slice(-after).join("\n") : ""];
}

const SELECTORS = { added: "ins", missing: "del" };

// What changed, marked; in an outline without what only indents it.
function marked(kind, text, isOutline) {
  if (!isOutline) return h(SELECTORS[kind], text);
  return text.split(/(\n\s*|^\s+)/).map((part) => (part.trim() ? h(SELECTORS[kind], part) : part));
}

// A text as it is now: what came since, what went, and a little around both. An outline goes the way of the page, whose words it is of.
function textDifference(from, to, isOutline) {
  const all = textSteps(from, to);
  const part = ({ kind, text }, at) => (kind === "kept" ? shortened(text, at === 0, at === all.length - 1) : marked(kind, text, isOutline));
  return h(`div.writing.small${isOutline ? ".outlined" : ""}`, { dir: isOutline ? null : "auto" }, all.map(part));
}

// By which name the words of the editors call a member.
const CALLED = {
  accepted_answers: "accepted", case_sensitive: "case", correct: "right", key_points: "points_to_keep", max_attempts: "attempts", name: "speaker",
  passing_percent: "passing", questions_per_attempt: "drawn", right: "right_side", sample_answer: "sample", show_answers: "answers", start_seconds: "starts", text: "body",
};

function memberName(key) {
  const names = [`versions.member_${key}`, `author.${CALLED[key] || key}`];
  const known = names.find(has);
  return known ? t(known) : key.replaceAll("_", " ");
}

function valueName(key, value) {
  if (typeof value === "boolean") return t(value ? "versions.yes" : "versions.no");
  if (key === "type" && has(`author.type_${value}`)) return t(`author.type_${value}`);
  return String(value ?? "");
}

const isThing = (value) => value !== null && typeof value === "object";
const isEmpty = (value) => value === null || value === undefined || value === "" || (isThing(value) && Object.values(value).every(isEmpty));

// What something is called stands first.
const FIRST = ["type", "name", "title", "heading", "term", "prompt", "front", "text"];
const byPlace = (order) => ([one], [other]) => {
  const place = (key) => (order.includes(key) ? order.indexOf(key) : order.length);
  return place(one) - place(other) || (one < other ? -1 : 1);
};

// A document as an outline of what it says, a line for each; ids say nothing to whoever reads.
function outline(value, depth = 0) {
  const indent = "  ".repeat(depth);
  const isList = Array.isArray(value);
  const members = isList ? Object.entries(value) : Object.entries(value).sort(byPlace(FIRST));
  return members.flatMap(([key, one]) => {
    if (isEmpty(one) || (!isList && (key === "id" || key.endsWith("_id")))) return [];
    const name = isList ? `${Number(key) + 1}.` : `${memberName(key)}:`;
    if (isThing(one)) return [`${indent}${name}`, ...outline(one, depth + 1)];
    return [`${indent}${name} ${valueName(key, one).replaceAll("\n", `\n${indent}  `)}`];
  });
}

// Whether two values say the same to whoever reads; what says nothing is as good as absent.
function saysTheSame(one, other) {
  if (isEmpty(one) && isEmpty(other)) return true;
  if (isThing(one) && isThing(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].every((key) => saysTheSame(one[key], other[key]));
  }
  return one === other;
}

const isText = (value) => typeof value === "string" || isEmpty(value);
const asText = (value) => (isThing(value) ? outline(value).join("\n") : (value ?? ""));
const isWords = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");

function fact(key, value) {
  if (isEmpty(value)) return h("dd.quiet", "\u2013");
  return own("dd", has(`${key}.${value}`) ? t(`${key}.${value}`) : valueName(key, value));
}

// A single value: what it was, and what it is.
function valueDifference(key, then, now, [was, is]) {
  return h("dl.facts", h("div", h("dt", was), fact(key, then)), h("div", h("dt", is), fact(key, now)));
}

// Texts that are chosen and not written.
const CHOSEN = new Set(["language", "human_review"]);

function difference(key, then, now, sides) {
  const isSingle = CHOSEN.has(key) || !(isThing(then) || isThing(now) || (isText(then) && isText(now)));
  if (isSingle) return valueDifference(key, then, now, sides);
  const text = (value) => (isWords(value) ? value.join("\n") : asText(value));
  const [from, to] = [text(then), text(now)];
  const isOutline = [then, now].some((value) => isThing(value) && !isWords(value));
  return from === to ? h("p.quiet", t("versions.unseen")) : textDifference(from, to, isOutline);
}

// As they stand on the page where they are written.
const ORDER = ["name", "duration_minutes", "language", "summary", "description", "objectives", "instructions", "content", "max_score", "max_attempts", "rubric"];

// The names of the members that say something, as they stand on the page where they are written.
export function telling(thing) {
  return Object.entries(thing)
    .filter(([, value]) => !isEmpty(value))
    .sort(byPlace(ORDER))
    .map(([key]) => key);
}

// A member in words: texts as they are, documents as an outline.
export function inWords(value) {
  return isWords(value) ? value.join("\n") : String(asText(value));
}

// The names of the members that differ.
export function differing(then, now) {
  const members = Object.entries(then).filter(([key, value]) => !saysTheSame(value, now[key]));
  return members.sort(byPlace(ORDER)).map(([key]) => key);
}

// What differs in a member, under its name. `sides` is what was and what is are called. On a page about several things it is called by
// `named`, which tells it from those of others.
export function showDifference(key, label, then, now, { sides = [t("versions.then"), t("versions.now")], named = label } = {}) {
  return h("section.difference", { "aria-label": named }, h("h3", label), difference(key, then[key], now[key], sides));
}
