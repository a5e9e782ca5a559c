// Writes a lesson: its name and aims above, its text as Markdown, and beside it what learners see.
import { can, get } from "./api.js";
import { button, field, h, link, own, replace } from "./dom.js";
import { t, useWords } from "./i18n.js";
import { dressed, keeping, opened } from "./editor_keeping.js";
import { historyLink, switcher, tryButton } from "./editor_seen.js";
import { pasting, tools, writing } from "./editor_writing.js";
import { activityDialog, pager } from "./lesson_ways.js";
import { everything } from "./lists.js";
import { styled } from "./prose.js";
import { complain } from "./router.js";
import { unsavedText } from "./unsaved_text.js";
import { drafted, waitingNote } from "./waiting.js";

const FIELDS = ["name", "summary", "objectives", "duration_minutes", "content"];
const fieldsOf = (lesson) => Object.fromEntries(FIELDS.map((name) => [name, lesson[name]]));

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

// The fields above the text. What they hold is read anew each time, so typing costs nothing.
function head(lesson, onChange, onBlur) {
  const common = { dir: "auto", oninput: onChange, onblur: onBlur, lang: lesson.language };
  const name = h("input.field.title-field.begin-here", { ...common, maxlength: 255, value: lesson.name, required: true });
  const minutes = h("input.field.narrow", {
    type: "number", min: 0, max: 10_000, step: 1, inputmode: "numeric", value: lesson.duration_minutes, oninput: onChange, onblur: onBlur,
  });
  const summary = h("textarea.field", { ...common, rows: 3, maxlength: 100_000, value: lesson.summary });
  const aims = h("textarea.field", { ...common, rows: 3, value: lesson.objectives.join("\n") });
  const read = () => ({
    name: name.value.trim(),
    summary: summary.value,
    objectives: lines(aims.value),
    duration_minutes: Math.round(Number(minutes.value)) || 0,
  });
  const put = (fields) => {
    name.value = fields.name;
    summary.value = fields.summary;
    aims.value = fields.objectives.join("\n");
    minutes.value = fields.duration_minutes;
  };
  const refused = (wrong) => {
    const inputs = { name, summary, objectives: aims, duration_minutes: minutes };
    const keys = Object.keys(wrong).map((key) => key.split("[")[0]);
    if (keys.some((key) => ["summary", "objectives"].includes(key))) node.querySelector("details").open = true;
    for (const [key, input] of Object.entries(inputs)) {
      if (keys.includes(key)) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    return keys.every((key) => key in inputs);
  };
  const node = h(
    "div.lesson-head",
    h("div.name-line", field(t("editor.name"), name), field(t("editor.minutes"), minutes)),
    h(
      "details.more-fields",
      h("summary", t("editor.more")),
      h("div.two.even", field(t("editor.summary"), summary), field(t("editor.objectives"), aims, t("editor.objectives_hint"))),
    ),
  );
  return { node, read, put, refused };
}

// The text as its learners will see it, as it is typed.
function preview(text, lesson, lang, signal) {
  const seen = unsavedText({ text, place: { lesson_id: lesson.id }, lang, signal });
  const name = t("editor.preview");
  const node = h("section.pane.see", { "aria-label": name }, h("div.pane-head", h("h2", name), seen.note), seen.warned,
    h("div.pane-body", { tabindex: "0", role: "group", "aria-label": name }, seen.shown));
  return { node, ...seen };
}

const helpDialog = (text) => import("./editor_keys.js").then(({ told }) => told(text)).catch(complain);

// The lessons beside it, once it is known which: nobody waits for that to write.
function neighbours(course, lesson, signal) {
  const place = h("div.beside");
  const units = everything("/v1/units", { course_id: course, expand: "lessons" }, signal, 1);
  units.then(({ data }) => replace(place, pager(course, data, lesson, "/edit"))).catch(() => null);
  return place;
}

// AI is asked beside the text, and replaces nothing before somebody accepts it.
const aiBeside = (place, how) => import("./beside.js").then(({ beside }) => beside(place, how)).catch(complain);

export async function editor({ params, signal }) {
  const live = `/v1/lessons/${params.lesson}`;
  const [around, by] = await Promise.all([
    get(live, { expand: "unit.course" }, signal),
    tools(),
    useWords("editor"),
    useWords("writing"),
    useWords("waiting"),
    dressed(),
    styled(),
  ]);
  const course = around.unit?.course;
  const path = drafted(live, course);
  const there = await opened(path, signal);
  const lesson = there.found;
  const lang = lesson.language || course?.language || null;
  const heard = { change: () => [kept.saver.changed(), seen.changed()], blur: () => kept.saver.state === "waiting" && kept.saver.save(), save: () => kept.saver.save() };
  const top = head({ ...lesson, language: lang }, () => kept.saver.changed(), heard.blur);
  const seen = preview(() => text.text(), lesson, lang, signal);
  const { node: written, text } = writing(by, { value: lesson.content, label: t("editor.text"), lang, heard }, signal);
  const kept = keeping({
    path, signal, fieldsOf, ...there,
    id: lesson.id,
    now: () => ({ ...top.read(), content: text.text() }),
    put(fields) {
      top.put(fields);
      by.setText(text.view, fields.content);
      seen.changed();
    },
    label: (name) => t(`editor.field_${name}`),
    refused: top.refused,
    hint: t("editor.conflict_undo"),
    onSaved(value) {
      document.querySelector("#main h1").textContent = value.name;
    },
  });
  signal.addEventListener("abort", () => text.view.destroy());
  const panes = h("div.writer", written, seen.node);
  const place = `#/courses/${params.id}/${lesson.id}`;
  const asked = h("div");
  const ask = () => aiBeside(asked, { path: `${live}/generate`, save: () => kept.saver.save(), signal });
  return {
    title: lesson.name,
    own: true,
    wide: true,
    above: h(
      "span.dots",
      link(`#/courses/${params.id}`, own("span", course?.name || t("nav.courses"))),
      link(place, t("editor.read")),
    ),
    actions: [
      can("ai:generate") && button(t("editor.ai"), ask, { look: "quiet", class: "small", icon: "spark" }),
      path === live && tryButton(live, () => kept.saver),
      historyLink("lessons", lesson.id),
      button(t("editor.keys"), () => helpDialog(by), { look: "quiet", class: "small of-keys", icon: "key" }),
      button(t("writing.add"), () => activityDialog(lesson, place), { look: "quiet", class: "small", icon: "plus" }),
    ],
    body: [waitingNote(course), kept.notices, top.node, asked, switcher(panes), panes, h("div.save-bar", kept.line, neighbours(params.id, lesson, signal))],
    after() {
      // Where nothing is written yet one begins to write.
      if (!lesson.content) text.view.focus();
      seen.now();
      kept.putBack();
      text.view.requestMeasure();
      pasting();
    },
  };
}
