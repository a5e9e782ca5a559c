// What waits to go live of a course: what differs, what learners will notice, and publishing it all at once or throwing it away.
import { ApiError, can, get, patch, post, remove } from "./api.js";
import { changesOf, dressed, lookFirst, noticesOf, pathOf, readBoth } from "./changed_things.js";
import { confirmDialog } from "./dialogs.js";
import { acting, button, empty, h, link, own, say, section, tag } from "./dom.js";
import { number, when } from "./format.js";
import { t } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
import { nameOf } from "./names.js";
import { complain, go, show } from "./router.js";
import { inOrder, listenForUndo, overtaken, remember } from "./undo.js";
import { choosersOf } from "./waiting.js";

// Members of which a change names keys, and not the whole.
const BY_KEY = ["metadata", "tutor"];
// What was thrown away is remembered so that it can be taken back, up to so many things at once.
const MOST_REMEMBERED = 50;

const draftPath = (change) => `${pathOf(change)}?draft=true`;

const bothOf = (change, signal) => readBoth([pathOf(change), draftPath(change)], signal);

// Where a thing is written.
async function hrefOf(change, course, signal) {
  if (change.object === "course") return `#/courses/${course.id}/settings`;
  if (change.object === "lesson") return `#/courses/${course.id}/${change.id}/edit`;
  if (change.object === "assignment") return `#/assignments/${change.id}/edit`;
  if (change.object === "unit") return `#/courses/${course.id}`;
  const { lesson_id: lesson } = await get(pathOf(change), {}, signal);
  return `#/courses/${course.id}/${lesson}/activities/${change.id}`;
}

// A member again as it was waiting: what is taken by key has to say which keys are gone.
function againAs(name, will, live) {
  if (!BY_KEY.includes(name)) return will[name];
  const gone = Object.keys(live[name]).filter((key) => !(key in will[name]));
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...will[name] };
}

// What takes throwing away back: the same change, to wait again.
function waitAgain(changes, both) {
  return async () => {
    for (const [at, change] of changes.entries()) {
      const [live, will] = both[at];
      const now = await get(draftPath(change));
      if (now.waiting?.length) throw overtaken();
      const body = Object.fromEntries(change.fields.map((name) => [name, againAs(name, will, live)]));
      await patch(draftPath(change), body);
    }
  };
}

// Throws away what waits for these: all of it, or one thing. What is to be shown then is returned: a dialog may still be open.
async function discard(course, changes, { only }) {
  const isFew = changes.length <= MOST_REMEMBERED;
  const both = isFew ? await Promise.all(changes.map((change) => bothOf(change))) : [];
  await remove(`/v1/courses/${course.id}/draft${only ? `?object_id=${only.id}` : ""}`);
  const said = only ? t("waiting.discarded_one", { name: only.name }) : t("waiting.discarded");
  return async () => {
    await show();
    if (isFew) remember({ place: course.id, said, undo: waitAgain(changes, both), back: show });
    else say(said);
  };
}

async function throwAway(course, change) {
  try {
    const shown = await inOrder(() => discard(course, [change], { only: change }));
    await shown();
  } catch (error) {
    complain(error);
  }
}

// Who changed it, and what to do about it.
function howShown({ course, signal, people }) {
  const about = (change) => {
    const who = people.get(change.changed_by);
    return [h("span.quiet", when(change.changed_at), who && [" · ", own("span", who)]), change.base_changed && tag(t("waiting.base_changed"), "wait")];
  };
  const below = (change) => {
    const edit = acting(t("waiting.edit"), async () => go(await hrefOf(change, course, signal)), { class: "small", look: "quiet", icon: "edit" });
    const label = t("waiting.discard_named", { name: change.name });
    const drop = acting(t("waiting.discard_one"), () => throwAway(course, change), { class: "small", look: "quiet", "aria-label": label });
    return can("write:courses") && h("div.row", edit, drop);
  };
  const above = (change) => change.base_changed && h("p.notice", t("waiting.base_changed_what"));
  return { both: (change) => bothOf(change, signal), about, above, below };
}

// Asks once more where somebody has changed meanwhile what is to change.
function publishing(state) {
  const { course, draft } = state;
  const over = draft.changes.filter((change) => change.base_changed);
  const isForAll = !draft.notices.some(({ code }) => code === "cohorts_by_choice");
  const publish = async () => {
    await post(`/v1/courses/${course.id}/draft/publish`, { revision: draft.revision, over: over.map(({ id }) => id) });
    return async () => {
      await show();
      say(t(isForAll ? "waiting.published" : "waiting.published_by_choice"));
    };
  };
  const ask = () => {
    const names = over.map(({ name }) => `“${name}”`).join(", ");
    const text = over.length ? t("waiting.publish_over", { names }) : t("waiting.publish_what", { count: number(draft.changes.length) });
    confirmDialog(t("waiting.publish_title"), text, t("waiting.publish_now"), () => publish().catch(lookFirst(t("waiting.changed_meanwhile"))), "main");
  };
  return button(t("waiting.publish", { count: number(draft.changes.length) }), ask, { look: "main", icon: "check" });
}

function throwingAway({ course, draft }) {
  const isFew = draft.changes.length <= MOST_REMEMBERED;
  const ask = () =>
    confirmDialog(t("waiting.discard_title"), t(isFew ? "waiting.discard_few" : "waiting.discard_for_good"), t("waiting.discard"), () =>
      inOrder(() => discard(course, draft.changes, { only: null })),
    );
  return button(t("waiting.discard"), ask, { look: "danger" });
}

// What is published reaches them where somebody updates them.
function updatedByChoice(course) {
  const choosers = choosersOf(course).map(({ id, name }) => link(`#/cohorts/${id}/update`, own("span", name)));
  return choosers.length ? section(t("waiting.choosers"), h("div.row", choosers)) : null;
}

async function namesOf(changes) {
  const ids = new Set(changes.map(({ changed_by: by }) => by).filter(Boolean));
  return new Map(await Promise.all(Array.from(ids, async (id) => [id, await nameOf(id).catch(() => "")])));
}

export async function courseDraft({ params: { id }, signal }) {
  if (!can("read:courses")) throw new ApiError(403, { code: "insufficient_scope", fields: { scope: "read:courses" } });
  await lastSaves();
  const [course, draft] = await Promise.all([get(`/v1/courses/${id}`, { expand: "cohorts" }, signal), get(`/v1/courses/${id}/draft`, {}, signal), dressed()]);
  listenForUndo(course.id, signal);
  const page = { title: t("waiting.title"), above: link(`#/courses/${id}`, own("span", course.name)) };
  if (!draft.changes.length) return { ...page, body: [empty(t("waiting.none_title"), t("waiting.none")), updatedByChoice(course)] };
  const state = { course, draft, signal, people: await namesOf(draft.changes) };
  return {
    ...page,
    actions: can("write:courses") ? [throwingAway(state), publishing(state)] : [],
    body: [h("p.lede", t("waiting.lede")), noticesOf(draft), changesOf(draft, howShown(state)), updatedByChoice(course)],
  };
}
