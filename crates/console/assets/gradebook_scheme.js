// How a course is weighed, changed: its groups, which tasks are in them, and what becomes of work that is missing.
import { ApiError, freshKey, getTagged, patch } from "./api.js";
import { formDialog } from "./dialogs.js";
import { button, field, h, hidden, icon, own, replace, say, select } from "./dom.js";
import { figures } from "./gradebook_cells.js";
import { t } from "./i18n.js";
import { show } from "./router.js";
import { isOvertaken } from "./undo.js";

const ATTEMPTS = ["best", "latest", "first"];
const MISSING = ["ignored", "zero"];
const MOST_GROUPS = 20;
// Behind this the service names what is wrong: gradebook.groups[0].weight.
const PREFIX = "gradebook.";

const count = (value, most, label) => h("input.field.narrow", { type: "number", min: 0, max: most, step: 1, required: true, value, "aria-label": label });
const numberOf = (input) => (input.value === "" ? null : Number(input.value));

// One group: what it is called, what it weighs, and how it counts.
class Group {
  constructor({ id, name, weight, drop_lowest: dropped = 0, attempt = "best" }, { changed, removed }) {
    this.id = id;
    this.name = h("input.field", { maxlength: 255, dir: "auto", required: true, autocomplete: "off", value: name, oninput: changed });
    this.weight = count(weight, 100);
    this.weight.addEventListener("input", changed);
    this.dropped = count(dropped, 20);
    this.attempt = select(ATTEMPTS.map((one) => [one, t(`gradebook.attempt_${one}`)]), attempt);
    const remove = button(t("gradebook.remove"), () => removed(this), { look: "quiet", class: "small" });
    this.node = h(
      "fieldset.gb-group",
      h("legend", hidden(t("gradebook.group"))),
      field(t("name"), this.name),
      field(t("gradebook.weight_in_percent"), this.weight),
      field(t("gradebook.drop_lowest"), this.dropped),
      field(t("gradebook.attempt"), this.attempt),
      remove,
    );
  }

  get said() {
    return this.name.value.trim();
  }

  read(items) {
    return { id: this.id, name: this.said, weight: numberOf(this.weight), drop_lowest: numberOf(this.dropped), attempt: this.attempt.value, items };
  }
}

class Form {
  constructor(scheme, columns) {
    this.columns = columns;
    this.show = figures();
    this.host = h("div.stack");
    this.sum = h("p.gb-sum", { role: "status" });
    this.elsewhere = h("div");
    const handlers = { changed: () => this.told(), removed: (group) => this.remove(group) };
    this.made = (group) => new Group(group, handlers);
    this.groups = scheme.groups.map(this.made);
    this.missing = select(MISSING.map((one) => [one, t(`gradebook.missing_${one}`)]), scheme.missing);
    // What is in a group and no task of the course any more does no harm, and stays.
    const known = new Set(columns.map(({ id }) => id));
    this.gone = new Map(scheme.groups.map(({ id, items }) => [id, items.filter((one) => !known.has(one))]));
    const places = new Map(scheme.groups.flatMap(({ id, items }) => items.map((item) => [item, id])));
    this.places = columns.map((column) => select([], "", { "aria-label": t("gradebook.group_of", { name: column.name }) }));
    this.add = button(t("gradebook.add_group"), () => this.another(), { look: "quiet", icon: "plus" });
    this.drawn();
    this.places.forEach((place, at) => (place.value = places.get(columns[at].id) ?? ""));
  }

  get node() {
    const rows = this.columns.map((column, at) =>
      h("tr", h("th", { scope: "row" }, own("span", column.name)), h("td.num", this.show.points(column.points)), h("td", this.places[at])),
    );
    const heads = [t("gradebook.task"), t("gradebook.points"), t("gradebook.group")].map((one, at) => h(at === 1 ? "th.num" : "th", { scope: "col" }, one));
    return h(
      "div.stack",
      h("p.hint", t("gradebook.scheme_hint")),
      this.host,
      h("div.row.spread", this.add, this.sum),
      this.elsewhere,
      field(t("gradebook.missing"), this.missing, t("gradebook.missing_hint")),
      h("h3", t("gradebook.tasks")),
      h("table.table.keep.gb-tasks", h("caption.unseen", t("gradebook.tasks")), h("thead", h("tr", heads)), h("tbody", rows)),
    );
  }

  drawn() {
    replace(this.host, this.groups.map((group) => group.node));
    this.add.disabled = this.groups.length >= MOST_GROUPS;
    this.told();
  }

  // The groups to choose from are called what they are called by now, and what they weigh together is said.
  told() {
    const options = () => [["", t("gradebook.no_group")], ...this.groups.map((group) => [group.id, group.said || t("gradebook.unnamed")])];
    for (const place of this.places) {
      const { value } = place;
      place.replaceChildren(...options().map(([id, name]) => h("option", { value: id }, name)));
      place.value = this.groups.some(({ id }) => id === value) ? value : "";
    }
    const sum = this.groups.reduce((all, { weight }) => all + (numberOf(weight) ?? 0), 0);
    const percent = this.show.percent;
    const rest = sum < 100 ? t("gradebook.rest", { rest: percent(100 - sum) }) : sum > 100 ? t("gradebook.too_much") : "";
    const said = this.groups.length ? `${t("gradebook.sum", { sum: percent(sum) })} ${rest}` : t("gradebook.unweighed");
    if (this.sum.textContent !== said) this.sum.textContent = said;
    this.sum.classList.toggle("over", sum > 100);
  }

  another() {
    const group = this.made({ id: freshKey().slice(0, 12), name: "", weight: 0 });
    this.groups.push(group);
    this.drawn();
    group.name.focus();
  }

  // Its tasks are in none from then on.
  remove(group) {
    this.groups = this.groups.filter((one) => one !== group);
    this.drawn();
    this.add.focus();
  }

  read() {
    const scheme = { groups: this.groups.map((group) => group.read(this.itemsOf(group))), missing: this.missing.value };
    return scheme.groups.length || scheme.missing !== "ignored" ? scheme : null;
  }

  // What the service does not take is said at its field; what has none is given back.
  mark(fields) {
    for (const one of this.marked ?? []) one();
    this.marked = [];
    const elsewhere = [];
    for (const [place, why] of Object.entries(fields)) {
      const input = this.inputAt(place.startsWith(PREFIX) ? place.slice(PREFIX.length) : place);
      if (input) this.marked.push(wrong(input, why));
      else elsewhere.push(h("p.wrong", icon("warn"), h("span", why)));
    }
    replace(this.elsewhere, elsewhere);
    this.host.closest("dialog")?.querySelector("[aria-invalid]")?.focus();
  }

  inputAt(place) {
    const [, at, name, item] = place.match(/^groups\[(\d+)\]\.(\w+)(?:\[(\d+)\])?$/) || [];
    if (place === "missing") return this.missing;
    const group = this.groups[Number(at)];
    if (!group) return null;
    if (name === "items") return this.places[this.columns.findIndex(({ id }) => id === this.itemsOf(group)[Number(item)])];
    return { name: group.name, weight: group.weight, drop_lowest: group.dropped, attempt: group.attempt }[name];
  }

  itemsOf({ id }) {
    const chosen = this.columns.filter((_, at) => this.places[at].value === id).map((column) => column.id);
    return [...chosen, ...(this.gone.get(id) ?? [])];
  }
}

// Says at a field what is wrong with it; what is returned takes it back.
function wrong(input, why) {
  const said = h("p.wrong", { id: `wrong-${freshKey()}` }, icon("warn"), h("span", why));
  const before = input.getAttribute("aria-describedby");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", [before, said.id].filter(Boolean).join(" "));
  input.after(said);
  return () => {
    said.remove();
    input.removeAttribute("aria-invalid");
    if (before) input.setAttribute("aria-describedby", before);
    else input.removeAttribute("aria-describedby");
  };
}

// Over what was read and nothing that came since. `columns` are all tasks of the course.
export async function changeScheme(course, columns) {
  const path = `/v1/courses/${course}`;
  const { found, tag } = await getTagged(path);
  const form = new Form(found.gradebook, columns);
  const dialog = formDialog(t("gradebook.weighing"), form.node, t("gradebook.save"), async () => {
    try {
      await patch(path, { gradebook: form.read() }, tag);
    } catch (error) {
      if (isOvertaken(error)) throw new ApiError(412, { message: t("gradebook.overtaken") });
      if (error.status !== 400) throw error;
      form.mark(error.fields);
      throw new ApiError(400, { message: error.message });
    }
    return async () => {
      await show();
      say(t("gradebook.saved"));
    };
  });
  dialog.classList.add("broad");
}
