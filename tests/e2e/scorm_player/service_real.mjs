// A learner in a package and its own, running service: plays everything, or comes back to look at the grade.
//
//   node service_real.mjs <package> play|look <file that keeps the LMS's record> [text to hand in]
//
// Prints one JSON object of what was there; the caller judges it. Each launch is another device.
import { readFile, writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { contents, open } from "./package_files.mjs";
import { Launch, until } from "./service_launch.mjs";
import { serve } from "./server.mjs";

const FLAGS = ["--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const LONG = 40_000;

const [path, part, file, text] = process.argv.slice(2);

// To the end, and until everything that was noted down has been sent.
async function play(launch) {
  launch.text = text;
  await launch.play();
  const left = () => launch.page.evaluate(() => Object.values(localStorage).flatMap((one) => JSON.parse(one).entries || []).length);
  await until("everything is sent", async () => (await left()) === 0, LONG);
  await launch.visit(workOf(launch));
  await launch.frame.locator(".work-note.good", { hasText: "Handed in on" }).waitFor({ timeout: LONG });
  return {};
}

async function look(launch) {
  const news = launch.frame.locator(".status", { hasText: "has been graded" });
  await news.waitFor({ timeout: LONG });
  await launch.visit(workOf(launch));
  const grade = await launch.frame.locator(".grade").innerText();
  await launch.visit(launch.steps[0].id);
  await launch.frame.locator("[data-action=tutor]").click();
  await launch.frame.locator("#tutor-question").fill(text);
  await launch.frame.locator("[data-action=ask]").click();
  await launch.frame.locator(".from-tutor:not([aria-busy])").waitFor({ timeout: LONG });
  return { grade, tutor: await launch.frame.locator(".from-tutor").innerText() };
}

const workOf = (launch) => launch.steps.find((step) => step.kind === "assignment").id;

async function main() {
  const files = await open(path);
  const server = await serve(files.folder, "2004");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const report = { errors: [] };
  let launch;
  try {
    const record = part === "look" ? JSON.parse(await readFile(file, "utf8")) : {};
    const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1100, height: 800 } });
    launch = new Launch(context, { origin: server.origin, pack: await contents(files.folder) }, { record });
    await launch.open();
    Object.assign(report, await (part === "look" ? look : play)(launch));
  } catch (error) {
    report.errors.push(String(error));
  } finally {
    report.errors.push(...launch.errors, ...launch.dialogs);
    report.lines = await launch.serviceLine().catch(() => []);
    report.record = launch.record;
    await browser.close();
    await server.close();
    await files.remove();
  }
  if (part === "play") await writeFile(file, JSON.stringify(report.record));
  console.log(JSON.stringify(report));
}

await main();
