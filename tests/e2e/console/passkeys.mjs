// Adds a passkey with a device that the browser plays, leaves, and comes in by it; then without one, and after it was removed.
//
//   BASE=<address of the service> LINKS=<JSON list of what links for the owner end with> [PICTURE=<file>] node passkeys.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, violationsOfPolicy, visit } from "./console_page.mjs";

const { BASE: base, LINKS: links, PICTURE: picture } = process.env;
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, colorScheme: "dark", language: "ar" },
};
const ways = JSON.parse(links);

// A device as the browser plays it, whose person is there and known.
async function device(page) {
  const wire = await page.context().newCDPSession(page);
  await wire.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const { authenticatorId } = await wire.send("WebAuthn.addVirtualAuthenticator", { options });
  return { wire, authenticatorId };
}

async function byLink(page) {
  await page.evaluate((to) => {
    location.hash = `#/sign-in/${to}`;
  }, ways.pop());
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
}

async function leaves(page) {
  await page.evaluate(() => document.querySelector(".account .button:last-child").click());
  await page.locator("input[type=password]").waitFor();
}

// It is there once the service has said that it takes any.
const door = (page) => page.locator(".entry-form .button.main", { has: page.locator(".icon-keys") });

async function inLook(browser, name, report) {
  const page = await openConsole(browser, base, LOOKS[name], report.faults);
  const { wire, authenticatorId } = await device(page);
  await byLink(page);
  await visit(page, "#/account");
  await page.locator("main .row .button.quiet", { has: page.locator(".icon-plus") }).click();
  await examined(page, `${name}, adding one`, report);
  await page.locator("dialog .button.main").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator(".toast.good").waitFor();
  await settled(page);
  await examined(page, `${name}, the account`, report);
  if (picture && name === "light") {
    await page.locator(".toast button").click();
    await page.screenshot({ path: picture });
  }
  const { credentials } = await wire.send("WebAuthn.getCredentials", { authenticatorId });
  report.held.push(credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId]));
  await leaves(page);
  await door(page).click();
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
  report.came_in.push(await page.locator(".who a").innerText());
  await visit(page, "#/account");
  if (name === "light") await removed(page, report);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

// What the device holds still opens nothing once it was removed here; and a device that holds none says so.
async function removed(page, report) {
  await page.locator("table", { has: page.getByText("This device") }).getByRole("button", { name: /Remove/ }).click();
  await page.locator("dialog .button.danger").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await settled(page);
  await leaves(page);
  await door(page).click();
  await page.locator(".trouble").waitFor();
  report.removed = await page.locator(".trouble").innerText();
  await examined(page, "a passkey that was removed", report);
}

const report = { findings: [], faults: [], policy: [], held: [], came_in: [] };
const browser = await launch();
try {
  for (const name of Object.keys(LOOKS)) await inLook(browser, name, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Being refused is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 401/.test(fault));
console.log(JSON.stringify(report));
