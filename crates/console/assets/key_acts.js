// What is known of an API key and what is done to it, whoever it is for: made, changed, rotated, revoked.
import { ApiError, asking, patch, post, session } from "./api.js";
import { button, code, field, h, own, replace, say, select, tag } from "./dom.js";
import { confirmDialog, formDialog, secretDialog } from "./dialogs.js";
import { exactly, when, zone } from "./format.js";
import { t, word } from "./i18n.js";
import { nameOf } from "./names.js";
import { show } from "./router.js";
import { momentOf, typed } from "./zoned.js";

const DAY_MS = 86_400_000;
const DAYS = ["7", "30", "365"];
// For how many seconds the old key goes on working, beside until it is revoked.
const OLD_LASTS = ["0", "3600", "86400", "604800"];
const USUAL = "86400";

const calledOf = (key) => key.name || key.prefix;
const isInUse = (key) => key.id === session.me.key?.id;
const isOver = (key) => Boolean(key.revoked_at || (key.expires_at && new Date(key.expires_at) < new Date()));
// A network of one address is that address.
const bare = (network) => network.replace(/^([\d.]+)\/32$/, "$1").replace(/\/128$/, "");

// What the page refuses before it asks, at the field of that name.
const wrong = (at, message) => Object.assign(new ApiError(0, { message }), { at });

// When it ends: as it does, never, in some days, or at a moment. What is not to be changed is read as undefined.
function endFields(key) {
  const now = Date.now();
  const kept = key?.expires_at;
  const moment = h("input.field.date", { type: "datetime-local", name: "expires_at", min: typed(now), value: typed(kept || now + DAY_MS) });
  const place = h("div");
  const options = [
    kept && ["", t("apikey.keep_end", { when: exactly(kept) })],
    ["never", t("keys.never")],
    ...DAYS.map((days) => [days, t(`keys.days${days}`)]),
    ["at", t("apikey.at")],
  ];
  const draw = () => replace(place, life.value === "at" && field(t("apikey.ends_at"), moment, t("apikey.zone", { zone: zone() })));
  const life = select(options.filter(Boolean), kept ? "" : "never", { onchange: draw });
  const read = () => {
    if (life.value === "never") return kept ? null : undefined;
    if (life.value !== "at") return life.value ? new Date(now + Number(life.value) * DAY_MS).toISOString() : undefined;
    const chosen = momentOf(moment.value);
    if (!chosen || Date.parse(chosen) <= Date.now()) throw wrong("expires_at", t("apikey.past"));
    return chosen;
  };
  return { node: h("div.stack.tight", field(t("keys.expires"), life), place), read };
}

function addressField(networks) {
  const value = networks.map(bare).join("\n");
  const lines = h("textarea.field.mono", { name: "allowed_addresses", dir: "ltr", rows: 2, spellcheck: "false", value });
  const listed = () => lines.value.split(/[\s,]+/).filter(Boolean);
  const read = () => (listed().join() === networks.map(bare).join() ? undefined : listed());
  // Which one the service did not take.
  const explained = (error) => {
    const at = Object.keys(error.fields || {})[0]?.match(/^allowed_addresses\[(\d+)\]$/)?.[1];
    return at ? wrong("allowed_addresses", t("apikey.no_address", { address: listed()[at] })) : error;
  };
  return { node: field(t("apikey.from"), lines, t("apikey.from_hint")), read, explained };
}

const nameField = (value = "") => h("input.field", { name: "name", dir: "auto", maxlength: 255, autocomplete: "off", value });
const reveal = (made) => secretDialog(t("keys.secret"), t("keys.secret_what"), made.api_key);

// `asked` goes along with what is filled in: whom it is for.
export function makeKey({ title, what = null, scopes, isChosen, asked = {} }) {
  const [name, end, from, make] = [nameField(), endFields(null), addressField([]), asking("/v1/api_keys")];
  const boxes = scopes.map((scope) => h("label.toggle", h("input", { type: "checkbox", value: scope, checked: isChosen(scope) }), code(scope)));
  const body = h(
    "div.stack",
    what && h("p", what),
    field(t("name"), name, t("keys.name_hint")),
    h("fieldset", h("legend", t("keys.scopes")), h("p.hint", t("keys.scopes_hint")), h("div.scopes", boxes)),
    end.node,
    from.node,
  );
  formDialog(title, body, t("keys.make"), async () => {
    const chosen = boxes.map((box) => box.querySelector("input")).filter((input) => input.checked);
    // No list at all would mean read:* and write:*; nothing chosen must not become everything.
    if (!chosen.length) throw new ApiError(0, { message: t("keys.none_chosen") });
    const told = { name: name.value.trim() || undefined, expires_at: end.read(), allowed_addresses: from.read() };
    const made = await make({ ...asked, ...told, scopes: chosen.map((input) => input.value) }).catch((error) => {
      throw from.explained(error);
    });
    await show();
    return () => reveal(made);
  });
}

const isLate = (error) => error.code === "not_editable";
const late = () => new ApiError(409, { message: t("apikey.over") });

function change(key) {
  const [name, end, from] = [nameField(key.name), endFields(key), addressField(key.allowed_addresses)];
  const body = h("div.stack", field(t("name"), name), end.node, from.node, isInUse(key) && h("p.hint", t("apikey.locks_out")));
  formDialog(t("apikey.change_title", { name: calledOf(key) }), body, t("apikey.keep"), async () => {
    const changes = { name: name.value === key.name ? undefined : name.value.trim(), expires_at: end.read(), allowed_addresses: from.read() };
    // What was not changed here stays as it is there.
    if (Object.values(changes).some((value) => value !== undefined))
      await patch(`/v1/api_keys/${key.id}`, changes).catch((error) => {
        throw isLate(error) ? late() : from.explained(error);
      });
    await show();
    say(t("apikey.changed", { name: changes.name || calledOf(key) }));
  });
}

function rotate(key) {
  const again = asking(`/v1/api_keys/${key.id}/rotate`);
  const old = select([...OLD_LASTS.map((seconds) => [seconds, t(`apikey.old_${seconds}`)]), ["", t("apikey.old_always")]], USUAL);
  const body = h(
    "div.stack",
    h("p", t("apikey.rotate_what")),
    key.expires_at && h("p", t("apikey.same_end", { when: exactly(key.expires_at) })),
    field(t("apikey.old"), old),
    isInUse(key) && h("p.hint", t("apikey.rotate_own")),
  );
  formDialog(t("apikey.rotate_title", { name: calledOf(key) }), body, t("apikey.rotate"), async () => {
    const made = await again(old.value ? { expires_old_in: Number(old.value) } : {}).catch((error) => {
      throw isLate(error) ? late() : error;
    });
    // Whose own key is over by now sees the new one first: the next request leads to the door.
    if (!isInUse(key) || old.value !== "0") await show();
    return () => reveal(made);
  });
}

function revoke(key) {
  const what = t(isInUse(key) ? "keys.revoke_own" : "keys.revoke_what");
  confirmDialog(t("keys.revoke_title", { name: calledOf(key) }), what, t("keys.revoke"), async () => {
    await post(`/v1/api_keys/${key.id}/revoke`);
    await show();
    say(t("keys.revoked_now"));
  });
}

function stateOf(key) {
  if (key.revoked_at) return tag(t("keys.revoked"), "bad");
  if (isOver(key)) return tag(t("keys.expired"), "plain");
  return tag(t(isInUse(key) ? "keys.this" : "keys.live"), "good");
}

// Whoever made it for somebody else has seen it.
function madeBy(key) {
  if (!key.made_by || key.made_by === key.user_id) return null;
  const place = own("p.hint", "");
  nameOf(key.made_by).then((name) => name && replace(place, t("apikey.made_by", { name })));
  return place;
}

function named(key) {
  const from = key.allowed_addresses.map((network) => [" ", code(bare(network))]);
  const only = from.length > 0 && h("p.hint", t("apikey.only_from"), from);
  return h("div.key-name", own("span", key.name || "–"), h("p.hint", code(`${key.prefix}…`)), madeBy(key), only);
}

const used = (key) => h("div", when(key.last_used_at), key.last_used_from && h("p.hint", t("apikey.last_from"), " ", code(key.last_used_from)));

function acts(key) {
  const act = (label, run) => button(label, () => run(key), { look: "quiet", class: "small", "aria-label": `${label}: ${calledOf(key)}` });
  // A session is as long and as far as its key says.
  const isFit = key.kind === "standard";
  return h("div.row", isFit && [act(t("apikey.change"), change), act(t("apikey.rotate"), rotate)], act(t("keys.revoke"), revoke));
}

export function keyColumns(mayChange) {
  return [
    { label: t("name"), cell: named },
    { label: t("keys.scopes"), cell: (key) => h("span.row", key.scopes.map(code)) },
    { label: t("status"), cell: (key) => h("div", stateOf(key), key.kind === "session" ? h("p.hint", word("key", key.kind)) : null) },
    { label: t("keys.used"), cell: used },
    { label: t("keys.expires"), cell: (key) => (key.expires_at ? exactly(key.expires_at) : t("keys.never")) },
    { label: t("actions"), hiddenLabel: true, class: "acts", cell: (key) => (isOver(key) || !mayChange ? null : acts(key)) },
  ];
}
