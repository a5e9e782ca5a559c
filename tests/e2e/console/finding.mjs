// Lists are looked through and put in order by keyboard alone; what was asked for stays in the address, and the last question is the one that is
// answered.
import { pressAt } from "./keyboard.mjs";

const FIELD = ".find .search";
const found = (page) => page.locator(".find [role=status]").innerText();
const place = (page) => page.evaluate(() => location.hash);
const names = (page) => page.locator(".cards h2").allInnerTexts();
const focused = (page, selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);

// What was to be, and is not, is a finding.
export function expecting(report, where) {
  return (what, got, wanted) => {
    const [is, was] = [got, wanted].map((one) => JSON.stringify(one));
    if (is !== was) report.findings.push(`${where}: ${what} is ${is} and not ${was}`);
  };
}

async function answered(page, words) {
  await page.waitForFunction((text) => document.querySelector(".find [role=status]")?.textContent === text, words);
}

// Nothing is in order by code points that a reader would look up elsewhere.
const byReader = (all) => all.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));

// Runs in the page: letter by letter, without a pause. By keys a busy machine would make one between two letters.
function typed(field, text) {
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
  }
}

async function courses(context, page, expect) {
  const { report, examined, settled, visit } = context;
  await visit(page, "#/courses");
  const all = await names(page);
  const asked = [];
  const note = (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/v1/courses" && searchParams.has("q")) asked.push(searchParams.get("q"));
  };
  page.on("request", note);
  await page.keyboard.press("/");
  expect("the field is reached by /", await focused(page, FIELD), true);
  await page.locator(FIELD).evaluate(typed, "safety");
  await answered(page, "Found: 1");
  await settled(page);
  expect("what is asked while somebody types", asked, ["safety"]);
  expect("the address", await place(page), "#/courses?q=safety");
  expect("what is found", await names(page), ["Food safety in restaurant kitchens"]);
  await examined(page, "a list that was looked through", report);
  await page.keyboard.press("Escape");
  await page.waitForFunction((count) => document.querySelectorAll(".cards > li").length === count, all.length);
  expect("what Esc leaves", [await place(page), await focused(page, FIELD), await found(page)], ["#/courses", true, ""]);
  await page.keyboard.type("nothing like it");
  await page.keyboard.press("Enter");
  await page.locator(".empty-title").waitFor();
  await settled(page);
  expect("what is said of nothing", [await found(page), await page.locator(".empty p").nth(1).innerText()], ["Nothing found", "Nothing here has “nothing like it” in it."]);
  await examined(page, "a list in which nothing was found", report);
  await pressAt(page, ".empty .button");
  await page.waitForFunction((count) => document.querySelectorAll(".cards > li").length === count, all.length);
  expect("what is cleared", [await place(page), await focused(page, FIELD)], ["#/courses", true]);
  await page.locator(".find select").last().selectOption("name");
  await page.waitForFunction(() => location.hash === "#/courses?sort=name" && !document.querySelector("#main [aria-busy=true]"));
  expect("the order", await names(page), byReader(all));
  await page.locator(".find select").first().selectOption("archived");
  await answered(page, "Found: 1");
  expect("state and order", [await place(page), await names(page)], ["#/courses?sort=name&status=archived", ["Brandschutz im Betrieb"]]);
  page.off("request", note);
}

// There and back, and by a link that somebody was sent; what an address says that cannot be is left out.
async function addresses({ visit }, page, expect) {
  await visit(page, "#/courses?q=safety&sort=-updated_at&status=published");
  await page.locator(".cards a").first().click();
  await page.locator(".outline").first().waitFor();
  await page.goBack();
  await page.locator(".cards a").waitFor();
  const shown = await page.locator(".find :is(input, select)").evaluateAll((all) => all.map((one) => one.value));
  expect("what one comes back to", shown, ["safety", "published", "-updated_at"]);
  await visit(page, "#/courses?sort=nonsense&status=nonsense");
  expect("nonsense in an address", (await names(page)).length > 1, true);
}

// An answer that comes late is of a question that nobody asks any more.
async function lateAnswers({ visit }, page, expect) {
  await visit(page, "#/courses");
  await page.route("**/v1/courses?*q=customers*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await page.locator(FIELD).fill("customers");
  await page.waitForTimeout(400);
  await page.locator(FIELD).fill("safety");
  await answered(page, "Found: 1");
  await page.waitForTimeout(1800);
  expect("what stands after a late answer", await names(page), ["Food safety in restaurant kitchens"]);
  await page.unroute("**/v1/courses?*q=customers*");
}

// The lists of things, of people, and of what is gone.
async function others({ api, ids, report, examined, visit }, page, expect) {
  const rows = (selector) => page.locator(`${selector} tbody th`).allInnerTexts();
  const { id } = await api("POST", "/v1/courses", { name: "Knots and ropes", language: "en" });
  await api("DELETE", `/v1/courses/${id}`);
  await visit(page, "#/trash?q=ropes");
  expect("what was deleted", await rows(".trash"), ["Course Knots and ropes"]);
  await visit(page, "#/cohorts?q=autumn&status=active");
  expect("cohorts", await rows("#main"), ["Autumn 2026"]);
  await visit(page, "#/members?q=nadia.rahman");
  expect("members", [await rows("#main"), await page.locator("#main h2").allInnerTexts()], [["Nadia Rahman\n\nnadia.rahman@school.example"], ["Invited, not here yet"]]);
  await examined(page, "members that were looked for", report);
  await visit(page, `#/cohorts/${ids.cohort}?q=nadia`);
  expect("students of a cohort", await rows(".card.flush"), ["Nadia Rahman"]);
  await page.locator(FIELD).fill("");
  await page.keyboard.press("Enter");
  await page.locator(".find select").selectOption("name");
  await page.waitForFunction(() => location.hash.endsWith("?sort=name") && !document.querySelector("#main [aria-busy=true]"));
  const students = await rows(".card.flush");
  expect("students in order", [students.length > 1, students], [true, byReader(students)]);
  await visit(page, `#/packages/${ids.package}?q=nobody`);
  expect("learners of a package", await page.locator(".empty-title").innerText(), "Nothing found");
}

// Whoever is looked for beside the desk; what lies on it stays there.
async function desk({ report, examined, settled, visit }, page, expect) {
  const queued = () => page.locator(".queue-item strong").allInnerTexts();
  const field = page.locator(".queue .search");
  await visit(page, "#/review");
  const here = await page.locator(".desk-title").innerText();
  const all = await queued();
  const wanted = all.find((name) => name !== here);
  await page.keyboard.press("/");
  await page.keyboard.type(wanted.split(" ")[0]);
  await page.waitForFunction((count) => document.querySelectorAll(".queue-item").length < count, all.length);
  await settled(page);
  expect("who is found", [...new Set(await queued())], [wanted]);
  expect("what lies on the desk", await page.locator(".desk-title").innerText(), here);
  await examined(page, "a queue that was looked through", report);
  const address = await place(page);
  expect("the address of the desk", /^#\/review\/sub_\w+\?queue=held&q=\w+$/.test(address), true);
  // Letters that move on the desk are letters in the field.
  await page.keyboard.type("jjj");
  await page.locator(".queue .empty-title").waitFor();
  expect("the desk while somebody types", await page.locator(".desk-title").innerText(), here);
  await page.keyboard.press("Escape");
  await page.waitForFunction((count) => document.querySelectorAll(".queue-item").length === count, all.length);
  expect("what Esc leaves on the desk", (await place(page)).includes("?"), false);
  await page.locator(".queue select").selectOption("created_at");
  await page.waitForFunction((first) => document.querySelector(".queue-item strong")?.textContent !== first, all[0]);
  await visit(page, "#/courses");
  await visit(page, address);
  expect("who comes back", [await field.inputValue(), [...new Set(await queued())]], [wanted.split(" ")[0], [wanted]]);
  await visit(page, "#/review?q=zzzz");
  expect("nobody is found", await page.locator(".queue .empty-title").innerText(), "Nothing found");
  await pressAt(page, ".queue .empty .button");
  await page.locator(".desk-title").waitFor();
  await settled(page);
}

// Single letters can be switched off.
async function withoutShortcuts({ visit }, page, expect) {
  await visit(page, "#/review");
  await page.locator(".page-head .toggle input").uncheck();
  await visit(page, "#/courses");
  await page.keyboard.press("/");
  expect("/ where shortcuts are off", await focused(page, FIELD), false);
  await visit(page, "#/review");
  await page.locator(".page-head .toggle input").check();
}

export async function checkFinding(context) {
  const { browser, base, key, look, report, openConsole, signIn } = context;
  const page = await openConsole(browser, base, look, report.faults);
  await signIn(page, key);
  const expect = expecting(report, "finding");
  for (const check of [courses, addresses, lateAnswers, others, desk, withoutShortcuts]) await check(context, page, expect);
  await page.context().close();
}
