// What is asked of a course as a whole: a new one, a copy, and whether it is to go.
import { ApiError, get, getTagged, post, remove } from "./api.js";
import { formDialog } from "./dialogs.js";
import { field, h, own, say } from "./dom.js";
import { number } from "./format.js";
import { currentLanguage, t, word } from "./i18n.js";
import { named, nameInput } from "./outline_dialogs.js";
import { restore } from "./outline_writes.js";
import { go } from "./router.js";
import { overtaken, remember, sayNext } from "./undo.js";

const LANGUAGES = ["en", "de", "ar", "es", "fr", "it", "pt", "nl", "pl", "tr", "uk", "zh", "ja"];
// A tag of a language. The usual ones are offered, any other may be written.
export function languageInput(value) {
  const names = new Intl.DisplayNames(currentLanguage(), { type: "language" });
  const list = h("datalist", { id: "languages" }, LANGUAGES.map((one) => h("option", { value: one }, names.of(one))));
  return [h("input.field.narrow", { list: "languages", value, maxlength: 100, dir: "ltr", spellcheck: "false", autocomplete: "off" }), list];
}

export function hoursInput(value) {
  return h("input.field.narrow", { type: "number", min: 1, max: 1000, value });
}

export function newCourse() {
  const name = nameInput();
  const [language, list] = languageInput(currentLanguage());
  const about = h("textarea.field", { rows: 4, dir: "auto", maxlength: 100_000 });
  const hours = hoursInput(8);
  const body = h(
    "div.stack",
    field(t("name"), name),
    field(t("authoring.language"), language, t("authoring.language_hint")),
    list,
    field(t("authoring.description"), about, t("authoring.description_hint")),
    field(t("authoring.hours"), hours),
  );
  formDialog(t("authoring.new_course"), body, t("authoring.create"), async () => {
    const asked = { name: named(name), language: language.value.trim(), description: about.value, hours: Number(hours.value) || null };
    const made = await post("/v1/courses", asked);
    // Its plan is what comes next.
    return () => go(`#/courses/${made.id}?begin`);
  });
}

export function cloneCourse(course) {
  const name = nameInput(t("authoring.copy_of", { name: course.name }));
  const body = h("div.stack", field(t("name"), name), h("p.quiet", t("authoring.clone_hint")));
  formDialog(t("authoring.clone_title"), body, t("authoring.clone"), async () => {
    const made = await post(`/v1/courses/${course.id}/clone`, { name: named(name) });
    return () => go(`#/courses/${made.id}`);
  });
}

// What hangs on it, counted; in words of its own each, so that nothing is overlooked.
function listOf(counts) {
  const known = ["unit", "lesson", "activity", "assignment", "cohort"].filter((object) => counts[object]);
  if (!known.length) return h("p", t("authoring.delete_empty"));
  return h("div.stack.tight", h("p", t("authoring.delete_goes")), h("ul.plain", known.map((object) => h("li", t(`authoring.count_${object}`, { count: number(counts[object]) })))));
}

export function deleteCourse(course, counts) {
  let force = "";
  const used = h("div", { role: "status" });
  const body = h("div.stack", own("p", course.name), listOf(counts), used, h("p.quiet", t("authoring.delete_back")));
  formDialog(
    t("authoring.delete_course_title"),
    body,
    t("authoring.delete_course"),
    async () => {
      const { found, tag } = await getTagged(`/v1/courses/${course.id}`);
      if (found.updated_at !== course.updated_at) throw new ApiError(412, { message: t("authoring.overtaken") });
      try {
        await remove(`/v1/courses/${course.id}${force}`, tag);
      } catch (error) {
        if (error.code !== "in_use") throw error;
        // Learners have used it: asked once more, by what they did.
        force = "?force=true";
        used.replaceChildren(h("p.trouble", t("authoring.used", { uses: Object.values(error.fields).join(", ") })));
        throw new ApiError(409, { message: t("authoring.delete_again") });
      }
      return () => {
        sayNext(() => toldOfDeletion(course));
        go("#/courses");
      };
    },
    "danger",
  );
}

function toldOfDeletion({ id, name }) {
  const said = t("authoring.deleted", { what: word("thing", "course"), name });
  const back = ({ tell, isDone }) => {
    if (!isDone) return;
    sayNext(tell);
    go(`#/courses/${id}`);
  };
  remember({ place: "courses", said, undo: () => restore([id]), back });
}

// Archived and back again.
export async function archiveCourse(course, show) {
  await post(`/v1/courses/${course.id}/archive`);
  await show();
  const undo = async () => {
    const now = await get(`/v1/courses/${course.id}`);
    if (now.status !== "archived") throw overtaken();
    await post(`/v1/courses/${course.id}/unarchive`);
  };
  if (course.status === "published") remember({ place: course.id, said: t("authoring.archived", { name: course.name }), undo, back: show });
  else say(t("authoring.archived", { name: course.name }));
}
