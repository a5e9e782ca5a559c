// AI at work on what was selected: a batch for each assignment, followed together.
import { ApiError, can, get, post, send } from "./api.js";
import { button, replace, say } from "./dom.js";
import { number, usd } from "./format.js";
import { has, t, useWords } from "./i18n.js";
import { nameOf } from "./names.js";
import { explain } from "./router.js";
import { isBusy } from "./batches.js";
import { everything } from "./lists.js";
import { mayPass, pause } from "./many_writes.js";
import { Card, keep, leftList } from "./submissions_card.js";
import { startGrading } from "./submissions_jobs.js";

const POLL_MS = 1500;
// As many as are asked about at once.
const MOST_PAGES = 10;

// What AI can be asked about: handed in as text, without a grade, and AI not at work on it.
export const canGrade = ({ status, isText, ai_status: ai, blind }) => status === "submitted" && isText && ai !== "pending" && !blind;

export const byAssignment = (chosen) => Map.groupBy(chosen.filter(canGrade), ({ assignment_id: id }) => id);

// What it would cost, as far as that is known: the mean of the newest grades of each assignment.
export async function costOf(groups) {
  const found = await Promise.all([...groups].map(async ([id, items]) => [await get(`/v1/assignments/${id}/ai`), items.length]));
  if (found.some(([{ cost_of_one_usd: one }]) => one === null)) return t("submissions.cost_unknown");
  const all = found.reduce((sum, [{ cost_of_one_usd: one }, count]) => sum + one * count, 0);
  return all ? t("submissions.cost", { all: usd(all) }) : t("submissions.cost_none");
}

const failureOf = ({ error_code: code, error_message: message }) => (has(`batch.error_${code}`) ? t(`batch.error_${code}`) : message || code);

export class Grading extends Card {
  // Those of one assignment after the other; what is refused for one is no reason to leave the others.
  async begin() {
    const { record } = this;
    for (const [at, one] of record.parts.entries()) {
      if (one.batch || one.refused) continue;
      try {
        const body = { filter: { submission_ids: one.ids } };
        one.batch = (await send("POST", `/v1/assignments/${one.assignment}/ai`, body, `${record.key}-${at}`)).newest.id;
      } catch (error) {
        if (mayPass(error)) throw error;
        one.refused = error.code === "invalid_state_transition" ? t("submissions.ai_busy") : explain(error);
      }
      keep(record);
    }
  }

  get batches() {
    return this.record.parts.filter(({ batch }) => batch);
  }

  get total() {
    return this.batches.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  // What was over before is told, and no more.
  async run(isNew = true) {
    this.heading.textContent = t("submissions.doing_ai", { count: number(this.record.parts.reduce((sum, { ids }) => sum + ids.length, 0)) });
    this.progress(0, this.total);
    try {
      await useWords("batches");
      keep(this.record);
      await this.begin();
      await this.follow();
      if (!this.signal.aborted) await this.over(isNew || this.wasBusy);
    } catch (error) {
      if (error.name !== "AbortError") this.stuck(error, () => this.run(isNew));
    }
  }

  resume() {
    return this.run(false);
  }

  async read() {
    this.now = await Promise.all(this.batches.map(({ batch }) => get(`/v1/batches/${batch}`, {}, this.signal)));
    const over = ({ items: { total, waiting, asked } }) => (total === null ? 0 : total - waiting - asked);
    this.progress(this.now.reduce((sum, one) => sum + over(one), 0), this.total);
  }

  async follow() {
    await this.read();
    this.wasBusy = this.now.some(isBusy);
    const stop = () => Promise.all(this.now.filter(isBusy).map(({ assignment_id: id }) => post(`/v1/assignments/${id}/ai/stop`)));
    if (this.wasBusy && can("ai:grade")) this.stopping(stop);
    while (this.now.some(isBusy)) {
      await pause(POLL_MS);
      if (this.signal.aborted) return;
      await this.read().catch((error) => {
        if (!mayPass(error)) throw error;
        this.text.textContent = t("submissions.unreachable");
      });
    }
  }

  async failures() {
    const failed = this.now.filter(({ items }) => items.failed);
    const lists = await Promise.all(failed.map(({ id }) => everything(`/v1/batches/${id}/items`, { state: "failed" }, this.signal, MOST_PAGES)));
    return lists.flatMap(({ data }) => data.map((item) => ({ id: item.submission_id, why: failureOf(item) })));
  }

  // Those of an assignment that AI could not be asked about.
  async refused() {
    const parts = this.record.parts.filter(({ refused }) => refused);
    const named = parts.map(async ({ assignment, ids, refused }) => {
      const why = `${(await nameOf(assignment)) || t("submissions.assignment")}: ${refused}`;
      return ids.map((id) => ({ id, why }));
    });
    return (await Promise.all(named)).flat();
  }

  // Those that AI was not asked about before it was stopped, by assignment.
  async unbegun() {
    const parts = this.now.map(async ({ id, items, assignment_id: assignment }) => {
      const { data } = items.waiting ? await everything(`/v1/batches/${id}/items`, { state: "waiting" }, this.signal, MOST_PAGES) : { data: [] };
      return { assignment, ids: data.map((item) => item.submission_id) };
    });
    return (await Promise.all(parts)).filter(({ ids }) => ids.length);
  }

  going(parts) {
    const count = parts.reduce((sum, { ids }) => sum + ids.length, 0);
    const goOn = () => {
      this.drop();
      startGrading({ name: "ai", parts }, this.view);
    };
    return count > 0 && can("ai:grade") && button(t("submissions.rest", { count: number(count) }), goOn, { look: "quiet" });
  }

  async over(isNews) {
    const left = [...(await this.refused()), ...(await this.failures())];
    const unbegun = await this.unbegun();
    const sum = (name) => this.now.reduce((all, { items }) => all + items[name], 0);
    const rest = sum("waiting") + sum("asked");
    this.bar.hidden = true;
    this.heading.textContent = t("submissions.did_ai");
    const said = [
      t("submissions.done_ai", { count: number(sum("graded")) }),
      left.length && t("submissions.left", { count: number(left.length) }),
      rest && t("submissions.not_awaited", { count: number(rest) }),
    ];
    this.text.textContent = said.filter(Boolean).join(" ");
    replace(this.details, leftList(left));
    replace(this.acts, this.going(unbegun), this.closing());
    if (!isNews) return;
    say(this.text.textContent, left.length ? "plain" : "good");
    dispatchEvent(new Event("decided"));
    await this.view.again();
  }
}
