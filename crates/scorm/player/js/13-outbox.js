// What the service should get, written down before it is sent, so that a closed tab or a lost line loses nothing.
// Kept in localStorage where there is one; never a key or a proof. Knows nothing of pages.

const MOST_ENTRIES = 300;
const MOST_CHARACTERS = 400000;
// A request that the service stumbles over must not hold up what comes after it for ever.
const MOST_TRIES = 5;

function longHash(text) {
  return base36(hash32(text), 7) + base36(hash32(text.length + "~" + text), 7);
}

class Outbox {
  constructor(course, config, learnerId) {
    this.config = config;
    this.learner = longHash(learnerId);
    this.place = "lyceum.outbox." + course + "." + this.learner;
    this.entries = [];
    this.gone = new Set();
    this.forget();
    this.read();
  }

  // What the service already knows of this learner: steps told, work handed in, grades shown.
  forget() {
    this.told = new Set();
    this.handed = {};
    this.seen = {};
  }

  stored() {
    try {
      const found = JSON.parse(localStorage.getItem(this.place) || "{}");
      return found && typeof found === "object" ? found : {};
    } catch (error) {
      return {};
    }
  }

  read() {
    const stored = this.stored();
    this.entries = list(stored.entries).filter((entry) => typeof entry.key === "string" && typeof entry.path === "string");
    // Another package of the same course knows the learner as somebody else.
    if (stored.package !== this.config.package) return;
    this.told = new Set(list(stored.told));
    this.handed = Object.assign({}, stored.handed);
    this.seen = Object.assign({}, stored.seen);
  }

  write() {
    this.trim();
    // Another tab may have written something down since.
    const known = new Set(this.entries.map((entry) => entry.key));
    const others = list(this.stored().entries).filter((entry) => !known.has(entry.key) && !this.gone.has(entry.key));
    const text = JSON.stringify({
      package: this.config.package, entries: others.concat(this.entries), told: Array.from(this.told), handed: this.handed, seen: this.seen,
    });
    try {
      localStorage.setItem(this.place, text);
    } catch (error) {
      return;
    }
  }

  // Work that was handed in stays; of the rest the oldest goes first.
  trim() {
    const tooMuch = () => this.entries.length > MOST_ENTRIES || JSON.stringify(this.entries).length > MOST_CHARACTERS;
    while (tooMuch()) {
      const at = this.entries.findIndex((entry) => entry.kind !== "submission");
      if (at < 0) return;
      this.entries.splice(at, 1);
    }
  }

  // `package.learner.activity.attempt`: the same act always has the same key, on every device and every try.
  keyOf(step, attempt) {
    const parts = [this.config.package, this.learner, step, attempt].map((part) => String(part).replace(/[^\x21-\x7e]/g, "_"));
    return parts.join(".").slice(0, 255);
  }

  add(kind, step, attempt, path, body) {
    const key = this.keyOf(step, attempt);
    if (this.entries.some((entry) => entry.key === key)) return false;
    this.entries.push({ key, kind, step, attempt, path, body, at: new Date().toISOString(), tries: 0 });
    this.write();
    return true;
  }

  waiting(step) {
    return this.entries.find((entry) => entry.kind === "submission" && entry.step === step) || null;
  }

  remove(entry) {
    this.entries = this.entries.filter((one) => one !== entry);
    this.gone.add(entry.key);
  }

  // Sends everything in order, until it is all gone or something has to be tried again later (false).
  async flush(service, settled) {
    while (this.entries.length && service.may("write:submissions")) {
      const entry = this.entries[0];
      entry.tries += 1;
      this.write();
      const answer = await service.call("POST", entry.path, { body: entry.body, idempotencyKey: entry.key });
      if (isDone(answer) || isFinal(answer)) this.settle(entry, answer, settled);
      else if (entry.tries < MOST_TRIES) return false;
      else if (!this.stepBack(entry)) return false;
      this.write();
    }
    return true;
  }

  // What was tried often enough is given up, or stands behind the rest if it is somebody's work.
  stepBack(entry) {
    this.remove(entry);
    if (entry.kind !== "submission") return true;
    this.gone.delete(entry.key);
    this.entries.push(entry);
    return false;
  }

  settle(entry, answer, settled) {
    this.remove(entry);
    const code = codeOf(answer);
    if (entry.kind === "submission" && code === "idempotency_key_reused") {
      // Another device has used this number for something else: this is one more attempt.
      this.add(entry.kind, entry.step, entry.attempt + 1, entry.path, entry.body);
      return;
    }
    if (entry.kind === "submission" && isDone(answer)) this.handed[entry.step] = { attempt: entry.attempt, at: new Date().toISOString() };
    settled(entry, answer);
  }

  // Work that arrived although its answer was lost is not sent again, however long ago that was.
  arrived(submissions, settled) {
    const said = (content) => String((content || {}).url || (content || {}).text || "").trim();
    const same = (entry, one) => one.assignment_id === entry.step && one.status !== "draft" && one.attempt >= entry.attempt && said(one.content) === said(entry.body.content);
    for (const entry of this.entries.filter((one) => one.kind === "submission" && one.tries > 0)) {
      const found = submissions.find((one) => same(entry, one));
      if (found) this.settle(entry, { status: 200, data: found }, settled);
    }
    this.write();
  }
}
