// Who of a cohort falls behind, by rules that whoever looks sets, and how far all have come.
import { ApiError, can, get } from "./api.js";
import { histogram, picture } from "./charts.js";
import { fileNameOf, saveFile, sheet as csv } from "./csv.js";
import { button, empty, field, h, hidden, icon, link, own, replace, say, section } from "./dom.js";
import { addressOf, nothingFound, searchField } from "./finding.js";
import { number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { learn } from "./names.js";
import { problem, show } from "./router.js";
import { sheet } from "./sheets.js";
import { MOST, RULES, USUAL, found, rulesOf, standingOf, tenths, unusual } from "./standing_data.js";
import { inShort, learners, listFile, share, spreadInWords, spreadLabel, spreadTable } from "./standing_text.js";

const SCOPES = ["read:courses", "read:students", "read:submissions"];

function drawn(read) {
  const { rows, expected } = read;
  const bins = tenths(rows);
  const marks = expected === null ? [] : [{ look: "median", share: expected / 100, label: t("standing.mark", { expected: share(expected) }) }];
  const edges = [...bins.map(({ from }) => share(from)), share(100)];
  const shown = { bins: bins.map((one) => one.learners), edges, marks, label: spreadLabel(read), show: number };
  return (width) => histogram(width, shown);
}

class View {
  constructor(cohort, query, signal) {
    Object.assign(this, { cohort, signal, turn: new AbortController(), rules: rulesOf(query), q: query.get("q")?.trim() || "" });
    this.place = `#/cohorts/${cohort.id}/standing`;
    this.status = h("p.hint", { role: "status" });
    this.host = h("div.stack.statistics.st-list", { "aria-busy": "true" });
    this.form = this.ruleForm();
    this.field = searchField(t("find.students"), this.q, (q) => this.find(q), signal);
    this.saving = button(t("standing.csv"), () => this.save(), { look: "quiet", disabled: true });
    this.bar = h("div.filters.find", { role: "search" }, this.field.input, this.saving, this.status);
    this.picture = picture(signal);
    this.others = h("details");
  }

  ruleForm() {
    this.inputs = Object.fromEntries(Object.entries(RULES).map(([name, { most }]) => [name, this.numberField(name, most)]));
    const fields = Object.entries(this.inputs).map(([name, input]) => field(t(`standing.rule_${name}`), input, t(`standing.hint_${name}`)));
    const apply = h("button.button", { type: "submit" }, h("span", t("standing.apply")));
    const reset = button(t("standing.reset"), () => this.apply(USUAL), { look: "quiet" });
    const submit = (event) => {
      event.preventDefault();
      this.apply(Object.fromEntries(Object.entries(this.inputs).map(([name, input]) => [name, Number(input.value)])));
    };
    return h("form.stack", { onsubmit: submit }, h("div.st-rules", fields), h("div.row", apply, reset));
  }

  numberField(name, max) {
    return h("input.field", { type: "number", name, min: 1, max, step: 1, required: true, inputmode: "numeric", value: this.rules[name] });
  }

  keep() {
    history.replaceState(null, "", addressOf(this.place, { ...unusual(this.rules), q: this.q }));
  }

  apply(rules) {
    this.rules = { ...rules };
    for (const [name, input] of Object.entries(this.inputs)) input.value = rules[name];
    this.keep();
    return this.begin();
  }

  find(q) {
    this.q = q;
    this.keep();
    if (this.read) this.drawList();
  }

  tell(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // What was asked for before is no longer waited for.
  async begin() {
    this.turn.abort();
    this.turn = new AbortController();
    const signal = AbortSignal.any([this.signal, this.turn.signal]);
    this.host.setAttribute("aria-busy", "true");
    this.tell(t("loading"));
    try {
      this.read = await standingOf(this.cohort.id, this.rules, signal, (count) => this.tell(t("standing.read", { count: number(count) })));
      this.draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 401) return show();
      this.read = null;
      this.saving.disabled = true;
      this.tell("");
      replace(this.host, problem(error, () => this.again()));
    }
    this.host.removeAttribute("aria-busy");
  }

  // Whoever pressed what is gone now is at the rules.
  async again() {
    await this.begin();
    if (document.activeElement === document.body) this.inputs.overdue.focus();
  }

  draw() {
    const { read, cohort } = this;
    this.saving.disabled = !read.rows.length;
    if (!read.rows.length) {
      this.tell("");
      return replace(this.host, empty(t("cohort.empty_title"), t("cohort.empty"), link(`#/cohorts/${cohort.id}`, own("span", cohort.name))));
    }
    this.list = h("div.stack");
    const most = !read.isComplete && h("p.hint", t("standing.first_only", { count: number(MOST) }));
    const table = h("details", h("summary", t("standing.table"), hidden(`: ${t("standing.spread")}`)), spreadTable(read));
    const far = section(t("standing.spread"), h("p", spreadInWords(read)), h("figure.card.stack", this.picture.node, table));
    replace(this.host, most, this.list, far);
    this.picture.show(drawn(read));
    this.drawList();
  }

  drawList() {
    const { cohort, q } = this;
    const rows = (this.shown = found(this.read.rows, q));
    const [signed, others] = [rows.filter(({ signs }) => signs.length), rows.filter(({ signs }) => !signs.length)];
    this.tell(inShort(rows));
    if (!rows.length) return replace(this.list, nothingFound(q, () => this.clear()));
    const runs = cohort.status === "active";
    const nobody = () => h("p.lede", t(runs ? "standing.nobody" : "standing.not_running"));
    const rest = t("standing.others", { count: number(others.length) });
    replace(this.others, h("summary", rest), others.length > 0 && learners(rest, others, cohort.id));
    const behind = section(t("standing.behind"), signed.length ? learners(t("standing.behind"), signed, cohort.id) : nobody());
    replace(this.list, behind, others.length > 0 && this.others);
  }

  clear() {
    this.field.clear();
    this.find("");
  }

  save() {
    const name = `${t("standing.file")}-${fileNameOf(this.cohort.name)}.csv`;
    saveFile(name, csv(...listFile(this.shown)), "text/csv;charset=utf-8");
    say(t("standing.saved", { name }));
  }
}

export async function standing({ params: { id }, query, signal }) {
  const scope = SCOPES.find((one) => !can(one));
  if (scope) throw new ApiError(403, { code: "insufficient_scope", fields: { scope } });
  const words = ["standing", "cohorts", "finding"].map(useWords);
  const sheets = ["statistics.css", "standing.css"].map(sheet);
  const [cohort] = await Promise.all([get(`/v1/cohorts/${id}`, { expand: "course" }, signal), ...words, ...sheets]);
  learn(cohort.id, cohort.name);
  const view = new View(cohort, query, signal);
  const course = link(`#/courses/${cohort.course_id}`, own("span", cohort.course?.name || ""));
  const above = h("span.dots", course, link(`#/cohorts/${id}`, own("span", cohort.name)));
  const grades = h("a.button.quiet", { href: `#/cohorts/${id}/gradebook` }, icon("usage"), h("span", t("cohort.grades")));
  const rules = section(t("standing.rules"), h("p.hint", t("standing.yours")), view.form);
  return { title: t("cohort.standing"), above, actions: [grades], body: [rules, view.bar, view.host], after: () => view.begin() };
}
