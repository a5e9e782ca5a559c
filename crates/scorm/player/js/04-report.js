// What the LMS is told, and when: the status policy, scores, objectives and interactions.

const RANKS = { incomplete: 0, failed: 1, completed: 2, passed: 3 };
const WORDS = Object.keys(RANKS);

// Some systems keep less than the standard asks for; what matters most fits into less.
const ROOMS = [60000, 3900, 1000, 250];

// No LMS keeps more; a larger count is nonsense, and going through it would take for ever.
const MOST_OBJECTIVES = 1000;
const MOST_PENDING = 500;

class Reporter {
  constructor(lms, progress, course) {
    this.lms = lms;
    this.progress = progress;
    this.course = course;
    this.objectives = null;
    this.room = null;
    this.nextInteraction = 0;
    this.pending = [];
  }

  get finished() { return this.progress.rank > 0; }

  // Called once, when the connection stands: what earlier visits reached is never taken back. With `late` the learner
  // was already at work: they stay where they are, and what they did is added.
  restore(late) {
    const { lms, progress } = this;
    const place = progress.current;
    const attempts = new Map(progress.attempts);
    progress.unpack(lms.get("cmi.suspend_data"), lms.get(lms.dialect.location));
    if (late) progress.current = place;
    this.believe(lms.get(lms.dialect.status).toLowerCase(), lms.get(lms.dialect.success).toLowerCase());
    lms.set(lms.dialect.exit, "suspend");
    this.tellPending(attempts);
    this.save();
  }

  // Takes over what the LMS itself knows. A bare "failed" may be its own guess about a course in progress.
  believe(status, success) {
    const { lms, progress } = this;
    const finished = ["passed", "completed", "failed"];
    let rank = 0;
    if (status === "completed") rank = success === "failed" ? RANKS.failed : RANKS.completed;
    if (status === "passed" || success === "passed") rank = RANKS.passed;
    progress.rank = Math.max(progress.rank, rank);
    // A score without any outcome may be whatever the LMS starts with.
    const raw = parseFloat(lms.get(lms.dialect.score + ".raw"));
    const hasOutcome = this.finished || finished.includes(status) || finished.includes(success);
    if (hasOutcome && raw >= 0 && raw <= 100) progress.best = Math.max(progress.best || 0, raw);
  }

  save(leaving) {
    const { lms, progress } = this;
    if (!lms.records) return true;
    this.settle();
    this.writeScore();
    this.writeStatus();
    const at = progress.steps[progress.current];
    lms.set(lms.dialect.location, at ? at.id : progress.current < 0 ? "start" : "end");
    const kept = this.writeState();
    this.writeObjectives();
    return lms.commit(leaving) && kept;
  }

  // Moves the rank up if the course is finished; nothing ever moves it down.
  settle() {
    const progress = this.progress;
    if (!progress.meets(this.course.completion)) return;
    const score = progress.score(null, true);
    if (score !== null) progress.best = progress.best === null ? score : Math.max(progress.best, score);
    progress.rank = Math.max(progress.rank, RANKS[this.outcome(score)]);
  }

  outcome(score) {
    const pass = this.course.passMark;
    if (score === null || typeof pass !== "number") return "completed";
    if (this.progress.best >= pass) return "passed";
    return this.course.retriesFailed ? "incomplete" : "failed";
  }

  writeScore() {
    const { lms, progress } = this;
    // A score in mid-course is read as the final one by LMSs that know a pass mark.
    if (!this.finished || progress.best === null) return;
    lms.set(lms.dialect.score + ".min", "0");
    lms.set(lms.dialect.score + ".max", "100");
    lms.set(lms.dialect.score + ".raw", decimal(progress.best));
    if (lms.is2004) lms.set(lms.dialect.score + ".scaled", decimal(progress.best / 100));
  }

  writeStatus() {
    const { lms, progress } = this;
    const word = WORDS[progress.rank];
    if (!lms.is2004) {
      lms.set(lms.dialect.status, word);
      return;
    }
    // All of it may be done and yet not finished: the measure must not say more than the status.
    const share = Math.floor(Math.min(progress.measure(this.course.completion), 0.9999) * 10000) / 10000;
    lms.set(lms.dialect.progress, this.finished ? "1" : decimal(share));
    lms.set(lms.dialect.status, this.finished ? "completed" : "incomplete");
    lms.set(lms.dialect.success, word === "passed" || word === "failed" ? word : "unknown");
  }

  writeState() {
    const { lms, progress } = this;
    const most = this.room || lms.dialect.budget;
    for (const room of ROOMS.filter((one) => one <= most)) {
      this.room = room;
      if (lms.set("cmi.suspend_data", progress.pack(room, lms.is2004))) return true;
    }
    // Nothing was taken, so nothing was learnt about how much would be.
    this.room = most;
    return false;
  }

  writeObjectives() {
    const { lms, progress } = this;
    if (!this.openObjectives()) return;
    for (const unit of this.course.units) {
      const known = this.objectiveOf(unit);
      const at = "cmi.objectives." + known.at;
      known.done = known.done || unit.steps.every((step) => progress.counts(step));
      const score = known.done ? progress.score(unit.steps) : null;
      if (score !== null) known.best = Math.max(known.best, score);
      lms.set(at + (lms.is2004 ? ".completion_status" : ".status"), known.done ? "completed" : "incomplete");
      if (known.best < 0) continue;
      if (lms.is2004) lms.set(at + ".score.scaled", decimal(known.best / 100));
      else lms.set(at + ".score.raw", decimal(known.best));
    }
  }

  // Finds or creates one objective per unit; in 1.2 they are optional, so the LMS is asked first.
  openObjectives() {
    if (this.objectives) return this.objectives.size > 0;
    const lms = this.lms;
    this.objectives = new Map();
    if (!lms.is2004 && !lms.get("cmi.objectives._children")) return false;
    let count = Math.min(MOST_OBJECTIVES, counted(lms.get("cmi.objectives._count")) || 0);
    for (let at = 0; at < count; at += 1) this.objectives.set(lms.get("cmi.objectives." + at + ".id"), this.objectiveAt(at));
    for (const [number, unit] of this.course.units.entries()) {
      if (this.objectiveOf(unit)) continue;
      const id = unit.title ? toldAs(slugOf(unit.title, "unit-" + (number + 1)), unit.id) : unit.id;
      if (!lms.set("cmi.objectives." + count + ".id", id)) {
        this.objectives.clear();
        return false;
      }
      this.objectives.set(id, { at: count, done: false, best: -1 });
      count += 1;
    }
    return true;
  }

  // The unit may have had another name when the LMS was told of it, or none at all.
  objectiveOf(unit) {
    for (const [id, objective] of this.objectives) if (id === unit.id || id.endsWith("." + unit.id)) return objective;
    return undefined;
  }

  // What an earlier visit reached in a unit stays reached, also when the unit has grown since.
  objectiveAt(at) {
    const { lms } = this;
    const place = "cmi.objectives." + at;
    const status = lms.get(place + (lms.is2004 ? ".completion_status" : ".status"));
    const score = parseFloat(lms.get(place + (lms.is2004 ? ".score.scaled" : ".score.raw"))) * (lms.is2004 ? 100 : 1);
    return { at, done: status === "completed", best: score >= 0 && score <= 100 ? score : -1 };
  }

  // One interaction per question and attempt; `answer` carries both dialects, and `name` what a report may call it. Kept for
  // an LMS that comes late.
  interaction(id, name, answer) {
    const record = { id, name, answer, when: new Date() };
    if (this.lms.records) this.tell(record);
    else if (this.lms.state === "none" && this.pending.length < MOST_PENDING) this.pending.push(record);
  }

  // `attempts`: how many there were on this page, before those of earlier visits were counted in.
  tellPending(attempts) {
    const pending = this.pending.splice(0);
    for (const record of pending) {
      const [, step, question, attempt] = /^(.*)(\.q\d+)(?:\.a(\d+))?$/.exec(record.id) || [];
      const earlier = (this.progress.attempts.get(step) || 0) - (attempts.get(step) || 0);
      if (step && earlier > 0) record.id = step + question + ".a" + ((Number(attempt) || 1) + earlier);
      this.tell(record);
    }
  }

  tell({ id, name, answer, when }) {
    const { lms } = this;
    const at = this.openInteraction(toldAs(name, id));
    if (!at) return;
    const said = spoken(answer[lms.is2004 ? "modern" : "classic"], lms.is2004);
    // The id opens the record, the type decides what patterns and responses may look like.
    lms.set(at + "type", said.type);
    lms.set(at + (lms.is2004 ? "timestamp" : "time"), clock(when, lms.is2004));
    said.patterns.forEach((pattern, n) => lms.set(at + "correct_responses." + n + ".pattern", pattern));
    lms.set(at + "weighting", decimal(answer.points));
    lms.set(at + (lms.is2004 ? "learner_response" : "student_response"), said.response);
    lms.set(at + "result", answer.result === "incorrect" && !lms.is2004 ? "wrong" : answer.result);
    lms.set(at + "latency", lms.duration(answer.latency));
    if (lms.is2004) lms.set(at + "description", unbraced(plainText(answer.prompt.replace(/\s+/g, " "), 249)));
  }

  // Where the next interaction goes, or null if the LMS takes none. Its own count goes first, but one that does not
  // move while we write would have every answer overwrite the one before.
  openInteraction(id) {
    const { lms, progress } = this;
    const count = counted(lms.get("cmi.interactions._count"));
    const next = Math.max(count === null ? progress.interactions : count, this.nextInteraction);
    // Without a count, ours may be that of a visit whose interactions the LMS did not keep.
    const places = count === null ? [next, this.nextInteraction] : [next];
    const index = places.find((place) => lms.set("cmi.interactions." + place + ".id", id));
    if (index === undefined) return null;
    this.nextInteraction = index + 1;
    progress.interactions = index + 1;
    return "cmi.interactions." + index + ".";
  }
}

// Letters that do not come apart into a plain one and a sign.
const PLAIN_LETTERS = { ß: "ss", ẞ: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const SLUG_CHARS = 60;
const ID_CHARS = 255;

// What people recognise a text by in a report: its first words in small ASCII letters. A text that is mostly in another
// script has none, and is called by its place.
function slugOf(text, place) {
  const plain = String(text).normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replace(/[ßẞæœøłđðþı]/g, (letter) => PLAIN_LETTERS[letter]);
  const [letters, known] = [/\p{L}/gu, /[a-z]/g].map((kind) => (plain.match(kind) || []).length);
  if (!known || known * 2 < letters) return place;
  const slug = plain.replace(/['’]/g, "").replace(/[^a-z0-9_]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug.length <= SLUG_CHARS) return slug;
  const cut = slug.slice(0, SLUG_CHARS + 1);
  return cut.slice(0, cut.lastIndexOf("-") > SLUG_CHARS / 2 ? cut.lastIndexOf("-") : SLUG_CHARS).replace(/-+$/, "");
}

// What makes an id one of its kind and stable stands behind what is only to be read. Neither has a blank, nor a colon, by
// which one would be taken for an address.
function toldAs(name, id) {
  const room = ID_CHARS - id.length - 1;
  return room > 0 && name ? name.slice(0, room) + "." + id : id;
}

function counted(text) {
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

// An answer as the strictest LMS takes it.
function spoken(said, is2004) {
  const patterns = said.patterns.map(String);
  const response = String(said.response);
  if (!is2004) {
    // Where each name is one character there are only 36 of them; what has more is told in words.
    const named = /^[0-9a-z](\.[0-9a-z])?(,[0-9a-z](\.[0-9a-z])?)*$/;
    const lists = ["choice", "sequencing", "matching"].includes(said.type);
    const type = lists && ![response, ...patterns].every((text) => named.test(text)) ? "fill-in" : said.type;
    return { type, patterns: distinct(patterns.map((text) => plainText(text, 255))), response: plainText(response, 255) };
  }
  const type = [response, ...patterns].some(isTooMuch) && !said.type.endsWith("fill-in") ? "long-fill-in" : said.type;
  if (!type.endsWith("fill-in")) return { type, patterns: distinct(patterns), response };
  if (type !== said.type) return { type, patterns: distinct(patterns.map(inWords)), response: inWords(response) };
  const parts = (text) => {
    if (type === "long-fill-in") return unbraced(plainText(text, 3950));
    return text.split("[,]").slice(0, 10).map((part) => unbraced(plainText(part, 249))).join("[,]");
  };
  const flagged = (text) => {
    const [flag] = /^(\{case_matters=(true|false)\})?/.exec(text);
    return flag + parts(text.slice(flag.length));
  };
  return { type, patterns: distinct(patterns.map(flagged)), response: parts(response) };
}

// Lists end at 36 entries, and numbers at five digits before the point in systems that are widely used.
function isTooMuch(text) {
  return text.split("[,]").length > 36 || /^-?\d{6}/.test(text) || /\[:\]-?\d{6}/.test(text);
}

function inWords(text) {
  return plainText(text.replace(/\[,\]/g, ", ").replace(/\[\.\]/g, " - ").replace("[:]", " ... "), 3950);
}

// Text that begins with a brace would be taken for a delimiter such as {lang=en}.
function unbraced(text) {
  return /^\s*\{/.test(text) ? "'" + text : text;
}

function distinct(texts) {
  return Array.from(new Set(texts));
}

// Control characters, and half a character where a text was cut, break LMSs that pass values on in addresses or XML.
function plainText(text, limit) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g, " ").slice(0, limit).replace(/\p{Cs}/gu, "");
}

// A plain decimal with at most seven places: no exponent, whatever the size.
function decimal(value) {
  const limit = 1e250;
  const number = Math.max(-limit, Math.min(limit, Number(value) || 0));
  if (Math.abs(number) >= 1e21) return BigInt(number).toString();
  const text = number.toFixed(7).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

function clock(now, is2004) {
  const two = (value) => String(value).padStart(2, "0");
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(":");
  if (!is2004) return time;
  return now.getFullYear() + "-" + two(now.getMonth() + 1) + "-" + two(now.getDate()) + "T" + time;
}
