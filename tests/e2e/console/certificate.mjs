// How AI's grades earn to go out unseen, through the page: the promise, the try, every drawn answer graded blind on the desk.
import { attackedByKeyboard } from "./batches.mjs";
import { until } from "./seed.mjs";
import { FRIDGES } from "./story.mjs";

// The page of the certificate, reached from its course; nothing can be tried for yet, and it says why.
async function begun(context, told) {
  const { browser, base, key, look, report, ids, examined, openConsole, signIn, settled, visit } = context;
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  await visit(page, `#/courses/${ids.course}`);
  await page.locator(`a[href="#/assignments/${ids.fridge}/certificate"]`).click();
  await page.locator(".empty").waitFor();
  await settled(page);
  await examined(page, "certificate, nothing asked", report);
  told.refused = await page.locator(".may:has(button:disabled) .hint").allInnerTexts();
  return page;
}

// What no certificate could say is refused where it was typed.
async function promised(page, { api, ids, examined, report }, told) {
  await page.locator(".empty button").click();
  const share = page.locator("dialog input").first();
  await share.fill("40");
  await page.keyboard.press("Enter");
  await page.locator("dialog .wrong").waitFor();
  await examined(page, "certificate, a promise out of range", report);
  const fields = await page.locator("dialog [aria-invalid]").count();
  const isFocused = await share.evaluate((input) => input === document.activeElement);
  told.wrong = [fields, isFocused, await page.locator("dialog .wrong").innerText()];
  await share.fill("30");
  await page.keyboard.press("Enter");
  await page.locator("dl.column").waitFor();
  const { release, human_review: review } = await api("GET", `/v1/assignments/${ids.fridge}`);
  told.promise = [release.max_disagreement, release.points_share, release.scope, review];
}

// Nobody has attacked the grader yet: it is refused, and leads to where that is done.
async function refusedUntried(page, context, told) {
  const { examined, report, settled } = context;
  await page.locator(".acts-row .button.main").click();
  await page.locator("dialog input").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("dialog .trouble").waitFor();
  await examined(page, "certificate, untried", report);
  told.untried = await page.locator("dialog .trouble").innerText();
  await page.locator("dialog a").click();
  told.red_team = await attackedByKeyboard(page, context);
  await page.locator("dl.column").waitFor();
  await settled(page);
}

// AI grades what waits, and the page goes on by itself.
async function tried(page, { examined, report }, told) {
  await page.locator(".acts-row .button.main").click();
  await page.locator("dialog input").fill("1");
  await examined(page, "certificate, asking", report);
  await page.keyboard.press("Enter");
  await page.locator("progress").waitFor();
  await examined(page, "certificate, drawn", report);
  told.left = await page.locator("progress").evaluate((bar) => [bar.value, bar.max]);
}

// Each as the teacher of the story would, by keyboard; what AI gave is known to nobody here.
async function gradedBlind(page, count) {
  await page.locator("a.button.main").click();
  for (let at = 0; at < count; at += 1) {
    await page.waitForFunction(() => document.activeElement?.matches(".desk-title") && document.querySelector(".blind"));
    const text = await page.locator(".writing").innerText();
    const { points } = FRIDGES.find((one) => one.text === text.trim());
    await page.keyboard.press("e");
    await page.locator("form [data-points='0']").waitFor();
    await page.keyboard.type(String(points));
    await page.keyboard.press("Control+Enter");
    await page.locator(".beside table").waitFor();
    if (at + 1 < count) await page.keyboard.press("j");
  }
  await page.locator(".beside a").click();
  await page.locator(".said-of").waitFor();
}

async function earned(page, { api, ids, examined, report, settled }, told) {
  const found = await api("GET", `/v1/assignments/${ids.fridge}/certificate`);
  await settled(page);
  told.state = [found.state, (await page.locator(".page .tag").innerText()).trim()];
  told.statement = (await page.locator(".said-of").innerText()) === found.statement;
  await page.locator(".acts-row .button.danger").click();
  await page.locator("dialog .button.danger").waitFor();
  await examined(page, "certificate, ending", report);
  await page.keyboard.press("Escape");
  const { released } = await until(
    () => api("GET", `/v1/assignments/${ids.fridge}/certificate`),
    (now) => now.released.count === now.at_hand - now.tests.drawn,
  );
  told.released = released.count;
  return { ...found, released };
}

// What cannot be had quickly is told as if it were so.
async function otherStates(page, found, { ids, examined, report, visit }, told) {
  const some = found.released.submissions.slice(0, 3);
  const nothing = { certified: null, statement: null, released: { count: 0, submissions: [] } };
  const states = {
    paused: { audits: { ...found.audits, arrived: 9, waiting: some }, released: { count: 3, submissions: some } },
    refused: nothing,
    ended: { ...nothing, at_hand: null, ended_because: "too_few", tests: { drawn: 0, graded: 0, waiting: [] } },
  };
  const seen = {};
  for (const [state, changed] of Object.entries(states)) {
    await page.route("**/certificate", (route) => route.fulfill({ json: { ...found, state, ...changed } }));
    await visit(page, `#/assignments/${ids.fridge}/certificate?as=${state}`);
    await examined(page, `certificate, ${state}`, report);
    const ask = page.locator(".acts-row .button").first();
    seen[state] = [await ask.innerText(), await ask.isEnabled(), await page.locator(".list a").count()];
    await page.unroute("**/certificate");
  }
  told.states = seen;
}

export async function checkCertificate(context) {
  const told = {};
  context.report.certificate = told;
  const page = await begun(context, told);
  await promised(page, context, told);
  await refusedUntried(page, context, told);
  await tried(page, context, told);
  await gradedBlind(page, told.left[1]);
  const found = await earned(page, context, told);
  await otherStates(page, found, context, told);
  await page.context().close();
}
