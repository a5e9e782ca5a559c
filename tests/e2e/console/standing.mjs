// Who of a cohort falls behind: the ways there, who is on the list and by which rule, a rule that is changed, picture, table, file and service saying the same.
// On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node standing.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const DAY_MS = 86_400_000;
const inDays = (days) => new Date(Date.now() + days * DAY_MS).toISOString();
// How many of four lessons each has done, and whether what was due is handed in. Who has done none has low grades.
const LEARNERS = [
  ["=Ada", 4, true],
  ["Ben", 3, true],
  ["Cleo", 3, false],
  ["Dora", 0, false],
];
const LESSONS = 4;
const api = apiOf(base, key);

async function school(name) {
  const course = await api("POST", "/v1/courses", { name: `Bread of ${name}`, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Dough" });
  const lessons = [];
  for (let at = 1; at <= LESSONS; at += 1) lessons.push(await api("POST", "/v1/lessons", { unit_id: unit.id, name: `Lesson ${at}`, content: "Knead." }));
  const task = (called) => api("POST", "/v1/assignments", { course_id: course.id, name: called, instructions: "Bake it.", max_score: 10 });
  const [assignment, ...others] = [await task("Loaf"), await task("Rolls"), await task("Buns")];
  await api("POST", `/v1/courses/${course.id}/publish`);
  const times = { starts_at: inDays(-50), ends_at: inDays(50), timezone: "UTC" };
  const cohort = await api("POST", "/v1/cohorts", { course_id: course.id, name: `Bakers of ${name}`, ...times });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  for (const [at, [called, done, isHandedIn]] of LEARNERS.entries()) {
    const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `${name}-${at}@school.example`, name: called });
    for (const lesson of lessons.slice(0, done)) await api("POST", `/v1/lessons/${lesson.id}/complete`, { user_id });
    const work = { cohort_id: cohort.id, user_id, draft: false, content: { type: "text", text: "A loaf." } };
    if (isHandedIn) await api("POST", "/v1/submissions", { ...work, assignment_id: assignment.id });
    if (done) continue;
    for (const { id } of others) {
      const submission = await api("POST", "/v1/submissions", { ...work, assignment_id: id });
      await api("POST", `/v1/submissions/${submission.id}/grade`, { score: 3 });
    }
  }
  // What was due before they came would be nobody's fault.
  await api("PATCH", `/v1/assignments/${assignment.id}`, { due_at: new Date().toISOString() });
  return cohort.id;
}

// What is read, without the marks by which it goes its own direction.
const bare = (text) => text.replace(/[\u061c\u200e\u200f\u2066-\u2069\ufeff]/g, "").replace(/\s+/g, " ").trim();
const textsOf = async (place) => (await place.allTextContents()).map(bare);

class Run {
  constructor(name, page, report, cohort) {
    Object.assign(this, { name, page, report, cohort, told: {}, place: `#/cohorts/${cohort}/standing` });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/standing-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  async isAt(hash) {
    await this.page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, hash);
    await settled(this.page);
  }

  // Those with signs, and which.
  async behind() {
    const rows = await this.page.locator(".stack > .section > .card tbody tr:has(ul)").all();
    return Promise.all(rows.map(async (row) => [bare(await row.locator("th").textContent()), await textsOf(row.locator("li"))]));
  }

  async others() {
    return textsOf(this.page.locator("details:has(.table th a) tbody th"));
  }

  status() {
    return this.page.locator(".find [role=status]").textContent().then(bare);
  }

  address() {
    return this.page.evaluate(() => location.hash.split("?")[1] ?? "");
  }
}

async function isLedThere(run) {
  for (const from of [`#/cohorts/${run.cohort}`, `#/cohorts/${run.cohort}/gradebook`]) {
    await visit(run.page, from);
    await run.page.locator(`.page-head a[href="${run.place}"]`).click();
    await run.isAt(run.place);
  }
}

async function listIsShown(run) {
  const { page, told } = run;
  Object.assign(told, { behind: await run.behind(), said: await run.status() });
  told.focused_first = await page.evaluate(() => document.activeElement.tagName);
  await page.locator("details:has(.table th a) > summary").click();
  told.others = await run.others();
  told.way = await page.locator("tbody th a", { hasText: "Dora" }).getAttribute("href");
  told.way_is = `#/submissions?cohort=${run.cohort}&q=Dora`;
  await run.look("as usual");
}

async function allSayTheSame(run) {
  const { page, told } = run;
  const found = await api("GET", `/v1/cohorts/${run.cohort}/standing?limit=100`);
  const bins = Array(10).fill(0);
  for (const { percent } of found.data) bins[Math.min(9, Math.floor(percent / 10))] += 1;
  const figure = page.locator("figure");
  await figure.locator("summary").click();
  told.bins = { service: bins.map(String), picture: await textsOf(figure.locator(".ch-count")), table: await textsOf(figure.locator("tbody td")) };
  told.mark = bare(await figure.locator("svg text.ch-said").textContent()).includes(String(found.expected_percent));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".find .button").click()]);
  const lines = (await readFile(await download.path(), "utf8")).replace("\ufeff", "").trim().split("\r\n");
  told.file = { name: download.suggestedFilename(), head: lines[0], rows: lines.slice(1).map((line) => line.slice(1, -1).split('","')) };
}

// By keys alone: another number, and Enter; the focus stays.
async function ruleIsChanged(run) {
  const { page, told } = run;
  await page.locator("input[name=overdue]").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("overdue=2"));
  await settled(page);
  told.changed = { behind: await run.behind(), address: await run.address(), focused: await page.evaluate(() => document.activeElement.name) };
  await visit(page, `#/cohorts/${run.cohort}`);
  await visit(page, `${run.place}?overdue=2`);
  told.kept = { behind: await run.behind(), field: await page.locator("input[name=overdue]").inputValue() };
  await page.locator("form .button.quiet").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !location.hash.includes("?"));
  await settled(page);
  told.reset = { behind: await run.behind(), field: await page.locator("input[name=overdue]").inputValue() };
}

async function isLookedFor(run) {
  const { page, told } = run;
  const field = page.locator("input[type=search]");
  await field.fill("cleo");
  await page.keyboard.press("Enter");
  told.found = { behind: (await run.behind()).map(([name]) => name), address: await run.address() };
  await field.fill("nobody like that");
  await page.keyboard.press("Enter");
  await run.look("nothing found");
  await page.locator(".empty .button").click();
  told.cleared = { behind: (await run.behind()).length, focused: await page.evaluate(() => document.activeElement.type) };
}

const SEEN = [listIsShown, allSayTheSame];

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await school(name));
  report[name] = one.told;
  await signIn(page, key);
  for (const part of name === "desk" ? [isLedThere, ...SEEN, ruleIsChanged, isLookedFor] : [isLedThere, ...SEEN]) await part(one);
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
