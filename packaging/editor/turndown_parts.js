// What makes Markdown of pasted HTML; tables and what Word and Google Docs do in their own way is in editor_paste.js.
export { default as TurndownService } from "turndown";
