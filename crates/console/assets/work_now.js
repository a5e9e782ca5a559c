// What waits and runs in the background of this workspace: asked for anew while it changes, without a word of what stays as it is.
import { get } from "./api.js";
import { empty, facts, h, replace, section } from "./dom.js";
import { exactly, number, when } from "./format.js";
import { t, word } from "./i18n.js";
import { table } from "./lists.js";
import { explain } from "./router.js";
import { handbook } from "./work_health.js";

const amount = (name) => ({ label: t(`work.${name}`), class: "num", cell: (one) => number(one[name]) });

function waitingOf({ waiting, waiting_since: since }) {
  return h("div", number(waiting), since && h("div.hint", `${t("work.since")}: `, when(since)));
}

function byKind(kinds) {
  const columns = [
    { label: t("work.kind"), cell: ({ kind }) => word("work_kind", kind) },
    { label: t("work.waiting"), class: "num", cell: waitingOf },
    amount("running"),
    amount("later"),
    amount("given_up"),
  ];
  return h("div.card.flush", table(t("work.now"), columns, kinds).node);
}

function drawn(found) {
  if (!found.kinds.length) return [empty(t("work.idle_title"), t("work.idle"))];
  const sums = ["waiting", "running", "later", "given_up"].map((name) => [t(`work.${name}`), number(found[name])]);
  const isIdle = !found.waiting && !found.running && !found.later;
  return [facts(sums, "dl.facts.large"), isIdle && h("p", t("work.idle_line")), byKind(found.kinds), h("p.hint", t("work.words"))];
}

export class Now {
  constructor(signal) {
    Object.assign(this, { signal, isBusy: false, at: null });
    this.host = h("div.stack");
    this.said = h("p.unseen", { role: "status" });
    this.trouble = h("div", { role: "status" });
    // Apart from what comes and goes: who stands on it is not thrown off.
    this.help = h("p", { hidden: true }, handbook("jobs-were-given-up"));
    this.node = section(t("work.now"), this.trouble, this.host, this.help, this.said);
  }

  // Whether what is shown is how it stands.
  async refresh() {
    try {
      this.show(await get("/v1/background_work", {}, this.signal));
      this.at = Date.now();
      replace(this.trouble);
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.failed(error);
      return false;
    }
  }

  // Nothing is put in its place that says the same: who reads or marks it is left alone.
  show(found) {
    const fresh = replace(h("div"), drawn(found));
    if (fresh.textContent !== this.host.textContent) replace(this.host, [...fresh.childNodes]);
    this.help.hidden = !found.given_up;
    const isBusy = found.waiting + found.running > 0;
    if (this.isBusy !== isBusy) this.said.textContent = isBusy ? "" : t("work.over");
    this.isBusy = isBusy;
  }

  // Said once, and as long as it is so.
  failed(error) {
    const text = this.at ? t("work.stale", { when: exactly(this.at), why: explain(error) }) : explain(error);
    if (this.trouble.textContent !== text) replace(this.trouble, h("p.trouble", text));
  }
}
