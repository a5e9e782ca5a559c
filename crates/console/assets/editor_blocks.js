// Where a block of Markdown ends that must not be broken in two: code, a formula of its own, a table.
const OPENS = /^ {0,3}(`{3,}|~{3,}|\$\$(?!.*\$\$))/;
const ROW = /^\s*\|.*\|\s*$/;

// Whether a place is behind a row of a table, and in none of its cells.
export const endsRow = (line, at) => ROW.test(line.text) && !line.text.slice(at - line.from).trim();

const closes = (open, text) => (open === "$$" ? text.includes("$$") : new RegExp(`^ {0,3}${open}+\\s*$`).test(text));

// The mark of the block that is open after a line, where `open` was before it.
function after(open, text) {
  if (open) return closes(open, text) ? null : open;
  return text.match(OPENS)?.[1] || null;
}

// The last line of the block that `line` stands in; the line itself where it stands in none.
export function lastLine(doc, line) {
  let open = null;
  for (let number = 1; number <= line.number; number += 1) open = after(open, doc.line(number).text);
  let last = line;
  const goesOn = () => (open ? true : ROW.test(last.text) && ROW.test(doc.line(last.number + 1).text));
  while (last.number < doc.lines && goesOn()) {
    last = doc.line(last.number + 1);
    open = after(open, last.text);
    if (!open && !ROW.test(last.text)) break;
  }
  return last;
}
