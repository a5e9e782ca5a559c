// Questions of a quiz, of every type, with their right answers.
import { entry, figure, freshId, line, list, text, tick, wordList } from "./activity_forms.js";
import { button, field, h, own, select } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";

export const TYPES = ["single_choice", "multiple_choice", "true_false", "short_text", "numeric", "cloze", "ordering", "matching", "open"];

const option = (all) => ({ id: freshId(all, "o"), text: "", correct: false });
const item = (all) => ({ id: freshId(all, "i"), text: "" });
const pair = (all) => ({ id: freshId(all, "p"), left: "", right: "" });
const two = (make) => {
  const all = [];
  all.push(make(all));
  all.push(make(all));
  return all;
};

// What a question of a type begins with.
const BEGINNING = {
  single_choice: () => ({ options: two(option) }),
  multiple_choice: () => ({ options: two(option) }),
  true_false: () => ({ answer: true }),
  short_text: () => ({ accepted_answers: [] }),
  numeric: () => ({}),
  cloze: () => ({ text: "", blanks: [] }),
  ordering: () => ({ items: two(item) }),
  matching: () => ({ pairs: two(pair) }),
  open: () => ({}),
};
// What belongs to a type and goes when it becomes another one.
const OF_A_TYPE = [
  "options", "answer", "accepted_answers", "case_sensitive", "tolerance", "unit", "text", "blanks", "items", "pairs", "sample_answer", "min_words", "max_words",
];

export function newQuestion(all, type = "single_choice") {
  return { id: freshId(all, "q"), type, prompt: "", ...BEGINNING[type]() };
}

// Choices stay where one kind of choice becomes the other.
function become(question, type) {
  const { options } = question;
  for (const name of OF_A_TYPE) delete question[name];
  question.type = type;
  Object.assign(question, BEGINNING[type]());
  if (options && question.options) question.options = options;
  if (type === "single_choice") {
    const right = question.options.findIndex((one) => one.correct);
    question.options.forEach((one, at) => (one.correct = at === right));
  }
}

function choices(form, question, path) {
  const single = question.type === "single_choice";
  const group = `right-${question.id}-${path}`;
  const row = (one, at, acts) => {
    const input = h("input", {
      type: single ? "radio" : "checkbox",
      name: group,
      checked: one.correct === true,
      onchange() {
        if (single) question.options.forEach((other) => (other.correct = other === one));
        else one.correct = input.checked;
        form.changed();
      },
    });
    const place = `${path}.options[${at}]`;
    return entry(
      acts,
      text(form, t("author.option", { number: at + 1 }), one, "text", `${place}.text`),
      h("label.right", input, h("span", t("author.right"))),
      h("details", { open: Boolean(one.feedback) }, h("summary", t("author.feedback")), text(form, t("author.feedback_said"), one, "feedback", `${place}.feedback`, { keep: false })),
    );
  };
  return list(form, {
    owner: question, key: "options", path: `${path}.options`, add: t("author.add_option"), make: option, row, least: 2, name: t("author.option_name"),
  });
}

function trueOrFalse(form, question, path) {
  const one = (value) =>
    h(
      "label.right",
      h("input", {
        type: "radio",
        name: `truth-${question.id}-${path}`,
        checked: question.answer === value,
        onchange() {
          question.answer = value;
          form.changed();
        },
      }),
      h("span", t(value ? "author.true" : "author.false")),
    );
  return h("fieldset", { "data-place": `${path}.answer` }, h("legend", t("author.answer")), h("div.row", one(true), one(false)));
}

function numeric(form, question, path) {
  return h(
    "div.field-line",
    figure(form, t("author.answer"), question, "answer", `${path}.answer`, { min: null, step: "any" }),
    figure(form, t("author.tolerance"), question, "tolerance", `${path}.tolerance`, { step: "any" }),
    line(form, t("author.unit"), question, "unit", `${path}.unit`),
  );
}

const BLANK = /\{\{\s*([^{}\s]{1,64})\s*\}\}/g;

// The blanks are those of the text, in their order; what was accepted for one stays with it while it stands there.
function cloze(form, question, path) {
  const place = h("div.stack.tight");
  const known = new Map(question.blanks.map((one) => [one.id, one]));
  const read = () => {
    const ids = [...new Set([...(question.text || "").matchAll(BLANK)].map(([, id]) => id))];
    for (const id of ids) if (!known.has(id)) known.set(id, { id, accepted_answers: [] });
    const now = ids.map((id) => known.get(id));
    const same = now.length === question.blanks.length && now.every((one, at) => one === question.blanks[at]);
    question.blanks = now;
    return same;
  };
  const draw = () =>
    place.replaceChildren(
      ...question.blanks.map((one, at) =>
        wordList(form, t("author.blank", { id: one.id }), one, "accepted_answers", `${path}.blanks[${at}].accepted_answers`, at ? "" : t("author.accepted_hint")),
      ),
    );
  const hearing = { ...form, changed: () => (read() || draw(), form.changed()) };
  const words = text(hearing, t("author.cloze"), question, "text", `${path}.text`, { hint: t("author.cloze_hint") });
  // The marked words become a blank, which accepts them.
  const blank = () => {
    const input = words.querySelector("textarea");
    const { selectionStart: from, selectionEnd: to, value } = input;
    const chosen = value.slice(from, to).trim();
    let number = 1;
    while (known.has(String(number))) number += 1;
    known.set(String(number), { id: String(number), accepted_answers: chosen ? [chosen] : [] });
    input.setRangeText(`{{${number}}}`, from, to, "end");
    question.text = input.value;
    hearing.changed();
    input.focus();
  };
  read();
  draw();
  return [
    words,
    button(t("author.make_blank"), blank, { class: "small", look: "quiet" }),
    h("div", { "data-place": `${path}.blanks` }, place),
    tick(form, t("author.case"), question, "case_sensitive"),
  ];
}

function ordering(form, question, path) {
  // Plain texts will do for the service; here each is an object, so that it keeps its id.
  question.items = question.items.map((one, at) => (typeof one === "string" ? { id: `i${at + 1}`, text: one } : one));
  const row = (one, at, acts) => entry(acts, text(form, t("author.item", { number: at + 1 }), one, "text", `${path}.items[${at}].text`));
  return [
    h("p.hint", t("author.ordering_hint")),
    list(form, { owner: question, key: "items", path: `${path}.items`, add: t("author.add_item"), make: item, row, least: 2, name: t("author.item_name") }),
  ];
}

function matching(form, question, path) {
  const row = (one, at, acts) => {
    const place = `${path}.pairs[${at}]`;
    return entry(
      acts,
      h("div.field-line", text(form, t("author.left"), one, "left", `${place}.left`), text(form, t("author.right_side"), one, "right", `${place}.right`)),
    );
  };
  return list(form, { owner: question, key: "pairs", path: `${path}.pairs`, add: t("author.add_pair"), make: pair, row, least: 2, name: t("author.pair_name") });
}

function open(form, question, path) {
  return [
    h("p.hint", t("author.open_hint")),
    text(form, t("author.sample"), question, "sample_answer", `${path}.sample_answer`, { keep: false, rows: 2 }),
    h(
      "div.field-line",
      figure(form, t("author.min_words"), question, "min_words", `${path}.min_words`),
      figure(form, t("author.max_words"), question, "max_words", `${path}.max_words`),
    ),
  ];
}

function shortText(form, question, path) {
  return [
    wordList(form, t("author.accepted"), question, "accepted_answers", `${path}.accepted_answers`, t("author.accepted_hint")),
    tick(form, t("author.case"), question, "case_sensitive"),
  ];
}

const LIVES_ON = {
  single_choice: choices, multiple_choice: choices, true_false: trueOrFalse, short_text: shortText, numeric, cloze, ordering, matching, open,
};

const begins = (question) => question.prompt.split("\n")[0] || t("author.unwritten");

// Those that stand open: they stay so while others are moved around them.
const opened = new WeakSet();

// One question: closed it is a line.
function questionBox(form, question, at, acts, isOpen) {
  const path = `content.questions[${at}]`;
  const kind = h("span.kind", t(`author.type_${question.type}`));
  const first = own("span.begins", begins(question));
  const inside = h("div.item-inside");
  const hearing = {
    ...form,
    changed() {
      first.textContent = begins(question);
      form.changed();
    },
  };
  const draw = () => {
    const type = select(TYPES.map((one) => [one, t(`author.type_${one}`)]), question.type, {
      onchange() {
        become(question, type.value);
        kind.textContent = t(`author.type_${question.type}`);
        form.changed();
        draw();
        inside.querySelector("select").focus();
      },
    });
    const prompt = text(hearing, t("author.prompt"), question, "prompt", `${path}.prompt`, { rows: 2 });
    prompt.querySelector("textarea").dataset.first = "";
    inside.replaceChildren(
      h("div.field-line", field(t("author.type"), type), figure(form, t("author.points"), question, "points", `${path}.points`, { step: "any", hint: t("author.points_hint") })),
      prompt,
      ...[LIVES_ON[question.type](form, question, path)].flat(),
      text(form, t("author.explanation"), question, "explanation", `${path}.explanation`, { keep: false, hint: t("author.explanation_hint") }),
    );
  };
  draw();
  if (isOpen) opened.add(question);
  const ontoggle = ({ target }) => (target.open ? opened.add(question) : opened.delete(question));
  const box = h("details.item", { open: opened.has(question), ontoggle }, h("summary", h("span.num", number(at + 1)), first, kind), inside);
  return h("div.item-line.question", box, acts);
}

function settings(form, content) {
  const answers = select([["after_submit", t("author.answers_after")], ["never", t("author.answers_never")]], content.show_answers || "after_submit", {
    onchange() {
      content.show_answers = answers.value;
      form.changed();
    },
  });
  return h(
    "details.item",
    h("summary", h("span.begins", t("author.settings"))),
    h(
      "div.item-inside",
      h(
        "div.field-line",
        figure(form, t("author.passing"), content, "passing_percent", "content.passing_percent", { max: 100, hint: t("author.passing_hint") }),
        figure(form, t("author.attempts"), content, "max_attempts", "content.max_attempts", { min: 1, hint: t("author.attempts_hint") }),
        figure(form, t("author.drawn"), content, "questions_per_attempt", "content.questions_per_attempt", { min: 1, hint: t("author.drawn_hint") }),
      ),
      h("div.field-line", field(t("author.answers"), answers), tick(form, t("author.shuffle"), content, "shuffle")),
    ),
  );
}

export function quiz(form, content) {
  return [
    settings(form, content),
    list(form, {
      owner: content, key: "questions", path: "content.questions", title: t("author.questions"), add: t("author.add_question"),
      kinds: TYPES.map((type) => [t(`author.type_${type}`), (all) => newQuestion(all, type)]),
      row: (one, at, acts, isOpen) => questionBox(form, one, at, acts, isOpen), name: t("author.question_name"), selector: "div.items",
    }),
  ];
}
