// Grading without knowing what AI says, and what comes of it: the page of an assignment, the desk, both ways out.
import { readdirSync } from "node:fs";

async function at(context, hash) {
  const page = await context.openConsole(context.browser, context.base, context.look, context.report.faults);
  await context.signIn(page, context.key);
  await context.visit(page, hash);
  return page;
}

// Where the desk shows the submission that the address names, with its heading in focus.
async function laidOut(page, { settled }) {
  await page.waitForFunction(() => /^#\/review\/sub_/.test(location.hash) && document.activeElement?.matches(".desk-title"));
  await settled(page);
}

function shownId(page) {
  return page.evaluate(() => location.hash.split("/").pop());
}

// The pages with words of their own.
function pagesWithWords() {
  const files = readdirSync(new URL("../../../crates/console/assets", import.meta.url));
  return files.filter((name) => name.endsWith("_en.js")).map((name) => name.slice(0, -"_en.js".length));
}

// Every language has the same words with the same gaps.
export async function checkWords({ page, report }) {
  const found = await page.evaluate(async (pages) => {
    const { LANGUAGES } = await import("/studio/i18n.js");
    const flat = (group, name = "") =>
      Object.entries(group).flatMap(([key, value]) => {
        if (typeof value !== "string") return flat(value, `${name}${key}.`);
        return `${name}${key} ${[...value.matchAll(/\{\w+\}/g)].flat().sort().join("")}`;
      });
    const words = async (module) => flat((await import(`/studio/${module}.js`)).default);
    const read = async (language) => new Set([...(await words(language)), ...(await Promise.all(pages.map((page) => words(`${page}_${language}`)))).flat()]);
    const english = await read("en");
    const differing = async (language) => [...english.symmetricDifference(await read(language))].map((word) => `${language}: ${word}`);
    return (await Promise.all(Object.keys(LANGUAGES).map(differing))).flat();
  }, pagesWithWords());
  report.findings.push(...found.map((word) => `not in every language: ${word}`));
}

async function theFigures(page, api, ids, blind) {
  const told = await api("GET", `/v1/assignments/${ids.hands}/calibration`);
  const { answers, exact } = told.agreement;
  const figures = await page.locator(".figure").allInnerTexts();
  blind.figures = figures.length;
  blind.exact = figures[0].startsWith(`On ${Math.round(exact.value * answers)} of ${answers} answers`);
  blind.waiting = await page.locator(".list a").count();
  return told;
}

// What AI has said of the next ones is known to the service alone.
async function hidden(page, api, told, blind, context) {
  const said = await Promise.all(told.next.map((id) => api("GET", `/v1/submissions/${id}`)));
  await page.locator(".page .button.main").click();
  await laidOut(page, context);
  const id = await shownId(page);
  const before = said.find((one) => one.id === id);
  const views = await Promise.all(told.next.map((one) => api("GET", `/v1/submissions/${one}`)));
  const text = await page.locator(".desk").innerText();
  blind.hidden = {
    all: views.every((one) => one.blind && one.score === null),
    line: await page.locator(".blind h3").innerText(),
    reasons: before.criteria.filter(({ rationale }) => rationale && text.includes(rationale)).length,
    marks: await page.locator("mark").count(),
    decisions: await page.locator(".desk-bar .decide button").count(),
    history: await page.locator(".history-box").count(),
  };
  return before;
}

// By keyboard alone; what lets a grade stand does nothing here.
async function gradedBlind(page, api, before, blind, { examined, report, settled }) {
  await page.keyboard.press("a");
  await page.keyboard.press("r");
  blind.stands = (await api("GET", `/v1/submissions/${before.id}`)).status;
  await page.keyboard.press("e");
  await page.locator("form [data-points='0']").waitFor();
  await examined(page, "the desk, grading blind", report);
  await page.keyboard.type("3");
  await page.keyboard.press("Control+Enter");
  await page.locator(".beside table").waitFor();
  await settled(page);
  await examined(page, "the desk, graded blind", report);
  const { data } = await api("GET", `/v1/submissions/${before.id}/grades`);
  const cells = await page.locator(".beside tbody tr").last().locator("td").allInnerTexts();
  blind.graded = {
    is_blind: data[0].grader.blind,
    beside: cells.join() === [3, before.ai_score, 10].join(),
    is_here: (await shownId(page)) === before.id,
    is_said: (await page.locator(".toast").innerText()).includes("AI gave"),
  };
}

// Shown all the same, an answer is never hidden again.
async function shown(page, api, before, blind, context) {
  const { examined, report, settled } = context;
  await page.keyboard.press("j");
  await page.waitForFunction((id) => !location.hash.endsWith(id), before.id);
  await laidOut(page, context);
  const id = await shownId(page);
  await page.locator(".blind button").click();
  await page.locator("dialog .button.danger").waitFor();
  await examined(page, "the desk, asking whether to show", report);
  await page.locator("dialog .button.danger").click();
  await page.waitForFunction(() => !document.querySelector(".blind, dialog"));
  await settled(page);
  const now = await api("GET", `/v1/submissions/${id}`);
  await page.getByRole("button", { name: "Grade blind" }).click();
  await page.locator("dialog .button.main").click();
  await page.locator("dialog .trouble").waitFor();
  await examined(page, "the desk, what cannot be hidden again", report);
  const trouble = await page.locator("dialog .trouble").innerText();
  blind.shown = { blind: now.blind, has_score: now.score !== null, never_again: trouble.includes("cannot be graded blind any more") };
  await page.keyboard.press("Escape");
  return id;
}

// What nobody has graded is hidden before AI says anything.
async function hiddenFirst(page, api, ids, blind, context) {
  await context.visit(page, `#/review/${ids.ungraded}`);
  await laidOut(page, context);
  await page.getByRole("button", { name: "Grade blind" }).click();
  await page.locator(".blind").waitFor();
  blind.hidden_first = (await api("GET", `/v1/submissions/${ids.ungraded}`)).blind;
}

async function drawn(page, api, ids, known, blind, context) {
  await context.visit(page, `#/assignments/${ids.hands}/calibration`);
  const before = await api("GET", `/v1/assignments/${ids.hands}/calibration`);
  await page.locator(".page .card").nth(1).locator("button").click();
  await laidOut(page, context);
  const now = await api("GET", `/v1/assignments/${ids.hands}/calibration`);
  const open = before.drawn.filter((id) => id !== known);
  blind.drawn = open.length > 0 && open.every((id) => now.waiting_blind.includes(id));
}

// Where too few were graded blind, no figure is told.
async function tooFew(page, api, ids, blind, { visit, examined, report }) {
  const { data } = await api("GET", `/v1/assignments?course_id=${ids.course}&limit=100`);
  const card = data.find(({ name }) => name === "An allergen card");
  await visit(page, `#/courses/${ids.course}`);
  await page.locator(`a[href="#/assignments/${card.id}/calibration"]`).click();
  await page.locator(".empty").waitFor();
  await examined(page, "calibration, too few", report);
  blind.too_few = (await page.locator(".figure").count()) === 0;
}

export async function checkBlind(context) {
  const { api, ids, report } = context;
  const blind = {};
  report.blind = blind;
  const page = await at(context, `#/assignments/${ids.hands}/calibration`);
  const told = await theFigures(page, api, ids, blind);
  const before = await hidden(page, api, told, blind, context);
  await gradedBlind(page, api, before, blind, context);
  const known = await shown(page, api, before, blind, context);
  await hiddenFirst(page, api, ids, blind, context);
  await tooFew(page, api, ids, blind, context);
  await drawn(page, api, ids, known, blind, context);
  await page.context().close();
}
