// AI at work on many answers: graded again by keyboard alone, previewed, applied, undone; all that wait; what attacks found.
import { pressAt, tabTo } from "./keyboard.mjs";
import { batchOver } from "./seed.mjs";
import { KNIVES } from "./story.mjs";

// The grades of the story's answers, in its order.
async function standing(api, ids) {
  const { data } = await api("GET", `/v1/submissions?assignment_id=${ids.knife}&limit=100`);
  const of = (text) => data.find(({ content }) => content.text === text);
  return KNIVES.map(({ text }) => of(text)).map(({ id, score, graded_by: by }) => ({ id, score, by }));
}

async function here(page, api) {
  return api("GET", `/v1/batches/${await page.evaluate(() => location.hash.split("/").pop())}`);
}

// From the course to the page, and there a preview of everything.
async function previewed(context, told) {
  const { page, ids, api, settled, visit } = context;
  await visit(page, `#/courses/${ids.course}`);
  await pressAt(page, `a[href="#/assignments/${ids.knife}/regrades"]`);
  await page.locator("fieldset input").first().waitFor();
  await settled(page);
  told.is_marked = await page.locator(".pages a[aria-current]").innerText();
  // Of what is stale, nothing is decided by a person: everything is looked at.
  await tabTo(page, "fieldset input");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await pressAt(page, ".page .button.main");
  await page.locator(".steps-table").waitFor();
  await settled(page);
  const { state, only_stale: isStale, summary } = await here(page, api);
  told.preview = [state, isStale, summary.changed, summary.crossing_up, summary.crossing_down, summary.decided_by_person];
  told.rows = await page.locator(".steps-table tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.innerText)));
  told.first = await page.locator(".page section h2").nth(1).innerText();
  told.unticked = await page.locator(".page input[type=checkbox]:checked").count();
}

// One of the two that a person decided is replaced too; what happens is said before it does.
async function applied(page, { api, ids, examined, report, settled }, told) {
  const before = await standing(api, ids);
  const label = () => page.locator(".acts-row .button.main").innerText();
  const some = await label();
  await pressAt(page, ".page input[type=checkbox]", "Space");
  told.labels = [some, await label()];
  const ticked = await page.locator(".page input:checked").getAttribute("value");
  await tabTo(page, ".acts-row .button.main", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator("dialog .counted").waitFor();
  await examined(page, "grading again, asking", report);
  told.said = (await page.locator("dialog .counted b").allInnerTexts()).map(Number);
  told.is_untouched = JSON.stringify(await standing(api, ids)) === JSON.stringify(before);
  await pressAt(page, "dialog .button.main");
  await page.getByText("New grades applied:").waitFor();
  await settled(page);
  await examined(page, "graded again", report);
  const after = await standing(api, ids);
  told.applied = KNIVES.map(({ after: now, points }, at) => after[at].score === (points === undefined || after[at].id === ticked ? now : points)).every(Boolean);
  told.replaced = after.filter(({ id, by }) => id === ticked && by === "ai").length;
  return before;
}

async function undone(page, before, { api, ids, examined, report, settled }, told) {
  await pressAt(page, ".acts-row .button.danger");
  await page.locator("dialog .button.danger").waitFor();
  await examined(page, "grading again, asking whether to undo", report);
  await pressAt(page, "dialog .button.danger");
  await page.getByText("Put back:").first().waitFor();
  await settled(page);
  await examined(page, "graded again and undone", report);
  told.undone = JSON.stringify(await standing(api, ids)) === JSON.stringify(before);
}

// A preview that nobody wants.
async function thrownAway(page, { api, ids, examined, report, settled, visit }, told) {
  await visit(page, `#/assignments/${ids.knife}/regrades/${ids.regrade}`);
  await pressAt(page, ".acts-row .button.danger");
  await page.locator("dialog .button.danger").waitFor();
  await pressAt(page, "dialog .button.danger");
  await page.getByText("It was stopped, or thrown away").waitFor();
  await settled(page);
  await examined(page, "a preview that was thrown away", report);
  told.thrown = (await api("GET", `/v1/batches/${ids.regrade}`)).state;
  await visit(page, `#/assignments/${ids.knife}/regrades`);
  told.listed = await page.locator(".table tbody .tag").allInnerTexts();
}

// What cannot be had quickly, or at all, is told as if it were so.
async function otherStates(page, { api, ids, examined, report, visit }, told) {
  const place = `#/assignments/${ids.knife}/regrades/${ids.regrade}`;
  const found = await api("GET", `/v1/batches/${ids.regrade}`);
  const items = await api("GET", `/v1/batches/${ids.regrade}/items?limit=100`);
  const [hidden, failed, ...rest] = items.data;
  Object.assign(hidden, { old: null, new_score: null, crossing: null, criteria: [], review_reasons: [] });
  Object.assign(failed, { state: "failed", old: null, new_score: null, crossing: null, criteria: [], error_code: "ai_provider_error", error_message: "It was away." });
  const answered = (batch) => page.route("**/v1/batches/bat_*", (route) => route.fulfill({ json: batch }));
  await page.route("**/v1/batches/bat_*/items?*", (route) => route.fulfill({ json: { ...items, data: [hidden, failed, ...rest] } }));
  await answered({ ...found, state: "ready", items: { ...found.items, failed: 1 } });
  await visit(page, `${place}?as=ready`);
  await examined(page, "a preview with what is hidden and what failed", report);
  const hiddenRow = page.locator("section:has(> h2:text-matches('Hidden until graded')) tbody tr");
  told.hidden = (await hiddenRow.locator("td").allInnerTexts()).slice(0, 3);
  told.failed = await page.locator("section:has(> h2:text-matches('AI could not grade')) tbody td").allInnerTexts();
  await page.unroute("**/v1/batches/bat_*");
  await answered({ ...found, state: "running", summary: null, items: { ...found.items, graded: 5, waiting: found.items.total - 5 } });
  await visit(page, `${place}?as=running`);
  await examined(page, "grading again, under way", report);
  told.running = await page.locator(".making [role=status]").innerText();
  await page.locator(".making .button").click();
  await page.locator("dialog .button.danger").waitFor();
  await examined(page, "grading again, stopping", report);
  await page.keyboard.press("Escape");
  await page.unrouteAll();
}

async function allThatWait(page, { api, ids, examined, report, settled, visit }, told) {
  const place = `#/assignments/${ids.knife}/ai`;
  await visit(page, place);
  told.cost = await page.locator(".page .card p").first().innerText();
  await pressAt(page, ".page .button.main");
  await page.locator("dialog .button.main").waitFor();
  await examined(page, "grading all that wait, asking", report);
  await pressAt(page, "dialog .button.main");
  await page.locator(".page .tag.good").waitFor();
  await settled(page);
  const { waiting, newest } = await api("GET", `/v1/assignments/${ids.knife}/ai`);
  told.all = [waiting, newest.state, newest.items.graded];
  await examined(page, "all that waited is graded", report);
  told.nothing = await page.locator(".may .hint").innerText();
}

// A grader that falls for something, and one that few attacks were graded of.
async function otherReports(page, { api, ids, examined, report, visit }, told) {
  const found = await api("GET", `/v1/assignments/${ids.fridge}/redteam`);
  const { techniques } = found.report;
  const fallen = techniques.map((one, at) => (at ? one : { ...one, released: 2, through: 1, greatest_gain_released: 0.4 }));
  const reports = {
    through: { ...found.report, passes: false, through: 1, greatest_gain_released: 0.4, techniques: fallen },
    "too few": { ...found.report, passes: false, ungraded: 9 },
  };
  told.verdicts = [];
  for (const [name, one] of Object.entries(reports)) {
    await page.route("**/redteam", (route) => route.fulfill({ json: { ...found, report: one } }));
    await visit(page, `#/assignments/${ids.fridge}/redteam?as=${encodeURIComponent(name)}`);
    await examined(page, `a red team, ${name}`, report);
    told.verdicts.push(await page.locator(".page .card > p").first().innerText());
    await page.unroute("**/redteam");
  }
}

export async function checkBatches(context) {
  const told = {};
  context.report.batches = told;
  const { page } = context;
  await previewed(context, told);
  const before = await applied(page, context, told);
  await undone(page, before, context, told);
  await thrownAway(page, context, told);
  await otherStates(page, context, told);
  await allThatWait(page, context, told);
  await otherReports(page, context, told);
}

// From a refusal of the certificate to what it asks for: the grader is attacked, and the page leads back.
export async function attackedByKeyboard(page, { api, ids, examined, report, settled }) {
  await page.locator(".page .empty").waitFor();
  await settled(page);
  await examined(page, "a grader that nobody attacked", report);
  await pressAt(page, ".page .button.main");
  await page.locator("dialog .button.main").waitFor();
  await examined(page, "a red team, asking", report);
  await pressAt(page, "dialog .button.main");
  await page.locator(".page .tag:is(.good, .bad)").first().waitFor();
  await settled(page);
  const { id, report: found } = await api("GET", `/v1/assignments/${ids.fridge}/redteam`);
  await batchOver(api, id);
  const verdict = await page.locator(".page .tag").first().innerText();
  const rows = await page.locator(".table tbody tr").count();
  await pressAt(page, `.card a[href="#/assignments/${ids.fridge}/certificate"]`);
  return { verdict: verdict.trim(), passes: found.passes, has_all: rows === found.techniques.length && rows > 0 };
}
