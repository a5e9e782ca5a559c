// A teacher's day, counted: on a platform with many learners, tasks and submissions one is found, some are reviewed one after the other, many
// accepted at once and all of that taken back, others graded by AI; then the book of grades and the statistics of a task. By mouse; what is daily
// by the keyboard alone, and at the desk on a telephone. walk_hands.mjs says what an action is.
//
//   BASE=<address of the service> KEY=<API key> [MADE=<JSON of day_seed.mjs>] [LEARNERS= TASKS= SUBMISSIONS= REVIEWED= ACCEPTED= GRADED=]
//   [VIEWS=1] [ONLY=mouse|keyboard|phone|views] [PICTURES=<folder>] node day.mjs
//
// Without MADE the platform is filled first. Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { listen, Teacher } from "./day_hands.mjs";
import { NAMES, nameAt, seed, sizeOf } from "./day_seed.mjs";
import { timesOf, viewsOf } from "./day_views.mjs";
import { apiOf, until } from "./seed.mjs";
import { Keys, Mouse, Touch } from "./walk_hands.mjs";

const { BASE: base, KEY: key, MADE: given, VIEWS: isTimed, ONLY: only, PICTURES: pictures } = process.env;
const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PAGE = 100;
const PAGE_OF_QUEUE = 50;
const CHANGES = 3;
const api = apiOf(base, key);
const idShown = (page) => page.evaluate(() => location.hash.match(/sub_\w+/)?.[0]);

// How many of an assignment stand so.
async function count(assignment, status) {
  let [sum, after] = [0, ""];
  for (;;) {
    const asked = `limit=100&assignment_id=${assignment}&status=${status}${after}`;
    const { data, has_more: isMore, next_cursor: next } = await api("GET", `/v1/submissions?${asked}`);
    sum += data.length;
    if (!isMore) return sum;
    after = `&startingAfter=${encodeURIComponent(next)}`;
  }
}

// --- One is found

const NAV = (place) => `.nav a[href="#/${place}"]`;

async function finds(teacher, made, learner) {
  const { hand } = teacher;
  await teacher.goes(teacher.at(NAV("submissions")), "^#/submissions$");
  const row = teacher.at(".sb-table tbody tr", { hasText: nameAt(learner) }).filter({ hasText: NAMES.bulk });
  await hand.does(teacher.at(".find .search"), "/");
  await teacher.took("found", () => hand.type(nameAt(learner)), () => row.waitFor());
  teacher.told.found = [await row.count(), await row.locator("th").innerText()];
}

// --- One after the other, on the desk

async function movedOn(page, id) {
  await page.waitForFunction((before) => location.hash.match(/sub_\w+/)?.[0] !== before && document.activeElement?.tagName === "H2", id);
}

async function changes({ hand, page }) {
  await hand.key("e");
  const field = page.locator("form [data-points='0']");
  await field.waitFor();
  await field.focus();
  await hand.key("Control+A");
  await hand.type("6.5");
  await hand.key("Control+Enter");
}

async function reviews(teacher, { reviewed }) {
  const { hand, page, told } = teacher;
  const waits = [];
  const decided = [];
  await page.locator(".desk-title").focus();
  for (let at = 0; at < reviewed; at += 1) {
    const id = await idShown(page);
    decided.push(id);
    const begun = Date.now();
    if (at < CHANGES) await changes(teacher);
    else await hand.key("a");
    await movedOn(page, id);
    waits.push(Date.now() - begun);
  }
  waits.sort((one, other) => one - other);
  told.next_ms = { median: waits[waits.length >> 1], most: waits.at(-1) };
  await hand.press(teacher.at(".toast .button"));
  await page.waitForFunction((wanted) => location.hash.includes(wanted), decided.at(-1));
  await settled(page);
  const now = [];
  for (const id of decided) now.push(await api("GET", `/v1/submissions/${id}`));
  const many = (is) => now.filter(is).length;
  told.reviewed = {
    accepted: many(({ status, score }) => status === "graded" && score !== 6.5),
    changed: many(({ status, score }) => status === "graded" && score === 6.5),
    undone: now.at(-1).status,
  };
}

// The queue goes on behind what was fetched of it first; looking is no action.
async function walksOn({ page, told }) {
  const seen = new Set([await idShown(page)]);
  while (seen.size <= PAGE_OF_QUEUE) {
    const id = await idShown(page);
    await page.keyboard.press("j");
    await page.waitForFunction((before) => location.hash.match(/sub_\w+/)?.[0] !== before, id);
    seen.add(await idShown(page));
  }
  told.walked = seen.size;
}

// --- Many at once

async function sifts(teacher, assignment, status, few) {
  const { hand } = teacher;
  const [task, state] = [teacher.at("select[name=assignment]"), teacher.at("select[name=status]")];
  const isOffered = (id) => document.querySelector(`select[name=assignment] option[value="${id}"]`);
  await teacher.page.waitForFunction(isOffered, assignment);
  const byName = hand instanceof Keys;
  const nameOf = (list, value) => list.locator(`option[value="${value}"]`).innerText();
  await hand.choose(task, byName ? await nameOf(task, assignment) : assignment);
  await hand.choose(state, byName ? await nameOf(state, status) : status);
  await teacher.listed(Math.min(few, PAGE));
}

async function selectsAll(teacher, many) {
  const { hand, page } = teacher;
  await hand.press(teacher.at(hand instanceof Keys ? ".sb-table thead input" : ".sb-table thead label"));
  if (many > PAGE) await hand.does(teacher.at(".sb-bar > .button.quiet:not(.sb-none)"), "s");
  await page.waitForFunction((wanted) => document.querySelector(".sb-count")?.textContent.replace(/\D/g, "") === wanted, String(many));
}

async function acts({ hand, page }, name) {
  const at = ["accept", "return", "ai"].indexOf(name);
  await hand.does(page.locator(".sb-acts .button").nth(at), "arg"[at]);
  await hand.press(page.locator("dialog > .row .button.main"));
  await page.locator("dialog").waitFor({ state: "detached" });
}

// What the newest card says once it is over.
async function over(teacher) {
  const card = teacher.at(".sb-job").first();
  await card.locator("progress").waitFor({ state: "hidden", timeout: 120_000 });
  await settled(teacher.page);
  return card.locator("> p").innerText();
}

async function acceptsMany(teacher, made) {
  const { told } = teacher;
  const many = await count(made.bulk, "in_review");
  await sifts(teacher, made.bulk, "in_review", many);
  await selectsAll(teacher, many);
  await acts(teacher, "accept");
  told.accepted = [many, await over(teacher), await count(made.bulk, "graded")];
}

// What somebody graded otherwise meanwhile stays, and is named.
async function takesBack(teacher, made, learner) {
  const { told, hand, page } = teacher;
  const asked = `limit=1&assignment_id=${made.bulk}&status=graded&q=${encodeURIComponent(nameAt(learner))}`;
  const [changed] = (await api("GET", `/v1/submissions?${asked}`)).data;
  await api("POST", `/v1/submissions/${changed.id}/grade`, { score: 3 });
  await hand.press(teacher.at(".sb-job .button", { has: page.locator(".icon-back") }));
  told.undone = [await over(teacher), await count(made.bulk, "in_review"), (await api("GET", `/v1/submissions/${changed.id}`)).score];
  told.named = await teacher.at(".sb-left > li > a").allInnerTexts();
}

// --- By AI, stopped on the way, and the rest of it

async function hasGraded(teacher, made) {
  const { told, hand } = teacher;
  const before = await count(made.ai, "submitted");
  await sifts(teacher, made.ai, "submitted", before);
  await selectsAll(teacher, before);
  await acts(teacher, "ai");
  await hand.press(teacher.at(".sb-job").first().locator(".button", { hasText: "Stop" }));
  const stopped = await over(teacher);
  const rest = teacher.at(".sb-job").first().locator(".button", { hasText: "rest" });
  // What AI was at when it was stopped is still graded, so there may be no rest.
  told.ai_stopped = [before, stopped, await rest.count()];
  if (await rest.count()) {
    await hand.press(rest);
    await teacher.at(".sb-job:first-child h2", { hasText: "AI" }).waitFor();
    told.ai_rest = await over(teacher);
  }
  told.ai_left = await until(
    () => count(made.ai, "submitted"),
    (left) => left === 0,
  );
}

// --- The book of grades, and how a task went

// As a wheel turns; counts as looking.
function scrolledToTheEnd() {
  const grid = document.querySelector(".gb-grid");
  grid.scrollTop = grid.scrollHeight;
  grid.scrollLeft = grid.scrollWidth;
}

async function takesAway(teacher, at) {
  const coming = teacher.page.waitForEvent("download", { timeout: 60_000 });
  const [download] = await Promise.all([coming, teacher.hand.press(teacher.at(".page-head button.button").nth(at))]);
  return readFile(await download.path());
}

async function opensTheBook(teacher, made) {
  const { hand, page } = teacher;
  await teacher.goes(teacher.at(NAV("cohorts")), "^#/cohorts$");
  await teacher.goes(teacher.at(`#main a[href="#/cohorts/${made.cohort}"]`).first(), "/coh_\\w+$");
  const grades = () => hand.press(teacher.at(`.page-head a[href="#/cohorts/${made.cohort}/gradebook"]`));
  await teacher.took("book", grades, () => teacher.at(".gb-body .gb-row .gb-total").first().waitFor());
  const last = teacher.at(".gb-body .gb-row", { hasText: nameAt(made.learners - 1) });
  await teacher.took("book's end", () => page.evaluate(scrolledToTheEnd), () => last.waitFor());
}

async function weighsOtherwise(teacher, made) {
  const { hand, page, told } = teacher;
  await hand.press(teacher.at(".page-head button.button").last());
  const weight = teacher.at("dialog .gb-group").nth(1).locator("input").nth(1);
  await weight.waitFor();
  await hand.press(weight);
  await hand.key("Control+A");
  await hand.type("50");
  told.weighed = await saidOf(page, () => hand.press(teacher.at("dialog > .row .button.main")));
  await settled(page);
  const { gradebook } = await api("GET", `/v1/courses/${made.course}`);
  told.weights = gradebook.groups.map((one) => one.weight);
}

async function takesTheBookAway(teacher) {
  const [csv, workbook] = [await takesAway(teacher, 0), await takesAway(teacher, 1)];
  const lines = csv.toString("utf8").split(/\r?\n/).filter((line) => line.includes("Learner ")).length;
  teacher.told.files = { lines, workbook: workbook.subarray(0, 2).toString("latin1"), bytes: [csv.length, workbook.length] };
}

async function looksAtATask(teacher) {
  const { page, told } = teacher;
  await page.evaluate(() => Object.assign(document.querySelector(".gb-grid"), { scrollLeft: 0, scrollTop: 0 }));
  await teacher.goes(teacher.at('.gb-head a.gb-more[href*="/assignments/"]').first(), "/statistics");
  told.pictures = await teacher.at("#main svg").count();
}

// --- Whose day it is

async function byMouse(teacher, made) {
  await teacher.part("find", () => finds(teacher, made, 6));
  await teacher.part("to the desk", () => teacher.goes(teacher.at(NAV("review")), "^#/review"));
  await teacher.part("decisions", () => reviews(teacher, made));
  await walksOn(teacher);
  await teacher.part("to the list", () => teacher.goes(teacher.at(NAV("submissions")), "^#/submissions"));
  await teacher.part("accept many", () => acceptsMany(teacher, made));
  await teacher.part("take back", () => takesBack(teacher, made, 7));
  await teacher.part("by AI", () => hasGraded(teacher, made));
  await teacher.part("the book", () => opensTheBook(teacher, made));
  await teacher.part("its weights", () => weighsOtherwise(teacher, made));
  await teacher.part("its files", () => takesTheBookAway(teacher));
  await teacher.part("statistics", () => looksAtATask(teacher));
}

async function byKeyboard(teacher, made) {
  await teacher.part("find", () => finds(teacher, made, 8));
  await teacher.part("another choice", async () => {
    await teacher.hand.key("/");
    await teacher.hand.key("Escape");
    await teacher.listed(PAGE);
  });
  await teacher.part("accept many", () => acceptsMany(teacher, made));
  await teacher.part("take back", () => takesBack(teacher, made, 17));
  teacher.told.pointed = await teacher.page.evaluate(() => window.pointed);
}

async function onThePhone(teacher, made) {
  const { hand, page, told, report } = teacher;
  const looks = (place) => examined(page, `a telephone, ${place}`, report, null);
  await teacher.part("find", async () => {
    await hand.press(teacher.at(".top button").first());
    await teacher.goes(teacher.at(NAV("review")), "^#/review");
    await looks("the desk");
    const found = teacher.at(".queue-item", { hasText: nameAt(2) });
    // The queue is behind a button where there is little room.
    await hand.press(teacher.at(".queue-toggle"));
    await hand.press(teacher.at(".queue-find .search"));
    await teacher.took("found", () => hand.type(nameAt(2)), () => found.first().waitFor());
    await looks("one is looked for");
    await hand.press(found.first());
    await page.waitForFunction((name) => document.querySelector(".desk-title")?.textContent === name, nameAt(2));
    await settled(page);
    await looks("one is found");
  });
  const id = await idShown(page);
  await teacher.part("accept", async () => {
    told.said = await saidOf(page, () => hand.press(teacher.at(".desk-bar .decide .button.main")));
    await settled(page);
    await looks("accepted");
  });
  const { status, user_id } = await api("GET", `/v1/submissions/${id}`);
  told.accepted = [status, (await api("GET", `/v1/users/${user_id}`)).name];
}

const DAYS = { mouse: [Mouse, DESK, byMouse], keyboard: [Keys, DESK, byKeyboard], phone: [Touch, PHONE, onThePhone] };

async function works(browser, [name, [Kind, look, day]], made, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await page.context().addInitScript(listen);
  await page.reload();
  await signIn(page, key);
  await visit(page, "#/");
  const teacher = new Teacher(name, page, new Kind(page), report);
  try {
    await day(teacher, made);
  } catch (error) {
    if (pictures) await page.screenshot({ path: `${pictures}/day-${name}.png` });
    report.faults.push(`${name}: ${error.stack}`);
  }
  const { decisions = 0, ...rest } = teacher.actions;
  Object.assign(teacher.told, { decisions, rest: Object.values(rest).reduce((sum, one) => sum + one, 0), presses: teacher.hand.presses });
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

async function times(browser, made, report) {
  const page = await openConsole(browser, base, DESK, report.faults);
  await signIn(page, key);
  report.views = await timesOf(page, viewsOf(made));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [], slow: [] };
const browser = await launch();
try {
  const made = given ? JSON.parse(given) : await seed({ base, key, size: sizeOf(process.env) });
  const { learners, tasks, submissions, reviewed, accepted, graded } = made;
  report.size = { learners, tasks, submissions, reviewed, accepted, graded };
  for (const day of Object.entries(DAYS)) if (!only || day[0] === only) await works(browser, day, made, report);
  if (isTimed) await times(browser, made, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
