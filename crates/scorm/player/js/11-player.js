// The course in motion: connect, resume, move, save, leave.

// How long a page that is being closed goes on after it was hidden, with room to spare.
const CLOSING_MS = 400;

class Player {
  constructor(course) {
    this.course = course;
    this.lms = new Lms(course.edition);
    this.progress = new Progress([].concat(...course.units.map((unit) => unit.steps)), course.id, course.waitsForGrades);
    this.reporter = new Reporter(this.lms, this.progress, course);
    this.live = new Live(this);
    this.saveFailed = false;
    this.over = false;
    this.turn = 0;
  }

  get step() { return this.progress.steps[this.progress.current]; }

  start() {
    this.frame = new Frame(this);
    this.frame.show(h("article", { class: "page cover" }, h("div", { class: "hero" }, h("h1", null, this.course.title), say("p.lede", "connecting"))), this.course.language);
    this.lms.connect(() => {
      this.arrived();
      this.honourPreference();
      // A page that has just been opened belongs to the reader's own focus.
      this.go(this.progress.current, true);
      if (this.progress.changed && this.progress.count) announce(t("updated"), true);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.hide();
    });
    window.addEventListener("pagehide", (event) => {
      // A page that is put aside may come back, and may just as well be forgotten without another word.
      this.save(!event.persisted);
      if (!event.persisted) this.lms.end();
    });
  }

  arrived(late) {
    if (!this.lms.on) return;
    this.reporter.restore(late);
    this.loadNotes();
  }

  // The interface follows the learner's language at the LMS if the package speaks it; the course stays as it is.
  honourPreference() {
    const wanted = primaryTag(this.lms.get(this.lms.is2004 ? "cmi.learner_preference.language" : "cmi.student_preference.language"));
    if (!wanted || wanted === uiLanguage || !registry.strings.has(wanted)) return;
    chooseLanguage(wanted);
    this.frame = new Frame(this);
  }

  // With `leaving`, the session ends right after it.
  save(leaving) {
    if (this.over) return;
    // An LMS that came late is still welcome; what was done so far is kept and added to its record.
    if (this.lms.state === "none" && this.lms.tryOnce()) this.arrived(true);
    this.saveFailed = this.lms.records && !this.reporter.save(leaving);
    this.live.look();
    this.frame.update();
  }

  // Nothing may be heard any more of a page that is hidden. One that is closed may be hidden first: then its end, which brings
  // the time along, follows at once.
  hide() {
    this.save(true);
    setTimeout(() => { if (this.lms.owesTime) this.save(); }, CLOSING_MS);
  }

  complete(step) {
    this.progress.done.add(step.id);
    this.save();
  }

  // Ends the session for good. A save that failed is worth staying for.
  exit() {
    if (this.over) return;
    this.save(true);
    if (this.saveFailed) {
      announce(t("saveFailed"), true);
      return;
    }
    this.turn += 1;
    this.over = true;
    this.lms.end();
    const page = closedView(this);
    this.frame.close(page, this.course.language);
    page.querySelector("h1").focus();
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
      body.lang = (content && content.language) || step.language || this.course.language;
      body.dir = RTL.test(body.lang) ? "rtl" : "ltr";
      append(body, [content ? (view ? view(step, content, this) : nothingView()) : failedView(this, at)]);
      if (content) this.loadAhead(step);
    };
    if (this.contentOf(step)) draw();
    else this.load(step.file, () => { if (turn === this.turn) draw(); });
    this.show(stepView(this, step, body), quietly);
    this.frame.reveal(step);
  }

  // The next lesson's file comes while this one is read, unless the learner pays for every byte.
  loadAhead(step) {
    const { steps } = this.progress;
    const next = steps.slice(steps.indexOf(step)).find((one) => one.file !== step.file);
    if (!next || this.contentOf(next) || (navigator.connection && navigator.connection.saveData)) return;
    const turn = this.turn;
    const idle = window.requestIdleCallback || ((then) => setTimeout(then, 1500));
    idle(() => { if (turn === this.turn && !this.contentOf(next)) this.load(next.file, () => {}); });
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
    this.storeNotes();
  }

  // 4 KB of suspend data hold no essays, so in 1.2 they stay on this device.
  storeNotes() {
    if (!this.lms.records || this.lms.is2004) return;
    try {
      localStorage.setItem(this.notesKey(), JSON.stringify(Array.from(this.progress.notes)));
    } catch (error) {
      return;
    }
  }

  loadNotes() {
    if (this.lms.is2004 || !this.lms.on) return;
    const { notes } = this.progress;
    const written = notes.size > 0;
    try {
      for (const [id, text] of JSON.parse(localStorage.getItem(this.notesKey()) || "[]")) {
        if (!notes.has(id)) notes.set(String(id), String(text));
      }
    } catch (error) {
      return;
    }
    if (written) this.storeNotes();
  }

  notesKey() {
    return "lyceum." + this.course.id + "." + base36(hash32(this.lms.get(this.lms.dialect.learnerId)), 7);
  }

  // By learner too: in a classroom several use one browser.
  placeKey(step) {
    return this.notesKey() + ".at." + step.id;
  }
}

function boot() {
  const course = registry.course;
  if (!course) return;
  contentLanguage = course.language;
  chooseLanguage(course.language);
  new Player(course).start();
}

// All scripts are deferred, so this runs once the last of them has registered what it brings.
if (document.readyState === "complete") queueMicrotask(boot);
else document.addEventListener("DOMContentLoaded", boot);
