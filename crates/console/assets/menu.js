// A menu at a button: in the top layer, so that nothing cuts it off. The arrow keys go through it, Esc leaves it.
import { h, icon } from "./dom.js";

const GAP = 4;

function place(menu, at) {
  const [button, box] = [at.getBoundingClientRect(), menu.getBoundingClientRect()];
  const { clientWidth, clientHeight } = document.documentElement;
  const below = button.bottom + GAP;
  const top = below + box.height > clientHeight ? Math.max(GAP, button.top - GAP - box.height) : below;
  const start = document.documentElement.dir === "rtl" ? button.left : button.right - box.width;
  menu.style.setProperty("top", `${top}px`);
  menu.style.setProperty("left", `${Math.min(Math.max(GAP, start), clientWidth - box.width - GAP)}px`);
}

function walk(event, items) {
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(to % items.length).focus();
}

// Entries are [label, action, {danger?, href?, keys?}], or null for a line between. `keys` do the same without the menu.
export function openMenu(button, label, entries) {
  let then = null;
  const choose = (action) => {
    then = action;
    menu.hidePopover();
  };
  const item = (entry) => {
    if (!entry) return h("div.menu-line", { role: "separator" });
    const [text, action, { danger, href, keys } = {}] = entry;
    const props = { role: "menuitem", tabindex: "-1" };
    if (href) return h("a.menu-item", { ...props, href, onclick: () => choose(null) }, text);
    const written = keys && h("kbd", { "aria-hidden": "true", dir: "ltr" }, keys.replace("Arrow", "").replace("Up", "↑").replace("Down", "↓"));
    const press = { type: "button", class: danger ? "danger" : "", "aria-keyshortcuts": keys, onclick: () => choose(action) };
    return h("button.menu-item", { ...props, ...press }, h("span", text), written);
  };
  const nodes = entries.filter((entry) => entry !== false).map(item);
  const items = nodes.filter((node) => node.matches(".menu-item"));
  const menu = h("div.menu", { role: "menu", popover: "auto", "aria-label": label, onkeydown: (event) => walk(event, items) }, nodes);
  // What was chosen is done once the menu is gone, and the focus back where it was.
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    menu.remove();
    button.setAttribute("aria-expanded", "false");
    if (button.isConnected && (document.activeElement === document.body || !document.activeElement)) button.focus();
    then?.();
  });
  (button.closest("main") || document.body).append(menu);
  button.setAttribute("aria-expanded", "true");
  menu.showPopover();
  place(menu, button);
  items[0]?.focus();
  return menu;
}

export function menuButton(label, entries, props = {}) {
  const node = h(
    "button.menu-button",
    { type: "button", "aria-label": label, "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => openMenu(node, label, entries()), ...props },
    icon("dots"),
  );
  return node;
}
