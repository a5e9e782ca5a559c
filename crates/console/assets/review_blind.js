// Grading without knowing what AI says: what stands in the place of a judgement, and the way there.
import { acting, button, h, icon } from "./dom.js";
import { t } from "./i18n.js";

export function blindLine() {
  return h("p.notice", t("blind.title"));
}

// In the place of a judgement. `onreveal` shows it all the same; without it there is no such way.
export function blindNote(onreveal) {
  return h(
    "section.blind",
    h("h3", icon("eye"), t("blind.title")),
    h("p", t("blind.what")),
    onreveal && button(t("blind.show"), onreveal, { look: "quiet", class: "small" }),
  );
}

export function hideOffer(onhide) {
  return h("div", acting(t("blind.take"), onhide, { look: "quiet", class: "small", icon: "eye" }));
}
