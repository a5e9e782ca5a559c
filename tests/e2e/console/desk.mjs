// The review desk by keyboard alone: one accepted, one changed, one given back, one that somebody else was faster with.
import { STEWS } from "./story.mjs";

async function begun({ browser, base, key, look, report, openConsole, signIn, visit }) {
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  await visit(page, "#/review");
  return page;
}

function shownId(page) {
  return page.evaluate(() => location.hash.split("/").pop());
}

async function movedOn(page, id) {
  await page.waitForFunction((before) => location.hash.split("/").pop() !== before && document.activeElement?.tagName === "H2", id);
}

async function waiting(api) {
  return (await api("GET", "/v1/submissions?limit=100&review_status=open&status=in_review")).data.length;
}

// The number beside the desk's name, in the navigation.
async function counts(page, wanted) {
  await page.waitForFunction((number) => parseInt(document.querySelector("[data-area=review] .count")?.innerText, 10) === number, wanted);
}

async function accepted(page, api, desk) {
  const before = await waiting(api);
  await counts(page, before);
  const id = await shownId(page);
  await page.keyboard.press("a");
  await movedOn(page, id);
  const after = await waiting(api);
  await counts(page, after);
  desk.badge = after < before;
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.accepted = { status: now.status, review: now.review_status, said: await page.locator(".toast").innerText() };
}

async function changed(page, api, desk, { examined, report }) {
  const id = await shownId(page);
  await page.keyboard.press("e");
  await page.locator("form .criteria").waitFor();
  await examined(page, "the desk, changing", report);
  // The best level by arrow key, points by hand, and a letter that is a shortcut elsewhere.
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("ArrowDown");
  await page.locator("[data-points='1']").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("7.5");
  await page.locator("[data-comment='1']").focus();
  await page.keyboard.type("areja");
  const total = await page.locator("form output").innerText();
  await page.keyboard.press("Control+Enter");
  await movedOn(page, id);
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.changed = {
    status: now.status,
    by: now.graded_by,
    score: now.score,
    is_foretold: total.startsWith(String(now.score)),
    comment: now.criteria.find((one) => one.criterion_id === "reason")?.rationale,
  };
  return id;
}

const quotesOf = ({ criteria }) => JSON.stringify(criteria.map(({ criterion_id: id, evidence }) => [id, evidence.map(({ quote }) => quote)]));

// Who opens the form and changes nothing lets the grade stand, with what it rests on.
async function savedAsItStood(page, api, desk) {
  const id = await shownId(page);
  const before = await api("GET", `/v1/submissions/${id}`);
  await page.keyboard.press("e");
  await page.locator("form .criteria").waitFor();
  await page.keyboard.press("Control+Enter");
  await movedOn(page, id);
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.saved_as_it_stood = [now.status, now.review_status, now.graded_by, quotesOf(now) === quotesOf(before) && quotesOf(now).includes(" ")];
  await page.locator(".toast .button").click();
  await page.waitForFunction((wanted) => location.hash.endsWith(wanted) && document.activeElement?.tagName === "H2", id);
}

// What AI quoted is shown where its points stand, though the grade is a person's by now: beside them and in the text.
async function restsOn(page, api, id, { visit }) {
  const { data } = await api("GET", `/v1/submissions/${id}/grades`);
  const now = await api("GET", `/v1/submissions/${id}`);
  const ai = data.find(({ grader }) => !grader.user_id);
  const isKept = (one) => now.criteria.some((other) => other.criterion_id === one.criterion_id && other.score === one.score);
  const wanted = ai.criteria.filter(isKept).flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
  await visit(page, `#/review/${id}?queue=held`);
  await page.locator(".rests-on .quote").first().waitFor();
  const shown = await page.locator(".rests-on .quote").allInnerTexts();
  const marked = await page.locator("mark.evidence").count();
  return wanted.length > 0 && marked > 0 && JSON.stringify(shown) === JSON.stringify(wanted);
}

// A person's comments are still theirs when only what the student reads is changed, and in the form.
async function keepsComments(page, api, desk, id) {
  await page.locator(".desk-title").focus();
  await page.keyboard.press("e");
  await page.locator("form .criteria").waitFor();
  desk.comment_is_there = await page.locator("[data-comment='1']").inputValue();
  await page.keyboard.press("Escape");
  await page.locator("form .criteria").waitFor({ state: "detached" });
  await page.keyboard.press("r");
  await page.locator("dialog textarea").fill("Read the lesson again.");
  await page.locator("dialog .button.main, dialog .row .button").last().click();
  await page.locator("dialog").waitFor({ state: "detached" });
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.comment_stays = [now.status, now.feedback, now.criteria.find((one) => one.criterion_id === "reason")?.rationale];
}

async function givenBack(page, api, desk, { examined, report }) {
  const id = await shownId(page);
  await page.keyboard.press("r");
  await page.locator("dialog textarea").waitFor();
  await examined(page, "the desk, giving back", report);
  await page.keyboard.type("Please try once more. ");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await movedOn(page, id);
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.returned = { status: now.status, feedback: now.feedback.includes("Please try once more.") };
  return id;
}

async function overtaken(page, api, desk, { examined, report }) {
  const id = await shownId(page);
  await api("POST", `/v1/submissions/${id}/approve`);
  await page.keyboard.press("a");
  await page.locator("dialog").waitFor();
  await examined(page, "the desk, overtaken", report);
  desk.overtaken = (await page.locator("dialog .tag").innerText()).trim();
  desk.faster = await page.locator("dialog h2").innerText();
  await page.keyboard.press("Escape");
}

async function evidence(page, desk, { examined, report }) {
  for (let step = 0; step < 20 && (await page.locator(".desk-title").innerText()) !== "Amara Okafor"; step += 1)
    await page.keyboard.press("j");
  await page.waitForTimeout(300);
  await page.keyboard.press("2");
  desk.evidence = await page.locator("mark.on").allInnerTexts();
  desk.pressed = await page.locator(".criterion-head[aria-pressed=true] .name").innerText();
  await page.locator(".history-box summary").click();
  desk.seal = await page.locator(".history-box .seal.good").count();
  await examined(page, "the desk, evidence and history", report);
  await page.keyboard.press("?");
  await page.locator("dialog .keys").waitFor();
  await examined(page, "the desk, help", report);
  await page.keyboard.press("Escape");
}

// Where there is no rubric there is one number; who gave it is named, and what was decided can be found again.
async function withoutRubric(page, api, desk, { ids, visit, settled, examined, report }) {
  const { id: assignment_id } = await api("POST", "/v1/assignments", { course_id: ids.course, name: "A note of your own", max_score: 10 });
  const { data } = await api("GET", "/v1/submissions?limit=1");
  const { id } = await api("POST", "/v1/submissions", {
    assignment_id,
    user_id: data[0].user_id,
    draft: false,
    content: { type: "text", text: "I label every box." },
  });
  await visit(page, `#/review/${id}`);
  await page.locator(".desk-title").focus();
  await page.keyboard.press("e");
  await page.locator("form input[type=number]").fill("7.5");
  await examined(page, "the desk, without a rubric", report);
  await page.keyboard.press("Control+Enter");
  await page.locator(".toast").waitFor();
  desk.without_rubric = { score: (await api("GET", `/v1/submissions/${id}`)).score };
  await page.locator(".toast .button").click();
  await page.waitForFunction((wanted) => document.getElementById("main").dataset.shown.endsWith(wanted), id);
  await settled(page);
  await page.locator(".history-box summary").click();
  await page.locator(".history li strong bdi").first().waitFor();
  desk.named = (await page.locator(".history li strong bdi").first().innerText()) !== "";
  await visit(page, "#/review?queue=decided");
  desk.decided = (await page.locator(`.queue-item[data-id="${id}"]`).count()) === 1;
  // What was said of one page is not said on another.
  if (await page.locator(".toast").count()) report.findings.push("a toast outlives its view");
}

// A grade that is out already keeps what it rests on when it is accepted.
async function acceptedWhatIsOut(page, api, desk, { visit }) {
  const { text } = STEWS[4];
  const { data } = await api("GET", "/v1/submissions?limit=100");
  const { assignment_id, user_id } = data.find(({ content }) => content.text === text);
  const body = { assignment_id, user_id, draft: false, content: { type: "text", text } };
  const { id } = await api("POST", "/v1/submissions", body);
  await api("POST", `/v1/submissions/${id}/ai`, { human_review: "optional" });
  let out = await api("GET", `/v1/submissions/${id}`);
  while (out.ai_status === "pending") out = await api("GET", `/v1/submissions/${id}`);
  desk.is_out = [out.status, out.review_status];
  await api("PATCH", `/v1/assignments/${assignment_id}`, { feedback: { tone: "demanding" } });
  await visit(page, `#/review/${out.id}`);
  await page.locator(".verdict .tag").nth(1).waitFor();
  desk.stale = await page.locator(".verdict .tag").allInnerTexts();
  await page.locator(".desk-title").focus();
  await page.keyboard.press("a");
  await page.locator(".toast").waitFor();
  const now = await api("GET", `/v1/submissions/${out.id}`);
  const quotes = ({ criteria }) => JSON.stringify(criteria.map(({ evidence }) => evidence));
  desk.kept_evidence = now.review_status === "done" && quotes(now) === quotes(out);
}

// A slip of the finger has a way back: it lies on the desk again as it lay.
async function takenBack(page, api, desk) {
  const id = await shownId(page);
  const before = await api("GET", `/v1/submissions/${id}`);
  await page.keyboard.press("a");
  await movedOn(page, id);
  await page.locator(".toast .button").click();
  await page.waitForFunction((wanted) => location.hash.endsWith(wanted) && document.activeElement?.tagName === "H2", id);
  const now = await api("GET", `/v1/submissions/${id}`);
  desk.taken_back = ["status", "review_status", "score", "criteria"].every((name) => JSON.stringify(now[name]) === JSON.stringify(before[name]));
}

// Switched off, a letter does nothing.
async function silenced(page, desk) {
  await page.locator(".toggle input").first().uncheck();
  const before = await shownId(page);
  await page.locator(".desk-title").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  desk.silent = (await shownId(page)) === before && !(await page.locator("dialog, form .criteria").count());
  await page.locator(".toggle input").first().check();
}

export async function checkDesk(context) {
  const { api, report } = context;
  const desk = {};
  report.desk = desk;
  const page = await begun(context);
  await evidence(page, desk, context);
  await silenced(page, desk);
  await context.visit(page, "#/review?queue=held");
  const first = await shownId(page);
  await page.locator(".desk-title").focus();
  await page.keyboard.press("j");
  await movedOn(page, first);
  await page.keyboard.press("k");
  desk.walks = (await shownId(page)) === first;
  await takenBack(page, api, desk);
  await savedAsItStood(page, api, desk);
  await accepted(page, api, desk);
  const own = await changed(page, api, desk, context);
  const returned = await givenBack(page, api, desk, context);
  await overtaken(page, api, desk, context);
  desk.rests_on = await restsOn(page, api, returned, context);
  await context.examined(page, "the desk, what AI quoted for a person's points", report);
  await context.visit(page, `#/review/${own}?queue=held`);
  await keepsComments(page, api, desk, own);
  await withoutRubric(page, api, desk, context);
  await acceptedWhatIsOut(page, api, desk, context);
  await page.context().close();
}
