// What was changed, by whom, and from what to what: the trail that nobody can change, not even here.
import { button, code, empty, field, h, own, say, select } from "./dom.js";
import { saveFile, sheet } from "./csv.js";
import { exactly } from "./format.js";
import { currentLanguage, t, useWords, word } from "./i18n.js";
import { everything, pagedTable } from "./lists.js";
import { complain, go } from "./router.js";

// Of more the newest are saved, and it is said.
const MOST_PAGES = 100;
const KINDS = ["service", "visitor", "system"];
const THINGS = ["submission", "assignment", "course", "cohort", "user", "api_key", "sso_connection", "webhook_endpoint", "workspace"];
const STAFF = ["owner", "admin", "teacher"];
const ACTIONS = [
  "grade.changed",
  "assignment.updated",
  "ai_settings.updated",
  "batch.committed",
  "batch.undone",
  "object.deleted",
  "object.restored",
  "object.destroyed",
  "draft.discarded",
  "key.created",
  "key.updated",
  "key.revoked",
  "key.deleted",
  "session.started",
  "session.ended",
  "member.added",
  "member.invited",
  "member.accepted",
  "member.role_changed",
  "member.updated",
  "member.sessions_ended",
  "member.suspended",
  "member.reinstated",
  "member.left",
  "member.removed",
  "passkey.added",
  "passkey.removed",
  "sso_connection.created",
  "sso_connection.updated",
  "sso_connection.deleted",
  "sso_connection.linked",
  "sso_connection.refused",
  "workspace.created",
  "workspace.updated",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.secret_rotated",
  "user.exported",
  "user.erased",
];
const COLUMNS = ["created_at", "action", "actor_type", "actor_name", "actor_id", "api_key_id", "subject", "subject_id", "request_id", "old", "new"];

function queryOf(query) {
  const asked = { action: query.get("action"), actor: query.get("actor"), subject_object: query.get("thing"), subject_id: query.get("id") };
  const [from, to] = [query.get("from"), query.get("to")];
  if (from) asked["created_at[gte]"] = new Date(`${from}T00:00`).toISOString();
  if (to) asked["created_at[lte]"] = new Date(`${to}T23:59:59.999`).toISOString();
  return asked;
}

// Whoever has no name goes by their address.
function actorOf({ actor }, known) {
  const id = actor.id || actor.user_id;
  const name = actor.name || known.get(id);
  if (name) return own("span", name);
  return h("span", word("audit_actor", actor.kind), id ? [" ", code(id)] : null);
}

function cell(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "object" ? code(JSON.stringify(value)) : own("span", String(value));
}

function change(one) {
  const names = [...new Set([...Object.keys(one.old || {}), ...Object.keys(one.new || {})])];
  if (!names.length) return "–";
  return h(
    "dl.facts",
    names.map((name) => h("div", h("dt", code(name)), h("dd", cell(one.old?.[name]), " → ", cell(one.new?.[name])))),
  );
}

function row(one) {
  const { actor, subject } = one;
  const values = [one.created_at, one.action, actor.type || actor.kind, actor.name, actor.id || actor.user_id, actor.api_key_id];
  return [...values, subject.object, subject.id, one.request_id, one.old, one.new];
}

export function csv(entries) {
  return sheet(COLUMNS, entries.map(row));
}

async function save(query) {
  try {
    const { data, complete } = await everything("/v1/audit", query, undefined, MOST_PAGES);
    saveFile("audit.csv", csv(data), "text/csv");
    say(t(complete ? "audit.saved" : "audit.saved_newest", { count: data.length }));
  } catch (error) {
    complain(error);
  }
}

// Who may have acted, by name: those who work here, and programs.
async function people(signal) {
  const some = async (query) => (await everything("/v1/users", query, signal)).data;
  const found = await Promise.all([...STAFF.map((role) => some({ role, kind: "person" })), some({ kind: "service" })]);
  const named = found.flat().map((one) => [one.id, one.name || one.email]);
  return named.sort(([, one], [, other]) => one.localeCompare(other, currentLanguage()));
}

function sieve(query, known) {
  const actions = select([["", t("audit.any")], ...ACTIONS.map((one) => [one, one])], query.get("action") || "");
  const kinds = KINDS.map((kind) => [kind, word("audit_actor", kind)]);
  const chosen = query.get("actor");
  const listed = [["", t("audit.any")], ...kinds, ...known];
  const actors = select(listed.some(([one]) => one === (chosen || "")) ? listed : [...listed, [chosen, chosen]], chosen || "");
  const things = select([["", t("audit.any")], ...THINGS.map((one) => [one, word("audit_thing", one)])], query.get("thing") || "");
  const from = h("input.field", { type: "date", value: query.get("from") || "" });
  const to = h("input.field", { type: "date", value: query.get("to") || "" });
  const controls = { action: actions, actor: actors, thing: things, from, to };
  const look = () => {
    const filled = Object.entries(controls).filter(([, control]) => control.value);
    const pairs = filled.map(([name, control]) => [name, control.value]);
    go(`#/audit${pairs.length ? `?${new URLSearchParams(pairs)}` : ""}`);
  };
  for (const control of Object.values(controls)) control.addEventListener("change", look);
  return h(
    "div.filters",
    field(t("audit.action"), actions),
    field(t("audit.by"), actors),
    field(t("audit.thing"), things),
    field(t("audit.from"), from),
    field(t("audit.to"), to),
  );
}


export async function audit({ query, signal }) {
  const [known] = await Promise.all([people(signal), useWords("audit")]);
  const asked = queryOf(query);
  const named = new Map(known);
  const list = await pagedTable({
    caption: t("nav.audit"),
    path: "/v1/audit",
    query: asked,
    signal,
    columns: [
      { label: t("audit.when"), cell: (one) => exactly(one.created_at) },
      { label: t("audit.by"), cell: (one) => actorOf(one, named) },
      { label: t("audit.action"), cell: (one) => code(one.action) },
      { label: t("audit.thing"), cell: (one) => h("span", word("audit_thing", one.subject.object), " ", code(one.subject.id)) },
      { label: t("audit.change"), cell: change },
    ],
    nothing: empty(t("audit.none_title"), t("audit.none")),
  });
  return {
    title: t("nav.audit"),
    wide: true,
    actions: [button(t("audit.save"), () => save(asked), { look: "quiet" })],
    body: [h("p.lede", t("audit.lede")), sieve(query, known), h("div.trail", list)],
  };
}
