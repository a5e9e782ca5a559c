// Opens every step of a package, before and after acting, in every look, and reports what keeps somebody out.
//
//   node accessibility.mjs <package.zip or folder of a SCORM 2004 package> [light|phone|large[+dark][+contrast][+print] … | keyboard]
//
// Prints one JSON object: the looks, how many states were seen, how many steps on paper, and `findings`. Exits 0 only if there are none.
import { ALL_RULES, RULES_OF_COLOURS, violationsOf } from "./axe.mjs";
import { act, contentOf, goToStep, launch, openCourse, settled, stepsOf } from "./course_page.mjs";
import { completeByKeyboard } from "./keyboard.mjs";
import { contents, open } from "./package_files.mjs";
import { serve } from "./server.mjs";

const LOOKS = {
  light: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  // Text at twice its size on half the room: what zooming to 200 % comes to.
  large: { viewport: { width: 640, height: 430 }, rootFontSize: "200%" },
};
// Other colours for the same walk: only style sheets ask for them, so what is there and what it does is the same in each.
const COLOURS = {
  dark: { on: { colorScheme: "dark" }, off: { colorScheme: "light" } },
  contrast: { on: { forcedColors: "active" }, off: { forcedColors: "none" } },
};
const [path, ...asked] = process.argv.slice(2);

// The rules of axe that can find something in a look which they find in none of the others; what is enlarged is for a ruler. They are
// most of the time that this takes.
const RULES = { dark: RULES_OF_COLOURS, contrast: RULES_OF_COLOURS, large: null };

function lookOf(words) {
  const [name, ...others] = words.split("+");
  const unknown = others.filter((one) => one !== "print" && !COLOURS[one]);
  if (!LOOKS[name] || unknown.length) throw new Error(`there is no look ${words}`);
  return { name, colours: others.filter((one) => COLOURS[one]), onPaper: others.includes("print"), ...LOOKS[name] };
}

// In the colours of the walk, and then in all others that were asked for.
async function inColours(page, look, work) {
  await work(look.name);
  for (const name of look.colours) {
    await page.emulateMedia(COLOURS[name].on);
    await work(name);
    await page.emulateMedia(COLOURS[name].off);
  }
}

// One look at the page as it stands: axe, and what axe does not see.
async function examine(page, look, place, seen) {
  seen.states += 1;
  await inColours(page, look, async (name) => {
    const { [name]: rules = ALL_RULES } = RULES;
    const found = rules ? await violationsOf(page, rules) : [];
    found.push(...(await page.evaluate(measure, look.hasTouch ? 44 : 24)));
    seen.findings.push(...found.map((text) => `${name}, ${place}: ${text}`));
  });
}

// Runs in the page: sideways scrolling, small targets, controls without a name, a second main heading.
function measure(least) {
  const found = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = Array.from(document.querySelectorAll("body *")).filter((node) => node.getBoundingClientRect().right > root.clientWidth + 1 && !node.closest(".scroll, pre, .hero, .unseen"));
    found.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth}, ${wide.slice(0, 3).map((node) => node.outerHTML.slice(0, 80)).join(" | ")}`);
  }
  if (document.querySelectorAll("h1").length !== 1) found.push("not exactly one h1");
  for (const node of document.querySelectorAll(".lost-picture")) found.push(`a picture is not shown: ${node.textContent.slice(0, 80)}`);
  for (const node of document.querySelectorAll("a[href], button, input, select, textarea, audio, video, [tabindex='0']")) {
    const box = node.getBoundingClientRect();
    if (!node.checkVisibility({ visibilityProperty: true }) || box.bottom < 0 || node.disabled) continue;
    const name = node.getAttribute("aria-label") || node.textContent || Array.from(node.labels || [], (label) => label.textContent).join(" ");
    if (!name.trim()) found.push(`no name: ${node.outerHTML.slice(0, 80)}`);
    const inText = node.tagName === "A" && node.closest(".prose");
    // A formula that is too wide is moved and never pressed: it has to be as high as a line.
    const wanted = node.tagName === "math" ? Math.min(least, 24) : least;
    if (!inText && !["AUDIO", "VIDEO"].includes(node.tagName) && (box.width < wanted || box.height < wanted)) {
      found.push(`target of ${Math.round(box.width)} × ${Math.round(box.height)}: ${node.outerHTML.slice(0, 80)}`);
    }
  }
  return found;
}

async function focusKept(page, look, place, seen) {
  const lost = await page.evaluate(() => document.activeElement === document.body || !document.activeElement);
  if (lost) seen.findings.push(`${look.name}, ${place}: the focus was lost`);
}

async function course(browser, origin, pack, look, seen) {
  const faults = [];
  const page = await openCourse(browser, origin, look, faults);
  if (look.rootFontSize) await page.evaluate((size) => { document.documentElement.style.fontSize = size; }, look.rootFontSize);
  const examined = (place) => examine(page, look, place, seen);
  await examined("cover");
  await menu(page, look, seen);
  const steps = stepsOf(pack.course);
  await goToStep(page, steps.length - 1);
  await page.locator("[data-action=finish]").click();
  await settled(page);
  await examined("end with steps still open");
  for (const [at, step] of steps.entries()) {
    await goToStep(page, at);
    const focused = await page.evaluate(() => document.activeElement.tagName);
    if (focused !== "H1") seen.findings.push(`${look.name}, ${step.id}: the focus went to ${focused} and not to the heading`);
    await examined(`${step.id} before`);
    seen.recordings += await page.locator(".body audio, .body video").count();
    await wrongTurns(page, step, look, seen);
    if (await act(page, step, contentOf(pack, step))) {
      await focusKept(page, look, `${step.id} after`, seen);
      await examined(`${step.id} after`);
      await marksTold(page, step, look, seen);
    }
    if (look.onPaper) await paper(page, step, seen);
    await afterwards(page, step, at, look, seen);
    await page.locator("[data-action=next], [data-action=finish]").click();
    await settled(page);
  }
  await examined("end");
  await lastPages(page, look, seen);
  seen.findings.push(...faults.map((fault) => `${look.name}: ${fault}`));
  await page.context().close();
}

// The menu: opened where it folds, searched where it is long, a unit folded.
async function menu(page, look, seen) {
  const toggle = page.locator(".menu-toggle");
  if (await toggle.isVisible()) {
    await toggle.click();
    await examine(page, look, "menu", seen);
    await page.keyboard.press("Escape");
    if (!(await toggle.evaluate((node) => node === document.activeElement))) seen.findings.push(`${look.name}, menu: Escape does not lead back`);
    await toggle.click();
  }
  const search = page.locator("#search");
  if (await search.count()) {
    await search.fill("e");
    const some = await page.locator(".step-link:visible").count();
    await search.fill("zzzz");
    if (!some || (await page.locator(".step-link:visible").count())) seen.findings.push(`${look.name}, menu: the search does not narrow it`);
    await examine(page, look, "menu without a hit", seen);
    await search.fill("");
    seen.searched = true;
  }
  const unit = page.locator(".unit-toggle").first();
  const before = await unit.getAttribute("aria-expanded");
  await unit.click();
  if ((await unit.getAttribute("aria-expanded")) === before) seen.findings.push(`${look.name}, menu: a unit does not fold`);
  await examine(page, look, "menu with a unit folded", seen);
  await unit.click();
  if (await toggle.isVisible()) await toggle.click();
}

// Right and wrong are told by a shape at every field, and right by a green that no accent changes.
async function marksTold(page, step, look, seen) {
  if (step.kind !== "quiz") return;
  await inColours(page, look, async (name) => seen.findings.push(...(await marks(page)).map((text) => `${name}, ${step.id}: ${text}`)));
}

async function marks(page) {
  const { marked, bare, follows } = await page.evaluate(() => {
    const shape = (node) => (node.classList.contains("is-right") ? ".icon-check" : ".icon-cross");
    const around = (node) => (node.matches(".field") ? node.nextElementSibling : node);
    const marked = Array.from(document.querySelectorAll(".body .is-right, .body .is-wrong"));
    const bare = marked.filter((node) => !around(node)?.querySelector(shape(node))?.checkVisibility());
    const root = document.documentElement;
    const good = document.querySelector(".body .verdict.good");
    const colour = () => good && getComputedStyle(good).color;
    const before = colour();
    root.style.setProperty("--accent", "rgb(200, 0, 0)");
    const after = colour();
    root.style.removeProperty("--accent");
    return { marked: marked.length, bare: bare.map((node) => node.outerHTML.slice(0, 80)), follows: before !== after };
  });
  const found = bare.map((node) => `told by colour alone: ${node}`);
  if (!marked) found.push("nothing says what was right");
  if (follows) found.push("what is right has the colour of the accent");
  return found;
}

// What is refused: nothing answered, nothing written.
async function wrongTurns(page, step, look, seen) {
  if (!["quiz", "reflection"].includes(step.kind)) return;
  await page.locator(".body [data-action=submit]").click();
  await focusKept(page, look, `${step.id} unanswered`, seen);
  if (!(await page.locator(".missing:visible").count())) seen.findings.push(`${look.name}, ${step.id}: nothing says what is missing`);
  await examine(page, look, `${step.id} unanswered`, seen);
}

// What comes after acting: another visit, another try, the end of a deck.
async function afterwards(page, step, at, look, seen) {
  if (step.kind === "flashcards") {
    for (let card = 0; await page.locator("[data-action=flip]").count(); card += 1) {
      if (!(await page.locator("[data-action=card-known]").isEnabled())) await page.locator("[data-action=flip]").click();
      await page.locator(card === 0 ? "[data-action=card-unknown]" : "[data-action=card-known]").click();
      await focusKept(page, look, `${step.id} card ${card + 1}`, seen);
    }
    await examine(page, look, `${step.id} through`, seen);
    if (await page.locator("[data-action=card-practise]").count()) {
      await page.locator("[data-action=card-practise]").click();
      await focusKept(page, look, `${step.id} again`, seen);
    }
  }
  if (step.kind === "quiz") {
    await goToStep(page, at);
    await examine(page, look, `${step.id} on a later visit`, seen);
    await page.locator("[data-action=retry]").click();
    await focusKept(page, look, `${step.id} again`, seen);
  }
}

async function lastPages(page, look, seen) {
  await page.locator(".end [data-action=exit]").click();
  await settled(page);
  await focusKept(page, look, "closed", seen);
  await examine(page, look, "closed", seen);
  const [ended, sets] = await page.evaluate(() => [window.terminated, window.sets]);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const after = await page.evaluate(() => window.sets);
  if (ended !== 1 || after !== sets) seen.findings.push(`${look.name}: terminated ${ended} times, ${after - sets} writes after it`);
}

// On paper: the text of a step, and neither controls nor answers.
async function paper(page, step, seen) {
  await page.emulateMedia({ media: "print" });
  const found = await page.evaluate(printed, step.kind);
  found.push(...(await violationsOf(page)));
  seen.sheets += 1;
  seen.findings.push(...found.map((text) => `print, ${step.id}: ${text}`));
  await page.emulateMedia({ media: "screen" });
}

// Runs in the page.
function printed(kind) {
  const found = [];
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const isThere = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 0 && height > 0 && node.checkVisibility({ visibilityProperty: true });
  };
  for (const hidden of [".side-pane", ".flow", ".feedback", ".outcome", ".option-mark", ".field-mark"]) {
    if (all(hidden).some(isThere)) found.push(`${hidden} is on the paper`);
  }
  if (kind === "quiz" && !all(".prompt").some(isThere)) found.push("no questions on the paper");
  if (all("details > :not(summary)").some((part) => !part.checkVisibility())) found.push("what can be opened is shut on the paper");
  if (all("mark").some((mark) => !getComputedStyle(mark).textDecoration.includes("underline"))) found.push("what is marked is not to be seen");
  return found;
}

async function main() {
  const files = await open(path);
  const server = await serve(files.folder, "2004");
  const browser = await launch();
  const seen = { looks: asked.length ? asked : ["light+dark+contrast+print", "phone", "large", "keyboard"], states: 0, sheets: 0, recordings: 0, searched: false, keyboard: null, findings: [] };
  try {
    const pack = await contents(files.folder);
    for (const name of seen.looks) {
      if (name === "keyboard") seen.keyboard = await completeByKeyboard(await openCourse(browser, server.origin, LOOKS.light, seen.findings), pack, seen.findings);
      else await course(browser, server.origin, pack, lookOf(name), seen);
    }
  } catch (error) {
    seen.findings.push(String(error.stack || error));
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  console.log(JSON.stringify(seen, null, 1));
  process.exitCode = seen.findings.length ? 1 : 0;
}

await main();
