// A rubric as a table, one line for each level, and back. What a table has no column for stays with the criterion of that name.
import { parsed, sheet } from "./csv.js";

export const COLUMNS = ["criterion", "description", "max_points", "weight", "level", "level_points", "level_description"];
const OF_CRITERION = { description: "description", max_points: "max_points", weight: "weight" };
const LONGEST = { criterion: 255, level: 255, description: 20_000, level_description: 20_000 };
const [MOST_CRITERIA, MOST_LEVELS] = [50, 12];

export function toCsv({ criteria }) {
  const rows = criteria.flatMap(({ name, description, max_points: most, weight, levels }) => {
    const head = [name, description, most, weight];
    if (!levels?.length) return [[...head, "", "", ""]];
    return levels.map((level) => [...head, level.label, level.points, level.description]);
  });
  return sheet(COLUMNS, rows);
}

// A comma is for decimals too, where somebody writes so.
function numberOf(text) {
  return /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : NaN;
}

// What is wrong with a line by itself: the reason and what it is about; nothing where it is fine.
function fault(cells, count, columns) {
  if (count > columns) return ["too_many_cells"];
  const long = Object.keys(LONGEST).find((name) => (cells[name] || "").length > LONGEST[name]);
  if (long) return ["too_long", long];
  const wrong = ["max_points", "weight"].find((name) => cells[name] && !(numberOf(cells[name]) > 0));
  if (wrong) return ["no_number", wrong];
  if (!cells.level && (cells.level_points || cells.level_description)) return ["level_without_name"];
  if (cells.level && !(numberOf(cells.level_points || "") >= 0)) return ["no_number", "level_points"];
  return null;
}

class Reading {
  constructor() {
    this.found = [];
    this.problems = [];
  }

  problem(line, reason, what = "", of = this.last) {
    this.problems.push({ line, reason, what });
    if (of) of.isBroken = true;
  }

  // A line of a criterion: the first that names it, or another level of the one before.
  take(line, cells, wrong) {
    const isNext = this.last && (!cells.criterion || cells.criterion === this.last.name);
    if (!isNext) this.begin(line, cells);
    if (wrong) return this.problem(line, ...wrong);
    if (!this.last) return null;
    const differs = Object.keys(OF_CRITERION).find((name) => isNext && cells[name] && cells[name] !== this.last.cells[name]);
    if (differs) return this.problem(line, "differs", differs);
    if (cells.level) this.level(line, cells);
    return null;
  }

  begin(line, cells) {
    this.last = null;
    if (!cells.criterion) return this.problem(line, "no_criterion");
    const isKnown = this.found.some(({ name }) => name === cells.criterion);
    this.last = { line, name: cells.criterion, cells, levels: [], isBroken: false };
    if (isKnown) return this.problem(line, "twice", cells.criterion);
    if (this.found.length === MOST_CRITERIA) return this.problem(line, "too_many_criteria");
    return this.found.push(this.last);
  }

  level(line, { level: label, level_points: points, level_description: description }) {
    if (this.last.levels.length === MOST_LEVELS) return this.problem(line, "too_many_levels");
    return this.last.levels.push({ label, points: numberOf(points), ...(description === undefined ? {} : { description }) });
  }

  end() {
    for (const one of this.found) {
      if (!one.isBroken && one.levels.length === 1) this.problem(one.line, "one_level", "", one);
      if (!one.isBroken && one.levels.length && !one.levels.some(({ points }) => points > 0)) this.problem(one.line, "no_points", "", one);
    }
    return { criteria: this.found.filter(({ isBroken }) => !isBroken).map(asCriterion), problems: this.problems };
  }
}

// Only what the table says.
function asCriterion({ name, cells, levels }) {
  const told = { name };
  if (cells.description !== undefined) told.description = cells.description;
  for (const one of ["max_points", "weight"]) if (cells[one]) told[one] = numberOf(cells[one]);
  if (cells.level !== undefined) told.levels = levels;
  return told;
}

// The criteria that could be read, and line by line what could not.
export function fromCsv(text) {
  const { rows, broken } = parsed(text);
  const [head, ...lines] = rows.filter(({ cells }) => cells.some((cell) => cell.trim()));
  const names = (head?.cells || []).map((cell) => cell.trim().toLowerCase());
  const problems = broken ? [{ line: broken, reason: "quotes", what: "" }] : [];
  if (!names.includes("criterion")) {
    problems.push({ line: head?.line || 1, reason: "no_header", what: COLUMNS.join(", ") });
    return { criteria: [], problems };
  }
  const reading = new Reading();
  for (const { line, cells } of lines) {
    const told = (name, text = "") => (name.endsWith("description") ? text : text.trim());
    const named = Object.fromEntries(names.map((name, at) => [name, told(name, cells[at])]));
    reading.take(line, named, fault(named, cells.length, names.length));
  }
  const read = reading.end();
  return { criteria: read.criteria, problems: [...problems, ...read.problems].sort((one, other) => one.line - other.line) };
}

function levelsOf(levels, before) {
  return levels.map((level) => ({ ...before?.find(({ label }) => label.trim() === level.label), ...level }));
}

// A criterion of the same name keeps what no column says: its id, key points, model answers.
export function joined(read, before) {
  const known = before.find(({ name }) => name.trim() === read.name);
  const whole = { ...(known || { name: read.name, description: "", weight: 1, max_points: 100 }), ...read };
  if (!read.levels) return whole;
  if (!read.levels.length) delete whole.levels;
  else {
    whole.levels = levelsOf(read.levels, known?.levels);
    whole.max_points = Math.max(...whole.levels.map(({ points }) => points));
  }
  return whole;
}
