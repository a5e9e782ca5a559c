// Saves what is typed: a moment after the last key, one request at a time, resting on the version that was read. Typing never waits
// for it. Whatever the service does not have yet stands in the browser until it does.
//
// States: saved, waiting (typed since), saving, away (no connection), slow (the service wants less at once), refused (with what it
// refuses), conflict (somebody else changed it), over (the session ended).
import { freshKey, getTagged, patchTagged } from "./api.js";

const SAVE_AFTER_MS = 1500;
const KEEP_AFTER_MS = 250;
const RETRY_FIRST_MS = 2000;
const RETRY_MOST_MS = 60_000;

// Saves that were under way when their page went, by path: who opens it again waits for them.
const leaving = new Map();

export const lastSaveOf = (path) => leaving.get(path);

const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// What of `now` is another than in `saved`.
export function changes(saved, now) {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !alike(value, saved[name])));
}

function stateOf(error) {
  if (error.status === 0) return "away";
  if (error.status === 401) return "over";
  if (error.status === 429 || error.status >= 500) return "slow";
  return "refused";
}

// `path` of the object; `fieldsOf` takes of the service's object what is edited here; `now` is how that stands on the page;
// `base` and `tag` are what the service had when it was read.
export function saving({ path, fieldsOf, now, base, tag, drafts, onState, onSaved, onConflict }) {
  let [saved, at] = [base, tag];
  let state = "saved";
  let busy = false;
  let wanted = false;
  let running = null;
  let [timer, keeper, retry] = [null, null, RETRY_FIRST_MS];
  // An answer may get lost: what was sent is sent again as it was, under the same key, before anything newer.
  let sent = null;
  let kept = true;
  let stopped = false;

  const tell = (next, more) => {
    state = next;
    onState(next, { kept, ...more });
  };
  const dirty = () => !alike(now(), saved);

  function keep() {
    clearTimeout(keeper);
    keeper = null;
    if (state === "saved" && !dirty()) return;
    kept = drafts.keep({ fields: now(), base: saved, tag: at });
  }

  function later(wait) {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(save, wait);
  }

  // To be called with every change of what is on the page; it does next to nothing.
  function changed() {
    if (!keeper) keeper = setTimeout(keep, KEEP_AFTER_MS);
    if (state === "conflict" || state === "over") return;
    if (state === "saved" || state === "refused") tell("waiting");
    if (state !== "away" && state !== "slow") later(SAVE_AFTER_MS);
  }

  function done() {
    retry = RETRY_FIRST_MS;
    if (dirty()) {
      keep();
      tell("waiting");
      later(SAVE_AFTER_MS);
      wanted ||= stopped;
      return;
    }
    clearTimeout(keeper);
    keeper = null;
    drafts.drop();
    tell("saved");
  }

  function taken(value, newTag) {
    saved = { ...fieldsOf(value) };
    // What the service wrote in its own hand (no white space at the ends) is what was meant.
    saved = { ...saved, ...Object.fromEntries(Object.entries(sent?.fields || {}).filter(([name]) => name in saved)) };
    at = newTag;
    sent = null;
    onSaved(value);
  }

  // Somebody else changed the object. Where it was nothing that is edited here, or our own change whose answer got lost, one goes on.
  async function overtaken(error) {
    const theirs = await getTagged(path);
    const fields = fieldsOf(theirs.value);
    if (alike(fields, saved) || alike(fields, now())) {
      [saved, at, sent] = [fields, theirs.tag, null];
      return true;
    }
    sent = null;
    keep();
    tell("conflict");
    onConflict({ mine: now(), theirs: fields, tag: theirs.tag, by: error?.by || null });
    return false;
  }

  function failed(error) {
    keep();
    if (error.name === "AbortError" || error.status === undefined) throw error;
    const next = stateOf(error);
    // What was refused is not sent again as it was.
    if (next === "refused") sent = null;
    tell(next, { error });
    if (next !== "away" && next !== "slow") return;
    later(retry * (0.75 + Math.random() / 2));
    retry = Math.min(retry * 2, RETRY_MOST_MS);
  }

  async function attempt() {
    sent ??= { fields: now(), body: changes(saved, now()), key: freshKey() };
    const { value, tag: newTag } = await patchTagged(path, sent.body, at, sent.key);
    taken(value, newTag);
  }

  // Resolves when nothing is under way any more.
  function save() {
    clearTimeout(timer);
    if (busy) wanted = true;
    else running = once();
    return running;
  }

  async function once() {
    if (state === "conflict" || (!sent && !dirty())) return;
    busy = true;
    wanted = false;
    tell("saving");
    try {
      await attempt();
      done();
    } catch (error) {
      await (error.status === 412 ? overtaken(error).then((goOn) => goOn && done(), failed) : failed(error));
    } finally {
      busy = false;
    }
    if (wanted) await once();
  }

  const back = () => {
    retry = RETRY_FIRST_MS;
    if (state === "away" || state === "slow") save();
  };
  const hidden = () => keep();
  const asked = (event) => {
    // The browser refused to keep it: whoever leaves now would lose it.
    if (!kept && state !== "saved") event.preventDefault();
  };
  addEventListener("online", back);
  addEventListener("pagehide", hidden);
  addEventListener("beforeunload", asked);

  return {
    changed,
    save,
    get state() {
      return state;
    },
    get tag() {
      return at;
    },
    // After both texts were seen: what is on the page goes over theirs.
    async keepMine(theirs) {
      [saved, at] = [theirs.theirs, theirs.tag];
      tell("waiting");
      await save();
    },
    // Theirs stands on the page already.
    takeTheirs(theirs) {
      [saved, at] = [theirs.theirs, theirs.tag];
      done();
    },
    // What was left behind is on the page, and its drafts are this tab's.
    adopt(name) {
      state = "waiting";
      keep();
      if (name !== drafts.mine) drafts.drop(name);
      return changed();
    },
    // Looks at both again.
    compare: () => overtaken(null).then((goOn) => goOn && done(), failed),
    // A draft was put back that rests on another version than the service has.
    async rests(on) {
      [saved, at] = [on.base, on.tag];
      if (await overtaken(null)) done();
    },
    // The page goes; what is not saved yet is, and if that fails it stays in the browser.
    stop() {
      if (stopped) return;
      stopped = true;
      keep();
      for (const [name, heard] of [["online", back], ["pagehide", hidden], ["beforeunload", asked]]) removeEventListener(name, heard);
      onState = () => {};
      onConflict = () => {};
      onSaved = () => {};
      clearTimeout(timer);
      if (state !== "waiting" && !busy) return;
      const last = save().catch(() => {}).finally(() => leaving.get(path) === last && leaving.delete(path));
      leaving.set(path, last);
    },
  };
}
