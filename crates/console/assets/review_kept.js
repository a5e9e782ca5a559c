// What of a judgement outlives a person's decision: passages that AI quoted for points that still stand, and a grade that nobody changed.
import { h, own, replace } from "./dom.js";
import { t } from "./i18n.js";
import { asShown } from "./review_data.js";
import { quotesOf } from "./review_judgement.js";
import { submissionText } from "./review_text.js";

const isSame = (one, other) => one.score === other.score && (one.level_id || null) === (other.level_id || null);

// By criterion, what AI quoted and said for the points that a person let be; the service keeps it in the history alone.
function keptOf({ graded_by: by, criteria }, { data }) {
  const ai = by === "human" && data.find(({ grader }) => !grader.user_id);
  if (!ai) return new Map();
  const bare = criteria.filter((one) => !one.not_judged && !one.evidence.length);
  const said = bare.map((one) => ai.criteria.find((other) => other.criterion_id === one.criterion_id && !other.not_judged && isSame(one, other)));
  return new Map(said.filter((one) => one?.evidence.length).map((one) => [one.criterion_id, one]));
}

function keptPart({ kept, result }, onquote) {
  const reason = kept.rationale && kept.rationale !== result.rationale;
  return [
    h("h4", t("review.kept")),
    quotesOf(kept.evidence, onquote),
    reason && h("details", h("summary", t("form.ai_said")), own("p.lines.hint", kept.rationale)),
  ];
}

// Shows it where it stood before: beside the criterion, and in the text.
export function showKept(desk, grades) {
  const kept = keptOf(desk.current, grades);
  if (!kept.size) return;
  const withKept = (row) => {
    const one = kept.get(row.criterion.id);
    return one ? { ...row, kept: one, result: { ...row.result, evidence: one.evidence } } : row;
  };
  desk.rows = desk.rows.map(withKept);
  for (const [at, row] of desk.rows.entries()) {
    const part = row.kept && desk.judgement.querySelector(`[data-row="${at}"] .rests-on`);
    if (part) replace(part, keptPart(row, (place) => desk.showQuote(at, place)));
  }
  desk.paper.querySelector(".sheet")?.replaceWith(submissionText(desk.current, desk.rows));
  desk.light(null);
}

// Whether what a form would send is what stands already. Sent all the same, it would lose the passages that it rests on.
export function isAsItStands({ criteria, earned_score: earned, feedback, graded_by: by }, given) {
  if (given.reason || given.feedback !== asShown(feedback)) return false;
  if (!given.criteria) return given.score === earned;
  const standing = criteria.filter((one) => !one.not_judged);
  const words = (one) => (by === "human" ? asShown(one.rationale).trim() : "");
  const isOf = (one) => ({ criterion_id: id, level_id: level = null, score = one.score, rationale = "" }) =>
    id === one.criterion_id && level === (one.level_id || null) && score === one.score && rationale === words(one);
  return standing.length === given.criteria.length && standing.every((one) => given.criteria.some(isOf(one)));
}
