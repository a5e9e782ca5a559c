// A lesson as it is written, and what belongs to it.
import { can, getShown } from "./api.js";
import { button, empty, facts, h, icon, link, own, section } from "./dom.js";
import { number } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
import { activityDialog, pager } from "./lesson_ways.js";
import { everything } from "./lists.js";
import { originTag } from "./origin.js";
import { shownText, styled } from "./prose.js";
import { complain } from "./router.js";
import { notSeenYet } from "./waiting.js";

const PARTS = { quiz: "questions", flashcards: "cards", explainer: "sections", podcast: "segments", video: "chapters" };

// What each part asks or is called, and the place of its text.
function promptsOf({ kind, content }) {
  if (kind === "reflection") return [["content.prompt", content.prompt]];
  const name = PARTS[kind];
  const ask = { quiz: "prompt", flashcards: "front" }[kind];
  return (content[name] || []).map((part, at) => [`content.${name}[${at}].${ask}`, ask ? part[ask] : part.heading || part.title]);
}

function activityBox(activity, ofLesson, place) {
  const lang = activity.language || ofLesson;
  const prompts = promptsOf(activity).filter(([, text]) => text);
  const list = prompts.length
    ? h(
        "details",
        h("summary", t("lesson.parts", { count: number(prompts.length) })),
        h(
          "ol.prompts",
          prompts.map(([place, text]) => h("li", shownText(activity, place, text, { level: 4, lang }))),
        ),
      )
    : h("p.hint", t("lesson.unwritten"));
  const name = can("write:courses") ? link(`${place}/activities/${activity.id}`, own("span", activity.name)) : own("span", activity.name);
  const went = activity.kind === "quiz" && can("read:submissions") && h("p.parts", link(`#/activities/${activity.id}/statistics`, t("assignment.statistics")));
  return h("li.card", h("p.above", word("activity", activity.kind)), h("h3", name), list, went);
}

function draftActivities(lesson) {
  const ask = async () => {
    const [{ activitiesDialog }] = await Promise.all([import("./drafting.js"), useWords("proposals"), useWords("making")]);
    activitiesDialog(lesson);
  };
  return button(t("writing.draft"), () => ask().catch(complain), { look: "quiet", icon: "spark" });
}

export async function lesson({ params, signal }) {
  await lastSaves();
  const [found, units] = await Promise.all([
    // Its authors read it as it will be.
    getShown(`/v1/lessons/${params.lesson}${can("write:courses") ? "?draft=true" : ""}`, "activities,unit.course", "html,activities.html", signal),
    everything("/v1/units", { course_id: params.id, expand: "lessons" }, signal, 1),
    styled(),
    useWords("writing"),
    useWords("waiting"),
  ]);
  const course = found.unit?.course;
  const lang = found.language || course?.language || null;
  const place = `#/courses/${params.id}/${found.id}`;
  const above = h(
    "span.dots",
    link(`#/courses/${params.id}`, own("span", course?.name || t("nav.courses"))),
    own("span", found.unit?.name || ""),
  );
  const text = found.content
    ? shownText(found, "content", found.content, { lang, selector: "div.prose" })
    : empty(t("lesson.empty_title"), t("lesson.empty"));
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
    ? section(t("lesson.activities"), h("ul.stack.tight", found.activities.map((one) => activityBox(one, lang, place))))
    : null;
  const about = facts([
    [t("course.length"), t("course.minutes", { minutes: number(found.duration_minutes) })],
    [t("lesson.origin"), originTag(found.provenance) || word("origin", found.provenance.origin)],
  ]);
  return {
    title: found.name,
    own: true,
    above,
    actions: can("write:courses")
      ? [
          h("a.button.main", { href: `${place}/edit` }, icon("edit"), h("span", t("writing.edit"))),
          button(t("writing.add"), () => activityDialog(found, place), { look: "quiet", icon: "plus" }),
          can("ai:generate") && draftActivities(found),
        ]
      : [],
    body: [
      notSeenYet(found, course),
      found.summary && own("p.lede", found.summary),
      h("div.two", h("div.stack", text), h("div.aside", about, goals, activities)),
      pager(params.id, units.data, found),
    ],
  };
}
