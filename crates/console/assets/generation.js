// A generation while it runs: told by the service as it goes on, or asked for where it does not tell.
import { can, get, post, stream } from "./api.js";
import { acting, h, own, replace, say, tag } from "./dom.js";
import { infoDialog } from "./dialogs.js";
import { number } from "./format.js";
import { t, word } from "./i18n.js";
import { complain } from "./router.js";

const POLL_MS = 1500;
const MOST_SHOWN = 30;
const TONES = { ready: "good", pending: "wait", error: "bad" };

function pause(signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

// Every state of a generation until it is over. A stream that breaks off, or is not there, is polled on.
export async function* states(id, signal) {
  try {
    for await (const { data } of stream(`/v1/generations/${id}/stream`, signal)) {
      yield data;
      if (data.status !== "pending") return;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (![0, 404, 405, 406].includes(error.status ?? 0)) throw error;
  }
  while (!signal.aborted) {
    const now = await get(`/v1/generations/${id}`, {}, signal);
    yield now;
    if (now.status !== "pending") return;
    await pause(signal);
  }
}

function stepList(generation) {
  return h(
    "ul.steps",
    generation.steps.map((step) => h("li", tag(step.key.replace("/", " "), TONES[step.status]))),
  );
}

// `finished` is called when it is ready, `over` when it ended otherwise; without that it is said here.
export function generationPanel(generation, signal, finished, over = null) {
  const status = h("p", { role: "status" });
  const bar = h("progress", { "aria-label": t("making.progress"), max: 1 });
  const steps = h("div");
  const cancel = can("ai:generate")
    ? acting(
        t("making.cancel"),
        async () => {
          try {
            await post(`/v1/generations/${generation.id}/cancel`);
          } catch (error) {
            complain(error);
          }
        },
        { look: "quiet" },
      )
    : null;
  const box = h("section.card.making", h("div.row.spread", h("h2", t("making.running")), cancel), bar, status, steps);
  const draw = (now) => {
    const { completed, total } = now.progress;
    bar.max = Math.max(total, 1);
    if (total) bar.value = completed;
    status.textContent = t("making.steps", { done: number(completed), total: number(total) });
    replace(steps, stepList(now));
  };
  draw(generation);
  follow(generation.id, signal, draw, (end) => ended(end, box, finished, over)).catch((error) => {
    complain(error);
  });
  return box;
}

async function follow(id, signal, draw, end) {
  for await (const now of states(id, signal)) {
    draw(now);
    if (now.status !== "pending") end(now);
  }
}

// What a draft that replaces left as it was, and why.
function keptDialog({ kept, kept_count: count }) {
  const shown = kept.slice(0, MOST_SHOWN);
  const piece = (one) => h("li", h("span.quiet", `${word("piece", one.object)} `), own("b", one.name), h("span.quiet", ` – ${word("kept", one.reason)}`));
  const body = h(
    "div.stack",
    h("p", t("making.kept", { count: number(count) })),
    h("ul", shown.map(piece), count > shown.length && h("li.quiet", t("making.kept_more", { count: number(count - shown.length) }))),
  );
  infoDialog(t("making.kept_title"), body);
}

function ended(generation, box, finished, over) {
  if (generation.status !== "ready" && over) return over(generation);
  if (generation.status === "ready") {
    finished(generation);
    // What waits for a decision is shown where it is decided.
    if (generation.review) return;
    if (generation.result?.kept_count) keptDialog(generation.result);
    else say(t("making.ready"));
    return;
  }
  replace(
    box,
    h("h2", word("generation", generation.status)),
    generation.error ? own("p", generation.error.message) : h("p", t("making.canceled")),
  );
}
