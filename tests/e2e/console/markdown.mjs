// The console's Markdown without a browser: what it makes, and that no text makes it look more often than a few times at
// each character. Looks are counted and not timed.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ASSETS = fileURLToPath(new URL("../../../crates/console/assets/", import.meta.url));
const LENGTH = 100_000;
// Looks at each character, at most, whatever the text: each kind of thing that is looked for has one walk over it.
const MOST_LOOKS = 40;

// As little of a page as the module needs, in the place of what makes its elements. What is an address that may be followed
// the page itself says.
const ELEMENTS = `
export { isWebAddress } from "./page.js";
class Element {
  constructor(tag, attributes, children) {
    Object.assign(this, { tag, attributes, children });
  }
  append(...children) {
    for (const child of children) this.children.push(child);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  get text() {
    return this.children.map((child) => (typeof child === "string" ? child : child.text)).join("");
  }
  get short() {
    const inner = this.children.map((child) => (typeof child === "string" ? child : child.short)).join("");
    const href = this.attributes.href ? " " + this.attributes.href : "";
    return "<" + this.tag + href + ">" + inner + "</" + this.tag + ">";
  }
}
export function h(selector, ...rest) {
  const isProps = rest[0] && typeof rest[0] === "object" && !Array.isArray(rest[0]) && !(rest[0] instanceof Element);
  const attributes = isProps ? rest.shift() : {};
  return new Element(selector.split(".")[0], { ...attributes }, rest.flat(Infinity));
}
`;

// The files say no more than that they are modules of a page: here they lie in a folder that says so.
async function load() {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-markdown-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, "dom.js"), ELEMENTS);
    writeFileSync(join(folder, "i18n.js"), "export const t = (key) => key;");
    copyFileSync(join(ASSETS, "dom.js"), join(folder, "page.js"));
    for (const name of ["markdown.js", "markdown_inline.js"]) copyFileSync(join(ASSETS, name), join(folder, name));
    const inside = (name) => import(pathToFileURL(join(folder, name)).href);
    return { ...(await inside("markdown.js")), ...(await inside("markdown_inline.js")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { markdown, pieces } = await load();

// A text that counts how often it is looked at.
class Counted {
  constructor(text) {
    this.inner = text;
    this.length = text.length;
    this.looks = 0;
  }
  charCodeAt(at) {
    this.looks += 1;
    return this.inner.charCodeAt(at);
  }
  slice(from, to) {
    this.looks += to - from;
    return this.inner.slice(from, to);
  }
}

const shown = (source) => markdown(source).children.map((child) => child.short).join("");

for (const [source, made] of [
  ["plain", "<p>plain</p>"],
  ["a **b** c", "<p>a <strong>b</strong> c</p>"],
  ["__b__ and *e*", "<p><strong>b</strong> and <em>e</em></p>"],
  ["**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
  ["__a\nb__", "<p>__a\nb__</p>"],
  ["a * b * c", "<p>a * b * c</p>"],
  ["`x` ``y`", "<p><code>x</code> `<code>y</code></p>"],
  ["`open", "<p>`open</p>"],
  ["[l](https://a.example) x", "<p><a https://a.example>l</a> x</p>"],
  ['[l](https://a.example "t") x', "<p><a https://a.example>l</a> x</p>"],
  ["[l](javascript:alert) x", "<p>l x</p>"],
  ["[l](open", "<p>[l](open</p>"],
  ["[](https://a.example)", "<p>[](https://a.example)</p>"],
  ["# A\n### B\n# C", "<h2>A</h2><h3>B</h3><h2>C</h2>"],
  ["- a\n- b\n\n1. c", "<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>"],
  ["> a\n> b", "<blockquote><p>a b</p></blockquote>"],
  ["```\na\n```\nb", "<pre><code>a</code></pre><p>b</p>"],
  ["```\na", "<pre><code>a</code></pre>"],
  ["---\n***", "<hr></hr>"],
  ["a\rb\r\nc", "<p>a\nb\nc</p>"],
]) {
  assert.equal(shown(source), made, JSON.stringify(source));
}

// What a piece is, as a pattern says it. On a short text that is quick enough to be asked.
const PATTERN = /(`+)([^`]+)\1|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)[^)]*\)/;
function byPattern(text) {
  const made = [];
  let rest = text;
  for (let found = PATTERN.exec(rest); found; found = PATTERN.exec(rest)) {
    const [all, , code, strong, low, em, label, target] = found;
    if (found.index) made.push(["text", rest.slice(0, found.index)]);
    if (code) made.push(["code", code]);
    else if (strong || low) made.push(["strong", strong || low]);
    else if (em) made.push(["em", em]);
    else made.push(["link", label, target]);
    rest = rest.slice(found.index + all.length);
  }
  if (rest) made.push(["text", rest]);
  return made;
}

let state = 20261123;
function below(limit) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % limit;
}
const LETTERS = ["*", "*", "**", "_", "__", "`", "`", "[", "]", "(", ")", "](", " ", "\n", "a", "b"];
for (let round = 0; round < 40_000; round += 1) {
  const text = Array.from({ length: below(18) }, () => LETTERS[below(LETTERS.length)]).join("");
  const made = pieces(text).map(({ kind, from, to, target }) => (target ? [kind, text.slice(from, to), target] : [kind, text.slice(from, to)]));
  assert.deepEqual(made, byPattern(text), JSON.stringify(text));
}

const UNITS = [
  "[a](", "[", "[[]", "](", "[a](b ", "(", "*", "**", "***", "* ", "*a", "**a", "**a*", "_", "__", "__a", "`", "`a", "``a`", "<", "<a ",
  "[a](b) ", "**a** ", "*a* ", "`a` ", "**`[*__", "a\n", "**a\n", "[a\n](", " ", "\\", "![", "[**", "*[`(", "__**", "| ",
];
for (const unit of UNITS) {
  const text = new Counted(unit.repeat(Math.ceil(LENGTH / unit.length)));
  const made = pieces(text);
  const looks = text.looks / text.length;
  assert.ok(looks <= MOST_LOOKS, `${JSON.stringify(unit)}: ${looks.toFixed(1)} looks at each character`);
  const ends = made.map(({ from, to }) => from <= to && to <= text.length);
  assert.ok(ends.every(Boolean), JSON.stringify(unit));
}

// The same through all of it, blocks included: what grew with the square would take minutes, and this is a fraction of a second.
const LINES = ["# a\n", "```\n", "- a\n", "  - a\n", "1. a\n", "> a\n", "> > a\n", "|a|b|\n", "| | ", "---\n", "- - ", "\n", " ", "\t\n", "- \r", "-  x\u2028", "# \r", "a\r"];
for (const unit of [...UNITS, ...LINES]) {
  const begun = performance.now();
  const made = markdown(unit.repeat(Math.ceil(LENGTH / unit.length)));
  const took = performance.now() - begun;
  assert.ok(made.text.length <= 2 * LENGTH, JSON.stringify(unit));
  assert.ok(took < 10_000, `${JSON.stringify(unit)} took ${took.toFixed(0)} ms`);
}
console.log("markdown: fine");
