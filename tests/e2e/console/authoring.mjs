// An author goes from an empty workspace to a course with an outline, changes it by keys and by mouse, takes it back, deletes it and brings it back; in
// every look.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node authoring.mjs
//
// Prints one JSON object; the caller judges it.
import { ALL_RULES, examined, RULES_OF_COLOURS } from "./axe.mjs";
import { byDayAndNight, launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { expecting } from "./finding.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
};
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, arabic: ALL_RULES };
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
  // Its first unit is asked for at once.
  await page.locator(".name-field:focus").waitFor();
  await examined(page, "a new course, adding a unit", report);
  await page.keyboard.press("Escape");
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

// Selects these and no others.
async function select(page, all) {
  const before = page.locator("[data-part=pick]:checked");
  while (await before.count()) await before.first().evaluate((box) => box.click());
  for (const name of all) {
    await lesson(page, name).hover();
    await lesson(page, name).locator("[data-part=pick]").check();
  }
}

async function movedTo(page, all, unit) {
  await select(page, all);
  await page.locator(".outline-bar .button").first().click();
  await page.locator("dialog select").selectOption({ label: unit });
  return done(page, () => page.locator("dialog .button.main").click());
}

// Several are moved by one request, all of them or none, and put back by one for each place that they came from.
async function together(page, course, report) {
  const expect = expecting(report, "moved together");
  const sent = [];
  const note = (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/move")) sent.push(pathname.split("/")[2]);
  };
  page.on("request", note);
  const now = async () => [await outlineOf(course), sent.splice(0)];
  const written = ["Hygiene: Hands, Boards, Knives, Cloths", "Heat: Probing"];
  await page.locator(".unit [data-add]").first().click();
  await names(page, ["Knives", "Cloths"]);
  // From one place, with others between, and from two.
  for (const [all, unit, wanted, places] of [
    [["Hands", "Knives"], "Heat", ["Hygiene: Boards, Cloths", "Heat: Probing, Hands, Knives"], 1],
    [["Hands", "Boards", "Probing"], "Heat", ["Hygiene: Knives, Cloths", "Heat: Hands, Boards, Probing"], 2],
    [["Hands", "Knives"], "Hygiene", ["Hygiene: Boards, Cloths, Hands, Knives", "Heat: Probing"], 1],
  ]) {
    await movedTo(page, all, unit);
    expect(`${all} in ${unit}`, await now(), [wanted, ["courses"]]);
    await undone(page);
    expect(`${all} back from ${unit}`, await now(), [written, Array(places).fill("courses")]);
  }
  // Between others, where what came from elsewhere must not count when it goes back.
  await select(page, ["Knives", "Probing"]);
  await done(page, () => drag(page, lesson(page, "Knives"), lesson(page, "Hands")));
  expect("dragged between", await now(), [["Hygiene: Hands, Knives, Probing, Boards, Cloths", "Heat: "], ["courses"]]);
  await undone(page);
  expect("back from between", await now(), [written, ["courses", "courses"]]);
  await select(page, ["Boards", "Cloths"]);
  await done(page, () => drag(page, lesson(page, "Cloths"), lesson(page, "Probing")));
  expect("dragged", await now(), [["Hygiene: Hands, Knives", "Heat: Probing, Boards, Cloths"], ["courses"]]);
  // What was moved can be deleted: nobody but us has changed it.
  await done(page, () => page.locator(".outline-bar .danger").click());
  expect("deleted after that", (await now())[0], ["Hygiene: Hands, Knives", "Heat: Probing"]);
  for (let step = 0; step < 2; step += 1) await undone(page);
  expect("both taken back", (await now())[0], written);
  await takenAway(page, course, expect, now);
  page.off("request", note);
}

// One of them is gone by now: the others stay. And where one was moved on by somebody, none is fetched back.
async function takenAway(page, course, expect, now) {
  const { data } = await api("GET", `/v1/lessons?course_id=${course}`);
  const idOf = (name) => data.find((one) => one.name === name).id;
  await movedTo(page, ["Hands", "Boards"], "Heat");
  await api("POST", `/v1/lessons/${idOf("Hands")}/move`, { position: 0 });
  expect("what somebody moved since", (await undone(page)).startsWith("Not taken back"), true);
  await api("POST", `/v1/courses/${course}/move`, { ids: ["Hands", "Boards"].map(idOf), parent_id: data.find(({ name }) => name === "Knives").unit_id, position: 0 });
  await visit(page, "#/courses");
  await visit(page, `#/courses/${course}`);
  now();
  await api("DELETE", `/v1/lessons/${idOf("Cloths")}`);
  await movedTo(page, ["Knives", "Cloths"], "Heat");
  expect("one is gone", (await now())[0], ["Hygiene: Hands, Boards, Knives", "Heat: Probing"]);
  // It is read anew, and what is gone goes.
  await lesson(page, "Cloths").waitFor({ state: "detached" });
  await lesson(page, "Knives").locator("a.item-name").focus();
  await done(page, () => page.keyboard.press("Delete"));
}

// Units and activities go together as lessons do.
async function otherKinds(page, course, report) {
  const expect = expecting(report, "units and activities together");
  const things = async (path) => (await api("GET", `/v1/${path}?course_id=${course}&limit=100`)).data.toSorted((one, other) => one.position - other.position);
  const units = async () => (await things("units")).map(({ name }) => name);
  const pick = (selector, name) => page.locator(selector, { hasText: name }).locator("[data-part=pick]").first().evaluate((box) => box.click());
  const { id: unit } = await api("POST", "/v1/units", { course_id: course, name: "Cold" });
  const [first, second] = (await things("lessons")).filter(({ name }) => ["Hands", "Probing"].includes(name));
  for (const name of ["Cards", "Thoughts"]) await api("POST", "/v1/activities", { lesson_id: first.id, kind: "reflection", name });
  await visit(page, "#/courses");
  await visit(page, `#/courses/${course}`);
  for (const name of ["Heat", "Cold"]) await pick(".unit", name);
  await done(page, () => drag(page, page.locator(".unit", { hasText: "Cold" }), page.locator(".unit", { hasText: "Hygiene" })));
  expect("units", await units(), ["Heat", "Cold", "Hygiene"]);
  await undone(page);
  expect("units again", await units(), ["Hygiene", "Heat", "Cold"]);
  for (const name of ["Heat", "Cold"]) await pick(".unit", name);
  for (const name of ["Cards", "Thoughts"]) await pick(".activity", name);
  const of = async () => Promise.all([first, second].map(async ({ id, name }) => [name, (await api("GET", `/v1/activities?lesson_id=${id}`)).data.length]));
  await page.locator(".outline-bar .button").first().click();
  await page.locator("dialog select").selectOption({ value: second.id });
  await done(page, () => page.locator("dialog .button.main").click());
  expect("activities", await of(), [[first.name, 0], [second.name, 2]]);
  await undone(page);
  expect("activities again", await of(), [[first.name, 2], [second.name, 0]]);
  for (const { id } of (await api("GET", `/v1/activities?lesson_id=${first.id}`)).data) await api("DELETE", `/v1/activities/${id}`);
  await api("DELETE", `/v1/units/${unit}`);
  await visit(page, "#/courses");
  await visit(page, `#/courses/${course}`);
}

// What was added and moved and moved back is as it was added: that can be taken back too.
async function addedAndMoved(page, course, report) {
  await page.locator(".unit [data-add]").first().click();
  await names(page, ["Aprons"]);
  await lesson(page, "Aprons").locator("a.item-name").focus();
  await done(page, () => page.keyboard.press("Alt+ArrowUp"));
  for (let step = 0; step < 2; step += 1) await undone(page);
  expecting(report, "added and moved")("all of it taken back", await outlineOf(course), ["Hygiene: Hands, Boards", "Heat: Probing"]);
}

// Whoever goes on from a new name by Tab is where they went, also once the service has it.
async function goesOnByTab(page, course, report) {
  const expect = expecting(report, "going on by Tab");
  const write = (unit, name) => async () => {
    await unit.locator("[data-add]").click();
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
  };
  const focused = () => page.evaluate(() => ({ ...document.activeElement.dataset, in: document.activeElement.closest("[data-kind]")?.dataset.kind }));
  const [first, last] = [page.locator(".unit").first(), page.locator(".unit").last()];
  await done(page, write(first, "Sponges"));
  expect("the next unit", await focused(), { part: "pick", in: "unit" });
  await done(page, write(last, "Scales"));
  expect("what adds a unit", await focused(), { add: course });
  expect("both", await outlineOf(course), ["Hygiene: Hands, Boards, Sponges", "Heat: Probing, Scales"]);
  await page.locator("h1").click();
  for (let step = 0; step < 2; step += 1) await undone(page);
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

async function takenBackThere(page, course) {
  await page.locator(".toast .button").click();
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, `#/courses/${course}`);
  await settled(page);
}

// What has a page of its own is led to, and can be taken back there.
async function parts(page, course, report) {
  await choose(page, lesson(page, "Hands"), "Add an activity");
  await page.locator("dialog input").first().fill("What stays");
  await examined(page, "a new activity", report);
  await done(page, () => page.locator("dialog .button.main").click());
  report.led = [await page.evaluate(() => location.hash.split("/").at(-2))];
  await visit(page, `#/courses/${course}`);
  for (const isMeant of [false, true]) {
    await choose(page, page.locator(".unit").first(), "New assignment");
    await page.locator("dialog input").first().fill("A cleaning plan");
    await examined(page, "a new assignment", report);
    await done(page, () => page.locator("dialog .button.main").click());
    report.led.push(await page.evaluate(() => [location.hash.split("/").at(-1), document.activeElement.className].join()));
    if (isMeant) await visit(page, `#/courses/${course}`);
    else await takenBackThere(page, course);
  }
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
  report.back = await done(page, () => row.locator("button").first().click());
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
  await together(page, course, report);
  await otherKinds(page, course, report);
  await addedAndMoved(page, course, report);
  await goesOnByTab(page, course, report);
  const id = await overtaken(page, course, report);
  await parts(page, course, report);
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
    const looked = (place) => byDayAndNight(page, name, (as) => examined(page, `${as}, ${place}`, report, RULES[as]));
    for (const place of ["#/courses", `#/courses/${course}`, `#/courses/${course}/settings`, "#/trash"]) {
      await visit(page, place);
      await looked(place);
    }
    await visit(page, `#/courses/${course}`);
    const menu = page.locator(".lesson .menu-button").first();
    await menu.click();
    await looked("the menu of a lesson");
    await page.getByRole("menuitem").nth(-2).click();
    await page.locator(".item.selected").waitFor();
    await looked("a lesson is selected");
    if (pictures) await byDayAndNight(page, name, (as) => page.screenshot({ path: `${pictures}/console-outline-${as}.png` }));
    await page.locator(".unit [data-add]").first().click();
    // What is half below what stays on the screen is no small target.
    await page.evaluate(() => scrollTo(0, 0));
    await looked("adding a lesson");
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
