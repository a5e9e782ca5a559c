// The field in which Markdown is written: CodeMirror, the buttons above it, and what is pasted and dropped into it.
import { h, replace, say } from "./dom.js";
import { t } from "./i18n.js";

// CodeMirror, and what goes with it, comes when somebody opens an editor.
export async function tools() {
  const files = [import("./codemirror.js"), import("./editor_text.js"), import("./editor_toolbar.js"), import("./editor_media.js")];
  const [cm, ...rest] = await Promise.all(files);
  return { cm, ...Object.assign({}, ...rest) };
}

// Fetched once the editor stands there: whoever pastes without a network is not to lose it.
export const pasting = () => Promise.all([import("./editor_paste.js"), import("./turndown.js")]).catch(() => []);

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

// A text that is written in Markdown. `heard` is told by `change`, `blur` and `save`.
export function writing({ cm, pictureDialog, pictures, textEditor, toolbar }, { value, label, lang, heard }, signal) {
  const status = h("div", { role: "status" });
  let images = null;
  const text = textEditor(cm, {
    value,
    lang,
    label,
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
