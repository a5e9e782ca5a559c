// The course menu and the frame around every step: header, navigation, status line.

// From here on a list of steps is long enough to be searched, and too long to stand open all at once.
const LONG_COURSE = 20;

let statusLine = null;

// Spoken to screen readers, and shown when `visible`: nothing ever pops up.
function announce(text, visible) {
  if (!statusLine) return;
  statusLine.classList.toggle("shown", Boolean(visible));
  statusLine.textContent = "";
  // The same sentence twice is only read again if the line was empty in between.
  setTimeout(() => { statusLine.textContent = text; }, 30);
}

function hush() {
  if (statusLine) statusLine.replaceChildren();
}

// "Résumé" is found by "resume".
function searchable(text) {
  return normal(text).normalize("NFD").replace(/\p{M}/gu, "");
}

class Frame {
  constructor(player) {
    this.player = player;
    this.links = new Map();
    this.unitParts = new Map();
    const course = player.course;
    this.bar = h("progress", { max: "100", "aria-label": t("progressLabel") });
    this.percent = h("span", { class: "percent" });
    this.connection = h("p", { class: "connection" });
    this.toggle = h("button", { type: "button", class: "menu-toggle", "aria-expanded": "false", "aria-controls": "menu", onclick: () => this.open(!this.isOpen) },
      icon("menu"), h("span", null, t("menu")));
    this.menu = h("nav", { id: "menu", class: "menu", "aria-label": t("menu") }, this.menuContents(course));
    this.main = h("main", { id: "main", tabindex: "-1" });
    statusLine = h("div", { class: "status", role: "status" });
    const header = h("header", { class: "top" },
      h("p", { class: "course-name", lang: course.language, dir: "auto" }, course.title),
      h("div", { class: "meter" }, this.bar, this.percent), this.toggle);
    const skip = h("a", { class: "skip", href: "#main", onclick: (event) => this.skip(event) }, t("skip"));
    document.documentElement.lang = uiLanguage;
    document.documentElement.dir = RTL.test(uiLanguage) ? "rtl" : "ltr";
    const app = document.getElementById("app");
    app.className = "app";
    app.replaceChildren(skip, h("div", { class: "side-pane" }, header, this.menu), h("div", { class: "stage" }, this.main, h("footer", { class: "foot" }, statusLine, this.connection)));
    app.onkeydown = (event) => {
      if (event.key === "Escape" && this.isOpen) {
        this.open(false);
        this.toggle.focus();
      }
    };
  }

  get isOpen() { return this.toggle.getAttribute("aria-expanded") === "true"; }

  // A fragment link would change the address inside the LMS's frame; moving focus is enough.
  skip(event) {
    event.preventDefault();
    this.main.focus();
  }

  open(is) {
    this.toggle.setAttribute("aria-expanded", String(is));
    this.menu.classList.toggle("open", is);
  }

  follow(act) {
    this.open(false);
    act();
  }

  menuContents(course) {
    const { player } = this;
    const foot = (action, label, sign, act) => h("button", { type: "button", class: "menu-act", "data-action": action, onclick: () => this.follow(act) }, icon(sign), h("span", null, label));
    this.home = h("button", { type: "button", class: "menu-act", "data-action": "home", onclick: () => this.follow(() => player.go(-1)) }, icon("home"), h("span", null, t("overview")));
    this.exit = foot("exit", t("saveAndExit"), "out", () => player.exit());
    return [
      player.progress.steps.length > LONG_COURSE ? this.searchField() : null,
      this.home,
      h("ol", { class: "units" }, course.units.map((unit, at) => this.unitPart(unit, at))),
      h("div", { class: "menu-foot" }, foot("restart", t("startAgain"), "flip", () => player.go(0)), this.exit),
    ];
  }

  unitPart(unit, at) {
    const { steps } = this.player.progress;
    const count = h("span", { class: "unit-count", "aria-hidden": "true" });
    const state = h("span", { class: "unseen" });
    const items = h("ol", { id: "unit-" + at, class: "steps" }, unit.steps.map((step) => this.stepLink(step, steps.indexOf(step))));
    const toggle = h("button", { type: "button", class: "unit-toggle", "data-action": "unit", "aria-controls": items.id,
      onclick: () => this.openUnit(part, part.items.hidden) },
    icon("down"), unit.title ? h("span", { class: "unit-name", lang: this.player.course.language, dir: "auto" }, unit.title) : h("span", { class: "unit-name" }, t("closingUnit")), count, state);
    const part = { unit, toggle, items, count, state, row: h("li", null, toggle, items) };
    this.unitParts.set(unit.id, part);
    this.openUnit(part, steps.length <= LONG_COURSE);
    return part.row;
  }

  openUnit(part, is) {
    part.items.hidden = !is;
    part.toggle.setAttribute("aria-expanded", String(is));
  }

  stepLink(step, at) {
    const state = h("span", { class: "unseen" });
    const link = h("button", { type: "button", class: "step-link kind-" + step.kind, "data-step": String(at), onclick: () => this.follow(() => this.player.go(at)) },
      h("span", { class: "tick" }, icon("check")), h("span", { class: "step-name", lang: step.language || this.player.course.language, dir: "auto" }, step.title), state);
    const row = h("li", null, link);
    this.links.set(step.id, { link, state, row });
    return row;
  }

  searchField() {
    this.search = h("input", { id: "search", type: "search", class: "field", autocomplete: "off", spellcheck: "false", oninput: () => this.filter() });
    this.found = h("p", { class: "hint", hidden: true });
    return h("div", { class: "search" }, h("label", { for: "search" }, icon("search"), h("span", null, t("searchSteps"))), this.search, this.found);
  }

  filter() {
    const wanted = searchable(this.search.value);
    let hits = 0;
    for (const part of this.unitParts.values()) {
      const inTitle = wanted !== "" && searchable(part.unit.title).includes(wanted);
      let here = 0;
      for (const step of part.unit.steps) {
        const fits = inTitle || searchable(step.title).includes(wanted);
        this.links.get(step.id).row.hidden = !fits;
        if (fits) here += 1;
      }
      part.row.hidden = here === 0;
      this.openUnit(part, wanted !== "" || part.unit.steps.includes(this.player.step));
      hits += here;
    }
    this.found.hidden = wanted === "";
    this.found.textContent = t("found", { n: number(hits) });
    if (wanted) announce(this.found.textContent);
  }

  update() {
    const { progress, lms } = this.player;
    const share = Math.floor(progress.share * 100);
    this.bar.value = share;
    this.percent.textContent = percent(share);
    progress.steps.forEach((step, at) => this.updateStep(step, at === progress.current));
    for (const part of this.unitParts.values()) {
      const n = part.unit.steps.filter((step) => progress.done.has(step.id)).length;
      const total = part.unit.steps.length;
      part.count.textContent = n === total ? "✓" : number(n) + "/" + number(total);
      part.state.textContent = " (" + t("unitState", { n: number(n), total: number(total) }) + ")";
    }
    if (progress.current < 0) this.home.setAttribute("aria-current", "page");
    else this.home.removeAttribute("aria-current");
    this.exit.hidden = !lms.records;
    this.connection.textContent = [this.connectionText(lms), this.player.live.serviceText()].filter(Boolean).join(" · ");
    this.connection.hidden = this.connection.textContent === "";
  }

  updateStep(step, isCurrent) {
    const { link, state } = this.links.get(step.id);
    const done = this.player.progress.done.has(step.id);
    link.classList.toggle("done", done);
    state.textContent = " (" + t("kind_" + step.kind) + (done ? ", " + t("done") : "") + ")";
    if (isCurrent) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }

  // The step that is open is never hidden in a closed unit, and never out of sight in a long menu.
  reveal(step) {
    for (const part of this.unitParts.values()) {
      if (part.unit.steps.includes(step)) this.openUnit(part, true);
    }
    const entry = this.links.get(step.id);
    const pane = this.menu.parentElement;
    if (!entry || pane.scrollHeight <= pane.clientHeight) return;
    const [top, height] = [entry.row.offsetTop, entry.row.offsetHeight];
    if (top < pane.scrollTop || top + height > pane.scrollTop + pane.clientHeight) pane.scrollTop = top - pane.clientHeight / 3;
  }

  connectionText(lms) {
    if (lms.state === "none") return t("noLms");
    if (lms.state === "refused") return t("lmsRefused");
    if (lms.state === "watching") return t("watching");
    if (this.player.saveFailed) return t("saveFailed");
    if (!lms.savedAt) return "";
    const time = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(lms.savedAt);
    return t("savedAt", { time });
  }

  show(nodes, language) {
    this.main.replaceChildren();
    append(this.main, [nodes]);
    this.main.lang = language;
    this.main.dir = RTL.test(language) ? "rtl" : "ltr";
  }

  // Nothing is left to do here: the way through the course goes, the last page stays.
  close(page, language) {
    this.menu.parentElement.remove();
    document.getElementById("app").classList.add("over");
    this.connection.remove();
    hush();
    this.show(page, language);
  }
}
