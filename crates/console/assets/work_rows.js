// One thing that failed: said in its row, tried again, and followed until it is over.
import { ApiError, freshKey } from "./api.js";
import { acting, h, replace, say, tag } from "./dom.js";
import { when } from "./format.js";
import { t } from "./i18n.js";
import { secretDialog } from "./dialogs.js";
import { complain, explain } from "./router.js";

const TONES = { pending: "wait", done: "good", gone: "plain", settled: "plain" };
const isGone = (error) => error instanceof ApiError && error.status === 404;

export class Row {
  constructor(item, source, changed) {
    Object.assign(this, { item, source, changed, state: "failed", key: freshKey(), left: "", lookedAt: 0 });
    this.name = h("div.stack.tight", source.cell(item));
    this.about = h("div.stack.tight");
    this.act = h("div.row");
    this.at = h("span");
    this.draw();
  }

  get called() {
    return this.source.called(this.item);
  }

  get mayTry() {
    const { again } = this.source;
    return this.state === "failed" && Boolean(again?.may() && again.fits(this.item));
  }

  get isFollowed() {
    return this.state === "pending";
  }

  // What was pressed goes: its row keeps the focus.
  draw() {
    const hadFocus = this.act.contains(document.activeElement);
    const isFailed = this.state === "failed";
    const said = isFailed ? this.source.why(this.item) : h("div", tag(t(`work.is_${this.state}`), TONES[this.state]));
    replace(this.at, when(this.item.updated_at));
    replace(this.about, said, this.left && h("p.trouble", this.left));
    replace(this.act, this.mayTry ? this.button() : this.source.elsewhere?.(this.item));
    if (!hadFocus || this.act.contains(document.activeElement)) return;
    const place = this.act.querySelector("button, a") || this.name.querySelector("a") || this.name;
    if (place === this.name) place.tabIndex = -1;
    place.focus();
  }

  button() {
    const { label, isRemoval } = this.source.again;
    const run = () => this.pressed().catch(complain);
    return acting(t(label), run, { look: "quiet", class: "small", icon: isRemoval ? null : "again", "aria-label": `${t(label)}: ${this.called}` });
  }

  async pressed() {
    try {
      const url = await this.ask();
      say(t(`work.said_${this.state}`, { name: this.called }), this.state === "failed" ? "bad" : "good");
      if (url) secretDialog(t("work.link_title", { name: this.called }), t("work.link_what"), url);
    } catch (error) {
      this.leave(explain(error));
      throw error;
    }
  }

  set(state, item = this.item) {
    Object.assign(this, { state, item, left: "" });
    this.draw();
    this.changed(this);
  }

  leave(why) {
    this.left = why;
    this.draw();
  }

  // How it is by now; nothing is done again that somebody else has seen to meanwhile. A link is handed back where there is one to be shown.
  async ask() {
    const { again } = this.source;
    const now = await this.now();
    if (!now) return null;
    if (again.stateOf(now) !== "failed") {
      this.set(again.stateOf(now) === "pending" ? "pending" : "settled", now);
      return null;
    }
    const made = await again.run(now, this.key);
    this.key = freshKey();
    if (again.isRemoval) this.set("gone");
    else this.set(again.stateOf(made), { ...now, ...made });
    return made.url || null;
  }

  async now() {
    try {
      return await this.source.again.now(this.item);
    } catch (error) {
      if (!isGone(error)) throw error;
      this.set("gone");
      return null;
    }
  }

  // Whether it is over. What cannot be asked now is asked the next time.
  async follow() {
    this.lookedAt = Date.now();
    const found = await this.now().catch(() => undefined);
    if (!found) return this.state !== "pending";
    const state = this.source.again.stateOf(found);
    if (state === "pending") return false;
    this.set(state, found);
    return true;
  }
}

export const COLUMNS = () => [
  { label: t("work.what"), cell: ({ name }) => name },
  { label: t("work.why"), cell: ({ about }) => about },
  { label: t("work.at"), cell: ({ at }) => at },
  { label: t("actions"), hiddenLabel: true, class: "acts", cell: ({ act }) => act },
];
