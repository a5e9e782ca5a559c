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
let contentLanguage = "en";

function primaryTag(tag) {
  return String(tag || "").trim().split(/[-_]/)[0].toLowerCase();
}

function chooseLanguage(tag) {
  const own = primaryTag(tag);
  uiLanguage = registry.strings.has(own) ? own : "en";
}

const speaksAsTheCourse = () => uiLanguage === primaryTag(contentLanguage);

// Whether a step of the course is in another language than the course.
let mixed = null;
function isMixed() {
  const isOther = (step) => Boolean(step.language) && primaryTag(step.language) !== primaryTag(contentLanguage);
  if (mixed === null && registry.course) mixed = (registry.course.units || []).some((unit) => unit.steps.some(isOther));
  return mixed === true;
}

// What a screen reader must know where the interface speaks another language than the course, or a step, around it.
function uiLang() {
  return speaksAsTheCourse() && !isMixed() ? null : uiLanguage;
}

// Numbers and times as they are written where the course is from: ar-MA and ar-EG have different digits.
function locale() {
  return speaksAsTheCourse() ? contentLanguage : uiLanguage;
}

function t(key, values) {
  const own = registry.strings.get(uiLanguage) || {};
  const english = registry.strings.get("en") || {};
  const text = own[key] || english[key] || key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? String(values[name]) : all));
}

function number(value) {
  try {
    return new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(value);
  } catch (error) {
    return String(value);
  }
}

function percent(value) {
  try {
    return new Intl.NumberFormat(locale(), { style: "percent" }).format(value / 100);
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
  // Words of the interface keep their own order among words that are read the other way.
  if (props && props.lang && !props.dir && props.lang === uiLang()) node.dir = RTL.test(uiLanguage) ? "rtl" : "ltr";
  append(node, children);
  return node;
}

// An element that holds nothing but a sentence of the interface: say("p.eyebrow", "loading").
function say(selector, key, values) {
  const [tag, ...classes] = selector.split(".");
  return h(tag, { class: classes.join(" ") || null, lang: uiLang() }, t(key, values));
}

// A number with its sign, its range or its unit, behind whatever is no part of it.
const QUANTITY = /(^|[^\p{L}\d])([+\-\u2212\u00b1\u2248$\u20ac\u00a3]?\d(?:[\d.,:/\u2013-]*\d)?(?:[ \u00a0\u202f]?(?:\u00b0[A-Za-z]?|[%\u2030\u20ac$\u00a3]|[A-Za-z\u00b5\u03bc\u03a9]{1,4}[\u00b2\u00b3]?(?:[/\u00b7][A-Za-z]{1,4}[\u00b2\u00b3]?)?)(?![\p{L}\d]))?)/gu;
const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// Among words from right to left a quantity keeps its order; the exporter sees to it in texts, and nobody in names.
function keptTogether(text, kept) {
  if (!RTL_LETTER.test(text)) return [text];
  const parts = [];
  let from = 0;
  for (const [all, before, quantity] of text.matchAll(QUANTITY)) {
    if (/^\d+$/.test(quantity)) continue;
    const at = text.indexOf(all, from) + before.length;
    parts.push(text.slice(from, at), kept(quantity));
    from = at + quantity.length;
  }
  return [...parts, text.slice(from)];
}

// A world of its own in an element; an entry of a list takes characters alone.
function isolated(quantity) {
  const part = document.createElement("bdi");
  part.dir = "ltr";
  part.append(quantity);
  return part;
}

function entryOf(text) {
  return `\u2068${keptTogether(String(text), (quantity) => `\u2066${quantity}\u2069`).join("")}\u2069`;
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== null && child !== undefined && child !== false) {
      node.append(...(child.nodeType ? [child] : keptTogether(String(child), isolated)));
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
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  search: "M11 5a6 6 0 1 0 0 12a6 6 0 0 0 0-12M15.5 15.5L20 20",
  part: "M6 12h12",
  home: "M4 11l8-7 8 7M6 10v9h12v-9",
  steps: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  units: "M4 5h7v14H4zM13 5h7v14h-7z",
  time: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16M12 8v4l3 2",
  target: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16M8.5 12.5l2.5 2.5 4.5-5",
  flip: "M5 9a7.5 7.5 0 0 1 13.5-1M19 4v4h-4M19 15a7.5 7.5 0 0 1-13.5 1M5 20v-4h4",
};

function drawing(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name of Object.keys(props)) node.setAttribute(name, String(props[name]));
  node.append(...children);
  return node;
}

function icon(name) {
  return drawing("svg", { viewBox: "0 0 24 24", class: "icon icon-" + name, "aria-hidden": "true", focusable: "false" },
    drawing("path", { d: ICONS[name] }));
}

function button(action, label, props, iconName, iconLast) {
  const all = Object.assign({ type: "button", class: "button", "data-action": action, lang: uiLang() }, props);
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
  for (const head of template.content.querySelectorAll("th")) nameColumn(head);
  for (const block of template.content.querySelectorAll("pre")) block.tabIndex = 0;
  for (const link of template.content.querySelectorAll("a[href^=http], a[href^='media/']")) {
    link.append(icon("out"), h("span", { class: "unseen", lang: uiLang() }, " (" + t("newTab") + ")"));
  }
  for (const image of template.content.querySelectorAll("img")) framePicture(image);
  // Under a picture stand words alone.
  for (const caption of template.content.querySelectorAll("figcaption")) caption.replaceChildren(...keptTogether(caption.textContent, isolated));
  sayWhatTheyAre(template.content);
  box.append(template.content);
  for (const formula of box.querySelectorAll("math")) if (wideFormulas) wideFormulas.observe(formula);
  return box;
}

// Browsers leave formulas out of names, and a column whose head is one has no other.
function nameColumn(head) {
  const words = head.cloneNode(true);
  for (const formula of words.querySelectorAll("math")) formula.remove();
  const tex = Array.from(head.querySelectorAll("annotation"), (formula) => formula.textContent).join(" ");
  if (tex && words.textContent.trim() === "") head.append(h("span", { class: "unseen" }, tex));
}

// Only what is wider than its place is stopped at, so that the keyboard can move it.
const wideFormulas = window.ResizeObserver ? new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth + 1) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
}) : null;

const CALLOUTS = { note: "calloutNote", tip: "calloutTip", important: "calloutImportant", warning: "calloutWarning", caution: "calloutCaution" };

// What the exporter marks with a class and has no words for, in the interface's language.
function sayWhatTheyAre(content) {
  for (const kind of Object.keys(CALLOUTS)) {
    for (const callout of content.querySelectorAll(".callout." + kind)) callout.prepend(say("p.callout-name", CALLOUTS[kind]));
  }
  const label = (selector, key) => {
    for (const part of content.querySelectorAll(selector)) {
      part.setAttribute("aria-label", t(key));
      if (uiLang()) part.setAttribute("lang", uiLang());
    }
  };
  label(".task:not(.done)", "taskOpen");
  label(".task.done", "taskDone");
  label(".note-back", "backToText");
  for (const notes of content.querySelectorAll(".footnotes")) notes.prepend(say("p.callout-name", "footnotes"));
}

// A picture that stands alone gets the room of a figure; one that cannot be had leaves its description.
function framePicture(image) {
  const around = image.parentElement;
  const alone = around && (around.tagName === "FIGURE" || (around.tagName === "P" && around.children.length === 1 && around.textContent.trim() === ""));
  (alone ? around : image).classList.add(alone ? "picture" : "inline-picture");
  image.addEventListener("error", () => {
    const words = image.getAttribute("alt");
    if (words) image.replaceWith(h("span", { class: "lost-picture", role: "img", "aria-label": words }, words));
    else image.remove();
  });
}

// What only makes a visit more pleasant: where storage is forbidden, it is simply not there next time.
function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    return;
  }
}

function outLink(url, label) {
  if (!/^https?:\/\//i.test(String(url))) return null;
  return h("a", { class: "button quiet", href: url, target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" },
    h("span", { lang: uiLang() }, label), icon("out"), h("span", { class: "unseen", lang: uiLang() }, " (" + t("newTab") + ")"));
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
