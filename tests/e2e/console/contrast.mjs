// How far what is seen stands out from what is behind it (WCAG 2.2, contrast ratio), reckoned from the colours of base.css.
//
//   node contrast.mjs [--write]      prints the table in Markdown, or puts it into docs/design.md
import { readFile, readdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const ASSETS = new URL("../../../crates/console/assets/", import.meta.url);
const PAGE = new URL("../../../docs/design.md", import.meta.url);
const [BEGIN, END] = ["<!-- contrast -->", "<!-- /contrast -->"];
const LOOKS = ["light", "dark"];
const BOUNDS = { text: 4.5, large: 3, shape: 3, none: 0 };

// What stands in front, what is behind it, what it is, and where. A mixture is [one, share of it, the other].
const HOVERED = ["accent", 0.88, "ink"];
const BUSY_AT_MOST = ["accent", 0.42, "sunk"];
const CHOSEN_TEXT = ["accent", 0.18, "paper"];
const PAIRS = [
  ["ink", "ground", "text", "what is read on the page"],
  ["ink", "paper", "text", "cards, fields, dialogs, menus"],
  ["ink", "sunk", "text", "a row under the pointer, code, feedback"],
  ["ink", "wash", "text", "a selected row, an entry of a menu, a button under the pointer"],
  ["ink", "lit", "text", "a criterion that is chosen"],
  ["ink", "wait-wash", "text", "why something is held back"],
  ["ink", "marker", "text", "evidence that is marked, letters, what a version has and the other has not, what a search has found"],
  ["ink", "marker-soft", "text", "a quotation under the pointer"],
  ["ink", BUSY_AT_MOST, "text", "the warmest cell of a cohort"],
  ["ink", CHOSEN_TEXT, "text", "what is marked in the text of an editor"],
  ["ink", ["edge", 0.35, "paper"], "text", "the same while the focus is elsewhere"],
  ["soft", "ground", "text", "hints, what is above a title, a place in the navigation"],
  ["soft", "paper", "text", "hints on cards, placeholders, tools of an editor"],
  ["soft", "sunk", "text", "heads of tables, plain tags, notices"],
  ["soft", "wash", "text", "keys in a menu, what a selected row says beside its name"],
  ["soft", "lit", "text", "points of a criterion that is chosen"],
  ["soft", CHOSEN_TEXT, "text", "marks of Markdown in marked text"],
  ["accent", "ground", "text", "links, *Saved*"],
  ["accent", "paper", "text", "links on cards"],
  ["accent", "sunk", "text", "*Edit* in a row under the pointer"],
  ["accent", "wash", "text", "where one is, good tags, seals"],
  ["accent", "lit", "text", "what opens in a criterion that is chosen"],
  ["on-accent", "accent", "text", "the main button, what is counted, the way past the navigation"],
  ["on-accent", HOVERED, "text", "the main button under the pointer"],
  [["on-accent", 0.85, "accent"], "accent", "text", "the key on the main button"],
  ["bad", "ground", "text", "*Not saved*, what is wrong with a field"],
  ["bad", "paper", "text", "a button that destroys, what was taken out"],
  ["bad", "bad-wash", "text", "refusals, bad tags"],
  ["bad", "sunk", "text", "what is wrong with a choice"],
  ["bad", "wash", "text", "what is wrong with the right choice"],
  ["wait", "paper", "text", "late"],
  ["wait", "wait-wash", "text", "tags of what waits, warnings"],
  ["paper", "ink", "text", "what was said (toast)"],
  ["paper", "bad", "text", "what went wrong (toast)"],
  ["on-story", "story", "text", "beside the door"],
  [["on-story", 0.88, "story"], "story", "text", "the small words there"],
  ["edge", "ground", "shape", "the edge of a field, or of a button that is not quiet, on the page"],
  ["edge", "paper", "shape", "the same on a card"],
  ["accent", "ground", "shape", "where the focus is; a page of an assignment; the line where something will be dropped"],
  ["accent", "wash", "shape", "where the focus is, on what is selected"],
  ["bad", "paper", "shape", "the edge of a field that is wrong"],
  ["wait", "ground", "shape", "the edge of the choice between two versions"],
  ["ink", "sunk", "shape", "a figure on its scale"],
  ["line", "ground", "none", "hairlines: space parts what they part"],
  ["marker-line", "paper", "none", "the line under evidence: the letter behind it says the same"],
];

function channels(hex) {
  const full = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join("") : hex.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16));
}

// The colours of each look by their names.
export function coloursOf(css) {
  const colours = Object.fromEntries(LOOKS.map((look) => [look, {}]));
  for (const [, name, light, dark, same] of css.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)) {
    colours.light[name] ??= channels(light || same);
    colours.dark[name] ??= channels(dark || same);
  }
  return colours;
}

function colour(colours, wanted) {
  if (!Array.isArray(wanted)) return colours[wanted];
  const [one, share, other] = wanted;
  return colours[one].map((value, at) => Math.round(value * share + colours[other][at] * (1 - share)));
}

// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// Never rounded up over a bound.
const written = (value) => (Math.floor(value * 100) / 100).toFixed(2);
const named = (one) => (Array.isArray(one) ? `\`${one[0]}\` ${Math.round(one[1] * 100)} % over \`${one[2]}\`` : `\`${one}\``);

export function reckoned(css) {
  const colours = coloursOf(css);
  return PAIRS.map(([front, back, kind, where]) => {
    const ratios = LOOKS.map((look) => ratio(colour(colours[look], front), colour(colours[look], back)));
    return { front: named(front), back: named(back), kind, where, ratios, bound: BOUNDS[kind] };
  });
}

export function tableOf(rows) {
  const line = ({ front, back, where, ratios, bound }) => `| ${front} | ${back} | ${where} | ${ratios.map(written).join(" | ")} | ${bound || "–"} |`;
  return ["| In front | Behind | Where | Light | Dark | At least |", "|---|---|---|---:|---:|---:|", ...rows.map(line)].join("\n");
}

const stylesheet = () => readFile(new URL("base.css", ASSETS), "utf8");

// A colour that stands anywhere else is in no table.
async function strayColours() {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith(".css") && name !== "base.css");
  const sheets = await Promise.all(names.map(async (name) => [name, (await readFile(new URL(name, ASSETS), "utf8")).replace(/@media print \{.*?\n\}/gs, "")]));
  return sheets.flatMap(([name, css]) => [...css.matchAll(/:[^;{}]*(#[0-9a-f]{3,8})\b/gi)].map(([, hex]) => `${name} has a colour of its own, ${hex}`));
}

export async function contrastFindings() {
  const rows = reckoned(await stylesheet());
  const low = rows.filter(({ ratios, bound }) => ratios.some((one) => one < bound));
  const page = await readFile(PAGE, "utf8");
  const isSame = page.split(BEGIN)[1]?.split(END)[0].trim() === tableOf(rows);
  return [
    ...low.map(({ front, back, ratios, bound }) => `${front} on ${back} has ${ratios.map(written).join(" and ")}, ${bound} is the least`),
    ...(isSame ? [] : ["docs/design.md has other figures of contrast than base.css: node contrast.mjs --write"]),
    ...(await strayColours()),
  ];
}

async function main() {
  const table = tableOf(reckoned(await stylesheet()));
  if (!process.argv.includes("--write")) return console.log(table);
  const page = await readFile(PAGE, "utf8");
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]];
  return writeFile(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
