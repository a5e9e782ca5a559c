// The browser, the server and the packages that all scenarios of a run share.
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../../chromium.mjs";
import { contents, open } from "../package_files.mjs";
import { Bed } from "./bed.mjs";
import { FINDING } from "./finding.mjs";
import { Host } from "./host.mjs";
import { OUTCOMES } from "./outcomes.mjs";
import { LARGE, RECORDS } from "./records.mjs";
import { VISITS } from "./visits.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-breakpad"];
const AT_ONCE = 4;

export const themes = { outcomes: OUTCOMES, visits: VISITS, finding: FINDING, records: RECORDS, large: LARGE };
const scenarios = Object.assign({}, ...Object.values(themes));

async function unpacked(archive) {
  const { folder, remove } = await open(archive);
  return { folder, remove, ...(await contents(folder)) };
}

export class World {
  static async open(folder) {
    const world = new World();
    world.host = new Host();
    world.folder = folder;
    world.packs = new Map();
    world.devices = [];
    await world.host.listen();
    world.browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    return world;
  }

  async close() {
    await this.browser.close();
    await this.host.close();
    for (const { remove } of await Promise.all(this.packs.values())) await remove();
  }

  // A package, unpacked when it is first asked for: most runs play few of those that are there.
  pack(name) {
    if (!this.packs.has(name)) this.packs.set(name, unpacked(join(this.folder, `${name}.zip`)));
    return this.packs.get(name);
  }

  // An empty page of a device that knows nobody. A process of its own for every visit is most of what a visit takes, so one that
  // is left as it was is used again.
  async device() {
    return this.devices.pop() || this.newDevice();
  }

  // Nobody looks at this: what fades and breathes would only be painted sixty times a second.
  async newDevice() {
    const context = await this.browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
    return context.newPage();
  }

  async takeBack(page) {
    // Whatever the last page keeps when it is left is there by then.
    await page.goto(`${this.host.origin}/bed/empty`);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.context().clearCookies();
    this.devices.push(page);
  }

  async each(items, work) {
    const left = items.slice();
    const worker = async () => {
      for (let item = left.shift(); item; item = left.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  // What is wrong in a scenario, or null. `edits` change the package on its way to the browser.
  async fault(name, edition, edits) {
    const bed = new Bed(this, edition, edits);
    try {
      await scenarios[name](bed);
      bed.inOrder();
      return null;
    } catch (error) {
      const heard = bed.visits.flatMap((visit) => [...visit.errors, ...visit.record.faults]);
      return [String(error.message).split("\n")[0], ...heard.slice(0, 3)].join("; ");
    } finally {
      await bed.close();
    }
  }
}
