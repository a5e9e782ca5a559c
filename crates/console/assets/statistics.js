// Statistics of an assignment or a scored quiz: how the points are spread, and which criteria or questions are hard, or tell nothing.
import { ApiError, can } from "./api.js";
import { bars, histogram, picture } from "./charts.js";
import { fileNameOf, saveFile, sheet as csv } from "./csv.js";
import { button, empty, facts, field, h, hidden, icon, own, replace, say, section, select } from "./dom.js";
import { addressOf } from "./finding.js";
import { number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { problem, show } from "./router.js";
import { sheet } from "./sheets.js";
import { ORDERS, TASKS, cohortsOf, inOrder, statisticsOf, tenths, verdictOf } from "./statistics_data.js";
import {
  advice, decisionsDrawn, decisionsFile, decisionsInWords, decisionsTable, difficultyOf, discriminationOf, figure, limits, nameOf, partsFile, partsLabel, partsTable, rules, spreadFile, spreadInWords, spreadLabel, spreadTables,
  waits, waitsEdges, waitsFile, waitsInWords, waitsLabel, waitsTable,
} from "./statistics_text.js";

// A picture, and beneath it the same as a table and as a file. It stays where it is when other figures come, and so does whoever is in it.
class Figure {
  constructor(name, file, signal) {
    this.picture = picture(signal);
    this.table = h("div");
    const save = () => {
      saveFile(file, csv(...this.file), "text/csv;charset=utf-8");
      say(t("statistics.saved", { name: file }));
    };
    const summary = h("summary", t("statistics.table"), hidden(`: ${name}`));
    const saving = button(t("statistics.csv"), save, { look: "quiet", class: "small", "aria-label": `${t("statistics.csv")}: ${name}` });
    this.node = h("figure.card.stack", this.picture.node, h("details", summary, this.table), h("div", saving));
  }

  show(draw, table, file) {
    this.file = file;
    replace(this.table, table);
    this.picture.show(draw);
  }
}

function spreadDrawn(found) {
  const { distribution, max_score: most } = found;
  const rows = tenths(found);
  const mark = (look) => ({ look, share: distribution[look] / most, label: `${t(`statistics.${look}`)} ${figure(distribution[look])}` });
  const shown = { bins: distribution.bins, edges: [...rows.map(({ from }) => figure(from)), figure(most)], marks: [mark("median"), mark("mean")], label: spreadLabel(found), show: figure };
  return (width) => histogram(width, shown);
}

function waitsDrawn(found) {
  const shown = { bins: waits(found).map(({ grades }) => grades), edges: waitsEdges(found), marks: [], label: waitsLabel(found), show: figure };
  return (width) => histogram(width, shown);
}

function partsDrawn(parts) {
  const row = (part) => ({
    name: part.name,
    share: part.difficulty,
    said: difficultyOf(part),
    tells: part.discrimination,
    // Who was not judged has been told of once.
    told: part.difficulty === null ? "" : discriminationOf(part),
    look: verdictOf(part),
  });
  const shown = { rows: parts.map(row), label: partsLabel(parts), ends: [-1, 0, 1].map(figure) };
  return (width) => bars(width, shown);
}

// What the marks of a picture mean.
function marked(...marks) {
  return h("ul.chart-legend", marks.map(([look, label]) => h("li", h(`i.ch-${look}`, { "aria-hidden": "true" }), h("span", t(`statistics.${label}`)))));
}

// What the marks of the second picture mean.
function legend() {
  return marked(["share", "difficulty"], ["tells", "mark_tells"], ["weak", "mark_weak"], ["wrong", "mark_wrong"]);
}

class View {
  constructor(task, cohorts, query, signal) {
    Object.assign(this, { task, cohorts, signal, turn: new AbortController() });
    this.asked = { cohort: query.get("cohort") || "", order: ORDERS.includes(query.get("order")) ? query.get("order") : "given" };
    const file = (part) => `${t("statistics.file")}-${fileNameOf(task.name)}-${part}.csv`;
    this.spread = new Figure(t("statistics.spread"), file("points"), signal);
    this.parts = new Figure(t(`statistics.parts_${task.kind}`), file("parts"), signal);
    this.waits = new Figure(t("statistics.waits"), file("waits"), signal);
    this.decisions = new Figure(t("statistics.decisions"), file("decisions"), signal);
    this.status = h("p.unseen", { role: "status" });
    this.host = h("div.stack.statistics");
    this.spreadSaid = h("div.stack");
    this.partsSaid = h("div.stack");
    this.choice = this.cohortChoice();
    this.order = this.orderChoice();
    this.about = h("div.stack");
    this.back = h("a.button.quiet", icon("back"), h("span", t("statistics.grades")));
    this.bar = h("div.filters", this.choice, this.status);
  }

  cohortChoice() {
    const options = [["", t("statistics.all")], ...this.cohorts];
    const chosen = select(options, this.asked.cohort, { name: "cohort", onchange: (event) => this.choose(event.target.value) });
    const choice = field(t("statistics.cohort"), chosen);
    choice.hidden = !this.cohorts.length;
    return choice;
  }

  orderChoice() {
    const options = ORDERS.map((order) => [order, t(`statistics.order_${order}${order === "given" ? `_${this.task.kind}` : ""}`)]);
    return select(options, this.asked.order, { name: "order", "aria-label": t("statistics.order"), onchange: (event) => this.reorder(event.target.value) });
  }

  get place() {
    return location.hash.split("?")[0];
  }

  keep() {
    const { cohort, order } = this.asked;
    history.replaceState(null, "", addressOf(this.place, { cohort, order: order === "given" ? "" : order }));
  }

  // What was asked for before is no longer waited for.
  async begin() {
    this.turn.abort();
    this.turn = new AbortController();
    this.found = await statisticsOf(this.task, this.asked.cohort, AbortSignal.any([this.signal, this.turn.signal]));
    this.draw();
  }

  async choose(cohort) {
    this.asked.cohort = cohort;
    this.keep();
    this.host.setAttribute("aria-busy", "true");
    try {
      await this.begin();
      this.tell(`${this.cohortName}: ${this.inShort}`);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 401) return show();
      replace(this.host, problem(error, () => this.choose(cohort)));
    }
    this.host.removeAttribute("aria-busy");
    // Whoever pressed what is gone now is where they chose.
    if (document.activeElement === document.body) this.choice.querySelector("select").focus();
  }

  reorder(order) {
    this.asked.order = order;
    this.keep();
    this.drawParts();
    this.tell(t("statistics.ordered", { order: this.order.selectedOptions[0].textContent }));
  }

  tell(text) {
    this.status.textContent = text;
  }

  get cohortName() {
    return this.cohorts.find(([id]) => id === this.asked.cohort)?.[1] ?? t("statistics.all");
  }

  get inShort() {
    const { distribution, learners } = this.found;
    if (!distribution) return t("statistics.none_title");
    return t("statistics.short", { count: figure(distribution.learners), of: figure(learners), median: figure(distribution.median) });
  }

  draw() {
    const { found, task, asked } = this;
    const chosen = asked.cohort ? own("span", this.cohortName) : t("statistics.all");
    this.back.hidden = !asked.cohort || !can("read:students");
    this.back.href = `#/cohorts/${asked.cohort}/gradebook`;
    replace(this.about, h("p.lede", limits(found)), this.counts(chosen));
    if (!found.distribution) return replace(this.host, this.about, empty(t("statistics.none_title"), t(`statistics.none_${task.kind}`)));
    replace(this.spreadSaid, h("p", spreadInWords(found)));
    this.spread.show(spreadDrawn(found), spreadTables(found), spreadFile(found));
    const spread = section(t("statistics.spread"), this.spreadSaid, this.spread.node);
    replace(this.host, this.about, spread, this.partsSection(), this.waitsSection(), this.decisionsSection());
    this.drawParts();
  }

  counts(chosen) {
    const { distribution, learners } = this.found;
    return facts(
      [
        [t("statistics.cohort"), chosen],
        [t(`statistics.learners_${this.task.kind}`), number(learners)],
        distribution && [t("statistics.with_points"), number(distribution.learners)],
        distribution && [t("statistics.median"), t("points_of", { score: number(distribution.median), max: number(this.found.max_score) })],
        distribution && [t("statistics.mean"), t("points_of", { score: number(distribution.mean), max: number(this.found.max_score) })],
      ],
      "dl.facts",
    );
  }

  partsSection() {
    const { found, task } = this;
    const title = t(`statistics.parts_${task.kind}`);
    if (!found.parts.length) return section(title, h("p.hint", t(`statistics.no_parts_${task.kind}`)));
    const head = h("div.row", h("h2", title), h("div.filters", this.order));
    return h("section.section", head, this.partsSaid, legend(), this.parts.node, h("h3", t("statistics.rules")), rules());
  }

  // Of what answers at once there is none.
  waitsSection() {
    const { found } = this;
    if (!found.time_to_feedback) return null;
    this.waits.show(waitsDrawn(found), waitsTable(found), waitsFile(found));
    return section(t("statistics.waits"), h("p", waitsInWords(found)), this.waits.node);
  }

  // Until somebody has decided about a grade of AI there is nothing to tell.
  decisionsSection() {
    const { decisions } = this.found;
    if (!decisions.length) return null;
    const shown = decisionsDrawn(decisions);
    this.decisions.show((width) => bars(width, shown), decisionsTable(decisions), decisionsFile(decisions));
    const head = [h("p", decisionsInWords(decisions)), marked(["share", "decisions_same"], ["tells", "decisions_difference"])];
    return section(t("statistics.decisions"), head, this.decisions.node, h("p.hint", t("statistics.decisions_hint")));
  }

  drawParts() {
    const { found, task, asked } = this;
    const named = found.parts.map((part, at) => ({ ...part, name: nameOf(part, at) }));
    const parts = inOrder(named, asked.order);
    replace(this.partsSaid, advice(named, task.kind));
    this.parts.show(partsDrawn(parts), partsTable(parts, task.kind), partsFile(parts));
  }
}

async function page(read, { params: { id }, query, signal }) {
  if (!can("read:submissions")) throw new ApiError(403, { code: "insufficient_scope", fields: { scope: "read:submissions" } });
  const [task] = await Promise.all([read(id, signal), useWords("statistics"), sheet("statistics.css")]);
  const cohorts = await cohortsOf(task.course, query.get("cohort"), signal);
  const view = new View(task, cohorts, query, signal);
  await view.begin();
  return { title: t("statistics.title"), above: task.above, actions: [view.back], body: [task.nav, view.bar, view.host] };
}

export const ofAssignment = (asked) => page(TASKS.ofAssignment, asked);
export const ofQuiz = (asked) => page(TASKS.ofQuiz, asked);
