// The walk: from an empty workspace to a course with what AI drafted for it and a rubric that was tried, published, made a package of for a cohort, and
// looked at; by mouse and keyboard, by the keyboard alone, and in Arabic on a telephone. What is done is counted, see walk_hands.mjs, and axe looks at
// every station.
//
//   BASE=<address of the service> LINKS=<JSON list of what three links end with> KEYS=<JSON list of a key for each workspace>
//   CODES=<JSON list of their codes> [PICTURES=<folder>] [ONLY=mouse|keyboard|arabic] node walk.mjs
//
// Each link belongs to the owner of an empty workspace of its own. Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { PICTURE, WORD } from "./clipboards.mjs";
import { launch, openConsole, settled, violationsOfPolicy } from "./console_page.mjs";
import { until } from "./seed.mjs";
import { drafts, madeByAI, triesTheRubric } from "./walk_ai.mjs";
import { Keys, Mouse, Touch } from "./walk_hands.mjs";
import { arabic, english } from "./walk_words.mjs";

const { BASE: base, LINKS: links, KEYS: keys, CODES: codes, PICTURES: pictures, ONLY: only } = process.env;
const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" };
const WALKS = [
  ["mouse", Mouse, DESK, english],
  ["keyboard", Keys, DESK, english],
  ["arabic", Touch, PHONE, arabic],
];
const DOT = { name: "dot.png", mimeType: "image/png", buffer: PICTURE };
// In the order in which questions can be added.
const KIND = { single: 0, truth: 2, short: 3, numeric: 4, ordering: 6 };

function apiOf(key, code) {
  return async function api(path) {
    const response = await fetch(`${base}${path}`, { headers: { "x-api-key": key, "x-learning-platform-code": code } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
}

// Runs in the page before it does: whether any hand was on a mouse or on the screen.
function listen() {
  window.pointed = 0;
  for (const kind of ["pointerdown", "mousedown", "touchstart"]) addEventListener(kind, () => (window.pointed += 1), true);
}

// One walk: where it is, and what it has to say.
class Walk {
  constructor(name, page, hand, words, report) {
    Object.assign(this, { name, page, hand, words, report, stations: {}, lookedMs: 0 });
  }

  at(selector) {
    return this.page.locator(selector);
  }

  async station(name) {
    this.stations[name] = this.hand.actions;
    const begun = Date.now();
    await settled(this.page);
    // What is half below what stays on the screen is no small target.
    await this.page.evaluate(() => scrollTo(0, 0));
    await examined(this.page, `${this.name}, ${name}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/walk-${this.name}-${Object.keys(this.stations).length}.png` });
    this.lookedMs += Date.now() - begun;
  }

  // Until the page that was led to is the one.
  shows(pattern) {
    return this.page.waitForFunction((wanted) => new RegExp(wanted).test(location.hash) && document.getElementById("main")?.dataset.shown === location.hash, pattern);
  }

  // Until the lesson of this name can be written.
  async titled(name) {
    await this.page.waitForFunction((wanted) => document.querySelector("#main h1")?.textContent === wanted, name);
    await this.at(".text-editor:focus").waitFor();
  }

  saved() {
    return this.at(".save-state.saved").waitFor();
  }

  // Until the page has said what came of this, and not of what was done before it.
  async said(action) {
    await this.page.evaluate(() => document.querySelector(".toast")?.classList.add("before"));
    await action();
    await this.at(".toast:not(.before)").waitFor();
  }
}

// --- The stations

async function comesIn(walk, link) {
  await walk.hand.open(`${base}/studio/#/sign-in/${link}`);
  await walk.at(".nav").waitFor({ state: "attached" });
}

async function makesACourse(walk) {
  const { hand, words, page } = walk;
  await walk.station("an empty workspace");
  await hand.press(walk.at(".empty .button.main").first());
  await walk.at("dialog").waitFor();
  await hand.type(words.course);
  await hand.next();
  await walk.at(".name-field:focus").waitFor();
  await walk.station("a new course");
  return page.evaluate(() => location.hash.match(/crs_\w+/)[0]);
}

// Names one after the other; the last one is kept by going elsewhere.
async function names(walk, all) {
  const { hand } = walk;
  for (const [at, name] of all.entries()) {
    await walk.at(".name-field:focus").waitFor();
    await hand.type(name);
    if (at + 1 < all.length) await hand.next();
  }
}

async function plans(walk) {
  const { hand, words } = walk;
  const add = (at) => walk.at(".item.unit").nth(at).locator("[data-add]");
  await names(walk, words.units);
  await hand.press(add(0));
  await names(walk, words.lessons.slice(0, 2));
  await hand.press(add(1));
  await names(walk, words.lessons.slice(2));
}

// Where the buttons are above a text.
const TOOLS = { formula: 14, picture: 16 };

async function writesALesson(walk) {
  const { hand, words } = walk;
  const tool = (at) => walk.at(".tools button").nth(at);
  await hand.press(walk.at(".item.lesson .item-edit").first());
  await walk.titled(words.lessons[0]);
  await walk.station("a lesson to be written");
  await hand.type(words.text);
  await hand.paste(words.table, "");
  await hand.press(tool(TOOLS.formula));
  await hand.type("N = N_0");
  await hand.file(tool(TOOLS.picture), DOT);
  await walk.at("dialog input:focus").waitFor();
  await hand.type(words.alt);
  await hand.next();
  await walk.page.waitForFunction(() => document.querySelector(".preview-text > div")?.shadowRoot?.querySelector("img"));
  await walk.saved();
  await walk.station("a written lesson");
}

async function writesTheOthers(walk) {
  const { hand, words } = walk;
  const next = walk.at(".beside .pager > :last-child a");
  await hand.press(next);
  await walk.titled(words.lessons[1]);
  await hand.paste(WORD, "");
  await walk.saved();
  await hand.press(next);
  await walk.titled(words.lessons[2]);
  await hand.type(words.more);
  await walk.saved();
}

// A question of a kind; its fields by the end of their places.
class Question {
  constructor(walk) {
    this.walk = walk;
    this.last = walk.at(".question:last-child");
  }

  async add(kind, prompt) {
    const { hand } = this.walk;
    await hand.press(this.walk.at(".add-kinds button").nth(KIND[kind]));
    await hand.type(prompt);
  }

  fill(end, text) {
    return this.walk.hand.fill(this.last.locator(`[data-place$="${end}"] :is(input, textarea)`), text);
  }

  choose(at) {
    return this.walk.hand.press(this.last.locator(".right input").nth(at));
  }
}

async function asks(walk) {
  const { hand, words } = walk;
  await hand.press(walk.at(".page-head button.small").last());
  await walk.at("dialog").waitFor();
  await hand.type(words.quiz);
  await hand.next();
  await walk.at(".add-kinds").waitFor();
  await walk.station("a quiz without questions");
  const question = new Question(walk);
  const { single, truth, numeric, short, ordering } = words.questions;
  await question.add("single", single[0]);
  await question.fill("options[0].text", single[1]);
  await question.choose(0);
  await question.fill("options[1].text", single[2]);
  await question.add("truth", truth);
  await question.choose(1);
  await question.add("numeric", numeric);
  await question.fill(".answer", "74");
  await question.add("short", short[0]);
  await question.fill("accepted_answers", short[1]);
  await question.add("ordering", ordering[0]);
  await question.fill("items[0].text", ordering[1]);
  await question.fill("items[1].text", ordering[2]);
  await walk.saved();
  await walk.station("a quiz of five kinds");
}

async function setsATask(walk) {
  const { hand, words } = walk;
  await hand.press(walk.at(".above a").first());
  await walk.shows("/crs_\\w+$");
  await walk.station("a planned course");
  await hand.press(walk.at(".outline.section .button"));
  await walk.at("dialog").waitFor();
  await hand.type(words.assignment);
  await hand.next();
  await walk.shows("/edit$");
  await walk.at(".editor :is(textarea, .text-editor):focus").waitFor();
  await hand.type(words.task);
  for (const [name, description] of words.criteria) {
    await hand.press(walk.at(".criteria-list + .row button"));
    await hand.type(name);
    await hand.fill(walk.at(".criteria-list > :last-child textarea").first(), description);
  }
  await walk.said(() => hand.press(walk.at(".save-bar .button.main")));
  await walk.station("an assignment with a rubric");
}

async function publishes(walk) {
  const { hand, page } = walk;
  await hand.press(walk.at(".above a").first());
  await walk.shows("/crs_\\w+$");
  await settled(page);
  await hand.press(walk.at(".page-head .row > .button").first());
  await walk.at(".tag.good").waitFor();
  await walk.station("a published course");
}

// A package for a cohort, and what its learners see of it.
async function looksAtIt(walk) {
  const { hand, words, page } = walk;
  await hand.press(walk.at(".facts button"));
  await walk.at("dialog").waitFor();
  await hand.type(words.cohort);
  await hand.next();
  await walk.shows("/cohorts/");
  await walk.station("a cohort");
  await hand.press(walk.at(".page-head .button.main"));
  await walk.at("dialog").waitFor();
  await hand.press(walk.at("dialog .button.main"));
  await walk.at("tbody .tag.good").waitFor();
  await walk.station("a package");
  const preview = page.context().waitForEvent("page");
  await hand.press(walk.at("tbody tr .row > button").first());
  const tab = await preview;
  await tab.waitForURL(/preview/);
  await tab.waitForLoadState("networkidle");
  const shown = await Promise.all(tab.frames().map((frame) => frame.locator("body").innerText()));
  walk.stations["the preview"] = hand.actions;
  if (pictures) await tab.screenshot({ path: `${pictures}/walk-${walk.name}-preview.png` });
  await tab.close();
  return shown.some((text) => text.includes(words.course));
}

// --- What came of it, as the service has it

async function made(api, course, walk) {
  const [{ name, status }, units, assignments] = await Promise.all([
    api(`/v1/courses/${course}`),
    api(`/v1/units?course_id=${course}&expand=lessons.activities`),
    api(`/v1/assignments?course_id=${course}`),
  ]);
  const lessons = units.data.flatMap((unit) => unit.lessons);
  const { content } = lessons.flatMap((one) => one.activities).find(({ kind }) => kind === "quiz");
  const [cohort] = (await api(`/v1/cohorts?course_id=${course}`)).data;
  const [pack] = (await api(`/v1/scorm?cohort_id=${cohort.id}`)).data;
  return {
    course: [name, status],
    units: units.data.map((unit) => `${unit.name}: ${unit.lessons.map((one) => one.name).join(", ")}`),
    lesson: lessons[0].content.replace(/media:med_\w+/, "media:…"),
    word: lessons[1].content.includes("multiply"),
    last: lessons[2].content,
    questions: content.questions.map(({ type }) => type),
    task: [assignments.data[0].instructions, assignments.data[0].rubric.criteria.map((one) => one.name)],
    package: pack.status,
    by_ai: await madeByAI(api, walk, lessons[2].id, assignments.data[0].id),
  };
}

async function walks(browser, [name, Kind, look, words], { link, api }, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await page.context().addInitScript(listen);
  await page.goto("about:blank");
  const hand = new Kind(page);
  const walk = new Walk(name, page, hand, words, report);
  const told = { stations: walk.stations };
  report[name] = told;
  const begun = Date.now();
  await comesIn(walk, link);
  const course = await makesACourse(walk);
  // Without a moment to think, which people need.
  const spent = () => Date.now() - begun - walk.lookedMs;
  told.first_course = { actions: hand.actions, ms: spent() };
  for (const part of [plans, writesALesson, writesTheOthers, asks, drafts, setsATask, triesTheRubric, publishes]) await part(walk);
  told.previewed = await looksAtIt(walk);
  [told.actions, told.presses, told.ms] = [hand.actions, hand.presses, spent()];
  told.pointed = await page.evaluate(() => window.pointed);
  [told.tried, told.made] = [walk.tried, await made(api, course, walk)];
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  for (const [at, walk] of WALKS.entries()) {
    if (only && walk[0] !== only) continue;
    const own = { link: JSON.parse(links)[at], api: apiOf(JSON.parse(keys)[at], JSON.parse(codes)[at]) };
    await walks(browser, walk, own, report);
  }
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
