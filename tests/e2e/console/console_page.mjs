// The console in a browser: opened, signed in, led from view to view.
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { atRest } from "./at_rest.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(...flags) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

// Runs in the page before it does: what its own policy kept out.
function listen() {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
  );
}

// `look` is what Playwright's contexts take, and `language`. What goes wrong in the page lands in `faults`.
export async function openConsole(browser, base, { language = "en", ...look }, faults) {
  const context = await browser.newContext({ locale: language, timezoneId: "UTC", reducedMotion: "reduce", ...look });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4(00|04|09)/.test(message.text()))
      faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) faults.push(`asked outside: ${request.url()}`);
  });
  await page.addInitScript(listen);
  await page.goto(`${base}/studio/`);
  await page.locator("input[type=password]").waitFor();
  return page;
}

export async function signIn(page, key) {
  await page.locator("input[type=password]").fill(key);
  await page.keyboard.press("Enter");
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
}

// Nothing loads, nothing moves.
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".bones, [aria-busy=true]"));
  await page.waitForLoadState("networkidle");
  await page.evaluate(atRest);
}

export async function visit(page, hash) {
  await page.evaluate((to) => {
    document.getElementById("main").dataset.shown = "";
    location.hash = to;
  }, hash);
  await page.waitForFunction((to) => document.getElementById("main").dataset.shown === to, hash);
  await settled(page);
}

// What the page says of what is done, and not what it said of something before.
export async function saidOf(page, action) {
  await page.evaluate(() => document.querySelector(".toast")?.classList.add("before"));
  await action();
  return page.locator(".toast:not(.before) > span").innerText();
}

// What is done in a look, and where that is light in the dark as well: of the two none but style sheets know which it is, so that nothing has to be
// drawn anew for the other.
export async function byDayAndNight(page, name, act) {
  await act(name);
  if (name !== "light") return;
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(atRest);
  await act("dark");
  await page.emulateMedia({ colorScheme: "light" });
}

export function violationsOfPolicy(page) {
  return page.evaluate(() => window.violations);
}
