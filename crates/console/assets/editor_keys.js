// By which keys a text is written.
import { infoDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export function told({ cm, shortcutsOf }) {
  const row = ([what, keys]) => h("div", h("dt", h("kbd", { dir: "ltr" }, keys)), h("dd", what));
  infoDialog(t("editor.keys"), h("div.stack", h("p.hint", t("editor.keys_hint")), h("dl.keys.shortcuts", shortcutsOf(cm).map(row))));
}
