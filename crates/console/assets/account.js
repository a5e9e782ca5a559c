// Who one is, and in which browsers one is signed in.
import { ApiError, post, remove, session, waysIn } from "./api.js";
import { button, code, empty, facts, field, h, own, say, section, tag } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { addPasskey, canPasskeys, isHeldAlready, wasGivenUp } from "./passkeys.js";
import { show } from "./router.js";

function who() {
  const { me } = session;
  return facts([
    [t("name"), own("span", me.user?.name || "–")],
    [t("account.address"), code(me.email)],
    [t("account.here_with"), session.isPerson ? t("account.session") : h("span", t("account.key"), " ", code(`${me.key.prefix}…`))],
  ]);
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
  const ways = session.isPerson ? await waysIn() : [];
  const held = ways.includes("passkey") ? await passkeys(signal) : null;
  return {
    title: t("account.title"),
    actions: [button(t("account.end_others"), endOthers, { look: "quiet" })],
    body: [who(), held, section(t("account.sessions"), h("p.quiet", t("account.sessions_what")), sessions)],
  };
}
