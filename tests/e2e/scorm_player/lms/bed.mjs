// One scenario's LMS record, its visits, and what is expected of every one of them.
import { learn } from "./learner.mjs";

// How long to wait for what should happen at once: a machine may be very busy. Who expects failures shortens it.
export const patience = { ms: 40_000 };

export function expect(holds, complaint) {
  if (!holds) throw new Error(complaint);
}

export async function until(what, found) {
  for (const end = Date.now() + patience.ms; Date.now() < end;) {
    const value = await found();
    if (value) return value;
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
  throw new Error(`waited in vain for ${what}`);
}

// Runs in the package: its first page is there. A locator would bring its own large script into every page first.
async function shown(within) {
  const isThere = () => document.querySelector("[data-action=start], [data-action=next], [data-action=finish], article.end")?.checkVisibility();
  for (const end = Date.now() + within; !isThere(); await new Promise((resolve) => { setTimeout(resolve, 25); })) {
    if (Date.now() > end) throw new Error("waited in vain for the first page");
  }
}

const HEARD = ["pageerror", "dialog", "console", "request"];

let plans = 0;

export class Bed {
  // `world`: { host, pack, device }, pack by "<course>-<edition>": { folder, course, documents }.
  constructor(world, edition, edits = []) {
    Object.assign(this, { world, edition, edits });
    this.is12 = edition === "1.2";
    this.visits = [];
    this.record = { data: {}, log: [], faults: [] };
  }

  // A first visit or a later one, when the one before is over: what the LMS kept goes on. `plan`: see host.mjs and host.js.
  async visit({ course = "short", fresh = false, viewport = { width: 1000, height: 760 }, opensWith, ...plan } = {}) {
    const pack = await this.world.pack(`${course}-${this.edition}`);
    const id = `plan-${(plans += 1)}`;
    const data = fresh ? plan.data : { ...this.kept(), ...plan.data };
    const record = this.world.host.add(id, { ...plan, edition: this.edition, folder: pack.folder, data, edits: [...(plan.edits || []), ...this.edits] });
    await this.close();
    const visit = new Visit(this, pack, record, id);
    this.visits.push(visit);
    this.record = record;
    await visit.open(viewport, plan, opensWith);
    return visit;
  }

  // What an LMS keeps between visits: not what belongs to one of them.
  kept() {
    const transient = /(session_time|\.exit|lesson_mode|cmi\.mode|credit)$/;
    return Object.fromEntries(Object.entries(this.record.data).filter(([name]) => !transient.test(name)));
  }

  async close() {
    for (const visit of this.visits) await visit.end().catch(() => {});
  }

  get status() { return this.record.data[this.is12 ? "cmi.core.lesson_status" : "cmi.completion_status"]; }
  get success() { return this.record.data["cmi.success_status"]; }
  get score() { return this.record.data[this.is12 ? "cmi.core.score.raw" : "cmi.score.raw"]; }
  get suspended() { return this.record.data["cmi.suspend_data"] || ""; }

  // The status policy: one word for both dialects.
  is(word, score) {
    const expected = this.is12 ? [word, undefined] : { passed: ["completed", "passed"], failed: ["completed", "failed"], completed: ["completed", "unknown"], incomplete: ["incomplete", "unknown"] }[word];
    const seen = [this.status, this.is12 ? undefined : this.success];
    expect(String(seen) === String(expected), `the LMS knows ${seen} and not ${word}`);
    expect(this.score === score, `the LMS knows a score of ${this.score} and not ${score}`);
  }

  // What holds in every visit, whatever it was about.
  inOrder() {
    for (const { record, errors } of this.visits) {
      expect(!errors.length, errors[0]);
      expect(!record.faults.length, record.faults.slice(0, 3).join("; "));
    }
  }
}

class Visit {
  constructor(bed, pack, record, id) {
    Object.assign(this, { bed, pack, record, id, errors: [] });
    const steps = pack.course.units.flatMap((unit) => unit.steps);
    const questions = (step) => pack.documents.get(step.lesson).activities[step.id].questions;
    this.steps = steps;
    this.knowledge = {
      ids: steps.map((step) => step.id), kinds: steps.map((step) => step.kind),
      questions: Object.fromEntries(steps.filter((step) => step.kind === "quiz").map((step) => [step.id, questions(step)])),
    };
  }

  async open(viewport, plan, opensWith) {
    const { world } = this.bed;
    const { host } = world;
    this.page = opensWith ? await world.newDevice() : await world.device();
    this.context = this.page.context();
    this.context.setDefaultTimeout(patience.ms);
    await this.page.setViewportSize(viewport);
    this.watch(this.page);
    this.context.on("page", (page) => this.watch(page));
    if (opensWith) {
      await this.context.addInitScript(opensWith);
      this.changed = true;
    }
    // Without `alone` the LMS's own page comes first; a package on its own has no LMS around it at all.
    await this.page.goto(plan.alone ? `${host.origin}/bed/${this.id}/package/index.html` : `${host.origin}/bed/${this.id}/lms`);
    if (plan.popup) await this.page.click("#launch");
    if (plan.frame === "launcher") await this.page.frameLocator("#sco").locator("#launch").click();
    this.sco = await until("the package", () => this.context.pages().flatMap((page) => page.frames()).find((frame) => frame.url().includes("/package/index.html")));
    await this.sco.evaluate(shown, patience.ms);
  }

  // A device on which nothing happened but this visit serves another learner.
  async end() {
    if (this.ended) return undefined;
    this.ended = true;
    this.context.removeAllListeners("page");
    const [page, ...others] = this.context.pages();
    if (this.changed || page !== this.page || others.length) return this.context.close();
    for (const event of HEARD) page.removeAllListeners(event);
    return this.bed.world.takeBack(page);
  }

  watch(page) {
    const origins = [this.bed.world.host.origin, this.bed.world.host.elsewhere];
    page.on("pageerror", (error) => this.errors.push(`page error: ${error.message}`));
    page.on("dialog", (dialog) => { this.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss().catch(() => {}); });
    page.on("console", (message) => { if (/Content Security Policy|Permissions policy violation/i.test(message.text())) this.errors.push(message.text()); });
    page.on("request", (request) => { if (!origins.some((origin) => request.url().startsWith(origin)) && !/^(data|about|chrome):/.test(request.url())) this.errors.push(`request to ${request.url()}`); });
  }

  learn(wishes = {}) { return this.sco.evaluate(learn, { ...this.knowledge, ...wishes, steps: wishes.steps === undefined ? 10_000 : wishes.steps }); }

  // Where the learner stands without doing anything.
  where() { return this.learn({ steps: 0 }); }

  quizzes() { return this.steps.flatMap((step, at) => (step.kind === "quiz" ? [at] : [])); }

  calls(method) { return this.record.log.filter(([name]) => name === method).length; }

  sets(pattern) { return this.record.log.filter(([name, element]) => name === "SetValue" && pattern.test(element)); }

  told(what, method) { return until(what, () => this.calls(method) > 0); }

  // The frame is taken out of the LMS's page.
  async removeFrame() {
    await this.page.evaluate(() => document.getElementById("sco").remove());
    await this.told("Terminate when the frame was removed", "Terminate");
  }

  // The learner follows a link of the LMS.
  async navigateFrame() {
    await this.page.evaluate(() => { document.getElementById("sco").src = "about:blank"; });
    await this.told("Terminate when the frame went elsewhere", "Terminate");
  }

  // The window of the package is closed; its opener goes on.
  async closePopup() {
    await this.sco.page().close({ runBeforeUnload: true });
    await this.told("Terminate when the window was closed", "Terminate");
  }

  // The whole tab is closed, the LMS's page with it. A browser gives it half a second for good-byes and a busy one less:
  // what was committed before is what counts, so a Terminate that gets through is waited for and not insisted on.
  async closeTab() {
    await this.page.close({ runBeforeUnload: true });
    await until("the tab is gone", () => this.page.isClosed());
    for (const end = Date.now() + 2000; Date.now() < end && !this.calls("Terminate");) await new Promise((resolve) => { setTimeout(resolve, 25); });
  }

  // The browser's process dies: no event of any kind.
  async crash() {
    this.changed = true;
    await Promise.race([this.sco.page().goto("chrome://crash").catch(() => {}), new Promise((resolve) => { setTimeout(resolve, 1000); })]);
    await this.context.close();
  }

  async seen() {
    return this.page.evaluate(() => ({ data: window.lms.data, log: window.lms.log, faults: window.lms.faults }));
  }

  // For visits in which nothing is committed: takes over what the page of the LMS saw.
  async look() {
    Object.assign(this.record, await this.seen());
  }
}
