// What is asked of a cohort: a new one, and what is to be another.
import { ApiError, get, getTagged, patch, post, remove } from "./api.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { field, h, icon, own, replace, say, select } from "./dom.js";
import { number, zone } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything } from "./lists.js";
import { complain, go, show } from "./router.js";
import { sheet } from "./sheets.js";
import { remember, sayNext } from "./undo.js";
import { momentOf, typed } from "./zoned.js";

function complete(input, message) {
  const text = input.value.trim();
  if (text) return text;
  input.focus();
  throw new ApiError(400, { code: "invalid_field", message });
}

const moment = (value) => h("input.field.date", { type: "datetime-local", value: typed(value) });

const MOST_PLACES = 1_000_000;

// Nothing where everybody fits. What is no number has no value, and would be taken for nothing.
function placesIn(input) {
  if (!input.value && !input.validity.badInput) return null;
  if (input.validity.valid) return Number(input.value);
  input.focus();
  input.setAttribute("aria-invalid", "true");
  throw new ApiError(400, { code: "invalid_field", message: t("cohorts.places_wrong", { most: number(MOST_PLACES) }) });
}

function zoneChoice(value) {
  const known = new Set(["UTC", ...(Intl.supportedValuesOf?.("timeZone") || []), value]);
  return select([...known].sort().map((one) => [one, one.replaceAll("_", " ")]), value, { dir: "ltr", class: "co-zone" });
}

// What a cohort is made with and changed by. `changed` is what is another than in `cohort`; a moment that nobody touched keeps its seconds.
function aboutFields(cohort) {
  const name = h("input.field", { maxlength: 255, dir: "auto", required: true, autocomplete: "off", value: cohort.name });
  const dates = { starts_at: moment(cohort.starts_at), ends_at: moment(cohort.ends_at) };
  const touched = () => places.removeAttribute("aria-invalid");
  const places = h("input.field.narrow", { type: "number", min: 1, max: MOST_PLACES, step: 1, value: cohort.capacity ?? "", oninput: touched });
  const timezone = zoneChoice(cohort.timezone);
  const updates = select(["automatic", "manual"].map((one) => [one, t(`cohorts.updates_${one}`)]), cohort.updates);
  const nodes = [
    h("div.row.top-aligned", field(t("cohorts.starts"), dates.starts_at), field(t("cohorts.ends"), dates.ends_at)),
    h("p.hint", t("cohorts.dates_hint", { zone: zone() })),
    field(t("cohorts.places"), places, t("cohorts.places_hint")),
    field(t("cohort.zone"), timezone),
    field(t("cohorts.updates"), updates, t("cohorts.updates_hint")),
  ];
  const dateOf = (key) => (dates[key].value === typed(cohort[key]) ? cohort[key] : momentOf(dates[key].value));
  const changed = () => {
    const said = {
      name: complete(name, t("cohorts.name_missing")),
      starts_at: dateOf("starts_at"),
      ends_at: dateOf("ends_at"),
      capacity: placesIn(places),
      timezone: timezone.value,
      updates: updates.value,
    };
    return Object.fromEntries(Object.entries(said).filter(([key, value]) => value !== cohort[key]));
  };
  return { named: field(t("name"), name, t("cohorts.name_hint")), nodes, updates, changed };
}

const unmade = () => ({ name: "", starts_at: null, ends_at: null, capacity: null, timezone: zone(), updates: "automatic" });

// Without a course it is chosen. What is made is led to, unless `then` says what comes next.
export async function newCohort(course = null, then = (made) => () => go(`#/cohorts/${made.id}`)) {
  await Promise.all([useWords("cohorts"), sheet("cohorts.css")]);
  const courses = course ? [course] : (await everything("/v1/courses", {})).data.filter(({ status }) => status !== "archived");
  if (!courses.length) return say(t("cohorts.no_course"), "wait", h("a.button.small", { href: "#/courses" }, t("nav.courses")));
  const choice = select(courses.map((one) => [one.id, one.name]), courses[0].id, { dir: "auto" });
  const about = aboutFields(unmade());
  const body = h("div.stack", about.named, course ? null : field(t("cohort.course"), choice), about.nodes);
  return formDialog(t("cohorts.new"), body, t("cohorts.make"), async () =>
    then(await post("/v1/cohorts", { timezone: zone(), ...about.changed(), course_id: choice.value })),
  );
}

// What it sees as it was becomes what is there now where it is updated automatically from now on: that is said before.
async function toldOfUpdating(path, updates) {
  const { changes } = updates === "automatic" ? await get(`${path}/update`) : { changes: [] };
  return changes.length ? h("p.notice", t("cohorts.updated_at_once", { count: number(changes.length) })) : null;
}

export async function changeCohort({ id }) {
  const path = `/v1/cohorts/${id}`;
  const { found, tag } = await getTagged(path);
  const about = aboutFields(found);
  const told = h("div", { role: "status" });
  let telling;
  about.updates.addEventListener("change", () => {
    telling = toldOfUpdating(path, about.updates.value).then((note) => replace(told, note));
    telling.catch(complain);
  });
  formDialog(t("cohorts.change_title"), h("div.stack", about.named, about.nodes, told), t("cohorts.save"), async () => {
    await telling;
    const asked = about.changed();
    if (Object.keys(asked).length) await patch(path, asked, tag);
    return async () => {
      await show();
      say(t("cohorts.saved"));
    };
  });
}

// From one state to another, and told.
export async function turn(cohort, move) {
  try {
    await post(`/v1/cohorts/${cohort.id}/${move}`);
    await show();
    say(t(`cohorts.did_${move}`));
  } catch (error) {
    complain(error);
  }
}

// Nothing leads back from there.
export function archiveCohort({ id, name }) {
  confirmDialog(t("cohorts.archive_title", { name }), t("cohorts.archive_what"), t("cohorts.archive"), async () => {
    await post(`/v1/cohorts/${id}/archive`);
    return () => show().then(() => say(t("cohorts.archived", { name })));
  });
}

function toldOfDeletion({ id, name }) {
  const undo = async () => {
    const { restore } = await import("./outline_writes.js");
    await restore([id]);
  };
  const back = ({ tell, isDone }) => {
    if (!isDone) return;
    sayNext(tell);
    go(`#/cohorts/${id}`);
  };
  remember({ place: "cohorts", said: t("authoring.deleted", { what: word("thing", "cohort"), name }), undo, back });
}

export async function deleteCohort(cohort) {
  await useWords("authoring");
  let force = "";
  const used = h("div", { role: "status" });
  const goes = h("p", t("cohorts.delete_goes", { count: number(cohort.student_count) }));
  const body = h("div.stack", own("p", cohort.name), goes, used, h("p.quiet", t("authoring.delete_back")));
  const doIt = async () => {
    const path = `/v1/cohorts/${cohort.id}`;
    const { found, tag } = await getTagged(path);
    if (found.updated_at !== cohort.updated_at) throw new ApiError(412, { message: t("authoring.overtaken") });
    try {
      await remove(`${path}${force}`, tag);
    } catch (error) {
      if (error.code !== "in_use") throw error;
      // Learners have used it: asked once more, by what they did.
      force = "?force=true";
      const uses = t("authoring.used", { uses: Object.values(error.fields).join(", ") });
      replace(used, h("p.trouble", icon("warn"), `${uses} ${t("authoring.used_hint")}`));
      throw new ApiError(409, { message: t("authoring.delete_again") });
    }
    return () => {
      sayNext(() => toldOfDeletion(cohort));
      go("#/cohorts");
    };
  };
  formDialog(t("cohorts.delete_title"), body, t("cohorts.delete"), doIt, "danger");
}
