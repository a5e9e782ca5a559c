// What was done while the page is open, so that it can be taken back: the last first, each by a request of its own.
import { ApiError, session } from "./api.js";
import { button, say } from "./dom.js";
import { t } from "./i18n.js";
import { explain } from "./router.js";

const MOST = 200;
const done = [];
const listeners = new Set();
// One after the other: what is taken back rests on what was done before.
let queue = Promise.resolve();

export function inOrder(task) {
  const result = queue.then(task);
  queue = result.catch(() => {});
  return result;
}

// Somebody else was faster, as far as it can be seen without writing.
export function overtaken() {
  return new ApiError(412, { code: "precondition_failed" });
}

export function isOvertaken(error) {
  return error instanceof ApiError && error.status === 412;
}

function told() {
  for (const listener of listeners) listener();
}

// Hears of every change of what can be taken back, for as long as its view is there.
export function watchUndo(listener, signal) {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
}

// Whose it is: who signs out, or goes to another platform, leaves nothing to be taken back by whoever comes next.
const whose = () => `${session.me?.email} ${session.platform?.uuid}`;
const isAt = (place) => (one) => one.place === place && one.by === whose();

export function canUndo(place) {
  return done.some(isAt(place));
}

// Says what was done, and remembers how it is taken back. `place` is whose page may do that, `back` is called once it was, or could not
// be: with what says so, for whoever goes to another page. What is done only when its page is gone is not said on another (`isAway`).
export function remember({ place, said, undo, back = () => {}, isAway = false }) {
  done.push({ place, said, undo, back, by: whose() });
  if (done.length > MOST) done.shift();
  told();
  if (!isAway) say(said, "good", button(t("authoring.undo"), () => undoLast(place), { class: "small" }));
}

// What is to be said on the page that comes next: what is said before is gone with the page before it.
let unsaid = null;

export function sayNext(action) {
  unsaid = action;
}

export function sayNow() {
  unsaid?.();
  unsaid = null;
}

async function takeBack(place) {
  const at = done.findLastIndex(isAt(place));
  if (at < 0) return say(t("authoring.nothing_to_undo"), "plain");
  const [one] = done.splice(at, 1);
  let tell = () => say(t("authoring.undone", { what: one.said }), "plain");
  let isDone = true;
  try {
    await one.undo();
  } catch (error) {
    // What did not reach the service can be tried again; what others have changed since is theirs.
    if (error.status === 0) done.splice(at, 0, one);
    const why = isOvertaken(error) ? t("authoring.not_undone", { what: one.said }) : explain(error);
    [tell, isDone] = [() => say(why, "bad"), false];
  }
  tell();
  told();
  await one.back({ tell, isDone });
}

export function undoLast(place) {
  return inOrder(() => takeBack(place));
}

// Ctrl + Z, or what stands for it, wherever nobody writes.
export function listenForUndo(place, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      undoLast(place);
    },
    { signal },
  );
}
