// Saves what is typed: a moment after the last key, one request at a time, resting on the version that was read. Typing never waits
// for it. Whatever the service does not have yet stands in the browser until it does.
//
// States: saved, waiting (typed since), saving, away (no connection), slow (the service cannot right now), refused (with what it
// refuses), conflict (somebody else changed it), over (the session ended).
import { alike } from "./alike.js";
import { freshKey, getTagged, patchTagged } from "./api.js";
import { leave } from "./last_saves.js";

const SAVE_AFTER_MS = 1500;
const KEEP_AFTER_MS = 250;
const RETRY_FIRST_MS = 2000;
const RETRY_MOST_MS = 60_000;

// What of `now` is another than in `saved`.
function changes(saved, now) {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !alike(value, saved[name])));
}

function stateOf(error) {
  if (error.status === 0) return "away";
  if (error.status === 401) return "over";
  if (error.status === 429 || error.status >= 500) return "slow";
  return "refused";
}

export class Saver {
  state = "saved";
  #path;
  #fieldsOf;
  #now;
  #drafts;
  #heard;
  // What the service has, how the page stood then, and of which version both are. A field may write the same in its own hand, and
  // nobody changed anything.
  #held;
  #saved;
  #tag;
  // An answer may get lost: what was sent is sent again as it was, under the same key, before anything newer.
  #sent = null;
  #kept = true;
  #running = null;
  #again = false;
  #stopped = false;
  #timer = null;
  #keeper = null;
  #wait = RETRY_FIRST_MS;
  #listening = new AbortController();

  // `path` of the object; `fieldsOf` takes of the service's object what is edited here; `now` is how that stands on the page; `value`
  // and `tag` are what the service had when it was read; `heard` is told by `state`, `saved` and `conflict`.
  constructor({ path, fieldsOf, now, value, tag, drafts, heard }) {
    [this.#path, this.#fieldsOf, this.#now, this.#drafts, this.#heard] = [path, fieldsOf, now, drafts, heard];
    [this.#held, this.#saved, this.#tag] = [fieldsOf(value), now(), tag];
    const { signal } = this.#listening;
    addEventListener("online", () => this.#back(), { signal });
    addEventListener("pagehide", () => this.#keep(), { signal });
    // The browser refused to keep it: whoever leaves now would lose it.
    addEventListener("beforeunload", (event) => !this.#kept && this.state !== "saved" && event.preventDefault(), { signal });
  }

  // To be called with every change of what is on the page; it does next to nothing.
  changed() {
    this.#keeper ??= setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    if (["conflict", "over"].includes(this.state)) return;
    if (["saved", "refused"].includes(this.state)) this.#tell("waiting");
    if (!["away", "slow"].includes(this.state)) this.#later(SAVE_AFTER_MS);
  }

  // Resolves when nothing is under way any more.
  save() {
    clearTimeout(this.#timer);
    if (this.#running) this.#again = true;
    else
      this.#running = this.#untilSaved().finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  // After both texts were seen: what is on the page goes over theirs.
  keepMine({ theirs, tag }) {
    [this.#held, this.#saved, this.#tag] = [theirs, theirs, tag];
    this.#tell("waiting");
    return this.save();
  }

  // Theirs stands on the page already.
  takeTheirs({ theirs, tag }) {
    [this.#held, this.#saved, this.#tag] = [theirs, this.#now(), tag];
    this.#done();
  }

  // A draft that was left behind is on the page: from now on it is this tab's.
  adopt({ name, base, tag }) {
    [this.#held, this.#saved, this.#tag] = [base, base, tag];
    this.#tell("waiting");
    this.#keep();
    if (name !== this.#drafts.mine) this.#drafts.drop(name);
  }

  // Looks at what the service has now.
  async compare() {
    try {
      if (await this.#overtaken(null)) this.#done();
    } catch (error) {
      this.#failed(error);
    }
  }

  // The page goes. What is not saved yet is; if that fails it stays in the browser.
  stop() {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#keep();
    this.#listening.abort();
    clearTimeout(this.#timer);
    this.#heard = { state() {}, saved() {}, conflict() {} };
    if (this.state === "waiting" || this.#running) leave(this.#path, this.save());
  }

  #tell(state, more) {
    this.state = state;
    this.#heard.state(state, { kept: this.#kept, ...more });
  }

  #isDirty() {
    return !alike(this.#now(), this.#saved);
  }

  #keep() {
    clearTimeout(this.#keeper);
    this.#keeper = null;
    if (this.state === "saved" && !this.#isDirty()) return;
    this.#kept = this.#drafts.keep({ fields: this.#now(), base: this.#held, tag: this.#tag });
  }

  #later(wait) {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => this.save(), wait);
  }

  #back() {
    this.#wait = RETRY_FIRST_MS;
    if (["away", "slow"].includes(this.state)) this.save();
  }

  async #untilSaved() {
    do {
      this.#again = false;
      await this.#once();
    } while (this.#again);
  }

  async #once() {
    if (this.state === "conflict") return;
    try {
      // What was typed and taken back again needs no saving.
      if (this.#sent || this.#isDirty()) await this.#send();
      this.#done();
    } catch (error) {
      if (error.status === 412) await this.#otherVersion(error);
      else this.#failed(error);
    }
  }

  async #send() {
    this.#tell("saving");
    this.#sent ??= { fields: this.#now(), body: changes(this.#saved, this.#now()), key: freshKey() };
    const { found: value, tag } = await patchTagged(this.#path, this.#sent.body, this.#tag, this.#sent.key);
    [this.#held, this.#saved, this.#tag, this.#sent] = [this.#fieldsOf(value), this.#sent.fields, tag, null];
    this.#heard.saved(value);
  }

  #done() {
    this.#wait = RETRY_FIRST_MS;
    if (this.#isDirty()) {
      this.#tell("waiting");
      this.#keep();
      if (this.#stopped) this.#again = true;
      else this.#later(SAVE_AFTER_MS);
      return;
    }
    clearTimeout(this.#keeper);
    this.#keeper = null;
    this.#drafts.drop();
    this.#tell("saved");
  }

  async #otherVersion(refusal) {
    try {
      if (await this.#overtaken(refusal)) this.#done();
    } catch (error) {
      this.#failed(error);
    }
  }

  // Somebody else changed the object. Where it was nothing that is edited here, or our own change whose answer got lost, one goes on.
  async #overtaken(refusal) {
    const { found: value, tag } = await getTagged(this.#path);
    const theirs = this.#fieldsOf(value);
    this.#sent = null;
    if (alike(theirs, this.#held)) this.#tag = tag;
    else if (alike(theirs, this.#now())) [this.#held, this.#saved, this.#tag] = [theirs, theirs, tag];
    if (this.#tag === tag) return true;
    this.#keep();
    this.#tell("conflict");
    this.#heard.conflict({ mine: this.#now(), theirs, tag, by: refusal?.by || null });
    return false;
  }

  #failed(error) {
    this.#keep();
    // A mistake of this page is told as one, and nothing is taken for saved.
    if (error.status === undefined) console.error(error);
    const state = error.status === undefined ? "slow" : stateOf(error);
    // What was refused is not sent again as it was.
    if (state === "refused") this.#sent = null;
    this.#tell(state, { error });
    if (state !== "away" && state !== "slow") return;
    this.#later(this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, RETRY_MOST_MS);
  }
}
