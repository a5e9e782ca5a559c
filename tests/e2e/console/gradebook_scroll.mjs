// How smoothly a large book of grades scrolls: down to its end and up again, and from side to side, as fast as somebody turns a wheel.
//
//   BASE=<address of the service> KEY=<API key> [COHORT=<id of a cohort with a book>] node gradebook_scroll.mjs [learners] [tasks]
//
// Where no cohort is named one is made, and its book is made up here: nothing of the service is measured, only the page. Prints, of the way from one
// frame to the next and of the work within one (scripts, styles and layout), the median, the 95th percentile and the most, in milliseconds; and
// what the page's own thread took of a processor for a frame, in the mean, which a busy machine makes no difference to.
import { launch, openConsole, settled, signIn, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key, COHORT: named } = process.env;
const [LEARNERS, TASKS] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 40)];
// So far one goes from frame to frame: a notch of a wheel down, half a task sideways.
const [DOWN, SIDEWAYS] = [120, 60];
const api = apiOf(base, key);

async function cohort() {
  const course = await api("POST", "/v1/courses", { name: "All of cooking", language: "en" });
  return (await api("POST", "/v1/cohorts", { course_id: course.id, name: "Everybody" })).id;
}

const STATES = ["graded", "graded", "graded", "not_handed_in", "waits_for_a_grade", "missing_counts_as_zero"];
const columns = Array.from({ length: TASKS }, (_, at) => ({
  id: `asg_${at}`,
  object: at % 8 === 7 ? "activity" : "assignment",
  name: `Task ${at + 1}`,
  group: at % 2 ? "exams" : "homework",
  points: 20,
  due_at: "2026-10-01T08:00:00Z",
}));

function cell(learner, task) {
  const state = STATES[(learner * 7 + task * 3) % STATES.length];
  const isGraded = state === "graded";
  const marks = { awaits_grade: state === "waits_for_a_grade", dropped: isGraded && (learner + task) % 9 === 0, late: (learner + task) % 5 === 0 };
  const points = isGraded ? ((learner + task) % 41) / 2 : null;
  return { item_id: `asg_${task}`, state, points, percent: points && points * 5, attempt: isGraded ? 1 : null, submission_id: isGraded ? `sub_${learner}` : null, ...marks };
}

// A page of the book that is made up.
function pageOf(url) {
  const asked = new URL(url).searchParams;
  const [from, limit] = [Number(asked.get("startingAfter") ?? 0), Number(asked.get("limit") ?? 25)];
  const scheme = { groups: ["homework", "exams"].map((id) => ({ id, name: id, weight: 50, drop_lowest: 1, attempt: "best", items: [] })), missing: "zero" };
  const to = Math.min(LEARNERS, from + limit);
  const data = Array.from({ length: to - from }, (_, at) => ({
    id: `enr_${from + at}`,
    object: "gradebook_row",
    user_id: `usr_${from + at}`,
    name: `Learner ${from + at + 1}`,
    email: `learner${from + at + 1}@school.example`,
    status: "active",
    total: (from + at) % 101,
    groups: [],
    cells: columns.map((_, task) => cell(from + at, task)),
  }));
  const list = { object: "list", data, has_more: to < LEARNERS, next_cursor: to < LEARNERS ? String(to) : "" };
  return { ...list, course_id: "crs_1", scheme, columns, columns_total: TASKS, columns_after: "" };
}

// Runs in the page: scrolls a step with every frame until it goes no further, and says how long each took.
function scrolled([along, step]) {
  return new Promise((resolve) => {
    const grid = document.querySelector(".gb-grid");
    const [between, work] = [[], []];
    const { port1, port2 } = new MessageChannel();
    let [before, begun, last, still] = [null, 0, null, 0];
    port1.onmessage = () => work.push(performance.now() - begun);
    const frame = (now) => {
      if (before !== null) between.push(now - before);
      before = now;
      begun = performance.now();
      still = grid[along] === last ? still + 1 : 0;
      last = grid[along];
      // Where the rest is not here yet one waits for it.
      if (still > 60) return resolve({ between: between.slice(0, -60), work: work.slice(0, -60), most: grid.querySelectorAll(".gb-cell").length });
      grid[along] += step;
      // Behind this frame's drawing.
      port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

function told(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  const over = (limit) => times.filter((time) => Math.round(time * 10) / 10 > limit).length;
  return { frames: times.length, p50: at(0.5), p95: at(0.95), max: at(1), "over 16.7": over(16.7), "over 33": over(33) };
}

// Of what the page's thread did so far, in milliseconds: on a processor, and what for.
async function spent(wire) {
  const { metrics } = await wire.send("Performance.getMetrics");
  const of = (name) => metrics.find((one) => one.name === name).value * 1000;
  return { all: of("TaskDuration"), scripts: of("ScriptDuration"), styles: of("RecalcStyleDuration"), layout: of("LayoutDuration") };
}

async function main() {
  const faults = [];
  const browser = await launch();
  const page = await openConsole(browser, base, { viewport: { width: 1440, height: 900 } }, faults);
  await signIn(page, key);
  if (!named) await page.route(/\/gradebook\?/, (route) => route.fulfill({ json: pageOf(route.request().url()) }));
  await visit(page, `#/cohorts/${named ?? (await cohort())}/gradebook`);
  const ways = { down: ["scrollTop", DOWN], up: ["scrollTop", -DOWN], "to the end": ["scrollLeft", SIDEWAYS], "to the start": ["scrollLeft", -SIDEWAYS] };
  const report = { learners: LEARNERS, tasks: TASKS };
  const wire = await page.context().newCDPSession(page);
  await wire.send("Performance.enable", { timeDomain: "threadTicks" });
  for (const [name, way] of Object.entries(ways)) {
    const before = await spent(wire);
    const { between, work, most } = await page.evaluate(scrolled, way);
    const after = await spent(wire);
    const mean = Object.entries(after).map(([what, time]) => [what, Math.round(((time - before[what]) / between.length) * 100) / 100]);
    report[name] = { "of a processor": Object.fromEntries(mean), "from frame to frame": told(between), "work of a frame": told(work), "cells in the page": most };
    await settled(page);
  }
  await browser.close();
  console.log(JSON.stringify({ ...report, faults }, null, 2));
}

await main();
