// The browser, the server and the packages that all scenarios of a run share.
import { readdir } from "node:fs/promises";
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

export class World {
  static async open(folder) {
    const world = new World();
    world.host = new Host();
    world.packs = new Map();
    world.files = [];
    for (const name of (await readdir(folder)).filter((one) => one.endsWith(".zip"))) {
      const files = await open(join(folder, name));
      world.files.push(files);
      world.packs.set(name.replace(/\.zip$/, ""), { folder: files.folder, ...(await contents(files.folder)) });
    }
    await world.host.listen();
    world.browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    return world;
  }

  async close() {
    await this.browser.close();
    await this.host.close();
    for (const files of this.files) await files.remove();
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
