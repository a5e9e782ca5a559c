// The line to the LMS: finding it, speaking either dialect, and never letting it break the course.

const DIALECTS = {
  "1.2": {
    object: "API", initialize: "LMSInitialize", terminate: "LMSFinish", get: "LMSGetValue", set: "LMSSetValue",
    commit: "LMSCommit", error: "LMSGetLastError", learnerId: "cmi.core.student_id", learnerName: "cmi.core.student_name",
    mode: "cmi.core.lesson_mode", credit: "cmi.core.credit", location: "cmi.core.lesson_location",
    status: "cmi.core.lesson_status", score: "cmi.core.score", time: "cmi.core.session_time", exit: "cmi.core.exit",
    budget: 3900,
  },
  "2004": {
    object: "API_1484_11", initialize: "Initialize", terminate: "Terminate", get: "GetValue", set: "SetValue",
    commit: "Commit", error: "GetLastError", learnerId: "cmi.learner_id", learnerName: "cmi.learner_name",
    mode: "cmi.mode", credit: "cmi.credit", location: "cmi.location",
    status: "cmi.completion_status", success: "cmi.success_status", score: "cmi.score", time: "cmi.session_time",
    exit: "cmi.exit", progress: "cmi.progress_measure", budget: 60000,
  },
};

const SEARCH_LEVELS = 12;

function familyOf(start) {
  const family = [];
  let here = start;
  for (let level = 0; here && level <= SEARCH_LEVELS; level += 1) {
    family.push(here);
    let parent = null;
    try {
      parent = here.parent;
    } catch (error) {
      break;
    }
    if (!parent || parent === here) break;
    here = parent;
  }
  return family;
}

// Frames of other origins throw when touched; they are simply not the LMS.
function windowsToSearch() {
  const windows = familyOf(window);
  for (const level of windows.slice()) {
    try {
      if (level.opener && level.opener !== level) windows.push(...familyOf(level.opener));
    } catch (error) {
      continue;
    }
  }
  return windows;
}

function findApi(edition) {
  const order = edition === "1.2" ? ["1.2", "2004"] : ["2004", "1.2"];
  const windows = windowsToSearch();
  for (const name of order) {
    for (const place of windows) {
      try {
        const api = place[DIALECTS[name].object];
        if (api && api[DIALECTS[name].initialize]) return { api, name };
      } catch (error) {
        continue;
      }
    }
  }
  return null;
}

// What an LMS hands back may be of any type, and some objects cannot even be written out.
function worded(value) {
  try {
    return String(value).trim();
  } catch (error) {
    return "";
  }
}

class Lms {
  constructor(edition) {
    this.edition = edition;
    this.dialect = DIALECTS[edition] || DIALECTS["2004"];
    this.name = edition;
    this.state = "searching";
    this.api = null;
    this.written = new Map();
    // Whether the LMS was told something that was not committed yet, beside the time.
    this.owes = false;
    // Whether the time was told and not committed.
    this.owesTime = false;
    this.savedAt = null;
    this.startedAt = Date.now();
    this.ended = false;
  }

  get is2004() { return this.name === "2004"; }
  get on() { return this.state === "on" || this.state === "watching"; }
  get records() { return this.state === "on" && !this.ended; }

  // Calls back once: connected, refused, or nobody there. A page of its own is not kept waiting for long.
  connect(then) {
    const alone = window.parent === window && !window.opener;
    const deadline = Date.now() + (alone ? 1000 : 5000);
    const look = () => {
      if (this.tryOnce()) then();
      else if (Date.now() >= deadline) {
        this.state = "none";
        then();
      } else setTimeout(look, 100);
    };
    look();
  }

  tryOnce() {
    const found = findApi(this.edition);
    if (!found) return false;
    this.api = found.api;
    this.name = found.name;
    this.dialect = DIALECTS[found.name];
    this.state = this.began() ? "on" : "refused";
    if (this.state === "on") {
      const mode = this.get(this.dialect.mode).toLowerCase();
      const credit = this.get(this.dialect.credit).toLowerCase();
      if (mode === "browse" || mode === "review" || credit === "no-credit") this.state = "watching";
    }
    return true;
  }

  call(method, ...args) {
    try {
      return this.api[this.dialect[method]](...args);
    } catch (error) {
      return false;
    }
  }

  // Some LMSs answer true, some "true", some nothing at all without any error.
  agreed(answer) {
    const word = worded(answer).toLowerCase();
    if (word === "true" || word === "1") return true;
    if (word === "false") return false;
    return ["0", "", "null", "undefined"].includes(worded(this.call("error")));
  }

  // 103: somebody else on the page has opened the session already.
  began() {
    const answer = this.call("initialize", "");
    return this.agreed(answer) || worded(this.call("error")) === "103";
  }

  get(element) {
    if (!element || !this.on || this.ended) return "";
    const value = this.call("get", element);
    return value === null || value === undefined || value === false ? "" : worded(value);
  }

  set(element, value) {
    if (!element || !this.records) return false;
    const text = String(value);
    if (this.written.get(element) === text) return true;
    const done = this.agreed(this.call("set", element, text));
    if (done) {
      this.written.set(element, text);
      this.owes = this.owes || element !== this.dialect.time;
    }
    return done;
  }

  // With `leaving`, what ends the session follows at once and commits the time: nothing else is no reason for a commit.
  commit(leaving) {
    if (!this.records) return true;
    // Every commit carries a time, also when two fall into the same hundredth of a second.
    this.written.delete(this.dialect.time);
    this.set(this.dialect.time, this.sessionTime());
    this.owesTime = true;
    if (leaving && !this.owes) return true;
    const done = this.agreed(this.call("commit", ""));
    if (done) {
      this.savedAt = new Date();
      this.owes = false;
      this.owesTime = false;
    }
    return done;
  }

  end() {
    if (!this.on || this.ended) return;
    // Noted first: an LMS may take the page away while it is being told.
    this.ended = true;
    this.call("terminate", "");
  }

  sessionTime() {
    return this.duration(Date.now() - this.startedAt);
  }

  duration(milliseconds) {
    const hundredths = Math.max(0, Math.round(milliseconds / 10));
    const hours = Math.min(9999, Math.floor(hundredths / 360000));
    const minutes = Math.floor(hundredths / 6000) % 60;
    const seconds = (hundredths % 6000) / 100;
    const two = (value) => String(value).padStart(2, "0");
    if (this.is2004) return "PT" + hours + "H" + minutes + "M" + Number(seconds.toFixed(2)) + "S";
    return String(hours).padStart(4, "0") + ":" + two(minutes) + ":" + seconds.toFixed(2).padStart(5, "0");
  }

  firstName() {
    const name = this.get(this.dialect.learnerName).trim();
    const comma = name.indexOf(",");
    return (comma < 0 ? name : name.slice(comma + 1)).trim().slice(0, 60);
  }
}
