// Taking people out of a cohort: asked first, said what stays, and taken back from the trash where one may.
import { ApiError, can, freshKey } from "./api.js";
import { calledOf } from "./cohort_students.js";
import { formDialog, infoDialog } from "./dialogs.js";
import { h, own, say } from "./dom.js";
import { number } from "./format.js";
import { t, useWords } from "./i18n.js";
import { MOST_ROWS, progressIn, untilClosed, writeMany } from "./many_writes.js";
import { restore } from "./outline_writes.js";
import { explain, show } from "./router.js";
import { remember } from "./undo.js";

const NAMED = 10;

function whoGoes(chosen) {
  const named = chosen.slice(0, NAMED).map((one) => own("li", calledOf(one)));
  const more = chosen.length - named.length;
  return h("ul.plain", named, more > 0 && h("li.quiet", t("cohort.and_more", { count: number(more) })));
}

// Whoever came back by other ways is no reason not to bring the others back.
async function bringBack(out) {
  let problem;
  for (const { id } of out) await restore([id]).catch((error) => (problem ??= error));
  if (problem) throw problem;
}

// Who was taken out by somebody else meanwhile is out as well, and no affair of who takes this back.
async function told(cohort, results) {
  const out = results.filter(({ error }) => !error).map(({ student }) => student);
  const gone = results.filter(({ error }) => error?.code === "resource_missing").length;
  const left = results.filter(({ error }) => error && error.code !== "resource_missing");
  await show();
  const said = [t("cohort.removed", { count: number(out.length) }), gone && t("cohort.was_out", { count: number(gone) })].filter(Boolean).join(" ");
  if (out.length && can("write:courses")) remember({ place: cohort.id, said, undo: () => bringBack(out), back: show });
  else say(said);
  if (!left.length) return;
  const why = ({ student, error }) => h("li", own("span", `${calledOf(student)}: ${explain(new ApiError(error.status, error))}`));
  infoDialog(t("cohort.not_removed", { count: number(left.length) }), h("ul.plain", left.map(why)));
}

export async function remove(cohort, chosen) {
  await useWords("authoring");
  const keys = new Map();
  const progress = progressIn();
  const body = h("div.stack", whoGoes(chosen), h("p", t("cohort.remove_what")), progress.node);
  const title = t("cohort.remove_title", { count: number(chosen.length), cohort: cohort.name });
  const dialog = formDialog(
    title,
    body,
    t("cohort.remove_go"),
    async () => {
      const results = [];
      for (let from = 0; from < chosen.length && !signal.aborted; from += MOST_ROWS) {
        const rows = chosen.slice(from, from + MOST_ROWS).map(({ user_id }) => ({ id: cohort.id, body: { user_id } }));
        if (!keys.has(from)) keys.set(from, freshKey());
        const far = (done) => progress.show(t("cohorts.far", { done: number(from + done), of: number(chosen.length) }), from + done, chosen.length);
        const came = await writeMany("withdrawStudent", rows, { key: keys.get(from), told: far, signal });
        results.push(...came.map((one) => ({ ...one, student: chosen[from + one.index] })));
      }
      return () => told(cohort, results);
    },
    "danger",
  );
  const signal = untilClosed(dialog);
}
