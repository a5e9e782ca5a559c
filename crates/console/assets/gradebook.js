// The book of grades of a cohort: where everybody stands at every task and in the whole course, as a grid, and taken away as a file.
import { ApiError, can, get, getFile } from "./api.js";
import { fileNameOf, saveFile } from "./csv.js";
import { infoDialog } from "./dialogs.js";
import { acting, empty, h, icon, link, own, replace } from "./dom.js";
import { addressOf, countOf, nothingFound, searchField, sortChoice, sortOf } from "./finding.js";
import { figures, nameOf, reckoning } from "./gradebook_cells.js";
import { Book } from "./gradebook_data.js";
import { Grid } from "./gradebook_grid.js";
import { t, useWords } from "./i18n.js";
import { learn } from "./names.js";
import { complain, problem, show } from "./router.js";
import { sheet } from "./sheets.js";

const SORTS = ["newest", "name"];
const SCOPES = ["read:courses", "read:students", "read:submissions"];
const PLACES = { assignment: "assignments", activity: "activities" };

function downloads(cohort, signal) {
  const save = async (kind) => {
    const file = await getFile(`/v1/cohorts/${cohort.id}/gradebook.${kind}`, signal);
    saveFile(`${t("gradebook.file")}-${fileNameOf(cohort.name)}.${kind}`, file, file.type);
  };
  return ["csv", "xlsx"].map((kind) => acting(t(`gradebook.${kind}`), () => save(kind).catch(complain), { look: "quiet" }));
}

// What changes how a course is weighed is fetched by who may.
function weighing(view) {
  const change = async () => {
    const { book } = view;
    const [{ changeScheme }, columns] = await Promise.all([import("./gradebook_scheme.js"), book.allColumns()]);
    await changeScheme(book.course, columns);
  };
  return can("write:courses") && acting(t("gradebook.weighing"), () => change().catch(complain), { icon: "edit" });
}

// How the groups weigh, above the grid.
function inWords({ groups, missing }) {
  const rest = groups.reduce((left, { weight }) => left - weight, 100);
  const figure = figures();
  const said = groups.map(({ name, weight }) => h("li", own("span", name), ` ${figure.percent(weight)}`));
  if (groups.length && rest > 0) said.push(h("li", `${t("gradebook.no_group")} ${figure.percent(rest)}`));
  const zero = missing === "zero" ? h("li", t("gradebook.counts_as_zero")) : null;
  return said.length || zero ? h("ul.gb-weights", { "aria-label": t("gradebook.weighing") }, said, zero) : h("p.hint", t("gradebook.unweighed"));
}

// Where somebody was when they left it last, as for a submission.
let last = null;

// One way of looking at it: who is looked for, and in what order they stand.
class View {
  constructor(cohort, query, signal) {
    Object.assign(this, { cohort, signal, turn: new AbortController() });
    this.place = `#/cohorts/${cohort.id}/gradebook`;
    this.asked = { q: query.get("q")?.trim() || "", sort: query.has("sort") ? sortOf(query, SORTS) : "name" };
    this.host = h("div.stack");
    this.status = h("p.hint", { role: "status" });
    this.trouble = h("div", { role: "alert" });
    this.field = searchField(t("find.students"), this.asked.q, (q) => this.change({ q }), signal);
    const sort = sortChoice(SORTS, this.asked.sort, (chosen) => this.change({ sort: chosen }));
    this.bar = h("div.filters.find", { role: "search" }, this.field.input, sort, this.status);
    this.show = figures();
  }

  // Fetches the first of it. What was asked for before is no longer waited for.
  async begin() {
    this.turn.abort();
    this.turn = new AbortController();
    const signal = AbortSignal.any([this.signal, this.turn.signal]);
    const asked = { ...this.asked };
    const told = () => this.grid?.soon();
    this.book = await new Book(this.cohort, asked, signal, { told, failed: (error) => this.failed(error) }).begin();
    this.draw(signal);
  }

  draw(signal) {
    const { book, cohort, asked, show: figure } = this;
    const groups = new Map(book.scheme.groups.map((group) => [group.id, group]));
    this.grid = null;
    replace(this.trouble);
    replace(this.status);
    this.bar.hidden = !asked.q && !book.rows.length;
    if (!book.rows.length && book.isWhole) return replace(this.host, this.nothing());
    const expected = asked.q ? 0 : cohort.student_count;
    const explain = (row) => infoDialog(t("gradebook.total_of", { name: nameOf(row) }), reckoning(row, figure, groups)).classList.add("broad");
    const statistics = ({ object, id }) => `#/${PLACES[object]}/${id}/statistics?${new URLSearchParams({ cohort: cohort.id })}`;
    this.grid = new Grid(book, { label: t("gradebook.grid", { name: cohort.name }), show: figure, groups, expected, explain, statistics, drawn: () => this.drawn() });
    replace(this.host, this.grid.node);
    if (this.host.isConnected) this.grid.start(signal);
  }

  get key() {
    return JSON.stringify([this.cohort.id, this.asked]);
  }

  // Once the page is there.
  start() {
    this.grid?.start(AbortSignal.any([this.signal, this.turn.signal]), last?.key === this.key ? last.place : null);
    const leave = () => (last = this.grid && { key: this.key, place: this.grid.place });
    this.signal.addEventListener("abort", leave, { once: true });
  }

  nothing() {
    if (this.asked.q) return nothingFound(this.asked.q, () => this.clear());
    return empty(t("cohort.empty_title"), t("gradebook.nobody"), link(`#/cohorts/${this.cohort.id}`, own("span", this.cohort.name)));
  }

  drawn() {
    const { book, status, asked } = this;
    const said = asked.q ? countOf(book.rows.length, !book.isWhole) : "";
    if (status.textContent !== said) status.textContent = said;
  }

  clear() {
    this.field.clear();
    this.change({ q: "" });
  }

  async change(changes) {
    Object.assign(this.asked, changes);
    history.replaceState(null, "", addressOf(this.place, { q: this.asked.q, sort: this.asked.sort === "name" ? "" : this.asked.sort || "newest" }));
    this.host.setAttribute("aria-busy", "true");
    try {
      await this.begin();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 401) return show();
      replace(this.host, problem(error, () => this.change({})));
    }
    this.host.removeAttribute("aria-busy");
  }

  // What came so far stays.
  failed(error) {
    if (error.name === "AbortError") return;
    if (error.status === 401) return show();
    replace(this.trouble, problem(error, () => {
      replace(this.trouble);
      this.book.again();
    }));
  }
}

export async function gradebook({ params: { id }, query, signal }) {
  const scope = SCOPES.find((one) => !can(one));
  if (scope) throw new ApiError(403, { code: "insufficient_scope", fields: { scope } });
  const words = ["gradebook", "cohorts", "finding"].map(useWords);
  const [cohort] = await Promise.all([get(`/v1/cohorts/${id}`, { expand: "course" }, signal), ...words, sheet("gradebook.css")]);
  learn(cohort.id, cohort.name);
  const view = new View(cohort, query, signal);
  await view.begin();
  const { book } = view;
  const above = h("span.dots", link(`#/courses/${cohort.course_id}`, own("span", cohort.course?.name || "")), link(`#/cohorts/${id}`, own("span", cohort.name)));
  const standing = h("a.button.quiet", { href: `#/cohorts/${id}/standing` }, icon("eye"), h("span", t("cohort.standing")));
  const page = { title: t("gradebook.title"), above, wide: true };
  if (!book.total) return { ...page, body: [empty(t("gradebook.none_title"), t("gradebook.none"), link(`#/courses/${cohort.course_id}`, own("span", cohort.course?.name || "")))] };
  return {
    ...page,
    actions: [standing, ...downloads(cohort, signal), weighing(view)],
    body: [inWords(book.scheme), view.bar, view.trouble, view.host],
    after: () => view.start(),
  };
}
