// Who one is, in which browsers one is signed in, and what else acts as one.
import { ApiError, get, patch, post, refresh, remove, session, waysIn } from "./api.js";
import { button, code, empty, facts, field, h, own, say, section, select, tag } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { when } from "./format.js";
import { LANGUAGES, t, useWords, word } from "./i18n.js";
import { pagedTable, table } from "./lists.js";
import { addPasskey, canPasskeys, isHeldAlready, wasGivenUp } from "./passkeys.js";
import { show } from "./router.js";
import { remember } from "./settings.js";

// Those that the browser knows; the service knows all of them.
const zones = () => Intl.supportedValuesOf?.("timeZone") || [];

// Whether mail tells what waits, of whoever may read what waits.
function digestField(sendsMail) {
  const { digest } = session.me;
  if (!digest) return null;
  const hint = h("p.hint", { id: "digest-hint" }, t(sendsMail ? "account.digest_hint" : "account.digest_no_mail"));
  const box = h("input", { type: "checkbox", checked: digest === "daily", "aria-describedby": "digest-hint" });
  return { box, node: h("div.field-row", h("label.toggle", box, h("span", t("account.digest_ask"))), hint) };
}

// Of learners their teachers say what they are called.
function change(sendsMail) {
  const { user } = session.me;
  const name = user.role === "student" ? null : h("input.field", { dir: "auto", maxlength: 255, autocomplete: "name", value: user.name });
  const held = (value, all) => (value && !all.some(([one]) => one === value) ? [[value, value]] : []);
  const languages = Object.entries(LANGUAGES);
  const language = select([["", t("account.language_none")], ...languages, ...held(user.language, languages)], user.language || "");
  const known = zones().map((zone) => [zone, zone.replaceAll("_", " ")]);
  const zone = select([["", t("account.zone_none")], ...known, ...held(user.timezone, known)], user.timezone || "");
  const digest = digestField(sendsMail);
  const called = name && field(t("name"), name, t("account.name_hint"));
  const body = h("div.stack", called, field(t("language"), language), field(t("account.zone"), zone), digest?.node);
  formDialog(t("account.change_title"), body, t("account.change"), async () => {
    const said = { language: language.value || null, timezone: zone.value || null };
    if (name) said.name = name.value;
    if (digest) said.digest = digest.box.checked ? "daily" : "off";
    await patch("/v1/me", said);
    await refresh();
    // From now on this browser goes by what its person says.
    remember("language", null);
    return () => {
      dispatchEvent(new Event("belonging"));
      say(t("account.changed"));
    };
  });
}

function who(sendsMail) {
  const { me } = session;
  const { user } = me;
  const language = user?.language && (LANGUAGES[user.language] || user.language);
  return h(
    "div.stack",
    facts([
      [t("name"), own("span", user?.name || "–")],
      [t("account.address"), code(me.email)],
      [t("language"), own("span", language || t("account.language_none"))],
      [t("account.zone"), user?.timezone ? code(user.timezone) : t("account.zone_none")],
      me.digest && [t("account.digest"), t(`account.digest_${me.digest}`)],
      [t("account.here_with"), session.isPerson ? t("account.session") : h("span", t("account.key"), " ", code(`${me.key.prefix}…`))],
    ]),
    user ? h("div.row", button(t("account.change"), () => change(sendsMail), { look: "quiet" })) : null,
  );
}

function end(one) {
  confirmDialog(t("account.end_title", { device: one.device }), t("account.end_what"), t("account.end"), async () => {
    await remove(`/v1/sessions/${one.id}`);
    say(t("account.ended"));
    show();
  });
}

function endOthers() {
  confirmDialog(t("account.end_others"), t("account.end_others_what"), t("account.end_others"), async () => {
    await post("/v1/sessions/end_others");
    say(t("account.ended"));
    show();
  });
}

function add() {
  const name = h("input.field", { dir: "auto", maxlength: 255, autocomplete: "off", value: t("account.passkey_name") });
  formDialog(t("account.passkey_new"), h("div.stack", h("p", t("account.passkey_what")), field(t("name"), name)), t("account.passkey_new"), async () => {
    try {
      await addPasskey(name.value);
    } catch (error) {
      if (wasGivenUp(error)) throw new ApiError(0, { message: t("account.passkey_given_up") });
      if (isHeldAlready(error)) throw new ApiError(0, { message: t("account.passkey_held") });
      throw error;
    }
    say(t("account.passkey_added"));
    show();
  });
}

function removePasskey(one) {
  confirmDialog(t("account.passkey_remove_title", { name: one.name }), t("account.passkey_remove_what"), t("account.passkey_remove"), async () => {
    await remove(`/v1/passkeys/${one.id}`);
    say(t("account.passkey_removed"));
    show();
  });
}

async function passkeys(signal) {
  const acts = (one) =>
    button(t("account.passkey_remove"), () => removePasskey(one), {
      look: "quiet",
      class: "small",
      "aria-label": `${t("account.passkey_remove")}: ${one.name}`,
    });
  const list = await pagedTable({
    caption: t("account.passkeys"),
    path: "/v1/passkeys",
    signal,
    columns: [
      { label: t("name"), cell: (one) => own("span", one.name) },
      { label: t("made"), cell: (one) => when(one.created_at) },
      { label: t("keys.used"), cell: (one) => (one.last_used_at ? when(one.last_used_at) : t("account.passkey_unused")) },
      { label: t("actions"), hiddenLabel: true, class: "acts", cell: acts },
    ],
    nothing: empty(t("account.passkey_none_title"), t("account.passkey_none")),
  });
  const more = canPasskeys() ? button(t("account.passkey_new"), add, { look: "quiet", icon: "plus" }) : null;
  return section(t("account.passkeys"), h("p.quiet", t("account.passkeys_what")), list, h("div.row", more));
}

function endKey(key) {
  const name = key.name || key.prefix;
  confirmDialog(t("account.key_end_title", { name }), t("account.key_end_what"), t("account.key_end"), async () => {
    await post(`/v1/api_keys/${key.id}/revoke`, undefined, null);
    say(t("account.key_ended"));
    show();
  });
}

// A session that opens one platform alone has no say in the person's own keys.
async function keys(signal) {
  const ofAll = await get("/v1/api_keys", { limit: 100 }, signal, null).catch((error) => {
    if (error.status === 403) return null;
    throw error;
  });
  if (!ofAll) return null;
  const live = ofAll.data.filter((key) => !key.revoked_at && !(key.expires_at && new Date(key.expires_at) < new Date()));
  const place = (key) => session.me.platforms.find((one) => one.workspace_id === key.workspace_id);
  const madeFor = (key) => key.user_id && h("p.hint", t("account.key_for", { name: place(key)?.name || key.workspace_id }));
  const columns = [
    { label: t("name"), cell: (key) => h("div", own("span", key.name || "–"), h("p.hint", code(`${key.prefix}…`)), madeFor(key)) },
    { label: t("made"), cell: (key) => when(key.created_at) },
    { label: t("keys.used"), cell: (key) => when(key.last_used_at) },
    {
      label: t("actions"),
      hiddenLabel: true,
      class: "acts",
      cell: (key) =>
        button(t("account.key_end"), () => endKey(key), {
          look: "quiet",
          class: "small",
          "aria-label": `${t("account.key_end")}: ${key.name || key.prefix}`,
        }),
    },
  ];
  const list = live.length
    ? h("div.card.flush", table(t("account.keys"), columns, live).node)
    : empty(t("account.keys_none_title"), t("account.keys_none"));
  return section(t("account.keys"), h("p.quiet", t("account.keys_what")), list);
}

// Whoever comes in by their organisation has no passkey here.
async function mayHold(ways, signal) {
  if (!session.isPerson || !ways.includes("passkey")) return false;
  const { data } = await get("/v1/sessions", { limit: 100 }, signal);
  return data.find((one) => one.current)?.signed_in_by !== "sso";
}

export async function account({ signal }) {
  await useWords("door");
  const columns = [
    { label: t("account.device"), cell: (one) => h("span.row", own("span", one.device), one.current && tag(t("account.this"), "good")) },
    { label: t("account.way"), cell: (one) => (one.signed_in_by ? word("sign_in_way", one.signed_in_by) : "–") },
    { label: t("account.begun"), cell: (one) => when(one.created_at) },
    { label: t("keys.used"), cell: (one) => when(one.last_used_at || one.created_at) },
    {
      label: t("actions"),
      hiddenLabel: true,
      class: "acts",
      cell: (one) =>
        one.current
          ? null
          : button(t("account.end"), () => end(one), {
              look: "quiet",
              class: "small",
              "aria-label": `${t("account.end")}: ${one.device}`,
            }),
    },
  ];
  const sessions = await pagedTable({
    caption: t("account.sessions"),
    path: "/v1/sessions",
    signal,
    columns,
    nothing: empty(t("account.none_title"), t("account.none")),
  });
  const ways = await waysIn();
  const held = (await mayHold(ways, signal)) ? await passkeys(signal) : null;
  return {
    title: t("account.title"),
    actions: [button(t("account.end_others"), endOthers, { look: "quiet" })],
    body: [who(ways.includes("mail_link")), held, section(t("account.sessions"), h("p.quiet", t("account.sessions_what")), sessions), await keys(signal)],
  };
}
