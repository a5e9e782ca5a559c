// What the grader would give: points and reasons per criterion, with the passages marked in the answer as on the review desk.
import { h, icon, own, tag } from "./dom.js";
import { lightEvidence, watchEvidence } from "./evidence.js";
import { number, percent } from "./format.js";
import { has, t, useWords } from "./i18n.js";
import { criterionCard } from "./review_judgement.js";
import { submissionText } from "./review_text.js";

const UNSAVED = { rubric: "rubric", instructions: "instructions", model: "ai_evaluator", feedback: "feedback", human_review: "human_review" };
const STATES = { final: "good", suggested: "wait" };

const letterOf = (at) => String.fromCharCode(65 + (at % 26));

// A criterion as the page has it, and what was judged of it.
function rowsOf(rubric, { criteria }) {
  const known = new Map((rubric?.criteria || []).map((one) => [one.id, one]));
  return criteria.map((result, at) => {
    const criterion = { max_points: result.max_score, ...known.get(result.criterion_id), name: result.name };
    return { criterion, result, letter: letterOf(at), place: "" };
  });
}

function unsavedNotice({ unsaved }) {
  if (!unsaved.length) return null;
  const names = unsaved.map((one) => t(`setup.field_${UNSAVED[one] || one}`)).join(" · ");
  return h("p.notice", t("try_grading.unsaved", { names }));
}

function reasonsOf({ review_reasons: reasons }) {
  if (!reasons.length) return null;
  const said = (reason) => h("li", has(`reason.${reason}`) ? t(`reason.${reason}`) : reason);
  return h("section.reasons", h("h4", icon("warn"), t("review.look_because")), h("ul", reasons.map(said)));
}

function by({ grader, confidence }) {
  const who = grader.kind === "built_in" ? t("review.by_builtin") : t("review.by_model", { model: grader.model });
  const cost = grader.kind === "built_in" ? t("try_grading.free") : grader.cost_usd === null ? t("try_grading.unpriced") : t("try_grading.cost", { usd: grader.cost_usd });
  const sure = confidence === null ? null : t("review.confidence", { share: percent(100 * confidence) });
  return h("p.hint", [who, cost, sure].filter(Boolean).join(" · "));
}

// Passages are lit by the criterion that rests on them: under the pointer, with the focus, or kept so by its head.
class Verdict {
  constructor(text, rubric, verdict) {
    this.rows = rowsOf(rubric, verdict);
    this.pinned = null;
    this.paper = h("div.paper", { tabindex: "0", role: "group", "aria-label": t("try_grading.answer") });
    this.paper.append(submissionText({ content: { type: "text", text } }, this.rows));
    const card = (row, at) => criterionCard(row, at, { onpin: (one) => this.pin(one), onquote: (one, place) => this.show(one, place), isPinned: false });
    this.cards = h("ol.criteria", this.rows.map(card));
    const heading = h("h3.tried-result", { tabindex: "-1" }, t("try_grading.result", { score: number(verdict.score), max: number(verdict.max_score) }));
    this.node = h(
      "div.stack.tried",
      unsavedNotice(verdict),
      h("div.row.spread", heading, tag(t(`try_grading.${verdict.status}`), STATES[verdict.status])),
      by(verdict),
      reasonsOf(verdict),
      h("div.tried-panes", this.paper, h("div.judgement", this.cards)),
      verdict.feedback && h("div", h("h4", t("review.student_reads")), own("p.lines", verdict.feedback)),
      h("p.hint", t("try_grading.kept")),
    );
    watchEvidence(this);
  }

  light(rows) {
    lightEvidence(this, this.cards, rows);
  }

  pin(row) {
    this.pinned = this.pinned === row ? null : row;
    for (const [at, head] of this.cards.querySelectorAll(".criterion-head").entries()) head.setAttribute("aria-pressed", String(at === this.pinned));
    this.light(null);
    if (this.pinned !== null) this.show(row, 0);
  }

  show(row, place) {
    const marks = [...this.paper.querySelectorAll("[data-rows]")].filter((mark) => mark.dataset.rows.split(" ").includes(String(row)));
    const quote = this.rows[row].result.evidence[place]?.quote;
    const mark = marks.find((one) => quote?.startsWith(one.firstChild.textContent)) || marks[0];
    this.light([row]);
    mark?.scrollIntoView({ block: "nearest" });
  }
}

export async function verdictOf(text, rubric, verdict) {
  await useWords("desk");
  return new Verdict(text, rubric, verdict).node;
}
