// Somebody else was faster: both texts beside each other, and one chooses. Nothing is merged by guessing.
import { alike } from "./alike.js";
import { session } from "./api.js";
import { button, h, own, replace } from "./dom.js";
import { when } from "./format.js";
import { steps } from "./groups_text.js";
import { t } from "./i18n.js";

// So many lines around what differs are shown.
const AROUND = 2;

// A document as an outline of what it says; ids say nothing to whoever reads.
function outline(value, depth = 0) {
  const indent = "  ".repeat(depth);
  const members = Array.isArray(value) ? Object.entries(value) : Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.flatMap(([key, one]) => {
    if (key === "id" || key.endsWith("_id")) return [];
    const name = Array.isArray(value) ? `${Number(key) + 1}.` : `${key.replaceAll("_", " ")}:`;
    return one !== null && typeof one === "object" ? [`${indent}${name}`, ...outline(one, depth + 1)] : [`${indent}${name} ${one}`];
  });
}

function asText(value) {
  if (Array.isArray(value)) return value.join("\n");
  if (value !== null && typeof value === "object") return outline(value).join("\n");
  return String(value ?? "");
}

// Both without the lines that they have in common at both ends, but for a few.
export function apart(one, other) {
  const [mine, theirs] = [one.split("\n"), other.split("\n")];
  const least = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < least && mine[head] === theirs[head]) head += 1;
  let foot = 0;
  while (foot < least - head && mine.at(-1 - foot) === theirs.at(-1 - foot)) foot += 1;
  [head, foot] = [Math.max(0, head - AROUND), Math.max(0, foot - AROUND)];
  const cut = (lines) => (head ? "…\n" : "") + lines.slice(head, lines.length - foot).join("\n") + (foot ? "\n…" : "");
  return [cut(mine), cut(theirs)];
}

// A text with what it has and the other has not.
function marked(from, to) {
  const parts = steps(from, to).filter(({ kind }) => kind !== "missing");
  return h(
    "div.writing.small",
    { dir: "auto" },
    parts.map(({ kind, text }) => (kind === "added" && text.trim() ? h("ins", text) : text)),
  );
}

function side(title, about, pairs, label) {
  return h(
    "section.version",
    { "aria-label": title },
    h("h3", title),
    h("p.hint", about),
    pairs.map(([name, from, to]) => [pairs.length > 1 && h("h4", label(name)), marked(from, to)]),
  );
}

// In `place`: what differs, by field, and what to do. `label` names a field.
export function showConflict(place, { mine, theirs, by }, { label, keepMine, takeTheirs, editMine, left, hint }) {
  const names = Object.keys(mine).filter((name) => !alike(mine[name], theirs[name]));
  const pairs = names.map((name) => [name, ...apart(asText(mine[name]), asText(theirs[name]))]);
  const isMe = by && by.actor.id === session.me?.user?.id;
  const who = isMe ? t("editor.yourself") : by?.actor.name ? own("span", by.actor.name) : t("editor.somebody");
  const title = h("h2", { tabindex: "-1" }, t(left ? "editor.left_title" : "editor.conflict_title"));
  const close = (then) => () => {
    replace(place);
    then();
  };
  replace(
    place,
    h(
      "section.conflict",
      title,
      h("p", t(left ? "editor.left_what" : "editor.conflict_what"), by && [" ", who, " · ", when(by.at)]),
      h(
        "div.two.even",
        side(t("editor.mine"), t("editor.mine_what"), pairs.map(([name, one, other]) => [name, other, one]), label),
        side(t("editor.theirs"), t("editor.theirs_what"), pairs.map(([name, one, other]) => [name, one, other]), label),
      ),
      h(
        "div.row",
        button(t("editor.keep_mine"), close(keepMine), { look: "main" }),
        button(t("editor.take_theirs"), close(takeTheirs)),
        button(t("editor.edit_mine"), close(editMine), { look: "quiet" }),
      ),
      h("p.hint", t("editor.conflict_hint"), " ", hint),
    ),
  );
  // Whoever types goes on typing: what they write is kept.
  if (!document.activeElement?.closest(".writer, .lesson-head, .author-form")) title.focus();
}
