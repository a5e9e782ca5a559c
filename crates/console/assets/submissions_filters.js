// By what submissions are sought: one control for each, and what the service is asked for. All of it stands in the address.
import { can, session } from "./api.js";
import { h, replace, select, toggle } from "./dom.js";
import { searchField } from "./finding.js";
import { t, word } from "./i18n.js";
import { everything } from "./lists.js";
import { learn, nameOf } from "./names.js";

const NAMES = ["course", "assignment", "cohort", "status", "reason", "grader", "stale", "q", "sort"];
const STATUSES = ["submitted", "in_review", "graded", "returned", "draft"];
// What can be asked for in the place of a state, and what each is for the service.
const STATES = {
  open: { review_status: "open" },
  ...Object.fromEntries(STATUSES.map((status) => [status, { status }])),
  decided: { review_status: "done" },
  ai_pending: { ai_status: "pending" },
  ai_ready: { ai_status: "ready" },
  ai_error: { ai_status: "error" },
};
const SORTS = { newest: "", oldest: "created_at", decided: "-decided_at", graded: "-graded_at", best: "-score", weakest: "score" };
// In an order of grades there is only what has one.
const WITHOUT_GRADE = new Set(["submitted", "draft"]);
const BY_GRADE = new Set([SORTS.decided, SORTS.graded, SORTS.best, SORTS.weakest]);
// So many pages of courses, cohorts and assignments stand in the choices.
const MOST_PAGES = 3;

const myId = () => session.me.user?.id;
const graders = () => ["ai", "human", ...(myId() ? ["me"] : [])];
// Or a member, by their id.
const isMember = (grader) => /^usr_[0-9a-z]{26}$/.test(grader);

// The reasons that there are words for are those that there are.
export async function reasonNames() {
  const { default: words } = await import("./desk_en.js");
  return Object.keys(words.reason);
}

// What an address asks for; what it says that cannot be is left out.
export function askedIn(query, reasons) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, query.get(name)?.trim() || ""]));
  const among = (name, known) => (asked[name] = known.includes(asked[name]) ? asked[name] : "");
  among("status", Object.keys(STATES));
  among("reason", reasons);
  if (!isMember(asked.grader)) among("grader", graders());
  among("sort", Object.values(SORTS));
  among("stale", ["1"]);
  if (!can("read:students")) asked.q = "";
  return fitting(asked);
}

// The same without what the service refuses together, or what could never be found.
function fitting(asked) {
  if (!asked.assignment) asked.stale = "";
  if (WITHOUT_GRADE.has(asked.status) && BY_GRADE.has(asked.sort)) asked.sort = "";
  return asked;
}

// What the service is asked for.
export function queryOf(asked) {
  const by = { ai: { graded_by: "ai" }, human: { graded_by: "human" }, me: { grader_id: myId() } };
  const grader = isMember(asked.grader) ? { grader_id: asked.grader } : by[asked.grader];
  return {
    course_id: asked.course,
    assignment_id: asked.assignment,
    cohort_id: asked.cohort,
    review_reason: asked.reason,
    stale: asked.stale && "true",
    q: asked.q,
    sort: asked.sort,
    ...STATES[asked.status],
    ...grader,
  };
}

export const isSifted = (asked) => NAMES.some((name) => name !== "sort" && asked[name]);

const option = ([value, label]) => h("option", { value }, label);
const namesOf = (things) => things.map(({ id, name }) => [id, name]);

export class Filters {
  // `change(asked)` is told what is asked for now.
  constructor(asked, reasons, change, signal) {
    Object.assign(this, { asked, change, signal, fetched: new Map() });
    const some = (name, all, options) => this.choice(name, [["", all], ...options]);
    this.course = some("course", t("submissions.all_courses"), []);
    this.assignment = some("assignment", t("submissions.all_assignments"), []);
    this.cohort = some("cohort", t("submissions.all_cohorts"), []);
    const state = (name) => [name, STATUSES.includes(name) ? word("submission", name) : t(`submissions.is_${name}`)];
    this.status = some("status", t("course.all"), Object.keys(STATES).map(state));
    const byWords = reasons.map((name) => [name, word("reason", name)]).toSorted(([, one], [, other]) => one.localeCompare(other));
    this.reason = some("reason", t("submissions.all_reasons"), byWords);
    this.grader = some("grader", t("submissions.all_graders"), graders().map((name) => [name, t(`submissions.by_${name}`)]));
    this.stale = toggle(t("submissions.stale"), asked.stale === "1", (isOn) => this.set({ stale: isOn ? "1" : "" }));
    this.sort = this.choice("sort", Object.entries(SORTS).map(([name, value]) => [value, t(`submissions.sort_${name}`)]));
    this.field = can("read:students") && searchField(t("find.learners"), asked.q, (q) => this.set({ q }), signal);
    this.clearing = h("button.button.quiet", { type: "button", onclick: () => this.clear() }, t("submissions.clear"));
    const places = can("read:courses") ? [this.course, this.assignment, this.cohort] : [];
    this.found = h("p.hint", { role: "status" });
    this.node = h(
      "div.filters.find.sb-filters",
      { role: "search", "aria-label": t("submissions.filters") },
      this.field && this.field.input,
      places,
      this.status,
      this.reason,
      this.grader,
      this.stale,
      this.sort,
      this.clearing,
      this.found,
    );
    if (isMember(asked.grader)) this.offerMember(asked.grader);
    this.draw();
  }

  // Whom an address asks for by their id is among the choices.
  offerMember(id) {
    const node = option([id, "…"]);
    this.grader.append(node);
    nameOf(id).then((name) => (node.textContent = t("submissions.by_member", { name: name || id })));
  }

  choice(name, options) {
    const chosen = (event) => this.set({ [name]: event.target.value });
    return select(options, this.asked[name], { name, "aria-label": t(`submissions.${name}`), onchange: chosen });
  }

  // What belongs to another course goes with the course that was left.
  set(changes) {
    const { asked } = this;
    const isElsewhere = "course" in changes && changes.course !== asked.course;
    const course = changes.assignment && this.courseOf(changes.assignment);
    Object.assign(asked, changes, isElsewhere ? { assignment: "", cohort: "" } : {}, course ? { course } : {});
    fitting(asked);
    this.draw();
    if (isElsewhere || course) this.fill();
    this.change(asked);
  }

  clear() {
    for (const name of NAMES) if (name !== "sort") this.asked[name] = "";
    if (this.field) this.field.clear();
    else this.status.focus();
    this.draw();
    this.fill();
    this.change(this.asked);
  }

  draw() {
    const { asked } = this;
    for (const name of ["course", "assignment", "cohort", "status", "reason", "grader", "sort"]) this[name].value = asked[name];
    this.stale.querySelector("input").checked = asked.stale === "1";
    this.stale.hidden = !asked.assignment;
    for (const one of this.sort.options) one.hidden = one.disabled = WITHOUT_GRADE.has(asked.status) && BY_GRADE.has(one.value);
    this.clearing.hidden = !isSifted(asked);
  }

  courseOf(assignment) {
    const known = this.fetched.get("/v1/assignments ");
    return this.asked.course || known?.data.find(({ id }) => id === assignment)?.course_id || "";
  }

  async list(path, course = "") {
    const key = `${path} ${course}`;
    if (!this.fetched.has(key)) {
      const found = await everything(path, { course_id: course, sort: "name" }, this.signal, MOST_PAGES);
      for (const { id, name } of found.data) learn(id, name);
      this.fetched.set(key, found);
    }
    return this.fetched.get(key);
  }

  // Fills the choices of what there is. Where there are very many assignments, a course is chosen first.
  async fill() {
    if (!can("read:courses")) return;
    const { course } = this.asked;
    const [courses, cohorts, assignments] = await Promise.all([
      this.list("/v1/courses"),
      this.list("/v1/cohorts", course),
      this.list("/v1/assignments", course),
    ]);
    if (course !== this.asked.course || this.signal.aborted) return;
    await this.offer("course", t("submissions.all_courses"), namesOf(courses.data).map(option), courses.data);
    await this.offer("cohort", t("submissions.all_cohorts"), namesOf(cohorts.data).map(option), cohorts.data);
    const isTooMany = !course && !assignments.complete;
    const groups = course ? namesOf(assignments.data).map(option) : isTooMany ? [] : byCourse(assignments.data, courses.data);
    const first = t(isTooMany ? "submissions.course_first" : "submissions.all_assignments");
    await this.offer("assignment", first, groups, isTooMany ? [] : assignments.data);
  }

  // What the address asks for stands there also where it is not among the first of them.
  async offer(name, all, options, known) {
    const wanted = this.asked[name];
    const isMissing = wanted && !known.some(({ id }) => id === wanted);
    const also = isMissing ? [option([wanted, (await nameOf(wanted)) || wanted])] : [];
    replace(this[name], option(["", all]), also, options);
    this[name].value = this.asked[name];
  }
}

// Assignments of all courses stand below the name of theirs.
function byCourse(assignments, courses) {
  const of = Map.groupBy(assignments, ({ course_id: course }) => course);
  const groups = courses.filter(({ id }) => of.has(id));
  return groups.map(({ id, name }) => h("optgroup", { label: name }, namesOf(of.get(id)).map(option)));
}
