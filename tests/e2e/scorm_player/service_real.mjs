// A learner in a package and its own, running service: plays everything, and comes back on another device, until the work
// that was handed in has a grade.
//
//   node service_real.mjs <package> <text to hand in> <question for the tutor>
//
// Prints one JSON object of what was there; the caller judges it.
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { contents, open } from "./package_files.mjs";
import { Launch, until } from "./service_launch.mjs";
import { serve } from "./server.mjs";

const FLAGS = ["--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const LONG = 40_000;

const [path, text, question] = process.argv.slice(2);

// To the end, and until everything that was noted down has been sent.
async function play(launch) {
  launch.text = text;
  await launch.play();
  const left = () => launch.page.evaluate(() => Object.values(localStorage).flatMap((one) => JSON.parse(one).entries || []).length);
  await until("everything is sent", async () => (await left()) === 0, LONG);
  await launch.visit(workOf(launch));
  await launch.frame.locator(".work-note.good", { hasText: "Handed in on" }).waitFor({ timeout: LONG });
}

// The grade, or nothing if there is none yet.
async function look(launch) {
  await launch.visit(workOf(launch));
  await launch.frame.locator(".work-note.good", { hasText: "Handed in on" }).waitFor({ timeout: LONG });
  const card = launch.frame.locator(".grade");
  return (await card.count()) ? card.innerText() : null;
}

async function askTutor(launch) {
  await launch.visit(launch.steps[0].id);
  await launch.frame.locator("[data-action=tutor]").click();
  await launch.frame.locator("#tutor-question").fill(question);
  await launch.frame.locator("[data-action=ask]").click();
  await launch.frame.locator(".from-tutor:not([aria-busy])").waitFor({ timeout: LONG });
  return launch.frame.locator(".from-tutor").innerText();
}

const workOf = (launch) => launch.steps.find((step) => step.kind === "assignment").id;

async function main() {
  const files = await open(path);
  const server = await serve(files.folder, "2004");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const report = { errors: [], grade: null, tutor: null, record: {}, lines: [] };
  try {
    const course = { origin: server.origin, pack: await contents(files.folder) };
    // All that goes from one launch to the next is what the LMS keeps.
    const during = async (act) => {
      const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1100, height: 800 } });
      const launch = await new Launch(context, course, { record: report.record }).open();
      const found = await act(launch);
      report.lines.push(...(await launch.serviceLine()));
      report.errors.push(...launch.errors, ...launch.dialogs);
      report.record = launch.record;
      await context.close();
      return found;
    };
    await during(play);
    report.grade = await until("a grade", () => during(look), LONG * 2);
    report.tutor = await during(askTutor);
  } catch (error) {
    report.errors.push(String(error));
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  console.log(JSON.stringify(report));
}

await main();
