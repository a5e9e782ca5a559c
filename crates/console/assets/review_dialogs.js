// What the review desk asks and tells beside the desk: a work that goes back, and that somebody was faster.
import { field, h } from "./dom.js";
import { formDialog, infoDialog } from "./dialogs.js";
import { ago, points } from "./format.js";
import { t } from "./i18n.js";
import { calledOf } from "./names.js";
import { summary } from "./review_judgement.js";
import { personOf } from "./review_queue.js";

// `give(feedback)` gives it back with what the student shall read.
export function returnDialog(submission, give) {
  const words = h("textarea.field", { rows: 6, dir: "auto", value: submission.feedback || "" });
  const what = t("review.return_what", { name: personOf(submission), points: points(submission.score, submission.max_score) });
  const body = h("div.stack", h("p", what), field(t("review.student_reads"), words));
  formDialog(t("review.return_title"), body, t("review.return"), () => give(words.value));
}

export async function overtakenDialog({ now, by }) {
  const text = h("div.stack", h("p", t("review.overtaken")), summary(now));
  const name = by && (await calledOf(by.actor));
  infoDialog(name ? t("review.overtaken_by", { name, when: ago(by.at) }) : t("review.overtaken_title"), text);
}
