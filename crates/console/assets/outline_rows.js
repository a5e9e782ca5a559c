// The rows of the outline: a unit, a lesson, an activity, an assignment, each with what can be done to it.
import { pageLinks } from "./assignment_pages.js";
import { can } from "./api.js";
import { button, empty, h, hidden, icon, own } from "./dom.js";
import { number, when } from "./format.js";
import { t, word } from "./i18n.js";
import { menuButton } from "./menu.js";
import { originTag } from "./origin.js";
import { waitingTag } from "./waiting.js";

const MOVABLE = new Set(["unit", "lesson", "activity"]);

export function hrefOf(thing, tree) {
  const course = tree.course.id;
  if (thing.object === "lesson") return `#/courses/${course}/${thing.id}`;
  if (thing.object === "activity") return `#/courses/${course}/${tree.parentOf(thing).id}/activities/${thing.id}`;
  return `#/assignments/${thing.id}/edit`;
}

// Where it is written, as far as it has a page of its own for that.
export function editHref(thing, tree) {
  return thing.object === "lesson" ? `${hrefOf(thing, tree)}/edit` : hrefOf(thing, tree);
}

function pick(thing, view) {
  return h(
    "label.pick",
    h("input", {
      type: "checkbox",
      checked: view.selected.has(thing.id),
      "data-part": "pick",
      "aria-label": t("authoring.select", { name: thing.name }),
      onclick: (event) => view.pick(thing, event.target.checked, event.shiftKey),
    }),
  );
}

function row(thing, view, name, ...about) {
  return h(
    "div.item-row",
    MOVABLE.has(thing.object) ? h("span.grip", { "aria-hidden": "true", title: t("authoring.drag") }, icon("grip")) : h("span.grip.none"),
    pick(thing, view),
    view.renaming === thing.id ? view.nameField(thing) : name,
    h("span.item-about", about, waitingTag(thing)),
    menuButton(t("authoring.more_for", { name: thing.name }), () => view.entriesFor(thing), { "data-part": "menu" }),
  );
}

function item(selector, thing, view, ...inside) {
  return h(selector, { "data-id": thing.id, "data-kind": thing.object, class: view.selected.has(thing.id) ? "selected" : "" }, inside);
}

function nameLink(thing, view, href) {
  return h("a.item-name", { href, "data-part": "name" }, own("span", thing.name));
}

function activityItem(activity, view) {
  return item("li.item.activity", activity, view, row(activity, view, nameLink(activity, view, hrefOf(activity, view.tree)), word("activity", activity.kind)));
}

function assignmentItem(assignment, view) {
  const due = assignment.due_at && h("span", `${t("course.due")} `, when(assignment.due_at));
  const points = h("span.num", t("course.points", { points: number(assignment.max_score) }));
  const name = nameLink(assignment, view, hrefOf(assignment, view.tree));
  return item(
    "li.item.assignment",
    assignment,
    view,
    row(assignment, view, name, due, points, h("span", word("thing", "assignment"))),
    can("read:submissions") && h("p.parts.item-pages", pageLinks(assignment.id)),
  );
}

function lessonItem(lesson, view) {
  const parts = [
    ...(lesson.activities || []).map((one) => activityItem(one, view)),
    ...view.tree.assignmentsOf(lesson).map((one) => assignmentItem(one, view)),
  ];
  const edit = h("a.item-edit", { href: editHref(lesson, view.tree), "data-part": "edit", "aria-label": t("authoring.edit_named", { name: lesson.name }) }, t("authoring.edit"));
  const minutes = lesson.duration_minutes > 0 && h("span.num", t("course.minutes", { minutes: number(lesson.duration_minutes) }));
  return item(
    "li.item.lesson",
    lesson,
    view,
    row(lesson, view, nameLink(lesson, view, hrefOf(lesson, view.tree)), originTag(lesson.provenance), minutes, edit),
    parts.length ? h("ul.items", parts) : null,
  );
}

export function unitItem(unit, at, view) {
  const isOpen = view.isOpen(unit);
  const name = h(
    "h2.item-name",
    h(
      "button.unit-name",
      { type: "button", "aria-expanded": String(isOpen), "data-part": "name", onclick: () => view.toggle(unit) },
      h("span.nr.num", number(at + 1)),
      own("span", unit.name),
      icon("next"),
    ),
  );
  const count = h("span.num", t("course.lessons", { count: number(unit.lessons.length) }));
  return item("li.item.unit", unit, view, row(unit, view, name, originTag(unit.provenance), count), isOpen ? unitBody(unit, view) : null);
}

function unitBody(unit, view) {
  const adding = view.adding === unit.id;
  return h(
    "div.inside",
    unit.description && own("p.quiet", unit.description),
    h(
      "ul.items",
      unit.lessons.map((lesson) => lessonItem(lesson, view)),
      view.tree.assignmentsOf(unit).map((one) => assignmentItem(one, view)),
    ),
    adding ? view.newField(unit) : addButton(t("authoring.add_lesson"), unit, view),
  );
}

function addButton(label, parent, view) {
  const extra = parent.object === "unit" ? hidden(`: ${parent.name}`) : null;
  return h("button.add", { type: "button", "data-add": parent.id, onclick: () => view.startAdding(parent) }, icon("plus"), h("span", label), extra);
}

export function units(view) {
  const { course } = view.tree;
  const isAdding = view.adding === course.id;
  if (!course.units.length && !isAdding)
    return empty(
      t("course.empty_title"),
      t("authoring.empty"),
      button(t("authoring.add_unit"), () => view.startAdding(course), { icon: "plus", "data-add": course.id }),
    );
  return [
    h("ol.items.units", course.units.map((unit, at) => unitItem(unit, at, view))),
    isAdding && !course.units.length && h("p.quiet", t("authoring.empty")),
    isAdding ? view.newField(course) : addButton(t("authoring.add_unit"), course, view),
  ];
}

export function looseAssignments(view) {
  const loose = view.tree.assignmentsOf(view.tree.course);
  return [
    h("h2", t("course.assignments")),
    loose.length ? h("ul.items", loose.map((one) => assignmentItem(one, view))) : h("p.quiet", t("authoring.no_assignments")),
    h("div", button(t("authoring.new_assignment"), () => view.newAssignment(view.tree.course), { look: "quiet", class: "small", icon: "plus" })),
  ];
}
