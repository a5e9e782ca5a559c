// Before somebody signs out: what is under way is saved, and of what could not be they say whether this browser keeps it.
import { confirmDialog, formDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { forgetDrafts, unsavedDrafts } from "./drafts.js";
import { number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
import { heldBack, show, stop } from "./router.js";

const PATIENCE_MS = 4000;

// Whether they go.
export async function mayGo() {
  const held = heldBack();
  if (held?.isUnsaved()) {
    if (!(await isGivenUp())) return false;
    held.drop();
  }
  stop();
  await Promise.race([lastSaves(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  const left = unsavedDrafts();
  if (!left.length) return true;
  await useWords("leaving");
  const goes = await asked(left);
  if (!goes) show();
  return goes;
}

// What is saved by a button alone, and was not.
function isGivenUp() {
  return new Promise((resolve) => {
    const dialog = confirmDialog(t("setup.leave_title"), t("setup.leave_what"), t("setup.leave"), () => () => resolve(true));
    dialog.addEventListener("close", () => setTimeout(() => resolve(false)));
  });
}

// Kept, thrown away, or stayed.
function asked(left) {
  return new Promise((resolve) => {
    const go = () => () => resolve(true);
    const drop = () => {
      forgetDrafts(left);
      resolve(true);
      dialog.close();
    };
    const body = h(
      "div.stack",
      h("p", t("leaving.what", { count: number(left.length) })),
      h("p.quiet", t("leaving.shared")),
      h("div", button(t("leaving.drop"), drop, { look: "danger" })),
    );
    const dialog = formDialog(t("leaving.title"), body, t("leaving.keep"), go);
    dialog.addEventListener("close", () => setTimeout(() => resolve(false)));
  });
}
