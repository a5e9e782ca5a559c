// What failed and can be seen to: of each kind a table of the newest, what to do, and one sentence for those of which there is nothing.
import { acting, empty, h, replace, say, skeleton } from "./dom.js";
import { number } from "./format.js";
import { currentLanguage, t } from "./i18n.js";
import { table } from "./lists.js";
import { complain, problem } from "./router.js";
import { tryingAll } from "./work_again.js";
import { COLUMNS, Row } from "./work_rows.js";
import { SHOWN, SOURCES } from "./work_sources.js";

const MOST_FOLLOWED = 20;

class FailedList {
  constructor(source, signal) {
    Object.assign(this, { source, signal, rows: [], kept: [], cursor: undefined, hasMore: true, isTrying: false });
    this.title = t(`work.of_${source.name}`);
    this.table = table(this.title, COLUMNS(), []);
    [this.all, this.runs, this.more] = [h("div.row"), h("div"), h("div.more")];
    const heading = h("h3", { tabindex: "-1" }, this.title);
    this.further = h("p.hint", { hidden: true }, t("work.further"));
    this.node = h("section.section", h("div.row.spread", heading, this.all), this.runs, this.further, h("div.card.flush", this.table.node, this.more));
  }

  // As many as are shown at once, some of which may have come before.
  async load() {
    while (this.kept.length < SHOWN && this.hasMore) {
      const { data, has_more: hasMore, next_cursor: cursor } = await this.source.load(this.cursor, this.signal);
      Object.assign(this, { cursor, hasMore });
      this.kept.push(...data);
      if (!data.length) break;
    }
    const rows = this.kept.splice(0, SHOWN).map((item) => new Row(item, this.source, () => this.drawAll()));
    this.rows.push(...rows);
    this.table.add(rows);
    this.drawAll();
    return rows.length;
  }

  get isEmpty() {
    return !this.rows.length && !this.hasMore;
  }

  drawAll() {
    const hadFocus = this.all.contains(document.activeElement);
    replace(this.all, this.source.again && tryingAll(this));
    if (hadFocus) (this.all.querySelector("button") || this.node.querySelector("h3")).focus();
    const isMore = this.kept.length > 0 || this.hasMore;
    this.further.hidden = this.rows.length > 0;
    if (isMore !== Boolean(this.more.firstChild)) replace(this.more, isMore && acting(t("more"), () => this.next(), { look: "quiet" }));
  }

  async next() {
    try {
      const count = await this.load();
      say(t("more_loaded", { count: number(count) }));
      const first = this.rows[this.rows.length - count];
      if (!this.more.firstChild) (first?.name.querySelector("a") || this.node.querySelector("h3")).focus();
    } catch (error) {
      complain(error);
    }
  }

  async trying(run) {
    this.isTrying = true;
    this.drawAll();
    await run().catch(complain);
    this.isTrying = false;
    this.drawAll();
  }
}

const named = (sources) => new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(sources.map(({ name }) => t(`work.of_${name}`)));

export class Failed {
  constructor(signal) {
    Object.assign(this, { signal, lists: [] });
    this.host = h("div.aside");
    this.heading = h("h2", { tabindex: "-1" }, t("work.failed"));
    this.node = h("section.section", this.heading, h("p.quiet", t("work.failed_what")), this.host);
  }

  get followed() {
    return this.lists.flatMap(({ rows }) => rows).filter((row) => row.isFollowed);
  }

  get isBusy() {
    return this.followed.length > 0;
  }

  // Whether all could be read. What is being tried is not taken from under it.
  async load() {
    if (this.lists.some(({ isTrying }) => isTrying)) return true;
    this.host.setAttribute("aria-busy", "true");
    if (!this.lists.length) replace(this.host, skeleton(5));
    const readable = SOURCES.filter((source) => source.mayRead());
    const found = await Promise.all(readable.map((source) => this.listOf(source)));
    if (this.signal.aborted) return false;
    const hadFocus = this.host.contains(document.activeElement);
    this.lists = found.filter(({ list }) => list).map(({ list }) => list);
    replace(this.host, this.shown(found, readable));
    this.host.removeAttribute("aria-busy");
    if (hadFocus) this.heading.focus();
    return !found.some(({ failed }) => failed);
  }

  async listOf(source) {
    const list = new FailedList(source, this.signal);
    try {
      await list.load();
      return { source, node: list.node, list: list.isEmpty ? null : list };
    } catch (error) {
      const again = () => this.load().catch(complain);
      return { source, node: h("section.section", h("h3", list.title), problem(error, again)), failed: true };
    }
  }

  shown(found, readable) {
    const quiet = found.filter(({ list, failed }) => !list && !failed).map(({ source }) => source);
    const unread = SOURCES.filter((source) => !readable.includes(source));
    const there = found.filter(({ list, failed }) => list || failed);
    return [
      !there.length && quiet.length > 0 && empty(t("work.none_title"), t("work.none")),
      there.map(({ node }) => node),
      quiet.length > 0 && h("p.quiet", t("work.nothing_of", { names: named(quiet) })),
      unread.length > 0 && h("p.quiet", t("work.unread", { names: named(unread) })),
    ];
  }

  // Those that were not looked at for longest. Told together: how many are over by now.
  async follow() {
    const rows = this.followed.sort((one, other) => one.lookedAt - other.lookedAt).slice(0, MOST_FOLLOWED);
    const over = (await Promise.all(rows.map(async (row) => ((await row.follow()) ? row : null)))).filter(Boolean);
    if (!over.length || this.signal.aborted) return;
    const failed = over.filter(({ state }) => state === "failed").length;
    const said = t("work.ended", { done: number(over.length - failed), failed: number(failed) });
    say(over.length === 1 ? t(`work.ended_${failed ? "failed" : "done"}`, { name: over[0].called }) : said, failed ? "bad" : "good");
  }
}
