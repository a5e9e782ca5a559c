// Beside what is written: how it is seen, as the service has it, and the way to what it was.
import { button, h, icon, replace } from "./dom.js";
import { t } from "./i18n.js";

// Shows by `show` what there is, after each save, one at a time; `note` says which state that is.
export function refreshing(show, note) {
  let [busy, again] = [false, false];
  return async function refresh() {
    if (busy) {
      again = true;
      return;
    }
    [busy, again] = [true, false];
    try {
      await show();
      replace(note, t("editor.preview_hint"));
    } catch (error) {
      if (error.name !== "AbortError") replace(note, t(error.code === "too_large_to_expand" ? "editor.preview_long" : "editor.preview_old"));
    } finally {
      busy = false;
    }
    if (again) refresh();
  };
}

// On a phone there is room for one of both.
export function switcher(panes) {
  const one = (name, look) =>
    button(t(`editor.${name}`), () => choose(look), { class: "small", "aria-pressed": String(look === "writing"), "data-look": look });
  const node = h("div.switch", { role: "group", "aria-label": t("editor.switch") }, one("write", "writing"), one("see", "seeing"));
  function choose(look) {
    panes.classList.toggle("seeing", look === "seeing");
    for (const other of node.children) other.setAttribute("aria-pressed", String(other.dataset.look === look));
  }
  return node;
}

// What it was before.
export function historyLink(of, id) {
  return h("a.button.quiet.small", { href: `#/history/${of}/${id}` }, icon("clock"), h("span", t("editor.history")));
}
