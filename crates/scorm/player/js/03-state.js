// What a learner has done, and how it is packed into the few thousand characters an LMS keeps.

const VERSION = "2";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MARKS = 36 ** 4;
const AT_END = "zzz";
const NO_SCORE = "--";
const MOST_ATTEMPTS = 36 ** 2 - 1;
const MOST_CARDS = 600;
const PROOF = /^[A-Za-z0-9_-]{1,22}$/;
const META = /^([0-9a-z]+)-([0-9a-z]+)-([0-3])-([0-9a-z]+)-([0-9a-z]*)$/;

// The kinds that a learner can be at several times, each time with a result of its own.
const ACTS = new Set(["quiz", "reflection", "assignment"]);

function base36(value, width) {
  return Math.max(0, Math.floor(value)).toString(36).padStart(width, "0").slice(-width);
}

function structureHash(steps) {
  return base36(hash32(steps.map((step) => step.id).join(" ")) % 2176782336, 6);
}

function fingerprint(id) {
  return base36(hash32(id) % MARKS, 4);
}

// Ids tell when something was made, after the prefix of its kind: sorted by that, what is new comes last.
function byAge(one, other) {
  const age = (step) => step.id.slice(step.id.indexOf("_") + 1) + " " + step.id;
  return age(one) < age(other) ? -1 : 1;
}

function packBits(count, isSet) {
  let text = "";
  for (let at = 0; at < count; at += 6) {
    let value = 0;
    for (let bit = 0; bit < 6 && at + bit < count; bit += 1) {
      if (isSet(at + bit)) value |= 1 << bit;
    }
    text += ALPHABET[value];
  }
  return text;
}

function bitIn(text, at) {
  const value = ALPHABET.indexOf(text[Math.floor(at / 6)] || "A");
  return value > 0 && (value & (1 << (at % 6))) !== 0;
}

function packText(text) {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function unpackText(packed) {
  try {
    const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
  } catch (error) {
    return "";
  }
}

class Progress {
  // With `waitsForGrades` an assignment that was handed in counts only once it has a score.
  constructor(steps, courseId, waitsForGrades) {
    this.steps = steps;
    this.courseId = courseId;
    this.waitsForGrades = waitsForGrades === true;
    this.byAge = steps.slice().sort(byAge);
    this.done = new Set();
    this.scores = new Map();
    this.attempts = new Map();
    this.cards = new Map();
    this.notes = new Map();
    this.proof = "";
    this.current = -1;
    this.seed = Math.floor(Math.random() * (MARKS - 1)) + 1;
    this.rank = 0;
    this.best = null;
    this.interactions = 0;
    this.changed = false;
  }

  get count() { return this.steps.filter((step) => this.counts(step)).length; }
  get allDone() { return this.count === this.steps.length; }

  // Whether the course is done by its rule, `{rule, percent}`; without one it is by every step.
  meets(rule) { return this.measure(rule) >= 1; }

  // How much there is of what the course is done by, from 0 to 1.
  measure(rule) {
    const among = (steps, is) => (steps.length ? steps.filter(is).length / steps.length : 1);
    switch (rule && rule.rule) {
      case "share": return Math.min(1, (this.share * 100) / rule.percent);
      case "quizzes": return among(this.steps.filter((step) => step.graded), (step) => this.scores.get(step.id) >= step.passMark);
      case "assignments": return among(this.steps.filter((step) => step.kind === "assignment"), (step) => this.counts(step));
      default: return this.share;
    }
  }
  get share() { return this.steps.length ? this.count / this.steps.length : 0; }

  // Whether a step counts as done for the course; what is ticked in the menu is `done`.
  counts(step) {
    const waits = this.waitsForGrades && step.kind === "assignment" && !this.scores.has(step.id);
    return this.done.has(step.id) && !waits;
  }

  addScore(step, score) {
    const whole = Math.round(Math.min(100, Math.max(0, Number(score) || 0)));
    this.scores.set(step.id, Math.max(this.scores.get(step.id) || 0, whole));
  }

  // The mean over graded quizzes and over what else has a grade; null while a graded quiz has no result, unless the course
  // is over without it: then it is worth nothing.
  score(steps, isOver) {
    const among = steps || this.steps;
    if (!isOver && among.some((step) => step.graded && !this.scores.has(step.id))) return null;
    const scored = among.filter((step) => step.graded || (step.kind === "assignment" && this.scores.has(step.id)));
    if (!scored.length) return null;
    const sum = scored.reduce((total, step) => total + (this.scores.get(step.id) || 0), 0);
    return Math.round((sum / scored.length) * 100) / 100;
  }

  // The cards of a stack, by index, that the learner knows.
  known(stepId) {
    return new Set(this.cards.get(stepId));
  }

  setKnown(stepId, index, isKnown) {
    const known = this.known(stepId);
    if (isKnown && index < MOST_CARDS) known.add(index);
    else known.delete(index);
    this.cards.set(stepId, known);
  }

  // 2.<course>.<count-seed-rank-interactions-best>.<structure>.<current>.<done bits>.<scores>.<proof>.<trail>.<cards>.<notes>
  //
  // What matters most comes first and is kept whatever the budget. Of the rest the trail goes last, before it the cards
  // and before them the notes, the oldest first.
  pack(budget, withNotes) {
    let text = [
      VERSION, fingerprint(this.courseId), this.packMeta(), structureHash(this.byAge), this.packCurrent(),
      packBits(this.byAge.length, (at) => this.done.has(this.byAge[at].id)), this.packScores(),
      PROOF.test(this.proof) ? this.proof : "",
    ].join(".") + ".";
    const trail = this.packTrail();
    if (text.length + trail.length + 2 <= budget) text += trail;
    text += ".";
    text += fitting(this.packCards(), budget - text.length - 1) + ".";
    return withNotes ? text + fitting(this.packNotes(), budget - text.length) : text;
  }

  packMeta() {
    const best = this.best === null ? "" : Math.round(this.best * 100).toString(36);
    return [this.steps.length.toString(36), this.seed.toString(36), this.rank, this.interactions.toString(36), best].join("-");
  }

  packCurrent() {
    const step = this.steps[this.current];
    if (step) return base36(this.byAge.indexOf(step) + 1, 3);
    return this.current < 0 ? base36(0, 3) : AT_END;
  }

  packScores() {
    return acts(this.byAge).map((step) => this.packResult(step)).join("");
  }

  packResult(step) {
    const score = this.scores.get(step.id);
    const attempts = Math.min(MOST_ATTEMPTS, this.attempts.get(step.id) || 0);
    return (score === undefined ? NO_SCORE : base36(score, 2)) + base36(attempts, 2);
  }

  // Survives a course that lost steps: each done step by a short hash of its id, and each result with such a hash.
  // A step that is new is taken for a done one with a chance of (number of done steps) in 1.7 million.
  packTrail() {
    const plain = this.byAge.filter((step) => this.done.has(step.id)).map((step) => fingerprint(step.id)).join("");
    const tried = acts(this.byAge).filter((step) => this.scores.has(step.id) || this.attempts.get(step.id) > 0);
    return plain + "~" + tried.map((step) => fingerprint(step.id) + this.packResult(step)).join("");
  }

  packCards() {
    const stacks = Array.from(this.cards).filter(([, known]) => known.size);
    return stacks.map(([id, known]) => fingerprint(id) + packBits(Math.max(...known) + 1, (at) => known.has(at)));
  }

  // The newest first: a string that was cut off lost the oldest.
  packNotes() {
    return Array.from(this.notes).reverse().map(([id, text]) => packText(id + "\n" + text));
  }

  // Anything an LMS may hand back: nothing, somebody else's data, a cut-off string, another structure.
  // What was done here before is kept, so this also joins two visits.
  unpack(text, bookmark) {
    const fields = String(text || "").split(".");
    // Only what is followed by something is known to be whole.
    const whole = (at) => (at < fields.length - 1 ? fields[at] : "");
    if (fields[0] === VERSION && whole(1) === fingerprint(this.courseId)) {
      const then = this.readMeta(whole(2));
      const isSame = then > 0 && then <= this.byAge.length && structureHash(this.byAge.slice(0, then)) === whole(3);
      this.changed = !isSame || then !== this.byAge.length;
      if (!isSame || !this.unpackSame(fields, this.byAge.slice(0, then))) this.unpackTrail(fields[8] || "");
      if (PROOF.test(whole(7))) this.proof = whole(7);
      this.unpackCards(fields[9] || "");
      this.unpackNotes(fields[10] || "");
    }
    if (this.current >= 0) return;
    this.current = bookmark === "end" && this.done.size ? this.steps.length : this.steps.findIndex((step) => step.id === bookmark);
  }

  // Gives the number of steps that there were.
  readMeta(text) {
    const meta = META.exec(text);
    if (!meta) return 0;
    this.seed = parseInt(meta[2], 36) || this.seed;
    this.rank = Math.max(this.rank, Number(meta[3]));
    this.interactions = Math.max(this.interactions, parseInt(meta[4], 36));
    const best = parseInt(meta[5], 36);
    if (best >= 0 && best <= 10000) this.best = Math.max(this.best || 0, best / 100);
    return parseInt(meta[1], 36);
  }

  // False if the fields do not have the lengths they must have, so that nothing can be read by its place.
  unpackSame(fields, steps) {
    const tried = acts(steps);
    const fits = (at, length) => {
      const size = (fields[at] || "").length;
      return at < fields.length - 1 ? size === length : size <= length;
    };
    if (!fits(4, 3) || !fits(5, Math.ceil(steps.length / 6)) || !fits(6, tried.length * 4)) return false;
    this.unpackCurrent(fields[4] || "", steps);
    steps.forEach((step, at) => {
      if (bitIn(fields[5] || "", at)) this.done.add(step.id);
    });
    tried.forEach((step, at) => this.unpackResult(step, (fields[6] || "").slice(at * 4, at * 4 + 4)));
    return true;
  }

  unpackCurrent(text, steps) {
    if (text === AT_END) this.current = this.steps.length;
    else if (text.length === 3 && steps[parseInt(text, 36) - 1]) this.current = this.steps.indexOf(steps[parseInt(text, 36) - 1]);
  }

  unpackResult(step, cell) {
    if (!/^(--|[0-9a-z]{2})[0-9a-z]{2}$/.test(cell)) return;
    const score = parseInt(cell.slice(0, 2), 36);
    if (score >= 0 && score <= 100) this.addScore(step, score);
    this.attempts.set(step.id, (this.attempts.get(step.id) || 0) + parseInt(cell.slice(2), 36));
  }

  unpackTrail(trail) {
    const [plain, tried] = trail.split("~");
    const marks = new Set((plain || "").match(/.{4}/g) || []);
    const results = new Map(((tried || "").match(/.{8}/g) || []).map((cell) => [cell.slice(0, 4), cell.slice(4)]));
    for (const step of this.steps) {
      const mark = fingerprint(step.id);
      if (marks.has(mark)) this.done.add(step.id);
      if (ACTS.has(step.kind) && results.has(mark)) this.unpackResult(step, results.get(mark));
    }
  }

  unpackCards(text) {
    const stacks = new Map(text.split("~").map((stack) => [stack.slice(0, 4), stack.slice(4)]));
    for (const step of this.steps.filter((one) => one.kind === "flashcards")) {
      const bits = stacks.get(fingerprint(step.id)) || "";
      for (let at = 0; at < Math.min(MOST_CARDS, bits.length * 6); at += 1) {
        if (bitIn(bits, at)) this.setKnown(step.id, at, true);
      }
    }
  }

  unpackNotes(text) {
    const written = Array.from(this.notes);
    for (const packed of text.split("~").reverse()) {
      const note = unpackText(packed);
      const line = note.indexOf("\n");
      if (line > 0) this.notes.set(note.slice(0, line), note.slice(line + 1));
    }
    for (const [id, note] of written) this.notes.set(id, note);
  }
}

function acts(steps) {
  return steps.filter((step) => ACTS.has(step.kind));
}

// As many pieces as there is room for, joined.
function fitting(pieces, room) {
  let text = "";
  for (const piece of pieces) {
    const longer = text ? text + "~" + piece : piece;
    if (longer.length <= room) text = longer;
  }
  return text;
}
