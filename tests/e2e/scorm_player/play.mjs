// Plays a package from start to finish in a real browser against a real SCORM run-time.
//
//   node play.mjs <package.zip or folder> <1.2|2004> [play|resume] [--shots <folder>]
//
// Prints one JSON object; exits 0 only if the course was completed without a console error or an outside request.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { answerQuiz } from "./answers.mjs";
import { atRest } from "./at_rest.mjs";
import { contents, open } from "./package_files.mjs";
import { isPolicy, serve } from "./server.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const DEADLINE_MS = 55_000;

const [path, edition, ...rest] = process.argv.slice(2);
const mode = rest[0] === "resume" ? "resume" : "play";
const shots = rest.includes("--shots") ? rest[rest.indexOf("--shots") + 1] : null;
if (!path || !["1.2", "2004"].includes(edition)) {
  console.error("usage: node play.mjs <package.zip or folder> <1.2|2004> [play|resume] [--shots <folder>]");
  process.exit(2);
}

// One learner's record at the LMS: it outlives the tabs.
class Record {
  constructor() { this.cmi = null; this.terminated = 0; }
  store(json, by) { this.cmi = JSON.parse(json); if (by === "Terminate") this.terminated += 1; }
}

async function visit(browser, origin, record, seen) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB" });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  page.on("console", (message) => { if (message.type() === "error" && !isPolicy(message.text())) seen.errors.push(message.text()); });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) seen.outside.push(request.url()); });
  page.on("dialog", (dialog) => { seen.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.exposeFunction("storeCmi", (json, by) => record.store(json, by));
  await page.addInitScript((cmi) => { window.storedCmi = cmi; }, record.cmi);
  await page.goto(`${origin}/lms`);
  const frame = page.frameLocator("#sco");
  await frame.locator("[data-action=start], [data-action=next], [data-action=finish], article.end").first().waitFor();
  return { context, page, frame };
}

// Does what a step asks for and moves on; false when the course is over.
async function playStep(frame, course, documents, seen, shoot) {
  const current = await frame.locator(".step-link[aria-current]").getAttribute("data-step");
  const steps = course.units.flatMap((unit) => unit.steps);
  const step = steps[Number(current)];
  const document = documents.get(step.lesson);
  const content = step.id === step.lesson ? document : document.activities[step.id];
  await frame.locator(".body-inner > *").first().waitFor();
  await shoot(step, "before");
  if (step.kind === "quiz") await answerQuiz(frame, content.questions);
  if (step.kind === "reflection") await frame.locator("textarea").fill("I would walk to the hill behind the mill and look for Leo.");
  if (step.kind === "flashcards") await frame.locator("[data-action=flip]").press("Enter");
  if (step.kind === "assignment") await frame.locator("textarea").fill("I went out on three evenings and drew what I saw.");
  const submit = frame.locator("[data-action=submit]:visible");
  if (await submit.count()) await submit.press("Enter");
  await shoot(step, "after");
  seen.steps += 1;
  const finish = frame.locator("[data-action=finish]");
  if (await finish.count()) {
    await finish.press("Enter");
    await frame.locator("article.end").waitFor();
    return false;
  }
  await frame.locator("[data-action=next]").press("Enter");
  await frame.locator(`.step-link[data-step="${Number(current) + 1}"][aria-current]`).waitFor({ state: "attached" });
  return true;
}

function shooter(page) {
  return async (step, when) => {
    if (!shots) return;
    await mkdir(shots, { recursive: true });
    await page.frames()[1].evaluate(atRest);
    await page.screenshot({ path: join(shots, `${String(step.id)}-${when}.png`) });
  };
}

function summary(record, seen) {
  const cmi = record.cmi || {};
  const core = cmi.core || {};
  const interactions = cmi.interactions || {};
  return {
    completion_status: cmi.completion_status, success_status: cmi.success_status, lesson_status: core.lesson_status,
    score_raw: (core.score || cmi.score || {}).raw, score_scaled: (cmi.score || {}).scaled, progress_measure: cmi.progress_measure,
    location: core.lesson_location || cmi.location, exit: core.exit || cmi.exit, suspend_data_length: (cmi.suspend_data || "").length,
    interactions: Object.keys(interactions.childArray || interactions).length,
    objectives: Object.keys((cmi.objectives || {}).childArray || cmi.objectives || {}).length,
    terminated: record.terminated, refused_calls: seen.refused, console_errors: seen.errors, requests_outside: seen.outside, steps: seen.steps,
  };
}

// Leaving the page is what ends a visit: the record must be whole after it.
async function leave({ context, page }, seen) {
  seen.refused.push(...(await page.evaluate(() => window.refusedCalls || [])));
  await page.evaluate(() => { document.getElementById("sco").src = "about:blank"; });
  await page.waitForTimeout(300);
  await context.close();
}

async function play(browser, origin, pack, record, seen) {
  const visitor = await visit(browser, origin, record, seen);
  await visitor.frame.locator("[data-action=start]").press("Enter");
  await visitor.frame.locator(".step-link[aria-current]").waitFor({ state: "attached" });
  while (await playStep(visitor.frame, pack.course, pack.documents, seen, shooter(visitor.page)));
  await shooter(visitor.page)({ id: "end" }, "after");
  await leave(visitor, seen);
  const result = summary(record, seen);
  const complete = edition === "1.2" ? ["completed", "passed"].includes(result.lesson_status) : result.completion_status === "completed";
  return { result, good: complete && result.terminated === 1 };
}

// Half the course, the tab is closed without a word, and the next visit goes on where the last one stood.
async function resume(browser, origin, pack, record, seen) {
  const first = await visit(browser, origin, record, seen);
  await first.frame.locator("[data-action=start]").press("Enter");
  await first.frame.locator(".step-link[aria-current]").waitFor({ state: "attached" });
  const half = Math.floor(pack.course.units.flatMap((unit) => unit.steps).length / 2);
  for (let step = 0; step < half; step += 1) await playStep(first.frame, pack.course, pack.documents, seen, async () => {});
  const before = await place(first.frame);
  await first.context.close();
  const second = await visit(browser, origin, record, seen);
  const after = await place(second.frame);
  await leave(second, seen);
  const result = Object.assign(summary(record, seen), { before, after });
  return { result, good: before.step === after.step && before.heading === after.heading && before.done === after.done && after.done > 0 };
}

async function place(frame) {
  const current = frame.locator(".step-link[aria-current]");
  await current.waitFor({ state: "attached" });
  return { step: await current.getAttribute("data-step"), heading: await frame.locator("h1").innerText(), done: await frame.locator(".step-link.done").count() };
}

async function main() {
  const seen = { errors: [], outside: [], refused: [], steps: 0 };
  const record = new Record();
  const files = await open(path);
  const server = await serve(files.folder, edition);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const stop = setTimeout(() => { seen.errors.push("out of time"); browser.close(); }, DEADLINE_MS);
  let outcome;
  try {
    const pack = await contents(files.folder);
    outcome = await (mode === "resume" ? resume : play)(browser, server.origin, pack, record, seen);
  } catch (error) {
    seen.errors.push(String(error));
    outcome = { result: summary(record, seen), good: false };
  } finally {
    clearTimeout(stop);
    await browser.close();
    await server.close();
    await files.remove();
  }
  console.log(JSON.stringify(outcome.result));
  const clean = !seen.errors.length && !seen.outside.length && !seen.refused.length;
  process.exitCode = outcome.good && clean ? 0 : 1;
}

await main();
