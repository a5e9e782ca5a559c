// Makes clean Markdown of what Word, Google Docs and web pages put on the clipboard: headings, lists, tables, links, what is bold,
// italic, struck out, raised and lowered. Styles, comments and everything else stay behind.
//
// It is made of a document of a parser, in which nothing loads and nothing runs.

// Stands where a picture stood, until it is known what becomes of it.
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const GONE = "script, style, meta, link, title, xml, object, iframe, input, button, select, textarea, svg, noscript, [class~=MsoCommentReference]";
const STRUCTURE = "h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, a[href], img, strong, em, b, i, sup, sub, del, s, p + p, hr";

// A document of a parser has the page's policy, which would complain of each style: they are read as words and never applied.
const STYLE = "data-said-style";

function unstyled(html) {
  const tag = (text) => text.replaceAll(/(\s)style(?=\s*=)/gi, `$1${STYLE}`);
  return html.replaceAll(/<style[\s\S]*?<\/style\s*>/gi, "").replaceAll(/<[a-z][^>]*>/gi, tag);
}

const styleOf = (node) => (node.getAttribute(STYLE) || "").toLowerCase().replaceAll(/\s+/g, " ");

function property(node, name) {
  const found = styleOf(node).match(new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`));
  return found ? found[1].trim() : "";
}

const unwrap = (node) => node.replaceWith(...node.childNodes);

function wrap(node, name) {
  const inside = node.ownerDocument.createElement(name);
  inside.append(...node.childNodes);
  node.append(inside);
}

function renamed(node, name) {
  const other = node.ownerDocument.createElement(name);
  other.append(...node.childNodes);
  node.replaceWith(other);
  return other;
}

function withoutComments(body) {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  found.forEach((one) => one.remove());
  // Of Word: comments of reviewers stand at the end, and what its own tags hold is no text of the author's.
  body.querySelectorAll(`[${STYLE}*='mso-element:comment'], [${STYLE}*='mso-hide:all'], a[href^='#_msocom']`).forEach((one) => one.remove());
  for (const node of [...body.querySelectorAll("*")]) if (node.localName.includes(":")) unwrap(node);
}

// --- Lists of Word are paragraphs that begin with a mark, and say in their style how deep they stand.

const isItem = (node) => /mso-list:\s*l\d+ level\d+/.test(styleOf(node)) || (/mso-list:/.test(styleOf(node)) && node.localName === "p");
const NUMBER = /^\(?(\d+|[a-z]{1,4}|[ivxlc]+)[.)]$/i;

// The mark is taken off. Numbers are `7.`, `b)` or `iv.`; everything else is a bullet, whatever its sign.
function markOf(node) {
  const mark = [...node.querySelectorAll("span")].find((one) => /mso-list:\s*ignore/.test(styleOf(one)));
  if (!mark) {
    // Where the mark is not told apart it is the first word.
    const first = node.ownerDocument.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
    const found = first?.data.match(/^\s*([·•o§‣▪–-]|\(?\w{1,4}[.)])[\s\u00a0]+/);
    if (found) first.data = first.data.slice(found[0].length);
    return found?.[1] || "";
  }
  const text = mark.textContent.replaceAll("\u00a0", " ").trim();
  mark.remove();
  return text;
}

function wordLists(body) {
  const { ownerDocument: page } = body;
  const items = [...body.querySelectorAll("p, h1, h2, h3, h4, h5, h6")].filter((node) => isItem(node) && !/^h\d$/.test(node.localName));
  let stack = [];
  let last = null;
  for (const item of items) {
    const level = Number(styleOf(item).match(/level(\d+)/)?.[1] || 1);
    const kind = NUMBER.test(markOf(item)) ? "ol" : "ul";
    const next = last && last.nextElementSibling === item;
    if (!next) stack = [];
    while (stack.length && stack.at(-1).level > level) stack.pop();
    if (stack.length && stack.at(-1).level === level && stack.at(-1).list.localName !== kind) stack.pop();
    if (!stack.length || stack.at(-1).level < level) {
      const list = page.createElement(kind);
      const parent = stack.at(-1)?.list.lastElementChild;
      if (parent) parent.append(list);
      else item.before(list);
      stack.push({ level, list });
      if (!parent) last = list;
    }
    const entry = page.createElement("li");
    entry.append(...item.childNodes);
    stack.at(-1).list.append(entry);
    item.remove();
  }
}

// Google Docs and old pages put a list within a list where an entry belongs.
function listsInEntries(body) {
  for (const list of [...body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")]) {
    const before = list.previousElementSibling;
    if (before?.localName === "li") before.append(list);
    else wrap(list, "li");
  }
  // An entry of one paragraph is that paragraph's words.
  for (const paragraph of [...body.querySelectorAll("li > p:first-child")])
    if ([...paragraph.parentNode.children].every((one) => one === paragraph || ["ul", "ol"].includes(one.localName))) unwrap(paragraph);
}

// --- Letters

// Google Docs says by spans what is bold, and wraps everything in a <b> that is not.
function letters(body) {
  for (const node of [...body.querySelectorAll("b, strong")]) if (/^(normal|[1-4]00)$/.test(property(node, "font-weight"))) unwrap(node);
  for (const node of [...body.querySelectorAll("i, em")]) if (property(node, "font-style") === "normal") unwrap(node);
  for (const node of [...body.querySelectorAll("span, font")]) {
    const inHeading = node.closest("h1, h2, h3, h4, h5, h6, a");
    if (!inHeading && /^(bold|bolder|[6-9]00)$/.test(property(node, "font-weight"))) wrap(node, "strong");
    if (/^(italic|oblique)$/.test(property(node, "font-style"))) wrap(node, "em");
    if (/line-through/.test(property(node, "text-decoration"))) wrap(node, "del");
    const raised = property(node, "vertical-align");
    if (raised === "super" || raised === "sub") wrap(node, raised.slice(0, 3));
    if (/courier|consolas|menlo|monospace/.test(property(node, "font-family")) && !node.closest("pre, code")) wrap(node, "code");
  }
  for (const node of [...body.querySelectorAll(":is(h1, h2, h3, h4, h5, h6) :is(b, strong, u)")]) unwrap(node);
  // White space is no letter: marks around it alone, and marks with it at their ends, would be none.
  for (const node of [...body.querySelectorAll("strong, b, em, i, del, s, code")]) if (!node.textContent.trim() && !node.querySelector("img")) unwrap(node);
}

function titles(body) {
  for (const node of [...body.querySelectorAll("p.MsoTitle, p[class*=MsoTitle]")]) renamed(node, "h1");
  for (const node of [...body.querySelectorAll("p.MsoSubtitle")]) renamed(node, "h2");
  for (const node of [...body.querySelectorAll("[role=heading]")]) {
    const level = Number(node.getAttribute("aria-level")) || 2;
    if (!/^h\d$/.test(node.localName)) renamed(node, `h${Math.min(6, level)}`);
  }
}

// Where a link leads; null where it leads nowhere that a text may lead.
function addressOf(link) {
  if (!URL.canParse(link.getAttribute("href") || "")) return null;
  const url = new URL(link.getAttribute("href"));
  if (url.hostname === "www.google.com" && url.pathname === "/url" && url.searchParams.has("q")) return url.searchParams.get("q");
  return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
}

function links(body) {
  for (const link of [...body.querySelectorAll("a")]) {
    const address = addressOf(link);
    if (address && link.textContent.trim()) link.setAttribute("href", address);
    else unwrap(link);
  }
}

// --- Pictures: those that came along are kept, in their order; of the others it is counted how many stayed behind.

function pictures(body) {
  const [found, left] = [[], []];
  for (const picture of [...body.querySelectorAll("img")]) {
    const source = picture.getAttribute("src") || "";
    const tiny = Number(picture.getAttribute("width")) === 1 || Number(picture.getAttribute("height")) === 1;
    if (/^data:image\/(png|jpe?g|gif|webp);base64,/i.test(source)) {
      picture.replaceWith(`${OPEN}${found.length}${CLOSE}`);
      found.push({ source, alt: picture.getAttribute("alt") || "" });
    } else {
      if (!tiny) left.push(source);
      picture.remove();
    }
  }
  return { found, left: left.length };
}

// --- Tables

// A table of one cell is a frame around words.
function frames(body) {
  for (const table of [...body.querySelectorAll("table")].reverse()) {
    const cells = [...table.querySelectorAll("td, th")];
    if (cells.length > 1 && !table.parentElement.closest("td, th")) continue;
    const page = table.ownerDocument;
    table.replaceWith(...cells.map((cell) => {
      const words = page.createElement("div");
      words.append(...cell.childNodes);
      return words;
    }));
  }
}

// A cell is one line: paragraphs and entries stand below each other by <br>, and a bar within it is no end of it.
function cellText(text) {
  const lines = text.split("\n").map((line) => line.trim().replace(/^[-*] (?=.)/, "• ").replace(/ *\\?$/, "")).filter(Boolean);
  return lines.join("<br>").replaceAll(/(?<!\\)\|/g, "\\|");
}

function rowsOf(table, convert) {
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [cellText(convert(cell)), ...Array(Math.min(Math.max(cell.colSpan, 1), 50) - 1).fill("")]),
  );
}

function alignmentOf(cell) {
  const said = cell ? cell.getAttribute("align") || property(cell, "text-align") || "" : "";
  const inside = cell?.querySelector("p");
  return { center: ":-:", right: "--:" }[said || (inside && property(inside, "text-align"))] || "---";
}

function tableText(table, convert) {
  const rows = rowsOf(table, convert).filter((row) => row.length);
  if (!rows.length) return "";
  const width = Math.max(...rows.map((row) => row.length));
  const line = (cells) => `| ${Array.from({ length: width }, (_, at) => cells[at] || "").join(" | ")} |`;
  const [first, ...rest] = rows;
  // A head is bold by itself.
  const head = first.map((text) => text.replace(/^\*\*([^*]+)\*\*$/, "$1"));
  const last = table.rows[table.rows.length - 1];
  return [line(head), line(Array.from({ length: width }, (_, at) => alignmentOf(last.cells[at]))), ...rest.map(line)].join("\n");
}

// --- All of it

function service(TurndownService) {
  const turndown = new TurndownService({ headingStyle: "atx", hr: "---", bulletListMarker: "-", codeBlockStyle: "fenced", emDelimiter: "*" });
  turndown.addRule("struck", { filter: ["del", "s", "strike"], replacement: (text) => (text.trim() ? `~~${text}~~` : text) });
  turndown.addRule("small", { filter: ["sup", "sub"], replacement: (text, { localName }) => `<${localName}>${text}</${localName}>` });
  turndown.addRule("caption", { filter: ["caption", "colgroup"], replacement: () => "" });
  turndown.addRule("entry", {
    filter: "li",
    replacement(text, node) {
      const list = node.parentNode;
      const first = Number(list.getAttribute?.("start")) || 1;
      const mark = list.localName === "ol" ? `${first + [...list.children].indexOf(node)}. ` : "- ";
      const inside = text.trim().replaceAll("\n", `\n${" ".repeat(mark.length)}`).replaceAll(/^ +$/gm, "");
      return mark + inside + (node.nextElementSibling ? "\n" : "");
    },
  });
  turndown.addRule("table", {
    filter: "table",
    replacement: (_, node) => `\n\n${tableText(node, (cell) => turndown.turndown(cell))}\n\n`,
  });
  return turndown;
}

function tidy(text) {
  return text
    .replaceAll("\u00a0", " ")
    .replaceAll(/^[ \t]+$|^ (?=\S)/gm, "")
    .replaceAll(/[ \t]+$/gm, (spaces) => (spaces === "  " ? spaces : ""))
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

// Takes the marks out; where each picture goes is told by its place in the text.
function withPlaces(marked, found) {
  const places = [];
  let text = "";
  for (const [at, part] of marked.split(OPEN).entries()) {
    if (!at) text += part;
    else {
      const [number, rest] = part.split(CLOSE);
      places.push({ at: text.length, ...found[Number(number)] });
      text += rest;
    }
  }
  return { text, places };
}

// Markdown of `html`: `text`, `pictures` that came along with the place where each goes, and how many were `left` behind. Null where
// the HTML says no more than its words do.
export function fromHtml(html, TurndownService) {
  const { body } = new DOMParser().parseFromString(unstyled(html), "text/html");
  withoutComments(body);
  body.querySelectorAll(GONE).forEach((one) => one.remove());
  titles(body);
  wordLists(body);
  letters(body);
  listsInEntries(body);
  links(body);
  if (!body.querySelector(STRUCTURE)) return null;
  const { found, left } = pictures(body);
  frames(body);
  const { text, places } = withPlaces(tidy(service(TurndownService).turndown(body)), found);
  return { text, pictures: places, left };
}

// The file that stands in an address of itself.
export function fileOf({ source }, name) {
  const [head, data] = source.split(",");
  const type = head.slice(5).split(";")[0].toLowerCase();
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new File([bytes], `${name}.${type.split("/")[1]}`, { type });
}
