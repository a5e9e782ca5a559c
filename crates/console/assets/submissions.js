// Submissions: any of them found by what is known of it, and many decided about at once.
import { can, get, nextFilled, session } from "./api.js";
import { acting, button, empty, h, icon, replace, say, toggle } from "./dom.js";
import { addressOf, countOf, nothingFound } from "./finding.js";
import { number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { complain, problem, show } from "./router.js";
import { remember, setting } from "./settings.js";
import { sheet } from "./sheets.js";
import { BOXES_LISTEN, listen } from "./shortcuts.js";
import { askedIn, Filters, isSifted, queryOf, reasonNames } from "./submissions_filters.js";
import { personOf, Rows } from "./submissions_rows.js";
import { waysOf } from "./review_ways.js";
import { forgetWay } from "./way_back.js";

const PLACE = "#/submissions";
const PAGE = 100;
// The most that is done at once.
const MOST = 1000;
// So many pages are shown anew after something was done.
const MOST_PAGES = 5;
const WITH = "user";
const ACTIONS = [
  { name: "accept", key: "a", icon: "check", scope: "write:grades", look: "main" },
  { name: "return", key: "r", icon: "back", scope: "write:grades" },
  { name: "ai", key: "g", icon: "spark", scope: "ai:grade" },
  { name: "again", key: "n", icon: "again", scope: "ai:grade" },
];
// Come when somebody acts.
const acts = () => import("./submissions_acting.js");
const jobs = () => import("./submissions_jobs.js");

// What was selected where somebody was last, for whoever comes back from the desk.
let last = null;
const whose = () => `${session.me?.email} ${session.platform?.uuid}`;

// What is known of each that is selected, also where it is not shown: enough to say what will become of it.
const brief = ({ id, updated_at, user, assignment_id, status, review_status, blind, ai_status, content }) => {
  const isText = content?.type === "text";
  return { id, updated_at, name: personOf({ user }), assignment_id, status, review_status, blind, ai_status, isText };
};

class Selection {
  constructor(changed) {
    Object.assign(this, { changed, chosen: new Map() });
  }

  has(id) {
    return this.chosen.has(id);
  }

  get size() {
    return this.chosen.size;
  }

  // No more than can be done at once.
  set(items, isOn) {
    for (const one of items) {
      if (!isOn) this.chosen.delete(one.id);
      else if (this.has(one.id) || this.size < MOST) this.chosen.set(one.id, brief(one));
      else {
        say(t("submissions.most", { count: number(MOST) }), "plain");
        break;
      }
    }
    this.changed();
  }

  clear() {
    this.chosen.clear();
    this.changed();
  }
}

class View {
  constructor(asked, reasons, signal) {
    Object.assign(this, { signal, asked, turn: new AbortController() });
    this.actions = ACTIONS.filter(({ scope }) => can(scope));
    this.selection = this.actions.length ? new Selection(() => this.drawBar()) : null;
    this.filters = new Filters(asked, reasons, () => this.changed(), signal);
    this.host = h("div.stack");
    this.said = h("p.unseen", { role: "status" });
    this.place = h("div.stack.sb-jobs");
    this.bar = h("div.save-bar.sb-bar", { role: "toolbar", "aria-label": t("submissions.selected_actions"), hidden: true });
    this.ways = h("div", { hidden: true });
    this.node = h("div.stack", this.filters.node, this.ways, this.place, this.host, this.said, this.bar);
    this.drawWays();
    listen(this.keys(), signal, BOXES_LISTEN);
  }

  // --- The list

  // Pages of the assignment that is asked for.
  drawWays() {
    const { assignment } = this.asked;
    this.ways.hidden = !assignment;
    replace(this.ways, assignment && waysOf(assignment, () => this.here));
  }

  get here() {
    return addressOf(PLACE, this.asked);
  }

  changed() {
    history.replaceState(null, "", this.here);
    this.drawWays();
    this.selection?.clear();
    this.look().catch((error) => this.failed(error));
  }

  failed(error) {
    if (this.signal.aborted || error.name === "AbortError") return;
    if (error.status === 401) return show();
    this.host.removeAttribute("aria-busy");
    replace(this.filters.found);
    replace(this.host, problem(error, () => this.changed()));
  }

  // What was asked for before is no longer waited for.
  begin() {
    this.turn.abort();
    this.turn = new AbortController();
    return AbortSignal.any([this.signal, this.turn.signal]);
  }

  page(cursor, signal) {
    return nextFilled("/v1/submissions", { limit: PAGE, expand: WITH, ...queryOf(this.asked) }, cursor, signal);
  }

  async look() {
    const signal = this.begin();
    this.host.setAttribute("aria-busy", "true");
    const answer = await this.page(undefined, signal);
    if (signal.aborted) return;
    this.rows = new Rows(this.selection);
    this.more = h("div.more");
    this.rows.node.append(this.more);
    this.rows.node.addEventListener("click", (event) => this.opened(event));
    this.rows.add(answer.data);
    this.took(answer);
    replace(this.host, answer.data.length || answer.has_more ? this.rows.node : this.nothing());
    this.host.removeAttribute("aria-busy");
  }

  took({ next_cursor: cursor, has_more: hasMore }) {
    Object.assign(this, { cursor, hasMore });
    const next = () => this.further().catch(complain);
    replace(this.more, hasMore ? acting(t("more"), next, { look: "quiet" }) : null);
    const count = this.rows.items.length;
    replace(this.filters.found, count || hasMore ? countOf(count, hasMore) : t("find.nothing_title"));
    this.rows.draw();
  }

  async further() {
    const signal = AbortSignal.any([this.signal, this.turn.signal]);
    const answer = await this.page(this.cursor, signal);
    const first = this.rows.items.length;
    this.rows.add(answer.data);
    this.took(answer);
    say(t("more_loaded", { count: number(answer.data.length) }));
    // The button that was pressed may be gone.
    if (!this.hasMore || document.activeElement === document.body) this.rows.go(first);
  }

  // As much as was shown, as it stands now.
  async again() {
    const pages = Math.min(MOST_PAGES, Math.ceil(this.rows.items.length / PAGE));
    const signal = this.begin();
    const items = [];
    let answer;
    for (let at = 0; at < Math.max(1, pages); at += 1) {
      answer = await this.page(answer?.next_cursor, signal);
      items.push(...answer.data);
      if (!answer.has_more) break;
    }
    if (signal.aborted) return;
    if (!items.length) return this.look();
    this.rows.set(items);
    this.took(answer);
    if (!this.rows.node.isConnected) replace(this.host, this.rows.node);
  }

  nothing() {
    const { asked } = this;
    if (isSifted(asked)) return nothingFound(asked.q, () => this.filters.clear());
    return empty(t("submissions.none_title"), t("submissions.none"));
  }

  opened(event) {
    const row = event.target.closest("th a") && event.target.closest("tr");
    if (row) this.left = row.dataset.id;
  }

  // --- What is selected

  // All that match are walked through; nothing more of them is shown.
  async selectAll() {
    const signal = AbortSignal.any([this.signal, this.turn.signal]);
    this.selection.set(this.rows.items, true);
    let { cursor, hasMore } = this;
    while (hasMore && this.selection.size < MOST) {
      const { data, next_cursor: next, has_more: isMore } = await this.page(cursor, signal);
      if (signal.aborted) return;
      const room = MOST - this.selection.size;
      this.selection.set(data.slice(0, room), true);
      [cursor, hasMore] = [next, isMore || data.length > room];
    }
    this.rows.draw();
    this.isAll = !hasMore;
    this.drawBar();
    const count = number(this.selection.size);
    say(t(this.isAll ? "submissions.all_selected" : "submissions.first_selected", { count }), "plain");
  }

  clear() {
    const isInside = this.bar.contains(document.activeElement);
    this.selection.clear();
    this.rows?.draw();
    if (isInside && !this.rows?.go(Math.max(0, this.rows.current))) document.querySelector("#main h1")?.focus();
  }

  drawBar() {
    const { size } = this.selection;
    const isNew = this.bar.hidden;
    this.bar.hidden = !size;
    const said = size ? t("submissions.selected", { count: number(size) }) : "";
    if (this.said.textContent !== said) this.said.textContent = said;
    if (!size) return (this.isAll = false);
    if (isNew) this.fillBar();
    this.count.textContent = said;
    this.walk.hidden = !this.hasMore || this.isAll || size >= MOST;
  }

  fillBar() {
    const isOn = setting("shortcuts");
    const act = ({ name, key, ...look }) => {
      const node = button(t(`submissions.${name}`), () => this.act(name), { icon: look.icon, look: look.look, "aria-keyshortcuts": isOn ? key : null });
      if (isOn) node.append(h("kbd", { "aria-hidden": "true" }, key));
      return node;
    };
    this.count = h("span.sb-count");
    this.walk = acting(t("submissions.select_all"), () => this.selectAll().catch(complain), { look: "quiet", "aria-keyshortcuts": isOn ? "s" : null });
    if (isOn) this.walk.append(h("kbd", { "aria-hidden": "true" }, "s"));
    const label = t("submissions.unselect");
    const clear = h("button.button.quiet.sb-none", { type: "button", "aria-label": label, title: label, onclick: () => this.clear() }, icon("close"));
    replace(this.bar, this.count, clear, this.walk, h("span.sb-acts", this.actions.map(act)));
    this.count.textContent = this.said.textContent;
  }

  async act(name) {
    if (!this.selection?.size || !this.actions.some((one) => one.name === name)) return;
    const made = await acts().catch(complain);
    made?.ask(name, [...this.selection.chosen.values()], this).catch(complain);
  }

  // --- By keys

  keys() {
    const picking = this.selection && {
      x: (key, { shiftKey: isRange }) => this.rows?.toggle(isRange),
      s: () => this.rows?.items.length && this.selectAll().catch(complain),
      ...Object.fromEntries(ACTIONS.map(({ name, key }) => [key, () => this.act(name)])),
      Escape: () => this.selection.size && this.clear(),
    };
    return { j: () => this.step(1), k: () => this.step(-1), "?": () => this.help(), ...picking };
  }

  async help() {
    (await acts().catch(complain))?.showKeys(this.actions);
  }

  tools() {
    const turn = (isOn) => {
      remember("shortcuts", isOn);
      if (this.selection?.size) this.fillBar();
    };
    const help = button(t("keys.help"), () => this.help(), { look: "quiet", icon: "key" });
    return [toggle(t("keys.switch"), setting("shortcuts"), turn), help];
  }

  async step(by) {
    if (this.rows?.move(by) || by < 0 || !this.hasMore) return;
    await this.further().catch(complain);
  }

  // --- Coming and going

  async start() {
    this.signal.addEventListener("abort", () => this.leave(), { once: true });
    this.filters.fill().catch(complain);
    const { left } = this.cameBack ? last : {};
    const at = left ? this.rows.items.findIndex(({ id }) => id === left) : -1;
    if (at >= 0) this.rows.go(at);
    const { resume } = this.selection ? await jobs() : {};
    resume?.(this);
  }

  // Whoever comes back finds selected what was.
  restore() {
    this.cameBack = last?.place === location.hash && last.by === whose();
    if (!this.cameBack || !this.selection) return;
    this.selection.chosen = new Map(last.chosen);
    this.rows.draw();
    this.drawBar();
  }

  leave() {
    last = { place: this.here, by: whose(), chosen: this.selection?.chosen || new Map(), left: this.left };
  }
}

export async function submissions({ query, signal }) {
  const words = ["submissions", "desk", "finding", "ways"].map(useWords);
  const [reasons] = await Promise.all([reasonNames(), ...words, sheet("submissions.css")]);
  forgetWay();
  const view = new View(askedIn(query, reasons), reasons, signal);
  await view.look();
  view.restore();
  return { title: t("nav.submissions"), wide: true, actions: view.tools(), body: [view.node], after: () => view.start().catch(complain) };
}
