// A small Markdown, straight into elements: nothing an author writes is ever read as markup of the page.
import { h } from "./dom.js";

const INLINE = /(`+)([^`]+)\1|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)[^)]*\)/;

export function isWebAddress(address) {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

function inline(text) {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index) nodes.push(rest.slice(0, found.index));
    const [all, , code, strong, strong2, em, label, target] = found;
    if (code) nodes.push(h("code", code));
    else if (strong || strong2) nodes.push(h("strong", inline(strong || strong2)));
    else if (em) nodes.push(h("em", inline(em)));
    else nodes.push(isWebAddress(target) ? h("a", { href: target, rel: "noopener noreferrer nofollow", target: "_blank" }, label) : label);
    rest = rest.slice(found.index + all.length);
  }
  if (rest) nodes.push(rest);
  return nodes;
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

// Lines from `at` on that are of this kind.
function run(lines, at, kind) {
  const found = [];
  for (let next = at; next < lines.length; next += 1) {
    const one = kindOf(lines[next]);
    if (one.kind !== kind) break;
    found.push(one.found ? one.found[1] : lines[next]);
  }
  return found;
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
  const depths = lines.flatMap((line) => (kindOf(line).kind === "heading" ? [kindOf(line).found[1].length] : []));
  const least = Math.min(...depths);
  let before = level - 1;
  return (depth) => {
    before = Math.min(depth - least + level, before + 1, 6);
    return `h${before}`;
  };
}

export function markdown(source, level = 2) {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
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
      const end = lines.findIndex((line, place_) => place_ > at && kindOf(line).kind === "fence");
      const last = end < 0 ? lines.length : end;
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
