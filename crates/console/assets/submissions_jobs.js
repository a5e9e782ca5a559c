// Accepting, giving back and taking back: many rows by one request, followed to its end, stopped, and undone.
import { ApiError, freshKey, get, post, send } from "./api.js";
import { button, replace, say } from "./dom.js";
import { number } from "./format.js";
import { has, t } from "./i18n.js";
import { mayPass, patiently, pause } from "./many_writes.js";
import { complain, explain } from "./router.js";
import { Card, forget, keep, kept, leftList } from "./submissions_card.js";

// What is done is called so by the service, and by the words of the page.
const OPERATIONS = { accept: "approveSubmission", return: "returnSubmission", undo: "reopenSubmission" };
const FIRST_MS = 300;
const MOST_MS = 2000;
const SLOWER = 1.5;

// What is under way goes on when its page is left, and whoever comes back waits for the same.
const sending = new Map();

const isPending = ({ status }) => status === "pending";

const briefly = ({ counts, results }) => ({ counts, results: results.map(({ index, status, updated_at, error }) => ({ index, status, updated_at, error })) });

// Decided about only while it is as it was seen.
export const asSeen = ({ id, updated_at }) => ({ id, body: { if_updated_at: updated_at } });

// Why a row was left, in words.
function whyOf(error, name) {
  const known = [`submissions.${name}_${error.code}`, `submissions.row_${error.code}`].find(has);
  return known ? t(known) : explain(new ApiError(error.status, error));
}

class Job extends Card {
  get name() {
    return this.record.name;
  }

  // Once per key, whoever asks.
  async send() {
    const { record } = this;
    const { key, rows } = record;
    const ask = () => patiently(() => send("POST", "/v1/batch", { operation: OPERATIONS[record.name], rows }, key));
    if (!sending.has(key)) sending.set(key, ask().finally(() => sending.delete(key)));
    const answer = await sending.get(key);
    record.id = answer.id;
    // Of what was done at once the service keeps nothing.
    if (!answer.id) record.done = briefly(answer);
    keep(record);
    if (record.of) this.view.cards.get(record.of)?.replaced();
    if (record.of) forget({ key: record.of });
    return answer;
  }

  async run() {
    this.begin();
    try {
      await this.follow(await this.send());
      await this.over();
    } catch (error) {
      if (error.name === "AbortError" || this.signal.aborted) return;
      this.stuck(error, () => this.run());
    }
  }

  // What is known of it after a reload.
  async resume() {
    const { record } = this;
    if (sending.has(record.key)) return this.run();
    this.begin();
    if (!record.id && !record.done) return this.stuck(new ApiError(0, { code: "unreachable" }), () => this.run());
    try {
      const now = record.done || (await get(`/v1/batch/${record.id}`, {}, this.signal));
      await this.follow(now);
      if (isPending(now)) await this.over();
      else this.result();
    } catch (error) {
      if (error.name === "AbortError") return;
      // Seven days later nobody knows any more.
      if (error.status === 404) return this.drop();
      this.stuck(error, () => this.resume());
    }
  }

  begin() {
    const { rows } = this.record;
    this.heading.textContent = t(`submissions.doing_${this.name}`, { count: number(rows.length) });
    replace(this.acts);
    replace(this.details);
    this.progress(0, rows.length);
  }

  async follow(now) {
    const { record } = this;
    let wait = FIRST_MS;
    this.now = now;
    if (isPending(now)) this.stopping(() => post(`/v1/batch/${record.id}/stop`));
    while (isPending(this.now)) {
      this.progress(this.now.counts.succeeded + this.now.counts.failed, record.rows.length);
      await pause(wait);
      if (this.signal.aborted) return;
      wait = Math.min(wait * SLOWER, MOST_MS);
      try {
        this.now = await get(`/v1/batch/${record.id}`, {}, this.signal);
      } catch (error) {
        if (!mayPass(error)) throw error;
        wait = MOST_MS;
        this.text.textContent = t("submissions.unreachable");
      }
    }
  }

  // The list shows what came of it, and so does what is counted elsewhere.
  async over() {
    if (this.signal.aborted) return;
    this.result();
    say(this.text.textContent, this.left.length ? "plain" : "good");
    dispatchEvent(new Event("decided"));
    await this.view.again().catch(complain);
  }

  result() {
    const { rows } = this.record;
    const { results, counts } = this.now;
    const rest = rows.length - results.length;
    const found = results.map((one) => ({ ...one, id: rows[one.index].id }));
    this.written = found.filter(({ error }) => !error);
    this.left = found.filter(({ error }) => error).map((one) => ({ ...one, why: whyOf(one.error, this.name) }));
    this.bar.hidden = true;
    this.heading.textContent = t(`submissions.did_${this.name}`);
    const said = [
      t(`submissions.done_${this.name}`, { count: number(counts.succeeded), of: number(rows.length) }),
      this.left.length && t("submissions.left", { count: number(this.left.length) }),
      rest && t("submissions.stopped", { count: number(rest) }),
    ];
    this.text.textContent = said.filter(Boolean).join(" ");
    replace(this.details, leftList(this.left));
    replace(this.acts, this.undoing(), rest > 0 && this.going(rows.slice(results.length)), this.closing());
  }

  // Each as it is since: what somebody changed meanwhile is left.
  undoing() {
    const rows = this.written.filter((one) => one.updated_at).map(asSeen);
    const undo = () => {
      replace(this.acts, this.closing());
      start({ name: "undo", rows, of: this.record.key }, this.view);
    };
    return this.name !== "undo" && rows.length > 0 && button(t("review.undo"), undo, { icon: "back" });
  }

  going(rows) {
    const goOn = () => {
      replace(this.acts, this.undoing(), this.closing());
      start({ name: this.name, rows }, this.view);
    };
    return button(t("submissions.rest", { count: number(rows.length) }), goOn, { look: "quiet" });
  }

  // What was undone is told by what undid it.
  replaced() {
    this.node.remove();
    this.view.cards.delete(this.record.key);
  }
}

function show(card, view) {
  view.cards ??= new Map();
  view.cards.set(card.record.key, card);
  view.place.prepend(card.node);
  return card;
}

// Begins it. It is kept before it is asked for, so that a reload knows of it.
export function start(record, view) {
  const whole = { key: freshKey(), ...record };
  keep(whole);
  const card = show(new Job(whole, view), view);
  card.run();
  said(card, view);
}

// Whoever came by the keyboard is back in the list: it is said to them as well.
function said({ heading }, view) {
  heading.focus();
  view.said.textContent = heading.textContent;
}

export async function startGrading(record, view) {
  const { Grading } = await import("./submissions_ai.js");
  const whole = { key: freshKey(), ...record };
  const card = show(new Grading(whole, view), view);
  card.run();
  said(card, view);
}

// What was done before the page was left or loaded anew.
export async function resume(view) {
  const records = kept().toReversed();
  const isGrading = ({ name }) => name === "ai";
  const ai = records.some(isGrading) && (await import("./submissions_ai.js"));
  for (const record of records) show(isGrading(record) ? new ai.Grading(record, view) : new Job(record, view), view).resume().catch(complain);
}
