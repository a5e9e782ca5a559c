// What every view is built with: elements, drawings, small parts. Text comes in as text and never as markup.
import { t } from "./i18n.js";

const PROPERTIES = new Set(["value", "checked", "disabled", "indeterminate"]);

function isProps(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Node);
}

// h("p.quiet", {onclick: f}, "text", node, [nodes], null): an element with what is in it.
export function h(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  const props = isProps(rest[0]) ? rest.shift() : {};
  // What is chosen must be there before it can be: a value comes after the children.
  append(node, rest);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.classList.add(...value.split(" ").filter(Boolean));
    else if (PROPERTIES.has(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, String(value));
  append(node, children);
  return node;
}

const ICONS = {
  overview: "M4 11l8-7 8 7M6 10v10h12V10",
  review: "M5 4h14v16H5zM8 9h8M8 13h4M13 17l1.5 1.5L18 15",
  submissions: "M4 6l1.500 1.500L8 5M11 6h9M4 12l1.500 1.500L8 11M11 12h9M4 18l1.500 1.500L8 17M11 18h9",
  courses: "M4 5h7a2 2 0 0 1 1 2v13a2 2 0 0 0-1-2H4zM20 5h-7a2 2 0 0 0-1 2v13a2 2 0 0 1 1-2h7z",
  cohorts: "M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7M3 20c0-4 3-5 6-5s6 1 6 5M16 5.5a3 3 0 0 1 0 6M17.5 15c2 .5 3.5 2 3.5 5",
  packages: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  sso: "M15 7a4 4 0 1 1-3.5 6L10 15H8v2H6v2H3v-3l6.5-6.5A4 4 0 0 1 15 7M16 10h.01",
  webhooks: "M8 12a4 4 0 1 1 6-3.5M12 8.5l3.5 6.5M16 15a3.5 3.5 0 1 1-2 3H8M8 12l-2.5 4.5",
  keys: "M8 11a4 4 0 1 0 0 8a4 4 0 0 0 0-8M11 12l9-8M16 8l3 3",
  members: "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4 20c0-4 4-6 8-6s8 2 8 6",
  audit: "M6 3h9l3 3v15H6zM9 9h6M9 13h6M9 17h4",
  usage: "M4 20h16M7 20v-6M12 20V6M17 20v-9",
  work: "M5 6h14M5 12h9M5 18h5M17 14v4l2.500 1.500",
  search: "M11 5a6 6 0 1 0 0 12a6 6 0 0 0 0-12M15.500 15.500L20 20",
  next: "M9 5l7 7-7 7",
  prev: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  out: "M9 6H6v12h12v-3M13 5h6v6M19 5l-9 9",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  back: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  spark: "M12 3l2 6 6 3-6 3-2 6-2-6-6-3 6-3z",
  warn: "M12 4l9 16H3zM12 10v5M12 17.5v.5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  eye: "M2.5 12C5 7.500 8.500 6 12 6s7 1.500 9.500 6c-2.500 4.500-6 6-9.500 6s-7-1.500-9.500-6M12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 0 0 0-5",
  clock: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16M12 8v4l3 2",
  sun: "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19",
  key: "M4 6h16v12H4zM8 14h8M8 10h.01M12 10h.01M16 10h.01",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  plus: "M12 5v14M5 12h14",
  again: "M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5",
};

export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }),
  );
}

// A button that does something here. `look` is main, quiet, danger or nothing.
export function button(label, onclick, { look = "", icon: drawing, ...props } = {}) {
  return h(`button.button${look ? `.${look}` : ""}`, { type: "button", onclick, ...props }, drawing && icon(drawing), h("span", label));
}

// A button that is busy while what it started is under way, and cannot be pressed twice.
export function acting(label, action, options = {}) {
  const node = button(
    label,
    async () => {
      if (node.getAttribute("aria-busy") === "true") return;
      node.setAttribute("aria-busy", "true");
      try {
        await action();
      } finally {
        node.removeAttribute("aria-busy");
      }
    },
    options,
  );
  return node;
}

// A button, and where it cannot be pressed, why.
export function unless(reason, label, onclick, options) {
  return h("div.may", button(label, onclick, { ...options, disabled: Boolean(reason) }), reason && h("p.hint", reason));
}

export function link(href, ...children) {
  return h("a", { href }, ...children);
}

// Nothing else is ever made a link of what people wrote.
export function isWebAddress(address) {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

// Where something is told in words, and by a shape beside them: good, wait, bad or plain.
export function tag(text, tone = "plain") {
  return h(`span.tag.${tone}`, text);
}

export function hidden(text) {
  return h("span.unseen", text);
}

// What people wrote goes its own direction.
export function own(selector, text) {
  return h(selector, { dir: "auto" }, text);
}

export function code(text) {
  return h("code", { dir: "ltr" }, text);
}

export function empty(title, text, ...actions) {
  return h("div.empty", h("p.empty-title", title), h("p", text), actions.length ? h("div.row", actions) : null);
}

// Grey lines where content is about to be: quieter than anything that turns.
export function skeleton(lines = 5) {
  return h(
    "div.bones",
    { "aria-hidden": "true" },
    Array.from({ length: lines }, () => h("i")),
  );
}

export function section(title, ...children) {
  return h("section.section", h("h2", title), ...children);
}

// Pairs of what and how much.
export function facts(pairs, selector = "dl.facts") {
  return h(
    selector,
    pairs.filter(Boolean).map(([name, value]) => h("div", h("dt", name), h("dd", value))),
  );
}

// A switch that stays as it was set.
export function toggle(label, checked, onchange) {
  return h(
    "label.toggle",
    h("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) }),
    h("span", label),
  );
}

let fields = 0;

// A labelled control with its hint; `input` is the control.
export function field(label, input, hint) {
  fields += 1;
  const id = `field-${fields}`;
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return h("div.field-row", h("label", { for: id }, label), input, hint && h("p.hint", { id: `${id}-hint` }, hint));
}

export function select(options, value, props = {}) {
  return h(
    "select.field",
    { ...props, value },
    options.map(([key, label]) => h("option", { value: key }, label)),
  );
}

let speaking;

// Takes back what was said.
export function hush() {
  clearTimeout(speaking);
  document.getElementById("toasts").replaceChildren();
}

// Says what came of something, to everybody: on the screen, and to who does not see it.
export function say(text, tone = "good", more = null) {
  const place = document.getElementById("toasts");
  clearTimeout(speaking);
  replace(
    place,
    h(
      `p.toast.${tone}`,
      h("span", text),
      more,
      h("button.toast-close", { type: "button", "aria-label": t("close"), onclick: hush }, icon("close")),
    ),
  );
  speaking = setTimeout(hush, 12_000);
}
