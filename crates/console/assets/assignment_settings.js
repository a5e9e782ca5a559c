// The settings of an assignment: each control works on the draft and says that it was changed.
import { latePolicy } from "./assignment_late.js";
import { field, h, section, select, toggle } from "./dom.js";
import { zone } from "./format.js";
import { LANGUAGES, t, word } from "./i18n.js";
import { momentOf, typed } from "./zoned.js";

const REVIEWS = ["required", "optional", "off"];
const TONES = ["normal", "encouraging", "neutral", "demanding"];
const LENGTHS = ["brief", "normal", "detailed"];

// Text into a member of `of`.
function text(of, name, edited, selector = "input.field", props = {}) {
  return h(selector, { dir: "auto", value: of[name] ?? "", oninput: (event) => edited((of[name] = event.target.value)), ...props });
}

// A number, or nothing.
export function amount(of, name, edited, props = {}) {
  const oninput = (event) => edited((of[name] = event.target.value === "" ? null : Number(event.target.value)));
  return h("input.field.narrow", { type: "number", step: "any", inputmode: "decimal", value: of[name] ?? "", oninput, ...props });
}

function choice(of, name, values, group, edited) {
  const options = values.map((one) => [one, word(group, one)]);
  return select(options, of[name], { onchange: (event) => edited((of[name] = event.target.value)) });
}

function due(draft, edited) {
  const [before, shown] = [draft.due_at, typed(draft.due_at)];
  // A moment that was not touched keeps its seconds.
  const read = (value) => (value === shown ? before : momentOf(value));
  return h("input.field.date", {
    type: "datetime-local",
    value: shown,
    oninput: (event) => edited((draft.due_at = event.target.value ? read(event.target.value) : null)),
  });
}

// `instructions` is the field in which they are written.
function task(draft, edited, instructions) {
  return section(
    t("setup.task"),
    field(t("name"), text(draft, "name", edited, "input.field", { required: true, maxlength: 255, autocomplete: "off" })),
    h("div.field-row", h("b", t("setup.instructions")), instructions, h("p.hint", t("setup.instructions_hint"))),
  );
}

function handingIn(draft, edited) {
  const late = latePolicy(draft, edited);
  const scored = () => {
    late.told();
    edited();
  };
  const attempts = amount(draft, "max_attempts", edited, { min: 1, max: 100, step: 1, inputmode: "numeric" });
  return section(
    t("setup.handing_in"),
    h(
      "div.row.top-aligned",
      field(t("setup.max_score"), amount(draft, "max_score", scored, { required: true, min: 0.01 })),
      field(t("setup.attempts"), attempts, t("setup.attempts_hint")),
      field(t("setup.due"), due(draft, edited), t("setup.due_hint", { zone: zone() })),
    ),
    late.node,
  );
}

function grading(draft, edited) {
  const { ai_evaluator: ai } = draft;
  const model = text(ai, "model", edited, "input.field", { maxlength: 255, autocomplete: "off", dir: "ltr", spellcheck: "false" });
  return section(
    t("setup.grading"),
    toggle(t("setup.ai_grades"), ai.enabled, (on) => edited((ai.enabled = on))),
    field(t("setup.model"), model, t("setup.model_hint")),
    field(t("setup.human_review"), choice(draft, "human_review", REVIEWS, "human_review", edited)),
  );
}

function feedback({ feedback: style }, edited) {
  const tags = h(
    "datalist",
    { id: "feedback-languages" },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, label: name })),
  );
  // Cleared it is the course's again.
  const oninput = (event) => edited((style.language = event.target.value.trim() || null));
  const language = h("input.field.narrow", {
    list: "feedback-languages",
    dir: "ltr",
    autocomplete: "off",
    pattern: "[A-Za-z0-9]+(-[A-Za-z0-9]+)*",
    minlength: 2,
    maxlength: 100,
    value: style.language ?? "",
    oninput,
  });
  return section(
    t("setup.feedback"),
    h(
      "div.row.top-aligned",
      field(t("setup.tone"), choice(style, "tone", TONES, "tone", edited)),
      field(t("setup.length"), choice(style, "verbosity", LENGTHS, "verbosity", edited)),
      field(t("setup.feedback_language"), language, t("setup.feedback_language_hint")),
    ),
    tags,
  );
}

export function taskSettings(draft, edited, instructions) {
  return [task(draft, edited, instructions), handingIn(draft, edited)];
}

export function gradingSettings(draft, edited) {
  return [grading(draft, edited), feedback(draft, edited)];
}
