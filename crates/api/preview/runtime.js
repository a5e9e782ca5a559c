// An LMS of one learner: the conversation with a package, by the rules of its dialect. Draws nothing and keeps nothing.
import { DIALECTS, ERRORS } from "./elements.js";
import { RANGE, seconds } from "./formats.js";

// In 2004 each call has codes of its own for before and after the conversation: 112 and 113, 122 and 123…
const CALLS = { terminate: "11", get: "12", set: "13", commit: "14" };

class Refusal {
  constructor(code) { this.code = code; }
}

export class Runtime {
  // `record` is what earlier sessions left: `{data, total, exit}` or null; `seen` hears of every call, `keep` of what is to stay.
  constructor(version, { record, learner, passing, review, seen, keep }) {
    this.dialect = DIALECTS[version];
    this.errors = ERRORS[version];
    this.review = review;
    this.seen = seen;
    this.keep = keep;
    this.state = "before";
    this.lastError = "0";
    this.total = record ? record.total : 0;
    const resumes = Boolean(record) && (record.exit === "suspend" || !this.dialect.is2004);
    this.data = new Map(resumes ? Object.entries(record.data) : []);
    const { names } = this.dialect;
    this.own = {
      [names.learnerId]: learner.id, [names.learnerName]: learner.name,
      [names.mode]: review ? "review" : "normal", [names.credit]: review ? "no-credit" : "credit",
      [names.entry]: resumes ? (review ? "" : "resume") : "ab-initio", [names.total]: this.dialect.asTime(this.total),
      [names.passing]: passing,
    };
  }

  // What the package finds.
  get api() {
    const { methods, is2004 } = this.dialect;
    const call = (kind, work) => (...args) => this.answer(kind, args.map((argument) => (argument === undefined || argument === null ? "" : String(argument))), work);
    return {
      [methods.initialize]: call("initialize", ([word]) => this.initialize(word)),
      [methods.terminate]: call("terminate", ([word]) => this.terminate(word)),
      [methods.commit]: call("commit", ([word]) => this.commit(word)),
      [methods.get]: call("get", ([name]) => this.read(name)),
      [methods.set]: call("set", ([name, value]) => this.write(name, value === undefined ? "" : value)),
      [methods.error]: () => this.lastError,
      [methods.errorText]: (code) => this.errors[String(code)] || "",
      [methods.diagnostic]: (code) => this.errors[String(code || this.lastError)] || "",
      ...(is2004 ? { version: "1.0" } : {}),
    };
  }

  answer(kind, args, work) {
    let result;
    try {
      this.lastError = "0";
      result = work(args);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.lastError = refusal.code;
      result = kind === "get" ? "" : "false";
    }
    this.seen({ at: new Date(), review: this.review, method: this.dialect.methods[kind], kind, args, result, code: this.lastError, text: this.errors[this.lastError] || "" });
    return result;
  }

  refuse(why) {
    throw new Refusal(this.dialect.codes[why]);
  }

  mustRun(kind) {
    if (this.state === "running") return;
    const code = this.dialect.codes[this.state === "before" ? "early" : "late"];
    throw new Refusal(this.dialect.is2004 ? CALLS[kind] + code : code);
  }

  initialize(word) {
    if (word) this.refuse("argument");
    if (this.state === "running") this.refuse("twice");
    if (this.state === "after") this.refuse("ended");
    this.state = "running";
    return "true";
  }

  commit(word) {
    this.mustRun("commit");
    if (word) this.refuse("argument");
    this.save();
    return "true";
  }

  terminate(word) {
    this.mustRun("terminate");
    if (word) this.refuse("argument");
    this.save();
    this.state = "after";
    return "true";
  }

  // A review leaves no traces, whatever the package says.
  save() {
    if (this.review) return;
    const { names } = this.dialect;
    const data = Object.fromEntries([...this.data].filter(([name]) => name !== names.session && name !== names.exit));
    this.keep({ data, total: this.total + this.sessionSeconds, exit: this.data.get(names.exit) || "" });
  }

  get sessionSeconds() {
    return seconds(this.data.get(this.dialect.names.session) || "");
  }

  read(name) {
    this.mustRun("get");
    if (!name) this.refuse(this.dialect.is2004 ? "index" : "argument");
    const keyword = /^(.*)\.(_children|_count)$/.exec(name);
    if (keyword) return this.readKeyword(keyword[1], keyword[2]);
    if (name === "cmi._version" && !this.dialect.is2004) return "3.4";
    const element = this.element(name);
    if (!element.reads) this.refuse("writeOnly");
    this.checkIndexes(name, "index", false);
    const value = this.value(name);
    if (value === undefined) this.refuse("unset");
    return value;
  }

  // What an element holds, for whoever asks.
  value(name) {
    if (this.own[name] !== undefined) return this.own[name];
    if (this.data.has(name)) return this.data.get(name);
    const element = this.dialect.elements[pattern(name)];
    return element && element.initial;
  }

  readKeyword(name, keyword) {
    if (keyword === "_count") {
      const counted = pattern(name + ".0.x").replace(/\.x$/, ".");
      const isList = Object.keys(this.dialect.elements).some((known) => known.startsWith(counted));
      if (!isList) this.refuse(this.has(pattern(name)) ? "countless" : "unknown");
      return String(this.count(name));
    }
    const own = pattern(name) + ".";
    const inList = own + "n.";
    const below = Object.keys(this.dialect.elements).filter((known) => known.startsWith(own));
    if (!below.length) this.refuse(this.has(pattern(name)) ? "childless" : "unknown");
    const start = below[0].startsWith(inList) ? inList : own;
    return [...new Set(below.map((known) => known.slice(start.length).split(".")[0]))].join(",");
  }

  has(known) {
    return Object.keys(this.dialect.elements).some((name) => name === known || name.startsWith(known + "."));
  }

  element(name) {
    const element = this.dialect.elements[pattern(name)];
    if (!element) this.refuse("unknown");
    return element;
  }

  // How many entries a list has: they are numbered without gaps.
  count(list) {
    const start = list + ".";
    let count = 0;
    for (const name of this.data.keys()) {
      if (name.startsWith(start)) count = Math.max(count, parseInt(name.slice(start.length), 10) + 1);
    }
    return count;
  }

  checkIndexes(name, why, mayAdd) {
    const parts = name.split(".");
    parts.forEach((part, at) => {
      if (!/^\d+$/.test(part)) return;
      const count = this.count(parts.slice(0, at).join("."));
      if (Number(part) > count || (Number(part) === count && !mayAdd)) this.refuse(why);
    });
  }

  write(name, value) {
    this.mustRun("set");
    if (!name) this.refuse(this.dialect.is2004 ? "setIndex" : "argument");
    if (/\.(_children|_count|_version)$/.test(name)) this.refuse("keyword");
    const element = this.element(name);
    if (!element.writes) this.refuse("readOnly");
    this.checkIndexes(name, "setIndex", true);
    const sibling = (last) => this.data.get(name.replace(/^((?:[^.]+\.){2}\d+)\..*$/, "$1." + last)) || "";
    if (this.dialect.is2004) this.checkOrder(name, value, sibling);
    const wrong = element.format(value, sibling);
    if (wrong) this.refuse(wrong === RANGE ? "range" : "form");
    this.data.set(name, value);
    return "true";
  }

  // 2004: an entry begins with its id, an answer with its type, and ids stay what they are.
  checkOrder(name, value, sibling) {
    const entry = /^cmi\.(objectives|interactions)\.(\d+)\.(.+)$/.exec(name);
    if (!entry) return;
    const [, list, index, member] = entry;
    if (member !== "id" && !sibling("id")) this.refuse("dependency");
    if (/response/.test(member) && !sibling("type")) this.refuse("dependency");
    if (member !== "id" || list !== "objectives") return;
    if (sibling("id") && sibling("id") !== value) this.refuse("again");
    for (let other = 0; other < this.count("cmi.objectives"); other += 1) {
      if (other !== Number(index) && this.data.get("cmi.objectives." + other + ".id") === value) this.refuse("again");
    }
  }
}

// `cmi.interactions.3.objectives.0.id` is one of `cmi.interactions.n.objectives.m.id`.
function pattern(name) {
  let letters = "nm";
  return name.split(".").map((part) => {
    if (!/^\d+$/.test(part)) return part;
    const letter = letters[0] || part;
    letters = letters.slice(1);
    return letter;
  }).join(".");
}
