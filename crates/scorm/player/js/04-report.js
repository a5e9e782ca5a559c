// What the LMS is told, and when: the status policy, scores, objectives and interactions.

class Reporter {
  constructor(lms, progress, course) {
    this.lms = lms;
    this.progress = progress;
    this.course = course;
    this.objectives = null;
  }

  // Called once after the connection stands: what earlier visits reached is never taken back.
  restore() {
    const lms = this.lms;
    const progress = this.progress;
    progress.unpack(lms.get("cmi.suspend_data"), lms.get(lms.dialect.location));
    const known = [lms.get(lms.dialect.status), lms.get(lms.dialect.success)];
    // "failed" may be the LMS's own guess about a course in progress; only what is good is believed.
    for (const status of known) {
      const rank = RANKS[status.toLowerCase()] || 0;
      if (rank >= RANKS.completed) progress.rank = Math.max(progress.rank, rank);
    }
    // A score left by a failed or unfinished visit is worth keeping only once the course was finished.
    const raw = parseFloat(lms.get(lms.dialect.score + ".raw"));
    if (progress.rank > 0 && raw >= 0 && raw <= 100) progress.best = Math.max(progress.best || 0, raw);
    lms.set(lms.dialect.exit, "suspend");
    this.save();
  }

  save() {
    const { lms, progress } = this;
    this.settle();
    this.writeScore();
    this.writeStatus();
    const at = progress.steps[progress.current];
    lms.set(lms.dialect.location, at ? at.id : progress.current < 0 ? "start" : "end");
    lms.set("cmi.suspend_data", progress.pack(lms.dialect.budget, lms.is2004));
    this.writeObjectives();
    return lms.commit();
  }

  // Moves the rank up if the course is finished; nothing ever moves it down.
  settle() {
    const progress = this.progress;
    if (!progress.allDone) return;
    const score = progress.score();
    if (score !== null) progress.best = progress.best === null ? score : Math.max(progress.best, score);
    const pass = this.course.passMark;
    const reached = score === null || pass === null ? "completed" : progress.best >= pass ? "passed" : "failed";
    progress.rank = Math.max(progress.rank, RANKS[reached]);
  }

  get finished() { return this.progress.rank > 0; }

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
    const word = Object.keys(RANKS).find((name) => RANKS[name] === progress.rank);
    if (!lms.is2004) {
      lms.set(lms.dialect.status, word);
      return;
    }
    lms.set(lms.dialect.progress, this.finished ? "1" : decimal(Math.floor(progress.share * 10000) / 10000));
    lms.set(lms.dialect.status, this.finished ? "completed" : "incomplete");
    lms.set(lms.dialect.success, word === "passed" || word === "failed" ? word : "unknown");
  }

  writeObjectives() {
    const { lms, progress } = this;
    if (!lms.records || !this.openObjectives()) return;
    for (const unit of this.course.units) {
      const at = "cmi.objectives." + this.objectives.get(unit.id);
      const done = unit.steps.every((step) => progress.done.has(step.id));
      const score = done ? progress.score(unit.steps) : null;
      if (lms.is2004) {
        lms.set(at + ".completion_status", done ? "completed" : "incomplete");
        if (score !== null) lms.set(at + ".score.scaled", decimal(score / 100));
      } else {
        lms.set(at + ".status", done ? "completed" : "incomplete");
        if (score !== null) lms.set(at + ".score.raw", decimal(score));
      }
    }
  }

  // Finds or creates one objective per unit; in 1.2 they are optional, so the LMS is asked first.
  openObjectives() {
    if (this.objectives) return this.objectives.size > 0;
    const lms = this.lms;
    this.objectives = new Map();
    if (!lms.is2004 && !lms.get("cmi.objectives._children")) return false;
    let count = parseInt(lms.get("cmi.objectives._count"), 10) || 0;
    for (let at = 0; at < count; at += 1) this.objectives.set(lms.get("cmi.objectives." + at + ".id"), at);
    for (const unit of this.course.units) {
      if (this.objectives.has(unit.id)) continue;
      if (!lms.set("cmi.objectives." + count + ".id", unit.id)) {
        this.objectives.clear();
        return false;
      }
      this.objectives.set(unit.id, count);
      count += 1;
    }
    return true;
  }

  // One interaction per question and attempt. `answer` carries both dialects.
  interaction(id, answer) {
    const { lms, progress } = this;
    if (!lms.records) return;
    const said = answer[lms.is2004 ? "modern" : "classic"];
    const counted = parseInt(lms.get("cmi.interactions._count"), 10);
    const index = counted >= 0 ? counted : progress.interactions;
    const at = "cmi.interactions." + index + ".";
    // The id opens the record, the type decides what patterns and responses may look like.
    if (!lms.set(at + "id", id)) return;
    lms.set(at + "type", said.type);
    lms.set(at + (lms.is2004 ? "timestamp" : "time"), clock(lms.is2004));
    said.patterns.forEach((pattern, n) => lms.set(at + "correct_responses." + n + ".pattern", pattern));
    lms.set(at + "weighting", decimal(answer.points));
    lms.set(at + (lms.is2004 ? "learner_response" : "student_response"), said.response);
    lms.set(at + "result", answer.result === "incorrect" && !lms.is2004 ? "wrong" : answer.result);
    lms.set(at + "latency", lms.duration(answer.latency));
    if (lms.is2004) lms.set(at + "description", answer.prompt.replace(/\s+/g, " ").trim().slice(0, 250));
    progress.interactions = index + 1;
  }
}

function decimal(value) {
  return String(Number(Number(value).toFixed(4)));
}

function clock(is2004) {
  const now = new Date();
  const two = (value) => String(value).padStart(2, "0");
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(":");
  if (!is2004) return time;
  return now.getFullYear() + "-" + two(now.getMonth() + 1) + "-" + two(now.getDate()) + "T" + time;
}
