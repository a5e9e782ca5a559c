// Nobody loses what they typed by a slip of the finger: who goes elsewhere with something unsaved is asked first.
import { confirmDialog } from "./dialogs.js";
import { t } from "./i18n.js";

// `isUnsaved` says whether there is something to lose, `drop` that it may be lost. Listens before the router does, and puts the
// address back until it is decided.
export function guard({ isUnsaved, drop, signal }) {
  const here = location.hash;
  addEventListener(
    "hashchange",
    (event) => {
      if (!isUnsaved() || location.hash === here) return;
      event.stopImmediatePropagation();
      const wanted = location.hash;
      history.replaceState(null, "", here);
      if (document.querySelector("dialog[open]")) return;
      confirmDialog(t("setup.leave_title"), t("setup.leave_what"), t("setup.leave"), () => () => {
        drop();
        location.hash = wanted;
      });
    },
    { signal, capture: true },
  );
  addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault(), { signal });
}
