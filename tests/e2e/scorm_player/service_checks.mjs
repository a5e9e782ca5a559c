// What the player promises about the live service. Each check gets a fresh world and returns a fault, or nothing.
import { violationsOf } from "./axe.mjs";
import { crowd, KEY, SAID } from "./mock_service.mjs";
import { LEARNER, until } from "./service_launch.mjs";

const AWAY = "offline";
const REFUSED = "not available";
const PROOF = "Proof00000000000000001";

// How the service stands in the footer, by mood; "" is nothing said.
const LINES = {
  up: "", slow: "", "401": REFUSED, "401 for every key": REFUSED, "403": REFUSED, "403 at the door": REFUSED, "revoked in mid-course": REFUSED,
  "429": AWAY, "500": AWAY, hanging: AWAY, unreachable: AWAY, "refused by CORS": AWAY, garbage: AWAY, "half an answer": AWAY, "refused by CSP": REFUSED, "sandboxed": "",
};

function lineFault(lines, expected) {
  if (lines.length !== 1) return `${lines.length} status lines`;
  const said = [AWAY, REFUSED].filter((word) => lines[0].split(word).length > 1);
  const once = said.every((word) => lines[0].split(word).length === 2);
  const wanted = expected ? [expected] : [];
  return once && JSON.stringify(said) === JSON.stringify(wanted) ? null : `the status line says "${lines[0]}"`;
}

const complaint = (launch) => launch.errors[0] || launch.dialogs[0] || null;

function recordFault(record) {
  const { "cmi.completion_status": done, "cmi.success_status": success, "cmi.score.raw": raw, "cmi.progress_measure": measure } = record;
  return done === "completed" && success === "passed" && raw === "100" && measure === "1" ? null : `recorded ${[done, success, raw, measure]}`;
}

// The course is completed, scored and resumed as if there were no service.
async function mood(world, name) {
  const { service } = world;
  const options = { sandboxed: name === "sandboxed" };
  if (["unreachable", "sandboxed", "refused by CSP"].includes(name)) service.set("up");
  else service.set(name);
  if (name === "unreachable") await service.stop();
  if (name === "refused by CSP") options.policy = "default-src 'self'";
  const launch = await world.launch(options);
  await launch.play();
  const lines = await until("the footer says how the service stands", async () => {
    const found = await launch.serviceLine();
    return !lineFault(found, LINES[name]) && found;
  }, 20_000).catch(() => launch.serviceLine());
  const fault = lineFault(lines, LINES[name]) || complaint(launch) || recordFault(launch.record) || (await leaks(launch));
  if (fault) return fault;
  await launch.close();
  const again = await world.launch({ ...options, record: launch.record });
  await again.frame.locator("article.end").waitFor();
  return complaint(again) || recordFault(again.record);
}

async function leaks(launch) {
  const kept = await launch.stored();
  return kept.includes(KEY) ? "a session key is kept" : null;
}

// A launch with an open session.
async function connected(world, options) {
  // What a launch before this one asked says nothing of this one.
  const asked = () => world.service.asked("GET", /submissions/).length;
  const before = asked();
  const launch = await world.launch(options);
  await until("a session", () => asked() > before);
  return launch;
}

async function noRequests(world, options) {
  const launch = await world.launch(options);
  await launch.play();
  await launch.page.waitForTimeout(1500);
  return world.service.log.length ? `asked ${world.service.log[0].path}` : complaint(launch);
}

const hand = (service) => service.asked("POST", /\/v1\/submissions$/);

async function handedInOffline(world, offline) {
  const { service } = world;
  service.set(offline);
  const first = await world.launch();
  await first.start();
  await first.handIn(world.work, "Three drawings of the Plough.");
  await first.frame.locator(".work-note.wait").waitFor();
  if (offline === LOST) await until("the first try", () => hand(service).length > 0);
  await first.close();
  const tried = hand(service).map((one) => one.headers["idempotency-key"]);
  service.set("up");
  const second = await world.launch({ record: first.record });
  await until("the work arrives", () => service.submissions.length > 0);
  await second.visit(world.work);
  await second.frame.locator(".work-note.good", { hasText: "Handed in on" }).waitFor();
  await second.close();
  const third = await connected(world, { record: second.record });
  await third.page.waitForTimeout(1000);
  const keys = new Set([...tried, ...hand(service).map((one) => one.headers["idempotency-key"])]);
  if (service.submissions.length !== 1) return `${service.submissions.length} submissions`;
  if (keys.size !== 1 || ![...keys][0]) return `idempotency keys ${[...keys]}`;
  if (!new RegExp(`^scp_test\\.\\w{14}\\.${world.work}\\.1$`).test([...keys][0])) return `key ${[...keys][0]}`;
  return service.submissions[0].content.text === "Three drawings of the Plough." ? complaint(third) : "another text";
}

// Accepted by the service, but the answer never comes back.
const LOST = (one) => /\/v1\/submissions$/.test(one.path) && { lost: true };

// What the answers that the test gives look like to the service.
function expectedAnswers(questions) {
  const right = (options) => options.filter((one) => one.correct).map((one) => one.id);
  const form = {
    single_choice: (q) => right(q.options)[0], multiple_choice: (q) => right(q.options), true_false: (q) => q.answer, short_text: (q) => q.accepted_answers[0],
    numeric: (q) => q.answer, cloze: (q) => Object.fromEntries(q.blanks.map((blank) => [blank.id, blank.accepted_answers[0]])), ordering: (q) => q.items.map((item) => item.id),
    matching: (q) => Object.fromEntries(q.pairs.map((pair) => [pair.id, pair.id])), open: (q) => Array(Math.max(12, q.min_words || 0)).fill("word").join(" "),
  };
  return Object.fromEntries(questions.map((q) => [q.id, form[q.type](q)]));
}

const sorted = (value) => JSON.stringify(value, (key, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));

export const CHECKS = {
  "the proof comes back at the next launch": async (world) => {
    const first = await connected(world);
    await until("the proof is recorded", () => String(first.record["cmi.suspend_data"]).includes(PROOF));
    await first.close();
    await connected(world, { record: first.record });
    const [one, two] = world.service.asked("POST", /sessions$/);
    if (one.body.proof !== null || two.body.proof !== PROOF) return `proofs ${one.body.proof}, ${two.body.proof}`;
    return one.body.nonce === two.body.nonce ? "the same nonce twice" : null;
  },

  "a session is asked for as agreed": async (world) => {
    const launch = await connected(world);
    const [{ body, headers }] = world.service.asked("POST", /^\/v1\/scorm\/scp_test\/sessions$/);
    const { nonce, ...claim } = body;
    const expected = { launch_key: "lk_test", learner: { id: "learner-1", name: "Rivera, Ana" }, lms: { version: "2004", origin: world.origin }, proof: null };
    if (sorted(claim) !== sorted(expected)) return JSON.stringify(body);
    if (!/^[A-Za-z0-9_-]{16,128}$/.test(nonce)) return `nonce ${nonce}`;
    if (headers.origin !== body.lms.origin) return `Origin ${headers.origin} is not the origin that was told`;
    return headers.referer || headers.cookie ? "a referrer or a cookie went along" : complaint(launch);
  },

  "the first page does not wait for the session": async (world) => {
    world.service.set("hanging");
    const launch = await world.launch();
    await launch.start();
    return world.service.asked("POST", /sessions$/).length > 1 ? "a second request before the first page" : complaint(launch);
  },

  "the session key is kept nowhere": async (world) => {
    const launch = await connected(world);
    await launch.start();
    await launch.handIn(world.work, "Drawings.");
    await until("the work arrives", () => world.service.submissions.length > 0);
    return leaks(launch);
  },

  "a dead key is renewed once": async (world) => {
    const dead = (one) => one.headers["x-api-key"] === `${KEY}1` && { status: 401 };
    world.service.set(dead);
    const launch = await world.launch();
    await until("a call with the second key", () => world.service.log.some((one) => one.headers["x-api-key"] === `${KEY}2`));
    const sessions = world.service.asked("POST", /sessions$/);
    if (sessions.length !== 2 || sessions[1].body.nonce === sessions[0].body.nonce) return "not renewed by a launch of its own";
    return lineFault(await launch.serviceLine(), "");
  },

  "two dead keys are enough": async (world) => {
    world.service.set("401 for every key");
    const launch = await world.launch();
    await until("the footer says so", async () => (await launch.serviceLine())[0].includes(REFUSED));
    const before = world.service.log.length;
    await launch.start();
    await launch.page.waitForTimeout(3000);
    if (world.service.log.length !== before) return "asked again after the refusal";
    return world.service.asked("POST", /sessions$/).length === 2 ? null : "another number of sessions";
  },

  // By the page's own clock: a busy machine lets a request that came too early arrive late.
  "Retry-After is honoured": async (world) => {
    world.service.set("429");
    const launch = await world.launch({ clock: true });
    const now = () => launch.page.evaluate(() => Date.now());
    const begun = await now();
    await until("a second request", async () => {
      await launch.pass(500);
      return world.service.log.length > 1;
    }, 40_000);
    const wait = (await now()) - begun;
    return wait < 20_000 ? `asked again after ${wait} ms` : null;
  },

  "a service that does not answer is given up after its time": async (world) => {
    world.service.set("hanging");
    const launch = await world.launch();
    await until("the footer says so", async () => (await launch.serviceLine())[0].includes(AWAY), 20_000);
    return complaint(launch);
  },

  "who comes with a crowd is let in, and their work arrives": async (world) => {
    world.service.set(crowd(2, ({ isSession }) => ({ status: 409, code: isSession ? "limit_reached" : "version_conflict" })));
    const launch = await world.launch();
    await launch.start();
    await launch.handIn(world.work, "Drawings.");
    await until("the work arrives", () => world.service.submissions.length === 1, 60_000);
    return lineFault(await launch.serviceLine(), "") || complaint(launch);
  },

  "a service with its hands full is asked again when it says": async (world) => {
    world.service.set(crowd(3, () => ({ status: 503, code: "unavailable", headers: { "Retry-After": "2" } })));
    const launch = await world.launch({ clock: true });
    // Longer than the tries take together, and far shorter than the pause after a service that is away.
    for (let second = 0; second < 90 && world.service.keys.size === 0; second += 1) await launch.pass(1000);
    return world.service.keys.size === 1 ? complaint(launch) : "no session within a minute and a half";
  },

  "three failures end the asking, and a probe comes five minutes later": async (world) => {
    world.service.set("500");
    const launch = await world.launch({ clock: true });
    const minutes = async (count) => {
      // Short steps, or a request would run out of time before it left the browser.
      for (let step = 0; step < count * 30; step += 1) await launch.pass(2000);
    };
    await until("three requests", async () => {
      await launch.pass(500);
      return world.service.log.length >= 3;
    }, 40_000);
    await minutes(4);
    if (world.service.log.length !== 3) return `${world.service.log.length} requests while the circuit was open`;
    await minutes(2);
    return world.service.log.length === 4 ? null : `${world.service.log.length} requests`;
  },

  "work handed in offline arrives once at the next launch": (world) => handedInOffline(world, "500"),

  "work whose answer was lost arrives once": (world) => handedInOffline(world, LOST),

  "a draft is there again at the next launch": async (world) => {
    const first = await connected(world);
    await first.start();
    await first.visit(world.work);
    await first.frame.locator(".work textarea").fill("Half a sentence");
    await first.visit(first.steps[0].id);
    await first.close();
    const second = await world.launch({ record: first.record });
    await second.visit(world.work);
    const draft = await second.frame.locator(".work textarea").inputValue();
    return draft === "Half a sentence" && !hand(world.service).length ? complaint(second) : `the draft is "${draft}"`;
  },

  "work that came back may be handed in again, as a link too": async (world) => {
    const { service } = world;
    const launch = await connected(world);
    await launch.start();
    await launch.handIn(world.work, "First try.");
    await until("the work arrives", () => service.submissions.length === 1);
    service.grade(service.submissions[0], 4);
    service.submissions[0].status = "returned";
    await launch.frame.locator(".work-note", { hasText: "given back" }).waitFor({ timeout: 30_000 });
    await launch.handIn(world.work, "https://example.org/work");
    await until("the work arrives", () => service.submissions.length === 2);
    const [one, two] = hand(service).map((asked) => asked.headers["idempotency-key"]);
    if (!one.endsWith(".1") || !two.endsWith(".2")) return `keys ${one}, ${two}`;
    const { content } = service.submissions[1];
    return content.type === "url" && content.url === "https://example.org/work" ? complaint(launch) : JSON.stringify(content);
  },

  "a final refusal is told, and the text is kept": async (world) => {
    world.service.set((one) => /\/v1\/submissions$/.test(one.path) && { status: 409, code: "limit_reached" });
    const launch = await connected(world);
    await launch.start();
    await launch.handIn(world.work, "One attempt too many.");
    await launch.frame.locator(".work-note.bad", { hasText: "No attempts are left" }).waitFor();
    if ((await launch.frame.locator(".work textarea").inputValue()) !== "One attempt too many.") return "the text is gone";
    await launch.page.waitForTimeout(1500);
    return hand(world.service).length === 1 ? complaint(launch) : "sent again after a final refusal";
  },

  "a grade joins at the next launch": async (world) => {
    const { service } = world;
    const first = await connected(world);
    await first.play({ wrong: true });
    const before = Number(first.record["cmi.score.raw"]);
    const works = first.steps.filter((step) => step.kind === "assignment").length;
    await until("the work arrives", () => service.submissions.length === works);
    await first.close();
    service.submissions.forEach((one) => service.grade(one, 20));
    const second = await world.launch({ record: first.record });
    await second.frame.locator(".status", { hasText: "graded" }).waitFor();
    await second.visit(world.work);
    const card = await second.frame.locator(".grade").innerText();
    if (!/100/.test(card) || !card.includes("<b>careful</b>") || !card.includes("Every step is there.")) return `shows ${card}`;
    const after = Number(second.record["cmi.score.raw"]);
    if (!(after > before)) return `the score went from ${before} to ${after}`;
    await second.close();
    const third = await connected(world, { record: second.record });
    await third.page.waitForTimeout(1000);
    if ((await third.frame.locator(".status").innerText()).includes("graded")) return "told twice";
    service.submissions.forEach((one) => service.grade(one, 1));
    const fourth = await connected(world, { record: third.record });
    await fourth.page.waitForTimeout(1000);
    return Number(fourth.record["cmi.score.raw"]) < after ? "the score went down" : complaint(fourth);
  },

  "a grade that comes soon is shown at once": async (world) => {
    const launch = await connected(world);
    await launch.start();
    await launch.handIn(world.work, "Drawings.");
    await until("the work arrives", () => world.service.submissions.length > 0);
    world.service.grade(world.service.submissions[0], 15);
    await launch.frame.locator(".grade", { hasText: "75" }).waitFor({ timeout: 30_000 });
    return complaint(launch);
  },

  "every kind of answer is told in the service's form": async (world) => {
    const launch = await connected(world);
    await launch.play();
    const { service } = world;
    const quizzes = launch.steps.filter((step) => step.kind === "quiz");
    await until("both quizzes", () => service.asked("POST", /attempts$/).length === quizzes.length);
    for (const [at, one] of service.asked("POST", /attempts$/).entries()) {
      const expected = sorted(expectedAnswers(launch.questions(quizzes[at])));
      if (one.path !== `/v1/activities/${quizzes[at].id}/attempts` || sorted(one.body.answers) !== expected) return `${one.path}: ${sorted(one.body.answers)} instead of ${expected}`;
    }
    const lessons = launch.steps.filter((step) => step.kind === "lesson").map((step) => `/v1/lessons/${step.id}/complete`);
    const told = await until("every lesson", () => service.asked("POST", /complete$/).length >= lessons.length && service.asked("POST", /complete$/).map((one) => one.path));
    return JSON.stringify(told) === JSON.stringify(lessons) ? null : `told ${told}`;
  },

  "the tutor streams, cites, and puts in text only": async (world) => {
    world.service.set((one) => /tutor$/.test(one.path) && { pause: 900 });
    const launch = await connected(world);
    await launch.start();
    const { frame } = launch;
    await frame.locator("[data-action=tutor]").press("Enter");
    await frame.locator("#tutor-question").fill("Why does it not twinkle?");
    await frame.locator("#tutor-question").press("Enter");
    const turn = frame.locator(".from-tutor .lines");
    await until("the first sentence alone", async () => (await turn.innerText()).trim() === "A planet is a disc.");
    await frame.locator(".from-tutor blockquote", { hasText: "its light stays calm" }).waitFor();
    if ((await turn.innerText()) !== SAID || (await turn.locator("img").count())) return "not as text";
    await frame.locator("#tutor-question").fill("And a star?");
    await frame.locator("[data-action=ask]").click();
    await until("the second question", () => world.service.asked("POST", /tutor$/).length === 2);
    if (world.service.asked("POST", /tutor$/)[1].body.thread_id !== "thr_1") return "the conversation does not go on";
    await frame.locator("#tutor-question").press("Escape");
    await frame.locator("[data-action=tutor]:focus").waitFor();
    return (await frame.locator("#tutor-panel").count()) ? "still open" : complaint(launch);
  },

  "what the tutor says is shown with its markup, and can do nothing": async (world) => {
    const launch = await connected(world);
    await launch.start();
    const { frame } = launch;
    await frame.locator("[data-action=tutor]").press("Enter");
    await frame.locator("#tutor-question").fill("With markup, please.");
    await frame.locator("#tutor-question").press("Enter");
    const turn = frame.locator(".from-tutor .prose");
    await turn.locator("strong", { hasText: "disc" }).waitFor();
    const found = await turn.evaluate((box) => Array.from(box.querySelectorAll("*"), (node) => [node.localName, ...Array.from(node.attributes, ({ name, value }) => `${name}=${value}`)].join(" ")));
    const wanted = ["p dir=auto", "strong", "ul", "li", "a", "a href=https://stars.example/ target=_blank rel=noopener noreferrer", "a", "div", "math", "mi"];
    if (JSON.stringify(found) !== JSON.stringify(wanted)) return `the page has ${JSON.stringify(found)}`;
    if (!(await turn.innerText()).includes("It does not twinkle.")) return "words are lost";
    return complaint(launch);
  },

  "a tutor that fails says so, and nothing else happens": async (world) => {
    world.service.set((one) => /tutor$/.test(one.path) && { status: 500 });
    const launch = await connected(world);
    await launch.start();
    await launch.frame.locator("[data-action=tutor]").click();
    await launch.frame.locator("#tutor-question").fill("Are you there?");
    await launch.frame.locator("[data-action=ask]").click();
    await launch.frame.locator(".from-tutor", { hasText: "The tutor is offline. Your progress is saved." }).waitFor();
    if ((await launch.frame.locator("#tutor-question").inputValue()) !== "Are you there?") return "the question is gone";
    return complaint(launch);
  },

  "work, its grade and the tutor are for everybody": async (world) => {
    const launch = await connected(world);
    const found = [];
    const look = async (what) => found.push(...(await violationsOf(launch.page)).map((one) => `${what}: ${one}`));
    await launch.start();
    await launch.frame.locator("[data-action=tutor]").press("Enter");
    await launch.frame.locator("#tutor-question").fill("Why does it not twinkle?");
    await look("a question to the tutor");
    await launch.frame.locator("[data-action=ask]").click();
    await launch.frame.locator(".from-tutor blockquote").waitFor();
    await look("an answer of the tutor");
    await launch.visit(world.work);
    await look("work to be done");
    await launch.handIn(world.work, "Drawings.");
    await until("the work arrives", () => world.service.submissions.length > 0);
    await look("work handed in");
    world.service.grade(world.service.submissions[0], 15);
    await launch.frame.locator(".grade", { hasText: "75" }).waitFor({ timeout: 30_000 });
    await look("work graded");
    return found.join("; ") || complaint(launch);
  },

  "no tutor without its scope, nor on other pages": async (world) => {
    world.service.scopes = ["read:lessons", "write:submissions"];
    const launch = await connected(world);
    await launch.start();
    await launch.page.waitForTimeout(500);
    if (await launch.frame.locator("[data-action=tutor]").count()) return "offered without its scope";
    world.service.scopes.push("ai:tutor");
    const other = await connected(world);
    await other.frame.locator("[data-step='0']").evaluate((link) => link.click());
    await other.frame.locator("[data-action=tutor]").waitFor();
    await other.visit(world.work);
    return (await other.frame.locator("[data-action=tutor]").count()) ? "offered at an assignment" : null;
  },

  "review mode asks for nothing": (world) => noRequests(world, { record: { "cmi.mode": "review" } }),
  "browse mode asks for nothing": (world) => noRequests(world, { record: { "cmi.mode": "browse" } }),
  "a launch without credit asks for nothing": (world) => noRequests(world, { record: { "cmi.credit": "no-credit" } }),
  "a learner without an id asks for nothing": (world) => noRequests(world, { record: { ...LEARNER, "cmi.learner_id": "" } }),
  "a package without a service asks for nothing": (world) => noRequests(world, { service: null }),

  "a policy that forbids the service is believed": async (world) => {
    const launch = await world.launch({ policy: "default-src 'self'" });
    await until("the footer says so", async () => (await launch.serviceLine())[0].includes(REFUSED));
    return world.service.log.length ? "a request got out" : complaint(launch);
  },
};

// Moods in which the service wants nothing more of this launch.
export const REFUSALS = Object.keys(LINES).filter((name) => LINES[name] === REFUSED).map((name) => `mood: ${name}`);

for (const name of Object.keys(LINES)) CHECKS[`mood: ${name}`] = (world) => mood(world, name);
