// One criterion of a rubric: what it is called and means, how much it counts, its levels, key points and model answers.
import { amount } from "./assignment_settings.js";
import { button, field, h, replace } from "./dom.js";
import { number, percent } from "./format.js";
import { t } from "./i18n.js";
import { Rows } from "./rubric_rows.js";

// Which of a criterion's boxes are open, so that they stay so when it is moved.
const open = new WeakMap();

function box(criterion, name, count, ...inside) {
  const opened = open.get(criterion) || open.set(criterion, new Set()).get(criterion);
  const label = h("span");
  const tell = () => replace(label, t(`rubric.${name}`, { count: number(count()) }));
  tell();
  // Noted when it is pressed: what browsers tell of it comes later, and by then it may have been drawn anew.
  const onclick = () => (node.open ? opened.delete(name) : opened.add(name));
  const node = h("details.more-of", { "data-box": name, open: opened.has(name) }, h("summary", { onclick }, label), inside);
  return { tell, node };
}

function textOf(item) {
  return typeof item === "string" ? item : item.text;
}

// What else there is about it stays.
function withText(item, text) {
  return typeof item === "string" ? text : { ...item, text };
}

// A word for a part that may have no name yet.
const named = (text, kind, at) => (text || "").trim().slice(0, 60) || t(`rubric.${kind}_nr`, { number: number(at + 1) });

export const criterionName = (criterion, at) => named(criterion.name, "criterion", at);

// --- Levels

// The best level says how many points there are at most.
function bestOf(criterion) {
  criterion.max_points = Math.max(...criterion.levels.map(({ points }) => points || 0));
}

function levelRow(level, at, changed) {
  const called = named(level.label, "level", at);
  const text = (name, selector, props) =>
    h(selector, { dir: "auto", value: level[name] || "", oninput: (event) => changed((level[name] = event.target.value)), ...props });
  return h(
    "div.level",
    field(t("rubric.level"), text("label", "input.field", { required: true, maxlength: 255, autocomplete: "off" })),
    field(t("rubric.points"), amount(level, "points", changed, { required: true, min: 0, "aria-label": t("rubric.points_of", { what: called }) })),
    field(t("rubric.level_description"), text("description", "textarea.field", { rows: 1, maxlength: 20_000 })),
  );
}

function levels(criterion, changed, redraw) {
  const some = criterion.levels?.length > 0;
  const edited = () => {
    bestOf(criterion);
    tell();
    changed();
  };
  const begin = () => {
    const most = criterion.max_points || 100;
    criterion.levels = [
      { label: t("rubric.level_full"), points: most, description: "" },
      { label: t("rubric.level_half"), points: Math.round(most * 50) / 100, description: "" },
      { label: t("rubric.level_none"), points: 0, description: "" },
    ];
    redraw("levels");
  };
  const end = () => {
    delete criterion.levels;
    redraw("levels");
  };
  const rows = some
    ? new Rows({
        items: criterion.levels,
        row: (level, at) => levelRow(level, at, edited),
        called: (level, at) => named(level.label, "level", at),
        made: () => ({ label: "", points: 0, description: "" }),
        label: t("rubric.add_level"),
        changed: edited,
        least: 2,
        most: 12,
      }).node
    : h("p.hint", t("rubric.levels_what"));
  const turn = button(t(some ? "rubric.no_levels" : "rubric.begin_levels"), some ? end : begin, { look: "quiet", class: "small" });
  const count = () => criterion.levels?.length || 0;
  const { node, tell } = box(criterion, "levels", count, h("div.stack.tight", rows, h("div", turn)));
  return node;
}

// --- What AI compares with

function pointRow(item, at, set) {
  const called = named(textOf(item), "key_point", at);
  const weight = typeof item === "object" ? (item.weight ?? "") : "";
  // With a weight it is an object; without one it stays what it was.
  const weigh = (given) => {
    const { weight: _, ...rest } = typeof item === "object" ? item : { text: item };
    item = given === "" ? (Object.keys(rest).length > 1 ? rest : rest.text) : { ...rest, weight: Number(given) };
    set(item);
  };
  const write = (event) => set((item = withText(item, event.target.value)));
  return h(
    "div.key-point",
    h("input.field", {
      dir: "auto",
      required: true,
      value: textOf(item),
      "aria-label": t("rubric.key_point_nr", { number: number(at + 1) }),
      oninput: write,
    }),
    h("input.field.narrow", {
      type: "number",
      min: 0,
      step: "any",
      value: weight,
      placeholder: t("rubric.weight"),
      "aria-label": t("rubric.weight_of", { what: called }),
      oninput: (event) => weigh(event.target.value),
    }),
  );
}

function answerRow(item, at, set) {
  return h("textarea.field", {
    dir: "auto",
    rows: 3,
    required: true,
    value: textOf(item),
    "aria-label": t("rubric.answer_nr", { number: number(at + 1) }),
    oninput: (event) => set((item = withText(item, event.target.value))),
  });
}

// `name` is the member that holds them; without any it is not there.
function listOf(criterion, name, kind, row, changed) {
  const items = criterion[name] || [];
  const told = () => {
    if (items.length || criterion[name]) criterion[name] = items;
    tell();
    changed();
  };
  const rows = new Rows({
    items,
    row,
    called: (item, at) => named(textOf(item), kind, at),
    made: () => "",
    label: t(`rubric.add_${kind}`),
    changed: told,
  });
  const { node, tell } = box(criterion, name, () => items.length, h("div.stack.tight", h("p.hint", t(`rubric.${name}_what`)), rows.node));
  return node;
}

// --- The whole of it

function counts(criterion, shared, edited) {
  const has = criterion.levels?.length > 0;
  const share = h("p.hint.share");
  const most = has
    ? h("output.field-like", { "aria-live": "off" })
    : amount(criterion, "max_points", edited, { required: true, min: 0.01 });
  const tell = () => {
    const { part, most: score } = shared(criterion);
    if (has) replace(most, number(criterion.max_points));
    replace(share, part === null ? null : t("rubric.share", { share: percent(part * 100), points: number(part * score) }));
  };
  const node = h(
    "div.row.top-aligned",
    field(t("rubric.max_points"), most, has ? t("rubric.max_by_level") : null),
    field(t("rubric.weight"), amount(criterion, "weight", edited, { required: true, min: 0.01 })),
    share,
  );
  return { node, tell };
}

// `shared(criterion)` says which part of the score it is, `redraw()` makes the card anew.
export function criterionCard(criterion, at, { changed, shared, redraw }) {
  const text = (name, selector, props) =>
    h(selector, { dir: "auto", value: criterion[name] || "", oninput: (event) => changed((criterion[name] = event.target.value)), ...props });
  const { node, tell } = counts(criterion, shared, changed);
  const card = h(
    "div.stack.tight",
    h("h3", t("rubric.criterion_nr", { number: number(at + 1) })),
    field(t("name"), text("name", "input.field", { required: true, maxlength: 255, autocomplete: "off" })),
    field(t("rubric.description"), text("description", "textarea.field", { rows: 2, maxlength: 20_000 })),
    node,
    levels(criterion, changed, redraw),
    listOf(criterion, "key_points", "key_point", pointRow, changed),
    listOf(criterion, "reference_answers", "answer", answerRow, changed),
  );
  return { card, tell };
}
