// Regrades of an assignment: a preview is begun here, and those that there were are listed.
import { above, assignmentOf, lacking, pageOf, pagesNav } from "./assignment_pages.js";
import { inWords, isBusy, priceOfOne, stateTag } from "./batches.js";
import { get, post } from "./api.js";
import { acting, empty, h, link, section } from "./dom.js";
import { exactly, number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { complain, go } from "./router.js";
import { backLink, chosenOf } from "./way_back.js";

function choice(value, checked, label = t(`regrade.which_${value}`), hint = t(`regrade.which_${value}_hint`)) {
  const id = `which-${value}`;
  const input = h("input", { type: "radio", name: "which", value, checked, id, "aria-describedby": `${id}-hint` });
  return h("div", h("label.toggle", input, h("span", label)), h("p.hint", { id: `${id}-hint` }, hint));
}

// Those that were selected in the list of submissions come first, where somebody comes from there.
function choices(chosen) {
  const some = chosen.length > 0;
  const label = t("ways.chosen", { count: number(chosen.length) });
  return [some && choice("chosen", true, label, t("ways.chosen_hint")), choice("all", !some), choice("stale", false)];
}

function toNewest(id, newest, isUnderWay) {
  if (!isUnderWay && newest.state !== "ready") return null;
  return h("p", link(pageOf(id, `regrades/${newest.id}`), t(isUnderWay ? "regrade.to_busy" : "regrade.to_ready")));
}

function begin(id, newest, bulk) {
  const chosen = chosenOf(id);
  const form = h("fieldset.stack.tight", h("legend", t("regrade.which")), choices(chosen));
  const start = async () => {
    const which = form.querySelector("input:checked").value;
    try {
      const asked = { all: {}, stale: { only_stale: true }, chosen: { filter: { submission_ids: chosen } } }[which];
      const batch = await inWords(() => post(`/v1/assignments/${id}/regrades`, asked), () => t("regrade.busy"));
      go(pageOf(id, `regrades/${batch.id}`));
    } catch (error) {
      complain(error);
    }
  };
  const isUnderWay = newest && isBusy(newest);
  const reason = isUnderWay ? t("regrade.busy") : lacking("ai:grade", "write:grades");
  return section(
    t("regrade.begin"),
    h(
      "div.card.stack",
      form,
      h("p.hint", priceOfOne(bulk.cost_of_one_usd), " ", t("regrade.known_is_free")),
      h("div.may", acting(t("regrade.start"), start, { look: "main", disabled: Boolean(reason) }), reason && h("p.hint", reason)),
      newest && toNewest(id, newest, isUnderWay),
    ),
  );
}

// The service does not say whether all were asked for or a selection: how many there were says it.
function whichOf({ only_stale: isStale, items }) {
  if (isStale) return t("regrade.which_stale");
  return items.total === null ? "–" : t("ways.answers", { count: number(items.total) });
}

// What came of one, in a few words.
function outcome({ state, items, summary }) {
  const { total, landed, left, undone, kept } = items;
  if (total === 0) return t("regrade.of_none");
  if (state === "ready") return t("regrade.changed_of", { count: number(summary.changed), of: number(summary.compared) });
  if (state === "committed") return t("regrade.applied_of", { count: number(landed), left: number(left) });
  if (state === "undone") return t("regrade.undone_of", { count: number(undone), kept: number(kept) });
  return "–";
}

function earlier(id, signal) {
  const columns = [
    { label: t("regrade.begun"), cell: (one) => link(pageOf(id, `regrades/${one.id}`), exactly(one.created_at)) },
    { label: t("regrade.which"), cell: whichOf },
    { label: t("status"), cell: stateTag },
    { label: t("regrade.outcome"), cell: outcome },
  ];
  return pagedTable({
    caption: t("regrade.earlier"),
    path: `/v1/assignments/${id}/regrades`,
    signal,
    columns,
    nothing: empty(t("regrade.none_title"), t("regrade.none")),
  });
}

export async function regrades({ params: { id }, signal }) {
  const asking = [
    assignmentOf(id, signal),
    get(`/v1/assignments/${id}/regrades`, { limit: 1 }, signal),
    get(`/v1/assignments/${id}/ai`, {}, signal),
  ];
  const [assignment, { data }, bulk] = await Promise.all([...asking, ...["batches", "ways"].map(useWords)]);
  return {
    title: t("regrade.title"),
    above: above(assignment, backLink(id)),
    body: [
      pagesNav(id, "regrades"),
      h("p.lede", t("regrade.lede")),
      begin(id, data[0], bulk),
      section(t("regrade.earlier"), await earlier(id, signal)),
    ],
  };
}
