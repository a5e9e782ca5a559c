// The submission with its evidence: passages that judgements rest on, marked where they stand.
import { h, icon, isWebAddress } from "./dom.js";
import { t } from "./i18n.js";

// Offsets count Unicode scalar values and strings count UTF-16 units, so the text is cut by characters.
export function segments(text, passages) {
  const characters = Array.from(text);
  const valid = passages.filter(({ start, end, quote }) => characters.slice(start, end).join("") === quote);
  const cuts = [...new Set([0, characters.length, ...valid.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, at) => {
    const end = cuts[at + 1];
    const inside = valid.filter((one) => one.start <= start && one.end >= end);
    return {
      text: characters.slice(start, end).join(""),
      rows: inside.map((one) => one.row),
      ends: valid.filter((one) => one.end === end).map((one) => one.row),
    };
  });
}

function marked(segment, rows) {
  if (!segment.rows.length) return segment.text;
  const letters = [...new Set(segment.ends)].map((row) => h("sup.letter", rows[row].letter));
  return h("mark.evidence", { "data-rows": segment.rows.join(" ") }, segment.text, letters.length ? h("span.letters", letters) : null);
}

export function submissionText(submission, rows) {
  const { content } = submission;
  if (content.type === "url") {
    const address = isWebAddress(content.url)
      ? h("a", { href: content.url, target: "_blank", rel: "noopener noreferrer" }, icon("out"), " ", content.url)
      : content.url;
    return h("div.sheet", h("p", t("review.url_only")), h("p", { dir: "ltr" }, address));
  }
  if (!content.text) return h("div.sheet", h("p.quiet", t("review.blank")));
  const passages = rows.flatMap((row, at) => (row.result?.evidence || []).map((one) => ({ ...one, row: at })));
  return h(
    "div.sheet",
    { lang: submission.metadata?.language || null },
    h(
      "div.writing",
      { dir: "auto" },
      segments(content.text, passages).map((one) => marked(one, rows)),
    ),
  );
}
