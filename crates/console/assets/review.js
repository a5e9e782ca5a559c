// The review desk: what waits for a person, one after the other, by mouse or by keyboard alone.
import { acting, button, empty, h, link, replace, say, select, skeleton, toggle } from "./dom.js";
import { lightEvidence, watchEvidence } from "./evidence.js";
import { points } from "./format.js";
import { t, useWords } from "./i18n.js";
import { blindLine, blindNote, hideOffer } from "./review_blind.js";
import {
  accept,
  ALIKE,
  BLIND,
  canAccept,
  canGrade,
  canHide,
  change,
  criteriaOf,
  giveBack,
  Overtaken,
  Queue,
  QUEUES,
  stepsBack,
  takeBack,
} from "./review_data.js";
import { personOf, queueParts } from "./review_queue.js";
import { criterionCard, feedbackOf, reasonsOf, summary } from "./review_judgement.js";
import { paperHead, submissionText, taskOf } from "./review_text.js";
import { complain, problem } from "./router.js";
import { remember, setting } from "./settings.js";
import { listen } from "./shortcuts.js";

const finding = () => import("./finding.js");
const SORTS = ["newest", "oldest"];
// When so few are left of what the queue knows, it goes on.
const FEW = 10;
// Come while somebody reads: the desk is there before them.
const form = () => import("./review_form.js");
const dialogs = () => import("./review_dialogs.js");
const keys = () => import("./review_help.js");
const past = () => import("./review_history.js");
const texts = () => import("./review_texts.js");
const turns = () => import("./review_turns.js");
const ways = () => import("./review_ways.js");

// The same in the list of all submissions, where many are decided about at once.
const IN_LIST = { held: "in_review", open: "open", ungraded: "submitted", decided: "decided" };

let shown = { kind: "held" };

// What is to be graded blind is a queue of one assignment; it is left by the way into the desk.
function queueWanted({ id }, query, sortOf) {
  const [kind, assignment] = [query.get("queue"), query.get("assignment")];
  const asked = { q: query.get("q")?.trim() || "", sort: sortOf(query, SORTS) };
  if (kind in QUEUES) return { kind, ...asked };
  if (kind in BLIND && assignment) return { kind, assignment };
  if (kind === ALIKE && assignment && id) return { kind, assignment, of: id };
  if (asked.q || asked.sort) return { kind: shown.kind in QUEUES ? shown.kind : "held", ...asked };
  if (shown.of && shown.of !== id) return { kind: "held" };
  if (shown.assignment) return id ? shown : { kind: "held" };
  return { kind: shown.kind };
}

// To the page of an assignment that names what is to be graded blind.
function pageLink(kind, assignment) {
  return link(`#/assignments/${assignment}/${BLIND[kind].page}`, t(BLIND[kind].title));
}

// The ways back to where somebody came from, if that was a page of an assignment.
function waysBack({ kind, assignment, of }) {
  if (kind === ALIKE) return [link(`#/assignments/${assignment}/groups/${of}`, t("assignment.groups"))];
  return Object.keys(BLIND).map((one) => pageLink(one, assignment));
}

// Whether what the queue knew is still all there is to see.
function isAsKnown(known, now) {
  return known && known.updated_at === now.updated_at && known.assignment?.updated_at === now.assignment?.updated_at;
}

export async function review({ params, query, signal }) {
  const find = await finding();
  shown = queueWanted(params, query, find.sortOf);
  const queue = new Queue(shown, signal);
  await Promise.all([queue.load(), ...["desk", "late", "finding", "ways"].map(useWords)]);
  // Whoever looks at one answer of a group goes on from there.
  if (shown.kind !== ALIKE) ways().then(({ forgetWay }) => forgetWay(), () => {});
  const desk = new Desk(queue, signal, find);
  const first = params.id || queue.items[0]?.id;
  return {
    title: t("nav.review"),
    above: shown.assignment && h("span.dots", waysBack(shown)),
    wide: true,
    actions: desk.tools(),
    body: [desk.node],
    after: () => {
      desk.renderQueue();
      for (const soon of [form, dialogs, keys]) soon().catch(() => {});
      if (first) desk.open(first, { focus: Boolean(params.id) });
      else desk.renderEmpty();
    },
  };
}

class Desk {
  constructor(queue, signal, find) {
    this.queue = queue;
    this.signal = signal;
    this.find = find;
    this.pinned = null;
    this.waiting = h("div.queue-rest");
    const finder = queue.kind in QUEUES ? this.finder() : null;
    this.list = h("nav.queue", { "aria-label": t("review.queue"), class: queue.q ? "searching" : "" }, finder, this.waiting);
    this.paper = h("section.paper", { "aria-label": t("review.submission"), tabindex: "0" });
    this.judgement = h("section.judgement", { "aria-label": t("review.judgement") });
    this.bar = h("div.desk-bar", { role: "toolbar", "aria-label": t("review.actions") });
    this.node = h("div.desk", this.list, this.paper, this.judgement, this.bar);
    watchEvidence(this);
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
    const kinds = [...new Set([...Object.keys(QUEUES), this.queue.kind])].map((kind) => [kind, t(`queue.${kind}`)]);
    const choice = select(kinds, this.queue.kind, {
      "aria-label": t("review.queue"),
      onchange: (event) => {
        location.hash = `#/review?queue=${event.target.value}`;
      },
    });
    const status = IN_LIST[this.queue.kind];
    return [
      status && link(`#/submissions?status=${status}`, t("nav.submissions")),
      link("#/submissions?sort=-decided_at", t("review.lately")),
      choice,
      toggle(t("keys.switch"), setting("shortcuts"), (isOn) => {
        remember("shortcuts", isOn);
        this.renderBar();
      }),
      button(t("keys.help"), () => this.help(), { look: "quiet", icon: "key" }),
    ];
  }

  // --- The queue

  // What is looked for changes who waits beside the desk, and nothing of what lies on it.
  finder() {
    const { q, sort } = this.queue;
    const field = this.find.searchField(t("find.learners"), q, (wanted) => this.look({ q: wanted }), this.signal);
    this.clear = field.clear;
    this.status = h("p.hint", { role: "status" });
    const order = this.find.sortChoice(SORTS, sort, (wanted) => this.look({ sort: wanted }));
    return h("div.queue-find", { role: "search" }, field.input, order, this.status);
  }

  async look(changes) {
    shown = { ...shown, ...changes };
    const queue = new Queue(shown, this.signal);
    queue.ahead = this.queue.ahead;
    this.looking = queue;
    try {
      await queue.load();
      // Asked for something else meanwhile.
      if (this.looking !== queue || this.signal.aborted) return;
      this.queue = queue;
      const { items, hasMore, q } = queue;
      const said = items.length || hasMore ? this.find.countOf(items.length, hasMore) : t("find.nothing_title");
      replace(this.status, q && said);
      this.status.classList.toggle("unseen", !items.length);
      this.write(this.current?.id);
      // Where there is little room the list is behind a button.
      this.list.classList.toggle("open", Boolean(q));
      this.list.classList.toggle("searching", Boolean(q));
      if (!this.current && items.length) this.open(items[0].id);
      else if (this.current) this.renderQueue();
      else this.renderEmpty();
    } catch (error) {
      complain(error);
    }
  }

  // Where one is, without telling the router: the desk stays, only what lies on it changes.
  write(id) {
    const { kind, assignment, q, sort } = this.queue;
    const isFound = kind in QUEUES && (q || sort);
    if (!id && kind in BLIND) return history.replaceState(null, "", `#/review?queue=${kind}&assignment=${assignment}`);
    const place = id ? `#/review/${id}` : "#/review";
    history.replaceState(null, "", this.find.addressOf(place, isFound ? { queue: kind, q, sort } : {}));
  }

  // The same with all that leads back to it; of one answer of a group that is where its group was come to from.
  here() {
    const { kind, assignment, q, sort } = this.queue;
    if (kind === ALIKE) return null;
    return this.find.addressOf(this.current ? `#/review/${this.current.id}` : "#/review", { queue: kind, assignment, q, sort });
  }

  renderQueue() {
    const open = (id) => {
      if (!this.mayLeave()) return;
      this.list.classList.remove("open");
      this.open(id, { focus: true });
    };
    const { items, q } = this.queue;
    const clear = () => {
      this.clear();
      this.look({ q: "" });
    };
    const nothing = q && !items.length && this.find.nothingFound(q, clear);
    const isOpen = this.list.classList.contains("open");
    replace(this.waiting, nothing || queueParts(this.queue, this.current?.id, { open, step: (by) => this.move(by), more: () => this.more() }));
    this.waiting.querySelector(".queue-toggle")?.setAttribute("aria-expanded", String(isOpen));
  }

  async more() {
    try {
      await this.queue.further();
      this.renderQueue();
    } catch (error) {
      complain(error);
    }
  }

  // The queue goes on before its end is reached. Whoever is in the list keeps it until something else is opened.
  async ahead(id) {
    const { queue } = this;
    if (!queue.hasMore || queue.beside(id, FEW)) return;
    await queue.further().catch(() => {});
    if (this.queue === queue && !this.signal.aborted && this.current && !this.waiting.contains(document.activeElement)) this.renderQueue();
  }

  // The one that follows, also where the queue has to go on for it.
  async after(id, step) {
    const next = this.queue.beside(id, step);
    if (next || step < 0 || !this.queue.hasMore) return next;
    await this.queue.further().catch(complain);
    return this.queue.beside(id, step);
  }

  // Nobody leaves a grade that is half written by a slip of the finger.
  mayLeave() {
    if (this.isEditing) say(t("form.first"), "plain");
    return !this.isEditing;
  }

  async move(step) {
    if (!this.mayLeave()) return;
    const from = this.current?.id;
    const next = await this.after(from, step);
    // Somewhere else meanwhile.
    if (this.current?.id !== from || this.signal.aborted) return;
    if (next) this.open(next.id, { focus: true });
    else say(t(step > 0 ? "review.last" : "review.first"), "plain");
  }

  // --- One submission

  // Shows what the queue knows at once and what the service says as soon as it has said it.
  async open(id, { focus = false } = {}) {
    this.opening = id;
    if (this.compared !== id) this.queue.drop(this.compared);
    this.node.classList.remove("idle");
    this.pinned = null;
    this.isEditing = false;
    const known = this.queue.items[this.queue.at(id)];
    if (known) this.render(known, null, focus);
    else replace(this.paper, skeleton(8));
    this.write(id);
    try {
      const [submission, grades] = await this.queue.read(id);
      if (this.opening !== id || this.signal.aborted || this.isEditing) return;
      this.queue.put(submission);
      if (isAsKnown(known, submission)) {
        this.current = submission;
        this.showTexts(submission);
        this.renderHistory(grades);
      } else this.render(submission, grades, focus && !known);
      this.queue.readAhead(this.queue.beside(id, 1)?.id);
      this.ahead(id);
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
    this.showTexts(submission);
    this.renderHistory(grades);
    if (focus) this.heading.focus();
  }

  renderPaper(submission) {
    const { assignment } = submission;
    this.heading = h("h2.desk-title", { tabindex: "-1", dir: "auto" }, personOf(submission));
    const head = paperHead(submission, this.heading, assignment && this.waysFrom(submission));
    replace(this.paper, head, assignment && taskOf(assignment), submissionText(submission, this.rows));
    this.paper.scrollTop = 0;
  }

  // To what else there is to do about an assignment, as soon as that is here.
  waysFrom(submission) {
    const place = h("div");
    const show = (made) => made.showWays(place, submission, () => this.here(), () => this.mayLeave(), this.signal);
    ways().then(show).catch(complain);
    return place;
  }

  // What the groups of alike answers are counted by.
  note(id, isDecided) {
    ways().then(({ noteDecision }) => noteDecision(id, isDecided), () => {});
  }

  renderJudgement(submission) {
    const { blind } = submission;
    const cards = this.rows.map((row, at) =>
      criterionCard(row, at, {
        isPinned: this.pinned === at,
        onpin: () => this.pin(at),
        onquote: (row_, place) => this.showQuote(row_, place),
      }),
    );
    this.beside = h("div.beside-place");
    this.history = h("details.history-box", h("summary", t("history.title")), skeleton(3));
    replace(
      this.judgement,
      summary(submission),
      blind ? blindNote(canGrade(submission) && (() => this.reveal())) : reasonsOf(submission),
      canHide(submission) && hideOffer(() => this.hide()),
      this.beside,
      cards.length ? h("ol.criteria", cards) : h("p.quiet", t(blind ? "blind.no_rubric" : "review.no_rubric")),
      feedbackOf(submission),
      blind ? null : this.history,
    );
    this.judgement.scrollTop = 0;
  }

  async showTexts({ assignment }) {
    const made = assignment?.html && (await texts().catch(complain));
    // Of another one meanwhile the texts are others.
    if (assignment?.id === this.current?.assignment?.id) made?.showTexts(this.node, assignment);
  }

  async renderHistory(grades) {
    const { beside, current, history } = this;
    const made = grades && (await past().catch(complain));
    if (!made) return;
    const { besideOf, hiddenVerdict, historyOf, showKept } = made;
    if (this.current === current) showKept(this, grades);
    const next = this.queue.beside(current.id, 1) && (() => this.move(1));
    const back = pageLink(this.queue.kind in BLIND ? this.queue.kind : "blind", current.assignment_id);
    replace(beside, besideOf(grades, back, next));
    replace(
      history,
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
    const edit = (label, look) => act(t(label), () => this.edit(), "e", { look, icon: "edit", disabled: !canGrade(current) });
    const grading = () => edit("blind.grade", "main");
    const deciding = () => [
      act(t("review.return"), () => this.giveBack(), "r", { icon: "back", disabled: !canGrade(current) || current.score === null }),
      edit("review.edit"),
      act(t("review.accept"), () => this.accept(), "a", { look: "main", icon: "check", disabled: !canAccept(current) }),
    ];
    replace(
      this.bar,
      h(
        "div.row.steps-row",
        button(t("keys.previous"), () => this.move(-1), { look: "quiet", icon: "prev", class: "step" }),
        button(t("keys.next"), () => this.move(1), { look: "quiet", icon: "next", class: "step" }),
      ),
      this.isEditing ? null : h("div.row.decide", current.blind ? grading() : deciding()),
    );
  }

  renderEmpty() {
    this.current = null;
    const { kind, assignment, q } = this.queue;
    this.write();
    const isBlind = kind in BLIND;
    const back = isBlind ? [pageLink(kind, assignment), this.waysFrom({ assignment_id: assignment })] : assignment && waysBack(this.queue);
    replace(this.paper, q ? h("p.quiet", t("find.nothing", { q })) : empty(t(`queue.${kind}.empty_title`), t(`queue.${kind}.empty`), back));
    replace(this.judgement);
    this.renderBar();
    this.renderQueue();
    // Who looks for somebody goes on looking.
    this.node.classList.toggle("idle", !q);
  }

  // --- Evidence

  light(rows) {
    lightEvidence(this, this.judgement, rows);
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

  async edit() {
    const { current } = this;
    if (!current || this.isEditing || !canGrade(current)) return;
    this.isEditing = true;
    const made = await form().catch(complain);
    if (!made) this.isEditing = false;
    if (!made || this.signal.aborted) return;
    const stop = () => {
      this.isEditing = false;
      this.render(this.current, null, true);
      this.queue
        .read(this.current.id)
        .then(([, grades]) => this.renderHistory(grades))
        .catch(complain);
    };
    const save = async (given) => {
      // Given anew as it stands it would lose what it rests on.
      const isSame = made.isAsItStands(current, given);
      if (isSame && !canAccept(current)) {
        say(t("form.nothing_new"), "plain");
        return stop();
      }
      const said = (now) => t(`review.${isSame ? "accepted" : "changed"}`, { name: personOf(current), points: points(now.score, now.max_score) });
      (await this.decide(() => (isSame ? accept(current) : change(current, given)), said, true))?.();
    };
    replace(this.judgement, current.blind && blindLine(), made.gradeForm(current, this.rows, { save, cancel: stop }));
    this.renderBar();
    const first = this.judgement.querySelector(".criterion") || this.judgement.querySelector("form");
    (first?.querySelector("input:checked") || first?.querySelector("input"))?.focus();
  }

  async giveBack() {
    const { current } = this;
    if (!current || this.isEditing || !canGrade(current) || current.score === null) return;
    const made = await dialogs().catch(complain);
    made?.returnDialog(current, (words) =>
      this.decide(
        () => giveBack(current, words),
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
      this.note(id, true);
      if (before.blind) return () => this.compare(before, now, saying(now));
      const next = (await this.after(id, 1)) || this.queue.beside(id, -1);
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
      if (error instanceof Overtaken) this.overtaken(error);
      else if (isThrowing) throw error;
      else complain(error);
      return null;
    } finally {
      this.isDeciding = false;
    }
  }

  // What AI says may be known now: it is shown beside what the person gave before the next one comes.
  compare(before, now, said) {
    this.isEditing = false;
    this.compared = before.id;
    const { user, assignment, cohort } = before;
    this.queue.put({ ...now, user, assignment, cohort });
    say(now.ai_score === null ? said : `${said} ${t("blind.ai_gave", { points: points(now.ai_score, now.max_score) })}`);
    dispatchEvent(new Event("decided"));
    this.open(before.id, { focus: true });
  }

  async reveal() {
    (await turns().catch(complain))?.reveal(this);
  }

  async hide() {
    await (await turns().catch(complain))?.hide(this);
  }

  // Back to how it stood before; it waits for a person again.
  async takeBack({ id }, steps) {
    if (!this.mayLeave()) return;
    try {
      const now = await takeBack(id, steps);
      this.note(id, false);
      dispatchEvent(new Event("decided"));
      this.queue.restore(now);
      this.node.classList.remove("idle");
      say(t("review.taken_back", { name: personOf(now) }));
      this.open(id, { focus: true });
    } catch (error) {
      complain(error);
    }
  }

  async overtaken({ now, by }) {
    document.querySelector("dialog[open]")?.close();
    this.isEditing = false;
    this.queue.put(now);
    this.render(now, null, false);
    this.queue
      .read(now.id)
      .then(([, grades]) => this.renderHistory(grades))
      .catch(() => {});
    (await dialogs().catch(complain))?.overtakenDialog({ now, by });
  }

  async help() {
    (await keys().catch(complain))?.showKeys();
  }
}
