// Goes through the console of a running service as people do, and reports what it finds.
//
//   BASE=<address of the service> KEY=<API key> [MODEL_PORT=<where it expects its model>] node check.mjs
//
// Fills the platform first. Prints one JSON object; the caller judges it.
import { ALL_RULES, RULES_OF_COLOURS, examined as examine } from "./axe.mjs";
import { byDayAndNight, launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { checkBatches } from "./batches.mjs";
import { checkBlind, checkWords } from "./blind.mjs";
import { checkCertificate } from "./certificate.mjs";
import { contrastFindings } from "./contrast.mjs";
import { checkDesk } from "./desk.mjs";
import { checkFinding } from "./finding.mjs";
import { checkGeneration, checkInvitations, checkKeys, checkPackages, checkStream, checkWebhooks } from "./doings.mjs";
import { checkGroups } from "./groups.mjs";
import { checkLists } from "./lists.mjs";
import { checkPalette, paletteIn } from "./palette.mjs";
import { checkPrint } from "./print.mjs";
import { startProvider } from "./provider.mjs";
import { startReceiver } from "./receiver.mjs";
import { apiOf, seed } from "./seed.mjs";
import { clashes } from "./sheets.mjs";
import { moreViewsOf, viewsOf } from "./views.mjs";

const { BASE: base, KEY: key, MODEL_PORT: port, FRIEND_KEY: friend } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
  german: { viewport: { width: 390, height: 844 }, language: "de" },
};
// Languages whose words are long, where there is least room for them.
const MORE_LANGUAGES = {
  spanish: { viewport: { width: 390, height: 844 }, language: "es" },
  french: { viewport: { width: 390, height: 844 }, language: "fr" },
};
// The rest of the views, once where there is room, and once where everything else is hard: little room, in the dark, from right to left.
const FEW_LOOKS = {
  wide: { viewport: { width: 1280, height: 800 } },
  hard: { viewport: { width: 390, height: 844 }, colorScheme: "dark", language: "ar", hasTouch: true, isMobile: true },
};
const FEW_VIEWS = ["overview", "review", "certificate", "courses", "members"];

// The rules of axe that can find something in a look which they find in none before it: they are most of the time that
// this takes. What has no room in a language is for a ruler.
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, wide: ALL_RULES, hard: RULES_OF_COLOURS };

async function examined(page, place, report, rules) {
  await examine(page, place, report, rules);
  report.states += 1;
}

async function examinedIn(page, look, place, report, language = null) {
  await byDayAndNight(page, look, (name) => examined(page, `${name}, ${place}`, report, RULES[name] ?? language));
}

async function eachOf(page, name, views, report) {
  for (const [view, hash] of Object.entries(views)) {
    await visit(page, hash);
    await examinedIn(page, name, view, report);
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    if (!["H1", "H2"].includes(focused)) report.findings.push(`${name}, ${view}: the focus is on ${focused}`);
    const problem = await page.locator(".problem").count();
    if (problem) report.findings.push(`${name}, ${view}: shows a problem`);
  }
}

async function moreViews(browser, [name, look], views, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  await eachOf(page, name, views, report);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

async function everyView(browser, [name, look], views, ids, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await examinedIn(page, name, "sign-in", report);
  await signIn(page, key);
  await eachOf(page, name, views, report);
  await visit(page, "#/courses/crs_none");
  if (!(await page.locator(".problem code").innerText()).startsWith("req_"))
    report.findings.push(`${name}: an error does not name its request`);
  await examinedIn(page, name, "an error", report);
  await paletteIn(page, look, ids, (place) => examinedIn(page, name, place, report, ALL_RULES));
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

// A wrong key is said, a right one is nowhere but in memory, and a reload asks for it again.
async function checkDoor(browser, report) {
  const page = await openConsole(browser, base, LOOKS.light, []);
  await page.locator("input[type=password]").fill("lyc_kwrong");
  await page.keyboard.press("Enter");
  await page.locator(".trouble").waitFor();
  await examined(page, "a wrong key", report);
  await signIn(page, key);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  report.door = { key_is_kept: kept.includes(key.slice(10)) };
  await page.reload();
  await page.locator("input[type=password]").waitFor();
  report.door.asks_again = true;
  // Unless this tab was told to keep it; signing out forgets it there too.
  await page.locator(".toggle input").check();
  await signIn(page, key);
  await page.reload();
  await page.locator("#main h1").waitFor();
  report.door.stays = (await page.locator("input[type=password]").count()) === 0;
  await page.locator(".account .button").click();
  // What is under way is saved before.
  await page.locator("input[type=password]").waitFor();
  report.door.is_forgotten = !(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes(key.slice(10));
  await page.context().close();
}

// What leaves nothing behind in a page takes the same one.
async function inTurn(context) {
  const page = await openConsole(context.browser, base, context.look, context.report.faults);
  await signIn(page, key);
  for (const check of [checkLists, checkWords, checkBatches, checkGroups, checkBlind, checkDesk, checkGeneration, checkStream, checkPackages, checkWebhooks, checkKeys])
    await check({ ...context, page });
  await page.context().close();
}

async function main() {
  const report = { findings: [...(await clashes()), ...(await contrastFindings())], faults: [], policy: [], states: 0 };
  const provider = port ? await startProvider(Number(port)) : null;
  const receiver = await startReceiver();
  const browser = await launch();
  try {
    const ids = await seed({ base, key, receiver, hasModel: Boolean(provider) });
    const context = {
      browser,
      base,
      key,
      friend,
      ids,
      report,
      look: LOOKS.light,
      api: apiOf(base, key),
      examined,
      openConsole,
      signIn,
      settled,
      visit,
    };
    await checkDoor(browser, report);
    // Before the views: they show what was earned.
    if (provider) await checkCertificate(context);
    const views = viewsOf(ids);
    const few = Object.fromEntries(FEW_VIEWS.map((view) => [view, views[view]]));
    for (const look of Object.entries(LOOKS)) await everyView(browser, look, views, ids, report);
    for (const look of Object.entries(MORE_LANGUAGES)) await everyView(browser, look, few, ids, report);
    await checkPrint({ ...context, views });
    await checkFinding(context);
    await checkPalette(context);
    await inTurn(context);
    // Late, since people are erased for it.
    const more = await moreViewsOf(ids, context.api);
    for (const look of Object.entries(FEW_LOOKS)) await moreViews(browser, look, more, report);
    // Whoever accepts has two platforms to choose from.
    await checkInvitations(context);
  } catch (error) {
    report.faults.push(String(error.stack));
  } finally {
    await browser.close();
    provider?.close();
    receiver.close();
  }
  console.log(JSON.stringify(report));
}

await main();
