// What all editors have in common: one line that says truthfully whether it is saved, what was left behind and is put back, other
// tabs, and the choice where somebody else was faster.
import { alike } from "./alike.js";
import { getTagged } from "./api.js";
import { button, h, icon, replace } from "./dom.js";
import { company, draftsOf } from "./drafts.js";
import { Saver } from "./editor_saving.js";
import { t, useWords } from "./i18n.js";
import { lastSaves } from "./last_saves.js";
// Asked for when somebody signs out, perhaps without a network.
import "./leaving.js";
import { explain, show } from "./router.js";
import { sheet } from "./sheets.js";

// The style sheet of editors, which comes with the first of them.
export const dressed = () => sheet("editor.css");

// The object as it stands, after what this page was still saving of it.
export async function opened(path, signal) {
  await Promise.all([lastSaves(), useWords("leaving")]);
  return getTagged(path, signal);
}

const CALM = new Set(["saved", "waiting", "saving"]);

function wordsOf(state, { kept, error, marked }) {
  if (CALM.has(state)) return t(`editor.state_${state}`);
  const where = t(kept ? "editor.kept_here" : "editor.kept_nowhere");
  if (state === "refused" && marked) return `${t("editor.state_incomplete")} ${where}`;
  if (state === "refused") return `${t("editor.state_refused", { why: explain(error) })} ${where}`;
  return `${t(`editor.state_${state}`)} ${where}`;
}

// The line. What goes as it should is not read aloud each time; trouble is, and its end.
function statusLine(compare) {
  const line = h("p.save-state");
  const aloud = h("span.unseen", { role: "status" });
  let troubled = false;
  const tell = (state, more) => {
    const words = wordsOf(state, more);
    const calm = CALM.has(state);
    line.className = `save-state ${calm ? state : "trouble-state"}`;
    replace(line, icon(calm ? (state === "saved" ? "check" : "edit") : "warn"), h("span", words));
    if (state === "conflict") line.append(button(t("editor.compare"), compare, { class: "small" }));
    if (!calm || (troubled && state === "saved")) replace(aloud, words);
    troubled = calm ? troubled && state !== "saved" : true;
  };
  return { node: h("div.save-line", line, aloud), tell };
}

function othersLine() {
  const node = h("div", { role: "status" });
  const tell = (count) => replace(node, count ? h("p.notice", t("editor.other_tab")) : null);
  return { node, tell };
}

// Keeps an object saved. `now` is how what is edited stands on the page, `put` puts other values there, `label` names a field.
// `refused` is told of fields that the service does not take, and of none once it takes all; it says whether it marked all of them.
// `hint` is said where one has to choose.
export function keeping({ path, id, found: value, tag, fieldsOf, now, put, label, onSaved, refused, hint, signal }) {
  const drafts = draftsOf(id);
  const choice = h("div.choice-place");
  const notice = h("div", { role: "status" });
  const line = statusLine(() => saver.compare());
  const others = othersLine();
  const tabs = company(id, others.tell);
  let left = false;
  const conflict = async (both) => {
    const wasLeft = left;
    const { showConflict } = await import("./editor_conflict.js");
    showConflict(choice, both, {
      left: wasLeft,
      hint,
      label,
      keepMine: () => saver.keepMine(both),
      takeTheirs() {
        put(both.theirs);
        saver.takeTheirs(both);
      },
      editMine: () => document.getElementById("main").querySelector(".begin-here")?.focus(),
    });
  };
  const state = (next, more) => {
    const wrong = next === "refused" ? more.error.fields : {};
    const marked = refused(wrong) && Object.keys(wrong).length > 0;
    line.tell(next, { ...more, marked });
    if (next === "over") show();
  };
  const saver = new Saver({ path, fieldsOf, now, value, tag, drafts, heard: { state, conflict, saved: onSaved } });
  signal.addEventListener("abort", () => {
    saver.stop();
    tabs.leave();
  });
  line.tell("saved", { kept: true });

  // What a tab left behind that is not there any more: put back where the service has what it rests on, else both are shown.
  async function putBack() {
    if (!drafts.any()) return;
    const [found] = drafts.left(await tabs.open());
    if (!found || signal.aborted) return;
    if (alike(found.fields, now())) return drafts.drop(found.name);
    left = true;
    put(found.fields);
    saver.adopt(found);
    if (found.tag !== tag) await saver.compare();
    left = false;
    if (saver.state === "conflict") return;
    replace(notice, h("p.notice", t("editor.put_back")));
    await saver.save();
  }

  return {
    saver,
    putBack,
    line: line.node,
    notices: h("div.notices", others.node, notice, choice),
  };
}
