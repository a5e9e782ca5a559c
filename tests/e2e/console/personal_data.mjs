// What a person may ask for, done by whoever runs the place: a file of all that is kept of them, and their erasure, with its receipt; and what else a row of
// members says and does: another name, who is suspended, those of one role. On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node personal_data.mjs
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
const RENAME = { desk: "Change name", arabic: "غيّر الاسم" };
const EXPORT = { desk: "Export their data", arabic: "صدّر بياناته" };
const ERASE = { desk: "Erase their data", arabic: "امحُ بياناته" };
const api = apiOf(base, key);

// A directory ends what somebody may.
async function suspended(name) {
  const program = await api("POST", "/v1/users", { kind: "service", name: `Directory of ${name}`, role: "admin" });
  const { api_key: token } = await api("POST", "/v1/api_keys", { user_id: program.id, scopes: ["scim"] });
  const { id } = await api("POST", "/v1/users", { email: `gone-${name}@school.example`, name: `Gone of ${name}`, role: "teacher" });
  const answer = await fetch(`${base}/scim/v2/Users/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
    body: JSON.stringify({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: [{ op: "replace", path: "active", value: false }],
    }),
  });
  if (!answer.ok) throw new Error(`scim: ${answer.status} ${await answer.text()}`);
}

async function learner(name) {
  const course = await api("POST", "/v1/courses", { name: `Bread of ${name}`, language: "en" });
  const task = { course_id: course.id, name: "Loaf", instructions: "Bake it.", max_score: 10 };
  const assignment = await api("POST", "/v1/assignments", task);
  await api("POST", `/v1/courses/${course.id}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: course.id, name: `Bakers of ${name}` });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `bea-${name}@school.example`, name: "Bea" });
  const work = { cohort_id: cohort.id, user_id, assignment_id: assignment.id, draft: false, content: { type: "text", text: "A loaf." } };
  const { id } = await api("POST", "/v1/submissions", work);
  await api("POST", `/v1/submissions/${id}/grade`, { score: 7, feedback: "Bea, knead longer." });
  return user_id;
}

class Run {
  constructor(name, page, report, id) {
    Object.assign(this, { name, page, report, id, called: `<b>Bea</b> of ${name}`, told: {} });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/person-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  row(text) {
    return this.page.locator("tbody tr", { hasText: text });
  }

  async choose(text, entry) {
    await this.row(text).locator(".menu-button").click();
    await this.page.getByRole("menuitem", { name: entry }).click();
    await this.page.locator("dialog").waitFor();
  }
}

// The address keeps the role, and those who have not come are narrowed by it too.
async function thoseOfOneRole(run) {
  const { page, told } = run;
  await visit(page, "#/members");
  await page.locator(".find select[name=role]").selectOption("student");
  await page.waitForFunction(() => location.hash.includes("role=student") && !document.querySelector("#main [aria-busy=true]"));
  const roles = async () => [...new Set(await page.locator("#main td:nth-of-type(1)").allInnerTexts())].length;
  await run.look("those of one role");
  told.roles = [await roles(), await run.row(`bea-${run.name}`).count(), await run.row(`Gone of ${run.name}`).count()];
  await visit(page, "#/members?role=teacher");
  told.suspended = await run.row(`Gone of ${run.name}`).locator(".tag.bad").count();
  await visit(page, "#/members");
}

async function anotherName(run) {
  const { page, told } = run;
  await run.choose(`bea-${run.name}`, RENAME[run.name]);
  await run.look("another name");
  await page.locator("dialog input").fill(run.called);
  told.renamed = (await saidOf(page, () => page.locator("dialog .button.main").click())).includes(run.called);
  await settled(page);
  const { name } = await api("GET", `/v1/users/${run.id}`);
  const shown = await run.row(`bea-${run.name}`).locator("th span").first().innerText();
  told.named = [name === run.called, shown === run.called];
}

async function allThatIsKept(run) {
  const { page, told } = run;
  await run.choose(`bea-${run.name}`, EXPORT[run.name]);
  await run.look("a file of what is kept");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("dialog .button.main").click()]);
  const file = JSON.parse(await readFile(await download.path(), "utf8"));
  told.file = [download.suggestedFilename(), file.user.id === run.id, JSON.stringify(file).includes("knead longer")];
}

const CONFIRMED = ".dialog .button.danger";

async function isAsked(run) {
  const { page, told } = run;
  await run.choose(`bea-${run.name}`, ERASE[run.name]);
  await run.look("whether to erase");
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/erase") && asked.push(request.url()));
  told.listed = await page.locator("dialog li").count();
  await page.locator(CONFIRMED).click();
  await page.locator("dialog .trouble").waitFor();
  await page.locator("dialog input").fill("Bea");
  await page.locator(CONFIRMED).click();
  await page.locator("dialog [aria-invalid]").waitFor();
  told.unmeant = [asked.length, await page.evaluate(() => document.activeElement.matches("dialog input"))];
  await run.look("whom nobody meant");
  // The service wants to be sure who asks; then it cannot be reached.
  await page.locator("dialog input").fill(`  BEA-${run.name}@school.example `);
  const refusal = { error: { type: "permission_error", code: "recent_sign_in_required", message: "Sign in again.", fields: {} } };
  const answers = [(route) => route.fulfill({ status: 403, json: refusal }), (route) => route.abort()];
  told.refused = [];
  for (const answer of answers) {
    await page.route("**/erase", answer);
    await page.locator(CONFIRMED).click();
    await page.waitForFunction((before) => ![null, undefined, "", before].includes(document.querySelector("dialog .trouble")?.textContent), told.refused.at(-1));
    told.refused.push(await page.locator("dialog .trouble").innerText());
    await page.unroute("**/erase", answer);
  }
  told.still_there = (await api("GET", `/v1/users/${run.id}`)).name === run.called;
  asked.length = 0;
  await page.locator(CONFIRMED).dblclick();
  await page.waitForFunction((id) => document.getElementById("main").dataset.shown === `#/members/${id}/erasure`, run.id);
  await settled(page);
  // Once to erase, and once for the receipt.
  told.asked = asked.length;
}

async function aReceipt(run) {
  const { page, told } = run;
  await run.look("the receipt");
  const receipt = await api("POST", `/v1/users/${run.id}/erase`, { confirm: run.id });
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".page-head .button").first().click()]);
  const file = JSON.parse(await readFile(await saved.path(), "utf8"));
  told.receipt = [
    saved.suggestedFilename() === `erasure-${run.id}.json`,
    file.id === receipt.id,
    (await page.locator("tbody tr").count()) === receipt.tables.length,
    (await page.locator(".facts").innerText()).includes(receipt.id),
    // What was there has a name of its own, in every language.
    (await page.locator("tbody th").allInnerTexts()).filter((text) => receipt.tables.some(({ table }) => table === text || table.replaceAll("_", " ") === text)),
  ];
  await page.evaluate(() => {
    window.print = () => (window.printed = true);
  });
  await page.locator(".page-head .button").last().click();
  await page.emulateMedia({ media: "print" });
  told.paper = await page.evaluate(() => {
    const seen = (node) => node.checkVisibility({ visibilityProperty: true });
    return [window.printed, [...document.querySelectorAll(".button")].filter(seen).length, [...document.querySelectorAll("tbody tr")].filter(seen).length > 10];
  });
  await page.emulateMedia({ media: null });
  // It is there again by the row of who is left.
  await visit(page, "#/members");
  const row = run.row(`erased-${run.id.slice(4)}`);
  told.left = [await row.locator(".tag").count(), await row.locator(".button").count(), await row.locator(".menu-button").count()];
  await run.look("who was erased");
  await row.locator("a").click();
  await page.waitForFunction((id) => document.getElementById("main").dataset.shown === `#/members/${id}/erasure`, run.id);
  await settled(page);
  told.again = (await page.locator(".facts").innerText()).includes(receipt.id);
}

// The address of a receipt erases nobody.
async function noReceipt(run) {
  const { page, told } = run;
  const { id } = await api("POST", "/v1/users", { email: `stays-${run.name}@school.example`, name: "Stays" });
  await visit(page, `#/members/${id}/erasure`);
  await run.look("no receipt");
  told.stays = [await page.locator(".empty").count(), (await api("GET", `/v1/users/${id}`)).name];
}

async function walk(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  await suspended(name);
  const run = new Run(name, page, report, await learner(name));
  report[name] = run.told;
  await signIn(page, key);
  for (const part of [thoseOfOneRole, anotherName, allThatIsKept, isAsked, aReceipt, noReceipt]) await part(run);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

// Whoever may less is offered less.
async function aTeacher(browser, report) {
  const program = await api("POST", "/v1/users", { kind: "service", name: "Helper", role: "teacher" });
  const made = await api("POST", "/v1/api_keys", { user_id: program.id, scopes: ["write:students", "read:submissions"] });
  const { id } = await api("POST", "/v1/users", { email: "dora@school.example", name: "Dora" });
  const page = await openConsole(browser, base, LOOKS.desk, report.faults);
  await signIn(page, made.api_key);
  await visit(page, "#/members");
  await page.locator("tbody tr", { hasText: "Dora" }).locator(".menu-button").click();
  report.teacher = { menu: await page.getByRole("menuitem").allInnerTexts() };
  await page.keyboard.press("Escape");
  report.teacher.unoffered = await page.locator("tbody tr", { hasText: "erased-" }).locator("a").count();
  await visit(page, `#/members/${id}/erasure`);
  report.teacher.stays = (await api("GET", `/v1/users/${id}`)).name;
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  for (const look of Object.entries(LOOKS)) await walk(browser, look, report);
  await aTeacher(browser, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Being refused, and not reaching anybody, is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 403|ERR_FAILED.*erase/.test(fault));
console.log(JSON.stringify(report));
