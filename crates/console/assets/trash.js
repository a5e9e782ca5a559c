// What was deleted and can still come back, with all that went along, or go for good.
import { can, post, remove, session } from "./api.js";
import { confirmDialog } from "./dialogs.js";
import { acting, button, empty, h, link, own, say } from "./dom.js";
import { findable } from "./finding.js";
import { date, number, when } from "./format.js";
import { has, t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { nameOf } from "./names.js";
import { complain, show } from "./router.js";
import { sheet } from "./sheets.js";
import { workers } from "./workers.js";

// What it takes to see things of a kind, and to bring them back or destroy them.
const AS_COURSES = ["read:courses", "write:courses"];
const AS_PEOPLE = ["read:students", "write:students"];
const KINDS = {
  course: AS_COURSES,
  unit: AS_COURSES,
  lesson: AS_COURSES,
  activity: AS_COURSES,
  assignment: AS_COURSES,
  cohort: AS_COURSES,
  submission: ["read:submissions", "write:grades"],
  enrollment: AS_PEOPLE,
  user: AS_PEOPLE,
  scorm_package: AS_COURSES,
  media_file: AS_COURSES,
};

// Where work or grades are among it, as much as deleting it took.
function mayDecide({ what, counts }) {
  const [, write] = KINDS[what.object] || AS_COURSES;
  return can(write) && (!(counts.submissions || counts.grades) || can("write:grades"));
}

function partsOf({ what: { object }, counts }) {
  const itself = object === "activity" ? "activities" : `${object}s`;
  // What the service counts for itself besides says nothing to people.
  const known = Object.entries(counts).filter(([kind, count]) => has(`kind.${kind}`) && !(kind === itself && count === 1));
  return known.map(([kind, count]) => t("trash.count", { kind: word("kind", kind), count: number(count) })).join(" · ");
}

// Where it is to be seen once it is back.
function placeOf({ object, id }) {
  const places = { course: "#/courses/", cohort: "#/cohorts/", submission: "#/review/", scorm_package: "#/packages/" };
  if (object === "assignment") return `#/assignments/${id}/edit`;
  if (object === "user") return "#/members";
  return places[object] ? `${places[object]}${id}` : null;
}

const called = ({ what }) => what.name || what.id;

// Whatever somebody else has decided meanwhile is shown.
async function overtaken(error) {
  if (error.status === 404) await show();
  complain(error);
}

function restoring(item) {
  const restore = async () => {
    try {
      await post(`/v1/trash/${item.id}/restore`);
      const place = placeOf(item.what);
      await show();
      say(t("trash.restored", { name: called(item) }), "good", place && h("a.button.small", { href: place }, t("trash.open")));
    } catch (error) {
      await overtaken(error);
    }
  };
  return acting(t("trash.restore"), restore, { look: "quiet", class: "small", "aria-label": `${t("trash.restore")}: ${called(item)}` });
}

function destroying(item) {
  const ask = () => {
    const parts = partsOf(item);
    const what = parts ? t("trash.destroy_with", { parts }) : t("trash.destroy_what");
    const title = t("trash.destroy_title", { thing: word("thing", item.what.object), name: called(item) });
    confirmDialog(title, what, t("trash.destroy"), async () => {
      try {
        await remove(`/v1/trash/${item.id}`);
      } catch (error) {
        if (error.status !== 404) throw error;
        return () => overtaken(error);
      }
      return () => show().then(() => say(t("trash.destroyed", { name: called(item) })));
    });
  };
  return button(t("trash.destroy"), ask, { look: "quiet", class: "small", "aria-label": `${t("trash.destroy")}: ${called(item)}` });
}

// By what it is, and by who deleted it, as far as one may know of either. An address may name somebody who is no member any more.
async function choicesOf(query, signal) {
  const kinds = Object.keys(KINDS).filter((kind) => can(KINDS[kind][0]));
  const choices = { object: { label: t("trash.kind"), options: [["", t("trash.every_kind")], ...kinds.map((kind) => [kind, word("thing", kind)])] } };
  if (!can("read:students")) return choices;
  const { people, programs } = await workers(signal);
  const known = [...people, ...programs];
  const asked = query.get("deleted_by");
  if (asked && !known.some(([id]) => id === asked)) known.push([asked, (await nameOf(asked)) || asked]);
  const mine = session.me.user?.id;
  const options = known.map(([id, name]) => [id, id === mine ? t("trash.me", { name }) : name]);
  return { ...choices, deleted_by: { label: t("trash.deleted_by"), options: [["", t("trash.by_anybody")], ...options] } };
}

export async function trash({ query, signal }) {
  await Promise.all([useWords("trash"), useWords("finding"), sheet("authoring.css")]);
  const choices = await choicesOf(query, signal);
  const found = {
    caption: t("trash.title"),
    path: "/v1/trash",
    columns: [
      { label: t("name"), cell: ({ what }) => h("div", h("span.quiet", `${word("thing", what.object)} `), own("span", what.name || what.id)) },
      { label: t("trash.along"), cell: (item) => h("span.quiet", partsOf(item) || "–") },
      { label: t("trash.deleted"), cell: (item) => h("div", when(item.deleted_at), item.actor?.name && own("div.hint", item.actor.name)) },
      { label: t("trash.until"), cell: (item) => date(item.restorable_until) },
      { label: t("actions"), hiddenLabel: true, class: "acts", cell: (item) => mayDecide(item) && h("span.row", restoring(item), destroying(item)) },
    ],
    nothing: empty(t("trash.none_title"), t("trash.none")),
  };
  const draw = (source) => pagedTable({ ...found, ...source() });
  const list = await findable({ query, signal, label: t("find.deleted"), sorts: ["newest", "oldest"], choices, draw });
  return { title: t("trash.title"), above: link("#/courses", t("nav.courses")), body: [h("p.lede", t("trash.lede")), h("div.trash", list)] };
}
