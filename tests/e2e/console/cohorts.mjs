// A cohort: what is known of its lessons and what is not, who is taken out of it, how people come into it, and how it ends. On a desk and, in Arabic and
// in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node cohorts.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const LESSONS = 3;
// More than the page looks at before it is shown, where each answer has one.
const OTHERS = 12;
// More than the service writes while one waits.
const MANY = 60;
const api = apiOf(base, key);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function written(operation, rows) {
  let now = await api("POST", "/v1/batch", { operation, rows });
  for (; now.status === "pending"; now = await api("GET", `/v1/batch/${now.id}`)) await pause(200);
  return now.counts;
}

async function courseOf(name, count) {
  const course = await api("POST", "/v1/courses", { name, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Dough" });
  const lessons = [];
  for (let at = 1; at <= count; at += 1) lessons.push(await api("POST", "/v1/lessons", { unit_id: unit.id, name: `Lesson ${at}`, content: "Knead." }));
  await api("POST", `/v1/courses/${course.id}/publish`);
  return { course: course.id, lessons };
}

async function cohortOf(course, name) {
  const { id } = await api("POST", "/v1/cohorts", { course_id: course, name });
  await api("POST", `/v1/cohorts/${id}/start`);
  return id;
}

const enrolled = async (cohort, email, name) => (await api("POST", `/v1/cohorts/${cohort}/students`, { email, name })).user_id;
const does = (user, lesson) => api("POST", `/v1/lessons/${lesson.id}/complete`, { user_id: user });

// Ada did two lessons in a cohort that ran before, then others did much elsewhere, then Cleo did one.
async function school(look) {
  const { course, lessons } = await courseOf(`Bread of ${look}`, LESSONS);
  const ada = await enrolled(await cohortOf(course, "Earlier"), `ada-${look}@school.example`, "Ada");
  for (const lesson of lessons.slice(0, 2)) await does(ada, lesson);
  const other = await courseOf(`Cakes of ${look}`, OTHERS);
  const dora = await enrolled(await cohortOf(other.course, "Others"), `dora-${look}@school.example`, "Dora");
  for (const lesson of other.lessons) await does(dora, lesson);
  const cohort = await cohortOf(course, `Bakers of ${look}`);
  await enrolled(cohort, `cleo-${look}@school.example`, "<b>Cleo</b>").then((cleo) => does(cleo, lessons[0]));
  await enrolled(cohort, `ben-${look}@school.example`, "Ben");
  await enrolled(cohort, `ada-${look}@school.example`);
  return { cohort, course };
}

class Run {
  constructor(name, page, report, { cohort, course }) {
    Object.assign(this, { name, page, report, cohort, course, told: {}, place: `#/cohorts/${cohort}` });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/cohorts-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  // How many are in it by the service's own list.
  async has(q) {
    return (await api("GET", `/v1/cohorts/${this.cohort}/students?limit=100&q=${q}`)).data.length;
  }

  // Each learner with what is seen of each lesson.
  async heat() {
    const rows = await this.page.locator(".heat tbody tr").all();
    const read = async (row) => [await row.locator("th").innerText(), (await row.locator("td > span[aria-hidden]:not(.num *)").allTextContents()).join("")];
    return Object.fromEntries(await Promise.all(rows.map(read)));
  }
}

async function whatIsNotKnownIsNotOpen(run) {
  const { page, told } = run;
  await page.route(/\/v1\/events\?.*limit=100/, (route) => route.continue({ url: route.request().url().replace("limit=100", "limit=1") }));
  await visit(page, run.place);
  told.first = { heat: await run.heat(), said: await page.locator(".stack > div > .hint[role=status]").first().textContent() };
  await run.look("lessons that are not known");
  const further = page.locator(".stack > div > .hint[role=status] + .button");
  await further.focus();
  await page.keyboard.press("Enter");
  await further.waitFor({ state: "hidden" });
  await settled(page);
  told.then = { heat: await run.heat(), focused: await page.evaluate(() => document.activeElement.getAttribute("role")) };
  await page.unroute(/\/v1\/events\?.*limit=100/);
}

const dialogOf = (page) => page.locator("dialog[open]");
const mainOf = (page) => page.locator("dialog[open] .row.end .button").last();
const closed = (page) => page.locator("dialog").waitFor({ state: "detached" });

// One by the button in their row, and taken back; then more than one writes at once, one of whom somebody else has taken out meanwhile.
async function peopleAreTakenOut(run) {
  const { page, told, cohort } = run;
  const many = Array.from({ length: MANY }, (_, at) => ({ id: cohort, body: { email: `many-${at}-${run.name}@school.example`, name: `Many ${at}` } }));
  await written("enrollStudent", many);
  await visit(page, `${run.place}?sort=name`);
  const row = page.locator(".table tbody tr", { hasText: "Ada" });
  await row.locator(".acts .button").click();
  await run.look("taking one out");
  told.asked = await dialogOf(page).locator("form").innerText();
  await page.keyboard.press("Escape");
  await closed(page);
  told.still = await run.has("ada");
  await row.locator(".acts .button").click();
  told.said = await saidOf(page, () => mainOf(page).click());
  await settled(page);
  told.out = await run.has("ada");
  await page.locator(".toast .button").click();
  await row.waitFor();
  await settled(page);
  told.back = await run.has("ada");
  told.many = await manyAreTakenOut(run);
}

async function manyAreTakenOut(run) {
  const { page, cohort } = run;
  await page.locator("input[type=search]").fill("many-");
  await page.locator(".table tbody tr", { hasText: "Ada" }).waitFor({ state: "detached" });
  const more = page.locator(".more .button");
  while (await more.count()) {
    const before = await page.locator(".table tbody tr").count();
    await more.click();
    await page.waitForFunction((count) => document.querySelectorAll(".table tbody tr").length > count, before);
    await settled(page);
  }
  const all = page.locator(".toggle input").first();
  await all.focus();
  await page.keyboard.press("Space");
  const selected = await page.locator(".row.spread [role=status]").innerText();
  await run.look("many are selected");
  const { data } = await api("GET", `/v1/cohorts/${cohort}/students?q=many-0-`);
  await api("DELETE", `/v1/cohorts/${cohort}/students/${data[0].user_id}`);
  await page.locator(".row.spread .button.danger").click();
  const said = await saidOf(page, () => mainOf(page).click());
  await settled(page);
  return { selected, said, left: await run.has("many-") };
}

async function enrolling(run) {
  if ((await run.page.evaluate(() => location.hash)) !== run.place) await visit(run.page, run.place);
  await run.page.locator("#main .button", { has: run.page.locator(".icon-plus") }).last().click();
  await dialogOf(run.page).waitFor();
}

const field = (page) => page.locator("dialog textarea");
const alertOf = (page) => page.locator("dialog [role=alert] .trouble");

async function pressed(page) {
  await mainOf(page).click();
  await page.locator("dialog .button[aria-busy]").waitFor({ state: "detached" });
}

// As lists come: by a mail program, with commas, from a spreadsheet, with a line that is nobody, one who is in already, and one twice.
async function aListIsPasted(run) {
  const { page, told, name } = run;
  const at = (who) => `${who}-${name}@school.example`;
  const lines = [`"Byron, Ada" <${at("ada")}>`, `Emil,${at("new-1")}`, `Fay\tLee\t${at("new-2")}`, "nonsense", `"Gil, <b>x</b>",${at("new-3")}`, at("new-1").toUpperCase()];
  await enrolling(run);
  await field(page).fill(lines.join("\n"));
  await page.locator("dialog .trouble", { hasText: "nonsense" }).waitFor();
  const shown = await dialogOf(page).locator("[role=status]").innerText();
  await pressed(page);
  const asked = await alertOf(page).innerText();
  const tried = await run.has("new-");
  await run.look("a list that was pasted");
  await pressed(page);
  const rest = { said: await alertOf(page).innerText(), field: await field(page).inputValue() };
  await page.keyboard.press("Escape");
  await closed(page);
  await settled(page);
  const { data } = await api("GET", `/v1/cohorts/${run.cohort}/students?limit=100&q=new-`);
  told.pasted = { shown, asked, tried, rest, names: data.map(({ user }) => user.name).sort() };
}

// As a table program of a European desk saves it. More than the service writes while one waits.
async function aFileIsChosen(run) {
  const { page, told, name } = run;
  const rows = Array.from({ length: MANY }, (_, at) => `Zo\xeb;M\xfcller ${at};class-${at}-${name}@school.example;7b`);
  await enrolling(run);
  const buffer = Buffer.from(["Vorname;Nachname;E-Mail;Kurs", ...rows].join("\r\n"), "latin1");
  await page.locator("dialog input[type=file]").setInputFiles({ name: "class.csv", mimeType: "text/csv", buffer });
  await page.waitForFunction(() => document.querySelector("dialog textarea").value.includes("class-"));
  const said = await saidOf(page, () => mainOf(page).click());
  await settled(page);
  const { data } = await api("GET", `/v1/cohorts/${run.cohort}/students?q=class-0-`);
  told.file = { said, enrolled: await run.has("class-"), name: data[0].user.name };
  await enrolling(run);
  await page.locator("dialog input[type=file]").setInputFiles({ name: "class.xlsx", mimeType: "text/csv", buffer: Buffer.from("PK\x03\x04\0\0") });
  told.no_text = await page.locator("dialog .trouble").innerText();
  await page.keyboard.press("Escape");
  await closed(page);
}

// One place for two; the answer to who has it gets lost on the way, and is asked for again.
async function placesRunOut(run) {
  const { page, told, name, cohort } = run;
  const { student_count: count } = await api("GET", `/v1/cohorts/${cohort}`);
  await api("PATCH", `/v1/cohorts/${cohort}`, { capacity: count + 1 });
  await enrolling(run);
  await field(page).fill(["first", "second"].map((who) => `${who}-${name}@school.example`).join("\n"));
  await pressed(page);
  const notice = await page.locator("dialog .notice").innerText();
  let sent = 0;
  await page.route("**/v1/batch", async (route) => {
    sent += 1;
    if (sent > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await pressed(page);
  await page.unroute("**/v1/batch");
  await run.look("no place is left");
  told.full = { notice, sent, said: await alertOf(page).innerText(), why: await page.locator("dialog .trouble li").innerText(), field: await field(page).inputValue() };
  await page.keyboard.press("Escape");
  await closed(page);
  await settled(page);
}

const headButton = (page, at) => page.locator(".page-head .row > .button").nth(at);

async function itIsChanged(run) {
  const { page, told, cohort } = run;
  await headButton(page, 1).click();
  const places = page.locator("dialog input[type=number]");
  await places.fill("0");
  await mainOf(page).click();
  const wrong = { said: await alertOf(page).innerText(), focused: await places.evaluate((node) => node === document.activeElement && node.ariaInvalid) };
  await run.look("places that are no number");
  await places.fill("90");
  await page.locator("dialog select").first().selectOption("Europe/Madrid");
  await saidOf(page, () => mainOf(page).click());
  await settled(page);
  const { capacity, timezone } = await api("GET", `/v1/cohorts/${cohort}`);
  told.changed = { wrong, capacity, timezone, facts: await page.locator(".facts dd").nth(1).innerText() };
}

const statusOf = async ({ cohort }) => (await api("GET", `/v1/cohorts/${cohort}`)).status;

async function itIsArchived(run) {
  const { page, told } = run;
  await headButton(page, 0).click();
  await page.locator(".facts .tag.plain").waitFor();
  await settled(page);
  await headButton(page, 2).click();
  await run.look("archiving");
  await page.keyboard.press("Escape");
  await closed(page);
  const before = await statusOf(run);
  await headButton(page, 2).click();
  const said = await saidOf(page, () => mainOf(page).click());
  await settled(page);
  told.archived = { before, said, after: await statusOf(run) };
}

// What its learners did is told before it goes, and all of it comes back.
async function itIsDeleted(run) {
  const { page, told } = run;
  await page.locator(".page-head .button.danger").click();
  await pressed(page);
  const used = await dialogOf(page).locator("[role=status] .trouble").innerText();
  const before = await statusOf(run);
  await run.look("deleting what was used");
  await mainOf(page).click();
  await page.waitForFunction(() => document.getElementById("main").dataset.shown === "#/cohorts");
  await settled(page);
  const after = await statusOf(run).catch(() => "gone");
  await page.locator(".toast .button").click();
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, run.place);
  await settled(page);
  told.deleted = { used, before, after, back: await statusOf(run) };
}

const ENROLLING = [aListIsPasted, aFileIsChosen, placesRunOut];
const PARTS = [whatIsNotKnownIsNotOpen, peopleAreTakenOut, ...ENROLLING, itIsChanged, itIsArchived, itIsDeleted];

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await school(name));
  report[name] = one.told;
  await signIn(page, key);
  for (const part of PARTS) await part(one);
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
// An answer that gets lost is what some of it is about.
report.faults = report.faults.filter((fault) => !/ERR_FAILED .*\/v1\/batch$/.test(fault));
console.log(JSON.stringify(report));
