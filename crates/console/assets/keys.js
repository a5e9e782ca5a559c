// One's own API keys: what each may do, when it was last used; a new one is shown once.
import { can } from "./api.js";
import { button, empty, h } from "./dom.js";
import { t, useWords } from "./i18n.js";
import { keyColumns, makeKey } from "./key_acts.js";
import { pagedTable } from "./lists.js";

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

function create() {
  makeKey({ title: t("keys.new"), scopes: SCOPES, isChosen: (scope) => scope === "read:courses" });
}

export async function keys({ signal }) {
  await useWords("keys");
  const list = await pagedTable({
    caption: t("nav.keys"),
    path: "/v1/api_keys",
    signal,
    columns: keyColumns(can("write:keys")),
    nothing: empty(t("keys.none_title"), t("keys.none")),
  });
  return {
    title: t("nav.keys"),
    actions: [can("write:keys") ? button(t("keys.new"), create, { look: "main", icon: "plus" }) : null],
    body: [h("p.lede", t("keys.lede")), list],
  };
}
