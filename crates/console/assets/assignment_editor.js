// What an assignment is: its task, when it is due, by what it is graded and how, and who has more time. One button saves it all.
import { changedFields, readAssignment, saveAssignment, settingsOf } from "./assignment_data.js";
import { above, lacking, pagesNav } from "./assignment_pages.js";
import { gradingSettings, taskSettings } from "./assignment_settings.js";
import { can, session } from "./api.js";
import { acting, button, h, icon, replace, say } from "./dom.js";
import { formDialog } from "./dialogs.js";
import { ago } from "./format.js";
import { t, useWords } from "./i18n.js";
import { pasting, tools, writing } from "./editor_writing.js";
import { calledOf, learn } from "./names.js";
import { explain, show } from "./router.js";
import { styled } from "./prose.js";
import { sheet } from "./sheets.js";
import { sayNow } from "./undo.js";
import { guard } from "./unsaved.js";
import { unsavedText } from "./unsaved_text.js";
import { waitingNote } from "./waiting.js";

// Comes for whoever may ask AI.
const tried = () => import("./try_grading.js").then(({ tryGrading }) => tryGrading);

// What was typed and not saved while this page was drawn anew, as it is when somebody chooses another language.
const kept = new Map();

// Come while the assignment does.
const rubrics = () => import("./rubric_editor.js");
const others = () => import("./more_time.js");

class Editor {
  constructor({ value, tag }, { rubricEditor, by }, held, signal) {
    Object.assign(this, { rubricEditor, by });
    this.id = value.id;
    this.course = value.course;
    this.head = h("span");
    this.name(value);
    this.saved = held?.saved || settingsOf(value);
    this.tag = held?.tag || tag;
    this.draft = held?.draft || settingsOf(value);
    this.seen = this.asSeen(value.course_id, signal);
    this.state = h("p.hint", { role: "status" });
    this.trouble = h("div", { role: "alert" });
    this.place = h("form.stack.editor", { novalidate: true, onsubmit: (event) => event.preventDefault() });
    this.task = this.writes(value.course.language, signal);
    this.render();
    // Of a page that is gone, since its person is, nobody is asked; it is kept as it was.
    guard({ isUnsaved: () => this.place.isConnected && this.isUnsaved, drop: () => (this.isDropped = true), signal });
    const who = session.me;
    const keep = () => this.isUnsaved && kept.set(this.id, { who, saved: this.saved, tag: this.tag, draft: this.draft });
    signal.addEventListener("abort", keep);
    addEventListener("keydown", (event) => this.press(event), { signal });
  }

  // The instructions as learners will see them: asked for while it is open.
  asSeen(course_id, signal) {
    const seen = unsavedText({ text: () => this.draft.instructions ?? "", place: { course_id }, level: 3, signal });
    const look = () => node.open && seen.now();
    const node = h("details.as-seen", { ontoggle: look }, h("summary", t("editor.preview")), seen.note, seen.warned, seen.shown);
    return { node, changed: () => node.open && seen.changed(), now: look };
  }

  // Where one is; an assignment may be renamed here.
  name(value) {
    learn(this.id, value.name);
    replace(this.head, above({ ...value, course: this.course }));
  }

  get isUnsaved() {
    return !this.isDropped && changedFields(this.saved, this.draft).length > 0;
  }

  // The instructions are written in one field for as long as the page is there.
  writes(lang, signal) {
    const change = () => {
      this.draft.instructions = this.task.text.text();
      this.seen.changed();
      this.tell();
    };
    const heard = { change, blur() {}, save: () => this.button.click() };
    const value = this.draft.instructions ?? "";
    const written = writing(this.by, { value, label: t("setup.instructions"), lang, heard }, signal);
    signal.addEventListener("abort", () => written.text.view.destroy());
    return written;
  }

  render() {
    const edited = () => this.tell();
    this.rubric = this.rubricEditor(this.draft, edited);
    const scored = () => {
      this.rubric.told();
      edited();
    };
    replace(this.place, taskSettings(this.draft, scored, [this.task.node, this.seen.node]), this.rubric.node, gradingSettings(this.draft, edited));
    this.seen.now();
    this.tell();
  }

  tell() {
    replace(this.state, t(this.isUnsaved ? "setup.unsaved" : "setup.all_saved"));
  }

  press(event) {
    if (event.defaultPrevented || event.key !== "s" || !(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.button.click();
  }

  // The first control that cannot be sent as it is; what hides it is opened.
  wrong() {
    const controls = [...this.place.querySelectorAll("input, textarea, select")];
    for (const control of controls) {
      if (control.validity.valid) control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
    }
    const first = controls.find((control) => !control.validity.valid);
    for (let box = first?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    return first;
  }

  complain(text) {
    replace(this.trouble, h("p.trouble", icon("warn"), text));
  }

  async save(tag = this.tag) {
    replace(this.trouble);
    const wrong = this.wrong();
    if (wrong) {
      this.complain(t("setup.wrong", { field: wrong.labels[0]?.textContent || wrong.getAttribute("aria-label") }));
      return wrong.focus();
    }
    const unable = this.rubric.unable();
    if (unable) return this.complain(unable);
    try {
      this.take(await saveAssignment(this.id, this.course, this.saved, this.draft, tag));
      say(t("setup.saved"));
    } catch (error) {
      if (error.status === 412) await this.overtaken(error, tag);
      else this.complain(explain(error));
    }
    return null;
  }

  // How it stands now is what is edited from here on; the page stays where it is.
  take({ value, tag }) {
    this.saved = settingsOf(value);
    this.draft = settingsOf(value);
    this.tag = tag;
    this.name(value);
    const place = this.whereFocusIs();
    const isWriting = document.activeElement === this.task.text.host;
    this.by.setText(this.task.text.view, this.draft.instructions ?? "");
    this.render();
    if (isWriting) this.task.text.view.focus();
    else this.focusAt(place);
  }

  // The controls are made anew: the focus goes to the one in the same place.
  whereFocusIs() {
    return [...this.place.querySelectorAll("input, textarea, select, button")].indexOf(document.activeElement);
  }

  focusAt(place) {
    if (place >= 0) this.place.querySelectorAll("input, textarea, select, button")[place]?.focus();
  }

  // Somebody saved meanwhile: theirs is loaded, or what was changed here goes over it.
  async overtaken({ by }, tried) {
    const now = await readAssignment(this.id);
    const theirs = changedFields(this.saved, settingsOf(now.value));
    // What they changed may be nothing that stands on this page.
    if (!theirs.length && now.tag !== tried) return this.save(now.tag);
    const name = by && (await calledOf(by.actor));
    const both = theirs.filter((field) => changedFields(this.saved, this.draft).includes(field));
    const named = (fields) => fields.map((one) => t(`setup.field_${one}`)).join(" · ");
    const load = button(t("setup.load_theirs"), () => {
      dialog.close();
      this.take(now);
      say(t("setup.loaded"));
    });
    const body = h(
      "div.stack",
      h("p", name ? t("setup.overtaken_by", { name, when: ago(by.at) }) : t("setup.overtaken")),
      h("p", t("setup.they_changed", { fields: named(theirs) })),
      h("p", both.length ? t("setup.both_changed", { fields: named(both) }) : t("setup.none_of_yours")),
      h("div", load),
    );
    const over = () => {
      this.tag = now.tag;
      return () => this.saveOver(now);
    };
    const dialog = formDialog(t("setup.overtaken_title"), body, t("setup.overwrite"), over, "danger");
    return null;
  }

  // What they changed and nobody touched here stays as they made it.
  saveOver(now) {
    const mine = changedFields(this.saved, this.draft);
    const theirs = settingsOf(now.value);
    this.draft = { ...theirs, ...Object.fromEntries(mine.map((name) => [name, this.draft[name]])) };
    this.saved = theirs;
    this.by.setText(this.task.text.view, this.draft.instructions ?? "");
    this.render();
    return this.save(now.tag);
  }

  bar() {
    this.button = acting(t("setup.save"), () => this.save(), { look: "main", icon: "check", "aria-keyshortcuts": "Control+S" });
    return h("div.save-bar.by-hand", this.trouble, h("div.row.spread", this.state, this.button));
  }
}

function heldOf(id) {
  const held = kept.get(id);
  kept.delete(id);
  return held?.who.user?.id === session.me.user?.id ? held : null;
}

export async function assignmentEditor({ params, signal }) {
  const words = ["assignment", "editor", "try", "waiting"].map((page) => useWords(page));
  const parts = [rubrics(), others(), tools(), ...words, sheet("editor.css"), sheet("assignment.css"), styled()];
  const [read, { rubricEditor }, { moreTime }, by] = await Promise.all([readAssignment(params.id, signal), ...parts]);
  const { value } = read;
  const reason = lacking("write:courses");
  if (reason) return { title: t("setup.title"), above: above(value), body: [h("p.notice", reason)] };
  const held = heldOf(value.id);
  const editor = new Editor(read, { rubricEditor, by }, held, signal);
  return {
    title: t("setup.title"),
    above: editor.head,
    actions: [h("a.button.quiet.small", { href: `#/history/assignments/${value.id}` }, icon("clock"), h("span", t("setup.history")))],
    body: [pagesNav(value.id, "edit"), waitingNote(value.course), editor.place, can("ai:grade") && (await tried())(value.id, () => editor.draft), editor.bar(), can("read:students") ? await moreTime(value, signal) : null],
    after() {
      sayNow();
      pasting();
      editor.task.text.view.requestMeasure();
      if (held) say(t("setup.still_here"), "plain");
      // Of a new one the task is what comes next.
      else if (!value.instructions && !value.rubric?.criteria?.length) editor.task.text.view.focus();
    },
  };
}
