// An owner invites somebody, who opens the link in a browser of their own, comes in, and is named in the trail; in every look.
//
//   BASE=<address of the service> LINKS=<JSON list of what links for the owner end with> [PICTURES=<folder>] node people.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { ALL_RULES, examined, RULES_OF_COLOURS } from "./axe.mjs";
import { launch, openConsole, settled, violationsOfPolicy, visit } from "./console_page.mjs";

const { BASE: base, LINKS: links, PICTURES: pictures } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
  german: { viewport: { width: 390, height: 844 }, language: "de" },
};
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, arabic: ALL_RULES, german: ALL_RULES };
const ways = JSON.parse(links);

const opened = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

async function owner(browser, look, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await opened(page, `#/sign-in/${ways.pop()}`);
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
  return page;
}

// What the link ends with that is shown to whoever invites.
async function invited(page, email, name) {
  await visit(page, "#/members");
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog input[type=email]").fill(email);
  await page.locator("dialog input:not([type=email])").first().fill(name);
  await page.locator("dialog .button.main").click();
  const link = page.locator("dialog .secret input");
  await link.waitFor();
  const url = await link.inputValue();
  return url;
}

async function inEveryLook(browser, report) {
  for (const [name, look] of Object.entries(LOOKS)) {
    const page = await owner(browser, look, report);
    const url = await invited(page, `${name}@people.example`, `Ines of ${name}`);
    await examined(page, `${name}, the link`, report, RULES[name]);
    await page.locator("dialog .button.main").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await settled(page);
    await examined(page, `${name}, the members`, report, RULES[name]);
    if (pictures && name === "light") await page.screenshot({ path: `${pictures}/console-members.png` });
    await visit(page, "#/audit");
    await examined(page, `${name}, the trail`, report, RULES[name]);
    if (pictures && name === "light") await page.screenshot({ path: `${pictures}/console-audit.png` });
    report.policy.push(...(await violationsOfPolicy(page)));
    await page.context().close();
    await comesIn(browser, [name, look], url, report);
  }
}

async function comesIn(browser, [name, look], url, report) {
  const page = await openConsole(browser, base, look, report.faults);
  await opened(page, new URL(url).hash);
  const join = page.locator(".entry-form .button.main");
  await join.waitFor();
  await settled(page);
  await examined(page, `${name}, the invitation`, report, RULES[name]);
  if (pictures && name === "light") await page.screenshot({ path: `${pictures}/console-invitation.png` });
  report.addresses.push(await page.evaluate(() => location.hash));
  await join.click();
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
  report.names.push(await page.locator(".who a").innerText());
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

// Where a member is signed in, and that it is over.
async function sessionsOf(page, name, report) {
  const row = page.locator("tr", { hasText: name });
  await row.getByRole("button", { name: /Sessions/ }).click();
  await examined(page, "where a member is signed in", report);
  report.signed_in = await page.locator("dialog form strong").allInnerTexts();
  await page.locator("dialog .button.danger").click();
  await page.getByText(`Every session of ${name} has ended here.`).waitFor();
  await page.locator("dialog").waitFor({ state: "detached" });
  await row.getByRole("button", { name: /Sessions/ }).click();
  report.still_signed_in = await page.locator("dialog form strong").count();
  await page.locator("dialog .button.quiet").last().click();
  await page.locator("dialog").waitFor({ state: "detached" });
}

// Of a program an account and a key; then the trail as a table, and a link that was used.
async function theRest(browser, report) {
  const page = await owner(browser, LOOKS.light, report);
  await visit(page, "#/members");
  await page.locator(".page-head .button.quiet").click();
  await page.locator("dialog input").first().fill("=Grade sync");
  await page.locator("dialog .button.main").click();
  await page.getByText("=Grade sync is there").waitFor();
  await sessionsOf(page, "Ines of light", report);
  const program = page.locator("tr", { hasText: "=Grade sync" });
  await program.getByRole("link", { name: /Keys/ }).click();
  await page.locator("h1", { hasText: "Keys of =Grade sync" }).waitFor();
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog .button.main").click();
  await page.locator("dialog .secret input").waitFor();
  report.key = (await page.locator("dialog .secret input").inputValue()).slice(0, 5);
  await page.locator("dialog .button.main").click();
  await visit(page, "#/audit?action=member.accepted");
  report.accepted = await page.locator("tbody tr").count();
  await visit(page, "#/audit");
  const [ines] = await page.locator(".filters select").nth(1).selectOption({ label: "Ines of light" });
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown.endsWith(to), ines);
  await settled(page);
  report.acted = [...new Set(await page.locator("tbody td:nth-of-type(1) > div > :first-child").allInnerTexts())];
  await visit(page, "#/audit?action=member.accepted");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".page-head .button").click()]);
  const text = await readFile(await download.path(), "utf8");
  report.table = { name: download.suggestedFilename(), lines: text.trim().split("\r\n").length, begins: text.slice(1, 25) };
  const url = await invited(page, "last@people.example", "Last");
  await page.locator("dialog .button.main").click();
  const waiting = page.locator("tr", { hasText: "last@people.example" });
  await waiting.getByRole("button", { name: /Withdraw/ }).click();
  await page.locator("dialog .button.danger").click();
  await waiting.waitFor({ state: "detached" });
  await page.context().close();
  const other = await openConsole(browser, base, LOOKS.light, report.faults);
  await opened(other, new URL(url).hash);
  await other.locator(".trouble").waitFor();
  report.withdrawn = await other.locator(".trouble").innerText();
  await other.context().close();
}

const report = { findings: [], faults: [], policy: [], addresses: [], names: [] };
const browser = await launch();
try {
  await inEveryLook(browser, report);
  await theRest(browser, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Being refused is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 401/.test(fault));
console.log(JSON.stringify(report));
