// What was judged: why it waits, points per criterion with reasons and evidence, what the student will read.
import { h, icon, link, own, tag } from "./dom.js";
import { number, percent } from "./format.js";
import { has, t, word } from "./i18n.js";
import { takenOff } from "./late.js";

const CERTIFIED = ["not_certified", "certificate_audit"];
const STATES = { in_review: "wait", graded: "good", returned: "plain", submitted: "wait", draft: "plain" };

export function stateTag(status) {
  return tag(word("submission", status), STATES[status]);
}

// Why it waits; what waits for a certificate leads to it.
function reasonRow(reason, { assignment_id: assignment }) {
  const text = has(`reason.${reason}`) ? t(`reason.${reason}`) : reason;
  return h("li", CERTIFIED.includes(reason) ? link(`#/assignments/${assignment}/certificate`, text) : text);
}

export function reasonsOf(submission) {
  const { review_reasons: reasons, ai_error: error } = submission;
  const isAsked = submission.status === "in_review" && submission.assignment?.human_review === "required";
  if (!reasons.length && !error && !isAsked) return null;
  return h(
    "section.reasons",
    h("h3", icon("warn"), t(submission.status === "in_review" ? "review.held_because" : "review.look_because")),
    h(
      "ul",
      isAsked && h("li", t("review.required")),
      error && h("li", own("span", `${error.code}: ${error.message}`)),
      reasons.map((reason) => reasonRow(reason, submission)),
    ),
  );
}

export function quotesOf(evidence, onquote) {
  if (!evidence.length) return h("p.quiet", t("review.no_evidence"));
  return h(
    "ul.quotes",
    evidence.map((one, at) =>
      h("li", h("button.quote", { type: "button", dir: "auto", title: t("review.show_in_text"), onclick: () => onquote(at) }, one.quote)),
    ),
  );
}

function levelsOf({ criterion, result, place }) {
  if (!criterion.levels?.length) return null;
  const isReached = (level) => level.id === result?.level_id;
  const placeOf = (level) => `${place}.levels[${criterion.levels.indexOf(level)}].description`;
  const line = (level) =>
    h(
      "li",
      { class: isReached(level) ? "reached" : "", title: level.description, "data-title": placeOf(level) },
      isReached(level) && icon("check"),
      own("span", level.label),
      h("span", number(level.points)),
    );
  const reached = criterion.levels.find(isReached);
  return [h("ul.levels", criterion.levels.map(line)), reached?.description && textAt(placeOf(reached), reached.description, 4)];
}

// A text of the assignment as it was written, until it is there as it is shown. `level` is that of its largest heading.
export function textAt(place, written, level, selector = "div.hint") {
  return h(selector, { "data-text": place, "data-level": level }, own("div.lines", written));
}

// One criterion: its head is a button that keeps its evidence marked.
export function criterionCard(row, at, { onpin, onquote, isPinned }) {
  const { criterion, result } = row;
  const score =
    result && !result.not_judged
      ? h("span.points", h("b", number(result.score)), ` / ${number(criterion.max_points)}`)
      : h("span.points.quiet", `– / ${number(criterion.max_points)}`);
  const head = h(
    "button.criterion-head",
    { type: "button", "aria-pressed": String(isPinned), onclick: () => onpin(at) },
    h("span.letter", row.letter),
    own("span.name", criterion.name),
    score,
  );
  const share = result && !result.not_judged ? (100 * result.score) / criterion.max_points : 0;
  const bar = h("div.bar", { "aria-hidden": "true" }, h("i"));
  bar.firstChild.style.inlineSize = `${share}%`;
  return h(
    "li.criterion",
    { "data-row": at },
    h("h3", head),
    bar,
    criterion.description && textAt(`${row.place}.description`, criterion.description, 4),
    levelsOf(row),
    result && judged(result, at, onquote),
  );
}

function judged(result, at, onquote) {
  if (result.not_judged) return h("p.notice", t("review.not_judged"));
  return h(
    "div.stack.tight",
    result.rationale && h("div", h("h4", t("review.why")), own("p.lines", result.rationale)),
    h(
      "div.rests-on",
      h("h4", t("review.evidence")),
      quotesOf(result.evidence, (place) => onquote(at, place)),
    ),
    result.missing?.length
      ? h(
          "div",
          h("h4", t("review.missing")),
          h(
            "ul.missing",
            result.missing.map((one) => own("li", one)),
          ),
        )
      : null,
    result.confidence === null ? null : h("p.hint", t("review.confidence", { share: percent(result.confidence * 100) })),
  );
}

export function whoJudged(submission) {
  if (submission.blind) return t("blind.waits");
  if (submission.graded_by === "human") return t("review.by_person");
  if (submission.ai_model === "builtin") return t("review.by_builtin");
  return submission.ai_model ? t("review.by_model", { model: submission.ai_model }) : t("review.by_nobody");
}

export function summary(submission) {
  const isKnown = submission.score !== null;
  return h(
    "div.verdict",
    h("p.verdict-score", h("b", isKnown ? number(submission.score) : "–"), ` / ${number(submission.max_score)}`),
    h(
      "div",
      stateTag(submission.status),
      submission.stale && h("span.tag.wait", { title: t("review.stale_hint") }, t("review.stale")),
      h("p.hint", whoJudged(submission)),
      takenOff(submission),
    ),
  );
}

export function feedbackOf(submission) {
  if (!submission.feedback) return null;
  return h("section.stack.tight", h("h3", t("review.student_reads")), own("p.lines.feedback", submission.feedback));
}
