// What forms of activities are built with. Each part changes the document in place and says so; what is not asked for here stays in
// it as it is.
import { button, field, h, icon, say, svg } from "./dom.js";
import { t } from "./i18n.js";

const UP = "M12 19V6M6 12l6-6 6 6";
const DOWN = "M12 5v13M6 12l6 6 6-6";
const BIN = "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13M10.500 10.500v6M13.500 10.500v6";

// The document of a form: what hears of changes, and the language that is written in.
export function formOf(changed, lang) {
  return { changed, lang };
}

// Where something of the document is edited: the service names the place when it does not take it.
const at = (path, node) => {
  node.dataset.place = path;
  return node;
};

function change(form, owner, key, value, keep) {
  if (keep || (value !== "" && value !== null)) owner[key] = value;
  else delete owner[key];
  form.changed();
}

// A text of several lines, Markdown or words. `keep` says that it is there even when it is empty.
export function text(form, label, owner, key, path, { hint, keep = true, rows = 1, plain = false } = {}) {
  const input = h("textarea.field", {
    dir: "auto", lang: plain ? null : form.lang, rows, maxlength: 100_000, value: owner[key] ?? "",
    oninput: () => change(form, owner, key, input.value, keep),
  });
  return at(path, field(label, input, hint));
}

export function line(form, label, owner, key, path, { hint, keep = false, type = "text", dir = "auto" } = {}) {
  const input = h("input.field", {
    type, dir, lang: dir === "auto" ? form.lang : null, value: owner[key] ?? "", maxlength: 2000,
    oninput: () => change(form, owner, key, input.value, keep),
  });
  return at(path, field(label, input, hint));
}

export function figure(form, label, owner, key, path, { hint, min = 0, max, step = 1 } = {}) {
  const input = h("input.field.narrow", {
    type: "number", min, max, step, inputmode: step === 1 ? "numeric" : "decimal", value: owner[key] ?? "",
    oninput: () => change(form, owner, key, input.value === "" ? null : Number(input.value)),
  });
  const row = at(path, field(label, input, hint));
  row.classList.add("narrow-row");
  return row;
}

export function tick(form, label, owner, key) {
  return h(
    "label.toggle",
    h("input", { type: "checkbox", checked: owner[key] === true, onchange: ({ target }) => change(form, owner, key, target.checked, true) }),
    h("span", label),
  );
}

// A list of words, one on each line.
export function wordList(form, label, owner, key, path, hint) {
  const input = h("textarea.field", {
    dir: "auto", lang: form.lang, rows: 2, value: (owner[key] || []).join("\n"),
    oninput: () => change(form, owner, key, input.value.split("\n").map((one) => one.trim()).filter(Boolean), true),
  });
  return at(path, field(label, input, hint));
}

const drawing = (path) => svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }, svg("path", { d: path }));

export function act(label, drawn, onclick, disabled = false) {
  return h("button.act", { type: "button", "aria-label": label, title: label, onclick, disabled }, drawing(drawn));
}

// The first id of the kind that no neighbour has: answers of learners refer to it, so it never changes.
export function freshId(list, letter) {
  const taken = new Set(list.map((one) => one?.id));
  let number = list.length + 1;
  while (taken.has(`${letter}${number}`)) number += 1;
  return `${letter}${number}`;
}

// A list that is reordered, added to and taken from. `row(one, number, acts)` gives the node of an entry, with what moves it in it;
// `kinds` are [label, make] of each kind that there is, where there are several.
export function list(form, { owner, key, path, title, add, make, kinds, row, least = 0, name, selector = "ul.items" }) {
  const list = (owner[key] ??= []);
  const node = h(selector);
  const heading = title && h("h2", title);
  const where = at(path, h("div.stack.tight", heading, node, h("p.wrong-here", { hidden: true })));
  const acts = (number) => {
    const said = `${name} ${number + 1}`;
    return h(
      "span.item-acts",
      act(t("author.up", { what: said }), UP, () => move(number, number - 1), number === 0),
      act(t("author.down", { what: said }), DOWN, () => move(number, number + 1), number === list.length - 1),
      act(t("author.remove", { what: said }), BIN, () => remove(number), list.length <= least),
    );
  };
  const focus = (number, which) => {
    const buttons = node.children[number]?.querySelector(".item-acts")?.children;
    const wanted = buttons && [buttons[which], ...buttons].find((one) => !one.disabled);
    (wanted || adding.at(0)).focus();
  };
  function draw(open = -1) {
    node.replaceChildren(...list.map((one, number) => row(one, number, acts(number), number === open)));
  }
  function move(from, to) {
    list.splice(to, 0, ...list.splice(from, 1));
    draw();
    form.changed();
    focus(to, to < from ? 0 : 1);
  }
  function remove(number) {
    const [gone] = list.splice(number, 1);
    draw();
    form.changed();
    focus(Math.min(number, list.length - 1), 2);
    const back = button(t("author.undo"), () => {
      list.splice(number, 0, gone);
      draw();
      form.changed();
      focus(number, 2);
    });
    say(t("author.removed", { what: `${name} ${number + 1}` }), "good", back);
  }
  const put = (made) => {
    list.push(made);
    draw(list.length - 1);
    form.changed();
    const last = node.lastElementChild;
    (last.querySelector("[data-first]") || last.querySelector("textarea, input, select"))?.focus();
  };
  const adder = ([label, make], at) =>
    button(label, () => put(make(list)), { look: "quiet", class: "small", icon: "plus", "data-begins": at === 0 && title ? "" : null });
  const adding = (kinds || [[add, make]]).map(adder);
  draw(list.length === 1 ? 0 : -1);
  where.append(kinds ? h("div.add-kinds", { role: "group", "aria-label": add }, h("span.hint", add), adding) : adding[0]);
  return where;
}

// An entry that stands open, its fields beside what moves it.
export function entry(acts, ...children) {
  return h("li.item.small-item", h("div.item-line", h("div.item-body", children), acts));
}

// Marks what the service does not take, where it is edited. What has no field of its own is given back.
export function mark(root, wrong) {
  root.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
  root.querySelectorAll(".wrong-here").forEach((one) => (one.dataset.kept ? one.remove() : (one.hidden = true)));
  const elsewhere = [];
  for (const [place, why] of Object.entries(wrong)) {
    const where = root.querySelector(`[data-place="${CSS.escape(place)}"]`);
    if (!where) {
      elsewhere.push(`${place}: ${why}`);
      continue;
    }
    where.closest("details")?.setAttribute("open", "");
    const input = where.querySelector(":scope > .field");
    input?.setAttribute("aria-invalid", "true");
    const own = where.querySelector(":scope > p.wrong-here");
    const said = own || h("p.wrong-here", { "data-kept": "1" });
    said.hidden = false;
    said.replaceChildren(icon("warn"), ` ${inWords(why)}`);
    if (!own) where.append(said);
    if (!input) continue;
    said.id = `${input.id}-wrong`;
    input.setAttribute("aria-errormessage", said.id);
  }
  return elsewhere;
}

const KNOWN = [
  [/must not be (blank|empty)|is required/, "wrong_empty"],
  [/must have one that is correct/, "wrong_none_right"],
  [/must have at least (\d+) entries/, "wrong_few"],
  [/absolute http or https address/, "wrong_address"],
];

function inWords(why) {
  for (const [pattern, key] of KNOWN) {
    const found = why.match(pattern);
    if (found) return t(`author.${key}`, { count: found[1] });
  }
  return why;
}
