// Writes a lesson: its name and aims above, its text as Markdown, and beside it what learners see.
import { get } from "./api.js";
import { button, field, h, link, own, replace, say } from "./dom.js";
import { infoDialog } from "./dialogs.js";
import { t, useWords } from "./i18n.js";
import { dressed, keeping, opened } from "./editor_keeping.js";
import { historyLink, refreshing, switcher } from "./editor_seen.js";
import { prose, styled } from "./prose.js";

const FIELDS = ["name", "summary", "objectives", "duration_minutes", "content"];
const fieldsOf = (lesson) => Object.fromEntries(FIELDS.map((name) => [name, lesson[name]]));

// CodeMirror, and what goes with it, comes when somebody opens an editor.
async function tools() {
  const files = [import("./codemirror.js"), import("./editor_text.js"), import("./editor_toolbar.js"), import("./editor_media.js")];
  const [cm, ...rest] = await Promise.all(files);
  return { cm, ...Object.assign({}, ...rest) };
}

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

// The text as its learners see it: the service's HTML of what it has. It is asked for after each save, one at a time.
function preview(path, lang, signal) {
  const shown = h("div.prose.preview-text");
  const warned = h("div");
  const note = h("p.hint");
  const refresh = refreshing(async () => {
    const { html, content } = await get(path, { expand: "html" }, signal);
    replace(shown, content ? prose(html.content, { lang }) : h("p.quiet", t("editor.nothing_yet")));
  }, note);
  // What the text loses when it is shown.
  const warn = (warnings) =>
    replace(
      warned,
      warnings?.length ? h("ul.warned", warnings.slice(0, 5).map(({ line, message }) => h("li", t("editor.warning", { line, message })))) : null,
    );
  const node = h("section.pane.see", { "aria-label": t("editor.preview") }, h("div.pane-head", h("h2", t("editor.preview")), note), warned,
    h("div.pane-body", { tabindex: "0", role: "group", "aria-label": t("editor.preview") }, shown));
  return { node, refresh, warn };
}

// Fetched once the editor stands there: whoever pastes without a network is not to lose it.
const pasting = () => Promise.all([import("./editor_paste.js"), import("./turndown.js")]).catch(() => []);

// What was pasted, as Markdown. Pictures that came along go their own way, and say where they belong once they are there.
async function paste(html, plain, text, images) {
  const [{ fromHtml, fileOf } = {}, { TurndownService } = {}] = await pasting();
  const { view } = text;
  const made = fromHtml?.(html, TurndownService) || { text: plain, pictures: [], left: 0 };
  const { from, to } = view.state.selection.main;
  const isBlock = /\n|^(#|- |\d+\. |>|\|)/.test(made.text);
  const before = isBlock && view.state.doc.lineAt(from).text.slice(0, from - view.state.doc.lineAt(from).from).trim() ? "\n\n" : "";
  view.dispatch({
    changes: { from, to, insert: before + made.text },
    selection: { anchor: from + before.length + made.text.length },
    userEvent: "input.paste",
    scrollIntoView: true,
  });
  made.pictures.forEach((one, at) => images.at(fileOf(one, `${t("editor.pasted_picture")}-${at + 1}`), one.alt, from + before.length + one.at));
  if (made.left) say(t("editor.pictures_left", { count: made.left }), "wait");
}

function pictureStatus(place) {
  return {
    uploading: (count) => replace(place, count ? h("p.hint", t("editor.uploading", { count })) : null),
    refused: (name, why) => say(t("editor.picture_refused", { name, why }), "bad"),
  };
}

function helpDialog({ cm, shortcutsOf }) {
  const row = ([what, keys]) => h("div", h("dt", h("kbd", { dir: "ltr" }, keys)), h("dd", what));
  infoDialog(t("editor.keys"), h("div.stack", h("p.hint", t("editor.keys_hint")), h("dl.keys.shortcuts", shortcutsOf(cm).map(row))));
}

function writing({ cm, pictureDialog, pictures, textEditor, toolbar }, lesson, lang, heard, signal) {
  const status = h("div", { role: "status" });
  let images = null;
  const text = textEditor(cm, {
    value: lesson.content,
    lang,
    label: t("editor.text"),
    onBlur: heard.blur,
    onSave: heard.save,
    onChange(update) {
      images.moved(update.changes);
      heard.change();
    },
    onFiles: (files) => Boolean(files.length && images.put(files)),
    onHtml(html, plain) {
      paste(html, plain, text, images);
      return true;
    },
  });
  images = pictures(text.view, pictureStatus(status), signal);
  const bar = toolbar(cm, text.view, () => pictureDialog((file, alt) => images.put([file], alt)));
  const node = h("section.pane.write", { "aria-label": t("editor.write") }, bar, text.host, status);
  return { node, text };
}

export async function editor({ params, signal }) {
  const path = `/v1/lessons/${params.lesson}`;
  const [there, around, by] = await Promise.all([
    opened(path, signal),
    get(path, { expand: "unit.course" }, signal),
    tools(),
    useWords("editor"),
    dressed(),
    styled(),
  ]);
  const lesson = there.found;
  const course = around.unit?.course;
  const lang = lesson.language || course?.language || null;
  const heard = { change: () => kept.saver.changed(), blur: () => kept.saver.state === "waiting" && kept.saver.save(), save: () => kept.saver.save() };
  const top = head({ ...lesson, language: lang }, heard.change, heard.blur);
  const seen = preview(path, lang, signal);
  const { node: written, text } = writing(by, lesson, lang, heard, signal);
  const kept = keeping({
    path, signal, fieldsOf, ...there,
    id: lesson.id,
    now: () => ({ ...top.read(), content: text.text() }),
    put(fields) {
      top.put(fields);
      by.setText(text.view, fields.content);
    },
    label: (name) => t(`editor.field_${name}`),
    refused: top.refused,
    hint: t("editor.conflict_undo"),
    onSaved(value) {
      document.querySelector("#main h1").textContent = value.name;
      seen.warn(value.warnings);
      seen.refresh();
    },
  });
  signal.addEventListener("abort", () => text.view.destroy());
  const panes = h("div.writer", written, seen.node);
  return {
    title: lesson.name,
    own: true,
    wide: true,
    above: h(
      "span.dots",
      link(`#/courses/${params.id}`, own("span", course?.name || t("nav.courses"))),
      link(`#/courses/${params.id}/${lesson.id}`, t("editor.read")),
    ),
    actions: [historyLink("lessons", lesson.id), button(t("editor.keys"), () => helpDialog(by), { look: "quiet", class: "small", icon: "key" })],
    body: [kept.notices, top.node, switcher(panes), panes, h("div.save-bar", kept.line)],
    after() {
      seen.refresh();
      kept.putBack();
      text.view.requestMeasure();
      pasting();
    },
  };
}
