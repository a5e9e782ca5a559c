// What a learner has done, and how it is packed into the few thousand characters an LMS keeps.

const VERSION = "1";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const RANKS = { incomplete: 0, failed: 1, completed: 2, passed: 3 };

function base36(value, width) {
  return Math.max(0, Math.floor(value)).toString(36).padStart(width, "0").slice(-width);
}

function structureHash(steps) {
  return base36(hash32(steps.map((step) => step.id).join(" ")) % 2176782336, 6);
}

function fingerprint(step) {
  return base36(hash32(step.id) % 1679616, 4);
}

class Progress {
  constructor(steps, courseId) {
    this.steps = steps;
    this.courseId = courseId;
    this.quizzes = steps.filter((step) => step.kind === "quiz");
    this.done = new Set();
    this.scores = new Map();
    this.attempts = new Map();
    this.notes = new Map();
    this.cards = new Map();
    this.current = -1;
    this.seed = Math.floor(Math.random() * 1679615) + 1;
    this.rank = 0;
    this.best = null;
    this.interactions = 0;
    this.changed = false;
  }

  get count() { return this.steps.filter((step) => this.done.has(step.id)).length; }
  get allDone() { return this.count === this.steps.length; }
  get share() { return this.steps.length ? this.count / this.steps.length : 0; }

  addScore(step, score) {
    const before = this.scores.get(step.id);
    this.scores.set(step.id, before === undefined ? score : Math.max(before, score));
  }

  // Which cards of a deck somebody said they know.
  known(stepId) {
    return this.cards.get(stepId) || new Set();
  }

  setKnown(stepId, index, isKnown) {
    const known = new Set(this.known(stepId));
    if (isKnown) known.add(index);
    else known.delete(index);
    this.cards.set(stepId, known);
  }

  // The mean over graded quizzes, or null while one of them has no result.
  score(steps) {
    const graded = (steps || this.steps).filter((step) => step.graded);
    if (!graded.length || graded.some((step) => !this.scores.has(step.id))) return null;
    const sum = graded.reduce((total, step) => total + this.scores.get(step.id), 0);
    return Math.round((sum / graded.length) * 100) / 100;
  }

  // 1.<structure>.<current>.<done bits>.<scores>.<count-seed-rank-interactions-best>.<trail>.<notes>
  pack(budget, withNotes) {
    const head = [
      VERSION, structureHash(this.steps), base36(this.current + 1, 3), this.packBits(), this.packScores(), this.packMeta(),
    ].join(".");
    const trail = "." + this.packTrail();
    let text = head;
    if ((text + trail).length <= budget) text += trail;
    else return text;
    return withNotes ? text + this.packNotes(budget - text.length) : text;
  }

  packBits() {
    let text = "";
    for (let at = 0; at < this.steps.length; at += 6) {
      let value = 0;
      for (let bit = 0; bit < 6; bit += 1) {
        const step = this.steps[at + bit];
        if (step && this.done.has(step.id)) value |= 1 << bit;
      }
      text += ALPHABET[value];
    }
    return text;
  }

  packScores() {
    return this.quizzes.map((step) => {
      const score = this.scores.get(step.id);
      return (score === undefined ? "--" : base36(score, 2)) + base36(Math.min(35, this.attempts.get(step.id) || 0), 1);
    }).join("");
  }

  packMeta() {
    const best = this.best === null ? "" : Math.round(this.best * 100).toString(36);
    return [this.steps.length.toString(36), this.seed.toString(36), this.rank, this.interactions.toString(36), best].join("-");
  }

  // Survives a course whose steps were added, removed or moved: each done step by a short hash of its id.
  packTrail() {
    const plain = this.steps.filter((step) => this.done.has(step.id)).map(fingerprint).join("");
    const scored = this.quizzes.filter((step) => this.scores.has(step.id));
    return plain + "~" + scored.map((step) => fingerprint(step) + base36(this.scores.get(step.id), 2)).join("");
  }

  // The oldest note goes first when there is no room for all.
  packNotes(room) {
    const notes = Array.from(this.notes);
    while (notes.length) {
      const text = "." + encodeURIComponent(JSON.stringify(notes));
      if (text.length <= room) return text;
      notes.shift();
    }
    return "";
  }

  // Anything an LMS may hand back: nothing, somebody else's data, a cut-off string, another structure.
  unpack(text, bookmark) {
    const parts = String(text || "").split(".");
    if (parts[0] === VERSION && parts.length >= 6) {
      const meta = parts[5].split("-");
      const then = parseInt(meta[0], 36);
      this.readMeta(meta);
      const same = then > 0 && then <= this.steps.length && structureHash(this.steps.slice(0, then)) === parts[1];
      if (same) this.unpackSame(parts, then);
      else this.unpackTrail(parts[6] || "");
      this.changed = !same || then !== this.steps.length;
      if (this.changed) this.current = -1;
      if (parts.length > 7) this.unpackNotes(parts.slice(7).join("."));
    }
    if (this.current < 0) this.current = bookmark === "end" ? -1 : this.steps.findIndex((step) => step.id === bookmark);
  }

  readMeta(meta) {
    this.seed = parseInt(meta[1], 36) || this.seed;
    this.rank = Math.min(3, Math.max(0, parseInt(meta[2], 10) || 0));
    this.interactions = parseInt(meta[3], 36) || 0;
    const best = parseInt(meta[4], 36);
    if (best >= 0 && best <= 10000) this.best = best / 100;
  }

  unpackSame(parts, then) {
    const current = parseInt(parts[2], 36) - 1;
    if (current >= 0 && current <= this.steps.length) this.current = current;
    this.steps.slice(0, then).forEach((step, at) => {
      const value = ALPHABET.indexOf(parts[3][Math.floor(at / 6)] || "A");
      if (value > 0 && value & (1 << (at % 6))) this.done.add(step.id);
    });
    this.quizzes.forEach((step, at) => {
      const cell = parts[4].slice(at * 3, at * 3 + 3);
      const score = parseInt(cell.slice(0, 2), 36);
      if (cell.length === 3 && score >= 0 && score <= 100) this.scores.set(step.id, score);
      this.attempts.set(step.id, parseInt(cell.slice(2), 36) || 0);
    });
  }

  unpackTrail(trail) {
    const [plain, scored] = trail.split("~");
    const seen = new Set((plain || "").match(/.{4}/g) || []);
    const scores = new Map(((scored || "").match(/.{6}/g) || []).map((cell) => [cell.slice(0, 4), parseInt(cell.slice(4), 36)]));
    for (const step of this.steps) {
      const mark = fingerprint(step);
      if (seen.has(mark)) this.done.add(step.id);
      const score = scores.get(mark);
      if (step.kind === "quiz" && score >= 0 && score <= 100) this.scores.set(step.id, score);
    }
  }

  unpackNotes(text) {
    try {
      for (const [id, note] of JSON.parse(decodeURIComponent(text))) {
        if (typeof id === "string" && typeof note === "string") this.notes.set(id, note);
      }
    } catch (error) {
      this.notes.clear();
    }
  }
}
