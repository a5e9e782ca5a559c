// Plays the first steps of a package against LMSs in a bad mood, and checks what the status policy promises.
//
//   node moods.mjs <package.zip or folder of a SCORM 2004 package>
//
// Every mood is a small API written here; one JSON line each, exit 0 only if all behave.
import { chromium } from "playwright-core";
import { answerQuiz } from "./answers.mjs";
import { contents, open } from "./package_files.mjs";
import { serve } from "./server.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Runs in the page before the player: an LMS with a mood, and a log of what it was asked.
function lms({ mood, stored }) {
  window.log = [];
  window.data = Object.assign({ "cmi.objectives._count": "0", "cmi.interactions._count": "0" }, stored);
  if (mood === "absent") return;
  const yes = mood === "null" ? () => null : mood === "boolean" ? () => true : () => "true";
  const api = {
    Initialize: () => (mood === "refuses" ? "false" : yes()),
    Terminate: () => yes(),
    Commit: () => yes(),
    GetLastError: () => (mood === "refuses" ? "102" : "0"),
    GetValue: (name) => (mood === "forgetful" ? "" : window.data[name] || ""),
    SetValue: (name, value) => {
      window.data[name] = value;
      const count = name.match(/^cmi\.(objectives|interactions)\.(\d+)\.id$/);
      if (count) window.data[`cmi.${count[1]}._count`] = String(Number(count[2]) + 1);
      return yes();
    },
  };
  for (const name of Object.keys(api)) {
    const plain = api[name];
    api[name] = (...args) => {
      window.log.push([name, ...args]);
      if (mood === "throws") throw new Error("not today");
      return plain(...args);
    };
  }
  const appear = () => { window.API_1484_11 = api; };
  if (mood === "late") setTimeout(appear, 700);
  else appear();
}

async function run(browser, origin, pack, { mood, stored = {}, wrong = false, steps }, check) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(lms, { mood, stored });
  await page.goto(`${origin}/package/index.html`);
  await page.locator("[data-action=start], [data-action=next], [data-action=finish], article.end").first().waitFor();
  const all = pack.course.units.flatMap((unit) => unit.steps);
  if (await page.locator("[data-action=start]").count()) await page.locator("[data-action=start]").click();
  for (const step of all.slice(0, steps)) {
    await page.locator(".body-inner > *").first().waitFor();
    if (step.kind === "quiz") {
      await answerQuiz(page, pack.documents.get(step.lesson).activities[step.id].questions);
      if (wrong) await page.locator("input[type=text]").first().fill("0");
    }
    if (step.kind === "reflection") await page.locator("textarea").fill("I would walk to the hill behind the mill and look.");
    if (await page.locator("[data-action=submit]:visible").count()) await page.locator("[data-action=submit]").click();
    await page.locator("[data-action=next], [data-action=finish]").click();
  }
  const seen = await page.evaluate(() => ({ data: window.data, log: window.log, heading: document.querySelector("h1").textContent }));
  const sets = seen.log.filter(([name]) => name === "SetValue").map(([, element, value]) => `${element}=${value}`);
  const fault = errors[0] || check({ ...seen, sets, all }) || null;
  console.log(JSON.stringify({ mood, stored: Object.keys(stored).length, sets: sets.length, fault }));
  await context.close();
  return { fault, data: seen.data };
}

const reached = (at) => ({ heading, all }) => heading !== all[at].title && `stands at ${heading}`;
const inOrder = ({ sets, log: whole }) => {
  const log = whole.filter(([name]) => name !== "GetLastError");
  if (log.filter(([name]) => name === "Initialize").length !== 1) return "Initialize not once";
  if (sets[0] !== "cmi.exit=suspend") return `first write is ${sets[0]}`;
  if (sets.some((set) => set.startsWith("cmi.score"))) return "a score in mid-course";
  const commits = log.map(([name], at) => (name === "Commit" ? at : -1)).filter((at) => at >= 0);
  return commits.every((at) => log[at - 1][1] === "cmi.session_time") ? null : "a commit without session time";
};

async function main() {
  const files = await open(process.argv[2]);
  const server = await serve(files.folder, "2004");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const faults = [];
  try {
    const pack = await contents(files.folder);
    const total = pack.course.units.flatMap((unit) => unit.steps).length;
    const go = async (plan, check) => {
      const { fault, data } = await run(browser, server.origin, pack, plan, check);
      if (fault) faults.push(fault);
      return data;
    };
    for (const mood of ["absent", "refuses", "throws"]) await go({ mood, steps: 2 }, reached(2));
    for (const mood of ["null", "boolean", "late", "forgetful"]) await go({ mood, steps: 3 }, (seen) => reached(3)(seen) || inOrder(seen));
    for (const stored of [{ "cmi.mode": "review" }, { "cmi.mode": "browse" }, { "cmi.credit": "no-credit" }]) {
      await go({ mood: "kind", stored, steps: 2 }, ({ sets }) => sets.length > 0 && `wrote ${sets[0]}`);
    }
    for (const text of ["1.", "zz.zz", "1.aaaaaa.000.AAAA", "{\"a\":1}", "1......", "1.abcdef.zzz.____.zzzzzz.0-0-9-x-y.~~~.%"]) {
      await go({ mood: "kind", stored: { "cmi.suspend_data": text, "cmi.location": "nowhere" }, steps: 1 }, () => null);
    }
    const failed = await go({ mood: "kind", wrong: true, steps: total }, ({ data }) => data["cmi.completion_status"] !== "completed" && "not completed");
    const passed = await go({ mood: "kind", steps: total }, ({ data }) => data["cmi.success_status"] !== "passed" && "not passed");
    const keeps = ({ data }) => (data["cmi.success_status"] !== "passed" || data["cmi.score.raw"] !== "100" || data["cmi.progress_measure"] !== "1") && "downgraded";
    await go({ mood: "kind", stored: passed, steps: 0 }, keeps);
    // The package was replaced by one with another structure: what the learner reached stays.
    const moved = { ...passed, "cmi.suspend_data": passed["cmi.suspend_data"].replace(/^1\.\w{6}/, "1.000000") };
    await go({ mood: "kind", stored: moved, steps: 0 }, keeps);
    if (!(Number(failed["cmi.score.raw"]) < 100)) faults.push("wrong answers scored in full");
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  process.exitCode = faults.length ? 1 : 0;
}

await main();
