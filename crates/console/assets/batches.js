// AI at work on many answers of an assignment at once: where that stands, how far it is, what could not be graded.
import { ApiError, get, post } from "./api.js";
import { button, h, own, say, tag } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { number, usd } from "./format.js";
import { has, t, word } from "./i18n.js";
import { complain, show } from "./router.js";

const POLL_MS = 1500;
const TONES = { running: "wait", ready: "wait", committing: "wait", undoing: "wait", committed: "good", done: "good" };

export function isBusy({ state }) {
  return ["running", "committing", "undoing"].includes(state);
}

export function stateOf({ state }) {
  return word("batch", `state_${state}`);
}

export function stateTag(batch) {
  return tag(stateOf(batch), TONES[batch.state]);
}

// What is done of what is under way, and of how many.
function done({ state, items }) {
  const { total, waiting, asked, graded, landed, left, undone, kept } = items;
  if (state === "committing") return [landed + left, landed + left + graded];
  if (state === "undoing") return [undone + kept, undone + kept + landed];
  return total === null ? null : [total - waiting - asked, total];
}

function said(batch) {
  const { kind, state, items } = batch;
  const [over, of] = done(batch) || [];
  if (of === undefined) return t(kind === "red_team" ? "batch.making" : "batch.collecting");
  const far = t(`batch.far_${state}`, { done: number(over), of: number(of) });
  return items.failed ? `${far} ${t("batch.failed", { count: number(items.failed) })}` : far;
}

async function follow(batch, signal, draw) {
  let now = batch;
  while (isBusy(now)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (signal.aborted) return;
    now = await get(`/v1/batches/${batch.id}`, {}, signal);
    draw(now);
  }
  say(stateOf(now), "plain");
  show();
}

// A batch while it is under way; the page is shown anew when that is over. `stop` is as `stopDialog` takes it, where it can be stopped.
export function progressCard(batch, { signal, stop }) {
  const status = h("p", { role: "status" });
  const bar = h("progress", { "aria-label": t("batch.progress") });
  const draw = (now) => {
    const [over, of] = done(now) || [];
    // Without a value it says that something is done, and not how far.
    if (of) Object.assign(bar, { max: of, value: over });
    if (status.textContent !== said(now)) status.textContent = said(now);
  };
  draw(batch);
  follow(batch, signal, draw).catch(complain);
  return h(
    "section.card.making",
    h("div.row.spread", h("h2", stateOf(batch)), stop && button(t("batch.stop"), () => stopDialog(batch, stop), { look: "quiet" })),
    bar,
    status,
    h("p.hint", t("batch.goes_on")),
  );
}

// Stops it; `what` says what comes of that, `path` is asked for it where that is not the batch's own.
function stopDialog(batch, { what, path = `/v1/batches/${batch.id}/stop` }) {
  confirmDialog(t("batch.stop_title"), what, t("batch.stop"), async () => {
    await inWords(() => post(path));
    say(t("batch.stopped"));
    return show;
  });
}

// What the service refuses by the state of a batch is told in the reader's language; `told` knows what else it may be.
export async function inWords(asking, told = () => null) {
  try {
    return await asking();
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === "invalid_state_transition";
    throw isRefused ? new ApiError(409, { message: told(error) || t("batch.moved_on") }) : error;
  }
}

// What grading costs here, by what is known of it: the mean of the newest grades.
export function priceOfOne(cost) {
  if (cost === null) return t("batch.price_unknown");
  return cost === 0 ? t("batch.price_none") : t("batch.price", { price: usd(cost) });
}

// What it did cost.
export function spent(cost) {
  if (cost === null) return t("batch.price_missing");
  return cost === 0 ? t("batch.nothing") : usd(cost);
}

// Why AI could not grade one; in the service's own words where this console has none.
export function failureOf({ error_code: code, error_message: message }) {
  return has(`batch.error_${code}`) ? h("span", t(`batch.error_${code}`)) : own("span", message || code);
}
