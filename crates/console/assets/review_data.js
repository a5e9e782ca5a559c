// The queue of what waits for a person, read ahead, and the three things that can be done about one of them.
import { ApiError, can, get, getShown, nextFilled, post } from "./api.js";

const WITH = "user,assignment,cohort";
// Of one submission alone: a list would have the same texts again and again, and they are long.
const TEXTS = "assignment.html";
export const QUEUES = {
  held: { review_status: "open", status: "in_review" },
  open: { review_status: "open" },
  ungraded: { status: "submitted" },
  decided: { review_status: "done" },
};
// What is to be graded blind of one assignment, and the page that says why.
export const BLIND = {
  blind: { page: "calibration", title: "assignment.calibration", named: (found) => found.waiting_blind },
  certificate: {
    page: "certificate",
    title: "assignment.certificate",
    named: ({ tests, audits }) => [...tests.waiting, ...audits.waiting],
  },
};
// The queue of a single answer of a group of alike ones, which leads back to its group.
export const ALIKE = "alike";
const lists = () => import("./review_lists.js");

// Somebody else was faster; `now` is how the submission stands since, `by` who it was and when, as far as that is known.
export class Overtaken extends Error {
  constructor(now, by) {
    super("overtaken");
    this.now = now;
    this.by = by;
  }
}

// Whose record is the newest: who is to grade it blind is shown none.
async function newestOf(id) {
  const { data } = await get(`/v1/submissions/${id}/grades`, { limit: 1 }).catch(() => ({ data: [] }));
  return data.length ? { actor: data[0].actor, at: data[0].created_at } : null;
}

export class Queue {
  // `assignment` is that of which blind grades are wanted, where the kind is one of `BLIND`; `of` the answer of a group; `q` part of a learner's
  // name or address.
  constructor({ kind, assignment, of, q, sort }, signal) {
    Object.assign(this, { kind, assignment, of, q, sort, signal });
    this.items = [];
    this.hasMore = false;
    this.ahead = new Map();
  }

  async load() {
    if (this.kind in BLIND) return (await lists()).loadBlind(this);
    if (this.kind === ALIKE) return void this.items.push(await current(this.of, this.signal));
    const asked = { q: this.q, sort: this.sort };
    // Who is looked for is found among all; else the last decisions come first, which the events know.
    if (this.kind === "decided" && !this.q && !this.sort && can("read:events")) return (await lists()).loadDecided(this);
    const page = await nextFilled("/v1/submissions", { ...QUEUES[this.kind], ...asked, limit: 50, expand: WITH }, this.cursor, this.signal);
    const known = new Set(this.items.map((item) => item.id));
    this.items.push(...page.data.filter((item) => !known.has(item.id)));
    this.cursor = page.next_cursor;
    this.hasMore = page.has_more;
  }

  // More of it, once for all who ask for it meanwhile.
  further() {
    if (!this.hasMore) return Promise.resolve();
    this.loading ??= this.load().finally(() => (this.loading = null));
    return this.loading;
  }

  at(id) {
    return this.items.findIndex((item) => item.id === id);
  }

  // The submission that follows, or that before; nothing at either end.
  beside(id, step) {
    return this.items[this.at(id) + step];
  }

  put(submission) {
    const place = this.at(submission.id);
    if (place >= 0) this.items[place] = submission;
    this.ahead.delete(submission.id);
  }

  drop(id) {
    const place = this.at(id);
    if (place >= 0) this.items.splice(place, 1);
    this.ahead.delete(id);
  }

  // It waits again, before the others.
  restore(submission) {
    this.drop(submission.id);
    this.items.unshift(submission);
  }

  // A submission as it stands now, with its history; asked for once, also when it was read ahead.
  read(id) {
    if (!this.ahead.has(id)) {
      const reading = Promise.all([current(id, this.signal), history(id, this.signal)]);
      reading.catch(() => this.ahead.delete(id));
      this.ahead.set(id, reading);
    }
    return this.ahead.get(id);
  }

  readAhead(id) {
    if (id) this.read(id).catch(() => {});
  }
}

export function current(id, signal) {
  return getShown(`/v1/submissions/${id}`, WITH, TEXTS, signal);
}

function history(id, signal) {
  return get(`/v1/submissions/${id}/grades`, { limit: 50, verify: "true" }, signal);
}

// What was decided stands no longer; each of `steps` is one decision.
export async function takeBack(id, steps) {
  for (let step = 0; step < steps; step += 1) await post(`/v1/submissions/${id}/reopen`);
  return current(id);
}

// How many decisions it was, and so takes to be taken back; where nothing stood before there is no way back.
export function stepsBack(submission, now) {
  if (submission.score === null) return 0;
  const isGradedFirst = submission.status === "in_review" || (now.feedback || "") !== (submission.feedback || "");
  return now.status === "returned" && isGradedFirst ? 2 : 1;
}

// Who lets a grade stand has seen it.
export function canAccept({ blind, status, review_status: review }) {
  return can("write:grades") && !blind && (status === "in_review" || (status === "graded" && review === "open"));
}

export function canGrade(submission) {
  return can("write:grades") && submission.status !== "returned";
}

// Only what has not gone out: the service knows besides whether it was shown before.
export function canHide({ blind, status }) {
  return can("write:grades") && !blind && ["submitted", "in_review"].includes(status);
}

// Hides what AI says until a person has graded it.
export async function hideAi({ id }) {
  await post(`/v1/submissions/${id}/blind`);
  return current(id);
}

// Shows it all the same, for good.
export async function showAi({ id }) {
  await post(`/v1/submissions/${id}/reveal`);
  return current(id);
}

// A grade overwrites a grade without asking, so it is looked first whether the one on the screen is still the one that
// stands. What the service finds out after that it says with 409 or 412.
async function unlessOvertaken(submission, action) {
  const now = await current(submission.id);
  // Whose grade is to be blind is not told what AI says meanwhile: only a grade, or that it was shown, comes before theirs.
  const isStillBlind = submission.blind && now.blind;
  if (now.updated_at !== submission.updated_at && !isStillBlind) throw new Overtaken(now, await newestOf(now.id));
  try {
    return await action();
  } catch (error) {
    if (error instanceof ApiError && [409, 412].includes(error.status)) throw new Overtaken(await current(submission.id), error.by);
    throw error;
  }
}

// What is given is what was earned: the service takes off what coming late costs. A person's comments go along; AI's reasons, which
// students do not see, do not become theirs.
function asItStands(submission) {
  const criteria = submission.criteria.filter((one) => !one.not_judged);
  const isPersons = submission.graded_by === "human";
  const judged = criteria.map(({ criterion_id, level_id, score, rationale }) => ({
    criterion_id,
    ...(level_id ? { level_id } : { score }),
    ...(isPersons && rationale ? { rationale } : {}),
  }));
  return judged.length ? { criteria: judged } : { score: submission.earned_score };
}

function letStand(submission) {
  // Also where it is out already and wants a look: so it keeps what it rests on.
  if (submission.status === "in_review" || submission.review_status === "open") return post(`/v1/submissions/${submission.id}/approve`);
  return post(`/v1/submissions/${submission.id}/grade`, { ...asItStands(submission), feedback: submission.feedback || "" });
}

export function accept(submission) {
  return unlessOvertaken(submission, () => letStand(submission));
}

// As a field shows it.
export const asShown = (text) => (text || "").replace(/\r\n?/g, "\n");

export function change(submission, given) {
  return unlessOvertaken(submission, () => post(`/v1/submissions/${submission.id}/grade`, given));
}

// Only what is graded can be given back, so a held grade is let stand first, with what the student shall read.
export function giveBack(submission, feedback) {
  return unlessOvertaken(submission, async () => {
    const isSame = feedback === asShown(submission.feedback);
    if (!isSame) await post(`/v1/submissions/${submission.id}/grade`, { ...asItStands(submission), feedback });
    else if (submission.status !== "graded") await letStand(submission);
    return post(`/v1/submissions/${submission.id}/return`);
  });
}

// Criteria of the rubric with what was judged by each; of the judgement alone where the assignment has no rubric.
export function criteriaOf(submission) {
  const results = new Map(submission.criteria.map((result) => [result.criterion_id, result]));
  const rubric = submission.assignment?.rubric?.criteria || [];
  const rows = rubric.map((criterion, at) => ({
    criterion,
    result: results.get(criterion.id) || null,
    place: `rubric.criteria[${at}]`,
  }));
  for (const result of submission.criteria) {
    if (!rubric.some((criterion) => criterion.id === result.criterion_id)) {
      rows.push({
        criterion: { id: result.criterion_id, name: result.name, description: "", max_points: result.max_score, weight: 1 },
        result,
      });
    }
  }
  return rows.map((row, at) => ({ ...row, letter: letterOf(at) }));
}

function letterOf(at) {
  return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
}
