// Takes the pictures of the console for the handbook: every view, the desk in every look.
//
//   node screenshots.mjs <lyceum binary> <folder for the pictures> [the only pictures that are wanted, such as certificate]
//
// With BASE and KEY in the environment (and MODEL_PORT) an empty service that runs already is taken instead.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { designPictures } from "./design_pictures.mjs";
import { launch, openConsole, settled, signIn, visit } from "./console_page.mjs";
import { startProvider } from "./provider.mjs";
import { startReceiver } from "./receiver.mjs";
import { apiOf, certify, seed } from "./seed.mjs";
import { viewsOf } from "./views.mjs";

const MOST_BYTES = 280 * 1024;
const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };
// What these are for stands further down; of a long list the beginning is enough.
const LONG = {
  calibration: { fullPage: true },
  certificate: { fullPage: true, clip: { x: 0, y: 0, width: 1440, height: 1400 } },
  "red-team": { fullPage: true },
  regrade: { fullPage: true, clip: { x: 0, y: 0, width: 1440, height: 2000 } },
  statistics: { fullPage: true },
};
const LABEL = "API key (shown once, keep it): ";

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function service(binary) {
  const { BASE, KEY, MODEL_PORT } = process.env;
  if (BASE) return { base: BASE, key: KEY, port: Number(MODEL_PORT), stop: async () => {} };
  const [port, own, folder] = [await freePort(), await freePort(), await mkdtemp(join(tmpdir(), "lyceum-"))];
  const env = {
    ...process.env,
    LYCEUM_LISTEN: `127.0.0.1:${own}`,
    LYCEUM_LOG: "warn",
    LYCEUM_DATA_DIR: join(folder, "data"),
    LYCEUM_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    LYCEUM_AI_PROVIDER: "openai",
    LYCEUM_AI_PROFILE: "generic",
    LYCEUM_AI_MODEL: "small",
    LYCEUM_AI_API_KEY: "none",
    LYCEUM_AI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    LYCEUM_AI_PRICE_INPUT: "2.50",
    LYCEUM_AI_PRICE_OUTPUT: "10",
  };
  const child = spawn(binary, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const key = await new Promise((resolve, reject) => {
    let said = "";
    child.on("exit", () => reject(new Error(said)));
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("is listening")) resolve(said.split(LABEL)[1].split("\n")[0].trim());
    });
  });
  const stop = async () => {
    child.removeAllListeners("exit");
    child.kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { base: `http://127.0.0.1:${own}`, key, port, stop };
}

class Camera {
  constructor(browser, base, key, folder, wanted) {
    Object.assign(this, { browser, base, key, folder, wanted, faults: [] });
  }

  async open(look) {
    const page = await openConsole(this.browser, this.base, look, this.faults);
    await signIn(page, this.key);
    return page;
  }

  async shoot(page, name, look = {}) {
    await settled(page);
    await page.mouse.move(0, 0);
    await this.take(page, name, look);
  }

  async take(page, name, look = {}) {
    if (this.wanted.length && !this.wanted.includes(name)) return;
    const file = `${name.startsWith("design-") ? "studio" : "console"}-${name}.png`;
    const path = join(this.folder, file);
    await page.screenshot({ path, ...look });
    const { size } = await stat(path);
    if (size > MOST_BYTES) this.faults.push(`${file} has ${size} bytes`);
    console.log(`${file} ${Math.ceil(size / 1024)} KB`);
  }
}

// Where else one works.
const workplaces = ({ course, cohort, fridge, knife }) => ({
  "course-settings": `#/courses/${course}/settings`,
  assignment: `#/assignments/${knife}/edit`,
  statistics: `#/assignments/${fridge}/statistics`,
  standing: `#/cohorts/${cohort}/standing`,
  trash: "#/trash",
  work: "#/work",
});

// What a new workspace looks like, and what is asked first.
async function atTheBeginning(camera) {
  const page = await camera.open(DESK);
  await visit(page, "#/");
  await camera.shoot(page, "empty");
  await page.locator(".empty .button.main").first().click();
  await page.locator("dialog").waitFor();
  await camera.shoot(page, "new-course");
  await page.context().close();
}

// Something that was deleted with all that hung on it.
async function thrownAway(api) {
  const { id: course_id } = await api("POST", "/v1/courses", { name: "Answering the phone", language: "en" });
  const { id: unit_id } = await api("POST", "/v1/units", { course_id, name: "Before you pick up" });
  for (const name of ["Who calls?", "Pen and paper"]) await api("POST", "/v1/lessons", { unit_id, name });
  await api("DELETE", `/v1/courses/${course_id}`);
}

// The first of the story is the one with most to see.
async function toAmara(page) {
  await visit(page, "#/review");
  await page.locator(".queue-item").first().waitFor({ state: "attached" });
  await page.evaluate(() => {
    const items = [...document.querySelectorAll(".queue-item")];
    location.hash = items.findLast((item) => /Amara Okafor.*stew/s.test(item.textContent)).hash;
  });
  await page.waitForFunction(() => document.querySelector(".desk-title")?.textContent === "Amara Okafor");
  await settled(page);
}

async function pictures(camera, ids) {
  const page = await openConsole(camera.browser, camera.base, DESK, camera.faults);
  await camera.shoot(page, "sign-in");
  await signIn(page, camera.key);
  for (const [view, hash] of Object.entries({ ...viewsOf(ids), ...workplaces(ids) })) {
    if (["review", "package"].includes(view)) continue;
    await visit(page, hash);
    await camera.shoot(page, view, LONG[view]);
  }
  await visit(page, `#/courses/${ids.course}`);
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").fill("ing");
  await page.waitForTimeout(1000);
  await camera.shoot(page, "palette");
  const looks = {
    review: DESK,
    "review-dark": { ...DESK, colorScheme: "dark" },
    "review-arabic": { ...DESK, language: "ar" },
    "review-phone": PHONE,
  };
  for (const [name, look] of Object.entries(looks)) {
    const desk = await camera.open(look);
    await toAmara(desk);
    if (!look.isMobile) await desk.keyboard.press("1");
    await camera.shoot(desk, name);
    if (name === "review") {
      await desk.keyboard.press("e");
      await camera.shoot(desk, "review-change");
    }
    await desk.context().close();
  }
  const phone = await camera.open(PHONE);
  await camera.shoot(phone, "phone");
}

// What programmers read beside Studio.
async function reference(camera) {
  const page = await camera.open(DESK);
  await page.goto(`${camera.base}/docs/createCourse`);
  await camera.take(page, "reference");
  await page.context().close();
}

// What has changed of a course that its cohort sees as it was. The last of all: other pictures have the lesson as it was.
async function leftBehind(camera, { cohort, lesson, hands }) {
  const api = apiOf(camera.base, camera.key);
  await api("PATCH", `/v1/cohorts/${cohort}`, { updates: "manual" });
  const { content } = await api("GET", `/v1/lessons/${lesson}`);
  await api("PATCH", `/v1/lessons/${lesson}`, { content: content.replace("doubles about every twenty minutes", "doubles every fifteen to thirty minutes") });
  await api("PATCH", `/v1/assignments/${hands}`, { instructions: "When do you wash your hands in the kitchen, how, and for how long?" });
  const page = await camera.open(DESK);
  await visit(page, `#/cohorts/${cohort}/update`);
  await page.locator(".difference").waitFor();
  await camera.shoot(page, "cohort-update", { fullPage: true });
  await page.context().close();
}

async function main() {
  const [, , binary, folder, ...wanted] = process.argv;
  await mkdir(folder, { recursive: true });
  const { base, key, port, stop } = await service(binary);
  const provider = await startProvider(port);
  const receiver = await startReceiver();
  const browser = await launch();
  const camera = new Camera(browser, base, key, folder, wanted);
  try {
    await atTheBeginning(camera);
    await thrownAway(apiOf(base, key));
    const ids = await seed({ base, key, receiver, hasModel: true });
    await certify(apiOf(base, key), ids.fridge);
    await pictures(camera, ids);
    await designPictures(camera, ids);
    await reference(camera);
    await leftBehind(camera, ids);
  } finally {
    await browser.close();
    provider.close();
    receiver.close();
    await stop();
  }
  for (const fault of camera.faults) console.error(fault);
  process.exitCode = camera.faults.length ? 1 : 0;
}

await main();
