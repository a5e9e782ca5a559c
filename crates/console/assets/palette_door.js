// The ways to the palette: a button in the frame, and Ctrl + K where nobody else takes it. The palette itself comes when it is asked for.
import { session } from "./api.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { complain } from "./router.js";

const isApple = /mac|iphone|ipad/i.test(navigator.platform);

async function open() {
  try {
    await (await import("./palette.js")).openPalette();
  } catch (error) {
    complain(error);
  }
}

// The letter, or its key where letters are others.
function isAsked(event) {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.defaultPrevented || event.repeat) return false;
  return event.key.toLowerCase() === "k" || (event.code === "KeyK" && !/^[a-z]$/i.test(event.key));
}

document.addEventListener("keydown", (event) => {
  if (!isAsked(event) || !session.isOpen || !document.getElementById("main")) return;
  event.preventDefault();
  open();
});

export function paletteButton() {
  return h(
    "button.to-palette",
    { type: "button", "aria-haspopup": "dialog", "aria-keyshortcuts": "Control+K Meta+K", onclick: open },
    icon("search"),
    h("span", t("go_to")),
    h("kbd", { "aria-hidden": "true", dir: "ltr" }, isApple ? "⌘ K" : "Ctrl K"),
  );
}
