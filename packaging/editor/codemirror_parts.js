// What Studio's editor takes of CodeMirror, and nothing else. HTML within Markdown is shown as it is: its parsers, and those of
// scripts and styles, stay outside.
export { defaultKeymap, history, historyKeymap, indentLess, indentMore, redo, undo } from "@codemirror/commands";
export { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from "@codemirror/lang-markdown";
export { HighlightStyle, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { EditorState, RangeSetBuilder } from "@codemirror/state";
export { Decoration, EditorView, ViewPlugin, drawSelection, highlightSpecialChars, keymap } from "@codemirror/view";
export { tags } from "@lezer/highlight";
