// Opens the browsable reference of a running service in a real browser and looks around in it.
//
//   node reference.mjs <address of the service> <API key> [--shot <file.png>]
//
// Prints one JSON object of what is there; the caller judges it.
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";

// A name, as in production: with the loopback's address Swagger UI leaves out what it asks of the internet.
const NAME = "lyceum.test";
const FLAGS = [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const DEADLINE_MS = 55_000;

const [address, key, ...rest] = process.argv.slice(2);
const origin = `http://${NAME}:${new URL(address).port}`;
const shot = rest[0] === "--shot" ? rest[1] : null;

// Runs in the page before it does: what its own policy kept out.
function listen() {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });
}

// All at once would take as long as a person would not wait.
async function open(page, group) {
  await page.locator(`#operations-tag-${group}`).click();
  await page.locator(`[id^=operations-${group}-]`).first().waitFor();
}

async function look(page, report) {
  const answer = await page.goto(`${origin}/docs`);
  report.status = answer.status();
  await page.locator("#operations-tag-courses").waitFor();
  report.groups = await page.locator(".opblock-tag").evaluateAll((all) => all.map((group) => group.dataset.tag));
  await open(page, "courses");
  report.operations = await page.locator("[id^=operations-courses-]").evaluateAll((all) => all.map((one) => one.id).sort());
  report.title = await page.locator(".info h1, .info h2").first().innerText();
  report.complaints = await page.locator(".errors-wrapper").allInnerTexts();

  await page.locator("button.authorize").first().click();
  await page.locator(".auth-container").first().waitFor();
  report.schemes = await page.locator(".auth-container h4 code").allInnerTexts();
  await page.locator(".auth-container input").first().fill(key);
  await page.locator(".auth-container button.authorize").first().click();
  await page.locator(".auth-btn-wrapper .btn-done").first().click();

  // What is tried out is asked of the service itself, with the key.
  await open(page, "me");
  const operation = page.locator("#operations-me-retrieveMe");
  await operation.locator(".opblock-summary-control").first().click();
  await operation.locator(".execute").click();
  const tried = operation.locator(".live-responses-table tbody .response").first();
  await tried.waitFor();
  report.tried_status = (await tried.locator(".response-col_status").innerText()).trim();
  report.tried_body = JSON.parse(await tried.locator(".highlight-code code").first().innerText());
}

async function main() {
  const report = { errors: [], outside: [], refused: [], violations: [] };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const stop = setTimeout(() => { report.errors.push("out of time"); browser.close(); }, DEADLINE_MS);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => { if (message.type() === "error") report.errors.push(`${message.text()} ${message.location().url}`); });
    page.on("pageerror", (error) => report.errors.push(String(error)));
    page.on("request", (request) => { if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:")) report.outside.push(request.url()); });
    page.on("response", (response) => { if (response.status() >= 400) report.refused.push(`${response.status()} ${response.url()}`); });
    await page.addInitScript(listen);
    try {
      await look(page, report);
    } finally {
      report.violations = await page.evaluate(() => window.violations);
      if (shot) await page.screenshot({ path: shot });
    }
  } catch (error) {
    report.errors.push(String(error));
  } finally {
    clearTimeout(stop);
    await browser.close();
  }
  console.log(JSON.stringify(report));
}

await main();
