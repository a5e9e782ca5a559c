// Takes the pictures of the handbook: the player's main views, always in the same state.
//
//   node screenshots.mjs <English package> <Arabic package> <folder for the pictures>
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { act, contentOf, goToStep, launch, openCourse, settled, stepsOf } from "./course_page.mjs";
import { contents, open } from "./package_files.mjs";
import { serve } from "./server.mjs";

const MOST_BYTES = 200 * 1024;
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };
class Camera {
  constructor(browser, folder) {
    this.browser = browser;
    this.folder = folder;
    this.faults = [];
  }

  // Opens a package in a look, lets `pose` bring it into position, and takes the picture.
  async take(name, { origin, pack }, look, pose) {
    const page = await openCourse(this.browser, origin, look, this.faults);
    const steps = stepsOf(pack.course);
    const at = (id) => steps.findIndex((step) => step.id === id);
    await pose({
      page,
      go: (id) => goToStep(page, at(id)),
      act: (id, amiss) => act(page, steps[at(id)], contentOf(pack, steps[at(id)]), amiss),
      finish: async () => {
        await goToStep(page, 0);
        for (const [place, step] of steps.entries()) {
          await page.locator(`[data-step="${place}"][aria-current]`).waitFor({ state: "attached" });
          await settled(page);
          await act(page, step, contentOf(pack, step));
          await page.locator("[data-action=next], [data-action=finish]").click();
        }
      },
    });
    await settled(page);
    // The clock of the status line would be different in every picture.
    await page.locator(".connection").evaluate((line) => { line.hidden = true; });
    await page.locator(".side-pane").evaluate((pane) => { pane.scrollTop = 0; });
    await page.mouse.move(0, 0);
    await page.locator(":focus").evaluateAll((nodes) => nodes.forEach((node) => node.blur()));
    const path = join(this.folder, `${name}.png`);
    await page.screenshot({ path });
    await page.context().close();
    const { size } = await stat(path);
    if (size > MOST_BYTES) this.faults.push(`${name}.png has ${size} bytes`);
    console.log(`${name}.png ${Math.ceil(size / 1024)} KB`);
  }
}

async function pictures(camera, english, arabic) {
  const dark = { ...DESK, colorScheme: "dark" };
  await camera.take("scorm-cover", english, DESK, async () => {});
  await camera.take("scorm-lesson", english, DESK, ({ go }) => go("les_north"));
  await camera.take("scorm-lesson-dark", english, dark, async ({ page, go }) => {
    await go("les_north");
    await page.locator(".prose h3").first().evaluate((heading) => heading.scrollIntoView({ block: "start" }));
  });
  await camera.take("scorm-quiz", english, DESK, async ({ page, go, act: answer }) => {
    await go("act_quiz_one");
    await answer("act_quiz_one", async () => {
      await page.locator("[data-question='0'] input[value='0']").check();
      await page.locator("[data-question='1'] input[value='1']").uncheck();
    });
    await page.locator("[data-question='0']").evaluate((field) => field.scrollIntoView({ block: "start" }));
  });
  await camera.take("scorm-flashcards", english, DESK, async ({ page, go }) => {
    await go("act_cards");
    await page.locator("[data-action=flip]").click();
    await page.locator("[data-action=card-known]").click();
    await page.locator("[data-action=flip]").click();
  });
  await camera.take("scorm-podcast", english, DESK, ({ go }) => go("act_pod"));
  await camera.take("scorm-assignment", english, DESK, ({ go }) => go("asg_diary"));
  await camera.take("scorm-end", english, DESK, ({ finish }) => finish());
  await camera.take("scorm-phone", english, PHONE, ({ go }) => go("act_explain"));
  await camera.take("scorm-phone-menu", english, { ...PHONE, colorScheme: "dark" }, async ({ page, go, act: answer }) => {
    await go("les_north");
    await page.locator("[data-action=next]").click();
    await page.locator("[data-action=next]").click();
    await answer("act_quiz_one");
    await go("les_turn");
    await page.locator(".menu-toggle").click();
  });
  await camera.take("scorm-arabic", arabic, DESK, async ({ page, go, act: answer }) => {
    await go("act_quiz_one");
    await answer("act_quiz_one", () => page.locator("[data-question='0'] input[value='0']").check());
    await page.locator("[data-question='0']").evaluate((field) => field.scrollIntoView({ block: "start" }));
  });
}

async function opened(path) {
  const files = await open(path);
  const server = await serve(files.folder, "2004");
  return { origin: server.origin, pack: await contents(files.folder), close: async () => { await server.close(); await files.remove(); } };
}

async function main() {
  const [english, arabic] = [await opened(process.argv[2]), await opened(process.argv[3])];
  const folder = process.argv[4];
  await mkdir(folder, { recursive: true });
  const browser = await launch();
  const camera = new Camera(browser, folder);
  try {
    await pictures(camera, english, arabic);
  } finally {
    await browser.close();
    await english.close();
    await arabic.close();
  }
  for (const fault of camera.faults) console.error(fault);
  process.exitCode = camera.faults.length ? 1 : 0;
}

await main();
