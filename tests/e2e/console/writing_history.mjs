// What a lesson was before: its versions by two people, what differs, the way back, and the way back from that.
import { examined } from "./axe.mjs";
import { settled, visit } from "./console_page.mjs";
import { apiOf, until } from "./seed.mjs";

// Somebody else who writes, by a key of their own.
export async function another(base, api, name) {
  const user = await api("POST", "/v1/users", { kind: "service", role: "teacher", name });
  const made = await api("POST", "/v1/api_keys", { name: `Key of ${name}`, user_id: user.id, scopes: ["write:courses"] });
  return apiOf(base, made.api_key);
}

// Who made each, without when.
const list = (page) => page.evaluate(() => [...document.querySelectorAll(".versions li")].map((one) => one.innerText.replace(/\n[^·]*/, " ").trim()));
const marks = (page) => page.evaluate(() => [...document.querySelectorAll(".difference :is(ins, del)")].map((one) => `${one.localName}: ${one.textContent.trim()}`));
const current = (page) => page.locator(".versions [aria-current] .version-name").innerText();

// The oldest is chosen by the keys alone.
async function chooseOldest(page) {
  await page.locator(".versions button").first().focus();
  const count = await page.locator(".versions button").count();
  for (let step = 1; step < count; step += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".details h2", { hasText: "Version 1" }).waitFor();
}

async function restore(page) {
  await page.evaluate(() => document.querySelector(".toast")?.classList.add("before"));
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.locator(".toast:not(.before)").waitFor();
  await settled(page);
}

export async function seesWhatWas(page, { course, fourth: lesson }, { api, ines, report }) {
  const facts = {};
  const place = `#/history/lessons/${lesson.id}`;
  const contentOf = async () => (await api("GET", `/v1/lessons/${lesson.id}`)).content;
  await visit(page, place);
  await examined(page, "no versions", report);
  facts.none = await page.locator(".empty-title").innerText();
  // What is still on its way when one goes is there when one comes.
  await visit(page, `#/courses/${course.id}/${lesson.id}/edit`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Mine.");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.locator(".details h2").waitFor();
  facts.typed = [await list(page), await marks(page)];
  await ines("PATCH", `/v1/lessons/${lesson.id}`, { content: "One.\nTheirs.", duration_minutes: 25 });
  await visit(page, "#/courses");
  await visit(page, place);
  facts.listed = await list(page);
  await chooseOldest(page);
  facts.chosen = [await current(page), await page.evaluate(() => document.activeElement.ariaCurrent)];
  facts.marked = await marks(page);
  facts.minutes = await page.locator(".difference dd").allInnerTexts();
  await examined(page, "an old version", report);
  await restore(page);
  facts.said = await page.locator(".toast > span").innerText();
  facts.restored = await contentOf();
  facts.kept = await list(page);
  facts.focused = await page.evaluate(() => document.activeElement.matches(".versions button"));
  await page.locator(".toast .button").click();
  facts.undone = await until(contentOf, (content) => content.includes("Theirs"));
  await page.locator(".toast", { hasText: "Taken back" }).waitFor();
  await settled(page);
  await chooseOldest(page);
  await restore(page);
  await page.locator(".above a").last().click();
  await page.locator(".cm-content").waitFor();
  facts.edited = (await page.locator(".cm-content").innerText()).trim();
  return facts;
}
