// Writes an activity: what it asks, the right answers, and beside it how it is asked.
import { can, get } from "./api.js";
import { formOf, mark } from "./activity_forms.js";
import { seen } from "./activity_seen.js";
import { button, field, h, link, own, replace } from "./dom.js";
import { dressed, keeping, opened } from "./editor_keeping.js";
import { historyLink, refreshing, statisticsLink, switcher, tryButton } from "./editor_seen.js";
import { t, useWords, word } from "./i18n.js";
import { styled } from "./prose.js";
import { complain } from "./router.js";
import { sayNow } from "./undo.js";
import { drafted, waitingNote } from "./waiting.js";

// The form of a kind comes when somebody writes one of it.
export async function formOfKind(kind) {
  if (kind === "quiz") return (await import("./activity_questions.js")).quiz;
  return (await import("./activity_kinds.js")).KINDS[kind];
}

const fieldsOf = ({ name, content }) => ({ name, content });

// Lists that a form made and nobody filled say nothing: a document that was empty stays so.
function withoutEmpty(content, before) {
  const full = Object.entries(content).filter(([key, value]) => !(Array.isArray(value) && !value.length && !(key in before)));
  return structuredClone(Object.fromEntries(full));
}

// The form of an activity, and how it stands on the page.
function formsOf(activity, make, lang, heard) {
  const name = h("input.field.title-field.begin-here", { dir: "auto", lang, maxlength: 255, value: activity.name, oninput: heard.change });
  const inside = h("div.author-form");
  const elsewhere = h("div");
  let content = {};
  let before = {};
  const draw = (from) => {
    before = from;
    content = structuredClone(from);
    inside.replaceChildren(...[make(formOf(heard.change, lang), content)].flat(2).filter(Boolean));
  };
  draw(activity.content);
  const node = h("div.author-form", { onfocusout: heard.blur }, h("div", { "data-place": "name" }, field(t("editor.name"), name)), elsewhere, inside);
  return {
    node,
    now: () => ({ name: name.value.trim(), content: withoutEmpty(content, before) }),
    put(fields) {
      name.value = fields.name;
      draw(fields.content);
    },
    refused(wrong) {
      const rest = mark(node, wrong);
      replace(elsewhere, rest.length ? h("ul.wrong-here", rest.map((one) => h("li", { dir: "ltr" }, one))) : null);
      return true;
    },
  };
}

// How it is asked, as the service has it. It is read after each save, one at a time.
function preview(path, lang, signal) {
  const shown = h("div");
  const note = h("p.hint");
  const refresh = refreshing(async () => replace(shown, seen(await get(path, { expand: "html" }, signal), lang)), note);
  const node = h(
    "section.asked",
    { "aria-label": t("editor.preview"), tabindex: "0" },
    h("div.pane-head", h("h2", t("editor.preview")), note),
    h("p.hint", t("author.seen_hint")),
    shown,
  );
  return { node, refresh };
}

// AI is asked beside the form, and replaces nothing before somebody accepts what it made.
function aiButton(place, how) {
  const ask = () => import("./beside.js").then(({ beside }) => beside(place, how)).catch(complain);
  return button(t("editor.ai"), ask, { look: "quiet", class: "small", icon: "spark" });
}

export async function activity({ params, signal }) {
  const [lesson] = await Promise.all([
    get(`/v1/lessons/${params.lesson}`, { expand: "unit.course" }, signal),
    useWords("editor"),
    useWords("activity"),
    useWords("waiting"),
    dressed(),
    styled(),
  ]);
  const course = lesson.unit?.course;
  const live = `/v1/activities/${params.activity}`;
  const path = drafted(live, course);
  const there = await opened(path, signal);
  const value = there.found;
  const lang = value.language || lesson.language || lesson.unit?.course?.language || null;
  const heard = {
    change: () => kept.saver.changed(),
    // Whoever goes on within the form is still at it.
    blur: (event) => !event.currentTarget.contains(event.relatedTarget) && kept.saver.state === "waiting" && kept.saver.save(),
  };
  const forms = formsOf(value, await formOfKind(value.kind), lang, heard);
  const asked = preview(path, lang, signal);
  const kept = keeping({
    path, signal, fieldsOf, ...there,
    id: value.id,
    now: forms.now,
    put: forms.put,
    label: (name) => t(name === "name" ? "editor.name" : "author.content"),
    refused: forms.refused,
    onSaved(now) {
      document.querySelector("#main h1").textContent = now.name;
      asked.refresh();
    },
  });
  const panes = h("div.authoring", forms.node, asked.node);
  const proposed = h("div");
  const canBeDrafted = can("ai:generate") && value.kind !== "video";
  return {
    title: value.name,
    own: true,
    wide: true,
    above: h(
      "span.dots",
      link(`#/courses/${params.id}`, own("span", lesson.unit?.course?.name || t("nav.courses"))),
      link(`#/courses/${params.id}/${lesson.id}`, own("span", lesson.name)),
      h("span", word("activity", value.kind)),
    ),
    actions: [
      path === live && tryButton(live, () => kept.saver),
      canBeDrafted && aiButton(proposed, { path: `${live}/generate`, save: () => kept.saver.save(), signal }),
      historyLink("activities", value.id),
      value.kind === "quiz" && can("read:submissions") && statisticsLink(value.id),
    ],
    body: [waitingNote(course), kept.notices, proposed, switcher(panes), panes, h("div.save-bar", kept.line)],
    after() {
      asked.refresh();
      kept.putBack();
      sayNow();
      // Where nothing is asked yet one begins with the first.
      if (!Object.values(value.content).flat().length) forms.node.querySelector("[data-begins]")?.focus();
    },
  };
}
