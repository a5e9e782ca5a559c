// What the buttons above a text do to it, and the keys that do the same.
import { h, svg } from "./dom.js";
import { endsRow, lastLine } from "./editor_blocks.js";
import { t } from "./i18n.js";

const DRAWN = {
  bullets: "M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01",
  numbers: "M10 6h10M10 12h10M10 18h10M4 4.500l1.200-.5v4M4 14.500c0-1 2-1 2 0c0 .7-2 1.500-2 2.500h2.200",
  quote: "M5 7h5v5c0 3-1.500 4.500-4 5M14 7h5v5c0 3-1.500 4.500-4 5",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  block: "M4 5h16v14H4zM9 9.500L6.500 12L9 14.500M15 9.500l2.500 2.500L15 14.500",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4.200 4.200 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6 0l-3 3a4.200 4.200 0 0 0 6 6l1.500-1.500",
  table: "M4 5h16v14H4zM4 10h16M10 5v14",
  formula: "M18 5H7l6 7-6 7h11",
  callout: "M4 5h16v12H11l-4 3v-3H4zM12 8v4M12 14.500v.01",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 8.500h.01",
  indent: "M4 5h16M11 10h9M11 14h9M4 19h16M4 9l3 3-3 3",
  outdent: "M4 5h16M11 10h9M11 14h9M4 19h16M7 9l-3 3 3 3",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  find: "M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13M15.500 15.500L20 20",
};

// --- What is done. Each takes the view and says that it was done.

// Puts marks around what is chosen, or takes them away where they are.
function around(before, after = before, word = "") {
  return (view) => {
    const { state } = view;
    const { from, to } = state.selection.main;
    const chosen = state.sliceDoc(from, to);
    const outside = state.sliceDoc(from - before.length, from) === before && state.sliceDoc(to, to + after.length) === after;
    if (outside) {
      view.dispatch({
        changes: [{ from: from - before.length, to: from }, { from: to, to: to + after.length }],
        userEvent: "delete",
      });
      return true;
    }
    const inside = chosen || word;
    view.dispatch({
      changes: { from, to, insert: before + inside + after },
      selection: { anchor: from + before.length, head: from + before.length + inside.length },
      userEvent: "input",
      scrollIntoView: true,
    });
    return true;
  };
}

function linesOf(state) {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(to).number;
  return Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at));
}

// Begins each chosen line with something, in the place of what it began with; where all of them do already, they lose it.
function beginning(make, pattern) {
  return (view) => {
    const lines = linesOf(view.state).filter((line, _, all) => line.text.trim() || all.length === 1);
    const marks = lines.map((line) => line.text.match(pattern)[0]);
    const wanted = lines.map((_, at) => make(at));
    const off = marks.every((mark, at) => mark === wanted[at]);
    const changes = lines.map((line, at) => ({ from: line.from, to: line.from + marks[at].length, insert: off ? "" : wanted[at] }));
    const set = view.state.changes(changes);
    view.dispatch({ changes: set, selection: view.state.selection.map(set, 1), userEvent: "input", scrollIntoView: true });
    return true;
  };
}

const ANY_LIST = /^(?:[-*+] |\d{1,9}[.)] )?/;
const heading = (level) => beginning(() => `${"#".repeat(level)} `, /^(?:#{1,6} )?/);
const QUOTE = beginning(() => "> ", /^(?:> ?)?/);
const BULLETS = beginning(() => "- ", ANY_LIST);
const NUMBERS = beginning((at) => `${at + 1}. `, ANY_LIST);

// A block of its own, with an empty line on both sides. `chosen` is what of it is marked afterwards; else one goes on at `within`.
function insertBlock(view, text, chosen = null, within = text.length) {
  const { state } = view;
  const line = lastLine(state.doc, state.doc.lineAt(state.selection.main.to));
  const isEmpty = !line.text.trim();
  const at = isEmpty ? line.from : line.to;
  const lineBefore = isEmpty && line.number > 1 ? state.doc.line(line.number - 1).text.trim() : "";
  const before = isEmpty ? (lineBefore ? "\n" : "") : "\n\n";
  const lineAfter = line.number < state.doc.lines ? state.doc.line(line.number + 1).text.trim() : "";
  const insert = before + text + (lineAfter ? "\n" : "");
  const from = at + before.length + (chosen ? text.indexOf(chosen) : within);
  view.dispatch({
    changes: { from: at, to: isEmpty ? line.to : at, insert },
    selection: { anchor: from, head: from + (chosen?.length || 0) },
    userEvent: "input",
    scrollIntoView: true,
  });
  return true;
}

function table(view) {
  const [one, two] = [t("editor.column", { number: 1 }), t("editor.column", { number: 2 })];
  return insertBlock(view, `| ${one} | ${two} |\n| --- | --- |\n|  |  |`, one);
}

function formula(view) {
  const { from, to } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const alone = from === to && (!line.text.trim() || endsRow(line, from));
  return alone ? insertBlock(view, "$$\nx^2\n$$", "x^2") : around("$", "$", "x^2")(view);
}

function codeBlock(view) {
  const { from, to } = view.state.selection.main;
  if (from === to) return insertBlock(view, "```\n\n```", null, 4);
  const lines = linesOf(view.state);
  view.dispatch({
    changes: [{ from: lines[0].from, insert: "```\n" }, { from: lines.at(-1).to, insert: "\n```" }],
    userEvent: "input",
  });
  return true;
}

function link(view) {
  const { from, to } = view.state.selection.main;
  const chosen = view.state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const [words, address] = isAddress ? [t("editor.link_words"), chosen] : [chosen || t("editor.link_words"), "https://"];
  const mark = isAddress || !chosen ? from + 1 : from + words.length + 3;
  view.dispatch({
    changes: { from, to, insert: `[${words}](${address})` },
    selection: { anchor: mark, head: mark + (isAddress || !chosen ? words.length : address.length) },
    userEvent: "input",
    scrollIntoView: true,
  });
  return true;
}

const callout = (view) => {
  const words = t("editor.callout_words");
  return insertBlock(view, `> [!NOTE]\n> ${words}`, words);
};

// Name, what it does, its keys, how it is drawn; null is a gap.
function doings(cm) {
  return [
    ["h1", heading(1), "Mod-Alt-1", "H1"],
    ["h2", heading(2), "Mod-Alt-2", "H2"],
    ["h3", heading(3), "Mod-Alt-3", "H3"],
    null,
    ["bold", around("**"), "Mod-b", "B"],
    ["italic", around("*"), "Mod-i", "I"],
    ["code", around("`"), "Mod-e", "code"],
    ["link", link, "Mod-k", "link"],
    null,
    ["bullets", BULLETS, "Mod-Shift-8", "bullets"],
    ["numbers", NUMBERS, "Mod-Shift-7", "numbers"],
    ["outdent", cm.indentLess, "Mod-[", "outdent"],
    ["indent", cm.indentMore, "Mod-]", "indent"],
    ["quote", QUOTE, "Mod-Shift-9", "quote"],
    null,
    ["block", codeBlock, "Mod-Alt-c", "block"],
    ["table", table, "Mod-Alt-g", "table"],
    ["formula", formula, "Mod-Alt-m", "formula"],
    ["callout", callout, "Mod-Alt-n", "callout"],
    ["picture", null, "Mod-Alt-p", "picture"],
    null,
    ["undo", cm.undo, "Mod-z", "undo"],
    ["redo", cm.redo, "Mod-Shift-z", "redo"],
    ["find", cm.openSearchPanel, "Mod-f", "find"],
  ];
}

let pick = () => {};

export function keysOf(cm) {
  return doings(cm)
    .filter(Boolean)
    .map(([name, run, key]) => ({ key, preventDefault: true, run: run || (() => pick() || true), name }));
}

const isMac = /Mac|iP(ad|hone)/.test(navigator.platform);

// As it is written on keys.
export function keyName(key) {
  const names = isMac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧" } : { Mod: t("editor.key_ctrl"), Alt: "Alt", Shift: t("editor.key_shift") };
  return key
    .split("-")
    .map((part) => names[part] || part.toUpperCase())
    .join(isMac ? "" : " + ");
}

// Every action with its keys, for whoever wants to know.
export const shortcutsOf = (cm) => doings(cm).filter(Boolean).map(([name, , key]) => [t(`editor.do_${name}`), keyName(key)]);

function face(drawn) {
  if (!DRAWN[drawn]) return h(`span.letter-face.${drawn.toLowerCase()}`, { "data-face": drawn });
  const mirrored = ["bullets", "numbers", "indent", "outdent", "undo", "redo"].includes(drawn);
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `icon${mirrored ? " mirrored" : ""}`, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: DRAWN[drawn] }),
  );
}

// One stop of the Tab key; the arrows go from button to button.
function walking(bar) {
  const all = [...bar.querySelectorAll("button")];
  const stand = (at) => all.forEach((one, place) => one.setAttribute("tabindex", place === at ? "0" : "-1"));
  stand(0);
  bar.addEventListener("focusin", ({ target }) => stand(Math.max(0, all.indexOf(target.closest("button")))));
  bar.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target.closest("button"));
    const ahead = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = ahead === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const to = { [ahead]: at + 1, [back]: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length].focus();
  });
}

// The bar of one text. `onPicture` has a picture chosen.
export function toolbar(cm, view, onPicture) {
  pick = onPicture;
  const part = (one) => {
    if (!one) return h("i.gap", { "aria-hidden": "true" });
    const [name, run, key, drawn] = one;
    const label = t(`editor.do_${name}`);
    const act = () => {
      if (!run) return onPicture();
      run(view);
      view.focus();
    };
    // What is chosen in the text stays so while a button is pressed.
    const onmousedown = (event) => event.preventDefault();
    return h(
      "button.tool",
      { type: "button", "aria-label": label, title: `${label} (${keyName(key)})`, onclick: act, onmousedown },
      face(drawn),
    );
  };
  const bar = h("div.tools", { role: "toolbar", "aria-label": t("editor.toolbar") }, doings(cm).map(part));
  walking(bar);
  return bar;
}
