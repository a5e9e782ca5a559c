// What is done in Studio besides writing: a cohort is made, people are enrolled, it starts; AI gets a budget; settings that nobody saved are asked
// about; and whoever signs out with something unsaved says what becomes of it. On a desk and, in Arabic, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node everyday.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf, until } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
};
const api = apiOf(base, key);
const drafts = (page) => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("lyceum.draft")).length);

class Day {
  constructor(name, page, report) {
    Object.assign(this, { name, page, report, told: {} });
  }

  async look(place) {
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/everyday-${this.name}-${place.replaceAll(" ", "-")}.png` });
  }

  async led(pattern) {
    await this.page.waitForFunction((wanted) => new RegExp(wanted).test(location.hash) && document.getElementById("main").dataset.shown === location.hash, pattern);
    await settled(this.page);
  }
}

// Where there is no course yet one is led to where they are made.
async function withoutACourse(browser, report) {
  const page = await openConsole(browser, base, LOOKS.desk, report.faults);
  await signIn(page, key);
  await visit(page, "#/cohorts");
  report.none = await page.locator(".empty").innerText();
  await page.locator(".empty .button.main").click();
  await page.locator(".toast a").waitFor();
  report.no_course = await page.locator(".toast a").getAttribute("href");
  await page.context().close();
}

async function makesACohort(day) {
  const { page, told } = day;
  await visit(page, "#/cohorts");
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("dialog .trouble").waitFor();
  await day.look("a new cohort");
  await page.locator("dialog input").first().fill("Autumn");
  await page.locator("dialog input[type=datetime-local]").first().fill("2030-01-07T08:00");
  await page.keyboard.press("Enter");
  await day.led("^#/cohorts/coh_\\w+$");
  const id = await page.evaluate(() => location.hash.split("/").pop());
  const { name, starts_at: starts, status } = await api("GET", `/v1/cohorts/${id}`);
  told.cohort = [name, starts, status];
  return id;
}

async function enrols(day, id) {
  const { page, told } = day;
  await page.locator(".empty .button").click();
  await page.locator("dialog textarea").fill("Ada Byron <ada@school.example>\nnonsense\nben@school.example");
  const go = page.locator("dialog .button.main");
  await go.click();
  await page.locator("dialog [role=alert] .trouble").waitFor();
  await day.look("whom to enrol");
  // What is not understood was shown; the others are in once that was seen.
  await go.click();
  await page.waitForFunction(() => document.querySelector("dialog textarea").value === "nonsense");
  await page.locator("dialog [role=alert] .trouble").waitFor();
  told.left = await page.locator("dialog textarea").inputValue();
  await page.keyboard.press("Escape");
  await page.locator(".heat tbody tr").nth(1).waitFor();
  await settled(page);
  const { data } = await api("GET", `/v1/cohorts/${id}/students`);
  told.enrolled = data.map(({ user }) => user.email).sort();
  await page.locator(".page-head .button").first().click();
  await page.locator(".facts .tag.good").waitFor();
  await settled(page);
  await day.look("a cohort that runs");
  told.runs = (await api("GET", `/v1/cohorts/${id}`)).status;
}

async function setsABudget(day) {
  const { page, told } = day;
  await visit(page, "#/usage");
  await page.locator(".card .button").first().click();
  await page.locator("dialog input").last().fill("20000");
  await day.look("a budget");
  await page.locator("dialog .button.main").click();
  await page.locator(".toast").waitFor();
  await page.locator("progress").waitFor();
  const { platforms } = await api("GET", "/v1/me");
  const { ai } = await api("GET", `/v1/workspaces/${platforms[0].workspace_id}`);
  told.budget = ai.monthly_budget;
}

async function leavesSettings(day, course) {
  const { page, told } = day;
  const place = `#/courses/${course}/settings`;
  await visit(page, place);
  await page.locator(".settings textarea").first().fill(`About ${day.name}`);
  await page.evaluate(() => {
    location.hash = "#/courses";
  });
  await page.locator("dialog").waitFor();
  await day.look("leaving settings");
  told.stays = (await page.evaluate(() => location.hash)) === place;
  await page.locator("dialog .row.end .button").first().click();
  await signsOut(day);
  await page.locator("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  told.held = await page.locator(".settings textarea").first().inputValue();
  if (LOOKS[day.name].isMobile) await page.locator(".top .button").click();
  await page.locator(".settings .button.main").click();
  await day.led(`^#/courses/${course}$`);
  told.about = (await api("GET", `/v1/courses/${course}`)).description;
}

async function publishes(day, course) {
  const { page, told } = day;
  told.published = await saidOf(page, () => page.locator(".page-head .row > .button").first().click());
  await page.locator(".facts .tag.good").waitFor();
  await settled(page);
  await page.locator(".toast .button").click();
  await page.locator(".tag.plain").first().waitFor();
  told.hidden = (await api("GET", `/v1/courses/${course}`)).status;
  await settled(page);
}

async function signsOut({ page, name }) {
  if (LOOKS[name].isMobile) await page.locator(".top .button").click();
  await page.locator(".account .button").last().click();
}

async function opens({ page }, place) {
  if ((await page.evaluate(() => location.hash)) !== place) await visit(page, place);
  await page.locator(".text-editor").click();
  await page.keyboard.press("Control+End");
}

// Without a network it is asked what becomes of it; whoever stays finds it, and it is saved.
async function stays(day, place, read) {
  const { page, told } = day;
  await opens(day, place);
  await page.context().setOffline(true);
  await page.keyboard.type("Kept.");
  await page.locator(".save-state.trouble-state").waitFor();
  await signsOut(day);
  await page.locator("dialog").waitFor();
  await day.look("signing out with something unsaved");
  await page.context().setOffline(false);
  await page.keyboard.press("Escape");
  await until(read, ({ content }) => content.includes("Kept."));
  await page.locator(".save-state.saved").waitFor();
  told.stayed = await drafts(page);
}

// What can be saved in a moment is, and nobody is asked.
async function goesAtOnce(day, place, read) {
  const { page, told } = day;
  await opens(day, place);
  await page.keyboard.type(" Quick.");
  await signsOut(day);
  await page.locator("input[type=password]").waitFor();
  told.at_once = [(await read()).content.trim(), await drafts(page)];
  await signIn(page, key);
}

// Kept it is back after the next sign-in; thrown away it is gone.
async function keepsAndThrowsAway(day, place, read) {
  const { page, told } = day;
  const cut = (route) => (route.request().method() === "PATCH" ? route.abort() : route.fallback());
  await opens(day, place);
  await page.route("**/v1/lessons/*", cut);
  await page.keyboard.type(" Mine.");
  await signsOut(day);
  await page.locator("dialog .button.main").click();
  await page.locator("input[type=password]").waitFor();
  told.kept = await drafts(page);
  await signIn(page, key);
  await visit(page, place);
  await page.locator(".notices .notice").waitFor();
  await signsOut(day);
  await page.locator("dialog .danger").click();
  await page.locator("input[type=password]").waitFor();
  told.thrown_away = [(await read()).content.trim(), await drafts(page)];
  await page.unroute("**/v1/lessons/*", cut);
}

async function day(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const today = new Day(name, page, report);
  report[name] = today.told;
  const course = await api("POST", "/v1/courses", { name: `Heat of ${name}`, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "One" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "First" });
  await signIn(page, key);
  await enrols(today, await makesACohort(today));
  await setsABudget(today);
  await leavesSettings(today, course.id);
  await publishes(today, course.id);
  const place = `#/courses/${course.id}/${lesson.id}/edit`;
  const read = () => api("GET", `/v1/lessons/${lesson.id}`);
  for (const part of [stays, goesAtOnce, keepsAndThrowsAway]) await part(today, place, read);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  await withoutACourse(browser, report);
  for (const look of Object.entries(LOOKS)) await day(browser, look, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// The network that goes is what some of it is about.
report.faults = report.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault));
console.log(JSON.stringify(report));
