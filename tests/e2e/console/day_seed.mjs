// Fills a platform with a school of any size, through the API alone: a course with many tasks, a cohort of many learners, and what they handed in.
//
//   BASE=<address of the service> KEY=<API key> [LEARNERS= TASKS= SUBMISSIONS= REVIEWED= ACCEPTED= GRADED=] node day_seed.mjs
//
// Prints what was made as one JSON object, by which day.mjs does its day there.
import { pathToFileURL } from "node:url";
import { apiOf, until } from "./seed.mjs";

// So many requests at once.
const HANDS = 4;
// The most rows of one request.
const ROWS = 1000;
const POINTS = 10;
const ANSWER = "Cut the stew into small portions so that it cools quickly.";
const ANSWERS = [ANSWER, "Leave it in the pot over night.", "Small portions.", "Put the pot into ice water and stir, so that it cools quickly."];
const RUBRIC = { criteria: [{ name: "Cooling", max_points: POINTS, reference_answers: [ANSWER] }] };
// What waits for a person one after the other, what is accepted at once, and what AI has not graded yet; each begins with a letter of its own.
export const NAMES = { desk: "Essay on the desk", bulk: "Weekly sheet", ai: "Project" };
const QUIZZES = 3;
// The book is weighed by two groups: 40 and 60 per cent.
const WEIGHTS = [40, 60];

export const sizeOf = (environment) => {
  const of = (name, otherwise) => Number(environment[name] ?? otherwise);
  const [learners, tasks, submissions] = [of("LEARNERS", 70), of("TASKS", 8), of("SUBMISSIONS", 250)];
  return { learners, tasks, submissions, reviewed: of("REVIEWED", 12), accepted: of("ACCEPTED", 60), graded: of("GRADED", 40) };
};

export const nameAt = (at) => `Learner ${String(at + 1).padStart(4, "0")}`;

// As many at once as the service is asked for; what comes of each stands where it stood.
async function each(items, action) {
  const made = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      made[at] = await action(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: HANDS }, work));
  return made;
}

async function many(api, operation, rows) {
  const results = [];
  for (let at = 0; at < rows.length; at += ROWS) {
    let now = await api("POST", "/v1/batch", { operation, rows: rows.slice(at, at + ROWS) });
    if (now.status === "pending")
      now = await until(
        () => api("GET", `/v1/batch/${now.id}`),
        ({ status }) => status !== "pending",
      );
    const refused = now.results.find(({ error }) => error);
    if (refused) throw new Error(`${operation}: ${JSON.stringify(refused)}`);
    results.push(...now.results);
  }
  return results;
}

async function course(api, { tasks }) {
  const { id } = await api("POST", "/v1/courses", { name: "All of cooking", language: "en" });
  const made = { course_id: id, instructions: "How does a stew cool?", max_score: POINTS, ai_evaluator: { enabled: false, model: "builtin" } };
  const withRubric = { ...made, rubric: RUBRIC, human_review: "required" };
  const assignments = [];
  for (const name of Object.values(NAMES)) assignments.push(await api("POST", "/v1/assignments", { ...withRubric, name }));
  for (let at = assignments.length; at < tasks; at += 1) {
    const task = at % 2 ? withRubric : made;
    assignments.push(await api("POST", "/v1/assignments", { ...task, name: `Task ${String(at + 1).padStart(2, "0")}` }));
  }
  const quizzes = await lesson(api, id);
  const ids = assignments.map((one) => one.id);
  const parts = [ids.slice(0, 3), [...ids.slice(3), ...quizzes]];
  const groups = parts.map((items, at) => ({ id: `part${at}`, name: `Part ${at + 1}`, weight: WEIGHTS[at], items }));
  await api("PATCH", `/v1/courses/${id}`, { gradebook: { missing: "ignored", groups } });
  await api("POST", `/v1/courses/${id}/publish`);
  return { course: id, assignments: ids, quizzes };
}

async function lesson(api, course_id) {
  const { id: unit_id } = await api("POST", "/v1/units", { course_id, name: "Cooling" });
  const { id: lesson_id } = await api("POST", "/v1/lessons", { unit_id, name: "Why it matters", content: "Cool it fast." });
  const question = { id: "one", type: "true_false", prompt: "A large pot cools slowly.", answer: true };
  const quiz = { lesson_id, kind: "quiz", content: { passing_percent: 50, questions: [question] } };
  const quizzes = [];
  for (let at = 0; at < QUIZZES; at += 1) quizzes.push((await api("POST", "/v1/activities", { ...quiz, name: `Quiz ${at + 1}` })).id);
  return quizzes;
}

async function people(api, course_id, { learners }) {
  const { id } = await api("POST", "/v1/cohorts", { course_id, name: "Everybody", timezone: "UTC" });
  await api("POST", `/v1/cohorts/${id}/start`);
  const rows = Array.from({ length: learners }, (_, at) => ({ id, body: { email: `learner-${at + 1}@school.example`, name: nameAt(at) } }));
  await many(api, "enrollStudent", rows);
  // Of more than a few the rows do not say who it is.
  const users = new Map();
  for (let after = ""; ; ) {
    const { data, has_more: isMore, next_cursor: next } = await api("GET", `/v1/cohorts/${id}/students?limit=100${after}`);
    for (const { user_id, user } of data) users.set(user.email.match(/\d+/)[0], user_id);
    if (!isMore) break;
    after = `&startingAfter=${encodeURIComponent(next)}`;
  }
  return { cohort: id, users: rows.map((_, at) => users.get(String(at + 1))) };
}

// Who hands in what: first what is neither for the desk, nor for all at once, nor for AI; the desk's last, so that the desk begins with it.
function plan({ learners, tasks, submissions, accepted, graded, reviewed }) {
  const of = (task, count) => Array.from({ length: Math.min(count, learners) }, (_, at) => [task, at]);
  const roles = [...of(1, accepted), ...of(2, graded), ...of(0, reviewed + 5)];
  const rest = [];
  for (let at = 0; rest.length < submissions - roles.length; at += 1) {
    const others = tasks - 3;
    rest.push([3 + ((at + Math.floor(at / learners)) % others), at % learners]);
  }
  return { rest, roles };
}

export async function seed({ base, key, size, told = () => {} }) {
  const api = apiOf(base, key);
  const made = await course(api, size);
  const { cohort, users } = await people(api, made.course, size);
  told(`${users.length} learners`);
  const handIn = ([task, learner], at) => {
    if (at % 500 === 0) told(`${at} handed in`);
    const content = { type: "text", text: ANSWERS[(task * 3 + learner) % ANSWERS.length] };
    const work = { assignment_id: made.assignments[task], cohort_id: cohort, user_id: users[learner], draft: false, content };
    return api("POST", "/v1/submissions", work);
  };
  const { rest, roles } = plan(size);
  const works = await each(rest, handIn);
  // One of ten is still to be graded.
  const rows = works.filter((_, at) => at % 10).map(({ id }, at) => ({ id, body: { score: 2 + ((at * 7) % (POINTS - 1)) } }));
  await many(api, "gradeSubmission", rows);
  told(`${rows.length} graded`);
  await each(roles, handIn);
  const tried = users.slice(0, Math.min(users.length, 100)).flatMap((user_id, at) => made.quizzes.map((quiz) => [quiz, user_id, at]));
  await each(tried, ([quiz, user_id, at]) => api("POST", `/v1/activities/${quiz}/attempts`, { user_id, answers: { one: at % 3 > 0 } }));
  for (const task of [1, 0]) await gradedByAi(api, made.assignments[task]);
  const [desk, bulk, ai] = made.assignments;
  return { ...size, course: made.course, cohort, desk, bulk, ai, other: made.assignments[3] };
}

async function gradedByAi(api, assignment) {
  await api("POST", `/v1/assignments/${assignment}/ai`, {});
  await until(
    () => api("GET", `/v1/assignments/${assignment}/ai`),
    ({ newest }) => newest.state === "done",
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { BASE: base, KEY: key } = process.env;
  const begun = Date.now();
  const told = (text) => console.error(`${Math.round((Date.now() - begun) / 1000)} s: ${text}`);
  console.log(JSON.stringify(await seed({ base, key, size: sizeOf(process.env), told })));
}
