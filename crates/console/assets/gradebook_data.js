// What of a book of grades is here by now: rows by pages of learners, and of each row the tasks by pages of tasks, fetched as somebody looks and kept.
import { get } from "./api.js";

const [ROWS, COLUMNS] = [100, 100];

export class Book {
  // `told` hears when something came, `failed` why it did not.
  constructor(cohort, asked, signal, { told, failed }) {
    Object.assign(this, { path: `/v1/cohorts/${cohort.id}/gradebook`, asked, signal, told, failed });
    this.rows = [];
    this.columns = [];
    // Of learners: by which cursor a page comes, and which rows are on it. Of tasks: behind which a page begins, and which columns are on it.
    this.pages = [{ cursor: null, first: 0, ids: new Map() }];
    this.parts = [{ after: null, first: 0, count: 0 }];
    this.blocks = new Map();
    this.underWay = this.version = 0;
    this.isBroken = false;
  }

  // Whether all learners are known.
  get isWhole() {
    return !this.pages.at(-1).cursor && this.pages.length > 1;
  }

  get isLoading() {
    return this.underWay > 0;
  }

  // The first page, which says what there is at all.
  async begin() {
    await this.load(0, 0);
    return this;
  }

  // Sees to it that these rows and columns come, as far as it is known by now how they are asked for.
  want([fromRow, toRow], [fromColumn, toColumn]) {
    if (this.isBroken) return;
    const pages = this.pages.filter((page, at) => this.isPage(at) && page.first <= toRow && (page.count ?? ROWS) + page.first > fromRow);
    const parts = this.parts.filter((part, at) => this.isPart(at) && part.first <= toColumn && (!part.count || part.first + part.count > fromColumn));
    for (const page of pages) for (const part of parts) this.ensure(this.pages.indexOf(page), this.parts.indexOf(part));
    // Where rows or columns are wanted that nobody knows the way to, the ways before them come first.
    const last = this.pages.length - 1;
    if (this.isPage(last) && toRow >= this.rows.length) this.ensure(last, 0);
  }

  again() {
    this.isBroken = false;
    this.told();
  }

  // All tasks of the course, also those that nobody has looked at.
  async allColumns() {
    for (let at = this.parts.length - 1; this.isPart(at); at = this.parts.length - 1) await this.load(0, at);
    return this.columns;
  }

  // All learners, or so many pages more.
  async onward(most) {
    for (let count = 0; !this.isWhole && count < most; count += 1) await this.load(this.pages.length - 1, 0);
  }

  isPage(at) {
    return at === 0 || Boolean(this.pages[at].cursor);
  }

  isPart(at) {
    return at === 0 || Boolean(this.parts[at].after);
  }

  ensure(page, part) {
    if (this.blocks.has(`${page} ${part}`)) return;
    this.load(page, part).then(this.told, (error) => {
      this.isBroken = true;
      this.told();
      this.failed(error);
    });
  }

  // What is here or under way is not asked for again.
  load(page, part) {
    const key = `${page} ${part}`;
    if (!this.blocks.has(key)) {
      const coming = this.fetched(page, part);
      this.blocks.set(key, coming);
      coming.catch(() => this.blocks.delete(key));
    }
    return this.blocks.get(key);
  }

  async fetched(page, part) {
    this.underWay += 1;
    try {
      const query = { limit: ROWS, columns: COLUMNS, columns_after: this.parts[part].after, startingAfter: this.pages[page].cursor, ...this.asked };
      this.keep(page, part, await get(this.path, query, this.signal));
    } finally {
      this.underWay -= 1;
    }
  }

  keep(page, part, answer) {
    this.version += 1;
    this.keepColumns(part, answer);
    this.keepRows(page, answer);
    const { first } = this.parts[part];
    const { ids } = this.pages[page];
    for (const { id, cells } of answer.data) {
      const row = ids.get(id);
      if (row) for (const [at, cell] of cells.entries()) row.cells[first + at] = cell;
    }
  }

  keepColumns(part, { columns, columns_total: total, columns_after: after, scheme, course_id: course }) {
    Object.assign(this, { total, scheme, course });
    if (this.parts[part].count) return;
    this.parts[part].count = columns.length;
    this.columns.push(...columns);
    // The last has no page behind it, and one that says nothing new leads nowhere.
    this.parts.push({ after: columns.length ? after : "", first: this.columns.length, count: 0 });
  }

  // Rows stay as they were first told: what else comes of them are their cells.
  keepRows(page, { data, has_more: hasMore, next_cursor: next }) {
    const kept = this.pages[page];
    if (kept.count !== undefined) return;
    kept.count = data.length;
    for (const row of data) {
      const one = { ...row, cells: [] };
      kept.ids.set(row.id, one);
      this.rows.push(one);
    }
    this.pages.push({ cursor: hasMore ? next : null, first: this.rows.length, ids: new Map() });
  }
}
