// The ways from a lesson to what comes next: a new activity, and the lessons beside it.
import { post } from "./api.js";
import { formDialog } from "./dialogs.js";
import { field, h, icon, link, own, select } from "./dom.js";
import { t, word } from "./i18n.js";
import { go } from "./router.js";

const KINDS = ["quiz", "flashcards", "explainer", "podcast", "video", "reflection"];

export function activityDialog(lesson, place) {
  const kind = select(KINDS.map((one) => [one, word("activity", one)]), "quiz");
  const name = h("input.field", { dir: "auto", maxlength: 255, required: true });
  const body = h("div.stack", field(t("writing.name"), name), field(t("writing.kind"), kind, t("writing.add_hint")));
  formDialog(t("writing.add_title"), body, t("writing.add_now"), async () => {
    const made = await post("/v1/activities", { lesson_id: lesson.id, kind: kind.value, name: name.value.trim() });
    return () => go(`${place}/activities/${made.id}`);
  });
}

// The lessons before and after; `end` is which of their pages.
export function pager(course, units, lesson, end = "") {
  const all = units.flatMap((unit) => unit.lessons);
  const at = all.findIndex((one) => one.id === lesson.id);
  const step = (one, name) =>
    one &&
    link(`#/courses/${course}/${one.id}${end}`, name === "prev" ? icon("prev") : "", own("span", one.name), name === "next" ? icon("next") : "");
  return h("nav.pager", { "aria-label": t("lesson.pager") }, h("span", step(all[at - 1], "prev")), h("span", step(all[at + 1], "next")));
}
