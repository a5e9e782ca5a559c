// Asking AI for a draft that waits for a person: what it is to be about, from which text, and how much.
import { post } from "./api.js";
import { formDialog } from "./dialogs.js";
import { field, h, say, select } from "./dom.js";
import { number } from "./format.js";
import { t, word } from "./i18n.js";
import { go } from "./router.js";

const MOST = 100_000;
// More than a text of so many bytes has too many characters in any alphabet.
const MOST_BYTES = 4 * MOST;
const COUNTS = Array.from({ length: 10 }, (_, at) => at + 1);
const DRAFTED = ["quiz", "flashcards", "explainer", "podcast", "reflection"];

// A text to draft from: written, pasted, or read from a file of this machine.
function sourceField() {
  const text = h("textarea.field", { rows: 5, dir: "auto", maxlength: MOST });
  const read = async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    const words = file.size > MOST_BYTES ? null : (await file.text()).replaceAll("\u0000", "");
    if (words === null || words.length > MOST) return say(t("proposals.file_long", { most: number(MOST) }), "bad");
    if (words.includes("\ufffd")) return say(t("proposals.file_unread"), "bad");
    text.value = words;
    text.focus();
  };
  const file = h("input.field", { type: "file", accept: ".txt,.md,.markdown,.csv,.html,text/*", onchange: read });
  const node = h(
    "details.more-fields",
    h("summary", t("proposals.source")),
    h("div.stack", field(t("proposals.source_text"), text, t("proposals.source_hint")), field(t("proposals.source_file"), file, t("proposals.source_file_hint"))),
  );
  return { node, read: () => text.value.trim() };
}

// Brief and source, which every draft has.
export function briefFields(brief = "", hint = t("proposals.brief_hint")) {
  const words = h("textarea.field", { rows: 4, dir: "auto", maxlength: MOST, value: brief });
  const source = sourceField();
  return {
    nodes: [field(t("proposals.brief"), words, hint), source.node],
    read() {
      const text = source.read();
      return { review: true, brief: words.value.trim(), ...(text && { source_text: text }) };
    },
  };
}

// Which activities, and how many; first of a kind that the lesson does not have yet.
function activityFields({ activities = [] }) {
  const missing = DRAFTED.find((one) => activities.every((there) => there.kind !== one)) || "quiz";
  const kind = select(DRAFTED.map((one) => [one, word("activity", one)]), missing, { onchange: () => fit() });
  const count = select(COUNTS.map((one) => [one, number(one)]), 1);
  const items = h("input.field.narrow", { type: "number", min: 1, max: 20, inputmode: "numeric" });
  const itemsRow = field(t("proposals.items"), items, t("proposals.items_hint"));
  const fit = () => {
    itemsRow.hidden = !["quiz", "flashcards"].includes(kind.value);
  };
  fit();
  return {
    nodes: [h("div.name-line", field(t("proposals.kind"), kind), field(t("proposals.count"), count)), itemsRow],
    read() {
      const name = { quiz: "questions", flashcards: "cards" }[kind.value];
      const wanted = name && items.value ? { [name]: Number(items.value) } : {};
      return { kind: kind.value, count: Number(count.value), ...wanted };
    },
  };
}

const toProposals = (generation) => () => go(`#/generations/${generation.id}`);

// Lessons of a unit, the text of a lesson, an activity: what is asked for at this path, to be decided about on a page of its own.
export function draftDialog(title, path) {
  const asked = briefFields();
  const body = h("div.stack", h("p.hint", t("proposals.nothing_changes")), asked.nodes);
  formDialog(title, body, t("making.start"), async () => toProposals(await post(path, asked.read())));
}

export function activitiesDialog(lesson) {
  const [which, asked] = [activityFields(lesson), briefFields()];
  const body = h("div.stack", h("p.hint", t("proposals.nothing_changes")), which.nodes, asked.nodes);
  const path = `/v1/lessons/${lesson.id}/activities/generate`;
  formDialog(t("proposals.activities_title"), body, t("making.start"), async () => toProposals(await post(path, { ...which.read(), ...asked.read() })));
}

// A whole course. Only what is asked for so lands by itself: `started` is told of it.
export function syllabusDialog(course, started) {
  const asked = briefFields(course.description, t("making.brief_hint"));
  const hours = h("input.field.narrow", { type: "number", min: 1, max: 1000, value: course.duration.hours || 4 });
  const content = select(["outline", "full"].map((one) => [one, t(`making.${one}`)]), "outline");
  const mode = select([["review", t("proposals.mode_review")], ["append", t("proposals.mode_append")], ["replace", t("making.replace")]], "review");
  const body = h(
    "div.stack",
    asked.nodes,
    h("div.name-line", field(t("making.content"), content), field(t("making.hours"), hours)),
    field(t("proposals.mode"), mode, t("making.replace_hint")),
  );
  formDialog(t("making.title"), body, t("making.start"), async () => {
    const review = mode.value === "review";
    const what = { ...asked.read(), review, hours: Number(hours.value), content: content.value, mode: review ? "append" : mode.value };
    const generation = await post(`/v1/courses/${course.id}/syllabus`, what);
    if (review) return toProposals(generation);
    return started(generation);
  });
}
