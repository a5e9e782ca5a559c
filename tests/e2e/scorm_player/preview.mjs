// Looks at a package in the preview, as a teacher would: a few steps, what is reported, review mode, starting over.
//
//   node preview.mjs <preview address> <package.zip> [--shots <folder>]
//
// Prints one JSON object of what was seen; the caller judges it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { answerQuiz } from "./answers.mjs";
import { violationsOf } from "./axe.mjs";
import { contents, open } from "./package_files.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const DEADLINE_MS = 120_000;

const [address, archive, ...rest] = process.argv.slice(2);
const shots = rest[0] === "--shots" ? rest[1] : null;
const { origin } = new URL(address);

// Runs in the page and its frame before they do: what their own policies kept out.
function listen() {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });
}

async function visit(browser, report, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => { if (message.type() === "error") report.errors.push(`${message.text()} ${message.location().url}`); });
  page.on("pageerror", (error) => report.errors.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(`${origin}/`) && !/^(data|about):/.test(request.url())) report.outside.push(request.url()); });
  page.on("response", (response) => { if (response.status() >= 400) report.refused.push(`${response.status()} ${response.url()}`); });
  await page.addInitScript(listen);
  await page.goto(address);
  await arrived(page);
  return { context, page, frame: page.frameLocator("#course") };
}

const FLOW = "[data-action=start], [data-action=next], [data-action=finish], article.end";
const arrived = (page) => page.frameLocator("#course").locator(FLOW).first().waitFor();

async function shoot(page, name) {
  if (!shots) return;
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

// Does what the step at hand asks for and goes on to the next one.
async function playStep(frame, pack) {
  const current = await frame.locator(".step-link[aria-current]").getAttribute("data-step");
  const step = pack.course.units.flatMap((unit) => unit.steps)[Number(current)];
  await frame.locator(".body-inner > *").first().waitFor();
  if (step.kind === "quiz") await answerQuiz(frame, pack.documents.get(step.lesson).activities[step.id].questions);
  if (step.kind === "reflection") await frame.locator("textarea").fill("I would walk to the hill behind the mill and look for Leo.");
  const submit = frame.locator("[data-action=submit]:visible");
  if (await submit.count()) await submit.press("Enter");
  const last = await frame.locator("[data-action=finish]").count();
  await frame.locator("[data-action=next], [data-action=finish]").click();
  return !last;
}

// What the pane says, when it has come to rest.
async function reported(page) {
  await page.waitForTimeout(300);
  return page.evaluate(() => ({
    values: Object.fromEntries([...document.querySelectorAll("[data-value]")].map((node) => [node.dataset.value, node.textContent])),
    answers: [...document.querySelectorAll("#answers tbody tr")].map((row) => row.dataset.word || row.lastChild.dataset.word),
    objectives: document.querySelectorAll("#objectives tbody tr").length,
    calls: Number(document.getElementById("calls-count").textContent.replace(/\D/g, "")),
    review: [...document.querySelectorAll("#calls [data-review]")].map((line) => line.dataset.method.replace("LMS", "")),
    faults: [...document.querySelectorAll("#calls .error")].map((line) => line.textContent),
  }));
}

async function barriers(page, what) {
  return (await violationsOf(page)).map((violation) => `${what}: ${violation}`);
}

// From the first step to the last, with the report beside it.
async function plays(browser, report, pack) {
  const { context, page, frame } = await visit(browser, report, {});
  report.title = await page.locator("#title").innerText();
  report.opened = await reported(page);
  await shoot(page, "opened");
  if (await frame.locator("[data-action=start]").count()) await frame.locator("[data-action=start]").click();
  for (let at = 0; at < 2; at += 1) await playStep(frame, pack);
  report.begun = await reported(page);
  await shoot(page, "begun");

  await page.locator("#return").click();
  await page.locator("#said", { hasText: "opened again" }).waitFor({ state: "attached" });
  await arrived(page);
  report.returned = await reported(page);
  while (await playStep(frame, pack));
  await frame.locator("article.end").waitFor();
  report.finished = await reported(page);
  report.axe.push(...(await barriers(page, "finished")));
  await shoot(page, "finished");
  await page.locator("#toggle").press("Enter");
  await shoot(page, "alone");

  await page.reload();
  await arrived(page);
  report.reloaded = await reported(page);
  await reviews(page, frame, pack, report);
  await page.locator("#restart").click();
  await page.locator("#said", { hasText: "Started over" }).waitFor({ state: "attached" });
  await arrived(page);
  report.restarted = await reported(page);
  report.heard = await page.locator("#said").locator("p").allInnerTexts();
  report.violations.push(...(await page.evaluate(() => window.violations)));
  await context.close();
}

// In review mode the same course tells the LMS nothing.
async function reviews(page, frame, pack, report) {
  await page.locator("#review").focus();
  await page.keyboard.press("Space");
  await page.locator("#mode").waitFor();
  await arrived(page);
  await frame.locator(".step-link").first().evaluate((link) => link.click());
  await playStep(frame, pack);
  report.reviewed = await reported(page);
  report.axe.push(...(await barriers(page, "review")));
  await shoot(page, "review");
  await page.locator("#review").click();
  await page.locator("#mode").waitFor({ state: "hidden" });
  await arrived(page);
}

// On a phone the report is closed at first; in the dark it has other colours.
async function elsewhere(browser, report) {
  const phone = await visit(browser, report, { viewport: { width: 390, height: 780 }, hasTouch: true });
  report.phone_report = await phone.page.locator("#report").isVisible();
  report.phone_overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  report.axe.push(...(await barriers(phone.page, "phone")));
  await shoot(phone.page, "phone");
  await phone.page.locator("#toggle").tap();
  await phone.page.locator("#report").waitFor();
  report.axe.push(...(await barriers(phone.page, "phone report")));
  await shoot(phone.page, "phone-report");
  await phone.context.close();
  const dark = await visit(browser, report, { colorScheme: "dark" });
  report.axe.push(...(await barriers(dark.page, "dark")));
  await shoot(dark.page, "dark");
  await dark.context.close();
}

async function main() {
  const report = { errors: [], outside: [], refused: [], violations: [], axe: [] };
  const files = await open(archive);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const stop = setTimeout(() => { report.errors.push("out of time"); browser.close(); }, DEADLINE_MS);
  try {
    await plays(browser, report, await contents(files.folder));
    await elsewhere(browser, report);
  } catch (error) {
    report.errors.push(String(error));
  } finally {
    clearTimeout(stop);
    await browser.close();
    await files.remove();
  }
  console.log(JSON.stringify(report));
}

await main();
