// A cohort: what is known of its lessons and what is not. On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node cohorts.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const LESSONS = 3;
// More than the page looks at before it is shown, where each answer has one.
const OTHERS = 12;
const api = apiOf(base, key);

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
  told.first = { heat: await run.heat(), said: await page.locator(".stack > .hint[role=status]").first().textContent() };
  await run.look("lessons that are not known");
  const further = page.locator(".heat").locator("xpath=ancestor::*[contains(@class,'stack')][1]").locator("> .row > .button");
  await further.focus();
  await page.keyboard.press("Enter");
  await further.waitFor({ state: "hidden" });
  await settled(page);
  told.then = { heat: await run.heat(), focused: await page.evaluate(() => document.activeElement.getAttribute("role")) };
  await page.unroute(/\/v1\/events\?.*limit=100/);
}

const PARTS = [whatIsNotKnownIsNotOpen];

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
console.log(JSON.stringify(report));
