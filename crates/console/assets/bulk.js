// Having AI grade every answer of an assignment that waits: how many there are, what that costs, how far it is.
import { above, assignmentOf, lacking, pagesNav } from "./assignment_pages.js";
import { failureOf, inWords, isBusy, progressCard, stateTag } from "./batches.js";
import { post, get } from "./api.js";
import { facts, h, say, section, unless } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { number, usd, when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { answerTable } from "./regrade_items.js";
import { everything } from "./lists.js";
import { show } from "./router.js";

// What it would cost, in a sentence that claims no more than is known.
function costOf({ waiting, cost_of_one_usd: one, estimated_cost_usd: all }) {
  if (one === null) return t("bulk.cost_unknown");
  if (one === 0) return t("bulk.cost_none");
  return t("bulk.cost", { all: usd(all), one: usd(one), count: number(waiting) });
}

function startDialog(id, found) {
  const what = `${t("bulk.start_what", { count: number(found.waiting) })} ${costOf(found)}`;
  confirmDialog(
    t("bulk.start_title"),
    what,
    t("bulk.start", { count: number(found.waiting) }),
    async () => {
      await inWords(() => post(`/v1/assignments/${id}/ai`, {}), () => t("bulk.busy"));
      say(t("bulk.started"));
      return show;
    },
    "main",
  );
}

function waits(assignment, found) {
  const { waiting, newest } = found;
  const reason = newest && isBusy(newest) ? t("bulk.busy") : waiting ? lacking("ai:grade") : t("bulk.nothing");
  return section(
    t("bulk.waits"),
    h(
      "div.card.stack",
      facts([[t("bulk.waiting"), number(waiting)]], "dl.facts.large"),
      waiting > 0 && h("p", costOf(found)),
      h("p.hint", t("bulk.review", { review: word("human_review", assignment.human_review) })),
      unless(reason, t("bulk.start", { count: number(waiting) }), () => startDialog(assignment.id, found), { look: "main" }),
    ),
  );
}

async function failedOnes({ id }, signal) {
  const { data } = await everything(`/v1/batches/${id}/items`, { state: "failed" }, signal, 10);
  const why = { label: t("batch.why"), cell: ({ item }) => failureOf(item) };
  return data.length ? answerTable(t("bulk.failed"), data, [why], signal) : null;
}

async function newestOne(batch, signal) {
  if (!batch) return null;
  if (isBusy(batch)) {
    const path = `/v1/assignments/${batch.assignment_id}/ai/stop`;
    const stop = lacking("ai:grade") ? null : { what: t("bulk.stop_what"), path };
    return progressCard(batch, { signal, stop });
  }
  const { total, graded, failed, waiting, asked } = batch.items;
  return section(
    t("bulk.newest"),
    h("div.row", stateTag(batch), h("span.hint", when(batch.updated_at))),
    facts([
      total !== null && [t("bulk.were"), number(total)],
      [t("bulk.graded"), number(graded)],
      [t("bulk.failed"), number(failed)],
      waiting + asked > 0 && [t("bulk.not_waited"), number(waiting + asked)],
    ]),
    failed > 0 && (await failedOnes(batch, signal)),
  );
}

export async function bulk({ params: { id }, signal }) {
  const asking = [assignmentOf(id, signal), get(`/v1/assignments/${id}/ai`, {}, signal)];
  const [assignment, found] = await Promise.all([...asking, useWords("batches"), useWords("desk")]);
  return {
    title: t("bulk.title"),
    above: above(assignment),
    body: [pagesNav(id, "ai"), h("p.lede", t("bulk.lede")), waits(assignment, found), await newestOne(found.newest, signal)],
  };
}
