// The courses of a workspace, and one of them as a tree.
import { pageLinks } from "./assignment_pages.js";
import { can, get, getShown, post } from "./api.js";
import { acting, button, empty, facts, h, link, own, say, section, select, field, tag } from "./dom.js";
import { formDialog } from "./dialogs.js";
import { generationPanel } from "./generation.js";
import { number, when } from "./format.js";
import { t, word } from "./i18n.js";
import { everything, pagedList } from "./lists.js";
import { learn } from "./names.js";
import { shownText, styled } from "./prose.js";
import { show } from "./router.js";

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

export async function courses({ query, signal }) {
  const status = query.get("status") || "";
  const choice = select([["", t("course.all")], ...Object.keys(STATES).map((one) => [one, word("course", one)])], status, {
    "aria-label": t("status"),
    onchange: (event) => {
      location.hash = `#/courses?status=${event.target.value}`;
    },
  });
  const list = await pagedList({
    path: "/v1/courses",
    query: { status },
    signal,
    selector: "ul.cards",
    row: courseCard,
    nothing: empty(t("courses.none_title"), t("courses.none")),
  });
  return { title: t("nav.courses"), actions: [choice], body: [list] };
}

// --- One course

function activitiesOf(lesson) {
  if (!lesson.activities?.length) return null;
  return h(
    "p.parts",
    lesson.activities.map((activity) => h("span", `${word("activity", activity.kind)}: `, own("span", activity.name))),
  );
}

function originTag(provenance) {
  return provenance?.origin?.startsWith("ai")
    ? tag(word("origin", provenance.origin), provenance.origin === "ai" ? "wait" : "plain")
    : null;
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
    "details",
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

function syllabusDialog(course, started) {
  const brief = h("textarea.field", { rows: 4, dir: "auto", maxlength: 100_000, value: course.description });
  const hours = h("input.field.narrow", { type: "number", min: 1, max: 1000, value: course.duration.hours || 4 });
  const content = select(
    [
      ["outline", t("making.outline")],
      ["full", t("making.full")],
    ],
    "outline",
  );
  const mode = select(
    [
      ["append", t("making.append")],
      ["replace", t("making.replace")],
    ],
    "append",
  );
  const body = h(
    "div.stack",
    field(t("making.brief"), brief, t("making.brief_hint")),
    field(t("making.hours"), hours),
    field(t("making.content"), content),
    field(t("making.mode"), mode, t("making.replace_hint")),
  );
  formDialog(t("making.title"), body, t("making.start"), async () =>
    started(
      await post(`/v1/courses/${course.id}/syllabus`, {
        brief: brief.value,
        hours: Number(hours.value),
        content: content.value,
        mode: mode.value,
      }),
    ),
  );
}

async function pendingGeneration(course, signal) {
  const { generation } = course;
  return generation?.status === "pending" ? get(`/v1/generations/${generation.id}`, {}, signal) : null;
}

function publishing(course) {
  const move = { draft: "publish", archived: "unarchive" }[course.status];
  if (!move || !can("write:courses")) return null;
  return acting(t(`course.${move}`), async () => {
    await post(`/v1/courses/${course.id}/${move}`);
    say(t("course.published_now"));
    show();
  });
}

export async function course({ params, signal }) {
  const [found, assignments] = await Promise.all([
    getShown(`/v1/courses/${params.id}`, "units.lessons.activities,cohorts", "html", signal),
    everything("/v1/assignments", { course_id: params.id }, signal),
    styled(),
  ]);
  learn(found.id, found.name);
  const place = h("div");
  const watch = (generation) => place.replaceChildren(generationPanel(generation, signal, show));
  const running = await pendingGeneration(found, signal);
  if (running) watch(running);
  const actions = [
    publishing(found),
    can("ai:generate") && can("write:courses")
      ? button(t("making.open"), () => syllabusDialog(found, watch), { look: "main", icon: "spark", disabled: Boolean(running) })
      : null,
  ];
  const loose = assignments.data.filter((one) => !one.unit_id);
  const tree = found.units.length
    ? h(
        "div.outline",
        found.units.map((unit, at) => unitBox(found, unit, at, assignments.data)),
      )
    : empty(t("course.empty_title"), t("course.empty"));
  const minutes = found.units.flatMap((unit) => unit.lessons).reduce((sum, lesson) => sum + lesson.duration_minutes, 0);
  const about = facts([
    [t("status"), courseTag(found.status)],
    [
      t("course.length"),
      t("course.hours_made", { hours: number(found.duration.hours), made: number(minutes / 60, { maximumFractionDigits: 1 }) }),
    ],
    [t("language"), found.language],
    [
      t("nav.cohorts"),
      found.cohorts.length
        ? h(
            "span.row",
            found.cohorts.map((cohort) => link(`#/cohorts/${cohort.id}`, own("span", cohort.name))),
          )
        : "–",
    ],
  ]);
  return {
    title: found.name,
    own: true,
    above: link("#/courses", t("nav.courses")),
    actions,
    body: [
      found.description && shownText(found, "description", found.description, { lang: found.language, selector: "div.lede" }),
      about,
      place,
      tree,
      loose.length ? section(t("course.assignments"), h("ul.stack.tight", loose.map(assignmentRow))) : null,
    ],
  };
}

export { originTag };
