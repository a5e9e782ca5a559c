// The workspace's connections to identity providers: what they are, what is wrong with one, and what is to be registered there.
import { can, get, patch, post, remove } from "./api.js";
import { acting, button, code, empty, facts, field, h, icon, link, own, replace, say, section, select, tag, toggle } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { show } from "./router.js";

const ROLES = ["student", "teacher", "admin", "owner"];

function text(value, attributes = {}) {
  return h("input.field", { dir: "ltr", value, autocomplete: "off", spellcheck: "false", ...attributes });
}

function roleChoice(value) {
  return select(
    ROLES.map((role) => [role, word("role", role)]),
    value,
  );
}

// A value and its role in a line each: `staff = teacher`.
function rolesOf(lines) {
  const pairs = lines.split("\n").filter((line) => line.includes("="));
  return pairs.map((line) => {
    const at = line.lastIndexOf("=");
    return { value: line.slice(0, at).trim(), role: line.slice(at + 1).trim() };
  });
}

function form(one) {
  const inputs = {
    name: h("input.field", { dir: "auto", value: one.name, required: true, maxlength: 255 }),
    issuer: text(one.issuer, { type: "url", placeholder: "https://", required: true }),
    client_id: text(one.client_id, { required: true }),
    client_secret: text("", { type: "password", required: !one.id, placeholder: one.id ? t("sso.secret_stays") : "" }),
    domains: text(one.domains.join(", ")),
    role_claim: text(one.role_claim ?? ""),
    roles: h("textarea.field", { dir: "ltr", rows: 3 }, one.roles.map(({ value, role }) => `${value} = ${role}`).join("\n")),
    default_role: roleChoice(one.default_role),
    greatest_role: roleChoice(one.greatest_role),
  };
  const on = { ...one };
  const switches = ["enabled", "just_in_time", "trusts_addresses"].map((name) =>
    toggle(t(`sso.${name}`), one[name], (value) => {
      on[name] = value;
    }),
  );
  const shown = Object.entries(inputs).filter(([name]) => name !== "issuer" || !one.id);
  const body = h(
    "div.stack",
    shown.map(([name, input]) => field(t(`sso.${name}`), input, t(`sso.${name}_hint`))),
    switches,
  );
  const read = () => ({
    ...(one.id ? {} : { issuer: inputs.issuer.value.trim() }),
    ...(inputs.client_secret.value ? { client_secret: inputs.client_secret.value } : {}),
    name: inputs.name.value,
    client_id: inputs.client_id.value.trim(),
    domains: inputs.domains.value.split(/[\s,]+/).filter(Boolean),
    role_claim: inputs.role_claim.value.trim() || null,
    roles: rolesOf(inputs.roles.value),
    default_role: inputs.default_role.value,
    greatest_role: inputs.greatest_role.value,
    enabled: on.enabled,
    just_in_time: on.just_in_time,
    trusts_addresses: on.trusts_addresses,
  });
  return { body, read };
}

const NEW = {
  name: "",
  issuer: "",
  client_id: "",
  domains: [],
  role_claim: null,
  roles: [],
  default_role: "student",
  greatest_role: "teacher",
  enabled: true,
  just_in_time: false,
  trusts_addresses: false,
};

function create() {
  const { body, read } = form(NEW);
  formDialog(t("sso.new"), body, t("sso.make"), async () => {
    const made = await post("/v1/sso_connections", read());
    location.hash = `#/sso/${made.id}`;
  });
}

export async function connections({ signal }) {
  await useWords("sso");
  const columns = [
    { label: t("name"), cell: (one) => h("div", link(`#/sso/${one.id}`, own("span", one.name)), h("p.hint", code(one.issuer))) },
    { label: t("sso.domains"), cell: (one) => (one.domains.length ? one.domains.map((name) => [code(name), " "]) : "–") },
    { label: t("status"), cell: (one) => (one.enabled ? tag(t("sso.on"), "good") : tag(t("sso.off"), "plain")) },
    { label: t("sso.last"), cell: (one) => (one.last_signed_in_at ? when(one.last_signed_in_at) : "–") },
  ];
  const make = can("write:workspaces") ? button(t("sso.new"), create, { look: "main", icon: "plus" }) : null;
  const list = await pagedTable({
    caption: t("sso.title"),
    path: "/v1/sso_connections",
    signal,
    columns,
    nothing: empty(t("sso.none_title"), t("sso.none")),
  });
  return { title: t("sso.title"), actions: [make], body: [h("p.lede", t("sso.lede")), list] };
}

// --- One connection

function said(tested) {
  if (tested.ok)
    return h("div.stack.tight", h("p", tag(t("sso.test_ok"), "good")), h("p.hint", t(tested.reachable ? "sso.test_rest" : "sso.test_unreachable")));
  const one = ({ code: fault, detail }) =>
    h("li", h("p.trouble", icon("warn"), h("span", word("sso_fault", fault))), own("p.hint.mono", detail));
  return h("ul.plain.stack", tested.faults.map(one));
}

function testing(one) {
  const answer = h("div", { role: "status" });
  const run = acting(t("sso.test"), async () => replace(answer, said(await post(`/v1/sso_connections/${one.id}/test`))), { look: "main" });
  return section(t("sso.test_title"), h("div.card.stack", h("p.quiet", t("sso.test_what")), answer, h("div", run)));
}

function edit(one) {
  const { body, read } = form(one);
  formDialog(t("sso.edit"), body, t("sso.keep"), async () => {
    await patch(`/v1/sso_connections/${one.id}`, read());
    show();
  });
}

function destroy(one) {
  confirmDialog(t("sso.delete_title", { name: one.name }), t("sso.delete_what"), t("sso.delete"), async () => {
    await remove(`/v1/sso_connections/${one.id}`);
    say(t("sso.deleted"));
    location.hash = "#/sso";
  });
}

export async function connection({ params, signal }) {
  await useWords("sso");
  const one = await get(`/v1/sso_connections/${params.id}`, {}, signal);
  const may = can("write:workspaces");
  const roles = one.roles.map(({ value, role }) => h("span", code(value), " ", word("role", role), " "));
  const actions = may ? [button(t("sso.edit"), () => edit(one)), button(t("sso.delete"), () => destroy(one), { look: "quiet" })] : [];
  return {
    title: one.name,
    actions,
    body: [
      section(
        t("sso.register"),
        h("p.quiet", t("sso.register_what")),
        facts([
          [t("sso.redirect_uri"), code(one.redirect_uri)],
          [t("sso.logout_uri"), code(one.backchannel_logout_uri)],
        ]),
      ),
      may ? testing(one) : null,
      section(
        t("sso.settings"),
        facts([
          [t("status"), one.enabled ? tag(t("sso.on"), "good") : tag(t("sso.off"), "plain")],
          [t("sso.issuer"), code(one.issuer)],
          [t("sso.client_id"), code(one.client_id)],
          [t("sso.domains"), one.domains.length ? one.domains.map((name) => [code(name), " "]) : t("sso.no_domain")],
          [t("sso.role_claim"), one.role_claim ? code(one.role_claim) : t("sso.no_claim")],
          [t("sso.roles"), roles.length ? roles : "–"],
          [t("sso.default_role"), word("role", one.default_role)],
          [t("sso.greatest_role"), word("role", one.greatest_role)],
          [t("sso.just_in_time"), t(one.just_in_time ? "sso.yes" : "sso.no")],
          [t("sso.trusts_addresses"), t(one.trusts_addresses ? "sso.yes" : "sso.no")],
          [t("sso.last"), one.last_signed_in_at ? when(one.last_signed_in_at) : "–"],
        ]),
      ),
    ],
  };
}
