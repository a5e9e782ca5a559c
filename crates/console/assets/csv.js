// Tables as files of comma-separated values (RFC 4180), for table programs and from them.
import { h } from "./dom.js";

// A table program takes what begins like this for a formula, and runs it. An apostrophe before it is taken away again when it is read.
const FORMULA = /^'*[=+\-@\t\r]/;
const DEFUSED = /^'+[=+\-@\t\r]/;

function written(value) {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  // A number is none, though it may begin like one.
  const safe = typeof value !== "number" && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

// With the mark by which such programs know UTF-8.
export function sheet(columns, rows) {
  return `\ufeff${[columns.join(","), ...rows.map((row) => row.map(written).join(","))].join("\r\n")}\r\n`;
}

// Letters, numbers and what every system takes in the name of a file.
export const fileNameOf = (name) => name.replace(/[^\p{L}\p{N}\p{M}]+/gu, "-").replace(/^-|-$/g, "");

export function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Where commas are for decimals, programs part by semicolons.
function parting(text) {
  const first = text.split(/[\r\n]/, 1)[0];
  const count = (sign) => first.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

const PIECES = { ",": /"|,|\r\n|\r|\n|[^",\r\n]+/g, ";": /"|;|\r\n|\r|\n|[^";\r\n]+/g, "\t": /"|\t|\r\n|\r|\n|[^"\t\r\n]+/g };
const isEnd = (piece) => piece === "\r\n" || piece === "\n" || piece === "\r";

// Rows with the line that each begins in, and where a quotation mark stands wrong: there reading ends.
export function parsed(file) {
  const text = file.replace(/^\ufeff/, "");
  const sign = parting(text);
  const rows = [];
  let [line, row, cell, isQuoted, isClosed, opened] = [1, null, "", false, false, 0];
  const endCell = () => {
    row.cells.push(DEFUSED.test(cell) ? cell.slice(1) : cell);
    [cell, isClosed] = ["", false];
  };
  for (const [piece] of text.matchAll(PIECES[sign])) {
    row ??= { line, cells: [] };
    if (isQuoted) {
      if (piece === '"') [isQuoted, isClosed] = [false, true];
      else cell += piece;
    } else if (piece === '"') {
      // Twice within marks it stands for itself.
      if (isClosed) [cell, isQuoted] = [`${cell}"`, true];
      else if (cell === "") [isQuoted, opened] = [true, line];
      else return { rows, broken: line };
    } else if (piece === sign) endCell();
    else if (isEnd(piece)) {
      endCell();
      rows.push(row);
      row = null;
    } else if (isClosed) return { rows, broken: line };
    else cell += piece;
    if (isEnd(piece)) line += 1;
  }
  if (isQuoted) return { rows, broken: opened };
  if (row) {
    endCell();
    rows.push(row);
  }
  return { rows, broken: null };
}
