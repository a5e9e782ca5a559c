// The outline of a course where it may be changed: added to, renamed, moved, deleted, and all of it taken back.
import { can } from "./api.js";
import { button, h, replace, say } from "./dom.js";
import { number } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { learn } from "./names.js";
import { listenForDrags } from "./outline_drag.js";
import { Tree } from "./outline_model.js";
import { editHref, hrefOf, looseAssignments, units } from "./outline_rows.js";
import * as writes from "./outline_writes.js";
import { complain, explain, go } from "./router.js";
import { mayReadTrail, trailOf } from "./trail.js";
import { canUndo, inOrder, isOvertaken, listenForUndo, remember, sayNext, undoLast, watchUndo } from "./undo.js";

// So many lessons are shown at once; of a longer course the first unit is open, and those that somebody opens.
const MOST_OPEN = 60;
const CHILD = { course: "unit", unit: "lesson", lesson: "activity" };
const dialogs = () => import("./outline_dialogs.js");
const drafting = () => Promise.all([import("./drafting.js"), useWords("proposals")]).then(([found]) => found);
// Which units somebody opened or closed, for as long as the page is there.
const opened = new Map();
// Whether something is being pressed: it is to be there still when it is let go.
let isPressing = false;
const RELEASED = ["pointerup", "pointercancel"];
for (const [kind, now] of [["pointerdown", true], ...RELEASED.map((one) => [one, false])])
  document.addEventListener(kind, () => (isPressing = now), { capture: true });

function afterPress(action) {
  if (!isPressing) return void setTimeout(action);
  const once = new AbortController();
  const over = () => {
    once.abort();
    setTimeout(action);
  };
  for (const kind of RELEASED) document.addEventListener(kind, over, { capture: true, signal: once.signal });
}

export function countsText(counts) {
  return ["unit", "lesson", "activity", "assignment", "cohort"]
    .filter((object) => counts[object])
    .map((object) => t(`authoring.count_${object}`, { count: number(counts[object]) }))
    .join(" · ");
}

export class Outline {
  // `load` reads the course anew: {course, units, assignments}.
  constructor(found, load, signal) {
    this.load = load;
    this.signal = signal;
    this.selected = new Set();
    this.adding = null;
    this.renaming = null;
    // What was written into a field and not saved yet, and what saves it.
    this.draft = null;
    this.finish = null;
    this.last = null;
    this.take(found);
    this.bar = h("div.outline-bar");
    this.host = h("div.outline.editing");
    this.loose = h("section.section.outline.editing");
    this.node = h("div.stack", this.bar, this.host, this.loose);
    this.listen();
    this.draw();
  }

  take({ course, units: found, assignments }) {
    this.tree = new Tree(course, found, assignments);
    for (const thing of this.tree.walk()) learn(thing.id, thing.name);
    for (const id of this.selected) if (!this.tree.find(id)) this.selected.delete(id);
  }

  get place() {
    return this.tree.course.id;
  }

  listen() {
    const { signal } = this;
    for (const host of [this.host, this.loose]) host.addEventListener("keydown", (event) => this.pressed(event));
    this.host.addEventListener("dblclick", (event) => {
      const item = event.target.closest(".item-name") && event.target.closest("[data-id]");
      if (item && event.target.closest(".unit-name")) this.startRenaming(this.tree.find(item.dataset.id));
    });
    const begin = (item) => {
      const thing = this.tree.find(item.dataset.id);
      return this.among(thing).map(({ id }) => id);
    };
    const drop = (ids, parent, before) =>
      this.move(
        ids.map((id) => this.tree.find(id)),
        this.tree.find(parent || this.place),
        before ? this.tree.find(before) : undefined,
      );
    listenForDrags(this.host, { begin, drop }, signal);
    listenForUndo(this.place, signal);
    watchUndo(() => this.drawBar(), signal);
  }

  // --- What is shown

  isOpen(unit) {
    const { course, lessons } = this.tree;
    return opened.get(unit.id) ?? (lessons.length <= MOST_OPEN || course.units[0] === unit);
  }

  toggle(unit) {
    opened.set(unit.id, !this.isOpen(unit));
    this.draw(unit.id, "name");
  }

  drawBar() {
    const chosen = this.chosen();
    const undo = canUndo(this.place) && button(t("authoring.undo"), () => undoLast(this.place), { look: "quiet", class: "small", icon: "back" });
    const counts = this.tree.countsBelow([this.tree.course]);
    delete counts.course;
    const kinds = new Set(chosen.map(({ object }) => object));
    const mayMove = kinds.size === 1 && !kinds.has("assignment") && !kinds.has("unit");
    if (!counts.unit && !counts.assignment && !undo) return this.bar.replaceChildren();
    replace(
      this.bar,
      chosen.length
        ? h("b", t("authoring.selected", { count: number(chosen.length) }))
        : h("span.quiet.num", countsText(counts) || t("authoring.nothing_yet")),
      h(
        "div.row",
        chosen.length > 0 && [
          mayMove && button(t("authoring.move_to"), () => this.moveTo(chosen), { look: "quiet", class: "small" }),
          button(t("authoring.delete"), () => this.remove(chosen), { look: "danger", class: "small" }),
          button(t("authoring.select_none"), () => this.selectNone(), { look: "quiet", class: "small" }),
        ],
        undo,
      ),
    );
  }

  // Shows all of it anew, with the focus where it was or where it is wanted.
  draw(id = null, part = "name") {
    const active = document.activeElement?.closest?.("[data-part], [data-add]");
    const adds = id ? null : active?.dataset.add;
    const keep = id ?? active?.closest("[data-id]")?.dataset.id;
    const wanted = id ? part : active?.dataset.part;
    this.node.classList.toggle("selecting", this.selected.size > 0);
    replace(this.host, units(this));
    replace(this.loose, looseAssignments(this));
    this.drawBar();
    const field = this.node.querySelector(".name-field");
    if (field) return field.focus();
    const add = adds && this.node.querySelector(`[data-add="${adds}"]`);
    if (add) return add.focus({ preventScroll: true });
    if (keep) this.focus(keep, wanted);
  }

  focus(id, part = "name") {
    const item = this.node.querySelector(`[data-id="${id}"]`);
    const control = item?.querySelector(`[data-part="${part}"]`) || item?.querySelector("[data-part]");
    control?.focus({ preventScroll: true });
    control?.scrollIntoView({ block: "nearest" });
  }

  async reload(id = null) {
    try {
      this.take(await this.load(this.signal));
      this.draw(id);
      if (document.activeElement === document.body) this.node.querySelector("[data-part], .add")?.focus({ preventScroll: true });
    } catch (error) {
      complain(error);
    }
  }

  // --- Selecting

  chosen() {
    return this.tree.walk().filter(({ id }) => this.selected.has(id));
  }

  // What is dragged or deleted with a thing: all of its kind that is selected, if it is.
  among(thing) {
    if (!this.selected.has(thing.id)) return [thing];
    return this.chosen().filter(({ object }) => object === thing.object);
  }

  pick(thing, isChecked, withRange) {
    const shown = [...this.node.querySelectorAll(`[data-kind="${thing.object}"]`)].map(({ dataset }) => dataset.id);
    const [from, to] = [shown.indexOf(this.last), shown.indexOf(thing.id)].sort((one, other) => one - other);
    const ids = withRange && from >= 0 ? shown.slice(from, to + 1) : [thing.id];
    for (const id of ids) this.selected[isChecked ? "add" : "delete"](id);
    this.last = thing.id;
    this.draw(thing.id, "pick");
  }

  selectNone() {
    this.selected.clear();
    this.draw();
    this.node.querySelector("[data-part]")?.focus();
  }

  // --- Keys

  pressed(event) {
    const item = event.target.closest("[data-id]");
    if (!item || event.target.matches(".name-field")) return;
    const thing = this.tree.find(item.dataset.id);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by && event.altKey) this.step(thing, by);
    else if (by && !event.ctrlKey && !event.metaKey && !event.shiftKey) this.walk(event.target, by);
    else if (event.key === "F2") this.startRenaming(thing);
    else if (event.key === "Delete") this.remove(this.selected.has(thing.id) ? this.chosen() : [thing]);
    else return;
    event.preventDefault();
  }

  walk(from, by) {
    const { part = "name" } = from.closest("[data-part]")?.dataset || {};
    const controls = [...this.node.querySelectorAll(`[data-part="${part}"]`)];
    controls[controls.indexOf(from.closest("[data-part]")) + by]?.focus();
  }

  // --- Names

  startRenaming(thing) {
    this.finish?.();
    this.renaming = thing.id;
    this.draw();
    this.node.querySelector(".name-field")?.select();
  }

  // A field in the place of a name. Enter and going elsewhere save it, Esc leaves it as it was. What was written stays when the page is
  // drawn anew under it.
  field(value, label, { save, leave }) {
    const input = h("input.field.name-field", {
      value: this.draft ?? value,
      maxlength: 255,
      dir: "auto",
      "aria-label": label,
      oninput: () => {
        this.draft = input.value;
      },
      onkeydown: (event) => {
        if (event.key !== "Escape" && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        this.draft = this.finish = null;
        if (event.key === "Enter") save(input.value.trim(), true);
        else leave();
      },
      onblur: () => afterPress(() => input.isConnected && input !== document.activeElement && this.finish?.()),
    });
    this.finish = () => {
      this.draft = this.finish = null;
      save(input.value.trim(), false);
    };
    return input;
  }

  nameField(thing) {
    const over = (stays) => {
      this.renaming = null;
      this.draw(stays ? thing.id : null);
    };
    const save = (name, stays) => {
      if (name && name !== thing.name) this.rename(thing, name);
      over(stays);
    };
    return this.field(thing.name, t("authoring.name_of", { name: thing.name }), { save, leave: () => over(true) });
  }

  rename(thing, name) {
    const before = thing.name;
    // Shown at once; the service is told behind it.
    const write = inOrder(() => writes.rename(thing, before, name, this.tree.course));
    thing.name = name;
    learn(thing.id, name);
    return this.settle(write, (undo) => {
      this.remember(t("authoring.renamed", { from: before, to: name }), undo, thing.id);
    });
  }

  // What came of a write. Where it was not done, the page shows what the service has.
  async settle(write, then) {
    try {
      await then(await write);
    } catch (error) {
      if (this.signal.aborted) return complain(error);
      say(isOvertaken(error) ? await this.overtakenText(error) : explain(error), "bad");
      await this.reload();
    }
  }

  overtakenText(error) {
    const name = error.by?.actor?.name;
    return name ? t("authoring.overtaken_by", { name }) : t("authoring.overtaken");
  }

  remember(said, undo, id) {
    const back = () => (this.signal.aborted ? null : this.reload(id));
    remember({ place: this.place, said, undo, back, isAway: this.signal.aborted });
  }

  // --- New ones

  // Of a course that was made just now the first unit is asked for.
  begin() {
    history.replaceState(null, "", `#/courses/${this.place}`);
    if (!this.tree.course.units.length) this.startAdding(this.tree.course);
  }

  startAdding(parent) {
    this.finish?.();
    if (parent.object === "unit") opened.set(parent.id, true);
    this.adding = parent.id;
    this.draw();
    this.node.querySelector(".name-field")?.scrollIntoView({ block: "nearest" });
  }

  // One after the other: after Enter the next can be written.
  newField(parent) {
    const object = CHILD[parent.object];
    const leave = () => {
      this.adding = null;
      this.draw();
      this.node.querySelector(`[data-add="${parent.id}"]`)?.focus();
    };
    const save = (name, goesOn) => {
      if (!goesOn) this.adding = null;
      if (name) this.create(object, parent, { name });
      else if (goesOn) return leave();
      this.draw();
    };
    const hint = h("p.hint", { id: "new-hint" }, t("authoring.new_hint"));
    const input = this.field("", t(`authoring.new_${object}`), { save, leave });
    input.setAttribute("aria-describedby", "new-hint");
    input.placeholder = t(`authoring.new_${object}`);
    return h("div.new-item", input, hint);
  }

  async make(object, parent, body) {
    const path = { unit: "/v1/units", lesson: "/v1/lessons", activity: "/v1/activities", assignment: "/v1/assignments" }[object];
    const { made, back } = await inOrder(() => writes.create(path, { [`${parent.object}_id`]: parent.id, ...body }));
    this.tree.add(made, this.tree.find(parent.id));
    learn(made.id, made.name);
    return { made, back, said: t("authoring.created", { name: made.name }) };
  }

  create(object, parent, body) {
    return this.settle(this.make(object, parent, body), ({ made, back, said }) => {
      this.remember(said, back);
      // Whoever has gone on meanwhile stays where they are.
      const isLeft = document.activeElement === document.body;
      this.draw(isLeft && !this.adding ? made.id : null);
    });
  }

  // What is written on a page of its own is led to; there it is said, and can be taken back.
  async lead(object, parent, body) {
    const { made, back, said } = await this.make(object, parent, body);
    const { place } = this;
    const home = ({ tell, isDone }) => {
      if (!isDone) return;
      sayNext(tell);
      go(`#/courses/${place}`);
    };
    sayNext(() => remember({ place, said, undo: back, back: home }));
    return () => go(hrefOf(made, this.tree));
  }

  async newActivity(lesson) {
    (await dialogs()).activityDialog((body) => this.lead("activity", lesson, body));
  }

  async newAssignment(parent) {
    (await dialogs()).assignmentDialog((body) => this.lead("assignment", parent, body));
  }

  // --- Moving

  step(thing, by) {
    const to = thing.object === "assignment" ? null : this.tree.neighbour(thing, by);
    if (!to) return say(t(by < 0 ? "authoring.is_first" : "authoring.is_last"), "plain");
    if (to.parent.object === "unit") opened.set(to.parent.id, true);
    return this.move([thing], to.parent, to.before);
  }

  move(things, parent, before) {
    const stood = this.tree.stretches(things);
    const steps = this.tree.move(things, parent, before);
    if (!steps.length) return null;
    const [first] = things;
    const place = this.tree.placeOf(first);
    const { position } = place;
    const write = () => (things.length > 1 ? writes.moveTogether(this.tree, things, place, stood) : writes.move(this.tree, steps));
    const values = { name: first.name, count: number(things.length), at: number(position + 1), of: number(this.tree.among(first).length), into: parent.name };
    this.draw(first.id, "name");
    return this.settle(
      inOrder(write),
      async ({ isExact, back }) => {
        this.remember(t(things.length > 1 ? "authoring.moved_many" : "authoring.moved", values), back, first.id);
        if (!isExact) await this.reload(first.id);
      },
    );
  }

  async moveTo(things) {
    const { moveDialog } = await dialogs();
    moveDialog(this.tree, things, (parent) => {
      if (parent.object === "unit") opened.set(parent.id, true);
      this.selected.clear();
      this.move(things, parent, undefined);
    });
  }

  // --- Deleting

  remove(chosen, force = false) {
    const things = this.tree.topmost(chosen);
    const counts = this.tree.countsBelow(things);
    const next = this.after(things);
    return this.settle(
      inOrder(() => writes.removeAll(things, { force })),
      async ({ gone, used, fields, problem, back }) => {
        for (const thing of gone) this.tree.remove(thing);
        for (const { id } of gone) this.selected.delete(id);
        if (gone.length) this.remember(this.deletedText(gone, counts), back, gone[0].id);
        this.draw(next);
        if (problem) throw problem;
        if (used.length) (await dialogs()).usedDialog(used, fields, () => this.remove(used, true));
      },
    );
  }

  deletedText(gone, counts) {
    if (gone.length === 1) return t("authoring.deleted", { what: word("thing", gone[0].object), name: gone[0].name });
    return t("authoring.deleted_many", { counts: countsText(counts) });
  }

  // Where one goes on once these are gone.
  after(things) {
    const rest = this.tree.walk().filter((thing) => !things.includes(thing) && !things.some((one) => this.tree.isBelow(thing, one)));
    const at = this.tree.walk().indexOf(things[0]);
    const before = rest.findLast((thing) => this.tree.walk().indexOf(thing) < at);
    return (before || rest[0])?.id || null;
  }

  // What AI can be asked to draft of it. Nothing changes before somebody accepts it.
  draftsOf(thing) {
    const { object, id, kind } = thing;
    const entry = (words, ask) => [t(`making.draft_${words}`), () => drafting().then(ask, complain)];
    const dialog = (words, path) => entry(words, ({ draftDialog }) => draftDialog(t(`proposals.${words}_title`), path));
    if (!can("ai:generate")) return [];
    if (object === "unit") return [dialog("lessons", `/v1/units/${id}/generate`)];
    if (object === "activity" && kind !== "video") return [dialog("content", `/v1/activities/${id}/generate`)];
    if (object !== "lesson") return [];
    return [dialog("text", `/v1/lessons/${id}/generate`), entry("activities", ({ activitiesDialog }) => activitiesDialog(thing))];
  }

  // --- The menu of a row

  entriesFor(thing) {
    const { tree } = this;
    const isMovable = thing.object !== "assignment";
    const up = isMovable && tree.neighbour(thing, -1);
    const down = isMovable && tree.neighbour(thing, 1);
    return [
      thing.object === "lesson" && [t("authoring.edit"), null, { href: editHref(thing, tree) }],
      ["activity", "assignment"].includes(thing.object) && [t("authoring.edit"), null, { href: hrefOf(thing, tree) }],
      [t("authoring.rename"), () => this.startRenaming(thing), { keys: "F2" }],
      thing.object === "unit" && [t("authoring.add_lesson"), () => this.startAdding(thing)],
      thing.object === "lesson" && [t("authoring.add_activity"), () => this.newActivity(thing)],
      ["unit", "lesson"].includes(thing.object) && [t("authoring.new_assignment"), () => this.newAssignment(thing)],
      ...this.draftsOf(thing),
      isMovable && null,
      Boolean(up) && [t("authoring.move_up"), () => this.step(thing, -1), { keys: "Alt+ArrowUp" }],
      Boolean(down) && [t("authoring.move_down"), () => this.step(thing, 1), { keys: "Alt+ArrowDown" }],
      ["lesson", "activity"].includes(thing.object) && [t("authoring.move_to"), () => this.moveTo([thing])],
      thing.object === "assignment" && mayReadTrail() && [t("authoring.trail"), null, { href: trailOf(thing.id) }],
      null,
      [t(this.selected.has(thing.id) ? "authoring.unselect" : "authoring.select_one"), () => this.pick(thing, !this.selected.has(thing.id), false)],
      [t("authoring.delete"), () => this.remove([thing]), { danger: true, keys: "Delete" }],
    ];
  }
}
