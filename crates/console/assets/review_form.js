// A person's own points, criterion by criterion, and the words that go with them.
import { acting, button, field, h, icon, own, replace } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { explain } from "./router.js";

export { isAsItStands } from "./review_kept.js";

// As the service computes it: by weight, in whole hundredths, without what was not judged.
export function totalOf(rows, scores, most) {
  let [reached, weights] = [0, 0];
  rows.forEach(({ criterion }, at) => {
    if (scores[at] === null) return;
    reached += (criterion.weight * scores[at]) / criterion.max_points;
    weights += criterion.weight;
  });
  return weights ? Math.round((100 * most * reached) / weights) / 100 : null;
}

function pointsInput(row, at, onchange) {
  const { criterion, result } = row;
  const start = result && !result.not_judged ? result.score : "";
  return h("input.field.narrow", {
    type: "number",
    min: 0,
    max: criterion.max_points,
    step: "any",
    inputmode: "decimal",
    value: start,
    oninput: onchange,
    "data-points": at,
  });
}

function levelInput(row, at, onchange) {
  const { criterion, result } = row;
  const option = (level) =>
    h(
      "label.choice",
      h("input", { type: "radio", name: `level-${at}`, value: level.id, checked: level.id === result?.level_id, onchange }),
      own("span", level.label),
      h("b", number(level.points)),
    );
  return h("div.choices-row", criterion.levels.map(option));
}

class GradeForm {
  constructor(submission, rows, { save, cancel }) {
    Object.assign(this, { submission, rows, save, cancel });
    this.total = h("output.verdict-score");
    this.trouble = h("div", { role: "alert" });
    this.feedback = h("textarea.field", { dir: "auto", rows: 4, maxlength: 100_000, value: submission.feedback || "" });
    this.reason = h("input.field", { dir: "auto", maxlength: 10_000, autocomplete: "off" });
    this.criteria = rows.map((row, at) => this.criterion(row, at));
    // Without a rubric there is one number to give.
    this.points = rows.length ? null : this.wholeScore();
    this.recount();
  }

  criterion(row, at) {
    const recount = () => this.recount();
    // What a person wrote is theirs to change; what AI said is not sent to the student by a slip.
    const isPersons = this.submission.graded_by === "human";
    const value = (isPersons && row.result?.rationale) || "";
    const comment = h("textarea.field", { dir: "auto", rows: 2, maxlength: 20_000, "data-comment": at, value });
    const said = isPersons ? row.kept?.rationale : row.result?.rationale;
    const given = row.criterion.levels?.length
      ? h("fieldset", h("legend", t("form.level")), levelInput(row, at, recount))
      : field(t("form.points", { max: number(row.criterion.max_points) }), pointsInput(row, at, recount));
    return h(
      "li.criterion",
      { "data-row": at },
      h("h3.criterion-title", h("span.letter", row.letter), own("span.name", row.criterion.name)),
      said && h("details", h("summary", t("form.ai_said")), own("p.lines.hint", said)),
      given,
      field(t("form.comment"), comment, t("form.comment_hint")),
    );
  }

  wholeScore() {
    const { earned_score: earned, max_score: most } = this.submission;
    return h("input.field.narrow", {
      type: "number",
      min: 0,
      max: most,
      step: "any",
      inputmode: "decimal",
      value: earned ?? "",
      required: true,
      oninput: () => this.recount(),
    });
  }

  // Points of a criterion as they are on the screen; null where there are none.
  score(at) {
    const { levels } = this.rows[at].criterion;
    if (levels?.length) {
      const chosen = this.criteria[at].querySelector("input[type=radio]:checked");
      return chosen ? levels.find((level) => level.id === chosen.value).points : null;
    }
    const text = this.criteria[at].querySelector("[data-points]").value;
    return text === "" ? null : Number(text);
  }

  whole() {
    return this.points.value === "" ? null : Number(this.points.value);
  }

  recount() {
    const { max_score: most } = this.submission;
    const total = this.points
      ? this.whole()
      : totalOf(
          this.rows,
          this.rows.map((_, at) => this.score(at)),
          most,
        );
    replace(this.total, h("b", total === null ? "–" : number(total)), ` / ${number(most)}`);
  }

  // The first field that cannot be sent as it is, marked as such.
  invalid() {
    let first = null;
    if (this.points) {
      const score = this.whole();
      const isFine = score !== null && score >= 0 && score <= this.submission.max_score;
      if (isFine) this.points.removeAttribute("aria-invalid");
      else this.points.setAttribute("aria-invalid", "true");
      return isFine ? null : this.points;
    }
    this.rows.forEach(({ criterion, result }, at) => {
      const input = this.criteria[at].querySelector("[data-points], input[type=radio]");
      const score = this.score(at);
      const isFine = score === null ? Boolean(result?.not_judged) : score >= 0 && score <= criterion.max_points;
      if (isFine) input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
      if (!isFine) first = first || input;
    });
    return first;
  }

  given() {
    const one = (row, at) => {
      const score = this.score(at);
      if (score === null) return [];
      const chosen = this.criteria[at].querySelector("input[type=radio]:checked");
      const rationale = this.criteria[at].querySelector("[data-comment]").value.trim();
      return [
        { criterion_id: row.criterion.id, ...(chosen ? { level_id: chosen.value } : { score }), ...(rationale ? { rationale } : {}) },
      ];
    };
    const reason = this.reason.value.trim();
    if (this.points) return { score: this.whole(), feedback: this.feedback.value, ...(reason ? { reason } : {}) };
    return { criteria: this.rows.flatMap(one), feedback: this.feedback.value, ...(reason ? { reason } : {}) };
  }

  async submit() {
    const wrong = this.invalid();
    if (wrong) {
      replace(this.trouble, h("p.trouble", icon("warn"), t("form.points_wrong")));
      return wrong.focus();
    }
    replace(this.trouble);
    try {
      await this.save(this.given());
    } catch (error) {
      replace(this.trouble, h("p.trouble", icon("warn"), explain(error)));
    }
  }

  render() {
    const { late_deduction: off } = this.submission;
    const go = acting(t("form.save"), () => this.submit(), { look: "main", icon: "check" });
    const onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) go.click();
      if (event.key === "Escape") this.cancel();
    };
    return h(
      "form.stack",
      {
        novalidate: true,
        onkeydown,
        onsubmit: (event) => {
          event.preventDefault();
          go.click();
        },
      },
      h("div.verdict", this.total, h("p.hint", t(this.points ? "form.your_points" : "form.your_grade"))),
      off > 0 && h("p.notice", t("late.before", { off: number(off) })),
      this.points
        ? field(t("form.points", { max: number(this.submission.max_score) }), this.points)
        : h("ol.criteria", this.criteria),
      field(t("review.student_reads"), this.feedback),
      field(t("form.reason"), this.reason, t("form.reason_hint")),
      this.trouble,
      h("div.row.form-actions", go, button(t("cancel"), this.cancel, { look: "quiet" }), h("span.hint.wide-only", t("form.keys"))),
    );
  }
}

export function gradeForm(submission, rows, actions) {
  return new GradeForm(submission, rows, actions).render();
}
