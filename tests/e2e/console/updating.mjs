// A cohort that is updated by choice: made in Studio, left as it is by what is published, shown what differs, overtaken by somebody, updated, and
// at last updated automatically. On a desk and, in Arabic, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node updating.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";
import { marks } from "./writing_waiting.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
};
const api = apiOf(base, key);

async function published(name) {
  const course = await api("POST", "/v1/courses", { name: `Knives of ${name}`, language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Grips" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "The claw", content: "Curl your fingers." });
  await api("POST", `/v1/courses/${course.id}/publish`);
  return { course: `#/courses/${course.id}`, unit: unit.id, lesson: lesson.id };
}

class Run {
  constructor(name, page, report, things) {
    Object.assign(this, { name, page, report, ...things, told: {} });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/updating-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  // What the cohort sees of the lesson and of its unit.
  async seen() {
    const { content } = await api("GET", `/v1/lessons/${this.lesson}?as_cohort=${this.cohort}`);
    const { name } = await api("GET", `/v1/units/${this.unit}?as_cohort=${this.cohort}`);
    return [content, name];
  }

  // What its page says of it, read anew.
  async said() {
    await visit(this.page, "#/cohorts");
    await visit(this.page, `#/cohorts/${this.cohort}`);
    return this.page.locator(".facts dd").last().innerText();
  }
}

async function makesACohort(run) {
  const { page, told } = run;
  await visit(page, run.course);
  await page.locator(".facts .button").click();
  await page.locator("dialog input").first().fill("Autumn");
  await page.locator("dialog select").last().selectOption("manual");
  await run.look("a new cohort");
  await page.locator("dialog .button.main").click();
  await page.waitForFunction(() => /^#\/cohorts\/coh_\w+$/.test(document.getElementById("main").dataset.shown));
  await settled(page);
  run.cohort = await page.evaluate(() => location.hash.split("/").pop());
  await page.locator(".page-head .button").first().click();
  await page.locator(".facts .tag.good").waitFor();
  const { status, updates } = await api("GET", `/v1/cohorts/${run.cohort}`);
  await api("POST", `/v1/cohorts/${run.cohort}/students`, { email: "ada@school.example" });
  told.made = [status, updates, await run.said()];
}

// What is published does not reach it, and the page that publishes says so.
async function publishes(run) {
  const { page, told } = run;
  await api("PATCH", `/v1/lessons/${run.lesson}?draft=true`, { content: "Curl your fingers. Slowly." });
  await visit(page, `${run.course}/draft`);
  await page.locator(".difference").waitFor();
  await run.look("what waits");
  told.notices = await page.locator("main ul.plain > li").allInnerTexts();
  told.published = await saidOf(page, async () => {
    await page.locator(".page-head .button.main").click();
    await page.locator("dialog .button.main").click();
  });
  await run.look("published");
  told.leads = (await page.locator("main .section a").getAttribute("href")) === `#/cohorts/${run.cohort}/update`;
  told.behind = [await run.said(), await run.seen()];
  await run.look("a cohort that sees something as it was");
}

const update = ({ page }) =>
  saidOf(page, async () => {
    await page.locator(".page-head .button.main").click();
    await page.locator("dialog .button.main").click();
  });

async function updates(run) {
  const { page, told } = run;
  await page.locator(".facts dd a").last().click();
  await page.locator(".difference").waitFor();
  await run.look("what changes for it");
  told.marked = await marks(page);
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog").waitFor();
  await run.look("asked before updating");
  told.asked = await page.locator("dialog p").first().innerText();
  await page.keyboard.press("Escape");
  // Somebody changes something else before it is updated.
  await api("PATCH", `/v1/units/${run.unit}`, { name: "Holds" });
  told.refused = [await update(run), await page.locator(".waiting-change").count(), await run.seen()];
  await settled(page);
  told.updated = [await update(run), await page.locator(".empty-title").innerText(), await run.seen()];
  await run.look("nothing changes for it");
  told.up_to_date = await run.said();
}

// Who has it updated automatically is told what that does at once.
async function letsItFollow(run) {
  const { page, told } = run;
  await api("PATCH", `/v1/lessons/${run.lesson}`, { content: "Curl them." });
  await run.said();
  const before = await run.seen();
  await page.locator(".page-head .button").nth(1).click();
  await page.locator("dialog select").last().selectOption("automatic");
  const note = await page.locator("dialog .notice").innerText();
  await run.look("a cohort is changed");
  const said = await saidOf(page, () => page.locator("dialog .button.main").click());
  const { updates: chosen, name } = await api("GET", `/v1/cohorts/${run.cohort}`);
  told.follows = { note, said, chosen, name, before: before[0], after: (await run.seen())[0], page: await run.said() };
}

async function run(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const one = new Run(name, page, report, await published(name));
  report[name] = one.told;
  await signIn(page, key);
  for (const part of [makesACohort, publishes, updates, letsItFollow]) await part(one);
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
