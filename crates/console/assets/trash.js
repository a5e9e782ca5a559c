// What was deleted and can still come back, with all that went along.
import { can, post } from "./api.js";
import { acting, empty, h, link, own, say } from "./dom.js";
import { findable } from "./finding.js";
import { date, number, when } from "./format.js";
import { has, t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { PATHS } from "./outline_model.js";
import { complain, show } from "./router.js";
import { sheet } from "./sheets.js";

function along({ what: { object }, counts }) {
  // What the service counts for itself besides says nothing to people.
  const known = Object.entries(counts).filter(([kind, count]) => has(`kind.${kind}`) && !(kind === PATHS[object] && count === 1));
  const parts = known.map(([kind, count]) => t("trash.count", { kind: word("kind", kind), count: number(count) }));
  return h("span.quiet", parts.join(" · ") || "–");
}

// Where it is to be seen once it is back.
function placeOf({ object, id }) {
  return { course: `#/courses/${id}`, cohort: `#/cohorts/${id}` }[object] || null;
}

function restoring(item) {
  if (!can("write:courses")) return null;
  const restore = async () => {
    try {
      await post(`/v1/trash/${item.id}/restore`);
      const place = placeOf(item.what);
      await show();
      say(t("trash.restored", { name: item.what.name }), "good", place && h("a.button.small", { href: place }, t("trash.open")));
    } catch (error) {
      complain(error);
    }
  };
  return acting(t("trash.restore"), restore, { look: "quiet", class: "small", "aria-label": `${t("trash.restore")}: ${item.what.name}` });
}

export async function trash({ query, signal }) {
  await Promise.all([useWords("trash"), useWords("finding"), sheet("authoring.css")]);
  const found = {
    caption: t("trash.title"),
    path: "/v1/trash",
    columns: [
      { label: t("name"), cell: ({ what }) => h("div", h("span.quiet", `${word("thing", what.object)} `), own("span", what.name || what.id)) },
      { label: t("trash.along"), cell: along },
      { label: t("trash.deleted"), cell: (item) => h("div", when(item.deleted_at), item.actor?.name && own("div.hint", item.actor.name)) },
      { label: t("trash.until"), cell: (item) => date(item.restorable_until) },
      { label: t("actions"), hiddenLabel: true, class: "acts", cell: restoring },
    ],
    nothing: empty(t("trash.none_title"), t("trash.none")),
  };
  const draw = (source) => pagedTable({ ...found, ...source() });
  const list = await findable({ query, signal, label: t("find.deleted"), sorts: ["newest", "oldest"], draw });
  return { title: t("trash.title"), above: link("#/courses", t("nav.courses")), body: [h("p.lede", t("trash.lede")), h("div.trash", list)] };
}
