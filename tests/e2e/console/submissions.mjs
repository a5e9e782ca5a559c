// Many submissions: found, selected, accepted at once, and taken back but for one that was changed meanwhile; by mouse and by keys. On a desk and, in
// Arabic, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node submissions.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { pressAt } from "./keyboard.mjs";
import { apiOf, until } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
};
// More than are written while whoever asks waits.
const LEARNERS = 60;
const MODEL_ANSWER = "Cut the stew into small portions so that it cools quickly.";
const api = apiOf(base, key);
const nameAt = (at) => `Learner ${String(at + 1).padStart(2, "0")}`;

// An assignment whose grades all wait for a person, and another one that nobody has graded.
async function tasks(name) {
  const course = await api("POST", "/v1/courses", { name: `Stews of ${name}`, language: "en" });
  const made = { course_id: course.id, instructions: "How does a stew cool?", max_score: 10, human_review: "required" };
  const criteria = [{ name: "Cooling", max_points: 10, reference_answers: [MODEL_ANSWER] }];
  const stew = await api("POST", "/v1/assignments", { ...made, name: `Cooling ${name}`, rubric: { criteria } });
  const rest = await api("POST", "/v1/assignments", { ...made, name: `Warming ${name}`, rubric: { criteria } });
  await api("POST", `/v1/courses/${course.id}/publish`);
  return { course: course.id, stew: stew.id, rest: rest.id };
}

async function handsIn(cohort, assignment_id, user_id) {
  const work = { assignment_id, cohort_id: cohort, user_id, draft: false, content: { type: "text", text: MODEL_ANSWER } };
  return (await api("POST", "/v1/submissions", work)).id;
}

async function school(name) {
  const made = await tasks(name);
  const cohort = await api("POST", "/v1/cohorts", { course_id: made.course, name: `Autumn of ${name}`, timezone: "UTC" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const works = [];
  for (let at = 0; at < LEARNERS; at += 1) {
    const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `${name}-${at + 1}@school.example`, name: nameAt(at) });
    works.push(await handsIn(cohort.id, made.stew, user_id));
    if (at < 3) await handsIn(cohort.id, made.rest, user_id);
  }
  await api("POST", `/v1/assignments/${made.stew}/ai`, {});
  await until(
    () => api("GET", `/v1/assignments/${made.stew}/ai`),
    ({ newest }) => newest.state === "done",
  );
  return { ...made, cohort: cohort.id, works };
}

// How many of an assignment stand so.
async function count(assignment, status) {
  const { data } = await api("GET", `/v1/submissions?limit=100&assignment_id=${assignment}&status=${status}`);
  return data.length;
}

class Run {
  constructor(name, page, report, things) {
    Object.assign(this, { name, page, report, ...things, told: {} });
    this.hash = `#/submissions?assignment=${this.stew}`;
  }

  async look(place) {
    await settled(this.page);
    // At the end of the page the bar lies over nothing.
    await this.page.evaluate(() => document.querySelector(".sb-bar:not([hidden])") && scrollTo(0, document.documentElement.scrollHeight));
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/submissions-${this.name}-${place.replaceAll(" ", "-")}.png` });
  }

  rows() {
    return this.page.locator(".sb-table tbody tr");
  }

  names() {
    return this.page.locator(".sb-table tbody th").allInnerTexts();
  }

  // The list has answered what is asked of it.
  async listed(wanted) {
    await this.page.waitForFunction(
      (many) => document.querySelectorAll(".sb-table tbody tr").length === many && !document.querySelector("#main [aria-busy=true]"),
      wanted,
    );
  }

  selected() {
    return this.page.locator(".sb-table tbody input:checked").count();
  }

  async confirm() {
    await this.page.locator("dialog > .row .button.main").click();
    await this.page.locator("dialog").waitFor({ state: "detached" });
  }

  // What the newest card says once it is over.
  async over() {
    await this.page.locator(".sb-job").first().locator("progress").waitFor({ state: "hidden" });
    await settled(this.page);
    return this.page.locator(".sb-job").first().locator("> p").innerText();
  }

  act(name) {
    const at = { accept: 0, return: 1, ai: 2, again: 3 }[name];
    return this.page.locator(".sb-acts .button").nth(at).click();
  }
}

async function isFound(run) {
  const { page, told } = run;
  await page.locator('.nav a[href="#/submissions"]').click();
  await page.waitForFunction(() => document.getElementById("main").dataset.shown === "#/submissions");
  await run.look("all of them");
  await page.locator(".find .search").fill(nameAt(6));
  await page.keyboard.press("Enter");
  await run.listed(1);
  told.found = [await run.names(), await page.evaluate(() => decodeURIComponent(location.hash))];
  // The button that takes all choices away.
  await page.locator(".sb-filters > .button").click();
  told.cleared = await page.evaluate(() => [location.hash, document.activeElement.matches(".find .search")]);
  await page.locator("select[name=assignment] option", { hasText: `Warming ${run.name}` }).waitFor({ state: "attached" });
  await page.locator("select[name=assignment]").selectOption(run.rest);
  await run.listed(3);
  told.narrowed = [(await page.locator("select[name=course]").inputValue()) === run.course, await page.locator(".sb-filters .toggle").isVisible()];
  await page.locator("select[name=status]").selectOption("submitted");
  told.sorts = await page.locator("select[name=sort] option:not([disabled])").count();
  await run.listed(3);
  await page.locator("select[name=course]").selectOption("");
  told.elsewhere = await page.locator("select[name=assignment]").inputValue();
}

async function isSelected(run) {
  const { page, told } = run;
  await visit(page, run.hash);
  await run.listed(LEARNERS);
  const box = (at) => run.rows().nth(at).locator("label");
  await box(1).click();
  await box(5).click({ modifiers: ["Shift"] });
  told.range = [await run.selected(), await page.locator(".sb-count").innerText()];
  await run.look("a range");
  // Opened on the desk, and back.
  await run.rows().nth(2).locator("th a").click();
  await page.locator(".desk-title").waitFor();
  await settled(page);
  await page.goBack();
  await run.listed(LEARNERS);
  told.came_back = [await run.selected(), await page.evaluate(() => document.activeElement.closest("tr")?.sectionRowIndex)];
  await page.locator(".sb-table thead label").click();
  told.all = await run.selected();
}

async function isAccepted(run) {
  const { page, told } = run;
  await run.act("accept");
  await run.look("a question");
  told.question = await page.locator("dialog h2").innerText();
  await run.confirm();
  told.accepted = await run.over();
  await run.look("what came of it");
  told.graded = await count(run.stew, "graded");
  told.left_selected = await run.selected();
}

// What a person graded otherwise meanwhile stays, and is named; also after a reload.
async function isTakenBack(run) {
  const { page, told } = run;
  const changed = run.works[4];
  await api("POST", `/v1/submissions/${changed}/grade`, { score: 3 });
  await page.reload();
  await page.locator("input[type=password]").waitFor();
  await signIn(page, key);
  await page.locator(".sb-job .icon-back").waitFor();
  await page.locator(".sb-job .button", { has: page.locator(".icon-back") }).click();
  told.focus = await page.evaluate(() => document.activeElement.matches(".sb-job h2"));
  told.undone = await run.over();
  await run.look("taken back");
  told.named = await page.locator(".sb-left > li > a").evaluateAll((links) => links.map((one) => [one.innerText, one.getAttribute("href")]));
  told.named = JSON.stringify(told.named) === JSON.stringify([[nameAt(4), `#/review/${changed}`]]);
  told.why = await page.locator(".sb-job b").allInnerTexts();
  told.waits = [await count(run.stew, "in_review"), (await api("GET", `/v1/submissions/${changed}`)).score];
  await page.locator(".sb-job .button.quiet").click();
  told.closed = await page.locator(".sb-job").count();
}

// By keys alone: a few are selected, one of which was decided already, and accepted.
async function goesByKeys(run) {
  const { page, told } = run;
  await visit(page, `${run.hash}&sort=created_at`);
  await run.listed(LEARNERS);
  const press = async (...keys) => {
    for (const one of keys) await page.keyboard.press(one);
  };
  await press("j", "j", "j", "x", "j", "j", "Shift+x");
  told.by_keys = [await run.selected(), await page.evaluate(() => document.activeElement.innerText)];
  await press("k", "x", "a");
  await page.locator("dialog").waitFor();
  await press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  told.given_up = [await run.selected(), await count(run.stew, "graded")];
  await press("x", "a");
  await page.locator("dialog").waitFor();
  await pressAt(page, "dialog > .row .button.main");
  await page.locator("dialog").waitFor({ state: "detached" });
  told.mixed = await run.over();
  told.refused = await page.locator(".sb-job b").allInnerTexts();
  told.kept_focus = await page.evaluate(() => document.activeElement !== document.body);
  await press("x", "Escape");
  told.cleared_by_key = await run.selected();
}

// Two are graded again: previewed by themselves, and the way back finds them selected.
async function isGradedAgain(run) {
  const { page, told } = run;
  for (const key of ["j", "x", "j", "x", "n"]) await page.keyboard.press(key);
  await page.waitForFunction((wanted) => document.getElementById("main").dataset.shown === wanted, `#/assignments/${run.stew}/regrades`);
  await run.look("grading the selected again");
  told.again = [await page.locator("fieldset input:checked").inputValue(), await page.locator("fieldset label").first().innerText()];
  await page.locator(".page .button.main").click();
  await page.waitForFunction(() => /regrades\/bat_/.test(document.getElementById("main").dataset.shown));
  const batch = await page.evaluate(() => location.hash.split("/").pop());
  const { items } = await until(
    () => api("GET", `/v1/batches/${batch}`),
    ({ state }) => state === "ready",
  );
  told.again.push(items.total);
  await page.locator(".way-back").click();
  await run.listed(LEARNERS);
  told.again.push(await run.selected(), await page.evaluate(() => location.hash.split("?")[1].includes("sort=created_at")));
  await page.keyboard.press("Escape");
  // What is of several assignments is not.
  await visit(page, `#/submissions?course=${run.course}`);
  await page.locator(".sb-table thead label").click();
  await run.act("again");
  told.of_several = await page.locator("dialog p").first().innerText();
  await page.keyboard.press("Escape");
}

// Whoever decided is named in the row, and their name leads to all that they decided.
async function leadsToTheirs(run) {
  const { page, told } = run;
  await visit(page, `${run.hash}&status=graded`);
  await run.listed(3);
  const grader = page.locator(".sb-graded a").first();
  await grader.waitFor();
  const name = await grader.innerText();
  await grader.click();
  await page.waitForFunction(() => location.hash.startsWith("#/submissions?grader=usr_"));
  await run.listed(3);
  await run.look("of a grader");
  const chosen = await page.locator("select[name=grader] option:checked").innerText();
  told.grader = [name !== "", chosen === `Decided by ${name}`];
}

// From the desk to what people decided lately, the last decision first.
async function isDecidedLately(run) {
  const { page, told } = run;
  await visit(page, "#/review");
  await page.locator('a[href="#/submissions?sort=-decided_at"]').click();
  await page.waitForFunction(() => location.hash === "#/submissions?sort=-decided_at");
  const { data } = await api("GET", "/v1/submissions?sort=-decided_at&limit=100");
  await run.listed(data.length);
  const links = await page.locator(".sb-table tbody tr").evaluateAll((rows) => rows.map((row) => row.querySelector('a[href^="#/review/"]').getAttribute("href")));
  told.lately = [data.length === 3, JSON.stringify(links.map((link) => link.match(/sub_\w+/)[0])) === JSON.stringify(data.map(({ id }) => id))];
}

async function isSelectedByTouch(run) {
  const { page, told } = run;
  await visit(page, run.hash);
  await run.listed(LEARNERS);
  await run.look("cards");
  await run.rows().nth(0).locator("label").click();
  await page.locator(".sb-table thead label").click();
  told.all = await run.selected();
  await run.look("all selected");
}

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await school(name));
  report[name] = one.told;
  await signIn(page, key);
  const parts = name === "desk" ? [isFound, isSelected, isAccepted, isTakenBack, goesByKeys, isGradedAgain, leadsToTheirs, isDecidedLately] : [isSelectedByTouch, isAccepted, isTakenBack];
  for (const part of parts) await part(one);
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
