// Cohorts, and one of them: what it is, how far its students have come, who they are.
import { can, get } from "./api.js";
import { heatOf } from "./cohort_heat.js";
import { studentTable } from "./cohort_students.js";
import { acting, button, empty, facts, h, icon, link, own, section, tag } from "./dom.js";
import { findable } from "./finding.js";
import { date, number } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything, pagedTable } from "./lists.js";
import { learn } from "./names.js";
import { complain } from "./router.js";
import { sheet } from "./sheets.js";
import { sayNow } from "./undo.js";

const STATES = { active: "good", draft: "wait", completed: "plain", archived: "plain" };

// What changes cohorts is fetched by who may.
const dialogs = () => import("./cohort_dialogs.js");

function makeButton() {
  const make = () => dialogs().then(({ newCohort }) => newCohort()).catch(complain);
  return can("write:courses") && button(t("cohorts.new"), make, { look: "main", icon: "plus" });
}

function cohortTag(status) {
  return tag(word("cohort", status), STATES[status]);
}

export async function cohorts({ query, signal }) {
  await Promise.all([useWords("cohorts"), useWords("finding")]);
  const columns = [
    {
      label: t("name"),
      cell: (cohort) => {
        learn(cohort.id, cohort.name);
        return link(`#/cohorts/${cohort.id}`, own("span", cohort.name));
      },
    },
    { label: t("cohort.course"), cell: (cohort) => own("span", cohort.course?.name || "–") },
    { label: t("status"), cell: (cohort) => cohortTag(cohort.status) },
    { label: t("cohort.students"), class: "num", cell: (cohort) => number(cohort.student_count) },
    { label: t("cohort.starts"), cell: (cohort) => (cohort.starts_at ? date(cohort.starts_at) : "–") },
  ];
  const nothing = empty(t("cohorts.none_title"), t("cohorts.none"), makeButton());
  const states = [["", t("course.all")], ...Object.keys(STATES).map((one) => [one, word("cohort", one)])];
  const list = await findable({
    query,
    signal,
    label: t("find.cohorts"),
    sorts: ["newest", "changed", "name"],
    choices: { status: { label: t("status"), options: states } },
    draw: (source) => pagedTable({ caption: t("nav.cohorts"), path: "/v1/cohorts", columns, nothing, ...source({ expand: "course" }) }),
  });
  return { title: t("nav.cohorts"), actions: [makeButton()], body: [list], after: sayNow };
}

// --- One cohort

function enrolButton(cohort) {
  const enrol = () => import("./cohort_enrol.js").then((dialog) => dialog.enrol(cohort)).catch(complain);
  if (!can("write:students") || ["completed", "archived"].includes(cohort.status)) return null;
  return button(t("cohorts.enrol"), enrol, { icon: "plus" });
}

const maySeeGrades = () => can("read:students") && can("read:submissions");

// Where everybody stands in the whole course.
function gradesOf(cohort) {
  return maySeeGrades() && h("a.button", { href: `#/cohorts/${cohort.id}/gradebook` }, icon("usage"), h("span", t("cohort.grades")));
}

// Who of it needs a word.
function standingOf(cohort) {
  return maySeeGrades() && h("a.button", { href: `#/cohorts/${cohort.id}/standing` }, icon("eye"), h("span", t("cohort.standing")));
}

// What its students have handed in.
function submissionsOf({ id }) {
  return can("read:submissions") && h("a.button", { href: `#/submissions?cohort=${id}` }, icon("submissions"), h("span", t("nav.submissions")));
}

// What comes next for it: it begins, ends, and goes to learners of other systems as a package.
function actionsOf(cohort) {
  if (!can("write:courses")) return [gradesOf(cohort), standingOf(cohort), submissionsOf(cohort)];
  const move = { draft: "start", active: "end", completed: "reopen" }[cohort.status];
  const asking = (what, ask, look) => button(t(`cohorts.${what}`), () => dialogs().then(ask).catch(complain), { look });
  const pack = () => import("./packages.js").then(({ packageDialog }) => packageDialog(cohort)).catch(complain);
  return [
    move && acting(t(`cohorts.${move}`), async () => (await dialogs()).turn(cohort, move)),
    acting(t("cohorts.change"), () => dialogs().then(({ changeCohort }) => changeCohort(cohort)).catch(complain), { icon: "edit" }),
    cohort.status === "completed" && asking("archive", (them) => them.archiveCohort(cohort)),
    gradesOf(cohort),
    standingOf(cohort),
    submissionsOf(cohort),
    asking("delete", (them) => them.deleteCohort(cohort), "danger"),
    button(t("cohorts.pack"), pack, { look: "main", icon: "packages" }),
  ];
}

// How what changes of the course reaches it, and how far behind it is where that is chosen.
function updatesOf(cohort, update) {
  if (!update) return t("cohort.at_once");
  const count = update.changes.length;
  return link(`#/cohorts/${cohort.id}/update`, count ? t("cohort.as_it_was", { count: number(count) }) : t("cohort.as_it_is"));
}

export async function cohort({ params, query, signal }) {
  const asking = get(`/v1/cohorts/${params.id}`, { expand: "course" }, signal);
  const [found] = await Promise.all([asking, useWords("cohorts"), useWords("finding"), sheet("cohorts.css")]);
  learn(found.id, found.name);
  const maySee = can("read:students");
  const [update, students, progress, units] = await Promise.all([
    found.updates === "manual" ? get(`/v1/cohorts/${found.id}/update`, {}, signal) : null,
    maySee ? everything(`/v1/cohorts/${found.id}/students`, {}, signal, 2) : { data: [], complete: true },
    maySee ? everything(`/v1/cohorts/${found.id}/progress`, {}, signal, 2) : { data: [] },
    everything("/v1/units", { course_id: found.course_id, expand: "lessons" }, signal),
  ]);
  const about = facts([
    [t("status"), cohortTag(found.status)],
    [
      t("cohort.students"),
      found.capacity
        ? t("cohort.of_capacity", { count: number(found.student_count), capacity: number(found.capacity) })
        : number(found.student_count),
    ],
    [t("cohort.runs"), found.starts_at ? `${date(found.starts_at)} – ${found.ends_at ? date(found.ends_at) : "…"}` : "–"],
    [t("cohort.zone"), found.timezone],
    [t("cohort.updates"), updatesOf(found, update)],
  ]);
  const heat = await heatOf(found, students.data, progress.data, units.data, signal);
  const isPart = !students.complete && h("p.hint", t("cohort.first_only", { count: number(students.data.length) }));
  const list = maySee && [await studentTable(found, query, signal, enrolButton(found)), students.data.length > 0 && h("div", enrolButton(found))];
  return {
    title: found.name,
    own: true,
    after: sayNow,
    above: h("span.dots", link("#/cohorts", t("nav.cohorts")), link(`#/courses/${found.course_id}`, own("span", found.course?.name || ""))),
    actions: actionsOf(found),
    body: [
      about,
      heat && section(t("cohort.progress"), heat, isPart),
      list && section(t("cohort.students"), list),
    ],
  };
}
