// What there is, what waits, what happened lately, and what AI cost.
import { can, get } from "./api.js";
import { describe } from "./events.js";
import { button, empty, h, icon, link, own, section } from "./dom.js";
import { number, percent, points, usd, when } from "./format.js";
import { t, useWords } from "./i18n.js";
import { invitations } from "./invitations.js";
import { takenOff } from "./late.js";
import { complain } from "./router.js";

const MANY = 100;
const RECENT = 12;
const LOOKED_AT = 60;

function asked(scope, path, query, signal) {
  return can(scope) ? get(path, query, signal) : Promise.resolve(null);
}

function amount(list) {
  return `${number(list.data.length)}${list.has_more ? "+" : ""}`;
}

function tile(list, href, label, detail) {
  return list && h("a.tile", { href }, h("b", amount(list)), h("span", label), h("small", detail));
}

function spending(usage) {
  if (!usage) return null;
  const { budget, totals } = usage;
  const limit = budget.monthly_usd ?? null;
  const left = limit
    ? t("overview.budget_left", { left: usd(budget.remaining_usd), share: percent((100 * budget.remaining_usd) / limit) })
    : t("overview.no_budget");
  return h(
    "a.tile",
    { href: "#/usage" },
    h("b", usd(budget.used_usd)),
    h("span", t("overview.spent")),
    h("small", `${t("overview.calls", { count: number(totals.calls) })} · ${left}`),
  );
}

function waitingRow(submission) {
  const name = submission.user?.name || submission.user?.email || t("student");
  return h(
    "div.waiting",
    link(`#/review/${submission.id}`, own("span", name)),
    own("span.quiet", submission.assignment?.name || ""),
    takenOff(submission),
    h("span.score", submission.score === null ? "–" : points(submission.score, submission.max_score)),
  );
}

function waiting(list) {
  if (!list) return null;
  const head = h(
    "div.row",
    h("h2", t("overview.waiting")),
    list.data.length ? h("a.onward", { href: "#/review" }, h("span", t("overview.to_desk")), icon("next")) : null,
  );
  const body = list.data.length
    ? h(
        "ul.list",
        list.data.slice(0, 6).map((one) => h("li", waitingRow(one))),
      )
    : empty(t("overview.nothing_title"), t("overview.nothing"));
  return h("section.section", head, body);
}

// Whoever may make courses begins here where there is none yet.
async function beginning(courses) {
  if (!courses || courses.data.length || courses.has_more || !can("write:courses")) return null;
  await useWords("authoring");
  const make = () => import("./course_dialogs.js").then(({ newCourse }) => newCourse()).catch(complain);
  return empty(t("courses.none_title"), t("authoring.none"), button(t("authoring.new_course"), make, { look: "main", icon: "plus" }));
}

// Of what happened to one thing, the last: who hands in has begun before, and nobody wants to read both.
function latest(events) {
  const seen = new Set();
  return events.filter(({ data: { object } }) => !seen.has(object.id) && seen.add(object.id)).slice(0, RECENT);
}

async function happened(list) {
  if (!list) return null;
  const rows = await Promise.all(
    latest(list.data).map(async (event) => h("li", h("div.happened", await describe(event), when(event.created_at)))),
  );
  return section(t("overview.recent"), rows.length ? h("ul.list", rows) : empty(t("events.none_title"), t("events.none")));
}

export async function overview({ signal }) {
  const [wanted, courses, cohorts, held, ungraded, events, usage] = await Promise.all([
    invitations(() => dispatchEvent(new Event("belonging")), signal),
    asked("read:courses", "/v1/courses", { limit: MANY }, signal),
    asked("read:courses", "/v1/cohorts", { limit: MANY }, signal),
    asked(
      "read:submissions",
      "/v1/submissions",
      { limit: MANY, review_status: "open", status: "in_review", expand: "user,assignment" },
      signal,
    ),
    asked("read:submissions", "/v1/submissions", { limit: MANY, status: "submitted" }, signal),
    asked("read:events", "/v1/events", { limit: LOOKED_AT }, signal),
    asked("read:workspaces", "/v1/ai/usage", {}, signal),
    useWords("late"),
  ]);
  const published = courses?.data.filter((course) => course.status === "published").length;
  const active = cohorts?.data.filter((cohort) => cohort.status === "active");
  const students = active?.reduce((sum, cohort) => sum + cohort.student_count, 0);
  const tiles = [
    held && tile(held, "#/review", t("overview.held"), t("overview.ungraded", { count: amount(ungraded) })),
    courses && tile(courses, "#/courses", t("nav.courses"), t("overview.published", { count: number(published) })),
    cohorts &&
      tile(cohorts, "#/cohorts", t("nav.cohorts"), t("overview.active", { count: number(active.length), students: number(students) })),
    spending(usage),
  ].filter(Boolean);
  const counted = tiles.length ? h("div.tiles", tiles) : empty(t("overview.little_title"), t("overview.little"));
  // Where nothing is there yet there is nothing to count.
  const begins = await beginning(courses);
  return {
    title: t("nav.overview"),
    body: [
      wanted,
      begins || counted,
      h("div.two.turned", h("div.stack", waiting(held)), h("div.stack", await happened(events))),
    ],
  };
}
