// Background work: what waits and runs as the service says it, what failed and is tried again, alone and all together, what can only be removed, and how the node
// says it is. On a desk and, in Arabic and in the dark, on a telephone.
//
//   BASE=<address of the service> KEY=<API key> MODEL_PORT=<where it expects its model> INNER_PORT=<where nobody listens> [PICTURES=<folder>] node background.mjs
//
// Prints one JSON object; the caller judges it.
import { createServer, request as ask } from "node:http";
import { examined } from "./axe.mjs";
import { launch, openConsole, saidOf, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";
import { startProvider } from "./provider.mjs";
import { apiOf, until } from "./seed.mjs";
import { FRIDGE, FRIDGES } from "./story.mjs";

const { BASE: base, KEY: key, MODEL_PORT: port, INNER_PORT: inner, PICTURES: pictures } = process.env;
const LOOKS = {
  desk: { viewport: { width: 1440, height: 900 } },
  arabic: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar", colorScheme: "dark" },
};
const api = apiOf(base, key);

// The model of the story behind a gate: while it is shut, whoever asks waits.
async function gated() {
  let opened = Promise.resolve();
  let open = () => {};
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    await opened;
    const { method, url, headers } = request;
    const onward = ask({ port: Number(inner), host: "127.0.0.1", method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.end(Buffer.concat(chunks));
  });
  await new Promise((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  return {
    shut: () => (opened = new Promise((resolve) => (open = resolve))),
    open: () => open(),
    close: () => server.close(),
  };
}

// Wants nothing any more, so that what is sent to it has failed.
async function gone() {
  const server = createServer((request, response) => request.resume().on("end", () => response.writeHead(410).end()));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function graded(id, run) {
  await api("POST", `/v1/submissions/${id}/ai`, run);
  return until(
    () => api("GET", `/v1/submissions/${id}`),
    ({ ai_status: status }) => status !== "pending",
  );
}

// Works that AI may spend too little on.
async function works(name) {
  // What was judged before is not judged again.
  const first = name === "desk" ? 0 : 3;
  const course = await api("POST", "/v1/courses", { name: `Cold ${name}`, language: "en" });
  const assignment = await api("POST", "/v1/assignments", { course_id: course.id, ...FRIDGE, human_review: "off" });
  await api("POST", `/v1/courses/${course.id}/publish`);
  const cohort = await api("POST", "/v1/cohorts", { course_id: course.id, name: "Cold" });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const ids = [];
  for (const [at, { text }] of FRIDGES.slice(first, first + 3).entries()) {
    const { user_id } = await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `${name}-${at}@school.example`, name: `Cook ${name} ${at}` });
    const work = { assignment_id: assignment.id, cohort_id: cohort.id, user_id, draft: false, content: { type: "text", text } };
    const { id } = await api("POST", "/v1/submissions", work);
    await graded(id, { budget: { tokens: 1 }, reuse: false });
    ids.push(id);
  }
  return ids;
}

async function fileThatIsNone(name) {
  const form = new FormData();
  form.append("file", new Blob(["<!doctype html><p>No picture."], { type: "text/html" }), `${name}.html`);
  const headers = { "x-api-key": key, "x-learning-platform-code": "main" };
  const { id } = await (await fetch(`${base}/v1/media`, { method: "POST", headers, body: form })).json();
  await until(
    () => api("GET", `/v1/media/${id}`),
    ({ status }) => status !== "pending",
  );
}

async function messageThatFailed(receiver) {
  const endpoint = await api("POST", "/v1/webhook_endpoints", { url: `${receiver.origin}/hooks`, description: "Old intranet", enabled_events: ["ping"] });
  const { id } = await api("POST", `/v1/webhook_endpoints/${endpoint.id}/test`);
  await until(
    () => api("GET", `/v1/webhook_deliveries/${id}`),
    ({ status }) => status === "failed",
  );
}

class Run {
  constructor(name, page, report) {
    Object.assign(this, { name, page, report, told: {} });
  }

  async look(place) {
    await settled(this.page);
    await examined(this.page, `${this.name}, ${place}`, this.report);
    if (pictures) await this.page.screenshot({ path: `${pictures}/background-${this.name}-${place.replaceAll(" ", "-")}.png`, fullPage: true });
  }

  row(text) {
    return this.page.locator("tbody tr", { hasText: text });
  }
}

const focused = (page) => page.evaluate(() => [document.activeElement.tagName, document.activeElement.textContent]);

async function nothingYet(run) {
  const { page, told } = run;
  await visit(page, "#/work");
  told.empty = await page.locator(".empty").count();
  told.tables = await page.locator(".content table").count();
  await run.look("nothing yet");
}

// One is tried again: it is under way, the service says so, and then it is done. Nobody loses their place by it.
async function oneAgain(run, gate, [id]) {
  const { page, told } = run;
  const row = run.row(`Cook ${run.name} 0`);
  await visit(page, "#/courses");
  await visit(page, "#/work");
  await row.waitFor();
  await run.look("what failed");
  told.failed = await page.locator("tbody tr:has-text('Cook')").count();
  gate.shut();
  const said = await saidOf(page, async () => {
    await row.locator("button").focus();
    await page.keyboard.press("Enter");
  });
  told.said = said.includes(`Cook ${run.name} 0`);
  await row.locator(".tag.wait").waitFor();
  told.focus = await focused(page);
  const now = page.locator(".section", { has: page.locator("dl.facts.large") }).first();
  await now.locator("tbody tr").waitFor();
  const found = await api("GET", "/v1/background_work");
  told.running = [found.kinds.map(({ kind }) => kind), found.running, await now.locator("tbody tr").count()];
  await run.look("under way");
  gate.open();
  await row.locator(".tag.good").waitFor();
  told.focus_stays = JSON.stringify(await focused(page)) === JSON.stringify(told.focus);
  told.ready = (await api("GET", `/v1/submissions/${id}`)).ai_status;
  await now.waitFor({ state: "detached" });
  told.idle = await page.locator(".section").first().locator(".empty").count();
  told.over = Boolean(await page.locator(".section").first().locator("p[role=status]").textContent());
}

async function allAgain(run, [, ...ids]) {
  const { page, told } = run;
  const list = page.locator(".section .section", { has: run.row(`Cook ${run.name} 1`) });
  // Somebody else has seen to one of them meanwhile.
  await graded(ids[1], {});
  await list.locator(".row.spread button").click();
  await page.locator("dialog").waitFor();
  await run.look("asked before all");
  await page.locator("dialog .button.main").click();
  await list.locator("h4").waitFor();
  await list.locator("section.card > .row .button").waitFor();
  await page.locator(".toast").waitFor();
  await run.row(`Cook ${run.name} 1`).locator(".tag.good").waitFor();
  told.settled = await run.row(`Cook ${run.name} 2`).locator(".tag.plain").count();
  told.all = (await Promise.all(ids.map((id) => api("GET", `/v1/submissions/${id}`)))).map(({ ai_status: status }) => status);
  const sums = await list.locator("section.card p").last().innerText();
  told.sums = sums.match(/[0-9٠-٩]/g).map((digit) => "٠١٢٣٤٥٦٧٨٩".includes(digit) ? "٠١٢٣٤٥٦٧٨٩".indexOf(digit) : Number(digit));
  told.grades = (await api("GET", `/v1/submissions/${ids[1]}/grades`)).data.length;
  await run.look("all tried again");
  await list.locator("section.card button").click();
  told.closed = (await focused(page))[0];
}

async function others(run) {
  const { page, told } = run;
  const file = run.row(`${run.name}.html`);
  told.file = [await file.locator("button").count(), await file.locator("a").count()];
  await saidOf(page, () => file.locator("button").click());
  told.removed = [await file.locator(".tag.plain").count(), (await api("GET", "/v1/media?status=error")).data.length];
  const message = run.row("Old intranet").first();
  told.message = (await message.locator("a").last().getAttribute("href")).replace(/whe_\w+/, "…");
}

async function theNode(run) {
  const { page, told } = run;
  const health = page.locator(".section", { has: page.locator("a[href='#/usage']") }).last();
  const again = page.locator(".page-head button");
  const state = async (answer) => {
    if (answer) await page.route("**/readyz", (route) => route.fulfill({ contentType: "application/json", ...answer }));
    await saidOf(page, () => again.click());
    await settled(page);
    const link = health.locator("a[href^='/docs/guides/operations']");
    const found = [await health.locator(".tag").getAttribute("class"), (await link.count()) ? await link.getAttribute("href") : null];
    if (answer) await page.unroute("**/readyz");
    return found;
  };
  told.node = [
    await state(null),
    await state({ body: '{"status":"degraded","reason":"disk_almost_full"}' }),
    await state({ body: '{"status":"degraded","reason":"database_damaged"}' }),
    await state({ status: 503, body: '{"error":{"code":"unavailable","message":"Not right now."}}' }),
  ];
  await run.look("not ready");
  told.places = await Promise.all(told.node.slice(1).map(async ([, href]) => (await (await fetch(`${base}${href}`)).text()).includes(`id="${href.split("#")[1]}"`)));
  await state(null);
  await health.locator("button").click();
  await health.locator("bdi").waitFor();
  told.version = /^\d+\.\d+\.\d+/.test(await health.locator("bdi").innerText());
}

// What a key may not read is left out, and said.
async function littleToRead(run) {
  const { page, told } = run;
  const { api_key: secret } = await api("POST", "/v1/api_keys", { name: "Watcher", scopes: ["read:workspaces", "read:webhooks"] });
  const asked = [];
  const other = await openConsole(page.context().browser(), base, LOOKS.desk, run.report.faults);
  other.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await signIn(other, secret);
  await visit(other, "#/work");
  told.little = [await other.locator("p.quiet").last().innerText(), asked.some((path) => /submissions|generations|scorm|media|invitations/.test(path))];
  await other.context().close();
}

async function walk(browser, [name, how], report, { gate, receiver }) {
  const page = await openConsole(browser, base, how, report.faults);
  const run = new Run(name, page, report);
  report[name] = run.told;
  await signIn(page, key);
  if (name === "desk") await nothingYet(run);
  const ids = await works(name);
  await fileThatIsNone(name);
  if (name === "desk") await messageThatFailed(receiver);
  await oneAgain(run, gate, ids);
  await allAgain(run, ids);
  await others(run);
  await theNode(run);
  if (name === "desk") await littleToRead(run);
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
const provider = await startProvider(Number(inner));
const [gate, receiver] = [await gated(), await gone()];
const browser = await launch();
try {
  for (const one of Object.entries(LOOKS)) await walk(browser, one, report, { gate, receiver });
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
  for (const server of [provider, gate, receiver]) server.close();
}
// A node that is not ready is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 503.*readyz/.test(fault));
console.log(JSON.stringify(report));
