// API keys: one's own and those of a program, made, changed, rotated and revoked; what was lost on the way, and what came in between.
// On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> [PICTURES=<folder>] node keys.mjs
//
// Prints one JSON object; the caller judges it.
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const NAME = "Sync <b>";
const HOUR_MS = 3_600_000;
const api = apiOf(base, key);
const inHours = (hours) => new Date(Date.now() + hours * HOUR_MS).toISOString();
// In so many hours, to the minute.
const isIn = (hours, moment) => Math.abs(Date.parse(moment) - Date.parse(inHours(hours))) < 120_000;

class Run {
  constructor(name, page, report) {
    Object.assign(this, { name, page, report, told: {} });
    this.dialog = page.locator("dialog");
    this.go = page.locator("dialog > .row.end .button").last();
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/keys-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  row(called) {
    return this.page.locator("tbody tr", { hasText: called }).first();
  }

  // By the place of the button: its words are in the language of the look.
  async act(called, at) {
    await this.row(called).locator(".button").nth(at).click();
    await this.dialog.waitFor();
  }

  async refused() {
    await this.go.click();
    const said = await this.page.locator("dialog .trouble").innerText();
    return [said, await this.page.evaluate(() => document.activeElement.getAttribute("aria-invalid") && document.activeElement.name)];
  }

  async done() {
    await this.go.click();
    await this.dialog.waitFor({ state: "detached" });
    await settled(this.page);
  }

  // What was shown once, and is gone with its dialog.
  async revealed() {
    await this.go.click();
    await this.page.locator("dialog .secret input").waitFor();
    const made = await this.page.locator("dialog .secret input").inputValue();
    await this.done();
    return made;
  }

  field(name) {
    return this.page.locator(`dialog [name=${name}]`);
  }
}

const opens = async (one) => (await fetch(`${base}/v1/me`, { headers: { "x-api-key": one } })).status;
const called = async (name, query = "") => (await api("GET", `/v1/api_keys?limit=100${query}`)).data.filter((one) => one.name === name);

async function isMade(run) {
  const { page, told } = run;
  await visit(page, "#/keys");
  await page.locator(".page-head .button.main").click();
  await run.field("name").fill(NAME);
  await run.field("allowed_addresses").fill("127.0.0.1\n10.0.0.1/8");
  told.no_address = await run.refused();
  await run.field("allowed_addresses").fill("127.0.0.1, 10.0.0.0/8");
  await page.locator("dialog select").selectOption("at");
  await run.field("expires_at").fill("2020-01-01T00:00");
  told.past = await run.refused();
  await page.locator("dialog select").selectOption("7");
  await run.look("making one");
  const secret = await run.revealed();
  const [made] = await called(NAME);
  told.made = [secret.startsWith(made.prefix), made.allowed_addresses, isIn(7 * 24, made.expires_at)];
  await opens(secret);
  await visit(page, "#/");
  await visit(page, "#/keys");
  const text = (await run.row(NAME).innerText()).replace(/\s+/g, " ");
  told.seen = ["Only from 127.0.0.1 10.0.0.0/8", "just now from 127.0.0.1"].filter((part) => !text.includes(part)).map((part) => `${part}: ${text}`);
  return secret;
}

async function isChanged(run) {
  const { page, told } = run;
  await run.act(NAME, 0);
  await run.field("name").fill("Nightly");
  await run.field("allowed_addresses").fill("");
  await page.locator("dialog select").selectOption("never");
  told.changed_said = await saidOf(page, () => run.go.click());
  await run.dialog.waitFor({ state: "detached" });
  told.focused = await page.evaluate(() => document.activeElement.tagName);
  const now = async () => (await called("Nightly"))[0];
  const { allowed_addresses: from, expires_at: end } = await now();
  told.changed = [from, end];
  await run.act("Nightly", 0);
  await page.locator("dialog select").selectOption("at");
  await run.field("expires_at").fill(inHours(48).slice(0, 16));
  await run.done();
  told.ends = isIn(48, (await now()).expires_at);
  // Somebody else is faster.
  const other = await api("POST", "/v1/api_keys", { name: "Over soon", scopes: ["read:courses"] });
  await visit(page, "#/");
  await visit(page, "#/keys");
  await run.act("Over soon", 0);
  await api("POST", `/v1/api_keys/${other.id}/revoke`);
  await page.locator("dialog select").selectOption("30");
  told.over = (await run.refused())[0];
  await page.keyboard.press("Escape");
}

// The old key goes on for an hour. Where the answer is lost and it is asked for again, nothing is made twice.
async function isRotated(run, secret) {
  const { page, told } = run;
  await run.act("Nightly", 1);
  await page.locator("dialog select").selectOption("3600");
  told.same_end = await page.locator("dialog p", { hasText: "The new one ends when this one does" }).count();
  await run.look("rotating one");
  await page.route(
    "**/rotate",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  told.lost = (await run.refused())[0];
  const next = await run.revealed();
  const both = await called("Nightly");
  told.rotated = [both.length, isIn(48, both[0].expires_at), isIn(1, both[1].expires_at), await opens(secret), await opens(next)];
  told.forgotten = !(await page.content()).includes(next.slice(12));
  // Of two that are called so, the newest comes first.
  await run.act("Nightly", 2);
  told.revoked_said = await saidOf(page, () => run.go.click());
  await settled(page);
  told.revoked = await opens(next);
}

// Whoever ends the key that they are signed in with sees the new one before the door.
async function ownIsRotated(run, browser) {
  const { api_key: mine } = await api("POST", "/v1/api_keys", { name: "Mine", scopes: ["read:*", "write:*"] });
  const page = await openConsole(browser, base, LOOKS.desk, run.report.faults);
  await signIn(page, mine);
  const one = new Run("own", page, run.report);
  await visit(page, "#/keys");
  await one.act("Mine", 1);
  run.told.warned = await page.locator("dialog p.hint", { hasText: "You are signed in with this key" }).count();
  await page.locator("dialog select").selectOption("0");
  const next = await one.revealed();
  run.told.own = [await opens(mine), await opens(next)];
  await page.evaluate(() => (location.hash = "#/members"));
  await page.locator("input[type=password]").waitFor();
  await page.context().close();
}

// Those of a program are made, rotated and revoked in its place, and no others are listed there.
async function keysOfProgram(run) {
  const { page, told } = run;
  const { id } = await api("POST", "/v1/users", { kind: "service", name: `Robot <b> of ${run.name}`, role: "teacher" });
  await visit(page, "#/members");
  await page.locator(`a[href="#/members/${id}/keys"]`).click();
  await page.locator(".empty").waitFor();
  await run.look("of a program none");
  await page.locator(".page-head .button.main").click();
  await run.field("name").fill("Grades");
  const first = await run.revealed();
  await run.act("Grades", 0);
  await run.field("allowed_addresses").fill("127.0.0.0/8");
  await run.look("changing one of a program");
  await run.done();
  await run.act("Grades", 1);
  await page.locator("dialog select").selectOption("0");
  const second = await run.revealed();
  await run.look("of a program");
  told.heading = await page.locator("h1").innerText();
  told.program = [await opens(first), await opens(second), await page.locator("tbody tr").count()];
  await run.act("Grades", 2);
  await run.done();
  const all = await called("Grades", `&user_id=${id}`);
  told.program_all = all.map((one) => [one.user_id === id, one.allowed_addresses, Boolean(one.revoked_at)]);
  told.program_revoked = await opens(second);
  return id;
}

// Who may less sees less: of whom they may not make keys, nothing; with a key that reads, no buttons.
async function mayLess(run, browser, program) {
  const { told, report } = run;
  const me = (await api("GET", "/v1/me")).user.id;
  const { id } = await api("POST", "/v1/users", { kind: "service", name: "Deputy", role: "admin" });
  const scopes = [["read:*", "write:*"], ["read:*"]];
  told.less = [];
  for (const one of scopes) {
    const { api_key: held } = await api("POST", "/v1/api_keys", { name: "Deputy", user_id: id, scopes: one });
    const page = await openConsole(browser, base, LOOKS.desk, report.faults);
    await signIn(page, held);
    await visit(page, "#/members");
    const links = (of) => page.locator(`a[href="#/members/${of}/keys"]`).count();
    const seen = [await links(me), await links(program)];
    await visit(page, `#/members/${program}/keys`);
    told.less.push([...seen, await page.locator("#main .button").count()]);
    await visit(page, "#/members/usr_00000000000000000000000000/keys");
    told.nobody = await page.locator(".problem-title").innerText();
    await page.context().close();
  }
}

async function walked(browser, [name, look], report) {
  const page = await openConsole(browser, base, look, report.faults);
  const run = new Run(name, page, report);
  report[name] = run.told;
  await signIn(page, key);
  if (name === "desk") {
    const secret = await isMade(run);
    await isChanged(run);
    await isRotated(run, secret);
    await ownIsRotated(run, browser);
  } else {
    await visit(page, "#/keys");
    await run.look("all");
  }
  const program = await keysOfProgram(run);
  if (name === "desk") await mayLess(run, browser, program);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  for (const look of Object.entries(LOOKS)) await walked(browser, look, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// A key that is over, and an answer that is lost, are what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 401|ERR_FAILED .*rotate$/.test(fault));
console.log(JSON.stringify(report));
