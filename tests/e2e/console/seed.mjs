// Fills an empty platform with the story, through the API alone.
//
//   node seed.mjs <address of the service> <API key> [port where a model is expected]
import { pathToFileURL } from "node:url";
import { startProvider } from "./provider.mjs";
import { startReceiver } from "./receiver.mjs";
import { CARD, CARDS, CARDS_HANDED_IN, FOOD, FRIDGE, FRIDGES, HANDS, HANDS_HANDED_IN, HANDS_UNGRADED, HANDS_WAITING, KNIFE, KNIFE_AFTER, KNIVES, KNIVES_UNGRADED, OIL, OILS, QUIZ, STEW, STEWS, STUDENTS, UNITS } from "./story.mjs";

const PLATFORM = "main";
const PATIENCE_MS = 60_000;

export function apiOf(base, key) {
  return async function api(method, path, body) {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { "x-api-key": key, "x-learning-platform-code": PLATFORM, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

export async function until(read, isDone) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await read();
    if (isDone(now)) return now;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(now).slice(0, 400)}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

async function course(api) {
  const made = await api("POST", "/v1/courses", FOOD);
  const lessons = [];
  for (const { lessons: inside, ...unit } of UNITS) {
    const { id } = await api("POST", "/v1/units", { course_id: made.id, ...unit });
    for (const { minutes, ...lesson } of inside)
      lessons.push(await api("POST", "/v1/lessons", { unit_id: id, duration_minutes: minutes, ...lesson }));
  }
  const quiz = await api("POST", "/v1/activities", { lesson_id: lessons[0].id, kind: "quiz", name: "What stays", content: QUIZ });
  await api("POST", "/v1/activities", { lesson_id: lessons[0].id, kind: "flashcards", name: "Numbers to know", content: CARDS });
  await api("POST", "/v1/activities", {
    lesson_id: lessons[1].id,
    kind: "reflection",
    name: "Your kitchen",
    content: { prompt: "Which pot in your kitchen is the hardest to cool?" },
  });
  const stew = await api("POST", "/v1/assignments", {
    unit_id: lessons[0].unit_id,
    ...STEW,
    human_review: "required",
    feedback: { tone: "encouraging", verbosity: "brief" },
  });
  const card = await api("POST", "/v1/assignments", { course_id: made.id, ...CARD, human_review: "optional" });
  await api("POST", `/v1/courses/${made.id}/publish`);
  const hands = await api("POST", "/v1/assignments", { course_id: made.id, ...HANDS, human_review: "required" });
  const fridge = await api("POST", "/v1/assignments", { course_id: made.id, ...FRIDGE, human_review: "required" });
  const oil = await api("POST", "/v1/assignments", { course_id: made.id, ...OIL, human_review: "required" });
  const knife = await api("POST", "/v1/assignments", { course_id: made.id, ...KNIFE, human_review: "off" });
  return { id: made.id, lessons, quiz, stew, card, hands, fridge, oil, knife };
}

async function otherCourses(api) {
  const support = await api("POST", "/v1/courses", {
    name: "Answering customers",
    language: "en",
    hours: 3,
    description:
      "Writing to customers: a clear first sentence, an honest answer, a next step. Complaints: listening, saying sorry once, what can be done. Handing a question over without losing it.",
  });
  const { id } = await api("POST", `/v1/courses/${support.id}/syllabus`, { hours: 3, content: "full", model: "builtin" });
  await until(
    () => api("GET", `/v1/generations/${id}`),
    (now) => now.status !== "pending",
  );
  const lab = await api("POST", "/v1/courses", {
    name: "السلامة في المختبر",
    language: "ar",
    hours: 6,
    description: "قواعد العمل الآمن في المختبر: النظارات الواقية، المواد الكيميائية، ماذا نفعل عند وقوع حادث.",
  });
  await api("POST", `/v1/courses/${lab.id}/publish`);
  const fire = await api("POST", "/v1/courses", {
    name: "Brandschutz im Betrieb",
    language: "de",
    hours: 2,
    description: "Fluchtwege, Feuerlöscher, der Sammelplatz.",
  });
  await api("POST", `/v1/courses/${fire.id}/publish`);
  await api("POST", `/v1/courses/${fire.id}/archive`);
  return { generation: id, lab };
}

async function people(api, courseId) {
  const cohort = await api("POST", "/v1/cohorts", {
    course_id: courseId,
    name: "Autumn 2026",
    capacity: 20,
    starts_at: "2026-10-05T08:00:00Z",
    ends_at: "2026-12-18T17:00:00Z",
    timezone: "Europe/Madrid",
  });
  await api("POST", `/v1/cohorts/${cohort.id}/start`);
  const users = [];
  for (const [email, name] of STUDENTS)
    users.push((await api("POST", `/v1/cohorts/${cohort.id}/students`, { email: `${email}@school.example`, name })).user_id);
  return { cohort, users };
}

// The further up somebody stands in the list, the further they have come; the last one has not begun.
async function learn(api, { lessons, quiz }, users) {
  for (const [at, user_id] of users.slice(0, -1).entries()) {
    for (const lesson of lessons.slice(0, Math.max(1, lessons.length - Math.round(at * 0.6))))
      await api("POST", `/v1/lessons/${lesson.id}/complete`, { user_id });
    if (at % 4 !== 3)
      await api("POST", `/v1/activities/${quiz.id}/attempts`, {
        user_id,
        answers: { zone: true, time: at % 3 ? 90 : 60, cold: at % 2 ? "kill" : "rest" },
      });
  }
}

async function handedIn(api, assignment, cohort, users, { by, text }) {
  const { id } = await api("POST", "/v1/submissions", {
    assignment_id: assignment.id,
    cohort_id: cohort.id,
    user_id: users[by],
    draft: false,
    content: { type: "text", text },
  });
  return id;
}

async function gradedByAi(api, id, run) {
  await api("POST", `/v1/submissions/${id}/ai`, run);
  await until(
    () => api("GET", `/v1/submissions/${id}`),
    (now) => now.ai_status !== "pending",
  );
}

async function handIn(api, assignment, cohort, users, works, hasModel) {
  for (const work of works) {
    const id = await handedIn(api, assignment, cohort, users, work);
    await gradedByAi(api, id, work.judged && hasModel ? {} : { model: "builtin" });
  }
}

// Some graded blind, one that waits for it, some that AI alone has graded, and one that nobody has.
async function calibrate(api, assignment, cohort, users) {
  for (const work of HANDS_HANDED_IN) {
    const id = await handedIn(api, assignment, cohort, users, work);
    await gradedByAi(api, id, {});
    if (work.points === undefined) continue;
    await api("POST", `/v1/submissions/${id}/blind`);
    const [{ id: criterion_id }] = HANDS.rubric.criteria;
    await api("POST", `/v1/submissions/${id}/grade`, { criteria: [{ criterion_id, score: work.points }] });
  }
  const waiting = await handedIn(api, assignment, cohort, users, HANDS_WAITING);
  await api("POST", `/v1/submissions/${waiting}/blind`);
  await gradedByAi(api, waiting, {});
  return { waiting, ungraded: await handedIn(api, assignment, cohort, users, HANDS_UNGRADED) };
}

// Graded by one rubric, some of it decided by a person, and then the rubric changes: what that means is previewed.
async function sharpen(api, assignment, cohort, users, hasModel) {
  for (const work of KNIVES) {
    const id = await handedIn(api, assignment, cohort, users, work);
    await gradedByAi(api, id, hasModel ? {} : { model: "builtin" });
    const [{ id: criterion_id }] = KNIFE.rubric.criteria;
    if (work.points !== undefined) await api("POST", `/v1/submissions/${id}/grade`, { criteria: [{ criterion_id, score: work.points }] });
  }
  for (const work of KNIVES_UNGRADED) await handedIn(api, assignment, cohort, users, work);
  await api("PATCH", `/v1/assignments/${assignment.id}`, { rubric: KNIFE_AFTER });
  const { id } = await api("POST", `/v1/assignments/${assignment.id}/regrades`, { only_stale: true });
  await batchOver(api, id);
  return id;
}

export function batchOver(api, id) {
  return until(
    () => api("GET", `/v1/batches/${id}`),
    ({ state }) => !["running", "committing", "undoing"].includes(state),
  );
}

// Nobody is certified whose grader was not attacked.
export async function attacked(api, assignment) {
  const { id } = await api("POST", `/v1/assignments/${assignment}/redteam`);
  return batchOver(api, id);
}

// What the page of a certificate is led through by people, done by a program: the promise, the try, a blind grade of all that is drawn.
export async function certify(api, assignment) {
  const place = `/v1/assignments/${assignment}`;
  await api("PATCH", `${place}/configure`, { human_review: "optional", release: { max_disagreement: 30 } });
  await attacked(api, assignment);
  await api("POST", `${place}/certificate`, { tests: 1 });
  const drawn = await until(
    () => api("GET", `${place}/certificate`),
    ({ state }) => state !== "grading",
  );
  for (const id of drawn.tests.waiting) {
    const { content } = await api("GET", `/v1/submissions/${id}`);
    const { points: score } = FRIDGES.find(({ text }) => text === content.text);
    await api("POST", `/v1/submissions/${id}/grade`, { criteria: [{ criterion_id: FRIDGE.rubric.criteria[0].id, score }] });
  }
  await until(
    () => api("GET", `${place}/certificate`),
    ({ released }) => released.count === FRIDGES.length - drawn.tests.drawn,
  );
}

async function webhooks(api, receiver) {
  const good = await api("POST", "/v1/webhook_endpoints", {
    url: `${receiver.origin}/hooks`,
    description: "Student records",
    enabled_events: ["submission.graded", "submission.reviewed", "lesson.completed"],
  });
  await api("POST", "/v1/webhook_endpoints", {
    url: `${receiver.origin}/broken`,
    description: "Old intranet",
    enabled_events: ["submission.graded", "course.published", "cohort.started"],
  });
  return good;
}

async function keys(api) {
  await api("POST", "/v1/api_keys", { name: "Nightly export", scopes: ["read:courses", "read:submissions"] });
  await api("POST", "/v1/api_keys", { name: "School website", scopes: ["write:tokens", "read:lessons"] });
  const old = await api("POST", "/v1/api_keys", { name: "Trial of last spring", scopes: ["read:*"] });
  await api("POST", `/v1/api_keys/${old.id}/revoke`);
}

async function packages(api, cohort) {
  for (const version of ["1.2", "2004"]) {
    const { id } = await api("POST", "/v1/scorm", { cohort_id: cohort.id, version });
    await until(
      () => api("GET", `/v1/scorm/${id}`),
      (now) => now.status !== "pending",
    );
    if (version === "2004") return id;
    await api("POST", `/v1/scorm/${id}/revoke`);
  }
}

// Everything at once; `hasModel` says that the service was started with the provider of the story.
export async function seed({ base, key, receiver, hasModel }) {
  const api = apiOf(base, key);
  const me = await api("GET", "/v1/me");
  await api("PATCH", `/v1/workspaces/${me.platforms[0].workspace_id}`, {
    name: "Kitchen school",
    ai: { monthly_budget: { usd: 25, tokens: 2_000_000 } },
  });
  const endpoint = await webhooks(api, receiver);
  const food = await course(api);
  const { cohort, users } = await people(api, food.id);
  const { lab, generation } = await otherCourses(api);
  await api("POST", "/v1/cohorts", { course_id: lab.id, name: "مجموعة الربيع" });
  await learn(api, food, users);
  const made = await packages(api, cohort);
  await keys(api);
  const alike = [];
  for (const work of OILS) alike.push(await handedIn(api, food.oil, cohort, users, work));
  // So that a judgement rests on passages.
  await gradedByAi(api, alike[0], { model: "builtin" });
  const regrade = await sharpen(api, food.knife, cohort, users, hasModel);
  // First, so that the queue begins with the rest.
  const { waiting, ungraded } = await calibrate(api, food.hands, cohort, users);
  for (const work of FRIDGES) await handedIn(api, food.fridge, cohort, users, work);
  await handIn(api, food.card, cohort, users, CARDS_HANDED_IN, hasModel);
  await handIn(api, food.stew, cohort, users, STEWS, hasModel);
  await api("POST", "/v1/submissions", {
    assignment_id: food.card.id,
    cohort_id: cohort.id,
    user_id: users[12],
    draft: false,
    content: { type: "url", url: "https://school.example/cards/mats" },
  });
  const { hands, fridge, oil, knife, stew, quiz } = food;
  const lesson = food.lessons[0].id;
  const places = { course: food.id, lesson, quiz: quiz.id, cohort: cohort.id, package: made, endpoint: endpoint.id, generation };
  const tasks = { hands: hands.id, fridge: fridge.id, oil: oil.id, knife: knife.id, stew: stew.id };
  return { ...places, ...tasks, regrade, alike, waiting, ungraded };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , base, key, port] = process.argv;
  const provider = port ? await startProvider(Number(port)) : null;
  const receiver = await startReceiver();
  console.log(JSON.stringify(await seed({ base, key, receiver, hasModel: Boolean(provider) })));
  // What was just written is on its way to the receiver.
  setTimeout(() => {
    provider?.close();
    receiver.close();
  }, 3000);
}
