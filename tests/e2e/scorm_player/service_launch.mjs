// One launch of a package in a real browser, with an LMS of its own and the live service wherever a test puts it.
import { answerQuiz } from "./answers.mjs";

// Generous for a busy machine, and far below what a course that waits for its service would need.
const NEXT_MS = 8000;

// Runs in the page before the player: a plain SCORM 2004 LMS whose record outlives the page.
function lms(stored) {
  const data = Object.assign({ "cmi.objectives._count": "0", "cmi.interactions._count": "0" }, stored);
  window.lmsData = data;
  window.API_1484_11 = {
    Initialize: () => "true", Terminate: () => "true", GetLastError: () => "0",
    GetValue: (name) => data[name] || "",
    SetValue: (name, value) => {
      data[name] = value;
      const count = name.match(/^cmi\.(objectives|interactions)\.(\d+)\.id$/);
      if (count) data[`cmi.${count[1]}._count`] = String(Math.max(Number(data[`cmi.${count[1]}._count`]), Number(count[2]) + 1));
      return "true";
    },
    Commit: () => {
      window.storeRecord(JSON.stringify(data));
      return "true";
    },
  };
}

// What the browser itself says about requests that failed; a player cannot keep it from doing so.
const OF_THE_BROWSER = /Failed to load resource|CORS policy|Content Security Policy|net::ERR|Cross-Origin/i;

export const LEARNER = { "cmi.learner_id": "learner-1", "cmi.learner_name": "Rivera, Ana", "cmi.mode": "normal", "cmi.credit": "credit" };

export class Launch {
  // `context` is a browser context: its storage is that of the learner's device.
  constructor(context, course, { record = {}, service, policy, script, sandboxed = false }) {
    Object.assign(this, { context, course, service, policy, script, sandboxed, record: { ...LEARNER, ...record }, errors: [], dialogs: [], pause: async () => {} });
    this.steps = course.pack.course.units.flatMap((unit) => unit.steps);
  }

  async open() {
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(15_000);
    this.page.on("pageerror", (error) => this.errors.push(String(error)));
    this.page.on("console", (message) => { if (message.type() === "error" && !OF_THE_BROWSER.test(message.text())) this.errors.push(message.text()); });
    this.flying = 0;
    this.page.on("request", () => { this.flying += 1; });
    for (const end of ["requestfinished", "requestfailed"]) this.page.on(end, () => { this.flying -= 1; });
    this.page.on("dialog", (dialog) => { this.dialogs.push(dialog.message()); dialog.dismiss(); });
    await this.page.exposeFunction("storeRecord", (json) => { this.record = JSON.parse(json); });
    await this.page.addInitScript(lms, this.record);
    await this.serve();
    await this.page.goto(`${this.course.origin}/package/index.html`);
    this.frame = this.page;
    if (this.sandboxed) this.frame = this.page.frameLocator("iframe");
    await this.frame.locator("[data-action=start], [data-action=next], [data-action=finish], article.end").first().waitFor();
    return this;
  }

  // The package as it is, but for where its service is (if that is said), what the LMS's policy allows, and what a test
  // breaks.
  async serve() {
    if (this.service !== undefined) await this.page.route("**/content/service.js", (route) => route.fulfill({ contentType: "text/javascript", body: `lyceumRegister("service","service",${JSON.stringify(this.service)});` }));
    if (this.script) await this.page.route("**/assets/player.*.js", (route) => route.fulfill({ contentType: "text/javascript", body: this.script }));
    await this.page.route("**/package/index.html*", async (route) => {
      if (this.sandboxed && !route.request().url().includes("inner")) {
        return route.fulfill({ contentType: "text/html", body: "<iframe sandbox='allow-scripts' src='index.html?inner' width='900' height='700'></iframe>" });
      }
      const answer = await route.fetch();
      const service = this.service === undefined ? this.course.pack.service : this.service;
      // A sandboxed page has no origin that 'self' could name.
      const policy = this.policy || `default-src ${this.course.origin}; connect-src ${service ? new URL(service.api).origin : "'none'"}`;
      // The package's own policy names its own service; here the service is elsewhere.
      const page = (await answer.text()).replace(/(<meta http-equiv="Content-Security-Policy"[^>]*connect-src )[^;"]*/, (all, before) => `${before}'self' ${service ? new URL(service.api).origin : ""}`);
      return route.fulfill({ response: answer, body: page, headers: { ...answer.headers(), "content-security-policy": policy } });
    });
  }

  // Lets time pass in the page, and then waits for the answers to what was asked meanwhile: those take real time.
  async pass(milliseconds) {
    await this.page.clock.runFor(milliseconds);
    await this.page.evaluate(() => null);
    await until("an answer", () => this.flying === 0);
  }

  async start() {
    const start = this.frame.locator("[data-action=start]");
    if (await start.count()) await start.click();
    await this.frame.locator("[data-action=next], [data-action=finish]").first().waitFor();
  }

  // Goes to a step by the menu.
  async visit(id) {
    const at = this.steps.findIndex((step) => step.id === id);
    await this.frame.locator(`.step-link[data-step="${at}"]`).evaluate((link) => link.click());
    await this.frame.locator(`.step-link[data-step="${at}"][aria-current]`).waitFor({ state: "attached" });
    await this.frame.locator(".body-inner > *").first().waitFor();
  }

  questions(step) {
    return this.course.pack.documents.get(step.lesson).activities[step.id].questions;
  }

  async doStep(step, { wrong = false } = {}) {
    await this.frame.locator(".body-inner > *").first().waitFor();
    if (step.kind === "quiz") {
      await answerQuiz(this.frame, this.questions(step));
      const number = this.frame.locator("fieldset[data-type=numeric] input");
      if (wrong && (await number.count())) await number.first().fill("0");
    }
    if (step.kind === "reflection") await this.frame.locator("textarea").fill("I would walk to the hill behind the mill and look for Leo.");
    if (step.kind === "assignment") await this.frame.locator(".work textarea").fill(this.text || `My work for ${step.id}.`);
    const submit = this.frame.locator("[data-action=submit]:visible");
    if (await submit.count()) await submit.first().click();
  }

  // Everything from the first step to the end; a course that waits for its service runs out of time here.
  async play(options) {
    await this.start();
    for (const [at, step] of this.steps.entries()) {
      await this.doStep(step, options);
      await this.pause();
      await this.frame.locator("[data-action=next], [data-action=finish]").click();
      const next = at + 1 < this.steps.length ? `.step-link[data-step="${at + 1}"][aria-current]` : "article.end";
      await this.frame.locator(next).waitFor({ state: "attached", timeout: NEXT_MS });
    }
  }

  async handIn(id, text) {
    await this.visit(id);
    await this.frame.locator(".work textarea").fill(text);
    await this.frame.locator("[data-action=submit]").click();
  }

  // Everything that the device keeps, as one text.
  async stored() {
    const kept = await this.page.evaluate(() => {
      try {
        const all = (storage) => Array.from({ length: storage.length }, (none, at) => [storage.key(at), storage.getItem(storage.key(at))]);
        return JSON.stringify([all(localStorage), all(sessionStorage), document.cookie]);
      } catch (error) {
        return "";
      }
    });
    return kept + JSON.stringify(this.record);
  }

  serviceLine() {
    return this.frame.locator(".connection").allInnerTexts();
  }

  async close() {
    await this.page.close();
  }
}

export async function until(what, condition, within = 15_000) {
  const deadline = Date.now() + within;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
