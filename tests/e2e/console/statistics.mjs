// Statistics of an assignment and of a quiz: the ways there, whether picture, table, file and service say the same, one cohort of two, and in what
// order the parts stand. On a desk and, in Arabic, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node statistics.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
};
const LEARNERS = 12;
// The last of them are in another cohort.
const IN_THE_MORNING = 10;
const BY_AI_FIRST = 3;
const api = apiOf(base, key);
const question = (id, prompt) => ({ id, type: "true_false", prompt, answer: true });
// From which learner on each is right; the last is right for the first learners only, as if its key were wrong.
const QUESTIONS = [question("one", "A *sharp* knife is a safe knife."), question("two", "Fingers are curled."), question("three", "The board lies still."), question("four", "A knife is caught when it falls.")];
const answersOf = (at) => ({ one: at >= 4, two: at >= 6, three: at >= 8, four: at < 3 });

async function tasks(name) {
  const course = await api("POST", "/v1/courses", { name: `Knives of ${name}`, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Grips" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "The claw", content: "Curl your fingers." });
  const quiz = await api("POST", "/v1/activities", { lesson_id: lesson.id, kind: "quiz", name: "Quiz", content: { questions: QUESTIONS } });
  const criteria = [["method", "Method"], ["time", "=Time"]].map(([id, called]) => ({ id, name: called, max_points: 10 }));
  const essay = { course_id: course.id, name: "Essay", instructions: "Show it.", max_score: 20, rubric: { criteria } };
  const assignment = await api("POST", "/v1/assignments", essay);
  await api("POST", `/v1/courses/${course.id}/publish`);
  return { course: course.id, lesson: lesson.id, quiz: quiz.id, assignment: assignment.id };
}

async function cohort(course, name) {
  const { id } = await api("POST", "/v1/cohorts", { course_id: course, name, timezone: "UTC" });
  await api("POST", `/v1/cohorts/${id}/start`);
  return id;
}

async function gradedByAi(id) {
  await api("POST", `/v1/submissions/${id}/ai`, {});
  for (;;) {
    const { ai_status: status } = await api("GET", `/v1/submissions/${id}`);
    if (status === "ready") return;
    if (status === "error") throw new Error("AI could not grade");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// All have done both; the last one's essay waits for a grade. Of three AI has graded it before a teacher does.
async function school(name) {
  const made = await tasks(name);
  const [morning, evening] = [await cohort(made.course, `Morning of ${name}`), await cohort(made.course, `Evening of ${name}`)];
  for (let at = 0; at < LEARNERS; at += 1) {
    const place = at < IN_THE_MORNING ? morning : evening;
    const { user_id } = await api("POST", `/v1/cohorts/${place}/students`, { email: `${name}-${at + 1}@school.example`, name: `Learner ${at + 1}` });
    await api("POST", `/v1/activities/${made.quiz}/attempts`, { user_id, answers: answersOf(at) });
    const work = { assignment_id: made.assignment, cohort_id: place, user_id, draft: false, content: { type: "text", text: "This is how." } };
    const { id } = await api("POST", "/v1/submissions", work);
    const criteria = [{ criterion_id: "method", score: at }, { criterion_id: "time", score: Math.floor(at / 2) }];
    if (at < BY_AI_FIRST) await gradedByAi(id);
    if (at < LEARNERS - 1) await api("POST", `/v1/submissions/${id}/grade`, { criteria });
  }
  return { ...made, morning, evening };
}

// What is read, without the marks by which it goes its own direction.
const bare = (text) => text.replace(/[\u061c\u200e\u200f\u2066-\u2069\ufeff]/g, "").replace(/\s+/g, " ").trim();
const textsOf = async (place) => (await place.allTextContents()).map(bare);
const rowsOf = (text) => text.replace("\ufeff", "").trim().split("\r\n").slice(1).map((line) => line.slice(1, -1).split('","'));

class Run {
  constructor(name, page, report, things) {
    Object.assign(this, { name, page, report, ...things, told: {}, onward: name === "arabic" ? "ArrowLeft" : "ArrowRight" });
    this.place = `#/assignments/${this.assignment}/statistics`;
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/statistics-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  figure(at) {
    return this.page.locator("figure").nth(at);
  }

  async isAt(hash) {
    await this.page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, hash);
    await this.page.locator(".chart svg").first().waitFor();
  }

  async file(at) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.figure(at).locator(".button").click()]);
    return [download.suggestedFilename(), rowsOf(await readFile(await download.path(), "utf8"))];
  }

  status() {
    return this.page.locator(".filters [role=status]").textContent();
  }
}

// By keys alone from the head of a column of the grades, and the cohort comes along.
async function isLedThereByKeys(run) {
  const { page, told } = run;
  await visit(page, `#/cohorts/${run.morning}/gradebook`);
  await run.look("the way from the grades");
  const essay = await page.locator(".gb-head .gb-cell", { hasText: "Essay" }).getAttribute("aria-colindex");
  await page.locator('.gb-grid [tabindex="0"]').focus();
  await page.keyboard.press("Control+Home");
  for (let at = 1; at < Number(essay); at += 1) await page.keyboard.press(run.onward);
  await page.keyboard.press("Shift+Enter");
  await run.isAt(`${run.place}?cohort=${run.morning}`);
  told.chosen = (await page.locator("select[name=cohort]").inputValue()) === run.morning;
  await run.look("of one cohort");
}

// From what is taught; without a cohort it is of all.
async function isLedThere(run) {
  const { page, told } = run;
  const way = `#/activities/${run.quiz}/statistics`;
  for (const from of [`#/courses/${run.course}/${run.lesson}/activities/${run.quiz}`, `#/courses/${run.course}/${run.lesson}`]) {
    await visit(page, from);
    await page.locator(`main a[href="${way}"]`).click();
    await run.isAt(way);
  }
  await visit(page, `#/assignments/${run.assignment}/edit`);
  await page.locator(`.pages a[href="${run.place}"]`).click();
  await run.isAt(run.place);
  told.is_marked = await page.locator(".pages [aria-current=page]").getAttribute("href") === run.place;
}

async function allSayTheSame(run, path) {
  const { page } = run;
  const found = await api("GET", `/v1/${path}/statistics`);
  for (const at of [0, 1]) if (!(await run.figure(at).locator("details").evaluate((one) => one.open))) await run.figure(at).locator("summary").click();
  const [spread, parts] = [run.figure(0), run.figure(1)];
  const [points, tables] = [await run.file(0), await run.file(1)];
  const cells = async (figure, table, column) => textsOf(figure.locator("table").nth(table).locator(`tbody tr > :nth-child(${column})`));
  return {
    names: [points[0], tables[0]],
    bins: {
      service: found.distribution.bins.map(String),
      picture: await textsOf(spread.locator(".ch-count")),
      table: await cells(spread, 0, 2),
      file: points[1].slice(0, 10).map((row) => row[3]),
    },
    spread: {
      service: ["min", "lower_quartile", "median", "upper_quartile", "max", "mean"].map((name) => String(found.distribution[name])),
      table: await cells(spread, 1, 2),
      file: points[1].slice(11).map((row) => row[3]),
    },
    marks: (await textsOf(spread.locator("svg text.ch-said"))).map((text) => text.split(" ").at(-1)),
    parts: {
      service: found.parts.map((part) => [`${Math.round(part.difficulty * 1000) / 10}%`, String(part.discrimination)]),
      picture: await pairsOf(textsOf(parts.locator(".ch-count"))),
      table: (await cells(parts, 0, 4)).map((cell, at) => [cell, at]),
      tells: await cells(parts, 0, 5),
      file: tables[1].map((row) => [`${Math.round(row[4] * 1000) / 10}%`, row[5]]),
    },
    named: { table: await cells(parts, 0, 1), file: tables[1].map((row) => row[1]) },
    label: bare(await spread.locator("svg").getAttribute("aria-label")).includes(String(found.distribution.median)),
    advice: await textsOf(page.locator(".section > .stack > ul.plain > li b")),
  };
}

async function pairsOf(texts) {
  const all = await texts;
  return Array.from({ length: all.length / 2 }, (_, at) => all.slice(2 * at, 2 * at + 2));
}

// How long learners waited; a quiz answers at once.
async function waitsAreShown(run) {
  const { told } = run;
  const { time_to_feedback: found } = await api("GET", `/v1/assignments/${run.assignment}/statistics`);
  await run.figure(2).locator("summary").click();
  const [name, rows] = await run.file(2);
  told.waits = {
    name,
    service: found.spread.map(({ grades }) => String(grades)),
    picture: await textsOf(run.figure(2).locator(".ch-count")),
    table: await textsOf(run.figure(2).locator("tbody tr > :nth-child(2)")),
    file: rows.slice(0, found.spread.length).map((row) => row[3]),
  };
  told.steps = await textsOf(run.figure(2).locator("tbody tr > :first-child"));
}

// What members made of AI's grades.
async function decisionsAreShown(run) {
  const { decisions } = await api("GET", `/v1/assignments/${run.assignment}/statistics`);
  await run.figure(3).locator("summary").click();
  const [name, rows] = await run.file(3);
  const numbers = ({ decisions: many, same, within_tenth: near, mean_difference: apart }) => [many, same, near, apart].map(String);
  const cells = await textsOf(run.figure(3).locator("tbody td:nth-child(2)"));
  run.told.decisions = {
    name,
    service: decisions.map(numbers),
    file: rows.map((row) => row.slice(1)),
    table: cells,
    picture: await run.figure(3).locator("svg .ch-said").count(),
    said: bare(await run.page.locator(".section", { has: run.page.locator("figure") }).nth(3).locator("p").first().textContent()),
  };
}

async function assignmentIsShown(run) {
  run.told.assignment = tidied(await allSayTheSame(run, `assignments/${run.assignment}`));
  await waitsAreShown(run);
  await decisionsAreShown(run);
  await run.look("of an assignment");
}

async function quizIsShown(run) {
  await visit(run.page, `#/activities/${run.quiz}/statistics`);
  run.told.figures_of_quiz = await run.page.locator("figure").count();
  run.told.quiz = tidied(await allSayTheSame(run, `activities/${run.quiz}`));
  await run.look("of a quiz");
}

// Whether what has to be alike is.
function tidied({ parts, ...rest }) {
  const { table, tells, ...others } = parts;
  return { ...rest, parts: { ...others, table: table.map(([cell, at]) => [cell, tells[at]]) } };
}

// The focus stays where one chooses, and the address has what was chosen.
async function isChosen(run) {
  const { page, told } = run;
  await visit(page, run.place);
  await page.locator(".chart svg").first().waitFor();
  const order = page.locator("select[name=order]");
  await order.focus();
  await order.selectOption("hardest");
  told.hardest = await textsOf(run.figure(1).locator("tbody th"));
  await page.locator("select[name=cohort]").focus();
  await page.locator("select[name=cohort]").selectOption(run.evening);
  await page.waitForFunction(() => document.querySelector(".filters [role=status]").textContent.startsWith("Evening"));
  await settled(page);
  told.focused = await page.evaluate(() => document.activeElement.name);
  told.address = await page.evaluate(() => location.hash.split("?")[1]);
  told.address_is = new URLSearchParams({ cohort: run.evening, order: "hardest" }).toString();
  told.said = bare(await run.status());
  told.too_few = await textsOf(run.figure(1).locator("tbody td:last-child"));
  told.advice = await page.locator(".section > .stack > ul.plain").count();
  await run.look("of few");
  await visit(page, `#/assignments/${run.assignment}/edit`);
  await visit(page, `${run.place}?${told.address}`);
  told.is_kept = [await page.locator("select[name=cohort]").inputValue() === run.evening, await order.inputValue()];
  await page.locator(".page-head .button").click();
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, `#/cohorts/${run.evening}/gradebook`);
}

// Of what nobody has done there is a page too.
async function nobodyHasPoints(run) {
  const { page, told } = run;
  const { id } = await api("POST", "/v1/assignments", { course_id: run.course, name: "Sheet", instructions: "Write it.", max_score: 10 });
  await visit(page, `#/assignments/${id}/statistics`);
  told.nobody = await page.locator(".empty").count();
  await run.look("of nobody");
}

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await school(name));
  report[name] = one.told;
  await signIn(page, key);
  for (const part of [isLedThereByKeys, isLedThere, assignmentIsShown, quizIsShown, isChosen, nobodyHasPoints]) await part(one);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  for (const look of Object.entries(LOOKS)) await run(browser, look, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
