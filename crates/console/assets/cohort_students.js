// Who is in a cohort: found, selected, taken out again.
import { can } from "./api.js";
import { button, empty, h, link, own, replace, tag } from "./dom.js";
import { findable } from "./finding.js";
import { number, when } from "./format.js";
import { t, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { complain } from "./router.js";

export const calledOf = ({ user }) => user.name || user.email;

// What takes people out is fetched by who does.
const takeOut = (cohort, chosen) => import("./cohort_removing.js").then(({ remove }) => remove(cohort, chosen)).catch(complain);

// Those whose boxes are ticked, and what is done with them; of one list, so that nobody is selected whom one no longer sees.
class Selection {
  constructor(cohort) {
    this.shown = [];
    this.all = h("input", { type: "checkbox", onchange: () => this.pickAll(this.all.checked) });
    this.count = h("span.hint", { role: "status" });
    this.go = button(t("cohort.remove_selected"), () => takeOut(cohort, this.chosen), { look: "danger", class: "small" });
    this.node = h("div.row.spread", h("label.toggle", this.all, h("span", t("cohort.select_shown"))), h("div.row", this.count, this.go));
    this.draw();
  }

  get chosen() {
    return this.shown.filter(({ box }) => box.checked).map(({ student }) => student);
  }

  boxFor(student) {
    const label = t("cohort.select", { name: calledOf(student) });
    const box = h("input", { type: "checkbox", "aria-label": label, onchange: () => this.draw() });
    this.shown.push({ student, box });
    this.draw();
    // What names the row is the name alone.
    return h("label.co-pick", box);
  }

  pickAll(isOn) {
    for (const { box } of this.shown) box.checked = isOn;
    this.draw();
  }

  draw() {
    const { length } = this.chosen;
    Object.assign(this.all, { checked: length > 0 && length === this.shown.length, indeterminate: length > 0 && length < this.shown.length });
    replace(this.count, length ? t("cohort.selected", { count: number(length) }) : null);
    this.go.hidden = !length;
  }
}

// A learner's own row in the book of grades.
function gradesOfOne(cohort, { name, email }) {
  const said = own("span", name || email);
  const maySee = can("read:submissions");
  return maySee ? link(`#/cohorts/${cohort.id}/gradebook?${new URLSearchParams({ q: name || email })}`, said) : said;
}

function columnsOf(cohort, selection) {
  const nameOf = (one) => gradesOfOne(cohort, one.user);
  const remove = (one) =>
    button(t("cohort.remove"), () => takeOut(cohort, [one]), {
      look: "quiet",
      class: "small",
      "aria-label": t("cohort.remove_of", { name: calledOf(one) }),
    });
  return [
    { label: t("name"), cell: (one) => (selection ? h("span.row", selection.boxFor(one), nameOf(one)) : nameOf(one)) },
    { label: t("email"), cell: ({ user }) => h("span", { dir: "ltr" }, user.email) },
    { label: t("status"), cell: (one) => tag(word("enrollment", one.status), one.status === "active" ? "good" : "plain") },
    { label: t("cohort.since"), cell: (one) => when(one.created_at) },
    selection && { label: t("actions"), hiddenLabel: true, class: "acts", cell: remove },
  ].filter(Boolean);
}

export function studentTable(cohort, query, signal, enrolButton) {
  const nothing = empty(t("cohort.empty_title"), t("cohort.empty"), enrolButton);
  const draw = async (source) => {
    const selection = can("write:students") ? new Selection(cohort) : null;
    const list = { caption: t("cohort.students"), path: `/v1/cohorts/${cohort.id}/students`, columns: columnsOf(cohort, selection), nothing };
    const drawn = await pagedTable({ ...list, ...source() });
    return selection?.shown.length ? h("div.stack", selection.node, drawn) : drawn;
  };
  return findable({ query, signal, label: t("find.students"), sorts: ["newest", "name"], draw });
}
