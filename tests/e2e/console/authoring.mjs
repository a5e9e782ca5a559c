// An author goes from an empty workspace to a course with an outline, changes it by keys and by mouse, takes it back, deletes it and brings it back; in
// every look.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node authoring.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
};
const OUTLINE = /^\/v1\/(courses|units|lessons|activities|assignments)\/[^/]+$/;
const api = apiOf(base, key);

// What stands in the course, as the service has it.
async function outlineOf(course) {
  const { data } = await api("GET", `/v1/units?course_id=${course}&expand=lessons&limit=100`);
  return data.map((unit) => `${unit.name}: ${unit.lessons.map(({ name }) => name).join(", ")}`);
}

const lesson = (page, name) => page.locator(".lesson", { hasText: name });
const said = (page) => page.locator(".toast span").first().innerText();

// What the page says once something was done.
async function done(page, action) {
  await page.evaluate(() => document.querySelector(".toast")?.classList.add("before"));
  await action();
  await page.locator(".toast:not(.before)").waitFor();
  await settled(page);
  return said(page);
}

// Writes names into the field that is open, one after the other.
async function names(page, all) {
  for (const name of all)
    await done(page, async () => {
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
    });
  await page.keyboard.press("Escape");
}

async function made(page, report) {
  await visit(page, "#/courses");
  report.empty = await page.locator(".empty-title").innerText();
  await examined(page, "no course yet", report);
  await page.locator(".empty .button").click();
  await page.locator("dialog input").first().fill("Food safety");
  await examined(page, "a new course", report);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^#\/courses\/crs_/.test(location.hash) && document.querySelector(".outline"));
  await settled(page);
  await examined(page, "an empty course", report);
  return page.evaluate(() => location.hash.split("/").pop());
}

async function written(page) {
  await page.locator(".empty [data-add]").click();
  await names(page, ["Hygiene", "Heat"]);
  await page.locator(".unit [data-add]").first().click();
  await names(page, ["Hands", "Boards"]);
  await page.locator(".unit [data-add]").last().click();
  await names(page, ["Probing"]);
}

async function byKeys(page, report) {
  await lesson(page, "Hands").locator("a.item-name").focus();
  report.renamed = await done(page, async () => {
    await page.keyboard.press("F2");
    await page.keyboard.type("Washing hands");
    await page.keyboard.press("Enter");
  });
  // Beyond the end of a unit it goes on in the next, and the focus goes along.
  for (let step = 0; step < 2; step += 1) await done(page, () => page.keyboard.press("Alt+ArrowDown"));
  report.focused = await page.evaluate(() => document.activeElement.textContent);
}

async function drag(page, from, to) {
  await from.hover();
  const [grip, row] = [await from.locator(".grip").first().boundingBox(), await to.locator(".item-row").first().boundingBox()];
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(row.x + 90, row.y + row.height / 2, { steps: 5 });
  await page.mouse.move(row.x + 90, row.y + row.height * 0.9, { steps: 3 });
  await page.locator(".drop-line").waitFor();
  await page.mouse.up();
}

async function deleted(page) {
  await lesson(page, "Boards").hover();
  await lesson(page, "Boards").locator("[data-part=pick]").check();
  await lesson(page, "Probing").locator("[data-part=pick]").click({ modifiers: ["Shift"] });
  return done(page, () => page.locator(".outline-bar .danger").click());
}

const undone = (page) => done(page, () => page.keyboard.press("Control+z"));

// Everything that was done to the outline, and taken back step by step.
async function thereAndBack(page, course, report) {
  report.written = await outlineOf(course);
  await byKeys(page, report);
  report.by_keys = await outlineOf(course);
  await done(page, () => drag(page, lesson(page, "Washing hands"), lesson(page, "Boards")));
  report.by_mouse = await outlineOf(course);
  report.deleted = [await deleted(page), await outlineOf(course)];
  // By the button of what was said, and by the keys.
  await done(page, () => page.locator(".toast .button").click());
  report.restored_lessons = await outlineOf(course);
  for (let step = 0; step < 4; step += 1) await undone(page);
  report.undone = await outlineOf(course);
}

// What others have changed since stays as they want it.
async function overtaken(page, course, report) {
  await lesson(page, "Boards").locator("a.item-name").focus();
  await done(page, async () => {
    await page.keyboard.press("F2");
    await page.keyboard.type("Clean boards");
    await page.keyboard.press("Enter");
  });
  const { data } = await api("GET", `/v1/lessons?course_id=${course}`);
  const { id } = data.find(({ name }) => name === "Clean boards");
  await api("PATCH", `/v1/lessons/${id}`, { name: "Chopping boards" });
  report.overtaken = [await undone(page), (await outlineOf(course))[0]];
  return id;
}

async function choose(page, item, entry) {
  await item.locator(".menu-button").first().click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

async function parts(page, report) {
  await choose(page, lesson(page, "Hands"), "Add an activity");
  await page.locator("dialog input").first().fill("What stays");
  await examined(page, "a new activity", report);
  await done(page, () => page.locator("dialog .button.main").click());
  await choose(page, page.locator(".unit").first(), "New assignment");
  await page.locator("dialog input").first().fill("A cleaning plan");
  await page.locator("dialog input[type=datetime-local]").fill("2030-12-24T18:00");
  await examined(page, "a new assignment", report);
  await done(page, () => page.locator("dialog .button.main").click());
  await choose(page, lesson(page, "Probing"), "Move to …");
  await page.locator("dialog select").selectOption({ index: 0 });
  await examined(page, "where to", report);
  await done(page, () => page.locator("dialog .button.main").click());
}

// What learners have used does not go without a word.
async function used(page, course, id, report) {
  await api("POST", `/v1/courses/${course}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: course, name: "Autumn" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: "ada@school.example", name: "Ada" });
  await api("POST", `/v1/lessons/${id}/complete`, { user_id });
  await choose(page, lesson(page, "Chopping boards"), "Delete");
  await page.locator("dialog").waitFor();
  report.used = await page.locator("dialog form p").nth(1).innerText();
  await examined(page, "learners have used it", report);
  await page.keyboard.press("Escape");
}

// Two save settings at once: whoever is later sees what the other has set, and chooses.
async function settings(page, course, report) {
  await visit(page, `#/courses/${course}/settings`);
  await page.locator(".settings textarea").nth(1).fill("Be brief.");
  await api("PATCH", `/v1/courses/${course}`, { hours: 12 });
  await page.locator(".settings .button.main").click();
  await page.locator(".problem").waitFor();
  await settled(page);
  await examined(page, "settings that somebody else has saved", report);
  report.theirs = await page.locator(".problem li").allInnerTexts();
  await page.locator(".settings input[type=number]").first().fill("12");
  await page.locator(".problem .danger").click();
  await page.locator(".toast").waitFor();
  await settled(page);
  const { duration, ai } = await api("GET", `/v1/courses/${course}`);
  report.settings = [duration.hours, ai.instructions];
}

async function gone(page, course, report) {
  await page.locator(".page-head .menu-button").click();
  await examined(page, "the menu of a course", report);
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  await page.locator("dialog li").first().waitFor();
  await examined(page, "whether to delete a course", report);
  report.counted = await page.locator("dialog li").allInnerTexts();
  await page.locator("dialog .danger").click();
  await page.locator("dialog .trouble").first().waitFor();
  report.asked_again = await page.locator("dialog .trouble").first().innerText();
  await done(page, () => page.locator("dialog .danger").click());
  report.is_gone = (await page.locator(`a[href="#/courses/${course}"]`).count()) === 0;
  await visit(page, "#/trash");
  await examined(page, "what was deleted", report);
  const row = page.locator("tr", { hasText: "Food safety" });
  report.back = await done(page, () => row.locator("button").click());
  report.as_it_was = await outlineOf(course);
}

async function theWay(browser, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  report.untagged = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (["PATCH", "DELETE"].includes(request.method()) && OUTLINE.test(pathname) && !request.headers()["if-match"])
      report.untagged.push(`${request.method()} ${pathname}`);
  });
  await signIn(page, key);
  const course = await made(page, report);
  await written(page);
  await thereAndBack(page, course, report);
  const id = await overtaken(page, course, report);
  await parts(page, report);
  if (pictures) await page.screenshot({ path: `${pictures}/console-outline.png` });
  await used(page, course, id, report);
  await settings(page, course, report);
  await gone(page, course, report);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
  return course;
}

async function inEveryLook(browser, course, report) {
  for (const [name, look] of Object.entries(LOOKS)) {
    const page = await openConsole(browser, base, look, report.faults);
    await signIn(page, key);
    for (const place of ["#/courses", `#/courses/${course}`, `#/courses/${course}/settings`, "#/trash"]) {
      await visit(page, place);
      await examined(page, `${name}, ${place}`, report);
    }
    await visit(page, `#/courses/${course}`);
    const menu = page.locator(".lesson .menu-button").first();
    await menu.click();
    await examined(page, `${name}, the menu of a lesson`, report);
    await page.getByRole("menuitem").nth(-2).click();
    await page.locator(".item.selected").waitFor();
    await examined(page, `${name}, a lesson is selected`, report);
    if (pictures) await page.screenshot({ path: `${pictures}/console-outline-${name}.png` });
    await page.locator(".unit [data-add]").first().click();
    // What is half below what stays on the screen is no small target.
    await page.evaluate(() => scrollTo(0, 0));
    await examined(page, `${name}, adding a lesson`, report);
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
  }
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  const course = await theWay(browser, report);
  await inEveryLook(browser, course, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Somebody being faster is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 412/.test(fault));
console.log(JSON.stringify(report));
