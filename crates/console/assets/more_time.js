// Who has more time: other due dates of an assignment, for a cohort or for one learner.
import { ApiError, get, patch, post, remove } from "./api.js";
import { acting, button, empty, field, h, link, own, replace, say, section, select, toggle } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { exactly, zone } from "./format.js";
import { t } from "./i18n.js";
import { everything, table } from "./lists.js";
import { nameOf } from "./names.js";
import { momentOf, typed } from "./zoned.js";

const FOUND_AT_ONCE = 8;

const dateOf = (moment) => (moment ? exactly(moment) : t("more_time.never"));

// When it is due; where there is a date already, also that it never is.
function dueFields(moment, isNever, mayEnd) {
  const when = h("input.field.date", { type: "datetime-local", required: true, value: typed(moment), disabled: isNever });
  const never = toggle(t("more_time.never"), isNever, (on) => {
    when.disabled = on;
    if (!on) when.focus();
  });
  const read = () => {
    if (when.disabled) return null;
    if (!when.value) throw new ApiError(400, { message: t("more_time.no_date") });
    return when.value === typed(moment) ? moment : momentOf(when.value);
  };
  return { node: h("div.stack.tight", field(t("setup.due"), when, t("setup.due_hint", { zone: zone() })), mayEnd && never), read };
}

// A learner is looked for by name or address, and chosen of those that were found.
function learnerSearch() {
  const words = h("input.field", { type: "search", dir: "auto", autocomplete: "off", maxlength: 255 });
  const found = h("div.stack.tight", { role: "status" });
  const one = ({ id, name, email }) =>
    h("label.choice", h("input", { type: "radio", name: "learner", value: id }), own("span", name || email), name && own("span.quiet", email));
  const look = async () => {
    const { data } = await get("/v1/users", { q: words.value.trim(), role: "student", limit: FOUND_AT_ONCE });
    replace(found, data.length ? h("fieldset", h("legend", t("more_time.found")), data.map(one)) : h("p.hint", t("more_time.nobody")));
    found.querySelector("input")?.focus();
  };
  const search = acting(t("more_time.search"), look, { look: "quiet" });
  words.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    search.click();
  });
  const read = () => {
    const chosen = found.querySelector("input:checked");
    if (!chosen) throw new ApiError(400, { message: t("more_time.choose_learner") });
    return { user_id: chosen.value };
  };
  return { node: h("div.stack.tight", field(t("more_time.learner_search"), words), h("div", search), found), read };
}

function cohortChoice(cohorts) {
  const choice = select(cohorts.map((one) => [one.id, one.name]), cohorts[0]?.id);
  const node = cohorts.length ? field(t("more_time.cohort"), choice) : h("p.hint", t("more_time.no_cohorts"));
  const read = () => {
    if (!cohorts.length) throw new ApiError(400, { message: t("more_time.no_cohorts") });
    return { cohort_id: choice.value };
  };
  return { node, read };
}

class MoreTime {
  constructor(assignment, cohorts, signal) {
    Object.assign(this, { assignment, cohorts, signal });
    this.path = `/v1/assignments/${assignment.id}/overrides`;
    this.place = h("div");
    this.adding = button(t("more_time.add"), () => this.add(), { look: "quiet", icon: "plus" });
    this.node = section(t("more_time.title"), h("p.hint", t("more_time.lede")), this.place, h("div.row", this.adding));
  }

  async load() {
    const { data } = await everything(this.path, {}, this.signal);
    const named = await Promise.all(data.map(async (one) => ({ ...one, name: await nameOf(one.cohort_id || one.user_id) })));
    replace(this.place, named.length ? h("div.card.flush", this.table(named)) : empty(t("more_time.none_title"), t("more_time.none")));
  }

  table(all) {
    const who = ({ cohort_id: cohort, name }) => {
      const shown = own("span", name || t(cohort ? "more_time.cohort" : "student"));
      return cohort ? link(`#/cohorts/${cohort}`, shown) : shown;
    };
    const act = (label, one, todo) =>
      button(t(label), todo, { look: "quiet", class: "small", "aria-label": t(`${label}_of`, { name: one.name }) });
    const acts = (one) => h("div.row", act("more_time.change", one, () => this.change(one)), act("more_time.remove", one, () => this.remove(one)));
    const columns = [
      { label: t("more_time.who"), cell: who },
      { label: t("more_time.kind"), cell: (one) => t(one.cohort_id ? "more_time.cohort" : "more_time.learner") },
      { label: t("more_time.until"), cell: (one) => dateOf(one.due_at) },
      { label: t("actions"), hiddenLabel: true, class: "acts", cell: acts },
    ];
    return table(t("more_time.title"), columns, all).node;
  }

  // What was done shows in the list, whose buttons are others then.
  async done(said) {
    await this.load();
    return () => {
      say(said);
      this.adding.focus();
    };
  }

  add() {
    const [cohort, learner] = [cohortChoice(this.cohorts), learnerSearch()];
    const due = dueFields(this.assignment.due_at, false, false);
    const place = h("div", cohort.node);
    let chosen = cohort;
    const kind = select([["cohort", t("more_time.a_cohort")], ["learner", t("more_time.a_learner")]], "cohort", {
      onchange: (event) => replace(place, (chosen = event.target.value === "cohort" ? cohort : learner).node),
    });
    const body = h("div.stack", field(t("more_time.for"), kind), place, due.node, h("p.hint", t("more_time.what_changes")));
    formDialog(t("more_time.add"), body, t("more_time.give"), async () => {
      await post(this.path, { ...chosen.read(), due_at: due.read() });
      return this.done(t("more_time.given"));
    });
  }

  change(one) {
    const due = dueFields(one.due_at, one.due_at === null, true);
    const body = h("div.stack", due.node, h("p.hint", t("more_time.what_changes")));
    formDialog(t("more_time.change_title", { name: one.name }), body, t("more_time.change"), async () => {
      await patch(`/v1/overrides/${one.id}`, { due_at: due.read() });
      return this.done(t("more_time.changed"));
    });
  }

  remove(one) {
    confirmDialog(t("more_time.remove_title", { name: one.name }), t("more_time.remove_what"), t("more_time.remove"), async () => {
      await remove(`/v1/overrides/${one.id}`);
      return this.done(t("more_time.removed"));
    });
  }
}

export async function moreTime(assignment, signal) {
  const { data: cohorts } = await everything("/v1/cohorts", { course_id: assignment.course_id }, signal);
  const shown = new MoreTime(assignment, cohorts, signal);
  await shown.load();
  return shown.node;
}
