// Opens the browsable reference of a running service in a real browser, looks around in it and tries what it shows.
//
//   node reference.mjs <address of the service> <API key> [--shots <folder>]
//
// Prints one JSON object of what is there; the caller judges it.
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { ALL_RULES, RULES_OF_COLOURS, violationsOf } from "./axe.mjs";

// A name, as in production: with the loopback's address a browser allows more.
const NAME = "lyceum.test";
const FLAGS = [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const DEADLINE_MS = Number(process.env.DEADLINE_MS ?? 55_000);
const PAGES = ["/docs", "/docs?q=course", "/docs/courses", "/docs/createCourse", "/docs/listSubmissions", "/docs/onCourseCreated", "/docs/AssignmentView"];
const WIDE = { width: 1440, height: 1000 };
const NARROW = { width: 390, height: 844 };

const [address, key, ...rest] = process.argv.slice(2);
const origin = `http://${NAME}:${new URL(address).port}`;
const shots = rest[0] === "--shots" ? rest[1] : null;

// Runs in the page before it does: what its own policy kept out.
function listen() {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });
}

async function shoot(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
}

const go = (page, path) => page.goto(`${origin}${path}`);

// Each kind of page once: large ones take axe seconds, and have nothing that these have not.
const FOR_AXE = ["/docs/createCourse", "/docs/onCourseCreated"];

async function axe(page, path, report, rules = ALL_RULES) {
  if (!FOR_AXE.includes(path) && !process.env.ALL) return;
  report.axe.push(...(await violationsOf(page, rules)).map((one) => `${path} ${one}`));
}

// How each page is in the light, in the dark and on a telephone.
async function look(page, report) {
  for (const path of PAGES) {
    const name = path.replaceAll(/\W/g, "_");
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
    await go(page, path);
    await axe(page, path, report);
    await shoot(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await axe(page, path, report, RULES_OF_COLOURS);
    await shoot(page, `${name}-dark`);
    await page.setViewportSize(NARROW);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) report.wide.push(`${path}: ${wide}`);
    await shoot(page, `${name}-narrow`);
    report.violations.push(...(await page.evaluate(() => window.violations)));
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
}

async function find(page, report) {
  await go(page, "/docs");
  const names = await page.locator(".all h2 a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  report.groups = names;
  await page.locator("#q").fill("create a course");
  await page.keyboard.press("Enter");
  report.first_found = await page.locator(".operations a").first().getAttribute("href");
}

async function samples(page, report) {
  await go(page, "/docs/listCourses");
  await page.getByText("Python", { exact: true }).click();
  await go(page, "/docs/createCourse");
  report.language = await page.locator("[name=language]:checked").getAttribute("value");
  const sample = page.locator(".sample:visible");
  await sample.locator(".copy").first().click();
  // Without TLS there is no clipboard, and what is copied is marked.
  report.copied = (await page.evaluate(() => getSelection().toString())).trim();
}

// What an operation answered in the form.
async function answered(page) {
  await page.locator(".outcome:not([hidden]) .line").waitFor();
  const line = await page.locator(".outcome .line").innerText();
  return { status: line.split(" ")[0], body: JSON.parse(await page.locator(".outcome .answer").innerText()) };
}

async function attempt(page, report) {
  await go(page, "/docs/retrieveMe");
  const send = page.locator(".doing .main");
  await send.click();
  report.without_key = await page.locator(".told").innerText();
  await page.locator("#try-key").fill(key);
  await page.locator("#try-key").press("Tab");
  await page.locator("#try-keep").check();
  await page.locator(".who .said", { hasText: /^As / }).waitFor();
  await send.click();
  report.read = await answered(page);

  // What changes something is asked about, and sent by nothing else.
  const sent = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
  await go(page, "/docs/createCourse");
  await page.locator(".try").scrollIntoViewIfNeeded();
  await page.locator(".who .said", { hasText: /^As / }).waitFor();
  report.kept = (await page.evaluate(() => sessionStorage.getItem("lyceum.reference.key"))) === key;
  await send.click();
  await page.locator(".sure").waitFor();
  await shoot(page, "sure");
  report.before_yes = [...sent];
  await page.locator(".sure .yes").click();
  report.written = await answered(page);
  report.axe.push(...(await violationsOf(page)).map((one) => `tried ${one}`));
  await page.locator(".try").scrollIntoViewIfNeeded();
  await shoot(page, "tried");
}

async function main() {
  const report = { errors: [], outside: [], refused: [], violations: [], axe: [], wide: [] };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const stop = setTimeout(() => { report.errors.push("out of time"); browser.close(); }, DEADLINE_MS);
  try {
    const page = await browser.newPage({ viewport: WIDE });
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => { if (message.type() === "error") report.errors.push(`${message.text()} ${message.location().url}`); });
    page.on("pageerror", (error) => report.errors.push(String(error)));
    page.on("request", (request) => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) report.outside.push(request.url()); });
    page.on("response", (response) => { if (response.status() >= 400) report.refused.push(`${response.status()} ${response.url()}`); });
    await page.addInitScript(listen);
    await look(page, report);
    await find(page, report);
    await samples(page, report);
    await attempt(page, report);
    report.violations.push(...(await page.evaluate(() => window.violations)));
  } catch (error) {
    report.errors.push(String(error));
  } finally {
    clearTimeout(stop);
    await browser.close();
  }
  console.log(JSON.stringify(report));
}

await main();
