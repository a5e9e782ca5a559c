// The answers of a batch: what stood, what AI gives now, and what became of it, read as far as it is shown.
import { acting, h, hidden, link, own, replace, tag } from "./dom.js";
import { nameOf, readEach } from "./groups_read.js";
import { number, points } from "./format.js";
import { has, t } from "./i18n.js";
import { table } from "./lists.js";
import { complain } from "./router.js";

const AT_ONCE = 20;

function student({ item, submission }) {
  return submission ? link(`#/review/${item.submission_id}`, nameOf(submission)) : h("span.quiet", t("batch.gone"));
}

// A table of answers with whose each is, twenty at first; a cell is made of an item and of the answer that it is about.
export async function answerTable(caption, items, columns, signal) {
  const built = table(caption, [{ label: t("student"), cell: student }, ...columns], []);
  const more = h("div.more");
  let next = 0;
  const load = async () => {
    const part = items.slice(next, next + AT_ONCE);
    const found = await readEach(part.map((item) => item.submission_id), signal);
    next += part.length;
    built.add(part.map((item, at) => ({ item, submission: found[at] })));
    replace(more, next < items.length && acting(t("more"), () => load().catch(complain), { look: "quiet" }));
  };
  await load();
  return h("div.card.flush.lined", built.node, more);
}

// --- What is known of one

// Of what waits for a blind grade the service tells neither what stood nor what AI gives.
export function isHidden({ old }) {
  return old === null;
}

// How far apart both are; nothing where there was no grade.
export function changeOf({ old, new_score: now }) {
  return old?.score === null || isHidden({ old }) ? null : now - old.score;
}

export function leftBecause(reason) {
  const key = `batch.left_${reason}`;
  return has(key) ? t(key) : reason.replaceAll("_", " ");
}

// --- Cells

function stood({ old, left_because: left }) {
  if (!old) return left && left !== "awaits_blind_grade" ? "–" : h("span.quiet", t("batch.hidden"));
  const by = old.graded_by && h("span.hint", ` ${t(`regrade.by_${old.decided ? "human" : old.graded_by}`)}`);
  return old.score === null ? h("span.quiet", t("regrade.no_grade")) : h("span", points(old.score, old.max_score), by);
}

function now({ old, new_score: score }) {
  return isHidden({ old }) ? "–" : points(score, old.max_score);
}

function change(item) {
  const by = changeOf(item);
  return by === null ? "–" : number(by, { maximumFractionDigits: 2, signDisplay: "exceptZero" });
}

function criterion({ name, score, max_score: most, not_judged: isNot, rationale, evidence }) {
  return h(
    "li",
    h("div.row.spread", own("b", name), h("span.num", isNot ? "–" : points(score, most))),
    rationale && own("p.lines", rationale),
    evidence.length ? h("ul.quotes", evidence.map(({ quote }) => own("li.passage", quote))) : null,
  );
}

function reason(name) {
  return h("li", has(`reason.${name}`) ? t(`reason.${name}`) : name.replaceAll("_", " "));
}

// What else is to be known before one agrees: whether the mark is crossed, why a person should look, on what it rests.
function notes(item) {
  const { crossing, review_reasons: reasons, criteria, left_because: left } = item;
  return h(
    "div.stack.tight",
    crossing && h("div", tag(t(`regrade.crossing_${crossing}`), crossing === "up" ? "good" : "bad")),
    left && h("p", leftBecause(left)),
    criteria.length > 0 &&
      h(
        "details",
        h("summary", t("regrade.rests_on")),
        reasons.length > 0 && h("ul.plain.hint", reasons.map(reason)),
        h("ul.list.judged", criteria.map(criterion)),
      ),
  );
}

export function changeColumns() {
  return [
    { label: t("regrade.old"), cell: ({ item }) => stood(item) },
    { label: t("regrade.new"), class: "num", cell: ({ item }) => now(item) },
    { label: t("regrade.change"), class: "num", cell: ({ item }) => change(item) },
    { label: t("regrade.notes"), class: "noted", cell: ({ item }) => notes(item) },
  ];
}

// A box for each, empty at first: `onchange` is told of which it is, and whether it is ticked.
export function replaceColumn(chosen, onchange) {
  const box = ({ item, submission }) => {
    const id = item.submission_id;
    const tick = (event) => {
      if (event.target.checked) chosen.add(id);
      else chosen.delete(id);
      onchange();
    };
    const input = h("input", { type: "checkbox", checked: chosen.has(id), value: id, onchange: tick });
    const whose = submission?.user?.name || submission?.user?.email;
    return h("label.toggle", input, h("span", t("regrade.replace"), whose && hidden(` (${whose})`)));
  };
  return { label: t("regrade.replace"), hiddenLabel: true, cell: box };
}
