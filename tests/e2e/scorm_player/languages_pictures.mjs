// Takes two sheets of pictures for the handbook: the course in six languages, its lessons on a desk and its activities on a phone.
//
//   node languages_pictures.mjs <lyceum binary> <folder for the pictures>
//
// Of five languages: few machines have letters for Japanese.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act, contentOf, goToStep, launch, openCourse, settled, stepsOf } from "./course_page.mjs";
import { makeLanguages } from "./languages.mjs";
import { contents, open } from "./package_files.mjs";
import { serve } from "./server.mjs";

const MOST_BYTES = 400 * 1024;
const LABEL = "API key (shown once, keep it): ";
const DESK = { viewport: { width: 720, height: 1150 } };
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
const dark = (look) => ({ ...look, colorScheme: "dark" });
// Which step of which lesson, in which look, from which element on; each is a picture of a sheet.
const SHEETS = {
  "content-languages": { look: DESK, width: 460, columns: 4, shown: [
    { language: "en", kind: "lesson", from: ".prose table" }, { language: "ru", kind: "lesson", from: ".prose dl", isDark: true },
    { language: "ar", kind: "lesson", from: ".prose table" }, { language: "he", kind: "lesson", from: ".prose dl", isDark: true }] },
  "content-languages-phone": { look: PHONE, width: 340, columns: 5, shown: [
    { language: "en", kind: "quiz" }, { language: "de", kind: "explainer", isDark: true }, { language: "ru", kind: "quiz" },
    { language: "ar", kind: "quiz" }, { language: "he", kind: "flashcards", isDark: true }] },
};

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// A service with nothing in it, in a folder that goes with it.
async function service(binary) {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-"));
  const base = `http://127.0.0.1:${await freePort()}`;
  const env = { ...process.env, LYCEUM_LISTEN: base.slice("http://".length), LYCEUM_LOG: "warn", LYCEUM_DATA_DIR: join(folder, "data") };
  const child = spawn(binary, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const key = await new Promise((resolve, reject) => {
    let said = "";
    child.on("exit", () => reject(new Error(said)));
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const found = said.split("\n").find((line) => line.startsWith(LABEL));
      if (found && said.includes("listening on")) resolve(found.slice(LABEL.length).trim());
    });
  });
  const stop = async () => {
    child.removeAllListeners("exit");
    const gone = new Promise((done) => { child.on("exit", done); });
    child.kill();
    await gone;
    await rm(folder, { recursive: true });
  };
  return { base, key, folder, stop };
}

// One picture of a step, with what was done in it.
async function taken(browser, { origin, pack, lessons }, look, { language, kind, from }, faults) {
  const steps = stepsOf(pack.course);
  const { id } = lessons.find((lesson) => lesson.language === language);
  const at = steps.findIndex((step) => step.kind === kind && step.lesson === id);
  const page = await openCourse(browser, origin, look, faults);
  await goToStep(page, at);
  if (kind === "quiz") await act(page, steps[at], contentOf(pack, steps[at]));
  if (kind === "flashcards") await page.locator("[data-action=flip]").click();
  const first = from ? page.locator(from) : page.locator("h1");
  await first.first().evaluate((node) => node.scrollIntoView({ block: "start" }));
  await settled(page);
  await page.locator(":focus").evaluateAll((nodes) => nodes.forEach((node) => node.blur()));
  const bytes = await page.screenshot();
  await page.context().close();
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

async function sheet(browser, name, course, folder, faults) {
  const { look, width, columns, shown } = SHEETS[name];
  const pictures = [];
  for (const one of shown) pictures.push(await taken(browser, course, one.isDark ? dark(look) : look, one, faults));
  const page = await browser.newPage({ viewport: { width: columns * (width + 12) + 12, height: 400 } });
  const images = pictures.map((picture) => `<img src="${picture}" alt="">`).join("");
  await page.setContent(`<style>body { margin: 0; padding: 12px; background: #8b929b; display: grid; gap: 12px; grid-template-columns: repeat(${columns}, 1fr); } img { width: 100%; display: block; }</style>${images}`);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await page.close();
  const { size } = await stat(path);
  if (size > MOST_BYTES) faults.push(`${name}.png has ${size} bytes`);
  console.log(`${name}.png ${Math.ceil(size / 1024)} KB`);
}

async function main([binary, folder]) {
  await mkdir(folder, { recursive: true });
  const running = await service(binary);
  const faults = [];
  try {
    const { lessons, packages } = await makeLanguages(running.base, running.key, running.folder, ["2004"]);
    const files = await open(packages[0].path);
    const server = await serve(files.folder, "2004");
    const browser = await launch();
    try {
      const course = { origin: server.origin, pack: await contents(files.folder), lessons };
      for (const name of Object.keys(SHEETS)) await sheet(browser, name, course, folder, faults);
    } finally {
      await browser.close();
      await server.close();
      await files.remove();
    }
  } finally {
    await running.stop();
  }
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length ? 1 : 0;
}

await main(process.argv.slice(2));
