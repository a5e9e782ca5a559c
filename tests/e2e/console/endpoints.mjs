// An endpoint of webhooks: made, changed over somebody else's change, told again what it missed, taken away.
// On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node endpoints.mjs
//
// The service has to allow webhooks to 127.0.0.1. Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { startReceiver } from "./receiver.mjs";
import { apiOf, until } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const NAME = "Records <b>";
const api = apiOf(base, key);
const eventsOf = (one) => one.enabled_events.toSorted();

class Run {
  constructor(name, page, report, receiver) {
    Object.assign(this, { name, page, report, receiver, told: {} });
    this.dialog = page.locator("dialog");
    this.go = page.locator("dialog > .row.end .button").last();
  }

  async look(place) {
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/endpoints-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  press(name) {
    return this.page.locator("#main").getByRole("button", { name, exact: true }).click();
  }

  // What is said in the dialog of what was tried there, and the field that has the focus.
  async refused() {
    await this.go.click();
    const said = await this.page.locator("dialog .trouble").innerText();
    const field = await this.page.evaluate(() => document.activeElement.getAttribute("aria-invalid") && document.activeElement.name);
    return [said, field];
  }

  async closed() {
    await this.dialog.waitFor({ state: "detached" });
    await settled(this.page);
  }

  get endpoint() {
    return api("GET", `/v1/webhook_endpoints/${this.id}`);
  }

  family(name) {
    return this.page.locator("dialog details", { has: this.page.locator("summary code", { hasText: new RegExp(`^${name}$`) }) });
  }
}

async function isMade(run) {
  const { page, told } = run;
  await visit(page, "#/webhooks");
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog input[name=url]").fill("records.example");
  told.no_address = await run.refused();
  await page.locator("dialog input[name=url]").fill(`${run.receiver.origin}/hooks`);
  await page.locator("dialog input[name=description]").fill(NAME);
  await run.family("submission").locator("input[value='submission.graded']").uncheck();
  told.no_event = (await run.refused())[0];
  await run.family("course").locator("summary").click();
  await run.family("course").locator("input[value='course.*']").check();
  told.in_family = await run.family("course").locator("input:disabled").count();
  await run.family("unit").locator("summary").click();
  await run.family("unit").locator("input[value='unit.created']").check();
  await run.look("made");
  await run.go.click();
  await page.locator("dialog .secret input").waitFor();
  await run.go.click();
  await run.closed();
  const { data } = await api("GET", "/v1/webhook_endpoints?limit=1");
  Object.assign(run, { id: data[0].id });
  told.made = [data[0].description, eventsOf(data[0])];
}

// Another has given it other events meanwhile: that is said once, and what was typed stays.
async function isChanged(run) {
  const { page, told } = run;
  await visit(page, `#/webhooks/${run.id}`);
  await run.press("Change");
  await run.dialog.waitFor();
  told.stands = await page.locator("dialog details[open] summary").allInnerTexts();
  await page.locator("dialog input[name=description]").fill("Archive");
  await api("PATCH", `/v1/webhook_endpoints/${run.id}`, { enabled_events: ["course.*", "lesson.created"] });
  told.overtaken = (await run.refused())[0].replace(run.receiver.origin, "");
  await run.look("overtaken");
  told.changed_said = await saidOf(page, () => run.go.click());
  await run.closed();
  told.changed = [(await run.endpoint).description, eventsOf(await run.endpoint), await page.locator("h1").innerText()];
  await run.press("Change");
  await page.locator("dialog select[name=enabled_events]").selectOption("*");
  await run.go.click();
  await run.closed();
  told.hears_all = eventsOf(await run.endpoint);
}

// What happened before it was there, and what happened while it was off.
async function isToldAgain(run) {
  const { page, told } = run;
  await run.press("Send again what was missed");
  await page.locator("dialog input[name=since]").fill("2020-01-01T00:00");
  told.too_early = await run.refused();
  await page.locator("dialog input[name=since]").fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
  await run.look("told again");
  const before = (await api("GET", `/v1/webhook_endpoints/${run.id}/deliveries`)).data.length;
  const said = await saidOf(page, () => run.go.click());
  await run.closed();
  const { data } = await until(
    () => api("GET", `/v1/webhook_endpoints/${run.id}/deliveries?limit=100`),
    (now) => now.data.length > before && now.data.every(({ status }) => status === "delivered"),
  );
  told.recovered = said === `Sent again: ${data.length - before}.` || [said, before, data.length];
  // Those of one type of event alone.
  await page.locator("select[name=type]").selectOption("course.created");
  await page.waitForFunction(() => location.hash.endsWith("?type=course.created"));
  await settled(page);
  const kinds = await page.locator("#main tbody button.mono").allTextContents();
  const chosen = await api("GET", `/v1/webhook_endpoints/${run.id}/deliveries?type=course.created`);
  told.of_type = [[...new Set(kinds)], kinds.length === chosen.data.length && kinds.length < data.length];
  await visit(page, `#/webhooks/${run.id}`);
  await run.press("Switch off");
  await page.locator("#main").getByText("Switch it on to send again").waitFor();
  await run.press("Switch on");
  await page.locator("#main").getByRole("button", { name: "Send again what was missed" }).waitFor();
}

// Where there is more than one request sends: it goes on by itself, is stopped, goes on, and comes to an end.
async function goesOn(run) {
  const { page, told } = run;
  const answers = [1000, 1000, 1000, 234].map((queued, at) => ({ queued, has_more: at < 3 }));
  const asked = [];
  let isGone = false;
  let free;
  const isHeld = new Promise((resolve) => (free = resolve));
  await page.route("**/recover", async (route) => {
    // The network is gone once.
    if (asked.length === 2 && !isGone) return (isGone = true) && route.abort();
    asked.push(route.request().postDataJSON().since);
    if (asked.length > 1) await isHeld;
    await route.fulfill({ json: { object: "webhook_recovery", endpoint_id: run.id, since: asked[0], ...answers[asked.length - 1] } });
  });
  const card = page.locator("section.card", { has: page.locator("[role=status]") });
  const states = [];
  const note = async (state) => {
    await card.locator(".tag", { hasText: state }).waitFor();
    states.push([state, await card.locator("[role=status]").innerText()]);
  };
  await run.press("Send again what was missed");
  await run.go.click();
  await run.closed();
  await note("Being sent again");
  // It goes on while one looks at something else.
  await visit(page, "#/webhooks");
  await visit(page, `#/webhooks/${run.id}`);
  await run.look("on its way");
  await run.press("Stop");
  free();
  await note("Stopped");
  await page.waitForFunction(() => document.querySelector("section.card [role=status]").textContent.includes("2,000"));
  await settled(page);
  await run.press("Go on");
  await note("Not all is sent again");
  await settled(page);
  await run.press("Go on");
  await note("All is sent again");
  await settled(page);
  await run.press("Close");
  await card.waitFor({ state: "detached" });
  await page.unroute("**/recover");
  Object.assign(told, { states, asked: [asked.length, new Set(asked).size] });
}

async function isTakenAway(run) {
  const { page, told } = run;
  const slow = await api("POST", "/v1/webhook_endpoints", { url: `${run.receiver.origin}/broken`, enabled_events: ["course.*"], description: NAME });
  await api("POST", "/v1/courses", { name: "Lost", language: "en" });
  await until(
    () => api("GET", `/v1/webhook_endpoints/${slow.id}/deliveries`),
    (now) => now.data.length > 0,
  );
  await visit(page, `#/webhooks/${slow.id}`);
  await page.locator(".page-head .button").nth(3).click();
  await run.dialog.waitFor();
  told.asked_first = await run.dialog.locator("h2, p").allInnerTexts();
  await run.look("taken away");
  // Somebody else is faster.
  if (run.name === "desk") await api("DELETE", `/v1/webhook_endpoints/${slow.id}`);
  told.gone_said = await saidOf(page, () => run.go.click());
  await settled(page);
  told.gone = [await page.evaluate(() => location.hash), await page.locator("tbody a", { hasText: slow.url }).count()];
}

// Who may only read is offered nothing.
async function isReadAlone(run, browser) {
  const { api_key: reader } = await api("POST", "/v1/api_keys", { name: "Reader", scopes: ["read:webhooks", "read:events"] });
  const page = await openConsole(browser, base, LOOKS.desk, run.report.faults);
  await signIn(page, reader);
  await visit(page, `#/webhooks/${run.id}`);
  run.told.reader = await page.locator(".page-head .button, .filters .button").count();
  await page.context().close();
}

async function walked(browser, [name, look], report, receiver) {
  const page = await openConsole(browser, base, look, report.faults);
  const run = new Run(name, page, report, receiver);
  report[name] = run.told;
  await signIn(page, key);
  if (name === "desk") for (const part of [isMade, isChanged, isToldAgain, goesOn]) await part(run);
  else {
    await visit(page, "#/webhooks");
    await page.locator(".page-head .button.main").click();
    await run.family("course").locator("summary").click();
    await run.look("made");
    await page.keyboard.press("Escape");
  }
  await isTakenAway(run);
  if (name === "desk") await isReadAlone(run, browser);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const before = await api("POST", "/v1/courses", { name: "Before it was there", language: "en" });
await api("PATCH", `/v1/courses/${before.id}`, { description: "Another type of event." });
const receiver = await startReceiver();
const browser = await launch();
try {
  for (const look of Object.entries(LOOKS)) await walked(browser, look, report, receiver);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
  receiver.close();
}
// That somebody else was faster, and that the network was gone, is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 412|ERR_FAILED .*recover$/.test(fault));
console.log(JSON.stringify(report));
