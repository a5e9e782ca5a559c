// Breaks the player on purpose, one way at a time: each break must be noticed by the scenario that is there for it.
//
//   node lms/mutations.mjs <folder with <course>-<edition>.zip> [<n>/<of>, or part of a mutation's name]
//
// An edit is made to the packaged script on its way to the browser and must fit exactly once. One JSON line each;
// a fault is a break that nobody noticed, or that was noticed for another reason.
import { patience } from "./bed.mjs";
import { World } from "./world.mjs";

const SCRIPT = /^assets\/player\.\w+\.js$/;

// [name, edition, scenario that catches it, what it says, from, to]
const MUTATIONS = [
  ["no exit=suspend", "2004", "just opened", /exit/, 'lms.set(lms.dialect.exit, "suspend");', ""],
  ["exit=normal", "2004", "just opened", /exit/, 'lms.set(lms.dialect.exit, "suspend");', 'lms.set(lms.dialect.exit, "normal");'],
  ["early score", "1.2", "no score before the end", /score/, "if (!this.finished || progress.best === null) return;", "progress.best = progress.share * 100;"],
  ["score of the first quiz alone", "1.2", "an LMS that knows the pass mark hears no early score", /score/, "if (!this.finished || progress.best === null) return;", "progress.best = Math.max(0, ...progress.scores.values());"],
  ["status goes down", "2004", "passed stays passed when the state is lost", /went down|knows/, "if (status === \"passed\" || success === \"passed\") rank = RANKS.passed;", ""],
  ["latest score instead of the best", "2004", "passed stays passed", /went down|knows/, "progress.best = progress.best === null ? score : Math.max(progress.best, score);", "progress.best = score - 1;"],
  ["no Terminate", "2004", "resume after the frame was removed", /Terminate/, "if (!event.persisted) this.lms.end();", ""],
  ["Terminate twice", "1.2", "never terminated twice", /Terminate|terminated/, "this.ended = true;", ""],
  ["Terminate when put aside", "2004", "put aside by the browser and back again", /terminated/i, "if (!event.persisted) this.lms.end();", "this.lms.end();"],
  ["commit only at the end", "2004", "crash after finishing", /knows/, "const done = this.agreed(this.call(\"commit\", \"\"));", "const done = document.hidden || this.agreed(\"true\");"],
  ["a commit for the time alone", "2004", "nothing but the time is no reason to commit", /commits at the end/, "if (leaving && !this.owes) return true;", ""],
  ["the time is never committed when hidden", "2004", "hidden saves, and shown goes on", /when hidden/, "if (this.lms.owesTime) this.save();", ""],
  ["the time is committed before a page is closed", "1.2", "nothing but the time is no reason to commit", /closed/, "this.save(true);\n    setTimeout", "this.save();\n    setTimeout"],
  ["no commit at the end", "2004", "nothing but the time is no reason to commit", /commits for a draft|last Commit/, "if (leaving && !this.owes) return true;", "if (leaving) return true;"],
  ["nothing saved when hidden", "2004", "hidden saves, and shown goes on", /when hidden/, 'if (document.visibilityState === "hidden") this.hide();', ""],
  ["beforeunload instead of pagehide", "2004", "resume after the frame was removed", /Terminate/, 'addEventListener("pagehide"', 'addEventListener("beforeunload"'],
  ["unload instead of pagehide", "2004", "unload is forbidden", /Terminate|Permissions/, 'addEventListener("pagehide"', 'addEventListener("unload"'],
  ["no session_time", "1.2", "session times", /session/, "this.set(this.dialect.time, this.sessionTime());", ""],
  ["session_time of the other dialect", "1.2", "session times", /session_time/, 'if (this.is2004) return "PT"', 'if (!this.is2004) return "PT"'],
  ["only the parent is searched", "2004", "in eleven frames", /Terminate|knows/, "const SEARCH_LEVELS = 12;", "const SEARCH_LEVELS = 1;"],
  ["openers are not searched", "2004", "in a popup", /Terminate|knows/, "if (level.opener && level.opener !== level)", "if (false)"],
  ["the opener's parents are not searched", "1.2", "in frames of a popup of a frame", /Terminate|knows/, "windows.push(...familyOf(level.opener));", "windows.push(level.opener);"],
  ["other origins are not survived", "2004", "behind a frame of another origin", /waited|knows|error/, CROSS_ORIGIN(), CROSS_ORIGIN("return null;")],
  ["the API is looked for once", "2004", "API 1.5 seconds late", /by itself/, "else if (Date.now() >= deadline) {", "else if (true) {"],
  ["nobody looks for a late LMS", "2004", "an LMS that comes while the learner is at work", /undefined|heard/, 'if (this.lms.state === "none" && this.lms.tryOnce()) this.arrived(true);', ""],
  ["answers are not kept for a late LMS", "1.2", "an LMS that comes while the learner is at work", /heard of/, "this.pending.push(record);", ";"],
  ["an LMS may throw", "1.2", "an LMS that throws on every call", /waited|not today/, "return this.api[this.dialect[method]](...args);\n    } catch (error) {\n      return false;", "return this.api[this.dialect[method]](...args);\n    } catch (error) {\n      throw error;"],
  ["incorrect in 1.2", "1.2", "every kind of answer, right and wrong", /result/, 'answer.result === "incorrect" && !lms.is2004 ? "wrong" : answer.result', "answer.result"],
  ["ids without words", "2004", "pass", /interactions are/, 'return room > 0 && name ? name.slice(0, room) + "." + id : id;', "return id;"],
  ["an interaction's id used again", "2004", "fail, then better", /used before/, '(attempt > 1 ? ".a" + attempt : "")', '""'],
  ["an interaction written over", "2004", "every kind of answer, right and wrong", /written over|not count|out of sequence|interactions/, "this.nextInteraction = index + 1;\n    progress.interactions = index + 1;\n    return \"cmi.interactions.\" + index", "return \"cmi.interactions.\" + 0"],
  ["an answer before its type", "1.2", "every kind of answer, right and wrong", /before its type/, 'lms.set(at + "type", said.type);', ""],
  ["half a character", "2004", "every kind of answer, right and wrong", /not of its type|no response/, '.replace(/\\p{Cs}/gu, "")', ""],
  ["an exponent", "1.2", "every kind of answer, right and wrong", /numeric/, "if (Math.abs(number) >= 1e21) return BigInt(number).toString();", "return String(number);"],
  ["numbers of any size", "2004", "every kind of answer, right and wrong", /numeric/, "[response, ...patterns].some(isTooMuch)", "false"],
  ["text that looks like a delimiter", "2004", "every kind of answer, right and wrong", /fill-in/, `return /^\\s*\\{/.test(text) ? "'" + text : text;`, "return text;"],
  ["names of several characters in 1.2", "1.2", "every kind of answer, right and wrong", /matching|sequencing/, '.test(text)) ? "fill-in" : said.type;', ".test(text)) ? said.type : said.type;"],
  ["state over the budget", "1.2", "300 lessons and 120 quizzes in 4,096 characters", /suspend_data/, "text += trail;", "text += trail.repeat(60);"],
  ["no smaller state for a small room", "2004", "a little room", /characters|less/, "const ROOMS = [60000, 3900, 1000, 250];", "const ROOMS = [60000, 3900];"],
  ["no progress_measure", "2004", "just opened", /progress_measure/, "lms.set(lms.dialect.progress, this.finished", "void (this.finished"],
  ["progress_measure ahead of the status", "2004", "below the mark with retries is incomplete", /progress_measure/, "Math.min(progress.measure(this.course.completion), 0.9999)", "progress.measure(this.course.completion)"],
  ["written in review mode", "2004", "review", /may be|written/, 'mode === "browse" || mode === "review" ||', 'mode === "browse" ||'],
  ["written without credit", "1.2", "no credit", /may be|written/, ' || credit === "no-credit"', ""],
  ["the place is forgotten", "1.2", "resume after a crash", /became/, "if (this.current >= 0) return;\n", "this.current = -1;\n    if (this.steps) return;\n"],
  ["suspend_data is not read", "2004", "resume after a crash", /became/, 'progress.unpack(lms.get("cmi.suspend_data"),', 'progress.unpack("",'],
  ["another course's state is believed", "2004", "another course's state", /done|knows/, "&& whole(1) === fingerprint(this.courseId)", ""],
  ["failed although there are retries", "1.2", "below the mark with retries is incomplete", /knows|score/, 'this.course.retriesFailed ? "incomplete" : "failed"', '"failed"'],
  ["work without a grade counts", "2004", "handed-in work waits for its grade", /knows/, "return this.done.has(step.id) && !waits;", "return this.done.has(step.id);"],
];

function CROSS_ORIGIN(instead = "continue;") {
  return `if (api && api[DIALECTS[name].initialize]) return { api, name };\n      } catch (error) {\n        ${instead}`;
}

const [folder, part = ""] = process.argv.slice(2);
const [, share, shares] = /^(\d+)\/(\d+)$/.exec(part) || [];
const wanted = MUTATIONS.filter(([name], at) => (shares ? at % shares === share % shares : name.includes(part)));
// What was broken is often something that never comes.
patience.ms = 20_000;
const world = await World.open(folder);
try {
  await world.each(wanted, async ([name, edition, scenario, says, from, to]) => {
    const started = Date.now();
    const noticed = await world.fault(scenario, edition, [[SCRIPT, from, to]]);
    const unfit = world.host.unfit.splice(0);
    const fault = unfit[0] || (!noticed ? `"${scenario}" did not notice` : says.test(noticed) ? null : `"${scenario}" says: ${noticed}`);
    if (fault) process.exitCode = 1;
    console.log(JSON.stringify({ scenario: name, fault, caught_by: `${scenario} (${edition})`, noticed, ms: Date.now() - started }));
  });
} finally {
  await world.close();
}
