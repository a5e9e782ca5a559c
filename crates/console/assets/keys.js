// One's own API keys: what each may do, when it was last used; a new one is shown once.
import { ApiError, can, post, session } from "./api.js";
import { button, code, empty, field, h, own, say, tag } from "./dom.js";
import { confirmDialog, formDialog, secretDialog } from "./dialogs.js";
import { date, when } from "./format.js";
import { t, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { show } from "./router.js";

const SCOPES = [
  "read:*",
  "write:*",
  "ai:*",
  "read:courses",
  "write:courses",
  "read:lessons",
  "read:students",
  "write:students",
  "read:submissions",
  "write:submissions",
  "write:grades",
  "read:events",
  "read:webhooks",
  "write:webhooks",
  "read:workspaces",
  "write:workspaces",
  "read:keys",
  "write:keys",
  "write:tokens",
  "read:invitations",
  "write:invitations",
  "ai:generate",
  "ai:grade",
  "ai:tutor",
];
const DAYS = [
  ["", "keys.never"],
  ["7", "keys.days7"],
  ["30", "keys.days30"],
  ["365", "keys.days365"],
];

function stateOf(key) {
  if (key.revoked_at) return tag(t("keys.revoked"), "bad");
  if (key.expires_at && new Date(key.expires_at) < new Date()) return tag(t("keys.expired"), "plain");
  return tag(key.id === session.me.key.id ? t("keys.this") : t("keys.live"), "good");
}

function expiry(days) {
  return days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
}

function create() {
  const name = h("input.field", { dir: "auto", maxlength: 255, autocomplete: "off" });
  const life = h(
    "select.field",
    DAYS.map(([value, label]) => h("option", { value }, t(label))),
  );
  const boxes = SCOPES.map((scope) =>
    h("label.toggle", h("input", { type: "checkbox", value: scope, checked: scope === "read:courses" }), code(scope)),
  );
  const body = h(
    "div.stack",
    field(t("name"), name, t("keys.name_hint")),
    h("fieldset", h("legend", t("keys.scopes")), h("p.hint", t("keys.scopes_hint")), h("div.scopes", boxes)),
    field(t("keys.expires"), life),
  );
  formDialog(t("keys.new"), body, t("keys.make"), async () => {
    const scopes = boxes
      .map((box) => box.querySelector("input"))
      .filter((input) => input.checked)
      .map((input) => input.value);
    // No list at all would mean read:* and write:*; nothing chosen must not become everything.
    if (!scopes.length) throw new ApiError(0, { message: t("keys.none_chosen") });
    const made = await post("/v1/api_keys", { name: name.value, scopes, expires_at: expiry(life.value) });
    await show();
    return () => secretDialog(t("keys.secret"), t("keys.secret_what"), made.api_key);
  });
}

function revoke(key) {
  const isOwn = key.id === session.me.key.id;
  confirmDialog(
    t("keys.revoke_title", { name: key.name || key.prefix }),
    t(isOwn ? "keys.revoke_own" : "keys.revoke_what"),
    t("keys.revoke"),
    async () => {
      await post(`/v1/api_keys/${key.id}/revoke`);
      say(t("keys.revoked_now"));
      show();
    },
  );
}

export async function keys({ signal }) {
  const columns = [
    { label: t("name"), cell: (key) => h("div", own("span", key.name || "–"), h("p.hint", code(`${key.prefix}…`))) },
    { label: t("keys.scopes"), cell: (key) => h("span.row", key.scopes.map(code)) },
    { label: t("status"), cell: (key) => h("div", stateOf(key), key.kind === "session" ? h("p.hint", word("key", key.kind)) : null) },
    { label: t("keys.used"), cell: (key) => when(key.last_used_at) },
    { label: t("keys.expires"), cell: (key) => (key.expires_at ? date(key.expires_at) : t("keys.never")) },
    {
      label: t("actions"),
      hiddenLabel: true,
      class: "acts",
      cell: (key) =>
        key.revoked_at || !can("write:keys")
          ? null
          : button(t("keys.revoke"), () => revoke(key), {
              look: "quiet",
              class: "small",
              "aria-label": `${t("keys.revoke")}: ${key.name || key.prefix}`,
            }),
    },
  ];
  const list = await pagedTable({
    caption: t("nav.keys"),
    path: "/v1/api_keys",
    signal,
    columns,
    nothing: empty(t("keys.none_title"), t("keys.none")),
  });
  return {
    title: t("nav.keys"),
    actions: [can("write:keys") ? button(t("keys.new"), create, { look: "main", icon: "plus" }) : null],
    body: [h("p.lede", t("keys.lede")), list],
  };
}
