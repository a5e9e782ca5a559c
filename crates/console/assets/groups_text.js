// Two texts of nearly the same words: what one has and the other has not, word by word.
import { h } from "./dom.js";

// Comparing takes the words of one times those of the other; of longer texts the rest is shown as it is.
const MOST_WORDS = 600;

// Words, and what stands between them; languages without spaces have words too.
export function pieces(text) {
  if (!Intl.Segmenter) return text.split(/(\s+)/).filter(Boolean);
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), ({ segment }) => segment);
}

// Capitals and kinds of spaces make no other word.
function same(one, other) {
  const plain = (piece) => (/^\s+$/.test(piece) ? " " : piece.toLowerCase());
  return plain(one) === plain(other);
}

// lengths[i][j]: how many pieces both have in common, in order, from the i-th of one and the j-th of the other on.
function commonLengths(one, other, alike) {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i][j] = alike(one[i], other[j]) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  }
  return lengths;
}

// Steps from one row of pieces to the other: what is kept, added, or missing; neighbours of a kind are one.
export function stepsOf(one, other, alike) {
  const lengths = commonLengths(one, other, alike);
  const found = [];
  const add = (kind, text) => {
    if (found.at(-1)?.kind === kind) found.at(-1).text += text;
    else found.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && alike(one[i], other[j])) [i, j] = (add("kept", other[j]), [i + 1, j + 1]);
    else if (j >= other.length || (i < one.length && lengths[i + 1][j] >= lengths[i][j + 1])) add("missing", one[i++]);
    else add("added", other[j++]);
  }
  return found;
}

// The same of two texts, word by word.
export function steps(from, to) {
  const [one, other] = [pieces(from), pieces(to)];
  const rest = other.splice(MOST_WORDS).join("");
  one.splice(MOST_WORDS);
  const found = stepsOf(one, other, same);
  if (!rest) return found;
  if (found.at(-1)?.kind === "kept") found.at(-1).text += rest;
  else found.push({ kind: "kept", text: rest });
  return found;
}

// A text with what it has besides another, and with what it lacks of that.
export function compared(from, to) {
  const selectors = { added: "ins", missing: "del" };
  const part = ({ kind, text }) => (selectors[kind] && text.trim() ? h(selectors[kind], text) : kind === "missing" ? null : text);
  return h("div.writing.small", { dir: "auto" }, steps(from, to).map(part));
}
