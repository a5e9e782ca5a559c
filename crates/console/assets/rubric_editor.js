// The rubric of an assignment: its criteria in order, how they make up the score, templates, and the way to a table and back.
import { button, field, h, own, replace, say, section, select } from "./dom.js";
import { confirmDialog, formDialog, infoDialog } from "./dialogs.js";
import { number } from "./format.js";
import { saveFile } from "./csv.js";
import { t } from "./i18n.js";
import { criterionCard, criterionName } from "./rubric_criterion.js";
import { fromCsv, joined, toCsv } from "./rubric_csv.js";
import { Rows } from "./rubric_rows.js";
import { criteriaOf, TEMPLATE_NAMES } from "./rubric_templates.js";

const MOST = 50;
// Of a table with very many faults so many are told.
const TOLD_PROBLEMS = 20;

class RubricEditor {
  constructor(draft, edited) {
    this.draft = draft;
    this.edited = edited;
    draft.rubric ??= { criteria: [] };
    this.sum = h("div.stack.tight.rubric-sum", { "aria-live": "polite" });
    this.place = h("div");
    this.file = h("input", { type: "file", accept: ".csv,text/csv", hidden: true, onchange: () => this.load() });
    this.node = section(t("rubric.title"), h("p.hint", t("rubric.lede")), this.tools(), this.place, this.sum);
    this.render();
  }

  get criteria() {
    return this.draft.rubric.criteria;
  }

  tools() {
    const choice = select(
      TEMPLATE_NAMES.map((name) => [name, t(`template.${name}`)]),
      TEMPLATE_NAMES[0],
      { "aria-label": t("rubric.template") },
    );
    return h(
      "div.row",
      choice,
      button(t("rubric.use_template"), () => this.useTemplate(choice.value), { look: "quiet" }),
      button(t("rubric.export"), () => saveFile("rubric.csv", toCsv(this.draft.rubric), "text/csv"), { look: "quiet" }),
      button(t("rubric.import"), () => this.file.click(), { look: "quiet" }),
      this.file,
    );
  }

  render() {
    this.tells = new WeakMap();
    const changed = () => {
      this.told();
      this.edited();
    };
    this.rows = new Rows({
      items: this.criteria,
      row: (criterion, at) => this.card(criterion, at, changed),
      called: criterionName,
      made: () => ({ name: "", description: "", max_points: 10, weight: 10 }),
      label: t("rubric.add"),
      changed,
      most: MOST,
      selector: "ol.criteria-list",
    });
    replace(this.place, this.rows.node);
    this.told();
  }

  card(criterion, at, changed) {
    const redraw = (name) => {
      this.rows.render();
      changed();
      this.rows.list.children[at].querySelector(`[data-box=${name}] summary`)?.focus();
    };
    const { card, tell } = criterionCard(criterion, at, { changed, shared: (one) => this.shareOf(one), redraw });
    this.tells.set(criterion, tell);
    return card;
  }

  // As the service computes it: each criterion counts by its weight.
  shareOf({ weight }) {
    const weights = this.criteria.reduce((sum, one) => sum + (one.weight || 0), 0);
    return { part: weights > 0 && weight > 0 ? weight / weights : null, most: this.draft.max_score || 0 };
  }

  // How points become a score, in words; and the way to let points alone decide.
  told() {
    const { criteria } = this;
    for (const one of criteria) this.tells.get(one)?.();
    if (!criteria.length) return replace(this.sum, h("p.notice", t("rubric.none")));
    const points = criteria.reduce((sum, one) => sum + (one.max_points || 0), 0);
    const { max_score: most } = this.draft;
    const isEven = criteria.every((one) => one.weight * criteria[0].max_points === criteria[0].weight * one.max_points);
    const values = { points: number(points), max: number(most || 0) };
    const how = isEven ? (points === most ? "rubric.sum_same" : "rubric.sum_scaled") : "rubric.sum_weighed";
    const level = () => {
      for (const one of criteria) one.weight = one.max_points;
      this.rows.render();
      this.told();
      this.edited();
    };
    return replace(
      this.sum,
      h("p.notice", t(how, values)),
      isEven ? null : h("div", button(t("rubric.by_points"), level, { look: "quiet", class: "small" })),
    );
  }

  // Nothing but criteria changes: what else the rubric has stays.
  put(criteria, said) {
    const before = this.criteria;
    const set = (list) => {
      this.draft.rubric = { ...this.draft.rubric, criteria: list };
      this.render();
      this.edited();
    };
    set(criteria);
    const back = () => this.node.isConnected && set(before);
    say(said, "good", button(t("rubric.undo"), back, { look: "quiet", class: "small" }));
    this.node.querySelector("ol input")?.focus();
  }

  useTemplate(name) {
    const use = () => this.put(criteriaOf(name), t("rubric.template_used", { name: t(`template.${name}`) }));
    if (!this.criteria.length) return use();
    return confirmDialog(t("rubric.template_title"), t("rubric.template_what"), t("rubric.replace"), () => use, "main");
  }

  // Nothing is changed before it is accepted.
  async load() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const { criteria, problems } = fromCsv(await file.text());
    const faults = problems.length ? problemList(problems) : null;
    if (!criteria.length) return void infoDialog(t("rubric.import_nothing"), h("div.stack", faults || h("p", t("rubric.import_empty"))));
    const mode = select([["replace", t("rubric.import_replace")], ["append", t("rubric.import_append")]], "replace");
    const body = h(
      "div.stack",
      h("p", t("rubric.import_found", { count: number(criteria.length) })),
      h("ol.numbered", criteria.map(({ name }) => own("li", name))),
      faults,
      this.criteria.length ? field(t("rubric.import_how"), mode, t("rubric.import_keeps")) : null,
    );
    formDialog(t("rubric.import_title"), body, t("rubric.import_accept"), () => () => this.accept(criteria, mode.value));
  }

  accept(criteria, mode) {
    const read = criteria.map((one) => joined(one, mode === "replace" ? this.criteria : []));
    const all = mode === "replace" ? read : [...this.criteria, ...read];
    this.put(all.slice(0, MOST), t("rubric.imported", { count: number(criteria.length) }));
  }

  // What the controls cannot tell by themselves.
  unable() {
    const at = this.criteria.findIndex((one) => one.levels?.length && !(one.max_points > 0));
    return at < 0 ? null : t("rubric.no_points", { what: criterionName(this.criteria[at], at) });
  }
}

function problemList(problems) {
  const line = ({ line: at, reason, what }) => h("li", t("rubric.line", { line: number(at) }), " ", t(`rubric_fault.${reason}`, { what }));
  return h(
    "div.stack.tight.trouble-list",
    h("p", t("rubric.import_faults", { count: number(problems.length) })),
    h("ul", problems.slice(0, TOLD_PROBLEMS).map(line)),
    problems.length > TOLD_PROBLEMS && h("p", t("rubric.import_more", { count: number(problems.length - TOLD_PROBLEMS) })),
  );
}

export function rubricEditor(draft, edited) {
  const editor = new RubricEditor(draft, edited);
  return { node: editor.node, told: () => editor.told(), unable: () => editor.unable() };
}
