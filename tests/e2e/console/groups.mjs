// One judgement for answers that say the same: found, judged on the desk, looked through, confirmed.

// The page of the groups, reached from its course, and the largest of them.
async function begun(context, told) {
  const { browser, base, key, look, report, ids, examined, openConsole, signIn, settled, visit } = context;
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  await visit(page, `#/courses/${ids.course}`);
  await page.locator(`a[href="#/assignments/${ids.oil}/groups"]`).click();
  await page.locator(".answer").first().waitFor();
  await settled(page);
  await examined(page, "groups", report);
  told.spared = await page.locator(".facts.large dd").last().innerText();
  await page.locator(".answer a").first().click();
  await page.locator("ins, del").first().waitFor();
  await settled(page);
  await examined(page, "a group that nobody has judged", report);
  told.before = await page.locator(".acts-row .button.main").count();
  return page;
}

// From the desk to the group of what lies on it and to grading again, and back to the very place, by a click and by the palette.
async function atHome(page, { ids, examined, report, settled, visit }, told) {
  const place = `#/review/${ids.alike[0]}?queue=held&sort=created_at`;
  const back = async () => {
    await page.locator(".way-back").click();
    await page.waitForFunction(() => document.activeElement?.matches(".desk-title"));
    await settled(page);
    return (await page.evaluate(() => document.getElementById("main").dataset.shown)) === place;
  };
  await visit(page, place);
  await page.locator(".ways .alike").waitFor();
  told.says = await page.locator(".ways a").allInnerTexts();
  await examined(page, "the desk, one of a group", report);
  await page.locator(".ways .alike").click();
  await page.locator(".answer").first().waitFor();
  await settled(page);
  await examined(page, "a group, come from the desk", report);
  told.group_back = [await page.locator(".page h1").innerText(), await back(), await page.locator(".desk-head .above").innerText()];
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").fill("grade again");
  await page.keyboard.press("Enter");
  await page.waitForFunction((wanted) => document.getElementById("main").dataset.shown === wanted, `#/assignments/${ids.oil}/regrades`);
  await settled(page);
  told.regrade_back = await back();
}

// A person's judgement comes first; the desk leads back.
async function judged(page, { examined, report, settled }) {
  await page.locator(".may a.button.main").click();
  await page.waitForFunction(() => document.activeElement?.matches(".desk-title"));
  await settled(page);
  await examined(page, "the desk, of a group", report);
  await page.keyboard.press("a");
  await page.locator(".empty a").click();
  await page.locator(".judged").first().waitFor();
  await settled(page);
  await examined(page, "a group with a judgement", report);
}

// Nothing is graded before it is confirmed, and who was taken out never.
async function given(page, { api, ids, examined, report, settled }, told) {
  await page.locator(".acts-row .button.main").click();
  await page.locator(".answers input").first().waitFor();
  await settled(page);
  await examined(page, "what each would get", report);
  const standing = async () => (await api("GET", `/v1/assignments/${ids.oil}/groups`)).groups[0].members.filter((one) => one.decided).length;
  told.preview = [await standing(), await page.locator(".answers input:checked").count()];
  told.passages = await page.locator(".answers .passage").allInnerTexts();
  told.feedback = await page.locator(".page textarea").inputValue();
  const out = await page.locator(".answers input").first().getAttribute("value");
  await page.locator(".answers input").first().focus();
  await page.keyboard.press("Space");
  await page.locator(".page .card .button.main").click();
  await page.locator("dialog .button.main").waitFor();
  await examined(page, "giving a judgement to others", report);
  await page.locator("dialog .button.main").click();
  await page.waitForFunction(() => document.activeElement?.matches(".page h2") && document.querySelector(".answers .tag.good"));
  await settled(page);
  await examined(page, "what became of each", report);
  told.given = [await standing(), await page.locator(".answers .tag.good").count(), (await api("GET", `/v1/submissions/${out}`)).status];
}

export async function checkGroups(context) {
  const told = {};
  context.report.groups = told;
  const page = await begun(context, told);
  await atHome(page, context, told);
  await context.visit(page, `#/assignments/${context.ids.oil}/groups`);
  await page.locator(".answer a").first().click();
  await page.locator("ins, del").first().waitFor();
  await judged(page, context);
  await given(page, context, told);
  await page.context().close();
}
