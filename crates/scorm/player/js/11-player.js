// The course in motion: connect, resume, move, save, leave.

class Player {
  constructor(course) {
    this.course = course;
    this.lms = new Lms(course.edition);
    this.progress = new Progress([].concat(...course.units.map((unit) => unit.steps)), course.id);
    this.reporter = new Reporter(this.lms, this.progress, course);
    this.live = new Live(this);
    this.saveFailed = false;
    this.turn = 0;
  }

  start() {
    this.frame = new Frame(this);
    this.frame.show(h("article", { class: "page cover" }, h("h1", null, this.course.title), h("p", { class: "quiet-text" }, t("connecting"))), this.course.language);
    this.lms.connect(() => {
      this.arrived();
      // A page that has just been opened belongs to the reader's own focus.
      this.go(this.progress.current, true);
      if (this.progress.changed && this.progress.count) announce(t("updated"), true);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.save();
    });
    window.addEventListener("pagehide", (event) => {
      this.save();
      if (!event.persisted) this.lms.end();
    });
  }

  arrived() {
    if (!this.lms.on) return;
    this.reporter.restore();
    this.loadNotes();
  }

  save() {
    // An LMS that came late is still welcome; what was done so far is kept and added to its record.
    if (this.lms.state === "none" && this.lms.tryOnce()) this.join();
    this.saveFailed = this.lms.records && !this.reporter.save();
    this.live.look();
    this.frame.update();
  }

  join() {
    const current = this.progress.current;
    this.arrived();
    this.progress.current = current;
  }

  complete(step) {
    this.progress.done.add(step.id);
    this.save();
  }

  leave(step, to) {
    if (!NEEDS_ACT.has(step.kind)) this.progress.done.add(step.id);
    this.go(to);
  }

  go(to, quietly) {
    const { steps } = this.progress;
    const at = Math.min(steps.length, Math.max(-1, to));
    this.progress.current = at;
    this.turn += 1;
    hush();
    this.save();
    if (at < 0) this.show(coverView(this), quietly);
    else if (at === steps.length) this.show(endView(this), quietly);
    else this.showStep(steps[at], at, quietly);
  }

  showStep(step, at, quietly) {
    const turn = this.turn;
    const body = h("div", { class: "body-inner" }, loadingView(step));
    const draw = () => {
      const content = this.contentOf(step);
      const view = VIEWS[step.kind];
      body.replaceChildren();
      append(body, [content ? (view ? view(step, content, this) : h("p", { class: "quiet-text" }, t("nothingHere"))) : failedView(this, at)]);
    };
    if (this.contentOf(step)) draw();
    else this.load(step.file, () => { if (turn === this.turn) draw(); });
    this.show(stepView(this, step, body), quietly);
  }

  show(page, quietly) {
    this.frame.show(page, this.course.language);
    this.frame.update();
    const heading = page.querySelector("h1");
    document.title = (heading.textContent === this.course.title ? "" : heading.textContent + " – ") + this.course.title;
    if (quietly) return;
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  contentOf(step) {
    const document = registry.content.get(step.lesson);
    if (!document) return null;
    if (step.id === step.lesson) return document;
    return (document.activities || {})[step.id] || {};
  }

  // A script element works from file:, offline, and under a policy that allows nothing but the package itself.
  load(file, then) {
    const script = h("script", { src: file, onload: then, onerror: () => { script.remove(); then(); } });
    document.head.append(script);
  }

  focusFlow() {
    const next = this.frame.main.querySelector(".flow .main");
    if (next) next.focus();
  }

  note(id) {
    return this.progress.notes.get(id) || "";
  }

  keepNote(id, text) {
    this.progress.notes.delete(id);
    this.progress.notes.set(id, text);
    // 4 KB of suspend data hold no essays, so in 1.2 they stay on this device.
    if (!this.lms.records || this.lms.is2004) return;
    try {
      localStorage.setItem(this.notesKey(), JSON.stringify(Array.from(this.progress.notes)));
    } catch (error) {
      return;
    }
  }

  loadNotes() {
    if (this.lms.is2004 || !this.lms.on) return;
    try {
      for (const [id, text] of JSON.parse(localStorage.getItem(this.notesKey()) || "[]")) this.progress.notes.set(id, String(text));
    } catch (error) {
      this.progress.notes.clear();
    }
  }

  notesKey() {
    return "lyceum." + this.course.id + "." + base36(hash32(this.lms.get(this.lms.dialect.learnerId)), 7);
  }
}

function boot() {
  const course = registry.course;
  if (!course) return;
  chooseLanguage(course.language);
  document.documentElement.lang = uiLanguage;
  document.documentElement.dir = RTL.test(uiLanguage) ? "rtl" : "ltr";
  new Player(course).start();
}

// All scripts are deferred, so this runs once the last of them has registered what it brings.
if (document.readyState === "complete") queueMicrotask(boot);
else document.addEventListener("DOMContentLoaded", boot);
