// The course and the service together: when the service is asked, what it is told, and what the learner sees of it.

const RETRY_MS = [1000, 4000, 15000, 60000];
const POLL_MS = [5000, 15000, 60000, 300000];

function blocks(event, address) {
  const [origin] = String(event.blockedURI).match(/^https?:\/\/[^/]+/i) || [];
  return Boolean(origin) && /^(connect|default)-src/.test(event.effectiveDirective) && new URL(address).origin === origin;
}

class Live {
  constructor(player) {
    this.player = player;
    this.config = serviceConfig(registry.service);
    this.service = null;
    this.outbox = null;
    this.grades = null;
    this.tutor = null;
    this.refusals = new Map();
    this.watcher = null;
    this.busy = false;
    this.tries = 0;
    this.polls = POLL_MS.length - 1;
    this.known = false;
    this.timers = {};
  }

  // Whether work goes to the service. Without an LMS that records there is nobody to hand it in.
  get takesWork() { return this.outbox !== null; }

  // Called at every save, so it is cheap: begins once the LMS has said who is learning, then tells what is new.
  look() {
    if (!this.service) this.begin();
    if (!this.service) return;
    if (this.noteLessons()) this.soon();
    if (this.tutor) this.tutor.place();
  }

  begin() {
    const { lms, course, progress } = this.player;
    if (!this.config || !lms.records) return;
    const learner = lms.get(lms.dialect.learnerId).trim().slice(0, 4000);
    if (!learner) return;
    const visit = {
      learner: { id: learner, name: lms.get(lms.dialect.learnerName).trim().slice(0, 1000) },
      // What the browser sends as Origin: the word null in a sandbox, which location.origin would not say.
      lms: { version: lms.name, origin: String(window.origin).slice(0, 300) },
      proof: () => progress.proof || "",
      keep: (proof) => this.keepProof(proof),
    };
    this.outbox = new Outbox(course.id, this.config, learner);
    this.grades = new Grades(progress, this.outbox);
    this.service = new Service(this.config, visit, () => this.changed());
    if (course.tutor === true) this.tutor = new Tutor(this.player, this.service);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") this.poll(); });
    // A page that may not connect there will not be allowed to later either.
    document.addEventListener("securitypolicyviolation", (event) => {
      if (!blocks(event, this.config.api)) return;
      this.service.refuse();
      this.changed();
    });
    this.soon();
  }

  keepProof(proof) {
    const { progress } = this.player;
    if (progress.proof === proof) return;
    // The service knows the learner as somebody new, who has told it nothing yet.
    if (progress.proof) this.outbox.forget();
    progress.proof = proof;
    this.player.save();
  }

  // After the page that is being shown.
  soon() { this.later("wake", 0, () => this.wake()); }

  later(name, wait, then) {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(then, wait);
  }

  async wake() {
    if (this.busy || this.service.refused || !this.player.lms.records) return;
    this.busy = true;
    const wasIn = this.service.session !== null;
    let well = await this.service.open();
    if (well && !wasIn) this.tries = 0;
    if (well && !this.known) well = (await this.readGrades()) || this.service.heldFor === 0;
    if (well) well = await this.outbox.flush(this.service, (entry, answer) => this.went(entry, answer));
    this.busy = false;
    this.changed();
    this.next(well);
  }

  // Something got through, so what waits behind it begins anew.
  went(entry, answer) {
    this.tries = 0;
    this.settled(entry, answer);
  }

  // Again after a while if something is left to do, and quietly every few minutes after that.
  next(well) {
    if (well) this.tries = 0;
    if (well || this.service.refused) return;
    const wait = this.tries < RETRY_MS.length ? RETRY_MS[this.tries] : PROBE_MS;
    this.tries += 1;
    this.later("wake", Math.max(wait, this.service.heldFor), () => this.wake());
  }

  async readGrades() {
    const found = await this.grades.read(this.service);
    if (!found) return false;
    this.known = true;
    this.outbox.arrived(found, (entry, answer) => this.settled(entry, answer));
    this.join(found);
    return true;
  }

  join(found) {
    const { player } = this;
    const before = JSON.stringify(Array.from(player.progress.scores));
    const news = this.grades.take(found);
    this.outbox.write();
    if (JSON.stringify(Array.from(player.progress.scores)) !== before) player.save();
    if (news.length) announce(t("workGraded", { title: news.map((step) => step.title).join(", ") }), true);
    this.changed();
    if (this.grades.pending) this.poll();
  }

  // What has been handed in is looked at again, more and more rarely, and only while somebody is there.
  poll() {
    if (!this.grades.pending || this.service.refused || document.visibilityState !== "visible") return;
    const wait = POLL_MS[Math.min(this.polls, POLL_MS.length - 1)];
    this.polls += 1;
    this.later("poll", Math.max(wait, this.service.heldFor), async () => {
      if (document.visibilityState !== "visible" || !this.player.lms.records) return;
      if (!(await this.readGrades())) this.poll();
    });
  }

  noteLessons() {
    const { steps, done } = this.player.progress;
    const news = steps.filter((step) => step.kind === "lesson" && done.has(step.id) && !this.outbox.told.has(step.id));
    for (const step of news) {
      this.outbox.told.add(step.id);
      this.outbox.add("completion", step.id, 1, "/v1/lessons/" + encodeURIComponent(step.id) + "/complete", {});
    }
    return news.length > 0;
  }

  attempted(step, parts, attempt, content) {
    if (!this.outbox) return;
    this.outbox.add("attempt", step.id, attempt, "/v1/activities/" + encodeURIComponent(step.id) + "/attempts", Object.assign({ answers: answersOf(parts) }, askedOf(parts, content)));
    this.soon();
  }

  // One more than any attempt that the service, this device or the LMS knows of.
  nextAttempt(step) {
    const known = [this.player.progress.attempts.get(step.id), (this.outbox.handed[step.id] || {}).attempt, (this.grades.of(step.id) || {}).attempt];
    return Math.max(0, ...known.map((one) => Number(one) || 0)) + 1;
  }

  handIn(step, text, attempt) {
    const content = /^https?:\/\/\S{1,1990}$/i.test(text) ? { type: "url", url: text } : { type: "text", text };
    const body = { assignment_id: step.id, content, draft: false };
    if (/^coh_/.test(this.player.course.id)) body.cohort_id = this.player.course.id;
    this.refusals.delete(step.id);
    this.outbox.add("submission", step.id, attempt, "/v1/submissions", body);
    this.soon();
  }

  settled(entry, answer) {
    if (entry.kind !== "submission") return;
    const step = this.player.progress.steps.find((one) => one.id === entry.step);
    if (isDone(answer)) {
      this.polls = 0;
      this.join([answer.data]);
      if (step) announce(t("workArrived", { title: step.title }), true);
    } else {
      const { url, text } = entry.body.content;
      this.refusals.set(entry.step, ((answer.data || {}).error || {}).code || "refused");
      if (!this.player.note(entry.step)) this.player.keepNote(entry.step, url || text);
      if (step) announce(t("workRefused", { title: step.title }), true);
    }
    this.changed();
  }

  // How the work of a step stands: {state: draft|waiting|handed|grading|graded|returned|refused, …}.
  workOf(step) {
    if (!this.outbox) return { state: "draft" };
    if (this.outbox.waiting(step.id)) return { state: "waiting" };
    if (this.refusals.has(step.id)) return { state: "refused", code: this.refusals.get(step.id) };
    const one = this.grades.of(step.id);
    const handed = this.outbox.handed[step.id];
    if (!one) return handed ? { state: "handed", at: handed.at } : { state: "draft" };
    const state = { graded: "graded", returned: "returned" }[one.status] || (one.status === "in_review" || one.ai_status === "pending" ? "grading" : "handed");
    return { state, at: one.submitted_at, submission: one };
  }

  // The view of the step that is open: drawn again when its work stands differently.
  watch(step, draw) {
    this.watcher = { step, draw, drawn: JSON.stringify(this.workOf(step)) };
  }

  changed() {
    const { watcher, player } = this;
    const now = watcher ? JSON.stringify(this.workOf(watcher.step)) : "";
    if (watcher && now !== watcher.drawn) {
      watcher.drawn = now;
      watcher.draw();
    }
    if (this.tutor) this.tutor.place();
    player.frame.update();
  }

  // One line for the footer; nothing to say is nothing said.
  serviceText() {
    if (!this.service) return "";
    return { away: t("serviceAway"), refused: t("serviceRefused") }[this.service.state] || "";
  }
}
