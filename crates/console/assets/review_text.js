// The submission with its evidence: passages that judgements rest on, marked where they stand.
import { h, icon, isWebAddress, own } from "./dom.js";
import { number, when } from "./format.js";
import { t } from "./i18n.js";
import { textAt } from "./review_judgement.js";

// Whose it is and of what, and the ways from there.
export function paperHead(submission, heading, ways) {
  const { assignment, cohort } = submission;
  const facts = [
    cohort && own("span", cohort.name),
    h("span", t("review.attempt", { number: number(submission.attempt) })),
    h("span", when(submission.submitted_at || submission.created_at)),
    submission.late && h("span.late", t("review.late")),
  ];
  return h("header.desk-head", own("p.above", assignment?.name || ""), heading, h("p.dots", facts), ways);
}

// Folded up until somebody asks for it: by then it is there.
export function taskOf({ instructions }) {
  return instructions && h("details.task", h("summary", t("review.task")), textAt("instructions", instructions, 3, "div.prose"));
}

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
