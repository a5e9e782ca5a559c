// Sending an endpoint again what it missed. The service takes so many events at once; it is asked again until there are none left.
import { ApiError, post } from "./api.js";
import { acting, button, field, h, replace, say, tag } from "./dom.js";
import { formDialog } from "./dialogs.js";
import { exactly, number, zone } from "./format.js";
import { t } from "./i18n.js";
import { complain, explain, show } from "./router.js";
import { momentOf, typed } from "./zoned.js";

const DAY_MS = 86_400_000;
const MOST_DAYS = 30;
const TONES = { running: "wait", done: "good", stopped: "plain", failed: "bad" };

// By the id of their endpoint: they go on while somebody looks at other pages.
const all = new Map();

class Recovery {
  constructor({ id }, since) {
    Object.assign(this, { id, since, sent: 0, state: "running", why: "", draw: () => {}, before: Promise.resolve() });
  }

  // Whether there is more to be asked for.
  async step() {
    const { queued, has_more: hasMore } = await post(`/v1/webhook_endpoints/${this.id}/recover`, { since: this.since });
    this.sent += queued;
    return hasMore;
  }

  // Who goes on before the last request that was stopped has its answer waits for it.
  run() {
    this.before = this.before.then(() => this.#run());
    return this.before;
  }

  async #run() {
    try {
      this.why = "";
      this.state = "running";
      let hasMore = true;
      while (hasMore && this.state === "running") {
        this.draw();
        hasMore = await this.step();
      }
      if (!hasMore) this.state = "done";
    } catch (error) {
      Object.assign(this, { state: "failed", why: explain(error) });
    }
    this.draw();
    if (location.hash.split("?")[0] === `#/webhooks/${this.id}`) await show();
  }
}

// How far one is that went on, or what came of it; and what to do about it.
export function recoveryCard({ id }) {
  const one = all.get(id);
  if (!one) return null;
  const [head, status] = [h("div.row"), h("p", { role: "status" })];
  const again = () => one.run().catch(complain);
  const away = () => {
    all.delete(id);
    show();
  };
  const stop = () => {
    one.state = "stopped";
    one.draw();
  };
  const acts = {
    running: () => button(t("webhooks.stop"), stop, { look: "quiet" }),
    done: () => button(t("close"), away, { look: "quiet" }),
    stopped: () => [button(t("webhooks.go_on"), again, { look: "quiet" }), button(t("close"), away, { look: "quiet" })],
  };
  acts.failed = acts.stopped;
  one.draw = () => {
    const hadFocus = head.contains(document.activeElement);
    replace(head, tag(t(`webhooks.recovery_${one.state}`), TONES[one.state]), acts[one.state]());
    replace(status, t("webhooks.sent_so_far", { count: number(one.sent) }), one.why && ` ${one.why}`);
    if (hadFocus) head.querySelector("button")?.focus();
  };
  one.draw();
  return h("section.card.stack", h("h2", t("webhooks.recovering", { since: exactly(one.since) })), head, status);
}

function momentIn(input) {
  const moment = momentOf(input.value);
  const at = moment && Date.parse(moment);
  const isFit = at && at <= Date.now() && at >= Date.now() - MOST_DAYS * DAY_MS;
  if (!isFit) throw Object.assign(new ApiError(0, { message: t("webhooks.since_wrong") }), { at: "since" });
  return moment;
}

function ask(endpoint) {
  const [now, least] = [Date.now(), Date.now() - MOST_DAYS * DAY_MS];
  const bounds = { min: typed(least), max: typed(now), value: typed(now - DAY_MS) };
  const since = h("input.field.date", { type: "datetime-local", name: "since", required: true, ...bounds });
  const body = h("div.stack", h("p", t("webhooks.recover_what")), field(t("webhooks.since"), since, t("webhooks.since_hint", { zone: zone() })));
  formDialog(t("webhooks.recover"), body, t("webhooks.recover_go"), async () => {
    const one = new Recovery(endpoint, momentIn(since));
    // What is refused is refused here, and most that was missed is sent by this one request.
    if (!(await one.step())) {
      await show();
      return () => say(t("webhooks.recovered", { count: number(one.sent) }));
    }
    all.set(endpoint.id, one);
    await show();
    one.run().catch(complain);
    return null;
  });
}

export function recovering(endpoint) {
  if (endpoint.status !== "enabled") return h("p.hint", t("webhooks.recover_off"));
  if (all.get(endpoint.id)?.state === "running") return null;
  return acting(t("webhooks.recover"), () => ask(endpoint), { look: "quiet" });
}
