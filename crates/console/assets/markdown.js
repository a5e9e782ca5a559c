// A small Markdown, straight into elements: nothing an author writes is ever read as markup of the page.
import { h, isWebAddress } from "./dom.js";
import { pieces } from "./markdown_inline.js";

function anchor(label, target) {
  return isWebAddress(target) ? h("a", { href: target, rel: "noopener noreferrer nofollow", target: "_blank" }, label) : label;
}

function inline(text) {
  return pieces(text).map(({ kind, from, to, target }) => {
    const inner = text.slice(from, to);
    if (kind === "text") return inner;
    if (kind === "link") return anchor(inner, target);
    // What is strong has none of its own kind in it, so this goes two levels deep and no deeper.
    return h(kind, kind === "strong" ? inline(inner) : inner);
  });
}

const KINDS = [
  ["fence", /^\s*(```|~~~)/],
  ["heading", /^(#{1,6})\s+(.*)$/],
  ["rule", /^\s*([-*_])(\s*\1){2,}\s*$/],
  ["ul", /^\s*[-*+]\s+(.*)$/],
  ["ol", /^\s*\d+[.)]\s+(.*)$/],
  ["quote", /^\s*>\s?(.*)$/],
  ["table", /^\s*\|(.*)\|\s*$/],
  ["blank", /^\s*$/],
];

function kindOf(line) {
  for (const [kind, pattern] of KINDS) {
    const found = pattern.exec(line);
    if (found) return { kind, found };
  }
  return { kind: "text" };
}

// Of these kinds the lines that follow each other are one thing.
const RUNS = new Set(["rule", "ul", "ol", "quote", "table", "text", "blank"]);

// Lines from `at` on that are of this kind, as far as they belong together.
function run(lines, at, kind) {
  const found = [];
  const last = RUNS.has(kind) ? lines.length : at + 1;
  for (let next = at; next < last; next += 1) {
    const one = kindOf(lines[next]);
    if (one.kind !== kind) break;
    found.push(one.found ? one.found[1] : lines[next]);
  }
  return found;
}

// Where the next fence from `at` on is; behind the last line where there is none.
function fenceFrom(lines, at) {
  let next = at;
  while (next < lines.length && kindOf(lines[next]).kind !== "fence") next += 1;
  return next;
}

function tableOf(rows) {
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const body = cells.slice(1).filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const line = (tag, row) =>
    h(
      "tr",
      row.map((cell) => h(tag, inline(cell))),
    );
  return h(
    "div.scroll",
    h(
      "table",
      h("thead", line("th", cells[0])),
      h(
        "tbody",
        body.map((row) => line("td", row)),
      ),
    ),
  );
}

// Which heading of the page a heading of the text is: the largest is `level`, and none is left out on the way down.
function outline(lines, level) {
  const least = lines.reduce((shallow, line) => {
    const { kind, found } = kindOf(line);
    return kind === "heading" ? Math.min(shallow, found[1].length) : shallow;
  }, 6);
  let before = level - 1;
  return (depth) => {
    before = Math.min(depth - least + level, before + 1, 6);
    return `h${before}`;
  };
}

export function markdown(source, level = 2) {
  // Whatever ends a line for a pattern ends it here: none of them looks twice at what it cannot cross.
  const lines = source.split(/\r\n?|[\n\u2028\u2029]/);
  const headingFor = outline(lines, level);
  const place = h("div.prose", { dir: "auto" });
  const add = (node) => {
    node.setAttribute("dir", "auto");
    place.append(node);
  };
  for (let at = 0; at < lines.length;) {
    const { kind, found } = kindOf(lines[at]);
    const same = run(lines, at, kind);
    let taken = Math.max(1, same.length);
    if (kind === "fence") {
      const last = fenceFrom(lines, at + 1);
      place.append(h("pre", { tabindex: "0" }, h("code", lines.slice(at + 1, last).join("\n"))));
      taken = last - at + 1;
    } else if (kind === "heading") {
      add(h(headingFor(found[1].length), inline(found[2])));
      taken = 1;
    } else if (kind === "ul" || kind === "ol")
      add(
        h(
          kind,
          same.map((item) => h("li", inline(item))),
        ),
      );
    else if (kind === "quote") add(h("blockquote", h("p", inline(same.join(" ")))));
    else if (kind === "table") add(tableOf(same));
    else if (kind === "rule") place.append(h("hr"));
    else if (kind === "text") add(h("p", inline(same.join("\n"))));
    at += taken;
  }
  return place;
}
