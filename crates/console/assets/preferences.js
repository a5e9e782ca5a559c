// Language and colours, chosen anywhere.
import { h, select } from "./dom.js";
import { currentLanguage, LANGUAGES, t, useLanguage } from "./i18n.js";
import { applyTheme, remember, setting } from "./settings.js";

const THEMES = ["auto", "light", "dark"];

export function preferences(redraw) {
  const language = select(Object.entries(LANGUAGES), currentLanguage(), {
    "aria-label": t("language"),
    onchange: async (event) => {
      remember("language", event.target.value);
      await useLanguage(event.target.value);
      redraw();
    },
  });
  for (const option of language.options) option.lang = option.value;
  const theme = select(
    THEMES.map((one) => [one, t(`theme.${one}`)]),
    setting("theme"),
    {
      "aria-label": t("theme_label"),
      onchange: (event) => {
        remember("theme", event.target.value);
        applyTheme();
      },
    },
  );
  return h("div.preferences", language, theme);
}
