// What is asked of a cohort: a new one, and what is to be another.
import { ApiError, get, getTagged, patch, post } from "./api.js";
import { formDialog } from "./dialogs.js";
import { field, h, replace, say, select } from "./dom.js";
import { number, zone } from "./format.js";
import { t, useWords } from "./i18n.js";
import { everything } from "./lists.js";
import { complain, go, show } from "./router.js";
import { momentOf, typed } from "./zoned.js";

function complete(input, message) {
  const text = input.value.trim();
  if (text) return text;
  input.focus();
  throw new ApiError(400, { code: "invalid_field", message });
}

const moment = (value) => h("input.field.date", { type: "datetime-local", value: typed(value) });

// What a cohort is made with and changed by. `changed` is what is another than in `cohort`; a moment that nobody touched keeps its seconds.
function aboutFields(cohort) {
  const name = h("input.field", { maxlength: 255, dir: "auto", required: true, autocomplete: "off", value: cohort.name });
  const dates = { starts_at: moment(cohort.starts_at), ends_at: moment(cohort.ends_at) };
  const updates = select(["automatic", "manual"].map((one) => [one, t(`cohorts.updates_${one}`)]), cohort.updates);
  const nodes = [
    h("div.row.top-aligned", field(t("cohorts.starts"), dates.starts_at), field(t("cohorts.ends"), dates.ends_at)),
    h("p.hint", t("cohorts.dates_hint", { zone: zone() })),
    field(t("cohorts.updates"), updates, t("cohorts.updates_hint")),
  ];
  const dateOf = (key) => (dates[key].value === typed(cohort[key]) ? cohort[key] : momentOf(dates[key].value));
  const changed = () => {
    const said = { name: complete(name, t("cohorts.name_missing")), starts_at: dateOf("starts_at"), ends_at: dateOf("ends_at"), updates: updates.value };
    return Object.fromEntries(Object.entries(said).filter(([key, value]) => value !== cohort[key]));
  };
  return { named: field(t("name"), name, t("cohorts.name_hint")), nodes, updates, changed };
}

const NEW = { name: "", starts_at: null, ends_at: null, updates: "automatic" };

// Without a course it is chosen. What is made is led to, unless `then` says what comes next.
export async function newCohort(course = null, then = (made) => () => go(`#/cohorts/${made.id}`)) {
  await useWords("cohorts");
  const courses = course ? [course] : (await everything("/v1/courses", {})).data.filter(({ status }) => status !== "archived");
  if (!courses.length) return say(t("cohorts.no_course"), "wait", h("a.button.small", { href: "#/courses" }, t("nav.courses")));
  const choice = select(courses.map((one) => [one.id, one.name]), courses[0].id, { dir: "auto" });
  const about = aboutFields(NEW);
  const body = h("div.stack", about.named, course ? null : field(t("cohort.course"), choice), about.nodes);
  return formDialog(t("cohorts.new"), body, t("cohorts.make"), async () =>
    then(await post("/v1/cohorts", { ...about.changed(), course_id: choice.value, timezone: zone() })),
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
