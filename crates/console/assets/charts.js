// Pictures of figures, drawn of SVG in the colours of the page. Whoever shows one has the same in a table: a picture says in a sentence what is on it, and no more.
import { h, svg } from "./dom.js";

const [LEAST, MOST] = [260, 720];
const PIXELS_OF_REM = 16;
// Of the text in a picture, as the sheet has it.
const SIZE = 13;

// Drawn for the room there is, so that words are as large as those around it however narrow that is; larger with the reader's type.
export function picture(signal) {
  const node = h("div.chart");
  let [draw, drawn] = [null, 0];
  const fit = () => {
    const zoom = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / PIXELS_OF_REM;
    const wide = Math.round(Math.max(LEAST, Math.min(MOST, node.clientWidth / zoom)));
    if (!draw || !node.clientWidth || wide === drawn) return;
    drawn = wide;
    node.replaceChildren(draw(wide));
  };
  const watch = new ResizeObserver(fit);
  watch.observe(node);
  signal.addEventListener("abort", () => watch.disconnect(), { once: true });
  const show = (next) => {
    [draw, drawn] = [next, 0];
    fit();
  };
  return { node, show };
}

let pen;

function widthOf(text) {
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d");
    pen.font = `600 ${SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  }
  return pen.measureText(text).width;
}

// As much of a text as there is room for.
function fitted(text, room) {
  if (widthOf(text) <= room) return text;
  const letters = Array.from(text);
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(`${letters.slice(0, middle).join("")}…`) <= room) least = middle;
    else most = middle - 1;
  }
  return `${letters.slice(0, least).join("").trimEnd()}…`;
}

// The ways along and down a picture. Where one reads from the right it begins there; the words turn by themselves.
function paper(width, height, label) {
  const isTurned = document.documentElement.dir === "rtl";
  const along = (x) => (isTurned ? width - x : x);
  return {
    along,
    whole: (...inside) => svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, inside),
    box: (look, x, y, wide, high) => svg("rect", { class: look, x: isTurned ? width - x - wide : x, y, width: wide, height: high }),
    line: (look, x1, y1, x2, y2) => svg("line", { class: look, x1: along(x1), y1, x2: along(x2), y2 }),
    // Isolated, so that what people wrote goes its own direction.
    text: (look, x, y, words, anchor = "start") => svg("text", { class: look, x: along(x), y, "text-anchor": anchor }, `\u2068${words}\u2069`),
  };
}

// --- How many are in each tenth

const TALL = { height: 250, top: 66, base: 218, side: 24 };
const EVERY = [1, 2, 5, 10];

// `bins` are counts, `edges` what stands between them and at both ends, `marks` are {share, label, look}: lines over the bars.
export function histogram(width, { bins, edges, marks, label, show }) {
  const { height, top, base, side } = TALL;
  const on = paper(width, height, label);
  const step = (width - 2 * side) / bins.length;
  const most = Math.max(1, ...bins);
  const tall = (count) => (count / most) * (base - top - 18);
  const middle = (at) => side + (at + 0.5) * step;
  const placed = (share) => side + share * (width - 2 * side);
  const widest = Math.max(...edges.map(widthOf));
  const every = EVERY.find((one) => one * step >= widest + 8) ?? bins.length;
  return on.whole(
    bins.map((count, at) => count > 0 && on.box("ch-bar", side + at * step + 1.5, base - tall(count), step - 3, tall(count))),
    on.line("ch-axis", side, base, width - side, base),
    ["ch-under", "ch-mark"].map((kind) => marks.map(({ share, look }, row) => on.line(`${kind} ${look}`, placed(share), 20 + row * 20, placed(share), base))),
    bins.map((count, at) => on.text("ch-count", middle(at), base - tall(count) - 6, show(count), "middle")),
    edges.map((edge, at) => at % every === 0 && on.text("ch-soft", side + at * step, base + 18, edge, "middle")),
    marks.map((mark, row) => markText(on, mark, placed(mark.share), 15 + row * 20, width)),
  );
}

// Beside the edge a word would be cut off.
function markText(on, { label }, x, y, width) {
  const half = widthOf(label) / 2 + 2;
  return on.text("ch-said", Math.max(half, Math.min(width - half, x)), y, label, "middle");
}

// --- A bar for each of several things, and beside it a mark on a scale from -1 to 1

const ROW = { high: 54, named: 15, bar: 24, thick: 14 };
const SHAPES = {
  tells: (x, y) => svg("circle", { class: "ch-dot", cx: x, cy: y, r: 6 }),
  weak: (x, y) => svg("circle", { class: "ch-dot ch-hollow", cx: x, cy: y, r: 6 }),
  wrong: (x, y) => svg("path", { class: "ch-dot ch-wrong", d: `M${x - 7} ${y - 6}h14l-7 13z` }),
};

// `rows` are {name, share, said, tells, told, look}; without a share or a mark there is what is said instead.
export function bars(width, { rows, label, ends }) {
  const room = Math.max(...rows.filter(({ share }) => share !== null).map(({ said }) => widthOf(said)), 0) + 8;
  const marked = Math.max(...rows.filter(({ tells }) => tells !== null).map(({ told }) => widthOf(told)), 0) + 16;
  const first = { from: 0, to: width * 0.56 - room };
  const second = { from: width * 0.62, to: width - marked };
  const foot = rows.length * ROW.high;
  const on = paper(width, foot + 20, label);
  const isScaled = rows.some(({ tells }) => tells !== null);
  const middle = (second.from + second.to) / 2;
  return on.whole(
    isScaled && on.line("ch-axis", middle, ROW.bar - 4, middle, foot - 8),
    rows.map((row, at) => [
      on.text("ch-said", 0, at * ROW.high + ROW.named, fitted(row.name, width)),
      shareOf(on, row, at * ROW.high, first),
      markOf(on, row, at * ROW.high, second, width),
    ]),
    isScaled && [second.from, middle, second.to].map((x, at) => on.text("ch-soft", x, foot + 12, ends[at], "middle")),
  );
}

function shareOf(on, { share, said }, top, { from, to }) {
  const y = top + ROW.bar;
  if (share === null) return on.text("ch-soft", from, y + 12, said);
  return [on.box("ch-track", from, y, to - from, ROW.thick), on.box("ch-bar", from, y, (to - from) * share, ROW.thick), on.text("ch-count", to + 8, y + 12, said)];
}

function markOf(on, { tells, told, look }, top, { from, to }, width) {
  const y = top + ROW.bar + ROW.thick / 2;
  if (tells === null) return told && on.text("ch-soft", from, y + 5, fitted(told, width - from));
  const x = from + ((tells + 1) / 2) * (to - from);
  return [on.line("ch-axis", from, y, to, y), SHAPES[look](on.along(x), y), on.text("ch-count", to + 12, y + 5, told)];
}
