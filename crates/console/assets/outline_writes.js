// What is done to the outline of a course, each with what takes it back. A write says what it rests on: where somebody else was faster, nothing is done.
import { get, getTagged, patch, post, remove } from "./api.js";
import { everything } from "./lists.js";
import { pathOf } from "./outline_model.js";
import { overtaken } from "./undo.js";
import { drafted, waits } from "./waiting.js";

const INTO = { lesson: "unit_id", activity: "lesson_id" };
// Where what stands below a parent is listed, and by what.
const BELOW = { unit: ["/v1/units", "course_id"], lesson: ["/v1/lessons", "unit_id"], activity: ["/v1/activities", "lesson_id"] };
// So many are moved by one request.
const AT_ONCE = 100;
const parentIn = (thing) => thing[INTO[thing.object]] || thing.course_id;

// As of when things are that were changed from here last: what is taken back rests on that, and not on what it made of them before.
const ours = new Map();

function noted(found) {
  ours.set(found.id, found.updated_at);
  return found;
}

// Both ways: a name becomes another as long as it still is what it was.
async function writeName(path, from, to) {
  const { found, tag } = await getTagged(path);
  if (found.name !== from) throw overtaken();
  return noted(await patch(path, { name: to }, tag));
}

export async function rename(thing, before, name, course) {
  const path = drafted(pathOf(thing), course);
  const now = await writeName(path, before, name);
  // What waits is no change of the thing itself: it may still be deleted as it was read.
  if (waits(course)) thing.is_waiting = Boolean(now.waiting);
  else thing.updated_at = now.updated_at;
  return () => writeName(path, name, before);
}

async function put(path, object, { parent, position }) {
  return noted(await post(`${path}/move`, { position, ...(INTO[object] && { [INTO[object]]: parent }) }));
}

async function standingBelow(object, parent) {
  const [path, member] = BELOW[object];
  const { data } = await everything(path, { [member]: parent }, undefined, 50);
  return new Map(data.map((one) => [one.id, one]));
}

// Puts things side by side below a parent: all of them or none. `position` counts those that stay. Answers with what stands there then.
async function gather(course, object, { parent, position, ids }) {
  const send = (from, at) =>
    post(`/v1/courses/${course}/move`, { ids: ids.slice(from, from + AT_ONCE), position: at, ...(INTO[object] && { parent_id: parent }) });
  const parts = ids.map((_, at) => at).filter((at) => at % AT_ONCE === 0);
  // More than one request takes: first behind all that stay, so that none of them is among those that count.
  if (parts.length > 1) for (const from of parts) await send(from, 2_147_483_647);
  for (const from of parts) await send(from, position + from);
  const now = await standingBelow(object, parent);
  for (const id of ids) if (now.has(id)) noted(now.get(id));
  return now;
}

// Moves several by one request, to where the tree has put them. `stood` says where they were, by `stretches`: each of these is put back by one
// request too.
export async function moveTogether(tree, things, wanted, stood) {
  const course = tree.course.id;
  const [{ object }] = things;
  const ids = things.map(({ id }) => id);
  const left = await gather(course, object, { ...wanted, ids });
  for (const thing of things) {
    const found = left.get(thing.id);
    // Whose name somebody has changed meanwhile is not as it was read.
    if (found?.name === thing.name) thing.updated_at = found.updated_at;
    if (found && INTO[object]) thing[INTO[object]] = wanted.parent;
  }
  const back = async () => {
    const now = await standingBelow(object, wanted.parent);
    if (ids.some((id) => !now.has(id) || now.get(id).position !== left.get(id)?.position)) throw overtaken();
    // Where they went comes last: by then only what belongs there is there.
    const inTurn = stood.toSorted((one, other) => (one.parent === wanted.parent) - (other.parent === wanted.parent));
    for (const stretch of inTurn) {
      const there = stretch.parent === wanted.parent ? now : await standingBelow(object, stretch.parent);
      const still = stretch.ids.filter((id) => ids.includes(id) || there.has(id));
      await gather(course, object, { ...stretch, ids: still });
    }
  };
  const isExact = ids.every((id, at) => left.get(id)?.position === wanted.position + at);
  return { isExact, back };
}

// Sends what the tree worked out. `isExact` says whether all of it stands where it was put, or others have moved things meanwhile.
export async function move(tree, steps) {
  const sent = [];
  let isExact = true;
  const back = async () => {
    const now = await Promise.all(sent.map(({ path }) => get(path)));
    if (now.some((found, at) => found.position !== sent[at].left.position || parentIn(found) !== sent[at].left.parent)) throw overtaken();
    for (const { path, object, from } of sent.toReversed()) await put(path, object, from);
  };
  for (const { thing, from, to } of steps) {
    const path = pathOf(thing);
    const found = await put(path, thing.object, to);
    isExact &&= found.position === to.position;
    thing.updated_at = found.updated_at;
    for (const name of Object.values(INTO)) if (name in found) thing[name] = found[name];
    sent.push({ thing, path, object: thing.object, from });
  }
  for (const one of sent) one.left = tree.placeOf(one.thing);
  return { isExact, back };
}

export async function create(path, body) {
  const made = await post(path, body);
  const back = async () => {
    const { found, tag } = await getTagged(pathOf(made));
    const known = [made.updated_at, ours.get(made.id)];
    if (!known.includes(found.updated_at) || found.lesson_count > 0) throw overtaken();
    await remove(pathOf(made), tag);
  };
  return { made, back };
}

// What was deleted comes back from the trash, with all that hung on it.
async function restore(ids) {
  for (const id of ids.toReversed()) {
    const { data } = await get("/v1/trash", { object_id: id, limit: 1 });
    if (!data.length) throw overtaken();
    await post(`/v1/trash/${data[0].id}/restore`);
  }
}

// Deletes what nobody has changed since it was read. What learners have used is left, and told with how often it was used, unless `force`.
export async function removeAll(things, { force = false } = {}) {
  const [gone, used] = [[], []];
  const fields = {};
  let problem = null;
  for (const thing of things) {
    try {
      const { found, tag } = await getTagged(pathOf(thing));
      if (found.updated_at !== thing.updated_at) throw overtaken();
      await remove(`${pathOf(thing)}${force ? "?force=true" : ""}`, tag);
      gone.push(thing);
    } catch (error) {
      if (error.code === "in_use") {
        used.push(thing);
        Object.assign(fields, error.fields);
      } else if (error.status === 404) gone.push(thing);
      else {
        problem = error;
        break;
      }
    }
  }
  const ids = gone.map(({ id }) => id);
  return { gone, used, fields, problem, back: () => restore(ids) };
}

export { restore };
