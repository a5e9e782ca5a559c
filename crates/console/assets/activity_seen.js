// An activity as it is asked, as far as the service's HTML of it goes: no answers, and nothing that can be pressed.
import { h, own } from "./dom.js";
import { t } from "./i18n.js";
import { prose, shownText } from "./prose.js";

// By its place: HTML where there is some, else the words.
const shower = (activity, lang) => (place, written) => shownText(activity, place, written ?? "", { level: 4, lang });

function options(show, list, name, path) {
  return h("ul.asked-options", list.map((one, at) => h("li", show(`${path}.${name}[${at}].text`, one.text ?? one))));
}

// Where a blank is a learner finds a field.
function cloze(activity, question, path, lang) {
  const html = activity.html?.[`${path}.text`];
  if (html === undefined) return own("p", question.text || "");
  const shown = prose(html, { lang });
  const walker = document.createTreeWalker(shown.shadowRoot, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (/\{\{[^{}]+\}\}/.test(walker.currentNode.data)) found.push(walker.currentNode);
  for (const node of found)
    node.replaceWith(...node.data.split(/\{\{[^{}]+\}\}/).flatMap((words, at) => (at ? [h("kbd", "…"), words] : [words])));
  return shown;
}

function question(activity, one, at, lang) {
  const path = `content.questions[${at}]`;
  const show = shower(activity, lang);
  const parts = {
    single_choice: () => options(show, one.options, "options", path),
    multiple_choice: () => options(show, one.options, "options", path),
    true_false: () => h("ul.asked-options", h("li", t("author.true")), h("li", t("author.false"))),
    cloze: () => cloze(activity, one, path, lang),
    ordering: () => [options(show, one.items, "items", path), h("p.hint", t("author.seen_shuffled"))],
    matching: () => [
      h("ul.asked-options", one.pairs.map((pair, number) => h("li", show(`${path}.pairs[${number}].left`, pair.left), h("span.quiet", "→ …")))),
      h("p.hint", t("author.seen_matching")),
    ],
    numeric: () => h("p.hint", one.unit ? t("author.seen_number", { unit: one.unit }) : t("author.seen_number_only")),
    short_text: () => h("p.hint", t("author.seen_words")),
    open: () => h("p.hint", t("author.seen_open")),
  }[one.type];
  const why = one.explanation && h("div.asked-why", h("p.hint", t("author.seen_afterwards")), show(`${path}.explanation`, one.explanation));
  return h("li.asked-part", show(`${path}.prompt`, one.prompt), parts?.(), why);
}

const BY_KIND = {
  quiz: (activity, lang) => h("ol", (activity.content.questions || []).map((one, at) => question(activity, one, at, lang))),
  flashcards(activity, lang) {
    const show = shower(activity, lang);
    return h(
      "ol",
      (activity.content.cards || []).map((one, at) => {
        const path = `content.cards[${at}]`;
        return h("li.asked-part", show(`${path}.front`, one.front), one.hint && show(`${path}.hint`, one.hint), h("div.asked-why", show(`${path}.back`, one.back)));
      }),
    );
  },
  explainer(activity, lang) {
    const show = shower(activity, lang);
    const { sections = [], key_points: points, glossary } = activity.content;
    return [
      sections.map((one, at) => h("div.asked-part", one.heading && own("h3", one.heading), show(`content.sections[${at}].body`, one.body))),
      points?.length ? h("ul.plain", points.map((one, at) => h("li", show(`content.key_points[${at}]`, one)))) : null,
      (glossary || []).map((one, at) => h("div.asked-part", own("strong", one.term), show(`content.glossary[${at}].definition`, one.definition))),
    ];
  },
  podcast(activity) {
    const { speakers = [], segments = [] } = activity.content;
    const nameOf = (id) => speakers.find((one) => one.id === id)?.name || "";
    return segments.map((one) =>
      h("div.asked-part", one.title && own("h3", one.title), one.turns.map((turn) => h("p", own("strong", `${nameOf(turn.speaker_id)}: `), own("span", turn.text)))),
    );
  },
  video: ({ content }) => [
    own("p.mono", content.url || ""),
    content.chapters?.length ? h("ol.plain", content.chapters.map((one) => own("li", one.title))) : null,
  ],
  reflection: (activity, lang) => shower(activity, lang)("content.prompt", activity.content.prompt),
};

export function seen(activity, lang) {
  if (!Object.keys(activity.content).length) return h("p.quiet", t("editor.nothing_yet"));
  return h("div.asked-text", BY_KIND[activity.kind](activity, lang));
}
