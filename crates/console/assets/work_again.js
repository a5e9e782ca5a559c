// Trying again all that is shown of one kind: asked first, one after the other, with progress, a stop, and what was left and why.
import { acting, button, h, replace, say } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { mayPass, patiently, progressIn } from "./many_writes.js";
import { explain } from "./router.js";

class Run {
  constructor(rows, host, signal) {
    Object.assign(this, { rows, host, signal, asked: 0, settled: 0, left: [], isStopping: false });
    this.heading = h("h4", { tabindex: "-1" }, t("work.trying"));
    this.progress = progressIn();
    this.acts = h("div.row");
    this.details = h("div.stack.tight");
    replace(host, h("section.card.stack", h("div.row.spread", this.heading, this.acts), this.progress.node, this.details));
    this.heading.focus();
  }

  told() {
    const done = this.asked + this.settled + this.left.length;
    this.progress.show(t("work.far", { done: number(done), of: number(this.rows.length) }), done, this.rows.length);
  }

  async go() {
    const stop = () => (this.isStopping = true);
    replace(this.acts, button(t("work.stop"), stop, { look: "quiet" }));
    for (const row of this.rows) {
      this.told();
      if (this.signal.aborted) return;
      if (this.isStopping) this.leave(row, t("work.not_asked"));
      else await this.ask(row);
    }
    this.over();
  }

  // Who cannot be reached for one is not asked for the others.
  async ask(row) {
    try {
      await patiently(() => row.ask());
      if (["settled", "gone"].includes(row.state)) this.settled += 1;
      else this.asked += 1;
    } catch (error) {
      this.leave(row, explain(error));
      this.isStopping ||= mayPass(error);
    }
  }

  leave(row, why) {
    this.left.push({ row, why });
    row.leave(why);
  }

  over() {
    const hadFocus = this.acts.contains(document.activeElement);
    this.progress.hide();
    const said = t("work.tried", { asked: number(this.asked), settled: number(this.settled), left: number(this.left.length) });
    const close = () => {
      this.host.closest(".section").querySelector("h3").focus();
      replace(this.host);
    };
    this.heading.textContent = t("work.tried_title");
    const one = ({ row, why }) => h("li", h("bdi", row.called), ": ", why);
    replace(this.details, h("p", said), this.left.length > 0 && h("ul.plain", this.left.map(one)));
    replace(this.acts, button(t("close"), close, { look: "quiet" }));
    if (hadFocus) this.heading.focus();
    say(said, this.left.length ? "plain" : "good");
  }
}

// Those that are shown, and no others: whoever agrees knows which.
export function tryingAll(list) {
  const rows = list.rows.filter((row) => row.mayTry);
  const { isRemoval, isAlone, spends } = list.source.again;
  if (rows.length < 2 || list.isTrying || isRemoval || isAlone) return null;
  const count = number(rows.length);
  const start = async () => {
    const still = rows.filter((row) => row.mayTry);
    return () => list.trying(() => new Run(still, list.runs, list.signal).go());
  };
  const what = t(spends ? "work.all_what_ai" : "work.all_what", { count });
  const ask = () => confirmDialog(t("work.all_title", { what: list.title }), what, t("work.all", { count }), start, "main");
  return acting(t("work.all", { count }), ask, { look: "quiet", icon: "again", "aria-label": `${t("work.all", { count })}: ${list.title}` });
}
