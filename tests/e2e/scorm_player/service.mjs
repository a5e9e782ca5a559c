// Plays a package against a live service in every mood, and breaks the player on purpose to see that it shows.
//
//   node service.mjs <SCORM 2004 package, zip or folder> [refusals|outages|promises|mutations] [words in the name of a check]
//
// The package needs a quiz with a number to enter, every kind of question, and an assignment.
//
// One JSON line per check as it ends, and one object of all at the end; exit 0 only if all is as it should be.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { MockService } from "./mock_service.mjs";
import { contents, open } from "./package_files.mjs";
import { CHECKS, REFUSALS } from "./service_checks.mjs";
import { Launch } from "./service_launch.mjs";
import { MUTATIONS } from "./service_mutations.mjs";
import { serve } from "./server.mjs";

// Pages that come from the driver count as public ones, which may not ask the loopback interface by themselves.
const FLAGS = ["--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const AT_ONCE = 3;

// What a check plays in: one service, one device, as many launches as it likes.
class World {
  constructor(browser, course, script) {
    Object.assign(this, { browser, course, script, origin: course.origin });
    this.work = course.pack.course.units.flatMap((unit) => unit.steps).find((step) => step.kind === "assignment").id;
  }

  async open() {
    this.service = await new MockService().start();
    // Nobody looks at this: what fades and breathes would only be painted sixty times a second.
    this.context = await this.browser.newContext({ locale: "en-GB", reducedMotion: "reduce", viewport: { width: 1100, height: 800 } });
    this.config = { api: `${this.service.origin}/`, package: "scp_test", key: "lk_test" };
    return this;
  }

  async launch(options = {}) {
    const launch = new Launch(this.context, this.course, { script: this.script, service: this.config, ...options });
    if (options.clock) await this.context.clock.install();
    return launch.open();
  }

  async close() {
    await this.context.close();
    await this.service.stop().catch(() => {});
  }
}

async function outcome(browser, course, name, script) {
  const world = await new World(browser, course, script).open();
  try {
    return (await CHECKS[name](world)) || null;
  } catch (error) {
    return String(error).split("\n")[0];
  } finally {
    await world.close();
  }
}

async function inTurns(jobs) {
  const waiting = jobs.slice();
  const work = async () => { while (waiting.length) await waiting.shift()(); };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function main() {
  const [path, part, words = ""] = process.argv.slice(2);
  const files = await open(path);
  const server = await serve(files.folder, "2004");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const report = { checks: {}, mutations: {} };
  try {
    const course = { origin: server.origin, pack: await contents(files.folder) };
    const [name] = (await readdir(join(files.folder, "assets"))).filter((one) => /^player\..*\.js$/.test(one));
    const script = await readFile(join(files.folder, "assets", name), "utf8");
    const note = (where, what, found) => {
      report[where][what] = found;
      console.error(JSON.stringify({ [what]: found }));
    };
    const isMood = (one) => one.startsWith("mood: ");
    const refuses = (one) => REFUSALS.includes(one);
    const parts = { refusals: refuses, outages: (one) => isMood(one) && !refuses(one), promises: (one) => !isMood(one), mutations: () => false };
    const wanted = parts[part] || (() => true);
    const checks = Object.keys(CHECKS).filter((one) => wanted(one) && one.includes(words));
    const mutations = part && part !== "mutations" ? [] : MUTATIONS.filter((one) => one.name.includes(words));
    await inTurns([
      ...checks.map((one) => async () => note("checks", one, { fault: await outcome(browser, course, one) })),
      ...mutations.map((one) => async () => {
        const applies = script.split(one.from).length === 2;
        const fault = applies ? await outcome(browser, course, one.check, script.replace(one.from, () => one.to)) : null;
        note("mutations", one.name, { check: one.check, applies, fault });
      }),
    ]);
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  console.log(JSON.stringify(report));
  const good = Object.values(report.checks).every((one) => !one.fault) && Object.values(report.mutations).every((one) => one.applies && one.fault);
  process.exitCode = good ? 0 : 1;
}

await main();
