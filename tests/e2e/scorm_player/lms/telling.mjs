// How an LMS is told: ids that people can read, and no commit without a reason. Held against a strict LMS and scorm-again.
//
//   node lms/telling.mjs
//
// Runs the player's own source in a bare context: no browser. One JSON line per property.
import { readFileSync, readdirSync } from "node:fs";
import vm from "node:vm";
import { Scorm12API, Scorm2004API } from "scorm-again";

const SOURCES = new URL("../../../../crates/scorm/player/js/", import.meta.url);
const EDITIONS = ["1.2", "2004"];
const STEPS = [{ id: "les_1", kind: "lesson" }, { id: "act_1", kind: "quiz", graded: true }, { id: "les_2", kind: "lesson" }];
const COURSE = { units: [{ id: "unt_1", title: "Kühlung & Größe", steps: STEPS.slice(0, 2) }, { id: "unt_2", title: "سلامة الغذاء", steps: STEPS.slice(2) }], passMark: 70 };
const ANSWER = { points: 1, prompt: "?", latency: 5, result: "correct", classic: { type: "choice", patterns: ["a"], response: "a" }, modern: { type: "choice", patterns: ["a"], response: "a" } };

const bare = { TextEncoder, TextDecoder, btoa, atob, Intl };
const source = readdirSync(SOURCES).filter((name) => /^0[1-46]-/.test(name)).sort().map((name) => readFileSync(new URL(name, SOURCES), "utf8")).join("\n");
const load = (window) => vm.runInContext(`(function () { "use strict";\n${source}\nreturn { Progress, Reporter, Lms, slugOf, toldAs, questionName, interactionId }; })()`, vm.createContext({ ...bare, window }));
const { slugOf, toldAs, questionName, interactionId, Progress } = load({});

function expect(holds, complaint) {
  if (!holds) throw new Error(complaint);
}

// A strict LMS that remembers what earlier visits left.
function strict(edition, kept) {
  const window = {};
  vm.runInContext(readFileSync(new URL("strict_lms.js", import.meta.url), "utf8"), vm.createContext({ window }));
  const lms = new window.StrictLms({ edition, data: kept }, () => {});
  const seen = { data: lms.data, faults: lms.faults, calls: lms.log };
  return { api: lms.api(), seen };
}

// The LMS that others wrote, told of by the same words.
function again(edition, kept) {
  const lms = new (edition === "1.2" ? Scorm12API : Scorm2004API)({ autocommit: false, logLevel: 5, lmsCommitUrl: false });
  lms.loadFromJSON(kept || (edition === "1.2" ? { core: { lesson_mode: "normal", credit: "credit" } } : { mode: "normal", credit: "credit" }));
  const seen = { faults: [], calls: [], get data() { return lms.renderCMIToJSONObject().cmi; } };
  const names = edition === "1.2" ? ["LMSInitialize", "LMSFinish", "LMSCommit", "LMSSetValue", "LMSGetValue", "LMSGetLastError"] : ["Initialize", "Terminate", "Commit", "SetValue", "GetValue", "GetLastError"];
  const api = Object.fromEntries(names.map((name) => [name, (...args) => {
    const answer = lms[name](...args);
    const plain = name.replace(/^LMS/, "").replace("Finish", "Terminate");
    seen.calls.push([plain, ...args, String(answer)]);
    if (["SetValue", "Commit", "Terminate"].includes(plain) && String(answer) !== "true") seen.faults.push([plain, ...args].join(" "));
    return answer;
  }]));
  return { api, seen };
}

// One visit, up to where the learner stands at the second step.
function visit(edition, { api, seen }, course = COURSE) {
  const window = { [edition === "1.2" ? "API" : "API_1484_11"]: api };
  window.parent = window;
  const player = load(window);
  const lms = new player.Lms(edition);
  const progress = new player.Progress(course.units.flatMap((unit) => unit.steps), "coh_one");
  const reporter = new player.Reporter(lms, progress, course);
  expect(lms.tryOnce(), "no LMS");
  reporter.restore(false);
  const count = (method) => seen.calls.filter(([name]) => name === method).length;
  const leave = () => {
    reporter.save(true);
    lms.end();
  };
  return { lms, progress, reporter, count, leave };
}

const PROPERTIES = {
  "ids say what they are of"() {
    const cases = {
      "What is cold enough?": "what-is-cold-enough", "Wie groß ist die Kühlung, Łukasz?": "wie-gross-ist-die-kuhlung-lukasz", "L’été, c’est l'œuvre": "lete-cest-loeuvre",
      "  x^2 + 1_a  ": "x-2-1_a", "ﬁne № ①": "fine-no-1", "Tiếng Việt": "tieng-viet", "urn:x": "urn-x",
    };
    for (const [text, slug] of Object.entries(cases)) expect(slugOf(text, "question-3") === slug, `${text} is told as ${slugOf(text, "question-3")}`);
    for (const text of ["", "؟ما هو", "什么是", "1 + 1 = ?", "😀", "ما هو CO2 في الهواء", "‘’"]) expect(slugOf(text, "question-3") === "question-3", `${text} is told as ${slugOf(text, "question-3")}`);
    const long = slugOf("word ".repeat(400), "question-1");
    expect(long.length <= 60 && long.endsWith("word"), long);
    expect(slugOf("w".repeat(4000), "question-1").length === 60, "a long word is not cut");
    expect(questionName({ q: { type: "cloze", text: "The {{#0}} is {{#1}}." }, at: 0 }) === "the-is", "a blank is told of");
  },
  "ids are of their kind, short, and of the very question"() {
    for (const name of [slugOf("\u{1f600} <b>&\u0022' \u00a0\u200f\ud800", "question-1"), slugOf("a ".repeat(500), "question-1"), "x".repeat(900)]) {
      for (const id of ["act_1.q1", "act_1.q2", `act_${"a".repeat(76)}.q500.a1295`]) {
        const told = toldAs(name, id);
        expect(/^[\w.-]{1,255}$/.test(told) && told.endsWith(id), told);
      }
    }
    expect(toldAs("x", "y".repeat(255)) === "y".repeat(255), "an id was cut");
    expect(interactionId({ id: "act_1" }, 2, 4) === "act_1.q3.a4", "what attempts are counted by depends on words");
  },
  "wording changes nothing of what is kept"() {
    const packed = (title) => {
      const progress = new Progress(STEPS.map((step) => ({ ...step, title })), "coh_one");
      progress.seed = 7;
      progress.done.add("act_1");
      return progress.pack(3900, false);
    };
    expect(packed("Before") === packed("After"), "the state knows titles");
  },
  "a unit keeps the objective that an LMS has of it"() {
    for (const edition of EDITIONS) {
      for (const before of ["unt_1", "another-name.unt_1"]) {
        const status = edition === "1.2" ? "status" : "completion_status";
        const lms = strict(edition, { "cmi.objectives.0.id": "obj-coh_one", "cmi.objectives.1.id": before, [`cmi.objectives.1.${status}`]: "completed", "cmi.objectives._count": "2" });
        const learner = visit(edition, lms);
        learner.leave();
        const ids = [0, 1, 2, 3].map((at) => lms.seen.data[`cmi.objectives.${at}.id`]);
        expect(String(ids) === String(["obj-coh_one", before, "unit-2.unt_2", undefined]), `objectives are ${ids}`);
        expect(lms.seen.data[`cmi.objectives.1.${status}`] === "completed", "what was reached is gone");
        expect(!lms.seen.faults.length, lms.seen.faults[0]);
      }
    }
  },
  "what only took time is not committed, and its time is told"() {
    for (const [edition, make] of EDITIONS.flatMap((edition) => [[edition, strict], [edition, again]])) {
      const lms = make(edition);
      const learner = visit(edition, lms);
      learner.progress.done.add("les_1");
      learner.reporter.interaction("act_1.q1", "is-it-dark", ANSWER);
      learner.reporter.save();
      const [commits, times] = [learner.count("Commit"), lms.seen.calls.filter(([, name]) => /session_time$/.test(name)).length];
      learner.lms.startedAt -= 90_000;
      learner.leave();
      expect(learner.count("Commit") === commits, `${learner.count("Commit") - commits} commits to ${make.name} ${edition}`);
      const told = lms.seen.calls.filter(([, name]) => /session_time$/.test(name));
      expect(told.length === times + 1 && /^(0000:01:3\d|PT0H1M3\d)/.test(told.at(-1)[2]), `the time is ${told.at(-1)}`);
      expect(learner.count("Terminate") === 1 && !lms.seen.faults.length, String(lms.seen.faults));
      const kept = make === strict ? lms.seen.data : JSON.parse(JSON.stringify(lms.seen.data));
      const state = make === strict ? kept["cmi.suspend_data"] : kept.suspend_data;
      const back = new Progress(STEPS, "coh_one");
      back.unpack(state, "");
      expect(back.done.has("les_1") && back.done.size === 1, "what was done is gone");
    }
  },
  "a course is done by its rule, and the LMS hears so"() {
    const steps = [
      { id: "les_1", kind: "lesson" }, { id: "act_1", kind: "quiz", graded: true, passMark: 70 }, { id: "les_2", kind: "lesson" },
      { id: "act_2", kind: "quiz", graded: true, passMark: 50 }, { id: "asg_1", kind: "assignment" },
    ];
    const done = (progress, ...ids) => ids.forEach((id) => progress.done.add(id));
    const score = (progress, id, value) => { done(progress, id); progress.addScore({ id }, value); };
    const cases = [
      // Rule, what is done, the measure before and whether it is enough; then the score it is told with.
      [undefined, (p) => { done(p, "les_1", "les_2", "asg_1"); score(p, "act_1", 100); }, 0.8, null],
      [{ rule: "share", percent: 80 }, (p) => { done(p, "les_1", "les_2"); }, 0.5, null],
      [{ rule: "share", percent: 40 }, (p) => { done(p, "les_1"); score(p, "act_1", 90); }, 1, 45],
      [{ rule: "quizzes" }, (p) => { score(p, "act_1", 69); score(p, "act_2", 50); }, 0.5, null],
      [{ rule: "quizzes" }, (p) => { score(p, "act_1", 70); score(p, "act_2", 50); }, 1, 60],
      [{ rule: "assignments" }, (p) => { score(p, "act_1", 100); score(p, "act_2", 100); }, 0, null],
      [{ rule: "assignments" }, (p) => { done(p, "asg_1"); }, 1, 0],
    ];
    for (const edition of EDITIONS) {
      for (const [completion, act, measure, told] of cases) {
        const course = { units: [{ id: "unt_1", title: "One", steps }], passMark: 60, ...(completion ? { completion } : {}) };
        const lms = strict(edition);
        const learner = visit(edition, lms, course);
        act(learner.progress);
        learner.reporter.save();
        const data = lms.seen.data;
        const what = `${edition} ${JSON.stringify(completion)}`;
        const status = edition === "1.2" ? data["cmi.core.lesson_status"] : data["cmi.completion_status"] + " " + data["cmi.success_status"];
        const words = told === null ? ["incomplete", "incomplete unknown"] : told >= 60 ? ["passed", "completed passed"] : ["failed", "completed failed"];
        expect(status === words[edition === "1.2" ? 0 : 1], `${what} is ${status}`);
        if (edition === "2004") expect(Number(data["cmi.progress_measure"]) === measure, `${what} is at ${data["cmi.progress_measure"]}`);
        const raw = data[edition === "1.2" ? "cmi.core.score.raw" : "cmi.score.raw"];
        expect(told === null ? !raw : Number(raw) === told, `${what} has ${raw}`);
        expect(!lms.seen.faults.length, String(lms.seen.faults));
        learner.leave();
      }
    }
  },
  "whatever else changed is committed at the end"() {
    for (const edition of EDITIONS) {
      const lms = strict(edition);
      const learner = visit(edition, lms);
      const commits = learner.count("Commit");
      learner.progress.done.add("les_2");
      learner.leave();
      expect(learner.count("Commit") === commits + 1 && !lms.seen.faults.length, `${learner.count("Commit") - commits} commits; ${lms.seen.faults}`);
    }
  },
  "a commit that failed is tried again at the end"() {
    for (const edition of EDITIONS) {
      const lms = strict(edition);
      const learner = visit(edition, lms);
      const name = edition === "1.2" ? "LMSCommit" : "Commit";
      const works = lms.api[name];
      lms.api[name] = () => "false";
      learner.progress.done.add("les_1");
      expect(!learner.reporter.save(), "a commit that failed is one that worked");
      lms.api[name] = works;
      const commits = learner.count("Commit");
      learner.leave();
      expect(learner.count("Commit") === commits + 1, "what was not committed never will be");
    }
  },
};

for (const [property, holds] of Object.entries(PROPERTIES)) {
  let fault = null;
  try {
    holds();
  } catch (error) {
    fault = String(error.message || error);
    process.exitCode = 1;
  }
  console.log(JSON.stringify({ scenario: property, fault }));
}
