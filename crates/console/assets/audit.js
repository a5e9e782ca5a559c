// What was changed, by whom, and from what to what: the trail that nobody can change, not even here.
import { can, get } from "./api.js";
import { button, code, empty, field, h, link, own, say, select } from "./dom.js";
import { saveFile, sheet } from "./csv.js";
import { receiptOf } from "./erased.js";
import { addressOf } from "./finding.js";
import { exactly } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything, pagedTable } from "./lists.js";
import { nameOf } from "./names.js";
import { complain, go } from "./router.js";
import { someLearners, workers } from "./workers.js";

// Of more the newest are saved, and it is said.
const MOST_PAGES = 100;
const KINDS = ["service", "visitor", "system"];
const THINGS = [
  "submission",
  "assignment",
  "course",
  "unit",
  "lesson",
  "activity",
  "media_file",
  "cohort",
  "enrollment",
  "scorm_package",
  "batch",
  "user",
  "api_key",
  "passkey",
  "sso_connection",
  "webhook_endpoint",
  "workspace",
];
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

// As the address says.
const CHOICES = ["action", "actor", "thing", "id", "from", "to"];
const DAYS = ["from", "to"];

function chosenOf(query) {
  const isNoDay = (name, value) => DAYS.includes(name) && Number.isNaN(Date.parse(`${value}T00:00`));
  const said = CHOICES.map((name) => [name, query.get(name)?.trim() || ""]);
  return Object.fromEntries(said.map(([name, value]) => [name, isNoDay(name, value) ? "" : value]));
}

function queryOf({ action, actor, thing, id, from, to }) {
  const asked = { action, actor, subject_object: thing, subject_id: id };
  if (from) asked["created_at[gte]"] = new Date(`${from}T00:00`).toISOString();
  if (to) asked["created_at[lte]"] = new Date(`${to}T23:59:59.999`).toISOString();
  return asked;
}

// Leads to all there is of one that is told of in a row, beside what is chosen already.
function only(chosen, name, id, shown) {
  if (chosen[name] === id) return shown;
  const way = link(addressOf("#/audit", { ...chosen, [name]: id }), shown);
  way.setAttribute("aria-label", t("audit.only", { name: shown.textContent }));
  return way;
}

// Whoever has no name goes by their address. A key has done what was done with it.
function actorOf({ actor }, known, chosen) {
  const id = actor.id || actor.user_id;
  const name = actor.name || known.get(id);
  const who = name ? own("span", name) : h("span", word("audit_actor", actor.kind), id ? [" ", code(id)] : null);
  const key = actor.api_key_id;
  const named = known.get(key);
  return h(
    "div",
    only(chosen, "actor", id || actor.kind, who),
    key ? h("p.hint", only(chosen, "actor", key, named ? own("span", named) : code(key))) : null,
  );
}

// What it was done to, and of an erasure its receipt.
function subjectOf({ action, subject }, chosen) {
  const receipt = action === "user.erased" && h("p", link(receiptOf(subject.id), t("audit.receipt")));
  return h("div", word("audit_thing", subject.object), " ", only(chosen, "id", subject.id, code(subject.id)), receipt);
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

// Who may have acted, by name: those who work here, programs, learners, and the reader's own keys. Nobody else's can be listed, and learners
// may be more: whom the address names is among them in any case.
async function actors(chosen, signal) {
  const keys = async () => (can("read:keys") ? (await get("/v1/api_keys", { limit: 100 }, signal)).data : []);
  const [{ people, programs }, learners, mine] = await Promise.all([workers(signal), someLearners(signal), keys()]);
  const groups = [
    ["people", people],
    ["programs", programs],
    ["learners", learners],
    ["keys", mine.filter(({ kind }) => kind !== "session").map((key) => [key.id, key.name || `${key.prefix}…`])],
  ];
  const known = new Map(groups.flatMap(([, pairs]) => pairs));
  const { actor } = chosen;
  const isListed = !actor || KINDS.includes(actor) || known.has(actor);
  return { groups, known, other: isListed ? null : [actor, (await nameOf(actor)) || actor] };
}

const options = (pairs) => pairs.map(([value, label]) => h("option", { value }, label));

function actorChoice({ groups, other }, value) {
  const kinds = KINDS.map((kind) => [kind, word("audit_actor", kind)]);
  const filled = groups.filter(([, pairs]) => pairs.length);
  return h(
    "select.field",
    { value },
    options([["", t("audit.any")], ...(other ? [other] : []), ...kinds]),
    filled.map(([name, pairs]) => h("optgroup", { label: t(`audit.${name}`) }, options(pairs))),
  );
}

function sieve(chosen, who) {
  // What an address asks for and is not listed is shown as it is, and not lost with the next choice.
  const anyOr = (pairs, value) => {
    const isListed = !value || pairs.some(([one]) => one === value);
    return select([["", t("audit.any")], ...pairs, ...(isListed ? [] : [[value, value]])], value);
  };
  const controls = {
    action: anyOr(ACTIONS.map((one) => [one, one]), chosen.action),
    actor: actorChoice(who, chosen.actor),
    thing: anyOr(THINGS.map((one) => [one, word("audit_thing", one)]), chosen.thing),
    id: h("input.field", { value: chosen.id, dir: "ltr", autocomplete: "off", spellcheck: "false", maxlength: 64, size: 18 }),
    from: h("input.field", { type: "date", value: chosen.from }),
    to: h("input.field", { type: "date", value: chosen.to }),
  };
  const look = () => go(addressOf("#/audit", Object.fromEntries(Object.entries(controls).map(([name, { value }]) => [name, value.trim()]))));
  for (const control of Object.values(controls)) control.addEventListener("change", look);
  const labels = { action: "audit.action", actor: "audit.by", thing: "audit.thing", id: "audit.id", from: "audit.from", to: "audit.to" };
  return h("div.filters", Object.entries(controls).map(([name, control]) => field(t(labels[name]), control)));
}

export async function audit({ query, signal }) {
  const chosen = chosenOf(query);
  const [who] = await Promise.all([actors(chosen, signal), useWords("audit")]);
  const asked = queryOf(chosen);
  const list = await pagedTable({
    caption: t("nav.audit"),
    path: "/v1/audit",
    query: asked,
    signal,
    columns: [
      { label: t("audit.when"), cell: (one) => exactly(one.created_at) },
      { label: t("audit.by"), cell: (one) => actorOf(one, who.known, chosen) },
      { label: t("audit.action"), cell: (one) => code(one.action) },
      { label: t("audit.thing"), cell: (one) => subjectOf(one, chosen) },
      { label: t("audit.change"), cell: change },
    ],
    nothing: empty(t("audit.none_title"), t("audit.none")),
  });
  return {
    title: t("nav.audit"),
    wide: true,
    actions: [button(t("audit.save"), () => save(asked), { look: "quiet" })],
    body: [h("p.lede", t("audit.lede")), sieve(chosen, who), h("div.trail", list)],
  };
}
