// A text as its learners will see it while it is written: asked for a moment after the last key, and now and then while somebody goes
// on typing; one at a time, and nothing waits for it. Without a network the last picture stays, and says so.
import { post } from "./api.js";
import { h, replace } from "./dom.js";
import { refreshing } from "./editor_seen.js";
import { t } from "./i18n.js";
import { prose } from "./prose.js";

const AFTER_MS = 500;
const AT_LEAST_MS = 3000;
// Formulas are many times as long as what was written: beyond this a page would be busy with it while somebody types.
const MOST_SHOWN = 2_000_000;
const MOST_WARNINGS = 5;

// `text` reads what is written, `place` names the lesson or the course that it is of.
export function unsavedText({ text, place, lang, level, signal }) {
  const shown = h("div.prose.preview-text");
  const warned = h("div");
  const note = h("p.hint", { role: "status" });
  let [timer, since, told] = [null, 0, null];

  const refresh = refreshing(
    async () => {
      const written = text();
      if (written === told) return;
      const { html, warnings } = await post("/v1/texts/render", { text: written, ...place });
      if (signal.aborted) return;
      if (html.length > MOST_SHOWN) throw Object.assign(new Error("too long"), { code: "too_large_to_expand" });
      told = written;
      replace(shown, written.trim() ? prose(html, { lang, level }) : h("p.quiet", t("editor.nothing_yet")));
      const lines = warnings.slice(0, MOST_WARNINGS).map(({ line, message }) => h("li", line ? t("editor.warning", { line, message }) : message));
      replace(warned, lines.length ? h("ul.warned", lines) : null);
    },
    note,
    "editor.preview_typed",
  );

  function now() {
    clearTimeout(timer);
    [timer, since] = [null, 0];
    if (!signal.aborted) refresh();
  }

  function changed() {
    since ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(now, Math.max(0, Math.min(AFTER_MS, since + AT_LEAST_MS - Date.now())));
  }

  addEventListener("online", now, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return { shown, warned, note, changed, now };
}
