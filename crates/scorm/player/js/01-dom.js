// What the rest is built with: registration, strings, elements. Knows nothing about SCORM or courses.

const registry = { strings: new Map(), content: new Map(), course: null, service: null, waiting: new Map() };

// The one global: content files call it, so they work from file: and need no inline script.
window.lyceumRegister = function (kind, id, value) {
  if (kind === "course") registry.course = value;
  else if (kind === "strings") registry.strings.set(id, value);
  else if (kind === "content") registry.content.set(id, value);
  else if (kind === "service") registry.service = value;
};

const RTL = /^(ar|he|fa|ur|ps|yi|dv|ckb|sd)\b/i;
let uiLanguage = "en";

function chooseLanguage(tag) {
  const own = String(tag || "").split(/[-_]/)[0].toLowerCase();
  uiLanguage = registry.strings.has(own) ? own : "en";
}

function t(key, values) {
  const own = registry.strings.get(uiLanguage) || {};
  const english = registry.strings.get("en") || {};
  const text = own[key] || english[key] || key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? String(values[name]) : all));
}

function number(value) {
  try {
    return new Intl.NumberFormat(uiLanguage, { maximumFractionDigits: 2 }).format(value);
  } catch (error) {
    return String(value);
  }
}

function percent(value) {
  try {
    return new Intl.NumberFormat(uiLanguage, { style: "percent" }).format(value / 100);
  } catch (error) {
    return Math.round(value) + "%";
  }
}

// h("p", {class: "x", onclick: f}, "text", node, [nodes], null)
function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const name of Object.keys(props || {})) {
    const value = props[name];
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== null && child !== undefined && child !== false) {
      node.append(child.nodeType ? child : String(child));
    }
  }
}

const ICONS = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M7 7l10 10M17 7L7 17",
  next: "M9 5l7 7-7 7",
  prev: "M15 5l-7 7 7 7",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  menu: "M4 7h16M4 12h16M4 17h16",
  out: "M9 6H6v12h12v-3M13 5h6v6M19 5l-9 9",
  flip: "M5 9a7.5 7.5 0 0 1 13.5-1M19 4v4h-4M19 15a7.5 7.5 0 0 1-13.5 1M5 20v-4h4",
};

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon icon-" + name);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function button(action, label, props, iconName, iconLast) {
  const all = Object.assign({ type: "button", class: "button", "data-action": action }, props);
  const face = iconName ? icon(iconName) : null;
  return h("button", all, iconLast ? null : face, h("span", null, label), iconLast ? face : null);
}

// Authors write code in backticks even in plain fields; nothing else is markup here.
function inline(text) {
  return String(text === undefined || text === null ? "" : text)
    .split("`")
    .map((piece, at, all) => (at % 2 === 1 && at < all.length - 1 ? h("code", null, piece) : at % 2 ? "`" + piece : piece));
}

// The exporter sanitised this markup; it is the only kind that is ever parsed.
function prose(html) {
  const box = h("div", { class: "prose" });
  const template = document.createElement("template");
  template.innerHTML = html || "";
  for (const table of template.content.querySelectorAll("table")) {
    const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("table") });
    table.replaceWith(scroll);
    scroll.append(table);
  }
  for (const block of template.content.querySelectorAll("pre")) block.tabIndex = 0;
  for (const link of template.content.querySelectorAll("a[href^=http]")) {
    link.append(icon("out"), h("span", { class: "unseen" }, " (" + t("newTab") + ")"));
  }
  box.append(template.content);
  return box;
}

function outLink(url, label) {
  if (!/^https?:\/\//i.test(String(url))) return null;
  return h("a", { class: "button quiet", href: url, target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" },
    h("span", null, label), icon("out"), h("span", { class: "unseen" }, " (" + t("newTab") + ")"));
}

function list(value) {
  return Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];
}

function hash32(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value;
}

// A shuffle that comes out the same on every visit: the seed is kept with the learner's progress.
function shuffled(items, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const copy = items.slice();
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}
