// The review desk: what waits for a person, one after the other, by mouse or by keyboard alone.
import { acting, button, empty, field, h, hidden, icon, own, replace, say, select, skeleton, toggle } from "./dom.js";
import { formDialog, infoDialog } from "./dialogs.js";
import { number, points, when } from "./format.js";
import { t } from "./i18n.js";
import { markdown } from "./markdown.js";
import { accept, canAccept, canGrade, change, criteriaOf, giveBack, Overtaken, Queue, QUEUES, stepsBack, takeBack } from "./review_data.js";
import { gradeForm } from "./review_form.js";
import { criterionCard, feedbackOf, historyOf, reasonsOf, summary } from "./review_judgement.js";
import { submissionText } from "./review_text.js";
import { complain, problem } from "./router.js";
import { remember, setting } from "./settings.js";
import { listen, shortcutList } from "./shortcuts.js";

const ARROWS = { ltr: ["→", "←"], rtl: ["←", "→"] };
const LETTERS = [
  [["a"], "review.accept"],
  [["e"], "review.edit"],
  [["r"], "review.return"],
  [["1", "…", "9"], "keys.criterion"],
  [["Esc"], "keys.escape"],
  [["?"], "keys.help"],
];

let kindShown = "held";

export async function review({ params, query, signal }) {
  if (query.get("queue") in QUEUES) kindShown = query.get("queue");
  const queue = new Queue(kindShown, signal);
  await queue.load();
  const desk = new Desk(queue, signal);
  const first = params.id || queue.items[0]?.id;
  return {
    title: t("nav.review"),
    wide: true,
    actions: desk.tools(),
    body: [desk.node],
    after: () => {
      desk.renderQueue();
      if (first) desk.open(first, { focus: Boolean(params.id) });
      else desk.renderEmpty();
    },
  };
}

function personOf(submission) {
  return submission.user?.name || submission.user?.email || t("student");
}

class Desk {
  constructor(queue, signal) {
    this.queue = queue;
    this.signal = signal;
    this.pinned = null;
    this.list = h("nav.queue", { "aria-label": t("review.queue") });
    this.paper = h("section.paper", { "aria-label": t("review.submission"), tabindex: "0" });
    this.judgement = h("section.judgement", { "aria-label": t("review.judgement") });
    this.bar = h("div.desk-bar", { role: "toolbar", "aria-label": t("review.actions") });
    this.node = h("div.desk", this.list, this.paper, this.judgement, this.bar);
    this.watchPointer();
    listen(this.keys(), signal);
  }

  keys() {
    const isRightToLeft = document.documentElement.dir === "rtl";
    const [on, back] = [() => this.move(1), () => this.move(-1)];
    const numbers = Object.fromEntries(Array.from("123456789", (key) => [key, () => this.pin(Number(key) - 1, true)]));
    return {
      ...numbers,
      j: on,
      k: back,
      [isRightToLeft ? "ArrowLeft" : "ArrowRight"]: on,
      [isRightToLeft ? "ArrowRight" : "ArrowLeft"]: back,
      a: () => this.accept(),
      e: () => this.edit(),
      r: () => this.giveBack(),
      "?": () => this.help(),
      Escape: () => this.pin(this.pinned),
    };
  }

  tools() {
    const kinds = Object.keys(QUEUES).map((kind) => [kind, t(`queue.${kind}`)]);
    const choice = select(kinds, this.queue.kind, {
      "aria-label": t("review.queue"),
      onchange: (event) => {
        location.hash = `#/review?queue=${event.target.value}`;
      },
    });
    return [
      choice,
      toggle(t("keys.switch"), setting("shortcuts"), (isOn) => {
        remember("shortcuts", isOn);
        this.renderBar();
      }),
      button(t("keys.help"), () => this.help(), { look: "quiet", icon: "key" }),
    ];
  }

  // --- The queue

  renderQueue() {
    const { items, hasMore } = this.queue;
    const here = this.queue.at(this.current?.id);
    const place =
      here < 0
        ? t("review.waiting", { count: number(items.length) })
        : t("review.place", { at: number(here + 1), of: `${number(items.length)}${hasMore ? "+" : ""}` });
    const open = (event) => {
      event.preventDefault();
      if (!this.mayLeave()) return;
      this.list.classList.remove("open");
      this.open(event.currentTarget.dataset.id, { focus: true });
    };
    const row = (one) =>
      h(
        "li",
        h(
          "a.queue-item",
          { href: `#/review/${one.id}`, "data-id": one.id, "aria-current": one.id === this.current?.id ? "true" : null, onclick: open },
          h("span.line", own("strong.cut", personOf(one)), h("span.num", one.score === null ? "–" : number(one.score))),
          h("span.line.quiet", own("span.cut", one.assignment?.name || ""), when(one.submitted_at || one.created_at, "narrow")),
        ),
      );
    const show = h(
      "button.queue-toggle",
      {
        type: "button",
        "aria-expanded": "false",
        onclick: () => show.setAttribute("aria-expanded", String(this.list.classList.toggle("open"))),
      },
      h("span", place),
      icon("menu"),
    );
    const step = (label, drawing, by) =>
      h("button.button.quiet", { type: "button", "aria-label": t(label), onclick: () => this.move(by) }, icon(drawing));
    replace(
      this.list,
      h("p.queue-place", place),
      h("div.queue-line", show, step("keys.previous", "prev", -1), step("keys.next", "next", 1)),
      h("ol", items.map(row)),
      hasMore
        ? h(
            "div.more",
            acting(t("more"), () => this.more(), { look: "quiet" }),
          )
        : null,
    );
  }

  async more() {
    try {
      await this.queue.load();
      this.renderQueue();
    } catch (error) {
      complain(error);
    }
  }

  // Nobody leaves a grade that is half written by a slip of the finger.
  mayLeave() {
    if (this.isEditing) say(t("form.first"), "plain");
    return !this.isEditing;
  }

  move(step) {
    if (!this.mayLeave()) return;
    const next = this.queue.beside(this.current?.id, step);
    if (next) this.open(next.id, { focus: true });
    else say(t(step > 0 ? "review.last" : "review.first"), "plain");
  }

  // --- One submission

  // Shows what the queue knows at once and what the service says as soon as it has said it.
  async open(id, { focus = false } = {}) {
    this.opening = id;
    this.node.classList.remove("idle");
    this.pinned = null;
    this.isEditing = false;
    const known = this.queue.items[this.queue.at(id)];
    if (known) this.render(known, null, focus);
    else replace(this.paper, skeleton(8));
    // Without telling the router: the desk stays, only what lies on it changes.
    history.replaceState(null, "", `#/review/${id}`);
    try {
      const [submission, grades] = await this.queue.read(id);
      if (this.opening !== id || this.signal.aborted || this.isEditing) return;
      this.queue.put(submission);
      if (known && known.updated_at === submission.updated_at) this.renderHistory(grades);
      else this.render(submission, grades, focus && !known);
      this.queue.readAhead(this.queue.beside(id, 1)?.id);
    } catch (error) {
      if (this.opening === id && !this.signal.aborted)
        replace(
          this.paper,
          problem(error, () => this.open(id, { focus: true })),
        );
    }
  }

  render(submission, grades, focus) {
    this.current = submission;
    this.rows = criteriaOf(submission);
    this.renderQueue();
    this.renderPaper(submission);
    this.renderJudgement(submission);
    this.renderBar();
    this.renderHistory(grades);
    if (focus) this.heading.focus();
  }

  renderPaper(submission) {
    const { assignment, cohort } = submission;
    this.heading = h("h2.desk-title", { tabindex: "-1", dir: "auto" }, personOf(submission));
    const facts = [
      cohort && own("span", cohort.name),
      h("span", t("review.attempt", { number: number(submission.attempt) })),
      h("span", when(submission.submitted_at || submission.created_at)),
      submission.late && h("span.late", t("review.late")),
    ];
    const task = assignment?.instructions && h("details.task", h("summary", t("review.task")), markdown(assignment.instructions, 3));
    replace(
      this.paper,
      h("header.desk-head", own("p.above", assignment?.name || ""), this.heading, h("p.dots", facts)),
      task,
      submissionText(submission, this.rows),
    );
    this.paper.scrollTop = 0;
  }

  renderJudgement(submission) {
    const cards = this.rows.map((row, at) =>
      criterionCard(row, at, {
        isPinned: this.pinned === at,
        onpin: () => this.pin(at),
        onquote: (row_, place) => this.showQuote(row_, place),
      }),
    );
    this.history = h("details.history-box", h("summary", t("history.title")), skeleton(3));
    replace(
      this.judgement,
      summary(submission),
      reasonsOf(submission),
      cards.length ? h("ol.criteria", cards) : h("p.quiet", t("review.no_rubric")),
      feedbackOf(submission),
      this.history,
    );
    this.judgement.scrollTop = 0;
  }

  renderHistory(grades) {
    if (grades)
      replace(
        this.history,
        h("summary", t("history.title"), grades.data.length && grades.verification ? hiddenVerdict(grades.verification) : null),
        historyOf(grades),
      );
  }

  renderBar() {
    const { current } = this;
    if (!current) return replace(this.bar);
    const hint = (key) => setting("shortcuts") && h("kbd", { "aria-hidden": "true" }, key);
    const act = (label, action, key, options) => {
      const node = acting(label, action, { "aria-keyshortcuts": setting("shortcuts") ? key : null, ...options });
      node.append(hint(key) || "");
      return node;
    };
    replace(
      this.bar,
      h(
        "div.row.steps-row",
        button(t("keys.previous"), () => this.move(-1), { look: "quiet", icon: "prev", class: "step" }),
        button(t("keys.next"), () => this.move(1), { look: "quiet", icon: "next", class: "step" }),
      ),
      this.isEditing
        ? null
        : h(
            "div.row.decide",
            act(t("review.return"), () => this.giveBack(), "r", { icon: "back", disabled: !canGrade(current) || current.score === null }),
            act(t("review.edit"), () => this.edit(), "e", { icon: "edit", disabled: !canGrade(current) }),
            act(t("review.accept"), () => this.accept(), "a", { look: "main", icon: "check", disabled: !canAccept(current) }),
          ),
    );
  }

  renderEmpty() {
    this.current = null;
    history.replaceState(null, "", "#/review");
    replace(this.paper, empty(t(`queue.${this.queue.kind}.empty_title`), t(`queue.${this.queue.kind}.empty`)));
    replace(this.judgement);
    this.renderBar();
    this.renderQueue();
    this.node.classList.add("idle");
  }

  // --- Evidence

  watchPointer() {
    const rowsOf = (target) => {
      const mark = target.closest?.("[data-rows]");
      if (mark) return mark.dataset.rows.split(" ").map(Number);
      const card = target.closest?.("[data-row]");
      return card ? [Number(card.dataset.row)] : null;
    };
    for (const kind of ["pointerover", "focusin"]) this.node.addEventListener(kind, (event) => this.light(rowsOf(event.target)));
    this.node.addEventListener("pointerleave", () => this.light(null));
    this.paper.addEventListener("click", (event) => {
      const rows = rowsOf(event.target);
      if (rows) this.pin(rows[0]);
    });
  }

  light(rows) {
    const lit = rows || (this.pinned === null ? [] : [this.pinned]);
    const isLit = (list) => list.some((row) => lit.includes(Number(row)));
    this.node.classList.toggle("lit", lit.length > 0);
    for (const mark of this.paper.querySelectorAll("[data-rows]")) mark.classList.toggle("on", isLit(mark.dataset.rows.split(" ")));
    for (const card of this.judgement.querySelectorAll("[data-row]")) card.classList.toggle("on", isLit([card.dataset.row]));
  }

  // Keeps a criterion's evidence marked until the same is asked for again.
  pin(row, isByKey = false) {
    if (row !== null && !this.rows?.[row]) return;
    this.pinned = this.pinned === row ? null : row;
    for (const [at, head] of this.judgement.querySelectorAll(".criterion-head").entries())
      head.setAttribute("aria-pressed", String(at === this.pinned));
    this.light(null);
    if (this.pinned === null) return;
    const card = this.judgement.querySelector(`[data-row="${this.pinned}"]`);
    card?.scrollIntoView({ block: "nearest" });
    if (isByKey) card?.querySelector("button")?.focus();
    this.showQuote(this.pinned, 0);
  }

  showQuote(row, place) {
    const marks = [...this.paper.querySelectorAll("[data-rows]")].filter((mark) => mark.dataset.rows.split(" ").includes(String(row)));
    const quote = this.rows[row].result?.evidence[place]?.quote;
    const mark = marks.find((one) => quote?.startsWith(one.firstChild.textContent)) || marks[0];
    this.light([row]);
    mark?.scrollIntoView({ block: "center" });
  }

  // --- Decisions

  async accept() {
    const { current } = this;
    if (!current || this.isEditing || !canAccept(current)) return;
    const goOn = await this.decide(
      () => accept(current),
      (now) => t("review.accepted", { name: personOf(current), points: points(now.score, now.max_score) }),
    );
    goOn?.();
  }

  edit() {
    const { current } = this;
    if (!current || this.isEditing || !canGrade(current)) return;
    this.isEditing = true;
    const stop = () => {
      this.isEditing = false;
      this.render(this.current, null, true);
      this.queue.read(this.current.id).then(([, grades]) => this.renderHistory(grades));
    };
    const save = async (given) =>
      (
        await this.decide(
          () => change(current, given),
          (now) => t("review.changed", { name: personOf(current), points: points(now.score, now.max_score) }),
          true,
        )
      )?.();
    replace(this.judgement, gradeForm(current, this.rows, { save, cancel: stop }));
    this.renderBar();
    const first = this.judgement.querySelector(".criterion") || this.judgement.querySelector("form");
    (first?.querySelector("input:checked") || first?.querySelector("input"))?.focus();
  }

  giveBack() {
    const { current } = this;
    if (!current || this.isEditing || !canGrade(current) || current.score === null) return;
    const words = h("textarea.field", { rows: 6, dir: "auto", value: current.feedback || "" });
    const body = h(
      "div.stack",
      h("p", t("review.return_what", { name: personOf(current), points: points(current.score, current.max_score) })),
      field(t("review.student_reads"), words),
    );
    formDialog(t("review.return_title"), body, t("review.return"), () =>
      this.decide(
        () => giveBack(current, words.value),
        () => t("review.returned", { name: personOf(current) }),
        true,
      ),
    );
  }

  // Does it; what it returns says what came of it and goes on to the next one, which is there already.
  async decide(action, saying, isThrowing = false) {
    if (this.isDeciding) return null;
    this.isDeciding = true;
    const id = this.current.id;
    try {
      const before = this.current;
      const now = await action();
      const next = this.queue.beside(id, 1) || this.queue.beside(id, -1);
      this.queue.drop(id);
      const steps = stepsBack(before, now);
      this.isEditing = false;
      dispatchEvent(new Event("decided"));
      return () => {
        const undo = steps
          ? acting(t("review.undo"), () => this.takeBack(before, steps), { look: "quiet", class: "small" })
          : button(t("review.look_again"), () => this.mayLeave() && this.open(id, { focus: true }), { look: "quiet", class: "small" });
        say(next ? `${saying(now)} ${t("review.then", { name: personOf(next) })}` : saying(now), "good", undo);
        if (next) this.open(next.id, { focus: true });
        else this.renderEmpty();
      };
    } catch (error) {
      if (error instanceof Overtaken) this.overtaken(error.now);
      else if (isThrowing) throw error;
      else complain(error);
      return null;
    } finally {
      this.isDeciding = false;
    }
  }

  // Back to how it stood before; it waits for a person again.
  async takeBack({ id }, steps) {
    if (!this.mayLeave()) return;
    try {
      const now = await takeBack(id, steps);
      dispatchEvent(new Event("decided"));
      this.queue.restore(now);
      this.node.classList.remove("idle");
      say(t("review.taken_back", { name: personOf(now) }));
      this.open(id, { focus: true });
    } catch (error) {
      complain(error);
    }
  }

  overtaken(now) {
    document.querySelector("dialog[open]")?.close();
    this.isEditing = false;
    this.queue.put(now);
    this.render(now, null, false);
    this.queue
      .read(now.id)
      .then(([, grades]) => this.renderHistory(grades))
      .catch(() => {});
    const text = h("div.stack", h("p", t("review.overtaken")), summary(now));
    infoDialog(t("review.overtaken_title"), text);
  }

  help() {
    const [on, back] = ARROWS[document.documentElement.dir || "ltr"];
    infoDialog(t("keys.title"), h("div.stack", shortcutList([[["j", on], "keys.next"], [["k", back], "keys.previous"], ...LETTERS]), h("p.hint", t("keys.about"))));
  }
}

function hiddenVerdict(verification) {
  return h(
    `span.seal-small.${verification.holds ? "good" : "bad"}`,
    icon(verification.holds ? "lock" : "warn"),
    hidden(t(verification.holds ? "history.ok" : "history.not_ok")),
  );
}
