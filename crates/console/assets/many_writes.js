// Many writes by one request, followed to their end, and asking again where that does no harm.
import { ApiError, freshKey, get, post, send } from "./api.js";
import { h } from "./dom.js";
import { complain } from "./router.js";

export const MOST_ROWS = 1000;
const TRIES_MS = [500, 1500, 4000];
const FIRST_MS = 300;
const MOST_MS = 2000;
const SLOWER = 1.5;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// No answer, or one that says that another try may have one.
export const mayPass = (error) => error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

export async function patiently(ask) {
  for (const wait of TRIES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(wait);
    }
  }
  return ask();
}

// What came of each row, in their order. `told` hears how many are done. Once `signal` is aborted what was not begun is left, and has no
// result; by the same `key` the same rows are not written twice.
export async function writeMany(operation, rows, { key = freshKey(), dryRun = false, told = () => {}, signal } = {}) {
  let now = await patiently(() => send("POST", "/v1/batch", { operation, rows, dry_run: dryRun }, dryRun ? freshKey() : key));
  let isStopping = false;
  for (let wait = FIRST_MS; now.status === "pending"; wait = Math.min(wait * SLOWER, MOST_MS)) {
    told(now.counts.succeeded + now.counts.failed);
    if (signal?.aborted && !isStopping) {
      isStopping = true;
      await post(`/v1/batch/${now.id}/stop`).catch(complain);
    }
    await pause(wait);
    const path = `/v1/batch/${now.id}`;
    now = await patiently(() => get(path));
  }
  told(now.results.length);
  return now.results;
}

// How far it is, for a dialog; nothing to be seen before it begins.
export function progressIn() {
  const bar = h("progress", { max: 1, value: 0 });
  const text = h("p.hint");
  const node = h("div.stack.tight", { hidden: true }, bar, text);
  const show = (said, done, of) => {
    node.hidden = false;
    bar.setAttribute("aria-label", said);
    Object.assign(bar, { max: of || 1, value: done });
    text.textContent = said;
  };
  return { node, show, hide: () => (node.hidden = true) };
}

// What is under way in a dialog is stopped with it.
export function untilClosed(dialog) {
  const turn = new AbortController();
  dialog.addEventListener("close", () => turn.abort(), { once: true });
  return turn.signal;
}
