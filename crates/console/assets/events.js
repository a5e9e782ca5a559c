// Events in plain words, with the names of what they are about.
import { h, link, own } from "./dom.js";
import { number, points } from "./format.js";
import { has, t } from "./i18n.js";
import { calledOf, nameOf } from "./names.js";

function addressOf(object, type) {
  if (type.endsWith(".deleted")) return null;
  const places = {
    course: () => `#/courses/${object.id}`,
    cohort: () => `#/cohorts/${object.id}`,
    submission: () => `#/review/${object.id}`,
    lesson: () => `#/courses/${object.course_id}/${object.id}`,
    lesson_completion: () => `#/courses/${object.course_id}/${object.lesson_id}`,
    enrollment: () => `#/cohorts/${object.cohort_id}`,
    generation: () => (object.target?.object === "course" ? `#/courses/${object.target.id}` : null),
    scorm_package: () => "#/packages",
    webhook_endpoint: () => `#/webhooks/${object.id}`,
    assignment: () => `#/courses/${object.course_id}`,
    unit: () => `#/courses/${object.course_id}`,
    api_key: () => "#/keys",
    batch: () => `#/assignments/${object.assignment_id}/${{ regrade: `regrades/${object.id}`, grading: "ai", red_team: "redteam" }[object.kind]}`,
  };
  return places[object.object]?.() ?? null;
}

// Whose, or what: the name that a reader knows it by.
function subjectOf(object) {
  const parts = {
    submission: () => [nameOf(object.user_id), nameOf(object.assignment_id)],
    enrollment: () => [object.user?.name || nameOf(object.user_id), nameOf(object.cohort_id)],
    lesson_completion: () => [nameOf(object.user_id), nameOf(object.lesson_id)],
    generation: () => [nameOf(object.target?.id)],
    scorm_package: () => [nameOf(object.cohort_id), `SCORM ${object.version}`],
    batch: () => [nameOf(object.assignment_id)],
  };
  return Promise.all(parts[object.object]?.() ?? [object.name || object.email || object.url]);
}

// Each in its own direction: a name from right to left leaves what stands beside it where it is.
function named(parts) {
  return parts.filter(Boolean).map((part, at) => [at ? " · " : "", own("bdi", part)]);
}

export async function describe(event) {
  const object = event.data?.object || {};
  const what = has(`event.${event.type}`) ? t(`event.${event.type}`) : event.type;
  const subject = named(await subjectOf(object));
  const href = addressOf(object, event.type);
  const score =
    event.type.startsWith("submission.") && typeof object.score === "number"
      ? h("span.quiet.num", ` ${points(object.score, object.max_score)}`)
      : null;
  const steps =
    event.type === "generation.ready" && object.progress?.total
      ? h("span.quiet", ` ${t("event.steps", { count: number(object.progress.total) })}`)
      : null;
  // Of AI the words say so.
  const isMember = event.actor?.id && event.actor.id !== object.user_id;
  const name = isMember ? await calledOf(event.actor) : "";
  const by = name ? h("span.quiet", " ", own("span", t("event.by", { name }))) : null;
  return h("p", `${what} `, subject.length ? (href ? link(href, subject) : h("b", subject)) : null, score, steps, by);
}
