// The palette: opened by keys, led through by keys, in every look; what it finds it leads to, and what a page can do it does.
import { settled, visit } from "./console_page.mjs";
import { expecting } from "./finding.mjs";

const OPTION = ".palette-item";
const place = (page) => page.evaluate(() => location.hash);
const chosen = (page) => page.locator(`${OPTION}[aria-selected=true]`).evaluateAll((all) => all.map((one) => one.firstChild.textContent));
const isOpen = async (page) => (await page.locator("dialog.palette[open]").count()) > 0;

async function open(page) {
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").waitFor();
}

// Types, and waits until the service has said what it knows.
async function type(page, words) {
  await page.locator(".palette input").fill("");
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).searchParams.get("q") === words && response.url().includes("/v1/users")),
    page.keyboard.type(words),
  ]);
  await answer.finished();
  await page.waitForFunction(() => !document.querySelector(".palette-list[aria-busy=true]"));
}

async function shown(page, hash) {
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to && document.querySelector("h1") === document.activeElement, hash);
}

const group = (page, name) => page.locator(`[aria-labelledby=palette-${name}] ${OPTION} > span`).allInnerTexts();

async function goes({ ids }, page, expect) {
  await visit(page, "#/courses");
  await open(page);
  await page.keyboard.press("Control+k");
  expect("a second time closes it", await isOpen(page), false);
  await open(page);
  await page.keyboard.press("Escape");
  expect("Esc closes it, and the focus is back", [await isOpen(page), await page.evaluate(() => document.activeElement.tagName)], [false, "H1"]);
  await open(page);
  await type(page, "safety");
  expect("courses", await group(page, "courses"), ["Food safety in restaurant kitchens"]);
  expect("the first is chosen", await chosen(page), ["Food safety in restaurant kitchens"]);
  const named = await page.locator(".palette input").evaluate((input) => document.getElementById(input.getAttribute("aria-activedescendant"))?.textContent.startsWith("Food safety"));
  expect("it is said which", named, true);
  await page.keyboard.press("Enter");
  await shown(page, `#/courses/${ids.course}`);
  await settled(page);
  await open(page);
  await type(page, "autumn");
  await page.keyboard.press("Enter");
  await shown(page, `#/cohorts/${ids.cohort}`);
  await settled(page);
  await open(page);
  await type(page, "nadia");
  expect("people", await group(page, "people"), ["Nadia Rahman"]);
  await page.keyboard.press("Enter");
  await shown(page, "#/members?q=nadia.rahman%40school.example");
  await settled(page);
  // A lesson says of which course it is; arrows go round.
  await open(page);
  await type(page, "danger zone");
  expect("lessons", await page.locator(`[aria-labelledby=palette-lessons] ${OPTION}`).allInnerTexts(), ["The danger zone\nFood safety in restaurant kitchens"]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await shown(page, `#/courses/${ids.course}/${ids.lesson}`);
  await settled(page);
}

async function remembers(_, page, expect) {
  await visit(page, "#/keys");
  await open(page);
  const lately = await group(page, "recent");
  expect("what was seen lately", lately, ["The danger zone", "Autumn 2026", "Food safety in restaurant kitchens"]);
  expect("it comes first", await chosen(page), ["The danger zone"]);
  await type(page, "zz zz");
  expect("nothing", [await page.locator(OPTION).count(), await page.locator(".palette-said").innerText()], [0, "Nothing found for “zz zz”."]);
  await page.keyboard.press("Enter");
  expect("nothing is chosen", await isOpen(page), true);
  await page.keyboard.press("Escape");
}

async function acts({ ids }, page, expect) {
  await visit(page, "#/courses");
  await open(page);
  await type(page, "new course");
  await page.keyboard.press("Enter");
  await page.locator("dialog.dialog input").first().waitFor();
  expect("what the page can do is done", await page.locator("dialog h2").innerText(), "New course");
  // Over a dialog there is nowhere to go.
  await page.keyboard.press("Control+k");
  expect("over a dialog", await isOpen(page), false);
  await page.keyboard.press("Escape");
  // In a text the keys are those of a link.
  await visit(page, `#/courses/${ids.course}/${ids.lesson}/edit`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+k");
  expect("in a text", [await isOpen(page), (await page.locator(".cm-content").innerText()).includes("https://")], [false, true]);
  await page.keyboard.press("Control+z");
  await settled(page);
  await page.locator(".page-head h1").focus();
  await page.locator(".to-palette").click();
  await page.locator(".palette input").waitFor();
  expect("by its button", await isOpen(page), true);
  await page.locator(`${OPTION}`).last().click();
  await shown(page, "#/account");
}

// Where one thing is not answered the rest is there, and it is said.
async function inPart(_, page, expect) {
  await visit(page, "#/courses");
  await page.route("**/v1/lessons?*", (route) => route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Not now." } } }));
  await open(page);
  await type(page, "customers");
  expect("what is there in part", [(await group(page, "courses")).length, await page.locator(".palette-said").innerText()], [1, "Not now."]);
  await page.unroute("**/v1/lessons?*");
  await page.keyboard.press("Escape");
}

// In a look, whose page `examined` knows.
export async function paletteIn(page, look, ids, examined) {
  await visit(page, `#/courses/${ids.course}`);
  if (look.isMobile) {
    await page.locator(".top button").click();
    await page.locator(".to-palette").click();
  } else await open(page);
  await settled(page);
  await examined("the palette");
  await type(page, "a");
  await settled(page);
  await examined("what the palette has found");
  await type(page, "zzz");
  await settled(page);
  await examined("the palette has found nothing");
}

export async function checkPalette(context) {
  const { browser, base, key, look, report, openConsole, signIn } = context;
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  const expect = expecting(report, "palette");
  for (const check of [goes, remembers, acts, inPart]) await check(context, page, expect);
  await page.context().close();
}
