// Whether what is changed of a course waits until it is published, and how that is said.
import { can, get, patch } from "./api.js";
import { h, icon, link, say, toggle } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { complain, show } from "./router.js";

// Nobody but its authors sees a course that was never published: its changes need not wait.
export const isSeen = (course) => Boolean(course) && course.status !== "draft";
export const waits = (course) => isSeen(course) && Boolean(course.changes_wait);

// Where a thing of it is read and changed: as it will be, where changes wait.
export const drafted = (path, course) => (waits(course) ? `${path}?draft=true` : path);

export const draftHref = (course) => `#/courses/${course.id}/draft`;

// Above whatever is changed: who will see it, and when.
export function waitingNote(course) {
  if (!waits(course)) return null;
  return h("p.notice.waiting-note", icon("clock"), h("span", t("waiting.note"), " ", link(draftHref(course), t("waiting.look"))));
}

// Cohorts under way that see what changes of their course once somebody updates them.
export const choosersOf = ({ cohorts = [] }) => cohorts.filter(({ status, updates }) => status === "active" && updates === "manual");

const switched = (course, on) => patch(`/v1/courses/${course.id}`, { changes_wait: on });

// The switch of a course that learners see, and beside it how much waits.
export function waitingSwitch(course, draft) {
  if (!isSeen(course) || !can("write:courses")) return null;
  const count = draft?.changes.length || 0;
  const told = h("span", { role: "status" }, count ? link(draftHref(course), t("waiting.count", { count: number(count) })) : t("waiting.none_now"));
  const atOnce = t(choosersOf(course).length ? "waiting.at_once_by_choice" : "waiting.at_once");
  const control = toggle(t("waiting.switch"), course.changes_wait, async (on) => {
    try {
      await switched(course, on);
      await show();
      say(t(on ? "waiting.on" : "waiting.off"));
      document.querySelector(".waiting-switch input")?.focus();
    } catch (error) {
      control.querySelector("input").checked = !on;
      complain(error);
    }
  });
  return h("div.waiting-switch.row.spread", control, course.changes_wait || count ? told : h("span.hint", atOnce));
}

// What waits for a course, for who may see it.
export function draftOf(course, signal) {
  return isSeen(course) && can("read:courses") ? get(`/v1/courses/${course.id}/draft`, {}, signal) : null;
}

// Things as they will be called.
export function asTheyWillBe(things, draft) {
  const names = new Map((draft?.changes || []).map(({ id, name }) => [id, name]));
  for (const thing of things) {
    if (!names.has(thing.id)) continue;
    thing.name = names.get(thing.id);
    thing.is_waiting = true;
  }
}

export const waitingTag = (thing) => thing.is_waiting && h("span.tag.wait", t("waiting.tag"));

// Says of a page that it shows what nobody sees yet.
export function notSeenYet(thing, course) {
  if (!thing.waiting?.length) return null;
  return h("p.notice.waiting-note", icon("clock"), h("span", t("waiting.not_seen_yet"), " ", course ? link(draftHref(course), t("waiting.look")) : null));
}

