// Nobody loses what they typed by a slip of the finger: who goes elsewhere with something unsaved is asked first.
import { confirmDialog } from "./dialogs.js";
import { t } from "./i18n.js";
import { beforeLeaving } from "./router.js";

// `isUnsaved` says whether there is something to lose, `drop` that it may be lost. The address is put back until it is decided.
export function guard({ isUnsaved, drop, signal }) {
  const here = location.hash;
  const asked = () => {
    const wanted = location.hash;
    if (wanted === here || !isUnsaved()) return false;
    history.replaceState(null, "", here);
    const leave = () => {
      drop();
      location.hash = wanted;
    };
    if (!document.querySelector("dialog[open]")) confirmDialog(t("setup.leave_title"), t("setup.leave_what"), t("setup.leave"), () => leave);
    return true;
  };
  beforeLeaving(asked, { isUnsaved, drop });
  addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault(), { signal });
}
