// What a course is and how AI works in it: all of it on one page, saved at once, and only over what was read.
import { getTagged, patch } from "./api.js";
import { acting, button, field, h, icon, link, own, replace, section, select, toggle } from "./dom.js";
import { calledOf } from "./names.js";
import { hoursInput, languageInput } from "./course_dialogs.js";
import { t, useWords } from "./i18n.js";
import { nameInput } from "./outline_dialogs.js";
import { explain, go, show } from "./router.js";
import { sheet } from "./sheets.js";
import { drafted, waitingNote } from "./waiting.js";
import { isOvertaken, overtaken, remember, sayNext } from "./undo.js";
import { guard } from "./unsaved.js";

const RULES = ["everything", "share", "quizzes", "assignments"];
const TOP_HINT = 3;

const textarea = (value, rows = 4) => h("textarea.field", { rows, dir: "auto", maxlength: 100_000, value });
const numberInput = (value, min, max) => h("input.field.narrow", { type: "number", min, max, value: value ?? "" });
const numberOf = (input) => (input.value === "" ? null : Number(input.value));

// The members of a course that are set here, as a change of it. What stands in `tutor` and `evaluator` besides is left as it is.
export function settingsOf(course) {
  const { evaluator, instructions } = course.ai;
  const { tutor } = course;
  return {
    name: course.name,
    description: course.description,
    language: course.language,
    hours: course.duration.hours,
    completion: course.completion,
    ai: { instructions, evaluator },
    tutor: {
      enabled: tutor.enabled !== false,
      instructions: tutor.instructions ?? "",
      scope: tutor.scope === "lesson" ? "lesson" : "course",
      max_hint_level: Math.min(TOP_HINT, Math.max(1, tutor.max_hint_level || TOP_HINT)),
      guard_tasks: tutor.guard_tasks !== false,
      model: tutor.model ?? "",
    },
  };
}

// Every setting by its place: [place, label, value as it is shown].
function lines(settings, place = "") {
  return Object.entries(settings).flatMap(([name, value]) => {
    const at = place ? `${place}_${name}` : name;
    const isGroup = value && typeof value === "object" && at !== "ai_evaluator";
    return isGroup ? lines(value, at) : [[at, value && typeof value === "object" ? (value.model ?? "") : value]];
  });
}

function differences(mine, theirs) {
  const now = new Map(lines(theirs));
  return lines(mine).filter(([at, value]) => now.get(at) !== value).map(([at]) => [at, now.get(at)]);
}

class Form {
  constructor(course) {
    const { completion, ai } = course;
    const { tutor } = settingsOf(course);
    this.course = course;
    this.name = nameInput(course.name);
    [this.language, this.languages] = languageInput(course.language);
    this.description = textarea(course.description, 6);
    this.hours = hoursInput(course.duration.hours);
    this.rule = select(RULES.map((rule) => [rule, t(`setting.rule_${rule}`)]), completion.rule, { onchange: () => this.showShare() });
    this.percent = numberInput(completion.percent ?? 80, 1, 100);
    this.passing = numberInput(completion.passing_percent, 0, 100);
    this.instructions = textarea(ai.instructions);
    this.model = h("input.field", { dir: "ltr", maxlength: 255, value: ai.evaluator.model ?? "", autocomplete: "off" });
    this.enabled = toggle(t("setting.tutor_enabled"), tutor.enabled, () => {});
    this.guard = toggle(t("setting.tutor_guard_tasks"), tutor.guard_tasks, () => {});
    this.scope = select(["course", "lesson"].map((one) => [one, t(`setting.scope_${one}`)]), tutor.scope);
    this.hints = select([1, 2, 3].map((one) => [one, t(`setting.hint_${one}`)]), tutor.max_hint_level);
    this.guidance = textarea(tutor.instructions);
    this.tutorModel = h("input.field", { dir: "ltr", maxlength: 255, value: tutor.model, autocomplete: "off" });
    this.share = field(t("setting.completion_percent"), this.percent);
    this.showShare();
  }

  showShare() {
    this.share.hidden = this.rule.value !== "share";
  }

  read() {
    const { course, rule } = this;
    const model = this.model.value.trim();
    const { model: _, ...rest } = course.ai.evaluator;
    return {
      name: this.name.value.trim(),
      description: this.description.value,
      language: this.language.value.trim(),
      hours: numberOf(this.hours),
      completion: {
        rule: rule.value,
        percent: rule.value === "share" ? numberOf(this.percent) : null,
        passing_percent: numberOf(this.passing),
      },
      ai: { instructions: this.instructions.value, evaluator: model ? { ...rest, model } : rest },
      tutor: {
        enabled: this.enabled.querySelector("input").checked,
        instructions: this.guidance.value,
        scope: this.scope.value,
        max_hint_level: Number(this.hints.value),
        guard_tasks: this.guard.querySelector("input").checked,
        model: this.tutorModel.value.trim(),
      },
    };
  }

  get node() {
    return h(
      "div.stack.settings",
      section(
        t("setting.about"),
        field(t("name"), this.name),
        field(t("authoring.description"), this.description, t("authoring.description_hint")),
        field(t("authoring.language"), this.language, t("authoring.language_hint")),
        this.languages,
        field(t("authoring.hours"), this.hours),
      ),
      section(
        t("setting.completion"),
        field(t("setting.completion_rule"), this.rule),
        this.share,
        field(t("setting.completion_passing_percent"), this.passing, t("setting.passing_hint")),
      ),
      section(
        t("setting.ai"),
        field(t("setting.ai_instructions"), this.instructions, t("setting.ai_instructions_hint")),
        field(t("setting.ai_evaluator"), this.model, t("setting.model_hint")),
      ),
      section(
        t("setting.tutor"),
        this.enabled,
        this.guard,
        field(t("setting.tutor_scope"), this.scope),
        field(t("setting.tutor_max_hint_level"), this.hints),
        field(t("setting.tutor_instructions"), this.guidance, t("setting.tutor_instructions_hint")),
        field(t("setting.tutor_model"), this.tutorModel, t("setting.tutor_model_hint")),
      ),
    );
  }
}

// Only what is to be another than it was, so that nobody is said to have changed the rest.
function changesOf(before, after) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

function shown(value) {
  if (typeof value === "boolean") return t(value ? "setting.yes" : "setting.no");
  return value === null || value === "" ? "–" : String(value);
}

const labelOf = (at) => ({ name: t("name"), description: t("authoring.description"), language: t("authoring.language"), hours: t("authoring.hours") })[at] || t(`setting.${at}`);

// Somebody else was faster: what they set stands beside what is in the form, and one of both is chosen.
async function overtakenBox(error, path, mine, { keep, take }) {
  const { found, tag } = await getTagged(path);
  const name = await calledOf(error.by?.actor);
  const theirs = differences(mine, settingsOf(found)).map(([at, value]) => h("li", h("b", `${labelOf(at)}: `), own("span", shown(value))));
  return h(
    "div.problem",
    icon("warn"),
    h(
      "div",
      h("p.problem-title", name ? t("authoring.overtaken_by", { name }) : t("authoring.overtaken")),
      theirs.length ? [h("p", t("setting.theirs")), h("ul.plain", theirs)] : h("p", t("setting.theirs_same")),
      h("div.row", button(t("setting.take_theirs"), take), button(t("setting.keep_mine"), () => keep(tag, found), { look: "danger" })),
    ),
  );
}

export async function courseSettings({ params: { id }, signal }) {
  const live = `/v1/courses/${id}`;
  const words = ["authoring", "settings", "assignment", "waiting"].map((page) => useWords(page));
  const [now] = await Promise.all([getTagged(live, signal), ...words, sheet("authoring.css")]);
  const path = drafted(live, now.found);
  const { found: course, tag: first } = path === live ? now : await getTagged(path, signal);
  const form = new Form(course);
  const trouble = h("div.settings", { role: "alert" });
  let isOver = false;
  const over = () => (isOver = true);
  const asItWas = JSON.stringify(form.read());
  guard({ isUnsaved: () => !isOver && form.name.isConnected && JSON.stringify(form.read()) !== asItWas, drop: over, signal });
  const save = async (tag, rests = course) => {
    const mine = form.read();
    const before = settingsOf(rests);
    const changes = changesOf(before, mine);
    try {
      replace(trouble);
      if (Object.keys(changes).length) await saved(path, id, before, changes, tag);
      over();
      go(`#/courses/${id}`);
    } catch (error) {
      const isLate = isOvertaken(error);
      const box = isLate ? await overtakenBox(error, path, mine, { keep: save, take: show }) : h("p.trouble", icon("warn"), explain(error));
      replace(trouble, box);
      trouble.scrollIntoView({ block: "nearest" });
    }
  };
  return {
    title: t("setting.title"),
    above: link(`#/courses/${id}`, own("span", course.name)),
    body: [
      waitingNote(course),
      form.node,
      trouble,
      h("div.row.end.settings", link(`#/courses/${id}`, t("cancel")), acting(t("setting.save"), () => save(first), { look: "main" })),
    ],
  };
}

async function saved(path, id, before, changes, tag) {
  const now = await patch(path, changes, tag);
  const undo = async () => {
    const { found, tag: current } = await getTagged(path);
    const mine = settingsOf(now);
    if (Object.keys(changes).some((name) => JSON.stringify(settingsOf(found)[name]) !== JSON.stringify(mine[name]))) throw overtaken();
    await patch(path, Object.fromEntries(Object.keys(changes).map((name) => [name, before[name]])), current);
  };
  sayNext(() => remember({ place: id, said: t("setting.saved"), undo, back: show }));
}
