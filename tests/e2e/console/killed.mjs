// The service is killed while a lesson is being saved: before the save reaches it, in the middle of it, and after it was done but before anybody
// heard of it. It starts again on the same data. No word that was typed is lost or doubled, and what the page says is true at any time.
//
//   LYCEUM=<binary of the service> node killed.mjs
//
// Prints one JSON object; the caller judges it.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, openConsole, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf, until } from "./seed.mjs";

const LABEL = "API key (shown once, keep it): ";
const LOOK = { viewport: { width: 1440, height: 900 } };
// From a save that leaves the page to the end of the service. A save takes some milliseconds.
const DELAYS_MS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24];

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// A service that dies and comes back at the same place.
class Service {
  async prepare() {
    const port = await freePort();
    this.folder = await mkdtemp(join(tmpdir(), "lyceum-"));
    this.base = `http://127.0.0.1:${port}`;
    this.env = { ...process.env, LYCEUM_LISTEN: `127.0.0.1:${port}`, LYCEUM_LOG: "error", LYCEUM_DATA_DIR: join(this.folder, "data") };
  }

  start() {
    const child = spawn(process.env.LYCEUM, ["serve"], { env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    return new Promise((resolve, reject) => {
      let said = "";
      child.once("exit", () => reject(new Error(`it does not start: ${said}`)));
      child.stdout.on("data", (chunk) => {
        said += chunk;
        if (!said.includes("is listening")) return;
        this.key ??= said.split(LABEL)[1].split("\n")[0].trim();
        child.removeAllListeners("exit");
        resolve();
      });
    });
  }

  kill() {
    const { child } = this;
    const gone = child.exitCode === null && child.signalCode === null ? new Promise((resolve) => child.once("exit", resolve)) : null;
    child.kill("SIGKILL");
    return gone;
  }

  async end() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const stateOf = (page) => page.locator(".save-state").innerText();
const typed = (page) => page.evaluate(() => document.querySelector(".text-editor").shadowRoot.querySelector(".cm-content").innerText.trim());

function drafts(page) {
  return page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("lyceum.draft")).map((name) => JSON.parse(localStorage[name]).fields.content));
}

// How the service dies: told of the save that leaves the page, it says when that is.
const before = (service) => async (route) => {
  await service.kill();
  await route.continue();
};
const during = (service, delay) => async (route) => {
  const going = route.continue();
  if (delay) await later(delay);
  await Promise.all([service.kill(), going]);
};
const afterwards = (service) => async (route) => {
  await route.fetch();
  await service.kill();
  await route.abort("connectionreset");
};

// The next save brings the service down in this way; `over` is done when it is down.
async function dies(page, way) {
  let gone;
  const over = new Promise((resolve) => (gone = resolve));
  await page.route(
    "**/v1/lessons/*",
    async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      await way(route).catch(() => null);
      return gone();
    },
    { times: 1 },
  );
  return { over };
}

// One round: typed, killed, looked at, started again, looked at.
async function round(page, service, [name, way], word, lesson) {
  const { over } = await dies(page, way);
  await page.keyboard.type(` ${word}`);
  await over;
  // The page has heard of it, one way or the other.
  await page.waitForFunction(() => document.querySelector(".save-state").matches(".saved, .trouble-state"));
  const told = { name, said: await stateOf(page), kept: (await drafts(page)).some((text) => text.includes(word)) };
  await service.start();
  const found = await apiOf(service.base, service.key)("GET", `/v1/lessons/${lesson}`);
  told.was_saved = found.content.includes(word);
  await page.locator(".save-state.saved").waitFor();
  told.in_the_end = await stateOf(page);
  return told;
}

async function open(page, { course, lesson }) {
  await visit(page, `#/courses/${course}/${lesson}/edit`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
}

async function seeded(service) {
  const api = apiOf(service.base, service.key);
  const course = await api("POST", "/v1/courses", { name: "Power cuts", language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "In the dark" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "Candles", content: "Begin." });
  return { course: course.id, lesson: lesson.id };
}

// The page goes as well, and comes back once the service has.
async function leavesToo(page, service, held, report) {
  const { over } = await dies(page, before(service));
  await page.keyboard.type(" farewell");
  await over;
  await page.locator(".trouble-state").waitFor();
  const context = page.context();
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.close();
  await service.start();
  const other = await context.newPage();
  await other.goto(`${service.base}/studio/`);
  await signIn(other, service.key);
  await visit(other, `#/courses/${held.course}/${held.lesson}/edit`);
  await other.locator(".notices .notice").waitFor();
  const said = await other.locator(".notices .notice").innerText();
  await other.locator(".save-state.saved").waitFor();
  report.left = { said, drafts: (await drafts(other)).length };
  return other;
}

async function walk(browser, service, report) {
  const held = await seeded(service);
  const page = await openConsole(browser, service.base, LOOK, report.faults);
  await signIn(page, service.key);
  await open(page, held);
  const ways = [["before", before(service)], ...DELAYS_MS.map((ms) => ["during", during(service, ms)]), ["afterwards", afterwards(service)]];
  const words = ways.map((_, at) => `word${String.fromCharCode(97 + at)}`);
  for (const [at, way] of ways.entries()) report.rounds.push(await round(page, service, way, words[at], held.lesson));
  const shown = await typed(page);
  report.drafts = (await drafts(page)).length;
  const other = await leavesToo(page, service, held, report);
  const read = () => apiOf(service.base, service.key)("GET", `/v1/lessons/${held.lesson}`);
  const { content } = await until(read, (now) => now.content.includes("farewell"));
  report.wanted = ["Begin.", ...words, "farewell"].join(" ");
  report.content = content.trim();
  report.shown = `${shown} farewell`;
  await other.context().close();
}

const report = { faults: [], policy: [], rounds: [] };
const service = new Service();
await service.prepare();
await service.start();
const browser = await launch();
try {
  await walk(browser, service, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
  await service.end();
}
// The connection that breaks is what it is about.
report.faults = report.faults.filter((fault) => !/ERR_(CONNECTION|EMPTY_RESPONSE|FAILED|SOCKET)|status of 50[0-9]/.test(fault));
console.log(JSON.stringify(report));
