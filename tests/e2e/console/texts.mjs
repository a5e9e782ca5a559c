// Texts of lessons and assignments in the console of a running service: there they are what learners see.
//
//   BASE=<address of the service> KEY=<API key> node texts.mjs [picture]
//
// Makes the course it looks at. Prints one JSON object; the caller judges it. With `picture` it looks at one of the library alone,
// and says from where it came.
import { ALL_RULES, examined as examine, RULES_OF_COLOURS } from "./axe.mjs";
import { launch, openConsole, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key } = process.env;
const api = apiOf(base, key);
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar" },
};
const RULES = { light: ALL_RULES, dark: RULES_OF_COLOURS, phone: ALL_RULES, arabic: ALL_RULES };
const ARABIC = "مرحبا بكم في المطبخ";
const ELSEWHERE = "https://pictures.example/pot.png";

const richText = (medium) => `# How fast

Germs double every 20 minutes: $N(t) = N_0 \\cdot 2^{t/20}$, and that is fast[^1]. See [the agency](https://food.example/germs).

> [!WARNING]
> Rice is not left out.

### What to do

- [x] Read this
- [ ] Measure at \`63 °C\`

![A pot](media:${medium})

![Far away](${ELSEWHERE})

| Food | Least | And a column that is as wide as a telephone can never be |
|:-----|------:|:--------------------------------------------------------|
| Chicken | 74 °C | ${"inwards_".repeat(12)} |

<details><summary>Hint</summary>

Twice, **then** twice again.

</details>

\`\`\`python
def germs(t):  # by minutes
    return 2 ** (t / 20)
\`\`\`

${ARABIC}.

[^1]: At 30 °C.
`;

// What would set a mark if it ran, or hide the page if it were taken for a style.
const HOSTILE = `<img src="x" onerror="window.ran = 1">

<script>window.ran = 2</script>

<style>h1 { display: none } * { color: red !important }</style>

<a href="javascript:window.ran = 3" onclick="window.ran = 4">follow me</a>

<svg onload="window.ran = 5"></svg> and <b onmouseover="window.ran = 6">this</b>

[not me](javascript:window.ran=7) [nor me](#/keys) ![nor this](javascript:window.ran=8) ![](http://[) [%](#%zz)
`;

// As long as a text can be, of what a renderer could look at again and again.
const LONG = ["[a](", "**a*", "> > a\n", "<a ", "|a|b|\n", "`a``", "![", "$"].map((unit) => unit.repeat(Math.floor(90_000 / unit.length)));
const PATIENCE_MS = 15_000;

// A picture of one pixel.
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

// The id of a picture in the library, once it can be shown.
async function uploaded() {
  const form = new FormData();
  form.append("file", new Blob([PICTURE], { type: "image/png" }), "pot.png");
  const headers = { "x-api-key": key, "x-learning-platform-code": "main" };
  const sent = await fetch(`${base}/v1/media`, { method: "POST", headers, body: form });
  let medium = await sent.json();
  while (!["ready", "error"].includes(medium.status)) medium = await api("GET", `/v1/media/${medium.id}`);
  if (medium.status !== "ready") throw new Error(JSON.stringify(medium));
  return medium.id;
}

async function makeLesson(content) {
  const course = await api("POST", "/v1/courses", { name: "Kitchen physics", language: "en", description: "Of *heat*, and of $T$." });
  const unit = await api("POST", "/v1/units", { course_id: course.id, name: "Heat" });
  const lesson = await api("POST", "/v1/lessons", { unit_id: unit.id, name: "Hot and cold", content });
  return { course: course.id, lesson: lesson.id, hash: `#/courses/${course.id}/${lesson.id}` };
}

async function makeQuiz(lesson) {
  const questions = [{ type: "true_false", prompt: "Is $x^2 \\ge 0$ for **all** $x$?", answer: true }];
  await api("POST", "/v1/activities", { lesson_id: lesson, kind: "quiz", name: "Check", content: { questions } });
}

async function examined(page, place, report, rules) {
  await examine(page, place, report, rules);
  report.policy.push(...(await violationsOfPolicy(page)));
}

async function seen({ browser, report }, hash, look = LOOKS.light, faults = report.faults) {
  const page = await openConsole(browser, base, look, faults);
  await signIn(page, key);
  await visit(page, hash);
  return page;
}

// Runs in the page: what is to be seen of the rich text.
function look({ arabic, elsewhere }) {
  const root = document.querySelector(".prose").shadowRoot;
  const one = (selector) => root.querySelector(selector);
  const style = (node) => getComputedStyle(node);
  const outside = [...root.querySelectorAll("a[href^=https]")];
  const inArabic = [...root.querySelectorAll("p")].find((node) => node.textContent.startsWith(arabic));
  return {
    formula: one("math msup").getBoundingClientRect().width > 5 && !root.textContent.includes("$"),
    callout: style(one(".callout.warning")).borderInlineStartWidth !== "0px",
    tasks: [...root.querySelectorAll(".task")].map((node) => node.getAttribute("aria-label")),
    picture: one("img[alt='A pot']").naturalWidth,
    pictures: root.querySelectorAll("img").length,
    elsewhere: outside.find((node) => node.href === elsewhere)?.textContent,
    outside: outside.every((node) => node.target === "_blank" && node.rel.includes("noopener")),
    headings: [...root.querySelectorAll("h1, h2, h3, h4")].map((node) => node.localName),
    arabic: style(inArabic).direction,
    code: style(one("pre .k")).color !== style(one("pre")).color,
    opens: one("details").open,
    scrolls: one(".scroll").getAttribute("tabindex"),
    // Neither sheet reaches the other's tree.
    apart: style(document.querySelector("h1")).fontFamily !== style(one("h2")).fontFamily && !document.querySelector(".callout"),
  };
}

// The footnote there and back, by mouse and by keyboard: the address stays, and so does the page.
async function notes(page) {
  const focused = () =>
    page.evaluate(() => {
      const at = document.querySelector(".prose").shadowRoot.activeElement;
      return at && `${at.localName} ${at.getAttribute("role") || at.textContent.trim().slice(0, 8)}`;
    });
  const before = await page.evaluate(() => location.hash);
  const found = [];
  await page.locator(".prose [role=doc-noteref]").click();
  found.push(await focused());
  await page.locator(".prose [role=doc-backlink]").focus();
  await page.keyboard.press("Enter");
  found.push(await focused());
  await page.keyboard.press("Enter");
  found.push(await focused());
  const stays = await page.evaluate((hash) => location.hash === hash && document.querySelector("h1").textContent === "Hot and cold", before);
  return { found, stays };
}

// The colour of a warning follows what was chosen here, and the system where nothing was.
async function colours(page) {
  const line = () => page.evaluate(() => getComputedStyle(document.querySelector(".prose").shadowRoot.querySelector(".callout")).borderInlineStartColor);
  const choose = (theme) => page.locator(".preferences select").nth(1).selectOption(theme);
  const found = { system: await line() };
  for (const theme of ["dark", "light", "auto"]) {
    await choose(theme);
    found[theme] = await line();
    if (theme === "dark") continue;
    await page.emulateMedia({ colorScheme: "dark" });
    found[`${theme}_at_night`] = await line();
    await page.emulateMedia({ colorScheme: "light" });
  }
  return found;
}

// A page whose lessons have this HTML, whatever the service says.
async function given(page, html) {
  await page.route("**/v1/lessons/*", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, html: { content: html } } });
  });
}

// `html` puts the text before the page as it is, as no service would.
async function harmed(context, hash, html) {
  const page = await seen(context, "#/", LOOKS.light, []);
  if (html) await given(page, html);
  await visit(page, hash);
  for (const link of await page.locator(".prose a").all()) await link.click({ noWaitAfter: true });
  await page.locator(".prose b").hover();
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => ({
    ran: window.ran ?? null,
    heading: getComputedStyle(document.querySelector("h1")).display,
    is_red: getComputedStyle(document.querySelector(".prose").shadowRoot.querySelector("b")).color === "rgb(255, 0, 0)",
    stays: location.hash,
  }));
  found.stays = found.stays === hash;
  await page.context().close();
  return found;
}

// Files have the service's public address, and are asked for where the page is: its policy knows no other name of the same.
async function addresses(context, hash) {
  const page = await seen(context, "#/", LOOKS.light, []);
  const file = (number) => `https://lyceum.example/v1/media/med_1/file?number=${number}&amp;signature=0`;
  await given(page, `<img src="${file(0)}" srcset="${file(1)} 640w, ${file(2)} 1280w" alt=""><a href="${file(0)}">the sheet</a>`);
  await visit(page, hash);
  const found = await page.evaluate(() => {
    const root = document.querySelector(".prose").shadowRoot;
    const [image, link] = ["img", "a"].map((name) => root.querySelector(name));
    return [image.getAttribute("src"), image.srcset, link.getAttribute("href")];
  });
  await page.context().close();
  return found;
}

// What has no direction of its own has that of its text: a picture below Arabic, and a question that is one line.
async function directions(context, hash) {
  const page = await seen(context, "#/");
  await given(page, `<p dir="auto">${ARABIC}</p><p><b>1</b></p>`);
  await visit(page, hash);
  const below = await page.locator(".prose b").evaluate((node) => getComputedStyle(node).direction);
  await visit(page, "#/");
  await page.unroute("**/v1/lessons/*");
  await given(page, `${ARABIC} <b>1</b>`);
  await visit(page, hash);
  const inside = await page.locator(".prose b").evaluate((node) => getComputedStyle(node).direction);
  await page.context().close();
  return [below, inside];
}

// The longest texts are there before anybody is tired of them, and one whose HTML no answer holds is there as it was written.
async function long(context, { lesson, hash }) {
  const page = await seen(context, "#/courses");
  const slow = [];
  for (const text of LONG) {
    await api("PATCH", `/v1/lessons/${lesson}`, { content: text });
    const begun = performance.now();
    await visit(page, hash);
    const took = performance.now() - begun;
    if (took > PATIENCE_MS) slow.push(`${text.slice(0, 8)}: ${took.toFixed(0)} ms`);
    await visit(page, "#/courses");
  }
  await api("PATCH", `/v1/lessons/${lesson}`, { content: `${"[^1]".repeat(20_000)}\n\n[^1]: Once.` });
  await visit(page, hash);
  const written = await page.locator(".prose").evaluate((node) => !node.shadowRoot && node.textContent.slice(0, 8));
  await page.context().close();
  return { slow, written };
}

async function onTheCourse(context, course) {
  const page = await seen(context, `#/courses/${course}`);
  const found = await page.locator(".lede em").innerText();
  await examined(page, "the course", context.report);
  await page.context().close();
  return found;
}

async function onTheDesk(context, course) {
  const criterion = { name: "Facts", max_points: 10, description: "Says **why** $x > 0$." };
  const levels = [
    { label: "All", points: 10, description: "Says *all* of it." },
    { label: "None", points: 0, description: "Nothing." },
  ];
  const wide = `\`\`\`text\n${"E = mc2 ".repeat(30)}\n\`\`\``;
  const instructions = `# Your task\n\nExplain $E = mc^2$.\n\n### Deep\n\nAnd why[^1].\n\n${wide}\n\n[^1]: In a sentence.`;
  const assignment = await api("POST", "/v1/assignments", { course_id: course, name: "Explain", max_score: 10, instructions, rubric: { criteria: [{ ...criterion, levels }] } });
  const { user } = await api("GET", "/v1/me");
  const work = { assignment_id: assignment.id, user_id: user.id, draft: false, content: { type: "text", text: "Mass is energy." } };
  const { id } = await api("POST", "/v1/submissions", work);
  // The newest comes first. The queue knows its words, and how they are shown comes after.
  const page = await seen(context, "#/review?queue=ungraded");
  await page.waitForFunction((wanted) => location.hash === wanted, `#/review/${id}`);
  await page.locator(".task summary").click();
  await page.locator(".task math").waitFor();
  await page.locator(".criterion strong").waitFor();
  await examined(page, "the desk", context.report);
  const found = await page.evaluate(() => {
    const task = document.querySelector(".task [data-text] > *").shadowRoot;
    return {
      headings: [...task.querySelectorAll("h1, h2, h3, h4, h5")].map((node) => node.localName),
      dollars: document.querySelector(".desk").innerText.includes("$"),
      level: document.querySelector(".levels li").title,
    };
  });
  await page.locator(".task [role=doc-noteref]").click();
  found.stays = await page.evaluate((wanted) => location.hash === wanted, `#/review/${id}`);
  // Sideways in what is wide, and not to the next work, of which it would be said that there is none.
  await page.locator(".task pre").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".task [data-text] > *").shadowRoot.querySelector("pre").scrollLeft > 0);
  found.said = await page.locator(".toast").count();
  // The same behind a change that was not made.
  await page.locator(".desk-title").focus();
  await page.keyboard.press("e");
  await page.locator("form .criteria").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".criterion strong").waitFor();
  // And where no queue knows it.
  await visit(page, "#/courses");
  await visit(page, `#/review/${id}`);
  await page.locator(".criterion strong").waitFor();
  await page.context().close();
  return found;
}

async function inEveryLook(context, hash) {
  const { report } = context;
  for (const [name, shape] of Object.entries(LOOKS)) {
    const page = await seen(context, hash, shape);
    await page.locator(".prose details summary").click();
    await page.locator(".aside details summary").click();
    await page.locator(".prose img").scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    await examined(page, name, report, RULES[name]);
    report.looks[name] = await page.evaluate(look, { arabic: ARABIC, elsewhere: ELSEWHERE });
    if (name === "light") {
      report.prompt = await page.evaluate(() => Boolean(document.querySelector(".prompts li > *").shadowRoot.querySelector("math")));
      report.notes = await notes(page);
      report.colours = await colours(page);
    }
    await page.context().close();
  }
}

async function allOf(context) {
  const { report } = context;
  const made = await makeLesson(richText(await uploaded()));
  await makeQuiz(made.lesson);
  await inEveryLook(context, made.hash);
  report.course = await onTheCourse(context, made.course);
  report.desk = await onTheDesk(context, made.course);
  await api("PATCH", `/v1/lessons/${made.lesson}`, { content: HOSTILE });
  report.hostile = [await harmed(context, made.hash), await harmed(context, made.hash, HOSTILE)];
  report.addresses = await addresses(context, made.hash);
  report.directions = await directions(context, made.hash);
  report.long = await long(context, made);
}

async function pictureAlone(context) {
  const { report } = context;
  const { hash } = await makeLesson(`![A pot](media:${await uploaded()})`);
  const page = await seen(context, hash);
  const picture = page.locator(".prose img");
  await picture.evaluate((node) => node.complete || new Promise((done) => (node.onload = node.onerror = done)));
  report.width = await picture.evaluate((node) => node.naturalWidth);
  report.policy = await violationsOfPolicy(page);
}

const report = { findings: [], faults: [], policy: [], looks: {} };
const browser = await launch();
try {
  await (process.argv[2] === "picture" ? pictureAlone : allOf)({ browser, report });
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
