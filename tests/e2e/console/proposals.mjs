// An author asks AI and decides, piece by piece: a course, a lesson beside its text, an activity; by the keys, and where others were faster.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node proposals.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark", language: "de" },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, language: "fr" },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" },
  spanish: { viewport: { width: 1600, height: 1000 }, language: "es" },
};
const SOURCE = "Cool rice in shallow trays within ninety minutes. An ice bath is a sink full of ice and water. Stir the pot every ten minutes, and write the temperature down. Reheat once only, to above 75 degrees.";
const LESSON = "# The danger zone\n\nBacteria multiply fast between 5 and 63 degrees.\n\nFood that is cooled must pass this zone within 90 minutes, in shallow containers.";
const THEIRS = "# The danger zone\n\nSomebody else wrote this meanwhile.";
const api = apiOf(base, key);

async function seeded() {
  const course = await api("POST", "/v1/courses", { name: "Food safety", language: "en", hours: 4, description: SOURCE });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Cooling" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "The danger zone", content: LESSON, duration_minutes: 20 });
  const content = { questions: [{ id: "q1", type: "true_false", prompt: "20 degrees is in the danger zone.", answer: true }] };
  const quiz = await api("POST", "/v1/activities", { lesson_id: lesson.id, kind: "quiz", name: "What stays", content });
  return { course, unit, lesson, quiz };
}

const spark = (page) => page.locator(".page-head .button", { has: page.locator(".icon-spark") });
const shownName = (page) => page.locator(".details h2").innerText();
const states = (page) => page.evaluate(() => [...document.querySelectorAll(".pieces .tag")].map((one) => one.className.split(" ").at(-1)));
const shown = (page, name) => page.locator(`.details h2:text-is(${JSON.stringify(name)})`).waitFor();

// What was said of the last thing done lies over what is pictured.
async function picture(page, name) {
  if (!pictures) return;
  const said = page.locator(".toast button");
  if (await said.count()) await said.click();
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

// A whole course, from a file: asked, followed, and there.
async function askForCourse(page, { course }, place, report) {
  await visit(page, `#/courses/${course.id}`);
  await spark(page).click();
  await page.locator("dialog details summary").click();
  await page.locator("dialog input[type=file]").setInputFiles({ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from(SOURCE) });
  await page.waitForFunction((text) => [...document.querySelectorAll("dialog textarea")].some((one) => one.value === text), SOURCE);
  await examined(page, `${place}, asking`, report);
  await page.locator("dialog .button.main").click();
  await page.locator(".pieces").waitFor();
  await page.locator(".details h2").waitFor();
  await settled(page);
  await examined(page, `${place}, proposals`, report);
}

// Through the list by the keys: one is discarded, one is changed first.
async function decides(page, place, report) {
  const facts = {};
  const names = await page.locator(".pieces .version-name").allInnerTexts();
  await page.keyboard.press("ArrowDown");
  await shown(page, names[1]);
  await page.keyboard.press("d");
  await page.locator(".pieces .tag.plain").first().waitFor();
  await page.waitForFunction((name) => document.querySelector(".details h2").innerText !== name, names[1]);
  facts.in_list = await page.evaluate(() => document.activeElement.matches(".piece-button[aria-current]"));
  await page.keyboard.press("e");
  await page.locator(".details form").waitFor();
  await examined(page, `${place}, changing`, report);
  await page.locator(".details form input").first().fill(`Changed in ${place}`);
  await page.locator(".details form .button.main").click();
  await page.locator(".pieces .tag.good").first().waitFor();
  await settled(page);
  await page.locator(".pieces [data-piece]").first().click();
  await shown(page, names[0]);
  await examined(page, `${place}, what is decided`, report);
  facts.states = (await states(page)).slice(0, 3);
  return facts;
}

async function acceptsTheRest(page) {
  await page.locator(".row.spread > .row > .button").click();
  await page.locator("dialog .button.main").click();
  await page.waitForFunction(() => !document.querySelector("dialog") && !document.querySelector(".pieces .tag.wait"));
  await settled(page);
}

// Beside what is written: asked, and shown. Nothing of it is in the lesson yet.
async function asksBeside(page, hash, place, report) {
  await visit(page, hash);
  await spark(page).click();
  await page.locator(".ask-beside textarea").first().fill(SOURCE);
  await examined(page, `${place}, asking`, report);
  await page.locator(".ask-beside .button.main").click();
  await page.locator(".ask-beside .deciding").waitFor();
  await settled(page);
  await examined(page, `${place}, proposed`, report);
}

async function inEveryLook(browser, held, report) {
  for (const [name, look] of Object.entries(LOOKS)) {
    const page = await openConsole(browser, base, look, report.faults);
    await signIn(page, key);
    await askForCourse(page, held, name, report);
    await picture(page, name === "light" ? "studio-proposals" : `proposals-${name}`);
    report.decided[name] = await decides(page, name, report);
    if (name === "light") {
      report.unit = await page.locator(".pieces .version-name").first().innerText();
      await acceptsTheRest(page);
      report.rest = [...new Set(await states(page))].sort();
    }
    await asksBeside(page, `#/courses/${held.course.id}/${held.lesson.id}/edit`, `${name}, the editor`, report);
    await picture(page, name === "light" ? "studio-beside" : `beside-${name}`);
    await page.locator('.ask-beside [data-do="discard"]').click();
    await page.locator('.ask-beside [data-do="reopen"]').waitFor();
    await examined(page, `${name}, discarded beside`, report);
    await asksBeside(page, `#/courses/${held.course.id}/${held.lesson.id}/activities/${held.quiz.id}`, `${name}, an activity`, report);
    await page.locator('.ask-beside [data-do="edit"]').click();
    await page.locator(".ask-beside form").waitFor();
    await examined(page, `${name}, changing an activity`, report);
    await visit(page, `#/courses/${held.course.id}/${held.lesson.id}`);
    await spark(page).click();
    await page.locator("dialog select").first().waitFor();
    await examined(page, `${name}, asking for activities`, report);
    await page.keyboard.press("Escape");
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
  }
}

// Somebody else was faster: both are shown, and one chooses.
async function overtaken(browser, held, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  await signIn(page, key);
  const path = `/v1/lessons/${held.lesson.id}`;
  await asksBeside(page, `#/courses/${held.course.id}/${held.lesson.id}/edit`, "before others", report);
  const facts = { untouched: (await api("GET", path)).content === LESSON };
  await api("PATCH", path, { content: THEIRS });
  await page.locator('.ask-beside [data-do="accept"]').click();
  await page.locator("dialog .difference").first().waitFor();
  await examined(page, "changed meanwhile", report);
  facts.gone = (await page.locator("dialog .difference del").allInnerTexts()).join("").includes("Somebody else wrote this meanwhile.");
  await page.locator("dialog .button.quiet").click();
  facts.left = (await api("GET", path)).content === THEIRS;
  await page.locator('.ask-beside [data-do="accept"]').click();
  await page.locator("dialog .button.danger").click();
  await page.waitForFunction(() => !document.querySelector("dialog, .ask-beside"));
  await settled(page);
  const lesson = await api("GET", path);
  facts.replaced = lesson.content.includes("An ice bath") && lesson.provenance.origin === "ai";
  const [version] = (await api("GET", `${path}/versions`)).data;
  facts.kept = (await api("GET", `/v1/versions/${version.id}`)).content.content === THEIRS;
  await page.context().close();
  return facts;
}

// What failed, what was called off, what landed by itself, what is gone, and what never was.
async function otherEnds(browser, held, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  await signIn(page, key);
  const empty = await api("POST", "/v1/lessons", { unit_id: held.unit.id, name: "Thin", content: "Cold." });
  const ended = async (path, body) => {
    const { id } = await api("POST", path, body);
    await visit(page, `#/generations/${id}`);
    await page.waitForFunction(() => !document.querySelector("progress"));
    await settled(page);
    return id;
  };
  const facts = {};
  await ended(`/v1/lessons/${empty.id}/activities/generate`, { kind: "quiz", review: true });
  facts.failed = await page.locator("#main h2").innerText();
  await examined(page, "failed", report);
  await ended(`/v1/units/${held.unit.id}/generate`, { brief: SOURCE });
  facts.landed = await page.locator(".empty-title").innerText();
  await ended(`/v1/lessons/${empty.id}/generate`, { brief: SOURCE, review: true });
  // Of a course that learners see one is told what accepting does.
  facts.unseen = await page.locator("#main > .notice, #main .lede + .notice").count();
  await api("POST", `/v1/courses/${held.course.id}/publish`, {});
  await visit(page, "#/courses");
  await page.goBack();
  await page.locator(".pieces").waitFor();
  facts.seen = await page.locator("#main .lede + .notice").innerText();
  await api("DELETE", `/v1/lessons/${empty.id}`);
  await visit(page, "#/courses");
  await page.goBack();
  await page.locator(".empty-title").waitFor();
  await settled(page);
  facts.gone = await page.locator(".empty-title").innerText();
  await examined(page, "gone", report);
  await page.context().close();
  return facts;
}

const report = { findings: [], faults: [], policy: [], decided: {} };
const browser = await launch();
try {
  const held = await seeded();
  await inEveryLook(browser, held, report);
  const units = (await api("GET", `/v1/units?course_id=${held.course.id}`)).data;
  report.units = units.map(({ name }) => name);
  const lessons = (await api("GET", `/v1/lessons?course_id=${held.course.id}&limit=100&expand=activities`)).data;
  const assignments = (await api("GET", `/v1/assignments?course_id=${held.course.id}&limit=100`)).data;
  const all = [...units, ...lessons, ...lessons.flatMap(({ activities }) => activities), ...assignments];
  report.changed = all.filter(({ name }) => name === "Changed in light").map(({ provenance }) => provenance?.origin ?? "ai_edited");
  report.overtaken = await overtaken(browser, held, report);
  report.ends = await otherEnds(browser, held, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// A version that is not the one is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 412/.test(fault));
console.log(JSON.stringify(report));
