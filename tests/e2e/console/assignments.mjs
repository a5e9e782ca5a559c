// A teacher makes an assignment what it should be: its settings, its rubric, who has more time; in every look, and by keyboard.
//
//   BASE=<address of the service> KEY=<key of the owner> [PICTURES=<folder>] node assignments.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { ALL_RULES, examined, RULES_OF_COLOURS } from "./axe.mjs";
import { byDayAndNight, launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
};
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, arabic: ALL_RULES };
const HOUR_MS = 3_600_000;

async function api(method, path, body) {
  const headers = { "x-api-key": key, "x-learning-platform-code": "main", "content-type": "application/json" };
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer.error)}`);
  return answer;
}

async function until(read, isDone) {
  for (let tries = 0; tries < 200; tries += 1) {
    const now = await read();
    if (isDone(now)) return now;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("it did not come");
}

// A learner who came 25 hours late with work that earned 80 of 100, and an assignment whose rubric has more than the page knows.
async function platform() {
  await api("PATCH", "/v1/me", { timezone: "Europe/Madrid" });
  const { id: course_id } = await api("POST", "/v1/courses", { name: "Writing", language: "en", hours: 3 });
  const cohort = await api("POST", "/v1/cohorts", { course_id, name: "Autumn" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const ada = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: "ada@school.example", name: "Ada" });
  const late = await api("POST", "/v1/assignments", {
    course_id,
    name: "Handed in late",
    due_at: new Date(Date.now() - 25 * HOUR_MS).toISOString(),
    late_policy: { percent_per_day: 10 },
  });
  const content = { type: "text", text: "A short text about the sea." };
  const handed = { assignment_id: late.id, cohort_id: cohort.id, user_id: ada.user_id, draft: false, content };
  const work = await api("POST", "/v1/submissions", handed);
  await api("POST", `/v1/submissions/${work.id}/grade`, { score: 80 });
  const rubric = {
    approved_by: "the staff",
    criteria: [
      { name: "Accuracy", max_points: 10, origin: "handbook", reference_answers: ["It boils at 100 °C."], key_points: [{ text: "at sea level", weight: 2 }] },
      { name: "Wording", levels: [{ label: "Clear", points: 5 }, { label: "Unclear", points: 1 }] },
    ],
  };
  const essay = await api("POST", "/v1/assignments", { course_id, name: "Essay", rubric });
  return { late: late.id, work: work.id, essay: essay.id };
}

const pageOf = (id) => `#/assignments/${id}/edit`;
const control = (page, label) => page.getByLabel(label, { exact: true });
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const said = (page, text) => page.locator("#toasts").getByText(text).waitFor();

async function save(page) {
  await press(page, "Save");
  await said(page, "Saved.");
  await page.locator(".save-bar").getByText("Everything is saved.").waitFor();
}

async function settings(page, { essay }, report) {
  await visit(page, pageOf(essay));
  await page.locator(".editor").getByLabel("Name", { exact: true }).first().fill("Why water boils");
  await control(page, "Instructions").fill("Explain it in *your own* words.");
  await control(page, "Best possible score").fill("50");
  await control(page, "Attempts").fill("3");
  await control(page, "Due").fill("2031-07-01T12:30");
  await page.getByText("Coming late costs points").click();
  await control(page, "Percent for each day").fill("10");
  await control(page, "Down to, in percent").fill("40");
  await control(page, "Minutes of grace").fill("15");
  report.example = await page.locator(".editor .notice").first().innerText();
  await page.getByText("AI grades what is handed in").click();
  await control(page, "Model").fill("builtin");
  await control(page, "What a person looks at").selectOption("required");
  await control(page, "Tone").selectOption("encouraging");
  await control(page, "Length").selectOption("brief");
  await control(page, "Language").last().fill("de");
  report.unsaved = await page.locator(".save-bar [role=status]").innerText();
  await save(page);
  const { rubric, ...now } = await api("GET", `/v1/assignments/${essay}`);
  const { name, instructions, max_score, max_attempts, due_at, late_policy, ai_evaluator, human_review, feedback } = now;
  report.settings = { name, instructions, max_score, max_attempts, due_at, late_policy, ai_evaluator, human_review, feedback };
  report.kept = { approved_by: rubric.approved_by, ...rubric.criteria[0] };
  // What is wrong is said, and nothing is sent.
  await control(page, "Best possible score").fill("");
  await press(page, "Save");
  report.refused = await page.locator(".save-bar .trouble").innerText();
  report.led_to = await page.evaluate(() => document.activeElement.labels[0].textContent);
  await control(page, "Best possible score").fill("50");
}

const criteria = (page) => page.locator(".criteria-list > li");
const names = (page) => criteria(page).evaluateAll((all) => all.map((one) => one.querySelector("input").value));

// With no hand on the mouse: a criterion is made, named, moved, given levels, taken out and brought back, and all of it is saved.
async function byKeyboard(page, { essay }, report) {
  const keys = page.keyboard;
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: node } = document;
      return node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent;
    });
  await page.getByRole("button", { name: "Add a criterion" }).focus();
  await keys.press("Enter");
  await keys.type("Courage");
  await keys.press("Alt+ArrowUp");
  await keys.press("Alt+ArrowUp");
  report.keyboard = { moved: await names(page), stays: await focused() };
  while ((await focused()) !== "Levels: 0") await keys.press("Tab");
  await keys.press("Enter");
  await keys.press("Tab");
  await keys.press("Enter");
  report.keyboard.box = await focused();
  await keys.press("Tab");
  await keys.type("Bold");
  await keys.press("Alt+ArrowDown");
  report.keyboard.levels = await criteria(page).first().locator(".level").evaluateAll((all) => all.map((one) => one.querySelector("input").value));
  while ((await focused()) !== "Take out: Courage") await keys.press("Tab");
  await keys.press("Enter");
  report.keyboard.without = await names(page);
  await page.locator(".toast .button").focus();
  await keys.press("Enter");
  report.keyboard.back = await names(page);
  await keys.press("Control+s");
  await said(page, "Saved.");
  const { rubric } = await api("GET", `/v1/assignments/${essay}`);
  report.keyboard.saved = rubric.criteria.map(({ name, max_points: most, levels }) => [name, most, levels?.length ?? 0]);
}

async function handed(page, name, text) {
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.locator("dialog").waitFor();
}

// Out to a table and back, with what a table program would take for a formula, and with lines that cannot be read.
async function tables(page, { essay }, report) {
  await criteria(page).nth(1).locator("input").first().fill("=1+1");
  await criteria(page).nth(1).locator("textarea").first().fill('He said "no",\nand left');
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save as a table (CSV)")]);
  const text = await readFile(await download.path(), "utf8");
  report.table = { name: download.suggestedFilename(), marked: text.startsWith("\ufeff"), defused: text.includes(`"'=1+1"`) };
  const before = await names(page);
  await handed(page, "rubric.csv", text);
  await press(page, "Use these");
  await said(page, "Criteria read: 3.");
  report.table.same = JSON.stringify(await names(page)) === JSON.stringify(before);
  report.table.quoted = await criteria(page).nth(1).locator("textarea").first().inputValue();
  const lines = ["criterion;max_points;weight;level;level_points", "Depth;12;2;;", "Breadth;many;1;;", ";;;Good;x", "Tone;;;Warm;2,5", "Tone;;;Cold;0"];
  const broken = lines.join("\r\n");
  await handed(page, "broken.csv", broken);
  report.table.faults = await page.locator("dialog .trouble-list li").allInnerTexts();
  report.table.untouched = JSON.stringify(await names(page)) === JSON.stringify(before);
  await examined(page, "a table that is read", report);
  if (pictures) await page.screenshot({ path: `${pictures}/console-rubric-table.png` });
  await page.locator("dialog select").selectOption("append");
  await press(page, "Use these");
  report.table.appended = await names(page);
  await save(page);
  const { rubric } = await api("GET", `/v1/assignments/${essay}`);
  const kept = rubric.criteria.find(({ origin }) => origin);
  const { name, id, key_points: points, reference_answers: answers } = kept;
  report.table.kept = { approved_by: rubric.approved_by, name, id, points, answers };
  const told = (one) => [one.name, one.max_points, one.weight, (one.levels ?? []).map((level) => level.points)];
  report.table.read = rubric.criteria.slice(-2).map(told);
}

async function templates(page, { late }, report) {
  await visit(page, pageOf(late));
  await press(page, "Use the template");
  await said(page, "Put in: Essay.");
  report.template = { essay: await names(page), sum: await page.locator(".rubric-sum").innerText() };
  await control(page, "Template").selectOption("short_answer");
  await press(page, "Use the template");
  await page.locator("dialog").waitFor();
  await press(page, "Replace");
  report.template.points = await page.locator(".key-point input:not([type=number])").count();
}

// What was typed is not lost: whoever goes elsewhere is asked.
async function leaving(page, report) {
  const goes = () =>
    page.evaluate(() => {
      location.hash = "#/courses";
    });
  await goes();
  await page.locator("dialog").waitFor();
  await examined(page, "the question before one leaves", report);
  await press(page, "Cancel");
  const stayed = await page.evaluate(() => location.hash);
  // Another language draws the page anew, and what was typed is there.
  await page.locator(".preferences select").first().selectOption("de");
  await page.locator(".save-bar").getByText("nicht gespeichert").waitFor();
  const still = await criteria(page).count();
  await page.locator(".preferences select").first().selectOption("en");
  await page.locator(".save-bar").getByText("not saved").waitFor();
  await settled(page);
  await goes();
  await press(page, "Leave without saving");
  await page.waitForFunction(() => document.getElementById("main").dataset.shown === "#/courses");
  report.leaving = { stayed: stayed.endsWith("/edit"), still, left: true };
}

// Somebody else saves meanwhile: once mine goes over it, once theirs is loaded.
async function overtaken(page, { essay }, report) {
  const theirs = (changes) => api("PATCH", `/v1/assignments/${essay}`, changes);
  const name = () => page.locator(".editor").getByLabel("Name", { exact: true }).first();
  await visit(page, pageOf(essay));
  await theirs({ name: "Theirs", max_attempts: 7 });
  await name().fill("Mine");
  await press(page, "Save");
  await page.locator("dialog").waitFor();
  await examined(page, "somebody was faster", report);
  report.overtaken = { told: await page.locator("dialog p").allInnerTexts() };
  if (pictures) await page.screenshot({ path: `${pictures}/console-overtaken.png` });
  await press(page, "Overwrite with mine");
  await said(page, "Saved.");
  const now = await api("GET", `/v1/assignments/${essay}`);
  report.overtaken.over = [now.name, now.max_attempts];
  await theirs({ name: "Theirs again" });
  await name().fill("Mine again");
  await press(page, "Save");
  await page.locator("dialog").waitFor();
  await press(page, "Load theirs, and drop mine");
  await said(page, "This is how it stands now.");
  report.overtaken.loaded = [await name().inputValue(), (await api("GET", `/v1/assignments/${essay}`)).name];
}

const verdict = async (page) => (await page.locator(".judgement .verdict").innerText()).replace(/\s+/g, " ");

// One learner has more time, and so gets the points back that coming late had cost.
async function moreTime(page, { late, work }, report) {
  await visit(page, `#/review/${work}`);
  await page.locator(".judgement .verdict").waitFor();
  report.desk = { before: await verdict(page) };
  await page.locator(".desk-bar").getByRole("button", { name: /Change/ }).click();
  report.desk.starts_from = await page.locator(".judgement form input[type=number]").inputValue();
  report.desk.noted = await page.locator(".judgement form .notice").innerText();
  await examined(page, "points for late work", report);
  await page.locator(".judgement form").getByRole("button", { name: "Cancel" }).click();
  await visit(page, pageOf(late));
  await press(page, "Give another due date");
  await page.locator("dialog select").first().selectOption("learner");
  await page.locator("dialog input[type=search]").fill("ad");
  await page.keyboard.press("Enter");
  await page.locator("dialog input[type=radio]").first().check();
  await page.locator("dialog input[type=datetime-local]").fill("2031-07-01T12:00");
  await examined(page, "more time is given", report);
  if (pictures) await page.screenshot({ path: `${pictures}/console-more-time.png` });
  await press(page, "Give");
  await said(page, "Given.");
  report.more_time = { row: (await page.locator("table tbody tr").innerText()).split(/[\t\n]+/).slice(0, 3) };
  await until(() => api("GET", `/v1/submissions/${work}`), ({ score }) => score === 80);
  await visit(page, `#/review/${work}`);
  await page.locator(".judgement .verdict").waitFor();
  await settled(page);
  report.desk.after = await verdict(page);
  await visit(page, pageOf(late));
  await press(page, "Change the due date of Ada");
  await page.getByText("Never due").click();
  await press(page, "Change");
  await page.locator("table").getByText("Never due").waitFor();
  await press(page, "Take away the due date of Ada");
  await page.locator("dialog .button.danger").click();
  await page.getByText("Nobody has another due date").waitFor();
  report.more_time.left = (await api("GET", `/v1/assignments/${late}/overrides`)).data.length;
}

async function inEveryLook(browser, { essay, late, work }, report) {
  for (const [name, look] of Object.entries(LOOKS)) {
    const page = await openConsole(browser, base, look, report.faults);
    await signIn(page, key);
    const looked = (place) => byDayAndNight(page, name, (as) => examined(page, `${as}, ${place}`, report, RULES[as]));
    await visit(page, pageOf(essay));
    await page.evaluate(() => document.querySelectorAll("details.more-of").forEach((box) => (box.open = true)));
    await settled(page);
    await looked("an assignment");
    if (pictures) await byDayAndNight(page, name, (as) => page.screenshot({ path: `${pictures}/console-assignment-${as}.png`, fullPage: true }));
    await visit(page, pageOf(late));
    await looked("an assignment without a rubric");
    await page.locator(".page > .section .button.quiet").last().click();
    await page.locator("dialog").waitFor();
    await looked("more time");
    await page.keyboard.press("Escape");
    await visit(page, `#/review/${work}`);
    await page.locator(".judgement .verdict").waitFor();
    await looked("late work on the desk");
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
  }
}

async function inTurn(browser, ids, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  await signIn(page, key);
  await settings(page, ids, report);
  await byKeyboard(page, ids, report);
  await tables(page, ids, report);
  await templates(page, ids, report);
  await leaving(page, report);
  await overtaken(page, ids, report);
  await moreTime(page, ids, report);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  const ids = await platform();
  await inEveryLook(browser, ids, report);
  await inTurn(browser, ids, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// To be too late is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 412/.test(fault));
console.log(JSON.stringify(report));
