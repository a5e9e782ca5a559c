// The keys of the review desk, for whoever asks.
import { h } from "./dom.js";
import { infoDialog } from "./dialogs.js";
import { t } from "./i18n.js";
import { shortcutList } from "./shortcuts.js";

const ARROWS = { ltr: ["→", "←"], rtl: ["←", "→"] };
const LETTERS = [
  [["a"], "review.accept"],
  [["e"], "review.edit"],
  [["r"], "review.return"],
  [["1", "…", "9"], "keys.criterion"],
  [["Esc"], "keys.escape"],
  [["/"], "find.learners"],
  [["?"], "keys.help"],
];

export function showKeys() {
  const [on, back] = ARROWS[document.documentElement.dir || "ltr"];
  const keys = shortcutList([[["j", on], "keys.next"], [["k", back], "keys.previous"], ...LETTERS]);
  infoDialog(t("keys.title"), h("div.stack", keys, h("p.hint", t("keys.about"))));
}
