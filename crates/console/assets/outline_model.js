// A course as a tree, and where things go in it. It knows nothing of the page and asks nobody: a move is worked out here, and sent by outline_writes.js.
export const PATHS = { course: "courses", unit: "units", lesson: "lessons", activity: "activities", assignment: "assignments" };
// What each hangs on, and where it is listed there. Assignments are in no order of their own, so they are not moved.
const PARENT = { unit: "course", lesson: "unit", activity: "lesson" };
const LIST = { unit: "units", lesson: "lessons", activity: "activities" };

export function pathOf(thing) {
  return `/v1/${PATHS[thing.object]}/${thing.id}`;
}

export class Tree {
  constructor(course, units, assignments) {
    this.course = course;
    this.course.units = units;
    this.assignments = assignments;
    this.index();
  }

  index() {
    this.byId = new Map([[this.course.id, this.course]]);
    this.parents = new Map();
    const add = (thing, parent) => {
      this.byId.set(thing.id, thing);
      this.parents.set(thing.id, parent);
    };
    for (const unit of this.course.units) {
      add(unit, this.course);
      for (const lesson of unit.lessons) {
        add(lesson, unit);
        for (const activity of lesson.activities || []) add(activity, lesson);
      }
    }
    for (const one of this.assignments) add(one, this.byId.get(one.lesson_id) || this.byId.get(one.unit_id) || this.course);
  }

  get lessons() {
    return this.course.units.flatMap((unit) => unit.lessons);
  }

  find(id) {
    return this.byId.get(id);
  }

  parentOf(thing) {
    return this.parents.get(thing.id);
  }

  // The list that a thing stands in.
  among(thing) {
    return thing.object === "assignment" ? this.assignments : this.childrenOf(this.parentOf(thing), thing.object);
  }

  childrenOf(parent, object) {
    parent[LIST[object]] ??= [];
    return parent[LIST[object]];
  }

  assignmentsOf(parent) {
    return this.assignments.filter((one) => this.parents.get(one.id) === parent);
  }

  // Everything as it stands below each other.
  walk() {
    const below = (thing) => [
      thing,
      ...(thing.units || thing.lessons || thing.activities || []).flatMap(below),
      ...(thing.object === "assignment" ? [] : this.assignmentsOf(thing)),
    ];
    return below(this.course).slice(1);
  }

  isBelow(thing, ancestor) {
    for (let at = this.parentOf(thing); at; at = this.parentOf(at)) if (at === ancestor) return true;
    return false;
  }

  // What of it is not below something else of it, in the order of the page.
  topmost(things) {
    const set = new Set(things);
    return this.walk().filter((thing) => set.has(thing) && !things.some((other) => this.isBelow(thing, other)));
  }

  add(thing, parent) {
    if (thing.object === "unit") thing.lessons ??= [];
    if (thing.object === "lesson") thing.activities ??= [];
    if (thing.object === "assignment") this.assignments.push(thing);
    else this.childrenOf(parent, thing.object).push(thing);
    this.index();
  }

  remove(thing) {
    const list = this.among(thing);
    list.splice(list.indexOf(thing), 1);
    this.assignments = this.assignments.filter((one) => one !== thing && !this.isBelow(one, thing));
    this.index();
  }

  placeOf(thing) {
    const parent = this.parentOf(thing);
    return { parent: parent.id, position: this.among(thing).indexOf(thing) };
  }

  // How things of one kind stand: below each of their parents the stretch of its list from the first of them to the last.
  stretches(things) {
    const parents = [...new Set(things.map((thing) => this.parentOf(thing)))];
    return parents.map((parent) => {
      const list = this.childrenOf(parent, things[0].object);
      const places = things.map((thing) => list.indexOf(thing)).filter((place) => place >= 0);
      const [first, last] = [Math.min(...places), Math.max(...places)];
      return { parent: parent.id, position: first, ids: list.slice(first, last + 1).map(({ id }) => id) };
    });
  }

  // Puts things into a list before one of it, or at its end, and says by which steps: each with where it was and where it is put.
  move(things, parent, before) {
    const [{ object }] = things;
    const list = this.childrenOf(parent, object);
    let anchor = before;
    while (anchor && things.includes(anchor)) anchor = list[list.indexOf(anchor) + 1];
    const steps = [];
    for (const thing of things) {
      const from = this.placeOf(thing);
      this.among(thing).splice(from.position, 1);
      const position = anchor ? list.indexOf(anchor) : list.length;
      list.splice(position, 0, thing);
      this.parents.set(thing.id, parent);
      if (from.parent !== parent.id || from.position !== position) steps.push({ thing, from, to: { parent: parent.id, position } });
    }
    this.index();
    return steps;
  }

  // One step up or down; beyond the end of a list it goes on in the one beside it.
  neighbour(thing, by) {
    const parent = this.parentOf(thing);
    const list = this.among(thing);
    const at = list.indexOf(thing) + by;
    if (at >= 0 && at < list.length) return { parent, before: list[by > 0 ? at + 1 : at] };
    if (!PARENT[thing.object] || thing.object === "unit") return null;
    const all = thing.object === "lesson" ? this.course.units : this.lessons;
    const beside = all[all.indexOf(parent) + by];
    return beside ? { parent: beside, before: by > 0 ? this.childrenOf(beside, thing.object)[0] : undefined } : null;
  }

  // How much goes when these go.
  countsBelow(things) {
    const counts = {};
    for (const thing of this.walk())
      if (things.includes(thing) || things.some((one) => this.isBelow(thing, one))) counts[thing.object] = (counts[thing.object] || 0) + 1;
    return counts;
  }
}
