// The courses of a workspace, and one of them as a tree.
import { pageLinks } from "./assignment_pages.js";
import { can, get, getShown, post } from "./api.js";
import { acting, button, empty, facts, h, icon, link, own, say, section, tag } from "./dom.js";
import { findable } from "./finding.js";
import { number, when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything, pagedList } from "./lists.js";
import { menuButton } from "./menu.js";
import { learn } from "./names.js";
import { originTag } from "./origin.js";
import { shownText, styled } from "./prose.js";
import { complain, go, show } from "./router.js";
import { sheet } from "./sheets.js";
import { mayReadTrail, trailOf } from "./trail.js";
import { listenForUndo, sayNow } from "./undo.js";
import { asTheyWillBe, draftOf, waitingSwitch, waits } from "./waiting.js";

// What changes a course is fetched by who may change it.
const dialogs = () => import("./course_dialogs.js");
const panels = () => import("./generation.js");
const outlines = () => import("./outline.js");
const drafting = () => Promise.all([import("./drafting.js"), useWords("proposals")]).then(([found]) => found);

const STATES = { published: "good", draft: "wait", archived: "plain" };

export function courseTag(status) {
  return tag(word("course", status), STATES[status]);
}

function courseCard(course) {
  learn(course.id, course.name);
  return h(
    "article.card",
    h(
      "div.stack.tight",
      own("h2", link(`#/courses/${course.id}`, course.name)),
      course.description && own("p.quiet.clamp", course.description),
    ),
    h(
      "div.row",
      courseTag(course.status),
      h("span.quiet", `${t("course.hours", { hours: number(course.duration.hours) })} · ${course.language}`),
    ),
  );
}

const mayWrite = () => can("write:courses");

// A button that asks by one of the dialogs.
function asking(label, ask, options) {
  return button(label, () => dialogs().then(ask).catch(complain), options);
}

export async function courses({ query, signal }) {
  if (mayWrite()) {
    await Promise.all([useWords("authoring"), sheet("authoring.css")]);
    listenForUndo("courses", signal);
  }
  await useWords("finding");
  const options = [["", t("course.all")], ...Object.keys(STATES).map((one) => [one, word("course", one)])];
  const list = await findable({
    query,
    signal,
    label: t("find.courses"),
    sorts: ["newest", "changed", "name"],
    choices: { status: { label: t("status"), options } },
    draw: (source) => pagedList({ path: "/v1/courses", selector: "ul.cards", row: courseCard, nothing: nothingYet(), ...source() }),
  });
  const make = mayWrite() && asking(t("authoring.new_course"), ({ newCourse }) => newCourse(), { look: "main", icon: "plus" });
  const trash = mayWrite() && h("p.hint", link("#/trash", t("authoring.to_trash")));
  return { title: t("nav.courses"), actions: [make], body: [list, trash], after: sayNow };
}

function nothingYet() {
  if (!mayWrite()) return empty(t("courses.none_title"), t("courses.none"));
  const make = asking(t("authoring.new_course"), ({ newCourse }) => newCourse(), { look: "main", icon: "plus" });
  return empty(t("courses.none_title"), t("authoring.none"), make);
}

// --- One course

function activitiesOf(lesson) {
  if (!lesson.activities?.length) return null;
  return h(
    "p.parts",
    lesson.activities.map((activity) => h("span", `${word("activity", activity.kind)}: `, own("span", activity.name))),
  );
}

function assignmentRow(assignment) {
  return h(
    "li.card",
    h("div.row.spread", own("h3", assignment.name), h("span.quiet.num", t("course.points", { points: number(assignment.max_score) }))),
    h(
      "p.parts",
      assignment.rubric.criteria.map((one, at) => h("span", at ? "· " : "", own("span", one.name))),
    ),
    h(
      "p.hint",
      `${word("human_review", assignment.human_review)}${assignment.due_at ? ` · ${t("course.due")} ` : ""}`,
      assignment.due_at && when(assignment.due_at),
    ),
    h("p.parts", pageLinks(assignment.id)),
  );
}

function lessonRow(course, lesson) {
  learn(lesson.id, lesson.name);
  return h(
    "li",
    h(
      "div.line",
      link(`#/courses/${course.id}/${lesson.id}`, own("span", lesson.name)),
      h("span.row", originTag(lesson.provenance), h("span.quiet.num", t("course.minutes", { minutes: number(lesson.duration_minutes) }))),
    ),
    activitiesOf(lesson),
  );
}

function unitBox(course, unit, at, assignments) {
  const mine = assignments.filter((one) => one.unit_id === unit.id);
  return h(
    "details.unit",
    { open: at === 0 },
    h(
      "summary",
      h("span.nr.num", number(at + 1)),
      own("h2", unit.name),
      h("span.quiet", t("course.lessons", { count: number(unit.lesson_count) })),
    ),
    h(
      "div.inside",
      unit.description && own("p.quiet", unit.description),
      h(
        "ul.lessons",
        unit.lessons.map((lesson) => lessonRow(course, lesson)),
      ),
      mine.length ? h("ul.stack.tight", mine.map(assignmentRow)) : null,
    ),
  );
}

async function pendingGeneration(course, signal) {
  const { generation } = course;
  return generation?.status === "pending" ? get(`/v1/generations/${generation.id}`, {}, signal) : null;
}

// What is published is so for good; whoever did not mean it archives it, which hides it again.
async function publish(course, move) {
  await post(`/v1/courses/${course.id}/${move}`);
  await show();
  const hide = button(t("authoring.archive"), () => dialogs().then(({ archiveCourse }) => archiveCourse({ ...course, status: "published" }, show)).catch(complain), { class: "small" });
  say(t("authoring.published"), "good", hide);
}

// Where the newest draft of the whole course waits for somebody to decide about it.
async function waitingProposals({ generation }, signal) {
  if (generation?.status !== "ready" || !mayWrite()) return null;
  const { review } = await get(`/v1/generations/${generation.id}`, {}, signal);
  if (!review) return null;
  const { data } = await get(`/v1/generations/${generation.id}/pieces`, { status: "proposed", limit: 1 }, signal);
  return data.length ? h("p.notice", icon("spark"), " ", link(`#/generations/${generation.id}`, t("making.waiting"))) : null;
}

function publishing(course) {
  const move = { draft: "publish", archived: "unarchive" }[course.status];
  if (!move || !mayWrite()) return null;
  return acting(t(`course.${move}`), () => publish(course, move).catch(complain));
}

// What else can be done with it as a whole.
function more(course, outline) {
  if (!mayWrite()) return null;
  const ask = (use) => () => dialogs().then(use).catch(complain);
  const entries = () => [
    [t("authoring.settings"), () => go(`#/courses/${course.id}/settings`)],
    [t("authoring.clone"), ask(({ cloneCourse }) => cloneCourse(course))],
    course.status !== "archived" && [t("authoring.archive"), ask(({ archiveCourse }) => archiveCourse(course, show))],
    mayReadTrail() && [t("authoring.trail"), null, { href: trailOf(course.id) }],
    null,
    [t("authoring.delete"), ask(({ deleteCourse }) => deleteCourse(course, countsOf(course, outline))), { danger: true }],
  ];
  return menuButton(t("authoring.more_for", { name: course.name }), entries, { class: "button quiet" });
}

function countsOf(course, { tree }) {
  return { ...tree.countsBelow([tree.course]), cohort: course.cohorts.length };
}

// All units with what is in them. Where a course is too long for that, its lessons come by themselves, and without their activities if need be.
async function unitsOf(id, signal) {
  const query = { course_id: id };
  try {
    return (await everything("/v1/units", { ...query, expand: "lessons.activities" }, signal)).data;
  } catch (error) {
    if (error.code !== "too_large_to_expand") throw error;
  }
  const lessons = (more) => everything("/v1/lessons", { ...query, ...more }, signal, 100);
  const few = () => lessons({ expand: "activities", limit: 20 });
  const [units, all] = await Promise.all([
    everything("/v1/units", query, signal),
    few().catch((error) => (error.code === "too_large_to_expand" ? lessons({}) : Promise.reject(error))),
  ]);
  const byPlace = (one, other) => one.position - other.position;
  for (const unit of units.data) unit.lessons = all.data.filter((lesson) => lesson.unit_id === unit.id).toSorted(byPlace);
  return units.data.toSorted(byPlace);
}

async function read(id, signal) {
  const [found, units, assignments] = await Promise.all([
    getShown(`/v1/courses/${id}`, "cohorts", "html", signal),
    unitsOf(id, signal),
    everything("/v1/assignments", { course_id: id }, signal),
  ]);
  const draft = mayWrite() ? await draftOf(found, signal) : null;
  // Where its changes wait, authors see what things will be called.
  const lessons = units.flatMap((unit) => unit.lessons);
  if (waits(found)) asTheyWillBe([found, ...units, ...lessons, ...lessons.flatMap((lesson) => lesson.activities || []), ...assignments.data], draft);
  return { course: found, units, assignments: assignments.data, draft };
}

function treeOf(found, units, assignments) {
  const loose = assignments.filter((one) => !one.unit_id);
  const tree = units.length
    ? h(
        "div.outline",
        units.map((unit, at) => unitBox(found, unit, at, assignments)),
      )
    : empty(t("course.empty_title"), t("course.empty"));
  return [tree, loose.length ? section(t("course.assignments"), h("ul.stack.tight", loose.map(assignmentRow))) : null];
}

const cohortOf = (found) => import("./cohort_dialogs.js").then(({ newCohort }) => newCohort(found)).catch(complain);

function aboutOf(found, units) {
  const minutes = units.flatMap((unit) => unit.lessons).reduce((sum, lesson) => sum + lesson.duration_minutes, 0);
  return facts([
    [t("status"), courseTag(found.status)],
    [
      t("course.length"),
      t("course.hours_made", { hours: number(found.duration.hours), made: number(minutes / 60, { maximumFractionDigits: 1 }) }),
    ],
    [t("language"), found.language],
    [
      t("nav.cohorts"),
      h(
        "span.row",
        found.cohorts.map((cohort) => link(`#/cohorts/${cohort.id}`, own("span", cohort.name))),
        !found.cohorts.length && !mayWrite() && "–",
        mayWrite() && found.status !== "archived" && button(t("authoring.new_cohort"), () => cohortOf(found), { look: "quiet", class: "small", icon: "plus" }),
      ),
    ],
  ]);
}

// The outline as whoever may change it sees it.
async function editing(found, id, signal) {
  if (!mayWrite()) return null;
  const [{ Outline }] = await Promise.all([outlines(), useWords("authoring"), sheet("authoring.css")]);
  return new Outline(found, () => read(id, signal), signal);
}

export async function course({ params, query, signal }) {
  const [found] = await Promise.all([read(params.id, signal), styled(), useWords("making"), useWords("waiting")]);
  const { course: shown, units, assignments, draft: changes } = found;
  learn(shown.id, shown.name);
  const outline = await editing(found, params.id, signal);
  const place = h("div");
  const watch = async (generation) => place.replaceChildren((await panels()).generationPanel(generation, signal, show));
  const [running, waiting] = await Promise.all([pendingGeneration(shown, signal), waitingProposals(shown, signal)]);
  if (running) await watch(running);
  const draft =
    can("ai:generate") && mayWrite()
      ? button(t("course.draft_with_ai"), () => drafting().then(({ syllabusDialog }) => syllabusDialog(shown, watch), complain), { look: "main", icon: "spark", disabled: Boolean(running) })
      : null;
  return {
    title: shown.name,
    own: true,
    above: link("#/courses", t("nav.courses")),
    actions: [publishing(shown), draft, more(shown, outline)],
    body: [
      shown.description && shownText(shown, "description", shown.description, { lang: shown.language, selector: "div.lede" }),
      aboutOf(shown, units),
      waiting,
      waitingSwitch(shown, changes),
      place,
      outline ? outline.node : treeOf(shown, units, assignments),
    ],
    after() {
      sayNow();
      if (query.has("begin")) outline?.begin();
    },
  };
}
