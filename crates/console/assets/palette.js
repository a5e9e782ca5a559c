// The palette: what somebody types is looked for among what they saw lately, what the page can do, the pages, and all that has a name here.
import { can, get } from "./api.js";
import { h, icon, replace } from "./dom.js";
import { number } from "./format.js";
import { currentLanguage, t, useWords, word } from "./i18n.js";
import { visited } from "./names.js";
import { explain, go } from "./router.js";
import { sheet } from "./sheets.js";

const PATIENCE_MS = 200;
// So many of each kind are shown.
const MOST = 6;
const ACTIONS = "#main :is(.page-head, .outline-bar, .desk-bar .decide) button, #main .outline > .add, #main a[data-act]";
// What is asked of the service: who may, where it is listed, and what leads to what is found.
const KINDS = {
  courses: ["read:courses", "/v1/courses", {}, (one) => ({ label: one.name, about: word("course", one.status), href: `#/courses/${one.id}` })],
  lessons: [
    "read:courses",
    "/v1/lessons",
    { expand: "unit.course" },
    (one) => ({ label: one.name, about: one.unit?.course?.name || one.unit?.name, href: `#/courses/${one.course_id}/${one.id}` }),
  ],
  cohorts: ["read:courses", "/v1/cohorts", { expand: "course" }, (one) => ({ label: one.name, about: one.course?.name, href: `#/cohorts/${one.id}` })],
  people: [
    "read:students",
    "/v1/users",
    {},
    (one) => ({ label: one.name || one.email, about: one.name ? one.email : word("role", one.role), href: `#/members?${new URLSearchParams({ q: one.email || one.name })}` }),
  ],
};

// Without case and marks: "Übung" is found by "ubung".
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase(currentLanguage());

// What the page itself can do is what can be pressed on it.
function actions() {
  const buttons = [...document.querySelectorAll(ACTIONS)].filter((button) => !button.disabled && button.checkVisibility());
  return buttons.map((button) => ({
    label: button.getAttribute("aria-label") || (button.querySelector("span") || button).textContent.trim(),
    run: () => button.click(),
  }));
}

function pages() {
  const areas = [...document.querySelectorAll(".nav a")].map((one) => ({
    label: one.querySelector("span").textContent,
    href: one.getAttribute("href"),
    drawing: one.dataset.area,
  }));
  const trash = can("write:courses") && { label: t("palette.trash"), href: "#/trash" };
  return [...areas, trash, { label: t("palette.account"), href: "#/account" }].filter(Boolean);
}

function recent() {
  const here = location.hash.split("?")[0];
  const past = visited().filter(({ href }) => href !== here);
  return past.map(({ href, name, area }) => ({ label: name, about: t(`nav.${area}`), href }));
}

// All words of it stand in the name or beside it; one of a letter or two begins a word there.
const isOf = (q) => {
  const words = plain(q).split(/\s+/);
  return ({ label, about = "" }) => {
    const text = plain(` ${label} ${about}`);
    return words.every((one) => text.includes(one.length > 2 ? one : ` ${one}`));
  };
};

class Palette {
  constructor() {
    this.known = { recent: recent(), actions: actions(), pages: pages() };
    this.found = {};
    this.isLooking = false;
    this.over = new AbortController();
    this.list = h("div.palette-list", { id: "palette-list", role: "listbox", "aria-label": t("palette.results") });
    this.status = h("p.palette-said", { role: "status" });
    this.input = h("input", {
      type: "text",
      role: "combobox",
      dir: "auto",
      maxlength: 255,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("go_to"),
      "aria-label": t("palette.input"),
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-autocomplete": "list",
      "aria-describedby": "palette-hint",
      oninput: () => this.typed(),
      onkeydown: (event) => this.pressed(event),
    });
    this.node = h(
      "dialog.palette",
      { "aria-label": t("palette.title"), onclick: (event) => event.target === this.node && this.close() },
      h("div.palette-top", icon("search"), this.input),
      this.list,
      this.status,
      h("p.palette-hint", { id: "palette-hint" }, t("palette.hint")),
    );
    this.node.addEventListener("close", () => {
      this.over.abort();
      clearTimeout(this.timer);
      this.node.remove();
    });
  }

  open() {
    document.body.append(this.node);
    this.node.showModal();
    this.input.focus();
    this.draw();
  }

  close() {
    this.node.close();
  }

  get q() {
    return this.input.value.trim();
  }

  // --- What is shown

  // What was seen lately comes first; what the service finds comes behind what is here already, so that nothing moves under a finger.
  groups() {
    const { q } = this;
    const among = (items) => (q ? items.filter(isOf(q)) : items);
    const local = Object.entries(this.known).map(([name, items]) => [name, among(items)]);
    const seen = new Set(local.flatMap(([, items]) => items.map(({ href }) => href)));
    const remote = q ? Object.entries(this.found).map(([name, items]) => [name, items.filter(({ href }) => !seen.has(href))]) : [];
    return [...local, ...remote].filter(([, items]) => items.length);
  }

  draw() {
    const before = this.items?.[this.at];
    const groups = this.groups();
    this.items = groups.flatMap(([, items]) => items);
    const kept = this.isMoved ? this.items.findIndex((one) => one === before || (one.href && one.href === before?.href)) : -1;
    this.at = Math.max(0, kept);
    let count = 0;
    replace(
      this.list,
      groups.map(([name, items]) =>
        h(
          "div.palette-group",
          { role: "group", "aria-labelledby": `palette-${name}` },
          h("div.palette-name", { id: `palette-${name}`, role: "presentation" }, t(`palette.${name}`)),
          items.map((item) => this.option(item, count++)),
        ),
      ),
    );
    this.mark();
    this.tell();
  }

  option(item, at) {
    return h(
      "div.palette-item",
      {
        id: `palette-item-${at}`,
        role: "option",
        "aria-selected": "false",
        // The focus stays in the field.
        onmousedown: (event) => event.preventDefault(),
        onpointermove: () => at !== this.at && this.move(at, false),
        onclick: () => this.choose(item),
      },
      h("span", { dir: "auto" }, item.label),
      item.about && h("small", { dir: "auto" }, item.about),
    );
  }

  mark(scrolls = true) {
    for (const node of this.list.querySelectorAll("[aria-selected=true]")) node.setAttribute("aria-selected", "false");
    const node = this.list.querySelector(`#palette-item-${this.at}`);
    node?.setAttribute("aria-selected", "true");
    if (node) this.input.setAttribute("aria-activedescendant", node.id);
    else this.input.removeAttribute("aria-activedescendant");
    if (scrolls) node?.scrollIntoView({ block: "nearest" });
    if (scrolls && this.at === 0) this.list.scrollTop = 0;
  }

  tell() {
    this.list.setAttribute("aria-busy", String(this.isLooking));
    if (this.problem) return void (this.status.textContent = explain(this.problem));
    if (this.isLooking) return void (this.status.textContent = this.items.length ? "" : t("palette.looking"));
    const { q } = this;
    this.status.classList.toggle("unseen", this.items.length > 0);
    this.status.textContent = this.items.length ? (q ? t("palette.count", { count: number(this.items.length) }) : "") : t("palette.nothing", { q });
  }

  // --- What is looked for

  typed() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.isMoved = false;
    this.problem = null;
    const { q } = this;
    this.isLooking = Boolean(q);
    // What was found for less than is there now may still be it.
    const isStill = ({ label, about = "" }) => plain(`${label} ${about}`).includes(plain(q));
    for (const [name, items] of Object.entries(this.found)) this.found[name] = items.filter(isStill);
    this.draw();
    if (q) this.timer = setTimeout(() => this.look(q), PATIENCE_MS);
  }

  async look(q) {
    const asking = (this.asking = new AbortController());
    const signal = AbortSignal.any([asking.signal, this.over.signal]);
    const kinds = Object.entries(KINDS).filter(([, [scope]]) => can(scope));
    const answers = await Promise.allSettled(kinds.map(([, [, path, more]]) => get(path, { q, limit: MOST, ...more }, signal)));
    if (signal.aborted) return;
    this.found = Object.fromEntries(kinds.map(([name, [, , , shown]], at) => [name, (answers[at].value?.data || []).map(shown)]));
    this.problem = answers.find(({ status }) => status === "rejected")?.reason || null;
    this.isLooking = false;
    this.draw();
  }

  // --- Keys

  pressed(event) {
    if (event.isComposing) return;
    const last = this.items.length - 1;
    const to = {
      ArrowDown: this.at < last ? this.at + 1 : 0,
      ArrowUp: this.at > 0 ? this.at - 1 : last,
      PageDown: Math.min(last, this.at + MOST),
      PageUp: Math.max(0, this.at - MOST),
    }[event.key];
    const isAgain = (event.ctrlKey || event.metaKey) && (event.key.toLowerCase() === "k" || event.code === "KeyK");
    if (to !== undefined) this.move(to);
    else if (event.key === "Enter") this.choose(this.items[this.at]);
    else if (isAgain) this.close();
    else return;
    event.preventDefault();
  }

  move(to, scrolls = true) {
    if (!this.items.length) return;
    this.isMoved = true;
    this.at = to;
    this.mark(scrolls);
  }

  // Done once the palette is gone: before that nothing outside of it can take the focus.
  choose(item) {
    if (!item) return;
    this.close();
    if (item.href) go(item.href);
    else item.run();
  }
}

export async function openPalette() {
  await Promise.all([useWords("palette"), sheet("palette.css")]);
  if (document.querySelector("dialog[open]")) return;
  new Palette().open();
}
