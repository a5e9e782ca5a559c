// What changes for a cohort that is updated by choice: what it sees as it was, beside what is there now, and updating it.
import { ApiError, can, get, post } from "./api.js";
import { changesOf, dressed, lookFirst, noticesOf, pathOf, readBoth } from "./changed_things.js";
import { confirmDialog } from "./dialogs.js";
import { button, empty, h, link, own, say } from "./dom.js";
import { exactly, number, when } from "./format.js";
import { t, useWords } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
import { show } from "./router.js";

function howShown({ id }, signal) {
  return {
    both: (change) => readBoth([`${pathOf(change)}?as_cohort=${id}`, pathOf(change)], signal),
    sides: [t("updates.sees"), t("updates.now")],
    about: (change) => h("span.quiet", when(change.changed_at)),
    above: (change) => h("p.hint", t("updates.until", { moment: exactly(change.pinned_at) })),
  };
}

function updating({ id }, { changes, learners, revision }) {
  const count = number(changes.length);
  const update = async () => {
    await post(`/v1/cohorts/${id}/update`, { revision });
    return async () => {
      await show();
      say(t("updates.updated"));
    };
  };
  // Whoever was faster with the same has left nothing to do.
  const overtaken = (error) => (error.code === "invalid_state_transition" ? show : lookFirst(t("updates.changed_meanwhile"))(error));
  const ask = () => {
    const text = t("updates.ask", { count, learners: number(learners) });
    confirmDialog(t("updates.ask_title"), text, t("updates.ask_now"), () => update().catch(overtaken), "main");
  };
  return button(t("updates.update", { count }), ask, { look: "main", icon: "check" });
}

function nothing({ updates }) {
  return empty(t("updates.none_title"), t(`updates.none_${updates}`));
}

export async function cohortUpdate({ params: { id }, signal }) {
  if (!can("read:courses")) throw new ApiError(403, { code: "insufficient_scope", fields: { scope: "read:courses" } });
  await lastSaves();
  const path = `/v1/cohorts/${id}`;
  const asking = [get(path, { expand: "course" }, signal), get(`${path}/update`, {}, signal)];
  const [cohort, update] = await Promise.all([...asking, useWords("updates"), dressed()]);
  const course = link(`#/courses/${cohort.course_id}`, own("span", cohort.course?.name || ""));
  const above = h("span.dots", course, link(`#/cohorts/${id}`, own("span", cohort.name)));
  const page = { title: t("updates.title"), above };
  if (!update.changes.length) return { ...page, body: [nothing(cohort)] };
  return {
    ...page,
    actions: can("write:courses") ? [updating(cohort, update)] : [],
    body: [h("p.lede", t("updates.lede", { learners: number(update.learners) })), noticesOf(update), changesOf(update, howShown(cohort, signal))],
  };
}
