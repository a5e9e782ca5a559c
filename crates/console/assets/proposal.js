// One piece of what AI proposes: what it says beside what is there, what to look at, and what is decided.
import { can, get, post } from "./api.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { acting, button, h, icon, link, own, replace, tag } from "./dom.js";
import { differing, inWords, showDifference, telling } from "./differences.js";
import { number, when } from "./format.js";
import { has, t, word } from "./i18n.js";
import { originTag } from "./origin.js";
import { complain, explain } from "./router.js";

const COLLECTIONS = { unit: "units", lesson: "lessons", activity: "activities", assignment: "assignments" };
// Members that nobody writes.
const UNSEEN = new Set(["kind"]);

// Reads pieces with their texts, each once for as long as it stays as it is.
export function reading(signal) {
  const read = new Map();
  return async ({ id, updated_at: at }) => {
    if (read.get(id)?.updated_at !== at) read.set(id, await get(`/v1/pieces/${id}`, {}, signal));
    return read.get(id);
  };
}

function labelOf(kind, key) {
  const names = [`proposals.field_${key}`, `versions.field_${COLLECTIONS[kind]}_${key}`, `versions.field_${key}`];
  const known = names.find(has);
  return known ? t(known) : key.replaceAll("_", " ");
}

const legend = () => h("p.hint.marks", h("ins", t("proposals.comes")), " ", h("del", t("proposals.goes")));

// What it would change, member by member; what it does not speak of stays.
function changes({ kind, proposal }, before) {
  const was = Object.fromEntries(Object.keys(proposal).map((key) => [key, before[key] ?? null]));
  const names = differing(was, proposal).filter((name) => !UNSEEN.has(name));
  if (!names.length) return [h("p.quiet", t("proposals.same"))];
  const sides = [t("proposals.there"), t("proposals.proposed_value")];
  return [legend(), names.map((name) => showDifference(name, labelOf(kind, name), was, proposal, { sides }))];
}

// What is new has nothing beside it.
function whole({ kind, proposal }) {
  const shown = telling(proposal).filter((name) => !UNSEEN.has(name));
  return shown.map((name) => {
    const isDocument = proposal[name] !== null && typeof proposal[name] === "object" && !Array.isArray(proposal[name]);
    const label = labelOf(kind, name);
    const text = h(`div.writing.small${isDocument ? ".outlined" : ""}`, { dir: isDocument ? null : "auto" }, inWords(proposal[name]));
    return h("section.difference", { "aria-label": label }, h("h3", label), text);
  });
}

// Sentences that no passage of the source supports, each with the reason.
function support({ sentences, unsupported_sentences: count, unsupported = [] }) {
  if (!count) return sentences ? h("p.hint", t("proposals.supported", { count: number(sentences) })) : null;
  return h(
    "div.stack.tight",
    h("p", t("proposals.unsupported", { count: number(count), all: number(sentences) })),
    h("ul.support-list", unsupported.map(({ text, reason }) => h("li", own("q", text), h("span.quiet", ` – ${word("support", reason)}`)))),
  );
}

// Where it comes from, and what to look at.
function about({ provenance, checks }) {
  const { warnings = [] } = checks;
  const source = provenance.source_hash ? h("span.quiet", t("proposals.from_source")) : null;
  return [
    h("p.row", originTag(provenance), h("span.quiet", { dir: "auto" }, provenance.model), source),
    checks.support?.checked && h("section.notice", h("h3", t("proposals.support")), support(checks.support)),
    warnings.length ? h("ul.warned", { dir: "auto" }, warnings.map((one) => h("li", one))) : null,
  ];
}

function hrefOf({ result, kind }, { course, lesson }) {
  if (!result || !course) return null;
  const of = `#/courses/${course.id}`;
  const known = { unit: of, lesson: `${of}/${result.id}`, assignment: `#/assignments/${result.id}/edit` };
  return known[kind] || (lesson ? `${of}/${lesson.id}/activities/${result.id}` : of);
}

// Who decided, when, and where it is now.
function decision(piece, place) {
  if (piece.status === "proposed") return null;
  const href = hrefOf(piece, place);
  const who = piece.decided_by?.name;
  return h(
    "p.row",
    tag(t(`proposals.${piece.status}`), piece.status === "accepted" ? "good" : "plain"),
    h("span.made", when(piece.decided_at), who && [" \u00b7 ", own("span", who)]),
    href && link(href, t("proposals.see_it")),
    piece.target && piece.status === "accepted" && link(`#/history/${COLLECTIONS[piece.kind]}/${piece.target.id}`, t("proposals.see_history")),
  );
}

// --- Accepting

// Somebody changed what it takes the place of: what that is now, beside the proposal, and the choice.
async function afterChange(piece, body, refused) {
  const now = await get(`/v1/${COLLECTIONS[piece.kind]}/${piece.target.id}`);
  const { by } = refused;
  const who = by ? h("p", own("span", by.actor.name || t("versions.somebody")), " \u00b7 ", when(by.at)) : null;
  const shown = h("div.stack", h("p", t("proposals.changed")), who, changes(piece, now));
  return asked(t("proposals.changed_title"), shown, t("proposals.replace"), () => accept(piece, { ...body, seen_updated_at: now.updated_at }));
}

// A question in a dialog; what came of it, or nothing where it was left.
function asked(title, body, label, action) {
  return new Promise((resolve) => {
    let done = null;
    const node = formDialog(title, body, label, async () => {
      done = await action();
    }, "danger");
    node.addEventListener("close", () => resolve(done));
  });
}

// The piece as it is then; nothing where somebody thought better of it.
async function accept(piece, body, force = "") {
  try {
    return await post(`/v1/pieces/${piece.id}/accept${force}`, body);
  } catch (error) {
    if (error.status === 412 && piece.target) return afterChange(piece, body, error);
    if (error.code !== "in_use" || force) throw error;
    return asked(t("proposals.used_title"), h("div.stack", h("p", t("proposals.used")), h("p.hint", explain(error))), t("proposals.replace"), () => accept(piece, body, "?force=true"));
  }
}

// What can be decided about a piece.
function deciding(piece, { inside, decided, edit }) {
  if (!can("write:courses")) return null;
  const doing = (action, said) => async () => {
    try {
      const now = await action();
      if (now) await decided(now, t(said, { name: piece.name }));
    } catch (error) {
      complain(error);
    }
  };
  const act = (name, label, action, said, options) => acting(label, doing(action, said), { "data-do": name, ...options });
  if (piece.status === "discarded") {
    return h("div.row.deciding", act("reopen", t("proposals.reopen"), () => post(`/v1/pieces/${piece.id}/reopen`), "proposals.said_reopened", { icon: "back" }));
  }
  if (piece.status === "accepted") return null;
  const accepting = (body) => () => accept(piece, body);
  return h(
    "div.row.deciding",
    act("accept", t("proposals.accept"), accepting({}), "proposals.said_accepted", { look: "main", icon: "check" }),
    inside > 0 && act("accept-all", t("proposals.accept_inside", { count: number(inside) }), accepting({ below: true }), "proposals.said_accepted"),
    button(t("proposals.edit"), edit, { "data-do": "edit", icon: "edit" }),
    act("discard", t("proposals.discard"), () => post(`/v1/pieces/${piece.id}/discard`), "proposals.said_discarded", { look: "quiet" }),
  );
}

// A piece as it is shown. `decided` is told of the piece and what to say once somebody decided; `inside` is how many in it are open.
export function pieceOf(piece, { place = {}, inside = 0, signal, decided }) {
  const node = h("div.stack");
  const draw = () => replace(node, head(), deciding(piece, { inside, decided, edit }), decision(piece, place), about(piece), ...said());
  const head = () => h("div.details-head", own("h2", piece.name), h("p.hint", word("piece", piece.kind), piece.target && ` · ${t("proposals.replaces")}`));
  const said = () => (piece.target ? changes(piece, piece.before || {}) : whole(piece));
  const edit = async () => {
    try {
      const { editForm } = await import("./proposal_edit.js");
      const form = await editForm(piece, {
        cancel: () => {
          draw();
          node.querySelector('[data-do="edit"]')?.focus();
        },
        submit: async (changed) => {
          const now = await accept(piece, Object.keys(changed).length ? { [piece.kind]: changed } : {});
          if (now) await decided(now, t("proposals.said_accepted", { name: piece.name }));
        },
      });
      if (signal.aborted) return;
      replace(node, head(), form);
      form.querySelector("input, textarea")?.focus();
    } catch (error) {
      complain(error);
    }
  };
  draw();
  return node;
}
