// What was deleted, and what was done by whom: who may bring something back or destroy it, choices above both lists, what somebody else did meanwhile, and the ways to
// the trail. On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node trail.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const api = apiOf(base, key);

// A program with a key of its own.
async function program(name, scopes) {
  const { id } = await api("POST", "/v1/users", { kind: "service", name, role: "teacher" });
  const made = await api("POST", "/v1/api_keys", { user_id: id, scopes });
  return { id, name, key: made.api_key, key_id: made.id };
}

async function course(name) {
  const { id } = await api("POST", "/v1/courses", { name, language: "en" });
  const assignment = await api("POST", "/v1/assignments", { course_id: id, name: `Loaf in ${name}`, instructions: "Bake it.", max_score: 10 });
  await api("POST", `/v1/courses/${id}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: id, name: `Bakers in ${name}` });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const handIn = async (email) => {
    const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email, name: `<i>${email}</i>` });
    const work = { cohort_id: cohort.id, user_id, assignment_id: assignment.id, draft: false, content: { type: "text", text: "A loaf." } };
    const submission = await api("POST", "/v1/submissions", work);
    return { user_id, submission: submission.id };
  };
  return { id, assignment: assignment.id, handIn };
}

// A course with work in it, an empty one, a submission, and a member, of whom a program took out one.
async function deleted(name) {
  const [gone, kept] = [await course(`Gone of ${name}`), await course(`Kept of ${name}`)];
  await gone.handIn(`ada-${name}@school.example`);
  const { user_id, submission } = await kept.handIn(`ben-${name}@school.example`);
  const empty = await api("POST", "/v1/courses", { name: `Empty of ${name}`, language: "en" });
  const member = await api("POST", "/v1/users", { email: `cleo-${name}@school.example`, name: `Cleo of ${name}` });
  const sweeper = await program(`Sweeper of ${name}`, ["write:students"]);
  await api("DELETE", `/v1/courses/${gone.id}?force=true`);
  await api("DELETE", `/v1/courses/${empty.id}`);
  await api("DELETE", `/v1/submissions/${submission}?force=true`);
  await apiOf(base, sweeper.key)("DELETE", `/v1/users/${member.id}`);
  return { sweeper, learner: user_id, submission, kept: kept.id, assignment: kept.assignment, member: member.id };
}

class Run {
  constructor(name, page, report, made) {
    Object.assign(this, { name, page, report, made, told: {} });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/trail-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  row(text) {
    return this.page.locator("tbody tr", { hasText: text });
  }

  address() {
    return this.page.evaluate(() => decodeURIComponent(location.hash.split("?")[1] ?? ""));
  }

  async chosen() {
    await this.page.waitForFunction(() => !document.querySelector("#main [aria-busy=true]"));
    await settled(this.page);
  }
}

const trashOf = async (text) => (await api("GET", "/v1/trash?limit=100")).data.find(({ what }) => what.name.includes(text));

async function choicesOfTrash(run) {
  const { page, told, made } = run;
  await visit(page, "#/trash");
  await run.look("what was deleted");
  const names = () => page.locator("tbody th span:nth-of-type(2)").allInnerTexts();
  await page.locator("select[name=object]").selectOption("user");
  await run.chosen();
  told.members = [(await names()).filter((name) => name.includes(run.name)), await run.address()];
  await page.locator("select[name=object]").selectOption("");
  await page.locator("select[name=deleted_by]").selectOption(made.sweeper.id);
  await run.chosen();
  told.by_program = [await names(), (await run.address()) === `deleted_by=${made.sweeper.id}`];
  await visit(page, "#/trash?deleted_by=usr_00000000000000000000000000&object=unit");
  await run.look("nobody deleted this");
  told.by_nobody = [await page.locator(".empty").count(), await page.locator("select[name=deleted_by]").inputValue()];
  await page.locator(".empty .button").click();
  await run.chosen();
  told.all = (await names()).filter((name) => name.includes(run.name)).length;
}

async function goesForGood(run) {
  const { page, told } = run;
  const asked = [];
  page.on("request", (request) => request.method() === "DELETE" && asked.push(request.url()));
  const course = run.row(`Gone of ${run.name}`);
  await course.locator(".button").last().click();
  await run.look("whether to destroy");
  const text = await page.locator("dialog").innerText();
  told.asked = [text.includes(`Gone of ${run.name}`), /\d/.test(await page.locator("dialog form p").first().innerText()), asked.length];
  await page.locator("dialog .button.quiet").last().click();
  told.not_yet = Boolean(await trashOf(`Gone of ${run.name}`));
  await course.locator(".button").last().click();
  told.destroyed = (await saidOf(page, () => page.locator("dialog .danger").dblclick())).includes(`Gone of ${run.name}`);
  told.requests = asked.length;
  told.is_gone = [await trashOf(`Gone of ${run.name}`), await run.row(`Gone of ${run.name}`).count()].map((one) => one || null);
  // Somebody else was faster.
  await run.row(`Empty of ${run.name}`).locator(".button").last().click();
  await api("DELETE", `/v1/trash/${(await trashOf(`Empty of ${run.name}`)).id}`);
  told.faster = await saidOf(page, () => page.locator("dialog .danger").click());
  await page.locator("dialog").waitFor({ state: "detached" });
  await settled(page);
  told.shown_anew = await run.row(`Empty of ${run.name}`).count();
}

async function comesBack(run) {
  const { page, told, made } = run;
  const row = run.row(`Loaf in Kept of ${run.name}`);
  await row.locator(".button").first().click();
  await page.locator(".toast a").waitFor();
  told.back = [await row.count(), (await page.locator(".toast a").getAttribute("href")) === `#/review/${made.submission}`];
}

// The rows of what was made for this look, and whether each can be decided about by whoever has no more than this.
async function whoMay(browser, run) {
  const { told } = run;
  told.may = {};
  for (const scopes of [["write:students", "read:courses", "read:submissions"], ["read:students", "read:courses", "write:grades"], ["read:students", "write:courses", "read:submissions"]]) {
    const helper = await program(`Helper of ${run.name}`, scopes);
    const page = await openConsole(browser, base, LOOKS[run.name], run.report.faults);
    await signIn(page, helper.key);
    await visit(page, `#/trash?q=${run.name}`);
    const rows = await page.locator("tbody tr").all();
    const open = await Promise.all(rows.map(async (row) => [(await row.locator("th span").nth(1).innerText()).replace(/ of .*/, ""), await row.locator(".button").count()]));
    told.may[scopes.find((scope) => scope.startsWith("write:"))] = Object.fromEntries(open.sort());
    await page.context().close();
  }
}

const field = (page, at) => page.locator(".filters .field").nth(at);
const [ACTION, ACTOR, THING, ID] = [0, 1, 2, 3];
const isAt = (page, part) => page.waitForFunction((wanted) => decodeURIComponent(document.getElementById("main").dataset.shown).includes(wanted), part);

// What is chosen stays while something else is chosen too.
async function byId(run) {
  const { page, told, made } = run;
  await visit(page, `#/audit?id=${made.assignment}`);
  told.field = (await field(page, ID).inputValue()) === made.assignment;
  await field(page, ACTION).selectOption("assignment.updated");
  await isAt(page, "action=assignment.updated");
  await settled(page);
  told.both = [(await run.address()) === `action=assignment.updated&id=${made.assignment}`, await page.locator(".empty").count()];
  await field(page, ID).fill(` ${made.member} `);
  await page.keyboard.press("Enter");
  await isAt(page, made.member);
  await field(page, ACTION).selectOption("");
  await page.waitForFunction(() => !document.getElementById("main").dataset.shown.includes("action"));
  await run.look("of one member");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".page-head .button").click()]);
  const rows = (await readFile(await download.path(), "utf8")).trim().split("\r\n").slice(1);
  told.rows = [rows.length === (await page.locator("tbody tr").count()), rows.every((row) => row.includes(made.member))];
  await visit(page, "#/audit?thing=thread&from=nonsense");
  await field(page, ID).fill("usr_x");
  await page.keyboard.press("Enter");
  await isAt(page, "usr_x");
  told.unlisted = await run.address();
}

async function byWhom(run) {
  const { page, told, made } = run;
  await visit(page, "#/audit");
  await run.look("all of it");
  told.groups = await page.locator(".filters optgroup").count();
  told.learner = await field(page, ACTOR).locator(`option[value="${made.learner}"]`).count();
  await field(page, ACTOR).selectOption(made.learner);
  await isAt(page, made.learner);
  await settled(page);
  told.learner_did = await page.locator(".empty").count();
  // By the row: a key, whoever has it, and what it was done to.
  await visit(page, `#/audit?actor=${made.sweeper.id}`);
  const rows = page.locator("tbody tr");
  const done = await rows.count();
  await rows.first().locator(`a[href*="actor=${made.sweeper.key_id}"]`).click();
  await isAt(page, made.sweeper.key_id);
  await settled(page);
  told.key = [done > 0, (await rows.count()) === done, (await field(page, ACTOR).inputValue()) === made.sweeper.key_id];
  await rows.first().locator(`a[href*="id=${made.member}"]`).click();
  await isAt(page, `id=${made.member}`);
  await settled(page);
  told.both_kept = (await run.address()) === `actor=${made.sweeper.key_id}&id=${made.member}`;
  await run.look("of one key and one member");
}

async function theWays(run) {
  const { page, told, made } = run;
  await visit(page, `#/courses/${made.kept}`);
  for (const [name, menu, id] of [
    ["of_course", page.locator(".page-head .menu-button"), made.kept],
    ["of_assignment", page.locator('[data-kind="assignment"] .menu-button').first(), made.assignment],
  ]) {
    await menu.click();
    told[name] = await page.locator(`[role=menuitem][href="#/audit?id=${id}"]`).count();
    await page.keyboard.press("Escape");
  }
  await visit(page, "#/members");
  await page.locator('a[href="#/trash?object=user"]').click();
  await isAt(page, "#/trash?object=user");
  await settled(page);
  await api("POST", `/v1/users/${made.learner}/erase`, { confirm: made.learner });
  await visit(page, `#/audit?id=${made.learner}&action=user.erased`);
  told.receipt = await page.locator(`tbody a[href="#/members/${made.learner}/erasure"]`).count();
}

async function walk(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const run = new Run(name, page, report, await deleted(name));
  report[name] = run.told;
  await signIn(page, key);
  await whoMay(browser, run);
  for (const part of [choicesOfTrash, goesForGood, comesBack, byId, byWhom, theWays]) await part(run);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  for (const look of Object.entries(LOOKS)) await walk(browser, look, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
