// Single letters do things only while nobody writes, and only where they are not switched off (WCAG 2.1.4).
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { setting } from "./settings.js";

// What is played or scrolls sideways takes the arrow keys.
const TAKES_KEYS = "input, textarea, select, [contenteditable], audio, video, pre[tabindex], math[tabindex], .scroll[tabindex]";
// Boxes take none but the space bar.
export const BOXES_LISTEN = TAKES_KEYS.replace("input", "input:not([type=checkbox])");

export function listen(actions, signal, takesKeys = TAKES_KEYS) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (!setting("shortcuts") || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // Within a text of a course, which is a tree of its own, that is where the key was pressed.
      const [pressed] = event.composedPath();
      if (pressed.closest?.(takesKeys) || document.querySelector("dialog[open]")) return;
      const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action(event.key, event);
    },
    { signal },
  );
}

export function shortcutList(entries) {
  return h(
    "dl.keys",
    entries.map(([keys, label]) =>
      h(
        "div",
        h(
          "dt",
          keys.map((key) => h("kbd", key)),
        ),
        h("dd", t(label)),
      ),
    ),
  );
}
