// What an author tries before anybody sees it: a text as it is typed, a lesson and a quiz with the player, a rubric on an answer.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node trying.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf, until } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
};
const api = apiOf(base, key);
const ANSWER = "Divide the stew into shallow containers and cool it within 90 minutes. 🍲 Then it goes into the fridge.";
const QUIZ = { questions: [{ id: "q1", type: "true_false", prompt: "Is 20 °C in the danger zone?", answer: true }] };

async function seeded() {
  const course = await api("POST", "/v1/courses", { name: "Kitchen physics", language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Heat" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "Cold and hot", content: "It is **cold**.\n" });
  const quiz = await api("POST", "/v1/activities", { lesson_id: lesson.id, kind: "quiz", name: "Check yourself", content: QUIZ });
  const rubric = { criteria: [{ id: "method", name: "Method", max_points: 10, reference_answers: ["Cool it within 90 minutes in shallow containers."] }] };
  const plan = await api("POST", "/v1/assignments", { course_id: course.id, name: "A plan", instructions: "How is a stew *cooled*?", rubric });
  return { course, lesson, quiz, plan };
}

const seenText = (page) => page.evaluate(() => document.querySelector(".preview-text > div")?.shadowRoot?.textContent || "");
const says = (page, words) => page.waitForFunction((text) => document.querySelector(".save-state")?.innerText.includes(text), words);
const note = (page) => page.locator(".pane.see .hint").innerText();

async function author(browser, look, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  return page;
}

// Nothing is saved while the service takes no saves, and what is typed is seen all the same.
async function typed(page, held, report) {
  await visit(page, `#/courses/${held.course.id}/${held.lesson.id}/edit`);
  await page.route("**/v1/lessons/*", (route) => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Not *saved* yet. <marquee>x</marquee>");
  await until(() => seenText(page), (text) => text.includes("Not saved yet."));
  await says(page, "Not saved");
  report.typed = { note: await note(page), warned: await page.locator(".pane.see .warned li").innerText() };
  report.typed.kept = (await api("GET", `/v1/lessons/${held.lesson.id}`)).content;
  await page.context().setOffline(true);
  await page.keyboard.type(" Away.");
  await until(() => note(page), (text) => text.includes("before"));
  report.typed.away = [await note(page), (await seenText(page)).includes("Away")];
  await page.context().setOffline(false);
  await until(() => seenText(page), (text) => text.includes("Away."));
  report.typed.back = await note(page);
  await page.unroute("**/v1/lessons/*");
  await says(page, "Saved");
}

const player = (page) => until(() => page.frames().find((frame) => frame.url().includes("/package/index.html")), Boolean);

// The last of it is saved by trying it, and the player shows it; it has no origin, and so nothing to keep anything in.
async function lessonPlayed(page, held, report, pictured) {
  await page.route("**/v1/lessons/*", async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  await page.keyboard.type(" Now.");
  await page.locator(".page-head .button", { hasText: "Try it" }).click();
  await page.locator(".try-dialog iframe").waitFor();
  const frame = await player(page);
  await frame.waitForSelector("text=Away. Now.");
  report.lesson = {
    said: await page.locator(".try-dialog .notice").innerText(),
    kept: (await api("GET", `/v1/lessons/${held.lesson.id}`)).content.includes("Away. Now."),
    origin: await frame.evaluate(() => window.origin),
    storage: await frame.evaluate(() => {
      try {
        return typeof localStorage;
      } catch (error) {
        return error.name;
      }
    }),
    page: await page.frames().find((one) => /\/preview\?/.test(one.url())).locator("#said").innerText(),
  };
  if (pictured) await page.screenshot({ path: `${pictured}/studio-trying.png` });
  await page.locator(".try-dialog > .row .button").click();
  report.lesson.focus = await page.evaluate(() => document.activeElement.textContent);
}

async function quizPlayed(page, held, report) {
  await visit(page, `#/courses/${held.course.id}/${held.lesson.id}/activities/${held.quiz.id}`);
  await page.locator(".page-head .button", { hasText: "Try it" }).click();
  await page.locator(".try-dialog iframe").waitFor();
  const frame = await player(page);
  await frame.locator("label", { hasText: "True" }).click();
  await frame.locator("button", { hasText: "Check answers" }).click();
  await frame.waitForSelector("text=100");
  const { data } = await api("GET", `/v1/activities/${held.quiz.id}/attempts`);
  report.quiz = { attempts: data.length, name: await frame.locator("h1").first().innerText() };
  await page.locator(".try-dialog > .row .button").click();
}

// The rubric as it stands on the page, on an answer; then saved, and tried again.
async function rubricTried(page, held, report) {
  await visit(page, `#/assignments/${held.plan.id}/edit`);
  await page.locator(".as-seen > summary").click();
  await page.waitForFunction(() => document.querySelector(".as-seen .preview-text > div")?.shadowRoot?.querySelector("em"));
  await page.locator(".criteria-list input").first().fill("How it is done");
  const tried = page.locator("section", { has: page.locator("h2", { hasText: "Try it on this answer" }) });
  await tried.locator("button", { hasText: "Try it" }).click();
  report.rubric = { empty: await tried.locator(".trouble").innerText() };
  await tried.locator("textarea").fill(ANSWER);
  await tried.locator("textarea").press("Control+Enter");
  await tried.locator(".tried-result").waitFor();
  const marks = tried.locator("mark.evidence");
  report.rubric.marked = (await marks.allInnerTexts()).length > 0;
  report.rubric.criterion = await tried.locator(".criterion-head .name").innerText();
  report.rubric.unsaved = await tried.locator(".tried > .notice").innerText();
  report.rubric.focus = await page.evaluate(() => document.activeElement.localName);
  await tried.locator(".criterion-head").click();
  report.rubric.lit = (await tried.locator("mark.evidence.on").count()) > 0;
  report.rubric.submissions = (await api("GET", `/v1/submissions?assignment_id=${held.plan.id}`)).data.length;
  report.rubric.saved = (await api("GET", `/v1/assignments/${held.plan.id}`)).rubric.criteria[0].name;
  await page.locator(".save-bar .button").click();
  await page.waitForFunction(() => document.querySelector(".toast")?.textContent.includes("Saved."));
  await tried.locator("textarea").press("Control+Enter");
  await until(() => tried.locator(".tried > .notice").count(), (count) => count === 0);
}

async function inEveryLook(browser, held, report) {
  for (const [name, look] of Object.entries(LOOKS)) {
    const page = await author(browser, look, report);
    await visit(page, `#/courses/${held.course.id}/${held.lesson.id}/edit`);
    await page.locator(".page-head .button", { has: page.locator(".icon-eye") }).click();
    await page.locator(".try-dialog iframe").waitFor();
    await (await player(page)).waitForSelector("h1");
    await examined(page, `${name}, the try`, report);
    if (pictures && name !== "light") await page.screenshot({ path: `${pictures}/trying-${name}.png` });
    await page.locator(".try-dialog > .row .button").click();
    await visit(page, `#/assignments/${held.plan.id}/edit`);
    await page.locator(".as-seen > summary").click();
    const area = page.locator(".tried-answer");
    await area.fill(ANSWER.replace("🍲 ", ""));
    await area.press("Control+Enter");
    await page.locator(".tried-result").waitFor();
    await examined(page, `${name}, a rubric that is tried`, report);
    if (pictures) await page.locator(".tried").screenshot({ path: `${pictures}/${name === "light" ? "studio-rubric-tried" : `rubric-tried-${name}`}.png` });
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
  }
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  const held = await seeded();
  const page = await author(browser, LOOKS.light, report);
  await typed(page, held, report);
  await lessonPlayed(page, held, report, pictures);
  await quizPlayed(page, held, report);
  await rubricTried(page, held, report);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
  await inEveryLook(browser, held, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// The network that goes, and saves that are kept away, are what some of it is about.
report.faults = report.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault));
console.log(JSON.stringify(report));
