// Who one is, and in which browsers one is signed in.
import { get, post, remove, session } from "./api.js";
import { button, code, empty, facts, h, own, say, section, tag } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
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
  return {
    title: t("account.title"),
    actions: [button(t("account.end_others"), endOthers, { look: "quiet" })],
    body: [who(), section(t("account.sessions"), h("p.quiet", t("account.sessions_what")), sessions)],
  };
}
