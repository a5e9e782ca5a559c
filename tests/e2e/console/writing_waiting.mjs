// Changes of a published course that wait: switched on by the keys, written, looked at, thrown away, taken back and published.
import { examined } from "./axe.mjs";
import { saidOf, settled, visit } from "./console_page.mjs";
import { until } from "./seed.mjs";

export const marks = (page) => page.evaluate(() => [...document.querySelectorAll(".difference :is(ins, del)")].map((one) => `${one.localName}: ${one.textContent.trim()}`));

async function published(api) {
  const course = await api("POST", "/v1/courses", { name: "Knives", language: "en" });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Grips" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "The claw", content: "Curl your fingers." });
  await api("POST", `/v1/courses/${course.id}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: course.id, name: "Spring" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  return { course, unit, lesson };
}

export async function seesWhatWaits(page, { api, ines, report }) {
  const { course, unit, lesson } = await published(api);
  const place = `#/courses/${course.id}`;
  const live = async () => (await api("GET", `/v1/lessons/${lesson.id}`)).content;
  const waiting = async () => (await api("GET", `/v1/courses/${course.id}/draft`)).changes.map(({ object, fields }) => `${object}: ${fields}`);
  const facts = {};
  await visit(page, `${place}/draft`);
  facts.none = await page.locator(".empty-title").innerText();
  await visit(page, place);
  await page.locator(".waiting-switch input").focus();
  facts.switched = await saidOf(page, () => page.keyboard.press("Space"));
  await settled(page);
  await examined(page, "a course whose changes wait", report);
  await visit(page, `${place}/${lesson.id}/edit`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Slowly.");
  await until(waiting, (now) => now.length === 1);
  await page.locator(".save-state.saved").waitFor();
  await examined(page, "an editor whose changes wait", report);
  facts.live = await live();
  await ines("PATCH", `/v1/units/${unit.id}?draft=true`, { name: "Grips and cuts" });
  await ines("PATCH", `/v1/units/${unit.id}`, { name: "Holds" });
  await visit(page, place);
  facts.called = await page.locator(".unit-name span[dir]").first().innerText();
  await visit(page, `${place}/draft`);
  await page.locator(".waiting-change > summary").nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll(".difference").length === 2);
  await examined(page, "what waits", report);
  facts.marked = await marks(page);
  facts.notices = await page.locator("main ul.plain > li").allInnerTexts();
  const throwAway = page.locator(`[data-id="${lesson.id}"]`).getByRole("button", { name: /^Throw away/ });
  facts.thrown = [await saidOf(page, () => throwAway.click()), await waiting()];
  await settled(page);
  await page.keyboard.press("Control+z");
  await until(waiting, (now) => now.length === 2);
  await settled(page);
  facts.back = await waiting();
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog").waitFor();
  await examined(page, "asked before publishing", report);
  facts.asked = await page.locator("dialog p").first().innerText();
  await page.keyboard.press("Escape");
  // Somebody adds to it before it is published.
  await ines("PATCH", `/v1/lessons/${lesson.id}?draft=true`, { summary: "Half a sen" });
  const publish = () =>
    saidOf(page, async () => {
      await page.locator(".page-head .button.main").click();
      await page.locator("dialog .button.main").click();
    });
  facts.refused = [await publish(), await live()];
  await settled(page);
  facts.published = [await publish(), await live(), (await api("GET", `/v1/units/${unit.id}`)).name, await waiting()];
  return facts;
}
