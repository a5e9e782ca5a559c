// What a lesson, an activity or an assignment was before: its versions, what differs from what is there now, and the way back.
import { ApiError, can, get, getTagged, patch, post, session } from "./api.js";
import { differing, showDifference } from "./differences.js";
import { acting, empty, h, link, own, replace } from "./dom.js";
import { number, when } from "./format.js";
import { has, t, useWords } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
import { everything } from "./lists.js";
import { nameOf } from "./names.js";
import { complain, show } from "./router.js";
import { sheet } from "./sheets.js";
import { inOrder, listenForUndo, overtaken, remember } from "./undo.js";
import { drafted, waitingNote, waits } from "./waiting.js";

const lessonOf = (id, signal) => get(`/v1/lessons/${id}`, { expand: "unit.course" }, signal);

// Where each kind hangs, and where it is written.
const KINDS = {
  async lessons({ id }, signal) {
    const { unit } = await lessonOf(id, signal);
    return { course: unit?.course, way: [], place: `${id}/edit` };
  },
  async activities({ id, lesson_id: lesson }, signal) {
    const { name, unit } = await lessonOf(lesson, signal);
    const way = link(`#/courses/${unit?.course?.id}/${lesson}`, own("span", name));
    return { course: unit?.course, way: [way], place: `${lesson}/activities/${id}` };
  },
  async assignments({ course_id: id }, signal) {
    return { course: await get(`/v1/courses/${id}`, {}, signal), way: [], place: null };
  },
};

function above(thing, { course, way, place }) {
  const name = own("span", thing.name);
  return h(
    "span.dots",
    link(`#/courses/${thing.course_id}`, own("span", course?.name || t("nav.courses"))),
    way,
    place ? link(`#/courses/${thing.course_id}/${place}`, name) : h("span", name),
  );
}

// Who made a version: nobody is named of the first, nor where it was no member.
async function makerOf(id) {
  if (!id) return "";
  if (id === session.me.user?.id) return t("versions.you");
  return (await nameOf(id)) || t("versions.somebody");
}

// Everything as it stands: the thing, its tag, and its versions, the newest first.
async function readAll({ path, course, signal }) {
  await lastSaves();
  const [{ found, tag }, { data, complete }] = await Promise.all([getTagged(drafted(path, course), signal), everything(`${path}/versions`, {}, signal)]);
  const people = new Set(data.flatMap((one) => [one.made_by, one.replaced_by]));
  const makers = new Map(await Promise.all(Array.from(people, async (id) => [id, await makerOf(id)])));
  return { thing: found, tag, versions: data, complete, makers };
}

// When, and by whom.
function about({ makers }, by, at) {
  const who = makers.get(by);
  return h("span.made", when(at), who && [" \u00b7 ", own("span", who)]);
}

function versionButton(state, version, choose) {
  return h(
    "button.version-button",
    { type: "button", "data-version": version.id, onclick: () => choose(version) },
    h("span.version-name", t("versions.version", { number: number(version.number) })),
    about(state, version.made_by, version.created_at),
  );
}

// The list; `choose` shows one of them.
function listOf(state, choose) {
  const [newest] = state.versions;
  return h(
    "nav.versions",
    { "aria-label": t("versions.list") },
    h(
      "ol",
      h("li.there-now", h("span.version-name", t("versions.there_now")), about(state, newest.replaced_by, newest.updated_at)),
      state.versions.map((version) => h("li", versionButton(state, version, choose))),
    ),
    state.complete ? null : h("p.hint", t("versions.older")),
  );
}

const labelOf = (of, key) => {
  const names = [`versions.field_${of}_${key}`, `versions.field_${key}`];
  const known = names.find(has);
  return known ? t(known) : key.replaceAll("_", " ");
};

// What differs, and the way back.
function details({ of, state, version, restore }) {
  const { content } = version;
  const names = differing(content, state.thing);
  const title = t("versions.version", { number: number(version.number) });
  const back =
    names.length && can("write:courses")
      ? h("div.way-back", acting(t("versions.restore"), () => restore(version), { look: "main", icon: "back" }), h("p.hint", t("versions.restore_what")))
      : null;
  const legend = h("p.hint.marks", h("ins", t("versions.since")), " ", h("del", t("versions.gone")));
  return [
    h("div.details-head", h("h2", title), h("p.hint", about(state, version.made_by, version.created_at))),
    back,
    names.length ? legend : h("p.quiet", t("versions.same")),
    names.map((name) => showDifference(name, labelOf(of, name), content, state.thing)),
  ];
}

// Takes a restoring back, by the version that was kept of what was there.
async function takeBack(context, kept, after) {
  const { tag } = await getTagged(context.path);
  if (tag !== after) throw overtaken();
  await post(`/v1/versions/${kept}/restore`);
}

// Where changes wait this is one of them, and what waited before takes it back.
async function waitingToBeRestored(context, version) {
  const path = drafted(context.path, context.course);
  const { found: before } = await getTagged(path);
  await patch(path, version.content);
  const now = await readAll({ ...context, signal: undefined });
  remember({
    place: context.place,
    said: t("versions.restored", { number: number(version.number) }),
    undo: () => patch(path, Object.fromEntries(Object.keys(version.content).map((name) => [name, before[name] ?? null])), now.tag),
    back: () => location.hash === context.place && show(),
  });
  return now;
}

// Makes it again what a version was.
async function restoring(context, version) {
  if (waits(context.course)) return waitingToBeRestored(context, version);
  await post(`/v1/versions/${version.id}/restore`);
  const now = await readAll({ ...context, signal: undefined });
  const values = { number: number(version.number) };
  remember({
    place: context.place,
    said: t("versions.restored", values),
    undo: () => takeBack(context, now.versions[0].id, now.tag),
    back: () => location.hash === context.place && show(),
  });
  return now;
}

// The versions beside what differs. After a restoring all is drawn anew, and the focus stays in the list.
function board(context, first) {
  const { of, signal } = context;
  const node = h("div.history");
  const aloud = h("p.unseen", { role: "status" });
  const shown = h("section.details", { "aria-label": t("versions.differences"), tabindex: "-1" });
  const read = new Map();
  let state = first;
  let chosen = null;
  const buttons = () => node.querySelectorAll("[data-version]");
  const restore = async (version) => {
    try {
      state = await inOrder(() => restoring(context, version));
      if (signal.aborted) return;
      draw();
      buttons()[0]?.focus();
    } catch (error) {
      complain(error);
    }
  };
  const choose = async (listed, isAsked = true) => {
    chosen = listed.id;
    for (const one of buttons()) {
      if (one.dataset.version === chosen) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    try {
      if (!read.has(chosen)) read.set(chosen, await get(`/v1/versions/${listed.id}`, {}, signal));
    } catch (error) {
      return complain(error);
    }
    // Whoever has chosen another one meanwhile sees that one.
    if (chosen !== listed.id) return;
    replace(shown, details({ of, state, version: read.get(chosen), restore }));
    shown.scrollTop = 0;
    if (isAsked) replace(aloud, t("versions.shown", { number: number(listed.number) }));
  };
  function draw() {
    replace(node, listOf(state, choose), shown, aloud);
    return choose(state.versions[0], false);
  }
  return { node, draw };
}

export async function versions({ params, signal }) {
  const { of, id } = params;
  if (!Object.hasOwn(KINDS, of)) throw new ApiError(404, { code: "unknown_view", message: t("unknown_view") });
  const context = { of, path: `/v1/${of}/${encodeURIComponent(id)}`, place: `#/history/${of}/${id}`, signal };
  await Promise.all(["versions", "activity", "authoring", "waiting"].map(useWords));
  const [thing] = await Promise.all([get(context.path, {}, signal), sheet("versions.css")]);
  const around = await KINDS[of](thing, signal);
  context.course = around.course;
  const state = await readAll(context);
  listenForUndo(context.place, signal);
  const page = { title: t("versions.title"), wide: true, above: above(state.thing, around) };
  const note = waitingNote(context.course);
  if (!state.versions.length) return { ...page, body: [note, empty(t("versions.none_title"), t("versions.none"))] };
  const { node, draw } = board(context, state);
  await draw();
  return { ...page, body: [h("p.lede", t("versions.lede")), note, node] };
}
