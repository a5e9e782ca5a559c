// Signs in by links as people do, in every look, and reports what it finds.
//
//   BASE=<address of the service> LINKS=<JSON list of what links end with> [PICTURE=<file>] node sign_in.mjs
//
// Prints one JSON object; the caller judges it.
import { ALL_RULES, examined, RULES_OF_COLOURS } from "./axe.mjs";
import { launch, openConsole, settled, violationsOfPolicy, visit } from "./console_page.mjs";

const { BASE: base, LINKS: links, PICTURE: picture } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
  german: { viewport: { width: 390, height: 844 }, language: "de" },
};
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, arabic: ALL_RULES, german: ALL_RULES };
const ways = JSON.parse(links);

async function byLink(page, link) {
  await page.evaluate((to) => {
    location.hash = `#/sign-in/${to}`;
  }, link);
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
}

const changing = (page) => page.locator("main .facts + .row .button");

// What is said of oneself shows at once, and the address itself leads on to where one works.
async function saysWhoTheyAre(page, report) {
  await visit(page, "#/account");
  await changing(page).click();
  await page.locator("dialog input").first().fill("Ada Lovelace");
  await page.locator("dialog select").first().selectOption("de");
  await page.locator("dialog select").last().selectOption("Asia/Tokyo");
  await page.locator("dialog .button.main").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator(".who a", { hasText: "Ada Lovelace" }).waitFor();
  await settled(page);
  const said = await page.locator("main .facts").innerText();
  const language = await page.evaluate(() => document.documentElement.lang);
  await page.goto(base);
  await page.locator(".nav").waitFor({ state: "attached" });
  await visit(page, "#/account");
  const in_their_zone = await page.locator("main time").first().evaluate((node) => {
    const { lang } = document.documentElement;
    return node.title === new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Tokyo" }).format(new Date(node.dateTime));
  });
  const led_to = new URL(page.url()).pathname;
  report.account = { is_in_tokyo: said.includes("Asia/Tokyo") && in_their_zone, language, led_to };
  await changing(page).click();
  await page.locator("dialog select").first().selectOption("");
  await page.locator("dialog .button.main").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await settled(page);
}

const asks = async (page) => (await page.locator("input[type=password]").count()) > 0;

async function inEveryLook(browser, report) {
  for (const name of Object.keys(LOOKS)) {
    const page = await openConsole(browser, base, LOOKS[name], report.faults);
    await byLink(page, ways.pop());
    await visit(page, "#/account");
    await examined(page, `${name}, the account`, report, RULES[name]);
    if (picture && name === "light") await page.screenshot({ path: picture });
    await changing(page).click();
    await examined(page, `${name}, what one says of oneself`, report, RULES[name]);
    await page.locator("dialog .button.quiet").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
  }
}

// What a session is to whoever sits there: it lasts over a reload, no script reads it, and leaving ends it.
async function onePerson(browser, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  const link = ways.pop();
  await byLink(page, link);
  const seen = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  const cookies = await page.context().cookies();
  report.session = {
    is_readable: /lyc_w|sgn_/.test(seen),
    is_kept_from_scripts: cookies.map(({ httpOnly }) => httpOnly),
    same_site: cookies.map(({ sameSite }) => sameSite),
  };
  await page.reload();
  await page.locator(".nav").waitFor({ state: "attached" });
  report.session.stays = !(await asks(page));
  await saysWhoTheyAre(page, report);
  const sessions = page.locator("table").first();
  report.session.listed = await sessions.locator("tbody tr").count();
  await page.locator(".page-head .button").click();
  await page.locator("dialog .button.danger").click();
  await page.waitForFunction(() => document.querySelector("table")?.querySelectorAll("tbody tr").length === 1);
  await page.locator(".account .button").click();
  await page.locator("input[type=password]").waitFor();
  await page.reload();
  await page.locator("input[type=password]").waitFor();
  report.session.is_over = await asks(page);
  await page.evaluate((to) => {
    location.hash = `#/sign-in/${to}`;
  }, link);
  await page.locator(".trouble").waitFor();
  report.session.said_of_a_used_link = await page.locator(".trouble").innerText();
  await examined(page, "a used link", report);
  await page.context().close();
}

// The form for a link by mail, which stands there where the service says that it sends mail: here the page is told so.
async function byMail(browser, report) {
  const page = await openConsole(browser, base, LOOKS.light, report.faults);
  const json = (body) => ({ contentType: "application/json", body: JSON.stringify(body) });
  const asked = [];
  await page.route("**/v1/sign_in", (route) => route.fulfill(json({ object: "sign_in", ways: ["mail_link", "local_link", "another_way"] })));
  await page.route("**/v1/sign_in/links", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill(json({ object: "asked_for_link" }));
  });
  await page.reload();
  await page.locator("input[type=email]").fill("ada@example.org");
  await examined(page, "asking for a link", report);
  await page.locator("input[type=email]").press("Enter");
  await page.getByText("on its way").waitFor();
  report.by_mail = { asked, key_is_asked_for: await asks(page) };
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  await inEveryLook(browser, report);
  await onePerson(browser, report);
  await byMail(browser, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Being refused is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 401/.test(fault));
console.log(JSON.stringify(report));
