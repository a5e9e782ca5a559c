// A course in a page of its own with an LMS that says yes to everything: for looking at the player, not at records.
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { answerQuiz } from "./answers.mjs";
import { atRest } from "./at_rest.mjs";
import { isPolicy } from "./server.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

// Runs in the page before the player.
function agreeableLms(stored) {
  // Every shuffle comes out the same.
  Math.random = () => 0.5;
  const data = Object.assign({ "cmi.learner_id": "learner-1", "cmi.learner_name": "Rivera, Ana" }, stored);
  window.written = data;
  window.API_1484_11 = {
    Initialize: () => "true",
    Terminate: () => { window.terminated = (window.terminated || 0) + 1; return "true"; },
    Commit: () => "true",
    GetLastError: () => "0",
    GetValue: (name) => data[name] || "",
    SetValue: (name, value) => { data[name] = value; window.sets = (window.sets || 0) + 1; return "true"; },
  };
}

// `look` is what Playwright's contexts take: viewport, colours, touch. What goes wrong in the page lands in `faults`; `before` is
// done to it while it is empty.
export async function openCourse(browser, origin, look, faults, stored = {}, before = async () => {}) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", ...look });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error" && !isPolicy(message.text())) faults.push(message.text()); });
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.addInitScript(agreeableLms, stored);
  await before(page);
  await page.goto(`${origin}/package/index.html`);
  await page.locator("[data-action=start], [data-action=next], [data-action=finish], article.end").first().waitFor();
  return page;
}

export function stepsOf(course) {
  return course.units.flatMap((unit) => unit.steps);
}

export function contentOf(pack, step) {
  const document = pack.documents.get(step.lesson);
  return step.id === step.lesson ? document : document.activities[step.id];
}

// Through the menu, as far as it is there: on a phone it has to be opened first.
export async function goToStep(page, at) {
  const toggle = page.locator(".menu-toggle");
  if ((await toggle.isVisible()) && (await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  const link = page.locator(`[data-step="${at}"]`);
  if (!(await link.isVisible())) await page.locator(".units > li", { has: link }).locator(".unit-toggle").click();
  await link.click();
  await page.locator(`[data-step="${at}"][aria-current]`).waitFor({ state: "attached" });
  await settled(page);
}

// The step's content is there, and nothing moves or loads any more.
export async function settled(page) {
  await page.locator(".body-inner > *:not(.loading), .cover, .end, .closed").first().waitFor();
  await page.evaluate(async () => {
    // One that is not shown yet, as in feedback, is not loaded before it is: whoever waited for it would wait for ever.
    const near = Array.from(document.images).filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight);
    await Promise.all(near.map((image) => image.decode().catch(() => {})));
  });
  await page.evaluate(atRest);
}

// Does what a step asks for, and before it is handed in what `amiss` does; false if it asks for nothing.
export async function act(page, step, content, amiss = async () => {}) {
  if (step.kind === "quiz") await answerQuiz(page, content.questions);
  if (step.kind === "reflection") await page.locator(".body textarea").fill("I would walk to the hill behind the mill and look.");
  if (step.kind === "flashcards") await page.locator("[data-action=flip]").click();
  if (step.kind === "assignment" && (await page.locator(".body textarea").count())) await page.locator(".body textarea").first().fill("I went out on three evenings and drew what I saw.");
  await amiss();
  const submit = page.locator(".body [data-action=submit]:visible");
  if (await submit.count()) await submit.first().click();
  else if (step.kind !== "flashcards") return false;
  await settled(page);
  return true;
}
