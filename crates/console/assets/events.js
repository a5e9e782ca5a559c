// Events in plain words, with the names of what they are about.
import { h, link, own } from "./dom.js";
import { number, points } from "./format.js";
import { has, t } from "./i18n.js";
import { nameOf } from "./names.js";

function addressOf(object, type) {
  if (type.endsWith(".deleted")) return null;
  const places = {
    course: () => `#/courses/${object.id}`, cohort: () => `#/cohorts/${object.id}`, submission: () => `#/review/${object.id}`,
    lesson: () => `#/courses/${object.course_id}/${object.id}`, lesson_completion: () => `#/courses/${object.course_id}/${object.lesson_id}`,
    enrollment: () => `#/cohorts/${object.cohort_id}`, generation: () => (object.target?.object === "course" ? `#/courses/${object.target.id}` : null),
    scorm_package: () => "#/packages", webhook_endpoint: () => `#/webhooks/${object.id}`, assignment: () => `#/courses/${object.course_id}`, unit: () => `#/courses/${object.course_id}`, api_key: () => "#/keys",
  };
  return places[object.object]?.() ?? null;
}

// Whose, or what: the name that a reader knows it by.
async function subjectOf(object) {
  if (object.object === "submission") return joined(await nameOf(object.user_id), await nameOf(object.assignment_id));
  if (object.object === "enrollment") return joined(object.user?.name || (await nameOf(object.user_id)), await nameOf(object.cohort_id));
  if (object.object === "lesson_completion") return joined(await nameOf(object.user_id), await nameOf(object.lesson_id));
  if (object.object === "generation") return nameOf(object.target?.id);
  if (object.object === "scorm_package") return joined(await nameOf(object.cohort_id), `SCORM ${object.version}`);
  return object.name || object.email || object.url || "";
}

function joined(...parts) {
  return parts.filter(Boolean).join(" · ");
}

export async function describe(event) {
  const object = event.data?.object || {};
  const what = has(`event.${event.type}`) ? t(`event.${event.type}`) : event.type;
  const subject = await subjectOf(object);
  const href = addressOf(object, event.type);
  const score = event.type.startsWith("submission.") && typeof object.score === "number" ? h("span.quiet.num", ` ${points(object.score, object.max_score)}`) : null;
  const steps = event.type === "generation.ready" && object.progress?.total ? h("span.quiet", ` ${t("event.steps", { count: number(object.progress.total) })}`) : null;
  return h("p", `${what} `, subject && (href ? link(href, own("span", subject)) : own("b", subject)), score, steps);
}
