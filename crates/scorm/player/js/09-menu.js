// The course menu and the frame around every step: header, navigation, status line.

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

class Frame {
  constructor(player) {
    this.player = player;
    this.links = new Map();
    const course = player.course;
    this.bar = h("progress", { max: "100", "aria-label": t("progressLabel") });
    this.percent = h("span", { class: "percent" });
    this.connection = h("p", { class: "connection" });
    this.toggle = h("button", { type: "button", class: "menu-toggle", "aria-expanded": "false", "aria-controls": "menu", onclick: () => this.open(!this.isOpen) },
      icon("menu"), h("span", null, t("menu")));
    this.menu = h("nav", { id: "menu", class: "menu", "aria-label": t("menu") }, this.units(course));
    this.main = h("main", { id: "main", tabindex: "-1" });
    statusLine = h("div", { class: "status", role: "status" });
    const header = h("header", { class: "top" },
      h("p", { class: "course-name", lang: course.language }, course.title),
      h("div", { class: "meter" }, this.bar, this.percent), this.toggle);
    const skip = h("a", { class: "skip", href: "#main", onclick: (event) => this.skip(event) }, t("skip"));
    const app = document.getElementById("app");
    app.className = "app";
    app.replaceChildren(skip, h("div", { class: "side-pane" }, header, this.menu), h("div", { class: "stage" }, this.main, h("footer", { class: "foot" }, statusLine, this.connection)));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen && !this.toggle.hidden) {
        this.open(false);
        this.toggle.focus();
      }
    });
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

  units(course) {
    const steps = this.player.progress.steps;
    const groups = course.units.map((unit) => h("li", null,
      h("p", { class: "unit-name", lang: course.language }, unit.title || t("closingUnit")),
      h("ol", null, unit.steps.map((step) => this.stepLink(step, steps.indexOf(step))))));
    return [
      h("ol", { class: "units" }, groups),
      h("button", { type: "button", class: "link", "data-action": "restart", onclick: () => { this.open(false); this.player.go(-1); } }, t("toBeginning")),
    ];
  }

  stepLink(step, at) {
    const state = h("span", { class: "unseen" });
    const link = h("button", { type: "button", class: "step-link kind-" + step.kind, "data-step": String(at), onclick: () => { this.open(false); this.player.go(at); } },
      h("span", { class: "tick" }, icon("check")), h("span", { class: "step-name", lang: this.player.course.language }, step.title), state);
    this.links.set(step.id, { link, state });
    return h("li", null, link);
  }

  update() {
    const { progress, lms } = this.player;
    const share = Math.floor(progress.share * 100);
    this.bar.value = share;
    this.percent.textContent = percent(share);
    progress.steps.forEach((step, at) => {
      const { link, state } = this.links.get(step.id);
      const done = progress.done.has(step.id);
      link.classList.toggle("done", done);
      state.textContent = " (" + (done ? t("done") : t("kind_" + step.kind)) + ")";
      if (at === progress.current) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    this.connection.textContent = [this.connectionText(lms), this.player.live.serviceText()].filter(Boolean).join(" ");
  }

  connectionText(lms) {
    if (lms.state === "none") return t("noLms");
    if (lms.state === "refused") return t("lmsRefused");
    if (lms.state === "watching") return t("watching");
    if (this.player.saveFailed) return t("saveFailed");
    if (!lms.savedAt) return "";
    const time = new Intl.DateTimeFormat(uiLanguage, { hour: "2-digit", minute: "2-digit" }).format(lms.savedAt);
    return t("savedAt", { time });
  }

  show(nodes, language) {
    this.main.replaceChildren();
    append(this.main, [nodes]);
    this.main.lang = language;
    this.main.dir = RTL.test(language) ? "rtl" : "ltr";
  }
}
