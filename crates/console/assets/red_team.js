// Attacks on an assignment's grader, so that nobody has to hope that it falls for none: begun, followed, and what they found.
import { above, assignmentOf, lacking, pageOf, pagesNav } from "./assignment_pages.js";
import { inWords, isBusy, priceOfOne, progressCard, stateTag } from "./batches.js";
import { ApiError, get, post } from "./api.js";
import { empty, facts, h, link, own, say, section, tag, unless } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { exactly, number } from "./format.js";
import { has, t, useWords } from "./i18n.js";
import { table } from "./lists.js";
import { show } from "./router.js";

// What is claimed of each, and what is not.
const LIMITS = ["known", "people", "wrong", "later"];

// A share of the best score; one that goes against whoever attacks stands with its sign.
function gain(value) {
  return value === null ? "–" : number(value, { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" });
}

// --- Beginning

function startDialog(id, bulk) {
  confirmDialog(
    t("redteam.start_title"),
    `${t("redteam.start_what")} ${priceOfOne(bulk.cost_of_one_usd)}`,
    t("redteam.start"),
    async () => {
      await inWords(() => post(`/v1/assignments/${id}/redteam`), () => t("redteam.busy"));
      say(t("redteam.started"));
      return show;
    },
    "main",
  );
}

function begin(id, newest, bulk) {
  const reason = newest && isBusy(newest) ? t("redteam.busy") : lacking("ai:grade", "write:grades");
  return unless(reason, t(newest ? "redteam.again" : "redteam.start"), () => startDialog(id, bulk), { look: newest?.report ? "" : "main" });
}

// --- What was found

// The sentence that all of it is about.
function verdict({ passes, attacks, ungraded, through, released }) {
  if (passes) return t(released ? "redteam.passes" : "redteam.passes_unreleased", { attacks: number(attacks), released: number(released) });
  if (!attacks) return t("redteam.none_made");
  return through ? t("redteam.through", { count: number(through), of: number(attacks) }) : t("redteam.too_few", { count: number(ungraded), of: number(attacks) });
}

// From which confidence on it passes, where the one that was asked for is not enough.
function wanting({ passes, passes_from: from, attacks }) {
  if (passes || !attacks) return null;
  if (from === null) return h("p", t("redteam.passes_never"));
  return h("p", t("redteam.passes_from", { share: number(from / 100, { style: "percent" }) }));
}

// Where this console does not know what an attack tries, the service says it in English.
function nameOf({ technique, meaning }) {
  const key = `redteam.technique_${technique}`;
  return has(key) ? t(key) : own("span", meaning);
}

function techniques(all) {
  const count = (name) => ({ label: t(`redteam.${name}`), class: "num", cell: (one) => number(one[name]) });
  const columns = [
    { label: t("redteam.technique"), cell: nameOf },
    count("attacks"),
    count("flagged"),
    count("released"),
    { label: t("redteam.through_short"), class: "num", cell: ({ through }) => (through ? h("b.over", number(through)) : number(0)) },
    { label: t("redteam.gain"), class: "num", cell: (one) => gain(one.greatest_gain_released) },
  ];
  if (all.some((one) => one.ungraded)) columns.splice(2, 0, count("ungraded"));
  return h("div.card.flush", table(t("redteam.by_technique"), columns, all).node);
}

function figures(report) {
  return facts(
    [
      [t("redteam.attacks"), number(report.attacks)],
      report.ungraded > 0 && [t("redteam.ungraded"), number(report.ungraded)],
      [t("redteam.flagged"), number(report.flagged)],
      [t("redteam.released"), number(report.released)],
      [t("redteam.through_short"), number(report.through)],
      [t("redteam.gain"), gain(report.greatest_gain_released)],
    ],
    "dl.facts.large",
  );
}

function reportOf(assignment, batch) {
  const { report } = batch;
  return [
    section(
      t("redteam.report"),
      h(
        "div.card.stack",
        h("div.row.spread", tag(t(report.passes ? "redteam.is_passed" : "redteam.is_not_passed"), report.passes ? "good" : "bad"), h("span.hint", exactly(batch.updated_at))),
        h("p", verdict(report)),
        wanting(report),
        figures(report),
        h("p.hint", t("redteam.frozen"), " ", link(pageOf(assignment.id, "certificate"), t("redteam.to_certificate"))),
      ),
    ),
    section(t("redteam.by_technique"), h("p.quiet", t("redteam.columns")), techniques(report.techniques)),
    section(t("redteam.limits"), h("ul.plain", LIMITS.map((one) => h("li", t(`redteam.limit_${one}`))))),
  ];
}

async function newestOf(id, signal) {
  try {
    return await get(`/v1/assignments/${id}/redteam`, {}, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function found(assignment, batch, signal) {
  if (!batch) return empty(t("redteam.nothing_title"), t("redteam.nothing"));
  if (isBusy(batch)) return progressCard(batch, { signal, stop: lacking("write:grades") ? null : { what: t("redteam.stop_what") } });
  return batch.report ? reportOf(assignment, batch) : h("div.card.stack", h("div", stateTag(batch)), h("p", t("redteam.unfinished")));
}

export async function redTeam({ params: { id }, signal }) {
  const assignment = await assignmentOf(id, signal);
  const [newest, bulk] = await Promise.all([newestOf(id, signal), get(`/v1/assignments/${id}/ai`, {}, signal), useWords("batches")]);
  return {
    title: t("redteam.title"),
    above: above(assignment),
    body: [pagesNav(id, "redteam"), h("p.lede", t("redteam.lede")), h("div", begin(id, newest, bulk)), found(assignment, newest, signal)],
  };
}
