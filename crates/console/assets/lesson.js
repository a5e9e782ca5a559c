// A lesson as it is written, and what belongs to it.
import { get } from "./api.js";
import { originTag } from "./courses.js";
import { empty, facts, h, icon, link, own, section } from "./dom.js";
import { number } from "./format.js";
import { t, word } from "./i18n.js";
import { everything } from "./lists.js";
import { markdown } from "./markdown.js";

const PARTS = { quiz: "questions", flashcards: "cards", explainer: "sections", podcast: "segments", video: "chapters" };

function promptsOf({ kind, content }) {
  if (kind === "quiz") return (content.questions || []).map((question) => question.prompt);
  if (kind === "flashcards") return (content.cards || []).map((card) => card.front);
  if (kind === "reflection") return [content.prompt].filter(Boolean);
  return (content[PARTS[kind]] || []).map((part) => part.heading || part.title).filter(Boolean);
}

function activityBox(activity) {
  const prompts = promptsOf(activity);
  const list = prompts.length
    ? h(
        "details",
        h("summary", t("lesson.parts", { count: number(prompts.length) })),
        h(
          "ol.prompts",
          prompts.map((text) => own("li", text)),
        ),
      )
    : h("p.hint", t("lesson.unwritten"));
  return h("li.card", h("p.above", word("activity", activity.kind)), own("h3", activity.name), list);
}

function pager(course, units, lesson) {
  const all = units.flatMap((unit) => unit.lessons);
  const at = all.findIndex((one) => one.id === lesson.id);
  const step = (one, name) =>
    one &&
    link(`#/courses/${course}/${one.id}`, name === "prev" ? icon("prev") : "", own("span", one.name), name === "next" ? icon("next") : "");
  return h("nav.pager", { "aria-label": t("lesson.pager") }, h("span", step(all[at - 1], "prev")), h("span", step(all[at + 1], "next")));
}

export async function lesson({ params, signal }) {
  const [found, units] = await Promise.all([
    get(`/v1/lessons/${params.lesson}`, { expand: "activities,unit.course" }, signal),
    everything("/v1/units", { course_id: params.id, expand: "lessons" }, signal, 1),
  ]);
  const course = found.unit?.course;
  const above = h(
    "span.dots",
    link(`#/courses/${params.id}`, own("span", course?.name || t("nav.courses"))),
    own("span", found.unit?.name || ""),
  );
  const text = found.content ? markdown(found.content) : empty(t("lesson.empty_title"), t("lesson.empty"));
  const goals = found.objectives.length
    ? section(
        t("lesson.objectives"),
        h(
          "ul.plain",
          found.objectives.map((one) => own("li", one)),
        ),
      )
    : null;
  const activities = found.activities.length
    ? section(t("lesson.activities"), h("ul.stack.tight", found.activities.map(activityBox)))
    : null;
  const about = facts([
    [t("course.length"), t("course.minutes", { minutes: number(found.duration_minutes) })],
    [t("lesson.origin"), originTag(found.provenance) || word("origin", found.provenance.origin)],
  ]);
  return {
    title: found.name,
    own: true,
    above,
    body: [
      found.summary && own("p.lede", found.summary),
      h("div.two", h("div.stack", { lang: course?.language || null }, text), h("div.aside", about, goals, activities)),
      pager(params.id, units.data, found),
    ],
  };
}
