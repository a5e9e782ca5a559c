// What AI cost: a picture of tokens and one of money, both as the service says and as the file has them, calls for one purpose, what learners may take, and what is
// set beside the budget. On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> MODEL_PORT=<where it expects its model> [PICTURES=<folder>] node usage.mjs
//
// Prints one JSON object; the caller judges it.
import { readFile } from "node:fs/promises";
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { startProvider } from "./provider.mjs";
import { apiOf, until } from "./seed.mjs";
import { FRIDGE, FRIDGES } from "./story.mjs";

const { BASE: base, KEY: key, MODEL_PORT: port, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const api = apiOf(base, key);

// Two works that AI grades.
async function graded() {
  const course = await api("POST", "/v1/courses", { name: "Cold", language: "en" });
  const assignment = await api("POST", "/v1/assignments", { course_id: course.id, ...FRIDGE, ai_evaluator: { enabled: true }, human_review: "off" });
  await api("POST", `/v1/courses/${course.id}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: course.id, name: "Cold" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  for (const [at, { text }] of FRIDGES.slice(0, 2).entries()) {
    const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `cook-${at}@school.example`, name: `Cook ${at}` });
    const work = { assignment_id: assignment.id, cohort_id: cohort.id, user_id, draft: false, content: { type: "text", text } };
    const { id } = await api("POST", "/v1/submissions", work);
    await until(
      () => api("GET", `/v1/submissions/${id}`),
      ({ ai_status: status }) => status === "ready",
    );
  }
}

class Run {
  constructor(name, page, report) {
    Object.assign(this, { name, page, report, told: {} });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/usage-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  address() {
    return this.page.evaluate(() => location.hash.split("?")[1] ?? "");
  }

  // What the highest bar says.
  async highest() {
    const heights = await this.page.locator(".bars g:has(rect)").evaluateAll((bars) => bars.length);
    const title = await this.page.locator(".bars g:has(rect) title").first().textContent();
    const looks = await this.page.locator(".bars rect").evaluateAll((boxes) => [...new Set(boxes.map((box) => box.getAttribute("class")))]);
    // Nothing on the scale is cut off.
    const first = await this.page.locator(".bars text").evaluateAll((texts) => Math.min(...texts.map((text) => text.getBBox().x)));
    if (first < 0) this.report.findings.push(`${this.name}: a word of the scale begins at ${first}`);
    return { heights, said: title.split(": ").at(-1), looks, called: await this.page.locator(".bars").getAttribute("aria-label") };
  }
}

async function aPicture(run) {
  const { page, told } = run;
  await visit(page, "#/usage");
  await run.look("tokens");
  const found = await api("GET", "/v1/ai/usage");
  const tokens = await run.highest();
  await page.locator("select[name=of]").selectOption("money");
  await run.look("money");
  const money = await run.highest();
  const written = (value, options) => page.evaluate(([language, one, how]) => new Intl.NumberFormat(language, how).format(one), [look(run), value, options]);
  const usd = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", minimumFractionDigits: 2, maximumFractionDigits: 4 };
  told.tokens = [tokens.heights, tokens.looks, tokens.said === (await written(found.totals.tokens_in + found.totals.tokens_out, {}))];
  told.money = [money.heights, money.looks, money.said === (await written(found.totals.cost_usd, usd)), money.called !== tokens.called];
  told.kept = await run.address();
  await visit(page, "#/courses");
  await visit(page, "#/usage?of=money&feature=nonsense&back=99");
  told.again = [await page.locator("select[name=of]").inputValue(), await page.locator("select[name=feature]").inputValue()];
}

const look = ({ name }) => (name === "arabic" ? "ar" : "en");

async function aTable(run) {
  const { page, told } = run;
  const found = await api("GET", "/v1/ai/usage");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".page-head .button").click()]);
  const text = (await readFile(await download.path(), "utf8")).replace("\ufeff", "");
  const [head, ...rows] = text.trim().split("\r\n").map((line) => line.replaceAll('"', "").split(","));
  const of = (kind) => rows.filter(([by]) => by === kind);
  const sum = (kind, column) => of(kind).reduce((all, row) => all + Number(row[head.indexOf(column)]), 0);
  const { totals } = found;
  told.file = [
    download.suggestedFilename() === `ai-usage-${found.from.slice(0, 7)}.csv`,
    ["day", "feature", "model"].every((kind) => sum(kind, "tokens_in") === totals.tokens_in && Math.abs(sum(kind, "cost_usd") - totals.cost_usd) < 1e-9),
    of("day").length === Number(new Date().getUTCDate()),
    of("model").map(([, name]) => name),
  ];
}

async function onePurpose(run) {
  const { page, told } = run;
  await visit(page, "#/usage");
  const calls = page.locator(".section", { has: page.locator("select[name=feature]") });
  const choice = page.locator("select[name=feature]");
  const asked = (feature) => page.waitForResponse((response) => response.url().includes(`/v1/ai/calls?limit=25&feature=${feature}`));
  const before = await calls.locator("tbody tr").count();
  await choice.focus();
  await Promise.all([asked("grading"), choice.selectOption("grading")]);
  await settled(page);
  const grading = await calls.locator("tbody tr").count();
  await Promise.all([asked("speaking"), choice.selectOption("speaking")]);
  await run.look("calls for nothing");
  told.purposes = [before > 0, grading === before, await calls.locator(".empty").count(), await run.address()];
  told.focus = await page.evaluate(() => document.activeElement.name);
  // What cannot be had is said in its place, and asked for again there.
  await page.route("**/v1/ai/calls?*", (route) => route.abort());
  await choice.selectOption("tutoring");
  await calls.locator(".problem").waitFor();
  await page.unroute("**/v1/ai/calls?*");
  await Promise.all([asked("tutoring"), calls.locator(".problem .button").click()]);
  await calls.locator(".empty").waitFor();
  // It goes along to another month.
  await page.locator(".page-head select").selectOption("1");
  await page.waitForFunction(() => location.hash.includes("back=1"));
  await settled(page);
  told.month = await run.address();
  await run.look("another month");
}

async function theBudget(run) {
  const { page, told } = run;
  const { platforms } = await api("GET", "/v1/me");
  const place = `/v1/workspaces/${platforms[0].workspace_id}`;
  const open = async () => {
    await page.locator(".card .button.small").first().click();
    await page.locator("dialog").waitFor();
  };
  await api("PATCH", place, { ai: null });
  await visit(page, "#/usage");
  const { quotas } = await api("GET", place);
  told.shares = [quotas.ai_learners_percent, quotas.ai_gradings_per_learner_hour];
  const shown = await page.locator(".card:not(:has(progress)) .facts dd").allInnerTexts();
  told.shares_shown = shown.map((text) => text.replace(/[^\d]/g, "")).join();
  const hints = () => page.locator(".card:has(progress) > .hint").count();
  told.hints = [await hints()];
  await open();
  await run.look("what is set");
  // The service's own is no decision of this workspace.
  told.empty = await page.locator("dialog input").evaluateAll((inputs) => inputs.map((input) => input.value));
  await page.locator("dialog input").first().focus();
  await page.keyboard.type("-");
  await page.locator("dialog .button.main").click();
  told.no_number = [await page.locator("dialog .trouble").innerText(), await page.locator("dialog [aria-invalid]").count()];
  await page.keyboard.type("1");
  await page.locator("dialog .button.main").click();
  await page.locator("dialog [aria-invalid]").waitFor();
  told.negative = await page.locator("dialog .trouble").innerText();
  await page.locator("dialog input").first().fill("");
  // Somebody else sets money while one sets what happens where a provider fails.
  await api("PATCH", place, { ai: { monthly_budget: { usd: 0 } } });
  await page.locator("dialog select").selectOption("built_in");
  told.saved = Boolean(await saidOf(page, () => page.locator("dialog .button.main").click()));
  await settled(page);
  told.ai = (await api("GET", place)).ai;
  told.hints.push(await hints());
  told.used_up = await page.locator("progress").evaluateAll((bars) => bars.map((bar) => [bar.value, bar.max]));
  await run.look("nothing may be spent");
  await api("PATCH", place, { ai: null });
}

async function walk(browser, [name, how], report) {
  const page = await openConsole(browser, base, how, report.faults);
  const run = new Run(name, page, report);
  report[name] = run.told;
  await signIn(page, key);
  for (const part of [aPicture, aTable, onePurpose, theBudget]) await part(run);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const provider = await startProvider(Number(port));
const browser = await launch();
try {
  await graded();
  for (const one of Object.entries(LOOKS)) await walk(browser, one, report);
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
  provider.close();
}
// Not reaching the service is what some of it is about.
report.faults = report.faults.filter((fault) => !/ERR_FAILED.*calls/.test(fault));
console.log(JSON.stringify(report));
