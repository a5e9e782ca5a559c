// A grid of thousands of cells: what is on the screen and a little around it is there, the rest once somebody comes to it.
import { h } from "./dom.js";
import { nameCell, taskCell, taskHead, totalCell } from "./gradebook_cells.js";
import { t } from "./i18n.js";

// So many rows and columns are there beyond what is seen, and so many rows are fetched before they are.
const [ROWS_AROUND, COLUMNS_AROUND, ROWS_AHEAD] = [8, 3, 60];
// Before the tasks there are the name and the total; above the rows, the heads.
const BEFORE = 2;
// So many pages more are fetched for who wants to be at the end.
const MOST_PAGES = 20;

// A length of the style sheet, which says them in rem.
const pixels = (node, name) => Number.parseFloat(getComputedStyle(node).getPropertyValue(name)) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

// From one number to another, and one more where it should be.
function withOne(from, to, one) {
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (one < from) return [one, ...numbers];
  return one > to ? [...numbers, one] : numbers;
}

export class Grid {
  // `book` has what is in it, `expected` says how many learners there may be, `explain` shows how a total comes about, `statistics` says where
  // those of a task are, `drawn` is told of every drawing.
  constructor(book, { label, show, groups, expected, explain, statistics, drawn }) {
    Object.assign(this, { book, show, groups, expected, explain, statistics, drawn });
    this.rows = new Map();
    this.active = { row: 1, column: 0 };
    this.head = h("div.gb-row.gb-head", { role: "row", "aria-rowindex": 1 });
    this.body = h("div.gb-body", { role: "rowgroup" });
    this.canvas = h("div.gb-canvas", h("div.gb-heads", { role: "rowgroup" }, this.head), this.body);
    const listeners = { onscroll: () => this.soon(), onkeydown: (event) => this.pressed(event), onfocusin: (event) => this.entered(event) };
    this.node = h("div.gb-grid", { role: "grid", "aria-label": label, "aria-readonly": "true", ...listeners }, this.canvas);
    this.rows.set(0, { node: this.head, cells: new Map() });
  }

  // Once it is on the page; where somebody was before, they are again.
  start(signal, place = null) {
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this.node);
    signal.addEventListener("abort", () => this.watch.disconnect(), { once: true });
    if (place && place.active.row <= this.book.rows.length && place.active.column < this.columns) this.active = place.active;
    this.measure();
    if (!place) return;
    this.node.scrollTo(place.along, place.top);
    this.draw();
  }

  get place() {
    return { top: this.node.scrollTop, along: this.node.scrollLeft, active: this.active };
  }

  get columns() {
    return BEFORE + this.book.total;
  }

  // How high it is: as many rows as there are, or will be as far as that is known.
  get count() {
    const here = this.book.rows.length;
    return this.book.isWhole ? here : Math.max(here + 1, this.expected);
  }

  measure() {
    const { node } = this;
    [this.high, this.top, this.named, this.summed, this.wide] = ["--row", "--top", "--named", "--summed", "--task"].map((name) => pixels(node, name));
    this.draw();
  }

  soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  // The rows and tasks that are seen, with what is around them.
  seen() {
    const { node, high, wide, named, summed, top } = this;
    // Where one reads from the right, the way from the start is counted below nothing.
    const along = Math.abs(node.scrollLeft);
    const row = Math.floor(node.scrollTop / high);
    const rows = [row, row + Math.ceil((node.clientHeight - top) / high)];
    const column = Math.floor((along - summed) / wide);
    const columns = [column, column + Math.ceil((node.clientWidth - named) / wide)];
    return {
      rows: [Math.max(0, rows[0] - ROWS_AROUND), Math.min(this.book.rows.length - 1, rows[1] + ROWS_AROUND)],
      columns: [Math.max(0, columns[0] - COLUMNS_AROUND), Math.min(this.book.total - 1, columns[1] + COLUMNS_AROUND)],
      until: rows[1] + ROWS_AHEAD,
    };
  }

  draw() {
    if (!this.node.isConnected || !this.high) return;
    const { rows, columns, until } = this.seen();
    this.book.want([rows[0], Math.min(until, this.count - 1)], columns);
    this.size();
    this.node.setAttribute("aria-rowcount", this.book.isWhole ? this.book.rows.length + 1 : -1);
    this.node.setAttribute("aria-colcount", this.columns);
    if (this.book.isLoading) this.node.setAttribute("aria-busy", "true");
    else this.node.removeAttribute("aria-busy");
    this.drawRows(rows, columns);
    this.drawn();
  }

  // As far as one can scroll.
  size() {
    this.canvas.style.inlineSize = `${this.named + this.summed + this.book.total * this.wide}px`;
    this.body.style.blockSize = `${this.count * this.high}px`;
  }

  // Rows stand in the order in which they are read. Where the focus is, there is always something.
  drawRows([from, to], columns) {
    const active = Math.min(this.active.row, this.book.rows.length);
    const wanted = withOne(from + 1, to + 1, active || from + 1).filter((at) => at <= this.book.rows.length);
    const left = new Set([0, ...wanted]);
    for (const [at, { node }] of this.rows) {
      if (left.has(at)) continue;
      node.remove();
      this.rows.delete(at);
    }
    this.drawCells(0, columns);
    let before = null;
    for (const at of wanted) {
      const isNew = !this.rows.has(at);
      if (isNew) this.rows.set(at, this.row(at));
      this.drawCells(at, columns);
      const { node } = this.rows.get(at);
      if (isNew) this.body.insertBefore(node, before ? before.nextSibling : this.body.firstChild);
      before = node;
    }
  }

  row(at) {
    const node = h("div.gb-row", { role: "row", "aria-rowindex": at + 1 });
    node.style.insetBlockStart = `${(at - 1) * this.high}px`;
    return { node, cells: new Map() };
  }

  drawCells(at, [from, to]) {
    const row = this.rows.get(at);
    const active = at === this.active.row ? this.active.column : 0;
    const key = [from, to, active, this.book.version].join();
    if (row.key === key) return;
    row.key = key;
    const wanted = [0, 1, ...withOne(from + BEFORE, to + BEFORE, Math.max(active, from + BEFORE)).filter((column) => column < this.columns)];
    const left = new Set(wanted);
    for (const [column, { cell }] of row.cells) {
      if (left.has(column)) continue;
      cell.remove();
      row.cells.delete(column);
    }
    let before = null;
    for (const column of wanted) before = this.drawCell(row, at, column, before);
  }

  // Behind the one before it; drawn anew where what it is about has become another.
  drawCell({ node, cells }, at, column, before) {
    const what = this.contentOf(at, column);
    let known = cells.get(column);
    if (!known) {
      known = { cell: this.cell(at, column), what: undefined };
      cells.set(column, known);
      node.insertBefore(known.cell, before ? before.nextSibling : node.firstChild);
    }
    if (known.what !== what) {
      known.cell.replaceChildren(...this.filled(at, column, what));
      known.what = what;
    }
    return known.cell;
  }

  // What a cell is about.
  contentOf(at, column) {
    if (column < BEFORE) return at ? this.book.rows[at - 1] : "head";
    return (at ? this.book.rows[at - 1].cells[column - BEFORE] : this.book.columns[column - BEFORE]) ?? null;
  }

  cell(at, column) {
    const role = at ? (column ? "gridcell" : "rowheader") : "columnheader";
    const kind = ["name", "total"][column] || "task";
    const isActive = at === this.active.row && column === this.active.column;
    const node = h(`div.gb-cell.gb-${kind}`, { role, "aria-colindex": column + 1, tabindex: isActive ? 0 : -1 });
    if (column >= BEFORE) node.style.insetInlineStart = `${this.named + this.summed + (column - BEFORE) * this.wide}px`;
    return node;
  }

  filled(at, column, what) {
    const { show, groups } = this;
    if (column < BEFORE) {
      if (!at) return [h("span.gb-in", h("b", t(column ? "gradebook.total" : "student")))];
      return column ? totalCell(what, show, this.explain) : nameCell(what);
    }
    if (at) return taskCell(what, show);
    return what ? taskHead(what, show, groups, this.statistics(what)) : [h("span.gb-in", t("loading"))];
  }

  // --- By keyboard and by mouse

  entered({ target }) {
    const cell = target.closest(".gb-cell");
    const row = cell && Number(cell.parentElement.getAttribute("aria-rowindex")) - 1;
    if (cell) this.activate(row, Number(cell.getAttribute("aria-colindex")) - 1);
  }

  // One cell alone is on the way of the Tab key.
  activate(row, column) {
    const tabindex = (value) => this.rows.get(this.active.row)?.cells.get(this.active.column)?.cell.setAttribute("tabindex", value);
    tabindex("-1");
    this.active = { row, column };
    tabindex("0");
  }

  // It is drawn where it is going to be seen, and then has the focus.
  go(row, column) {
    const to = { row: clamp(row, 0, this.book.rows.length), column: clamp(column, 0, this.columns - 1) };
    this.activate(to.row, to.column);
    this.size();
    this.reveal(to);
    this.draw();
    const { cell } = this.rows.get(to.row).cells.get(to.column);
    this.activate(to.row, to.column);
    cell.focus({ preventScroll: true });
    // Within the grid it is seen by now; where the grid is longer than the screen, the page follows.
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  reveal({ row, column }) {
    const { node, high, top, wide, named, summed } = this;
    if (row) {
      const [start, room] = [(row - 1) * high, node.clientHeight - top];
      node.scrollTop = clamp(node.scrollTop, start + high - room, start);
    }
    if (!column) return;
    const [start, width] = column < BEFORE ? [0, summed] : [summed + (column - BEFORE) * wide, wide];
    const along = clamp(Math.abs(node.scrollLeft), start + width - (node.clientWidth - named), start);
    node.scrollLeft = getComputedStyle(node).direction === "rtl" ? -along : along;
  }

  pressed(event) {
    if (event.altKey || event.metaKey) return;
    if (event.shiftKey) return event.key === "Enter" && !event.ctrlKey && this.opened(event, ".gb-more");
    const { row, column } = this.active;
    const onward = getComputedStyle(this.node).direction === "rtl" ? -1 : 1;
    const page = Math.max(1, Math.floor((this.node.clientHeight - this.top) / this.high) - 1);
    const last = this.columns - 1;
    const steps = event.ctrlKey
      ? { Home: [0, 0], End: [this.book.rows.length, last] }
      : {
          ArrowUp: [row - 1, column],
          ArrowDown: [row + 1, column],
          ArrowLeft: [row, column - onward],
          ArrowRight: [row, column + onward],
          Home: [row, 0],
          End: [row, last],
          PageUp: [Math.max(row - page, Math.min(row, 1)), column],
          PageDown: [row + page, column],
        };
    if (event.key === "Enter" && !event.ctrlKey) return this.opened(event);
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    this.go(...step);
    if (event.ctrlKey && event.key === "End" && !this.book.isWhole) this.toTheEnd();
  }

  // Whoever wants to be at the end waits until it is known, and is there unless they went elsewhere meanwhile.
  async toTheEnd() {
    const { row, column } = this.active;
    await this.book.onward(MOST_PAGES).catch(this.book.failed);
    if (this.active.row === row && this.active.column === column) this.go(this.book.rows.length, this.columns - 1);
  }

  // What is in the cell, unless it was pressed itself.
  opened(event, what = "a, button") {
    if (event.target.closest("a, button")) return;
    event.preventDefault();
    event.target.querySelector(what)?.click();
  }
}
