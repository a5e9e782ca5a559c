// What is done to the outline of a course, each with what takes it back. A write says what it rests on: where somebody else was faster, nothing is done.
import { get, getTagged, patch, post, remove } from "./api.js";
import { pathOf } from "./outline_model.js";
import { overtaken } from "./undo.js";

const INTO = { lesson: "unit_id", activity: "lesson_id" };
const parentIn = (thing) => thing[INTO[thing.object]] || thing.course_id;

// Both ways: a name becomes another as long as it still is what it was.
async function writeName(path, from, to) {
  const { found, tag } = await getTagged(path);
  if (found.name !== from) throw overtaken();
  return patch(path, { name: to }, tag);
}

export async function rename(thing, before, name) {
  const path = pathOf(thing);
  thing.updated_at = (await writeName(path, before, name)).updated_at;
  return () => writeName(path, name, before);
}

function put(path, object, { parent, position }) {
  return post(`${path}/move`, { position, ...(INTO[object] && { [INTO[object]]: parent }) });
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
    if (found.updated_at !== made.updated_at || found.lesson_count > 0) throw overtaken();
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
