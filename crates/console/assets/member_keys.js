// The keys that were made for one member, or for a program that acts under its own name.
import { can, get } from "./api.js";
import { button, empty, h, link } from "./dom.js";
import { t, useWords } from "./i18n.js";
import { keyColumns, makeKey } from "./key_acts.js";
import { pagedTable } from "./lists.js";
import { mayGive } from "./roles.js";

const KEY_SCOPES = {
  admin: ["read:*", "write:*", "ai:*"],
  teacher: ["read:*", "write:courses", "write:students", "write:submissions", "write:grades", "ai:*"],
};
const KEY_OF_STUDENT = ["read:lessons", "write:submissions", "ai:tutor"];

export const mayMakeKeys = (role) => can("write:keys") && mayGive(role);
export const called = (one) => one.name || one.email;

// A key that acts as them, and is named as theirs.
function make(one) {
  const name = called(one);
  makeKey({
    title: t("members.key_title", { name }),
    what: t("members.key_what", { name }),
    scopes: one.role === "student" ? KEY_OF_STUDENT : KEY_SCOPES[one.role === "teacher" ? "teacher" : "admin"],
    isChosen: (scope) => scope.startsWith("read:"),
    asked: { user_id: one.id },
  });
}

export async function memberKeys({ params, signal }) {
  const [one] = await Promise.all([get(`/v1/users/${params.id}`, {}, signal), useWords("members"), useWords("keys")]);
  const name = called(one);
  const mayChange = mayMakeKeys(one.role);
  const list = await pagedTable({
    caption: t("apikey.of", { name }),
    path: "/v1/api_keys",
    query: { user_id: one.id },
    signal,
    columns: keyColumns(mayChange),
    nothing: empty(t("keys.none_title"), t("apikey.none", { name })),
  });
  return {
    title: t("apikey.of", { name }),
    own: true,
    above: link("#/members", t("nav.members")),
    actions: mayChange ? [button(t("members.key"), () => make(one), { look: "main", icon: "plus" })] : [],
    body: [h("p.lede", t("apikey.of_what", { name })), list],
  };
}
