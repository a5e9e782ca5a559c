// Forms of the activities that are no quiz.
import { entry, figure, freshId, line, list, text } from "./activity_forms.js";
import { h, select } from "./dom.js";
import { t } from "./i18n.js";

function flashcards(form, content) {
  const row = (one, at, acts) => {
    const place = `content.cards[${at}]`;
    return entry(
      acts,
      h("div.field-line", text(form, t("author.front"), one, "front", `${place}.front`), text(form, t("author.back"), one, "back", `${place}.back`)),
      line(form, t("author.hint"), one, "hint", `${place}.hint`),
    );
  };
  const make = (all) => ({ id: freshId(all, "c"), front: "", back: "" });
  return list(form, { owner: content, key: "cards", path: "content.cards", title: t("author.cards"), add: t("author.add_card"), make, row, name: t("author.card_name") });
}

function explainer(form, content) {
  const section = (one, at, acts) => {
    const place = `content.sections[${at}]`;
    // An author's own object is left as it is.
    const words = typeof one.visual === "string" || one.visual === undefined || one.visual === null;
    return entry(
      acts,
      line(form, t("author.heading"), one, "heading", `${place}.heading`),
      text(form, t("author.body"), one, "body", `${place}.body`, { rows: 4 }),
      words && line(form, t("author.visual"), one, "visual", `${place}.visual`, { hint: t("author.visual_hint") }),
    );
  };
  // Key points are words alone, and a list of forms holds things: each is held in one here.
  const points = { all: (content.key_points || []).map((words) => ({ words })) };
  const held = {
    ...form,
    changed() {
      content.key_points = points.all.map(({ words }) => words);
      form.changed();
    },
  };
  const point = (one, at, acts) => entry(acts, text(held, t("author.point", { number: at + 1 }), one, "words", `content.key_points[${at}]`));
  const term = (one, at, acts) => {
    const place = `content.glossary[${at}]`;
    return entry(acts, line(form, t("author.term"), one, "term", `${place}.term`, { keep: true }), text(form, t("author.definition"), one, "definition", `${place}.definition`));
  };
  return [
    list(form, {
      owner: content, key: "sections", path: "content.sections", title: t("author.sections"), add: t("author.add_section"),
      make: (all) => ({ id: freshId(all, "s"), body: "" }), row: section, name: t("author.section_name"),
    }),
    list(held, {
      owner: points, key: "all", path: "content.key_points", title: t("author.points_to_keep"), add: t("author.add_point"),
      make: () => ({ words: "" }), row: point, name: t("author.point_name"),
    }),
    list(form, {
      owner: content, key: "glossary", path: "content.glossary", title: t("author.glossary"), add: t("author.add_term"),
      make: () => ({ term: "", definition: "" }), row: term, name: t("author.term_name"),
    }),
  ];
}

function podcast(form, content) {
  content.speakers ??= [];
  const speakers = list(
    { ...form, changed: () => (form.changed(), voices()) },
    {
      owner: content, key: "speakers", path: "content.speakers", title: t("author.speakers"), add: t("author.add_speaker"),
      make: (all) => ({ id: freshId(all, "s"), name: "" }), name: t("author.speaker_name"),
      row: (one, at, acts) => entry(acts, line({ ...form, changed: () => (form.changed(), voices()) }, t("author.speaker"), one, "name", `content.speakers[${at}].name`, { keep: true })),
    },
  );
  const choices = new Set();
  // Who says what follows the names above.
  function voices() {
    for (const redraw of choices) redraw();
  }
  const turn = (place) => (one, at, acts) => {
    const who = h("div");
    const draw = () => {
      const names = content.speakers.map((speaker) => [speaker.id, speaker.name || t("author.unnamed")]);
      if (!names.some(([id]) => id === one.speaker_id)) names.unshift([one.speaker_id || "", "–"]);
      const choice = select(names, one.speaker_id || "", {
        "aria-label": t("author.says"),
        onchange() {
          one.speaker_id = choice.value;
          form.changed();
        },
      });
      who.replaceChildren(choice);
    };
    choices.add(draw);
    draw();
    who.dataset.place = `${place}.turns[${at}].speaker_id`;
    return entry(acts, who, text(form, t("author.said"), one, "text", `${place}.turns[${at}].text`, { plain: false }));
  };
  const segment = (one, at, acts) => {
    const place = `content.segments[${at}]`;
    return h(
      "div.item",
      h("div.item-line", h("div.item-body", line(form, t("author.title"), one, "title", `${place}.title`)), acts),
      list(form, {
        owner: one, key: "turns", path: `${place}.turns`, add: t("author.add_turn"), row: turn(place), name: t("author.turn_name"),
        make: (all) => ({ speaker_id: all.at(-2)?.speaker_id || content.speakers[all.length % Math.max(content.speakers.length, 1)]?.id || "", text: "" }),
      }),
    );
  };
  return [
    content.audio?.status === "ready" && h("p.notice", t("author.audio_goes")),
    h("div.field-line", line(form, t("author.language"), content, "language", "content.language", { dir: "ltr", hint: t("author.language_hint") })),
    speakers,
    list(form, {
      owner: content, key: "segments", path: "content.segments", title: t("author.segments"), add: t("author.add_segment"),
      make: () => ({ turns: [] }), row: segment, name: t("author.segment_name"), selector: "div.items",
    }),
  ];
}

function video(form, content) {
  const caption = (one, at, acts) => {
    const place = `content.captions[${at}]`;
    return entry(
      acts,
      h("div.field-line", line(form, t("author.label"), one, "label", `${place}.label`), line(form, t("author.language"), one, "language", `${place}.language`, { dir: "ltr" })),
      line(form, t("author.url"), one, "url", `${place}.url`, { keep: true, dir: "ltr" }),
    );
  };
  const chapter = (one, at, acts) => {
    const place = `content.chapters[${at}]`;
    return entry(
      acts,
      h("div.field-line", line(form, t("author.title"), one, "title", `${place}.title`, { keep: true }), figure(form, t("author.starts"), one, "start_seconds", `${place}.start_seconds`, { step: "any" })),
    );
  };
  return [
    line(form, t("author.url"), content, "url", "content.url", { keep: true, dir: "ltr", hint: t("author.url_hint") }),
    list(form, {
      owner: content, key: "captions", path: "content.captions", title: t("author.captions"), add: t("author.add_caption"), make: () => ({ url: "" }), row: caption,
      name: t("author.caption_name"),
    }),
    list(form, {
      owner: content, key: "chapters", path: "content.chapters", title: t("author.chapters"), add: t("author.add_chapter"),
      make: () => ({ title: "", start_seconds: 0 }), row: chapter, name: t("author.chapter_name"),
    }),
  ];
}

function reflection(form, content) {
  return [
    text(form, t("author.prompt"), content, "prompt", "content.prompt", { rows: 3 }),
    figure(form, t("author.min_words"), content, "min_words", "content.min_words"),
  ];
}

export const KINDS = { flashcards, explainer, podcast, video, reflection };
