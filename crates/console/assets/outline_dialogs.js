// What the outline asks: what a new activity or assignment is, where things go, and whether what learners have used is to go.
import { formDialog } from "./dialogs.js";
import { ApiError } from "./api.js";
import { field, h, select } from "./dom.js";
import { number } from "./format.js";
import { t, word } from "./i18n.js";

const KINDS = ["quiz", "flashcards", "explainer", "reflection", "podcast", "video"];

export function nameInput(value = "") {
  return h("input.field", { maxlength: 255, dir: "auto", required: true, value, autocomplete: "off" });
}

// A name is asked for here, so that nobody waits for the service to say so.
export function named(input) {
  const name = input.value.trim();
  if (!name) {
    input.focus();
    throw new ApiError(400, { code: "invalid_field", message: t("authoring.name_missing") });
  }
  return name;
}

export function activityDialog(make) {
  const name = nameInput();
  const kind = select(
    KINDS.map((one) => [one, word("activity", one)]),
    "quiz",
  );
  const body = h("div.stack", field(t("name"), name), field(t("authoring.kind"), kind, t("authoring.kind_hint")));
  formDialog(t("authoring.new_activity"), body, t("authoring.create"), async () =>
    make({ kind: kind.value, name: named(name) }),
  );
}

export function assignmentDialog(make) {
  const name = nameInput();
  const body = h("div.stack", field(t("name"), name, t("authoring.assignment_hint")));
  formDialog(t("authoring.new_assignment"), body, t("authoring.create"), async () => make({ name: named(name) }));
}

// Into which unit, or which lesson.
export function moveDialog(tree, things, move) {
  const [{ object }] = things;
  const places =
    object === "lesson"
      ? tree.course.units.map((unit) => [unit.id, unit.name])
      : tree.course.units.flatMap((unit) => unit.lessons.map((lesson) => [lesson.id, `${unit.name} › ${lesson.name}`]));
  const choice = select(places, tree.parentOf(things[0]).id, { dir: "auto" });
  const what = things.length > 1 ? t("authoring.move_many", { count: number(things.length) }) : t("authoring.move_one", { name: things[0].name });
  const body = h("div.stack", h("p", what), field(t(`authoring.into_${object}`), choice, t("authoring.into_hint")));
  formDialog(t("authoring.move_title"), body, t("authoring.move"), () => () => move(tree.find(choice.value)));
}

// Told by what they were used for: nothing of it goes without a word.
export function usedDialog(used, fields, goOn) {
  const uses = Object.values(fields).join(", ");
  const names = used.map(({ name }) => name).join(", ");
  const body = h("div.stack", h("p", { dir: "auto" }, names), h("p", t("authoring.used", { uses })), h("p.quiet", t("authoring.used_hint")));
  formDialog(t("authoring.used_title"), body, t("authoring.delete_all_the_same"), () => () => goOn(), "danger");
}
