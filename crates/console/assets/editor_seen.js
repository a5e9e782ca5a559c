// Beside what is written: how it is seen, how it plays, and the way to what it was.
import { acting, button, h, icon, replace } from "./dom.js";
import { t } from "./i18n.js";

// Shows by `show` what there is, one at a time; `note` says which state that is: `said` where all is well.
export function refreshing(show, note, said = "editor.preview_hint") {
  let [busy, again] = [false, false];
  // What is said already is not said again.
  const tell = (words) => note.textContent === words || replace(note, words);
  return async function refresh() {
    if (busy) {
      again = true;
      return;
    }
    [busy, again] = [true, false];
    try {
      await show();
      tell(t(said));
    } catch (error) {
      if (error.name !== "AbortError") tell(t(error.code === "too_large_to_expand" ? "editor.preview_long" : "editor.preview_old"));
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

// Plays it as learners will have it; what does that comes when somebody asks.
export function tryButton(path, saver) {
  const play = async () => {
    // Whoever leaves the text for this button has it saved by that.
    const wasSaved = saver().state === "saved";
    const { tryIt } = await import("./try_it.js");
    return tryIt(path, saver(), wasSaved);
  };
  return acting(t("editor.try_it"), play, { look: "quiet", class: "small", icon: "eye" });
}

// What it was before.
export function historyLink(of, id) {
  return h("a.button.quiet.small", { href: `#/history/${of}/${id}` }, icon("clock"), h("span", t("editor.history")));
}

// How its learners did.
export function statisticsLink(quiz) {
  return h("a.button.quiet.small", { href: `#/activities/${quiz}/statistics` }, icon("usage"), h("span", t("assignment.statistics")));
}
