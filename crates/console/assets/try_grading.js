// Tries how an assignment is graded on an answer, by what stands on the page, saved or not. Nothing of it is kept.
import { post } from "./api.js";
import { withIds } from "./assignment_data.js";
import { acting, field, h, icon, replace, section } from "./dom.js";
import { t } from "./i18n.js";
import { explain } from "./router.js";

const LONGEST = 100_000;

function asked(text, { instructions, rubric, ai_evaluator: { model }, feedback, human_review }) {
  return { text, instructions: instructions ?? "", rubric: withIds(rubric), ai_evaluator: { model }, feedback, human_review };
}

// `draft` reads what stands on the page.
export function tryGrading(id, draft) {
  const answer = h("textarea.field.tried-answer", { rows: 6, dir: "auto", maxlength: LONGEST, onkeydown: press });
  const trouble = h("div", { role: "alert" });
  const place = h("div");
  const go = acting(t("try_grading.go"), run, { look: "main", icon: "spark", "aria-keyshortcuts": "Control+Enter" });

  function press(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    go.click();
  }

  async function run() {
    replace(trouble);
    const text = answer.value;
    if (!text.trim()) {
      replace(trouble, h("p.trouble", icon("warn"), t("try_grading.empty")));
      return answer.focus();
    }
    const rubric = structuredClone(draft().rubric);
    try {
      const [verdict, { verdictOf }] = await Promise.all([post(`/v1/assignments/${id}/try`, asked(text, draft())), import("./try_verdict.js")]);
      replace(place, await verdictOf(text, withIds(rubric), verdict));
      place.querySelector("h3").focus();
    } catch (error) {
      replace(trouble, h("p.trouble", icon("warn"), explain(error)));
    }
    return null;
  }

  return section(
    t("try_grading.title"),
    h("p.hint", t("try_grading.lede")),
    field(t("try_grading.answer"), answer, t("try_grading.keys")),
    trouble,
    h("div", go),
    place,
  );
}
