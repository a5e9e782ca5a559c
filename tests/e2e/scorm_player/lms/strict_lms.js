// An LMS that takes nothing the specification does not allow, and notes whatever is wrong. Runs in the host page.
//
// `plan`: edition, mode, credit, limit (characters of suspend_data), data (what earlier visits left).
// `log`: every call with its answer. `faults`: what a well-made package never does.
window.StrictLms = (function () {
  const NUMBER = /^-?\d+(\.\d{1,7})?$/;
  // Moodle and scorm-again each take so many digits of what somebody answers.
  const SMALL = /^-?\d{1,5}(\.\d{1,7})?$/;
  const SHORT_ID = /^[\w.~-]{1,250}$/;
  const any = (limit) => (text) => text.length <= limit && !/\p{Cs}|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/u.test(text);
  const like = (pattern) => (text) => pattern.test(text);
  const one = (...words) => (text) => words.includes(text);
  const within = (low, high) => (text) => NUMBER.test(text) && Number(text) >= low && Number(text) <= high;
  const unbraced = (limit) => (text) => any(limit)(text) && !/^\s*\{(?!lang=[a-z]{2,3}\})/.test(text);
  const every = (mark, check, most, distinct) => (text) => {
    const parts = text.split(mark);
    return parts.length <= most && parts.every(check) && (!distinct || new Set(parts).size === parts.length);
  };
  const pair = (mark, check) => (text) => text.split(mark).length === 2 && text.split(mark).every(check);
  const letter = like(/^[0-9a-z]$/);
  const id = like(SHORT_ID);

  // What an answer and a pattern look like, by type.
  const ANSWERS = {
    "1.2": {
      "true-false": { response: one("0", "1", "t", "f") },
      choice: { response: every(",", letter, 36, true) },
      "fill-in": { response: any(255) },
      numeric: { response: NUMBER.test.bind(NUMBER) },
      matching: { response: every(",", pair(".", letter), 36) },
      sequencing: { response: every(",", letter, 36, true) },
    },
    2004: {
      "true-false": { response: one("true", "false") },
      choice: { response: every("[,]", id, 36, true) },
      "fill-in": { response: every("[,]", unbraced(250), 10), pattern: (text) => every("[,]", unbraced(250), 10)(text.replace(/^\{case_matters=(true|false)\}/, "")) },
      "long-fill-in": { response: unbraced(4000), pattern: (text) => unbraced(4000)(text.replace(/^\{case_matters=(true|false)\}/, "")) },
      numeric: { response: like(SMALL), pattern: pair("[:]", (text) => text === "" || SMALL.test(text)) },
      matching: { response: every("[,]", pair("[.]", id), 36) },
      sequencing: { response: every("[,]", id, 36) },
    },
  };

  const ELEMENTS = {
    "1.2": {
      "cmi.core.lesson_location": any(255), "cmi.core.lesson_status": one("passed", "completed", "failed", "incomplete", "browsed"),
      "cmi.core.score.raw": within(0, 100), "cmi.core.score.min": within(0, 100), "cmi.core.score.max": within(0, 100),
      "cmi.core.session_time": like(/^\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?$/), "cmi.core.exit": one("suspend", "logout", "time-out", ""),
      "cmi.objectives.n.id": like(/^[\x21-\x7e]{1,255}$/), "cmi.objectives.n.status": one("passed", "completed", "failed", "incomplete", "browsed", "not attempted"), "cmi.objectives.n.score.raw": within(0, 100),
      "cmi.interactions.n.id": like(/^[\x21-\x7e]{1,255}$/), "cmi.interactions.n.time": like(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,2})?$/),
      "cmi.interactions.n.type": one(...Object.keys(ANSWERS["1.2"])), "cmi.interactions.n.weighting": like(NUMBER),
      "cmi.interactions.n.result": one("correct", "wrong", "unanticipated", "neutral"), "cmi.interactions.n.latency": like(/^\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?$/),
      "cmi.interactions.n.student_response": "response", "cmi.interactions.n.correct_responses.n.pattern": "pattern",
    },
    2004: {
      "cmi.location": any(1000), "cmi.completion_status": one("completed", "incomplete", "not attempted", "unknown"), "cmi.success_status": one("passed", "failed", "unknown"),
      "cmi.score.raw": within(0, 100), "cmi.score.min": within(0, 100), "cmi.score.max": within(0, 100), "cmi.score.scaled": within(-1, 1), "cmi.progress_measure": within(0, 1),
      "cmi.session_time": like(/^PT\d+H\d+M\d+(\.\d{1,2})?S$/), "cmi.exit": one("suspend", "normal", "logout", "time-out", ""),
      "cmi.objectives.n.id": like(/^(?!urn:)[\x21-\x7e]{1,4000}$/), "cmi.objectives.n.completion_status": one("completed", "incomplete", "not attempted", "unknown"), "cmi.objectives.n.score.scaled": within(-1, 1),
      "cmi.interactions.n.id": like(/^(?!urn:)[\x21-\x7e]{1,4000}$/), "cmi.interactions.n.timestamp": like(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,2}Z?)?$/),
      "cmi.interactions.n.type": one(...Object.keys(ANSWERS[2004])), "cmi.interactions.n.weighting": like(NUMBER),
      "cmi.interactions.n.result": one("correct", "incorrect", "unanticipated", "neutral"), "cmi.interactions.n.latency": like(/^PT\d+H\d+M\d+(\.\d{1,2})?S$/),
      "cmi.interactions.n.learner_response": "response", "cmi.interactions.n.correct_responses.n.pattern": "pattern", "cmi.interactions.n.description": unbraced(250),
    },
  };

  // What a record of an interaction is written in; the same place twice is fine for patterns.
  const ORDER = ["id", "type", "time", "timestamp", "pattern", "weighting", "student_response", "learner_response", "result", "latency", "description"];

  class StrictLms {
    constructor(plan, report) {
      this.plan = plan;
      this.report = report;
      this.is12 = plan.edition === "1.2";
      const core = this.is12 ? "cmi.core." : "cmi.";
      this.names = {
        status: core + (this.is12 ? "lesson_status" : "completion_status"), success: "cmi.success_status", score: core + "score.raw",
        exit: core + "exit", time: core + "session_time", mode: core + (this.is12 ? "lesson_mode" : "mode"), credit: core + "credit", progress: "cmi.progress_measure",
      };
      this.data = Object.assign({
        [this.names.mode]: "normal", [this.names.credit]: "credit", [core + (this.is12 ? "student_id" : "learner_id")]: "learner-1",
        [core + (this.is12 ? "student_name" : "learner_name")]: "Rivera, Ana",
        "cmi.interactions._count": "0", "cmi.objectives._count": "0", "cmi.objectives._children": "id,status,score",
      }, plan.data);
      if (plan.mode) this.data[this.names.mode] = plan.mode;
      if (plan.credit) this.data[this.names.credit] = plan.credit;
      this.watched = ["review", "browse"].includes(this.data[this.names.mode]) || this.data[this.names.credit] === "no-credit";
      this.log = [];
      this.faults = [];
      this.state = "fresh";
      this.error = 0;
      this.lastSet = null;
      this.best = { rank: this.rank(), score: this.score(), unit: {} };
    }

    fault(text) { this.faults.push(text); }

    answer(method, args, value, error) {
      this.error = error || 0;
      this.log.push([method, ...args, String(value)]);
      return value;
    }

    rank() {
      const { status, success } = this.names;
      if (this.data[status] === "passed" || this.data[success] === "passed") return 3;
      if (this.data[success] === "failed" || this.data[status] === "failed") return 1;
      return this.data[status] === "completed" ? 2 : 0;
    }

    score() { return this.data[this.names.score] ? Number(this.data[this.names.score]) : null; }

    initialize() {
      if (this.state !== "fresh") this.fault(`Initialize when ${this.state}`);
      this.state = "running";
      return this.answer("Initialize", [], "true");
    }

    terminate() {
      if (this.state !== "running") {
        this.fault(`Terminate when ${this.state}`);
        return this.answer("Terminate", [], "false", 112);
      }
      if (!this.watched && this.data[this.names.exit] !== "suspend") this.fault(`left with exit=${this.data[this.names.exit]}`);
      const since = this.log.slice(this.log.findLastIndex(([method]) => method === "Commit") + 1).filter(([method]) => method === "SetValue");
      if (!this.watched && since.some(([, name]) => name !== this.names.time)) this.fault("left without a last Commit");
      if (!this.watched && this.log[this.log.length - 1][1] !== this.names.time && this.log[this.log.length - 1][0] !== "Commit") this.fault("left without session_time");
      this.state = "terminated";
      this.answer("Terminate", [], "true");
      this.report();
      return "true";
    }

    get(name) {
      if (this.state !== "running") this.fault(`GetValue ${name} when ${this.state}`);
      if (this.is12 && /^cmi\.interactions\.\d/.test(name)) this.fault(`read the write-only ${name}`);
      return this.answer("GetValue", [name], name in this.data ? this.data[name] : "");
    }

    set(name, value) {
      const wrong = this.complaint(name, value);
      if (this.lastSet === null && name !== this.names.exit) this.fault(`the first thing written is ${name}`);
      this.lastSet = name;
      if (wrong) {
        if (!wrong.tolerated) this.fault(`${name} = ${JSON.stringify(value).slice(0, 120)}: ${wrong.text}`);
        return this.answer("SetValue", [name, value], "false", wrong.error);
      }
      this.data[name] = value;
      const counted = /^cmi\.(objectives|interactions)\.(\d+)\.id$/.exec(name);
      if (counted) this.data[`cmi.${counted[1]}._count`] = String(Math.max(Number(counted[2]) + 1, Number(this.data[`cmi.${counted[1]}._count`])));
      return this.answer("SetValue", [name, value], "true");
    }

    complaint(name, value) {
      if (this.state !== "running") return { text: `written when ${this.state}`, error: 132 };
      if (this.watched) return { text: "written where nothing may be", error: 403 };
      if (typeof value !== "string") return { text: "not a text", error: 406 };
      if (name === "cmi.suspend_data") {
        const limit = this.plan.limit || (this.is12 ? 4096 : 64000);
        return value.length > limit ? { text: `${value.length} characters`, error: 405, tolerated: this.plan.limitIsKnown === false } : null;
      }
      const check = ELEMENTS[this.is12 ? "1.2" : 2004][name.replace(/\.\d+(?=\.)/g, ".n")];
      if (!check) return { text: "no such element", error: 401 };
      const listed = /^cmi\.(objectives|interactions)\.(\d+)\.(?:.*\.)?(\w+)$/.exec(name);
      const place = listed && this.placeComplaint(listed, name, value);
      if (place) return place;
      if (typeof check === "function") return check(value) ? null : { text: "not of its type", error: 406 };
      const type = this.data[name.replace(/^(cmi\.interactions\.\d+)\..*/, "$1.type")];
      const kinds = ANSWERS[this.is12 ? "1.2" : 2004][type];
      if (!kinds) return { text: "written before its type", error: 408 };
      return (kinds[check] || kinds.response)(value) ? null : { text: `no ${check} of a ${type}`, error: 406 };
    }

    placeComplaint([, list, index, last], name, value) {
      const count = Number(this.data[`cmi.${list}._count`]);
      if (Number(index) > count || (Number(index) === count && last !== "id")) return { text: "out of sequence", error: 351 };
      if (last === "id" && Object.keys(this.data).some((key) => key.startsWith(`cmi.${list}.`) && key.endsWith(".id") && key !== name && this.data[key] === value)) {
        return { text: "an id used before", error: 351 };
      }
      if (list !== "interactions") return null;
      const stage = ORDER.indexOf(last);
      this.stages = this.stages || {};
      if (stage < (this.stages[index] || 0)) this.fault(`${name} is written too late`);
      if (last === "id" && name in this.data) this.fault(`${name} is written over`);
      this.stages[index] = stage;
      return null;
    }

    commit() {
      if (this.state !== "running") this.fault(`Commit when ${this.state}`);
      if (this.watched) this.fault("Commit where nothing may be written");
      if (this.log[this.log.length - 1][1] !== this.names.time) this.fault("Commit without session_time before it");
      if (this.data[this.names.exit] !== "suspend") this.fault("Commit without exit=suspend");
      const rank = this.rank();
      const score = this.score();
      // An LMS that knows the pass mark takes such a score for the final one.
      if (score !== null && rank === 0) this.fault(`a score of ${score} in mid-course`);
      if (rank < this.best.rank) this.fault(`the status went down from ${this.best.rank} to ${rank}`);
      if (this.best.score !== null && (score === null || score < this.best.score)) this.fault(`the score went down from ${this.best.score} to ${score}`);
      this.best = { rank, score };
      if (!this.is12) {
        const measure = Number(this.data[this.names.progress]);
        if (!(this.names.progress in this.data)) this.fault("Commit without progress_measure");
        else if ((this.data[this.names.status] === "completed") !== (measure === 1)) this.fault(`progress_measure ${measure} with ${this.data[this.names.status]}`);
      }
      this.answer("Commit", [], "true");
      this.report();
      return "true";
    }

    api() {
      const methods = {
        Initialize: () => this.initialize(), Terminate: () => this.terminate(), GetValue: (name) => this.get(name), SetValue: (name, value) => this.set(name, value),
        Commit: () => this.commit(), GetLastError: () => String(this.error), GetErrorString: () => "", GetDiagnostic: () => "",
      };
      const renamed = (name) => (this.is12 ? "LMS" + (name === "Terminate" ? "Finish" : name) : name);
      return Object.fromEntries(Object.entries(methods).map(([name, method]) => [renamed(name), method]));
    }
  }

  return StrictLms;
})();
