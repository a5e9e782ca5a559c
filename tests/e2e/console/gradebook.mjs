// The book of grades of a cohort: what stands in it, by mouse and by keyboard; how a course is weighed, changed, refused and overtaken; who is looked
// for; and all of it as files. On a desk and, in Arabic, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node gradebook.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
};
const LEARNERS = 30;
const api = apiOf(base, key);
const nameAt = (at) => `Learner ${String(at + 1).padStart(2, "0")}`;
const question = (id) => ({ id, type: "true_false", prompt: "A sharp knife is a safe knife.", answer: true });

async function tasks(name) {
  const course = await api("POST", "/v1/courses", { name: `Knives of ${name}`, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Grips" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "The claw", content: "Curl your fingers." });
  const content = { passing_percent: 50, questions: [question("one"), question("two")] };
  const quiz = await api("POST", "/v1/activities", { lesson_id: lesson.id, kind: "quiz", name: "Quiz", content });
  const assigned = [];
  for (const [called, most] of [["Essay", 20], ["Sheet", 10], ["Project", 80]])
    assigned.push(await api("POST", "/v1/assignments", { course_id: course.id, name: called, instructions: "Show it.", max_score: most }));
  await api("POST", `/v1/courses/${course.id}/publish`);
  return { course: course.id, quiz, assigned };
}

async function people(name, course) {
  const cohort = await api("POST", "/v1/cohorts", { course_id: course, name: `Autumn of ${name}`, timezone: "UTC" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const users = [];
  for (let at = 0; at < LEARNERS; at += 1) {
    const student = { email: `${name}-${at + 1}@school.example`, name: nameAt(at) };
    users.push((await api("POST", `/v1/cohorts/${cohort.id}/students`, student)).user_id);
  }
  return { cohort: cohort.id, users };
}

async function handsIn({ cohort }, assignment, user_id, score) {
  const work = { assignment_id: assignment.id, cohort_id: cohort, user_id, draft: false, content: { type: "text", text: "This is how." } };
  const { id } = await api("POST", "/v1/submissions", work);
  if (score !== undefined) await api("POST", `/v1/submissions/${id}/grade`, { score });
  return id;
}

// The first has done all of it, the second waits for a grade, the third has done nothing, and some have done a part.
async function school(name) {
  const made = await tasks(name);
  const { cohort, users } = await people(name, made.course);
  const place = { ...made, cohort };
  const [essay, sheet, project] = made.assigned;
  const first = await handsIn(place, essay, users[0], 18);
  await handsIn(place, sheet, users[0], 6);
  await handsIn(place, project, users[0], 60);
  await api("POST", `/v1/activities/${made.quiz.id}/attempts`, { user_id: users[0], answers: { one: true, two: true } });
  await handsIn(place, essay, users[1]);
  for (const user of users.slice(3, 7)) await handsIn(place, essay, user, 10);
  return { course: made.course, cohort, first };
}

// Runs in the page: what is read of one learner, by what stands above it.
function rowOf(name) {
  const text = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
  const heads = new Map([...document.querySelectorAll(".gb-head .gb-cell")].map((cell) => [cell.ariaColIndex, text(cell.querySelector("b"))]));
  const row = [...document.querySelectorAll(".gb-body .gb-row")].find((one) => text(one.querySelector(".gb-name b")) === name);
  return Object.fromEntries([...row.querySelectorAll(".gb-cell:not(.gb-name)")].map((cell) => [heads.get(cell.ariaColIndex), text(cell)]));
}

class Run {
  constructor(name, page, report, things) {
    Object.assign(this, { name, page, report, ...things, told: {}, isRightToLeft: name === "arabic" });
    this.hash = `#/cohorts/${this.cohort}/gradebook`;
    this.onward = this.isRightToLeft ? "ArrowLeft" : "ArrowRight";
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/gradebook-${this.name}-${place.replaceAll(" ", "-")}.png` });
  }

  row(at) {
    return this.page.evaluate(rowOf, nameAt(at));
  }

  async press(...keys) {
    for (const one of keys) await this.page.keyboard.press(one);
    await settled(this.page);
  }

  // Where the focus is: the row's name, and which row and column that are.
  focused() {
    return this.page.evaluate(() => {
      const cell = document.activeElement.closest(".gb-cell");
      return [cell.parentElement.querySelector(".gb-name b").innerText, Number(cell.parentElement.ariaRowIndex), Number(cell.ariaColIndex)];
    });
  }

  async enter() {
    await this.page.locator('.gb-grid [tabindex="0"]').focus();
  }
}

async function isLedThere(run) {
  const { page, told } = run;
  await visit(page, `#/cohorts/${run.cohort}`);
  await page.locator(`.page-head a[href="${run.hash}"]`).click();
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, run.hash);
  await run.look("the book");
  told.size = await page.evaluate(() => {
    const grid = document.querySelector('[role="grid"]');
    return [grid.ariaRowCount, grid.ariaColCount, grid.querySelectorAll('.gb-body [role="row"]').length < 31];
  });
  if (!run.isRightToLeft) told.rows = [await run.row(0), await run.row(1), await run.row(2), await run.row(3)];
}

async function movesByKeys(run) {
  const { page, told } = run;
  await run.enter();
  told.moved = [];
  for (const keys of [["ArrowDown", run.onward, run.onward], ["End"], ["Home"], ["PageDown", "PageUp"], ["Control+End"], ["Control+Home"], ["ArrowDown", run.onward]]) {
    await run.press(...keys);
    told.moved.push(await run.focused());
  }
  await run.press("Enter");
  await run.look("how a total comes about");
  told.reckoned = await page.locator("dialog td:nth-of-type(2)").allInnerTexts();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  told.is_back = await run.focused();
  const essay = await page.locator(".gb-head .gb-cell", { hasText: "Essay" }).getAttribute("aria-colindex");
  for (let at = 2; at < Number(essay); at += 1) await page.keyboard.press(run.onward);
  const before = await run.focused();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("main").dataset.shown.startsWith("#/review/"));
  told.opened = (await page.evaluate(() => location.hash)) === `#/review/${run.first}`;
  await visit(page, run.hash);
  await run.enter();
  told.came_back = (await run.focused()).join() === before.join() && before[2] === Number(essay);
}

const fieldsOf = (page, at) => page.locator("dialog .gb-group").nth(at).locator("input");
const save = (page) => page.locator("dialog > .row .button.main").click();

async function group(page, at, name, weight) {
  await page.locator("dialog .gb-group + .row .button, dialog .row.spread .button").first().click();
  await fieldsOf(page, at).nth(0).fill(name);
  await fieldsOf(page, at).nth(1).fill(weight);
}

const put = (page, task, name) => page.locator("dialog .gb-tasks tbody tr", { hasText: task }).locator("select").selectOption({ label: name });

// Weighed too much it is refused, and what was typed stays.
async function weighs(run) {
  const { page, told } = run;
  await page.locator(".page-head button.button").last().click();
  await page.locator("dialog").waitFor();
  await group(page, 0, "Homework", "40");
  await group(page, 1, "Exams", "90");
  for (const task of ["Essay", "Sheet"]) await put(page, task, "Homework");
  await put(page, "Project", "Exams");
  told.sum = await page.locator("dialog .gb-sum").innerText();
  await save(page);
  await page.locator("dialog > form > [role=alert] .trouble").waitFor();
  await run.look("weighed too much");
  await fieldsOf(page, 1).nth(0).fill("Homework");
  await fieldsOf(page, 1).nth(1).fill("60");
  await save(page);
  await page.locator("dialog [aria-invalid]").waitFor();
  told.wrong_at = await page.evaluate(() => [...document.querySelectorAll("dialog input")].indexOf(document.querySelector("dialog [aria-invalid]")));
  await run.look("two of one name");
  await fieldsOf(page, 1).nth(0).fill("Exams");
  told.saved = await saidOf(page, () => save(page));
  await run.look("weighed");
  const { gradebook } = await api("GET", `/v1/courses/${run.course}`);
  told.weighed = gradebook.groups.map(({ name, weight, items }) => [name, weight, items.length]);
  told.total = await page.locator(".gb-body .gb-row", { hasText: nameAt(0) }).locator(".gb-total").innerText();
}

// Whoever was slower is told so, and nothing of the other's is lost.
async function isOvertaken(run) {
  const { page, told } = run;
  await page.locator(".page-head button.button").last().click();
  await page.locator("dialog").waitFor();
  await api("PATCH", `/v1/courses/${run.course}`, { description: "Of knives." });
  await fieldsOf(page, 0).nth(1).fill("10");
  await save(page);
  told.overtaken = await page.locator("dialog .trouble").innerText();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  const { gradebook, description } = await api("GET", `/v1/courses/${run.course}`);
  told.stands = [gradebook.groups[0].weight, description];
}

async function isLookedFor(run) {
  const { page, told } = run;
  await page.locator(".find .search").fill(nameAt(29));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".gb-body .gb-row").length === 1);
  await run.look("one is looked for");
  told.found = [await page.locator(".gb-body .gb-name").innerText(), await page.evaluate(() => decodeURIComponent(location.hash.split("?")[1]))];
  await page.locator(".find .search").fill("nobody");
  await page.keyboard.press("Enter");
  await page.locator(".empty").waitFor();
  await run.look("nobody is found");
  await page.locator(".empty .button").click();
  await page.locator(".gb-body .gb-row").nth(3).waitFor();
  await settled(page);
}

async function takesItAway(run) {
  const { page, told } = run;
  const files = [];
  for (const at of [0, 1]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".page-head button.button").nth(at).click()]);
    const bytes = await readFile(await download.path());
    files.push({ name: download.suggestedFilename(), begins: bytes.subarray(0, 2).toString("latin1"), text: bytes.toString("utf8") });
  }
  const [csv, book] = files;
  const lines = csv.text.trim().split(/\r?\n/);
  told.files = { names: [csv.name, book.name], workbook: book.begins, lines: lines.filter((line) => line.includes("Learner ")).length };
}

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await school(name));
  report[name] = one.told;
  await signIn(page, key);
  for (const part of [isLedThere, movesByKeys, weighs, isOvertaken, isLookedFor, takesItAway]) await part(one);
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
// Being overtaken is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 412/.test(fault));
console.log(JSON.stringify(report));
