// Markdown in CodeMirror. It stands in a shadow root: there its style sheets are
// adopted ones, which the page's policy allows.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { keysOf } from "./editor_toolbar.js";

const mono = "var(--mono)";

// The page's own colours; what is marked is told by weight and shape as well.
function look({ EditorView, HighlightStyle, syntaxHighlighting, tags }) {
  const theme = EditorView.theme({
    "&": { color: "var(--ink)", fontSize: "1rem", height: "100%" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--sans)", lineHeight: "1.65", overflow: "auto" },
    ".cm-content": { padding: "1rem 0 6rem", caretColor: "var(--ink)" },
    ".cm-line": { padding: "0 1.25rem" },
    "&.cm-focused .cm-cursor": { borderInlineStartColor: "var(--accent)", borderInlineStartWidth: "2px" },
    "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--edge)", opacity: "0.35" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--accent)", opacity: "0.18" },
    ".cm-placeholder": { color: "var(--soft)" },
    ".cm-panels": { background: "var(--sunk)", color: "var(--ink)", borderBlockStart: "1px solid var(--line)" },
    ".cm-panel.cm-search": { padding: "0.5rem 2.5rem 0.5rem 0.75rem", fontSize: "0.875rem" },
    ".cm-panel.cm-search :is(input, button, label)": { fontSize: "0.875rem", minHeight: "1.75rem" },
    ".cm-textfield, .cm-button": {
      background: "var(--paper)", color: "inherit", border: "1px solid var(--edge)", borderRadius: "4px", backgroundImage: "none",
    },
    ".cm-panel.cm-search [name=close]": { minWidth: "1.75rem", color: "inherit", fontSize: "1.25rem" },
    ".cm-searchMatch": { background: "var(--marker)" },
    ".cm-searchMatch-selected": { background: "var(--marker)", outline: "2px solid var(--ink)" },
  });
  const style = HighlightStyle.define([
    { tag: tags.heading, fontWeight: "600" },
    { tag: [tags.heading1, tags.heading2], fontWeight: "600", fontSize: "1.2em" },
    { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], fontWeight: "600", fontSize: "1.05em" },
    { tag: tags.strong, fontWeight: "700" },
    { tag: tags.emphasis, fontStyle: "italic" },
    { tag: tags.strikethrough, textDecoration: "line-through" },
    { tag: tags.link, color: "var(--accent)" },
    { tag: tags.url, color: "var(--soft)" },
    { tag: tags.monospace, fontFamily: mono, fontSize: "0.9em" },
    { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator, tags.labelName], color: "var(--soft)" },
    { tag: tags.quote, color: "var(--soft)" },
  ]);
  return [theme, syntaxHighlighting(style)];
}

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"]);

const directionOf = (lang) => (RIGHT_TO_LEFT.has(lang?.split("-")[0].toLowerCase()) ? "rtl" : "ltr");

// Each line goes the direction of its own words, and that of the text where it has none yet.
function ownDirections({ Decoration, EditorView, RangeSetBuilder, ViewPlugin }) {
  const own = Decoration.line({ attributes: { dir: "auto" } });
  const decorate = (view) => {
    const builder = new RangeSetBuilder();
    for (const { from, to } of view.visibleRanges)
      for (let at = from; at <= to; ) {
        const line = view.state.doc.lineAt(at);
        if (/\p{L}/u.test(line.text)) builder.add(line.from, line.from, own);
        at = line.to + 1;
      }
    return builder.finish();
  };
  class Directions {
    constructor(view) {
      this.decorations = decorate(view);
    }
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
    }
  }
  return [EditorView.perLineTextDirection.of(true), ViewPlugin.fromClass(Directions, { decorations: (plugin) => plugin.decorations })];
}

// Words of the search, as CodeMirror asks for them.
const PHRASES = [
  "Find", "Replace", "next", "previous", "all", "match case", "regexp", "by word", "replace", "replace all", "close",
  "current match", "replaced match on line $", "replaced $ matches", "on line", "Control character",
];

function phrases({ EditorState }) {
  const said = (phrase) => {
    const words = t(`editor.cm_${phrase.toLowerCase().replaceAll(" ", "_").replaceAll("$", "n")}`);
    return words[0].toUpperCase() + words.slice(1);
  };
  return EditorState.phrases.of(Object.fromEntries(PHRASES.map((phrase) => [phrase, said(phrase)])));
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const INSIDE_CODE = new Set(["FencedCode", "CodeText", "CodeInfo", "InlineCode", "CodeBlock"]);

const ONE_PICTURE = /^(?:\s|<\/?(?:html|body|meta)[^>]*>|<!--.*?-->)*<img[^>]*>(?:\s|<\/?(?:html|body)>|<!--.*?-->)*$/i;

// An editor of `value`. `onChange` is told of every change, `onFiles` of files that are dropped or pasted, `onHtml` of pasted HTML;
// both may say that they have taken it. `cm` is codemirror.js.
export function textEditor(cm, { value, lang, label, onChange, onBlur, onSave, onFiles, onHtml }) {
  const { EditorState, EditorView } = cm;
  const host = h("div.text-editor");
  const root = host.attachShadow({ mode: "open" });
  const inCode = (state) => {
    for (let node = cm.syntaxTree(state).resolveInner(state.selection.main.head, -1); node; node = node.parent)
      if (INSIDE_CODE.has(node.name)) return true;
    return false;
  };
  const files = (transfer) => [...(transfer?.files || [])].filter((file) => file.type.startsWith("image/"));
  const handlers = EditorView.domEventHandlers({
    paste(event, target) {
      const html = event.clipboardData?.getData("text/html");
      const plain = event.clipboardData?.getData("text/plain") || "";
      const pasted = files(event.clipboardData);
      // A picture alone comes as itself, and as the address of where it was.
      if (pasted.length && (!html || ONE_PICTURE.test(html))) return onFiles(pasted);
      // Code editors and Word bring both: of the one the plain text is meant, of the other the HTML and no picture of it.
      const isText = inCode(target.state) || event.clipboardData.types.includes("vscode-editor-data");
      return Boolean(html && !isText && onHtml(html, plain));
    },
    drop(event, target) {
      const dropped = files(event.dataTransfer);
      if (!dropped.length) return false;
      const at = target.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at !== null) target.dispatch({ selection: { anchor: at } });
      event.preventDefault();
      return onFiles(dropped);
    },
    blur: () => onBlur(),
  });
  const state = EditorState.create({
    doc: value,
    extensions: [
      cm.history(),
      // Where colours are the system's, so is what is chosen.
      matchMedia("(forced-colors: active)").matches ? [] : cm.drawSelection({ cursorBlinkRate: isStill() ? 0 : 1200 }),
      cm.highlightSpecialChars(),
      cm.search({ top: true }),
      // Enough below a bullet and below a number.
      cm.indentUnit.of("    "),
      cm.markdownLanguage.extension,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, dir: directionOf(lang), lang: lang || "", tabindex: "0", spellcheck: "true" }),
      look(cm),
      ownDirections(cm),
      phrases(cm),
      cm.keymap.of([
        ...keysOf(cm),
        { key: "Mod-s", run: () => onSave() || true, preventDefault: true },
        { key: "Enter", run: cm.insertNewlineContinueMarkup },
        { key: "Backspace", run: cm.deleteMarkupBackward },
        ...cm.searchKeymap,
        ...cm.historyKeymap,
        ...cm.defaultKeymap,
      ]),
      handlers,
      EditorView.updateListener.of((update) => update.docChanged && onChange(update)),
    ],
  });
  const view = new EditorView({ state, root, parent: root });
  return { host, view, text: () => view.state.doc.toString() };
}

// Puts another text in the place of what is there, as one step that can be undone.
export function setText(view, text) {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}
