// Who belongs here, who is invited, and the programs that act here.
import { can, get, patch, post, remove, session, waysIn } from "./api.js";
import { acting, button, code, empty, field, h, link, own, replace, say, section, select, tag } from "./dom.js";
import { confirmDialog, formDialog, secretDialog } from "./dialogs.js";
import { isErased, mayErase, mayExport, receiptOf } from "./erased.js";
import { findable } from "./finding.js";
import { date, when } from "./format.js";
import { LANGUAGES, currentLanguage, t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { menuButton } from "./menu.js";
import { called, mayMakeKeys } from "./member_keys.js";
import { ROLES, mayGive } from "./roles.js";
import { complain, show } from "./router.js";
import { sheet } from "./sheets.js";
import { mayReadTrail, trailOf } from "./trail.js";

export { memberKeys } from "./member_keys.js";

// Comes for whom it is asked.
const erasing = () => import("./erasure.js");
export const erasure = (asked) => erasing().then((found) => found.erasure(asked));

const idOf = (one) => one.user_id || one.id;

function who(one) {
  const address = one.name && one.kind !== "service" && !isErased(one);
  return h(
    "div",
    own("span", called(one)),
    address ? h("p.hint", code(one.email)) : null,
    // A directory ended what they may, or nobody knows any more who it was.
    one.active === false ? h("p", tag(t("members.suspended"), "bad")) : null,
    isErased(one) ? h("p", tag(t("members.erased"))) : null,
  );
}

// What somebody does to a row shows in what is loaded anew.
async function done(said) {
  say(said);
  await show();
}

function takeOut(one) {
  confirmDialog(t("members.take_out_title", { name: called(one) }), t("members.take_out_what"), t("members.take_out"), async () => {
    await remove(`/v1/users/${idOf(one)}`);
    await done(t("members.taken_out", { name: called(one) }));
  });
}

function changeRole(one) {
  const isFor = (role) => mayGive(role) && (one.kind !== "service" || ["admin", "teacher"].includes(role));
  const roles = select(
    ROLES.filter(isFor).map((role) => [role, word("role", role)]),
    one.role,
  );
  const body = field(t("members.role"), roles, t("members.role_hint"));
  formDialog(t("members.role_title", { name: called(one) }), body, t("members.change"), async () => {
    await patch(`/v1/users/${one.id}`, { role: roles.value });
    await done(t("members.role_changed", { name: called(one), role: word("role", roles.value) }));
  });
}

function rename(one) {
  const name = h("input.field", { dir: "auto", maxlength: 255, autocomplete: "off", value: one.name });
  const body = field(t("name"), name, t("members.rename_hint"));
  formDialog(t("members.rename_title", { name: called(one) }), body, t("members.change"), async () => {
    const changed = await patch(`/v1/users/${idOf(one)}`, { name: name.value });
    await done(t("members.renamed", { name: called(changed) }));
  });
}

// By mail where the service sends any; else the link is shown, once.
async function sendInvitation(one) {
  const sent = await post(`/v1/users/${idOf(one)}/invitation`);
  if (sent.url) return () => secretDialog(t("members.link_title", { name: called(one) }), t("members.link_what"), sent.url);
  return () => say(t("members.sent", { email: one.email }));
}

function invite(ways) {
  const sends = ways.includes("mail_link");
  const address = h("input.field", { type: "email", autocomplete: "off", dir: "ltr", maxlength: 254 });
  const name = h("input.field", { dir: "auto", maxlength: 255, autocomplete: "off" });
  const roles = select(
    ROLES.filter(mayGive).map((role) => [role, word("role", role)]),
    "teacher",
  );
  const language = select(Object.entries(LANGUAGES), currentLanguage());
  const body = h(
    "div.stack",
    field(t("email"), address, t(sends ? "members.address_mailed" : "members.address_shown")),
    field(t("name"), name),
    field(t("members.role"), roles),
    field(t("language"), language),
  );
  formDialog(t("members.invite"), body, t("members.invite"), async () => {
    const asked = { email: address.value.trim(), name: name.value, role: roles.value, language: language.value, invite: false };
    const made = await post("/v1/users", asked);
    const then = await sendInvitation(made).catch((error) => () => complain(error));
    await show();
    return then;
  });
}

function makeService() {
  const name = h("input.field", { dir: "auto", maxlength: 255, autocomplete: "off" });
  const roles = select(
    ["teacher", "admin"].filter(mayGive).map((role) => [role, word("role", role)]),
    "teacher",
  );
  const body = h("div.stack", h("p", t("members.service_what")), field(t("name"), name), field(t("members.role"), roles));
  formDialog(t("members.service_new"), body, t("members.service_make"), async () => {
    await post("/v1/users", { kind: "service", name: name.value, role: roles.value });
    await done(t("members.service_made", { name: name.value }));
  });
}

// Those that the workspace knows of; ending all shuts it to the others as well.
async function sessionsOf(one) {
  const known = await get(`/v1/users/${one.id}/sessions`, { limit: 100 });
  const rows = known.data.map((held) => {
    const row = h("div.row", own("strong", held.device), h("span.quiet", when(held.last_used_at || held.created_at)));
    const end = async () => {
      try {
        await post(`/v1/users/${one.id}/end_sessions`, { session_id: held.id });
        replace(row, own("span.quiet", held.device), tag(t("members.session_ended"), "plain"));
      } catch (error) {
        complain(error);
      }
    };
    const label = t("members.sessions_end");
    row.append(acting(label, end, { look: "quiet", class: "small", "aria-label": `${label}: ${held.device}` }));
    return row;
  });
  const body = h("div.stack", h("p", t("members.sessions_what")), rows.length ? rows : h("p.quiet", t("members.sessions_none")));
  formDialog(t("members.sessions_title", { name: called(one) }), body, t("members.sessions_end_all"), async () => {
    await post(`/v1/users/${one.id}/end_sessions`);
    return () => say(t("members.sessions_ended", { name: called(one) }));
  }, "danger");
}

async function showSessions(one) {
  await sessionsOf(one).catch(complain);
}

const small = (one, label, run) => button(label, run, { look: "quiet", class: "small", "aria-label": `${label}: ${called(one)}` });

// What is not done every day.
function moreFor(one) {
  const id = idOf(one);
  const isMe = id === session.me.user?.id;
  const entries = () => [
    !isMe && [t("members.rename"), () => rename(one)],
    mayReadTrail() && [t("members.happened"), null, { href: trailOf(id) }],
    mayReadTrail() && [t("members.acted"), null, { href: `#/audit?actor=${id}` }],
    mayExport() && [t("members.export"), () => erasing().then(({ exportOf }) => exportOf(one)).catch(complain)],
    mayErase(id) && [t("members.erase"), () => erasing().then(({ erase }) => erase(one)).catch(complain), { danger: true }],
  ];
  return entries().some(Boolean) ? menuButton(t("members.more_for", { name: called(one) }), entries) : null;
}

// Of whom only the pseudonym is left.
function actsOnErased(one) {
  const receipt = link(receiptOf(idOf(one)), t("members.receipt"));
  receipt.setAttribute("aria-label", `${t("members.receipt")}: ${called(one)}`);
  return h("span.row", mayErase(idOf(one)) ? receipt : null, small(one, t("members.take_out"), () => takeOut(one)));
}

function toKeys(one) {
  const label = t("members.keys");
  return h("a.button.quiet.small", { href: `#/members/${one.id}/keys`, "aria-label": `${label}: ${called(one)}` }, h("span", label));
}

function acts(one) {
  if (!mayGive(one.role)) return null;
  if (isErased(one)) return actsOnErased(one);
  const isMe = one.id === session.me.user?.id;
  return h(
    "span.row",
    isMe ? null : small(one, t("members.change_role"), () => changeRole(one)),
    can("read:keys") ? toKeys(one) : null,
    mayMakeKeys(one.role) && one.kind !== "service" ? small(one, t("members.sessions"), () => showSessions(one)) : null,
    isMe ? null : small(one, t("members.take_out"), () => takeOut(one)),
    moreFor(one),
  );
}

const MAIL_TONES = { sent: "good", pending: "wait", failed: "bad" };
const STATE_TONES = { pending: "wait", expired: "bad" };

function stateOf(one) {
  if (isErased(one)) return "–";
  const mail = one.status === "pending" && one.mail;
  return h(
    "span.row",
    tag(t(`members.state_${one.status}`), STATE_TONES[one.status] || "plain"),
    mail ? tag(t(`members.mail_${one.mail}`), MAIL_TONES[one.mail]) : null,
  );
}

function actsOnInvited(one, ways) {
  if (!mayGive(one.role)) return null;
  if (isErased(one)) return actsOnErased(one);
  const label = t(ways.includes("mail_link") ? "members.send" : "members.link");
  const send = async () => {
    try {
      const then = await sendInvitation(one);
      await show();
      then();
    } catch (error) {
      complain(error);
    }
  };
  return h(
    "span.row",
    acting(label, send, { look: "quiet", class: "small", "aria-label": `${label}: ${called(one)}` }),
    small(one, t("members.withdraw"), () => takeOut(one)),
    moreFor(one),
  );
}

const column = (label, cell) => ({ label: t(label), cell });
const actions = (cell) => ({ label: t("actions"), hiddenLabel: true, class: "acts", cell });

const ROLE = () => column("members.role", (one) => word("role", one.role));

// How it stands with invitations is said of all of them. Of those of one role it is said who they are, and when they were made.
function notHereYet(ways, source, { role }, nothing) {
  const [name, does] = [column("name", who), actions((one) => actsOnInvited(one, ways))];
  if (role) {
    const made = column("made", (one) => date(one.created_at));
    return pagedTable({
      caption: t("members.invited"),
      path: "/v1/users",
      ...source({ accepted: false, kind: "person" }),
      columns: [name, ROLE(), made, does],
      nothing,
    });
  }
  const until = column("members.until", (one) => (one.status === "pending" ? when(one.expires_at) : "–"));
  return pagedTable({
    caption: t("members.invited"),
    path: "/v1/sent_invitations",
    ...source(),
    columns: [name, ROLE(), column("status", stateOf), until, does],
    nothing,
  });
}

// What was not found among one kind is left out where another has it.
async function tables(ways, source, asked) {
  const nothing = (title, text) => (asked.q || asked.role ? null : empty(t(title), t(text)));
  const titled = (title, text, list) => list && section(t(title), h("p.quiet", t(text)), list);
  const [here, invited, services] = await Promise.all([
    pagedTable({
      caption: t("nav.members"),
      path: "/v1/users",
      ...source({ accepted: true, kind: "person" }),
      columns: [column("name", who), ROLE(), column("members.since", (one) => date(one.accepted_at || one.created_at)), actions(acts)],
      nothing: nothing("members.none_title", "members.none"),
    }),
    notHereYet(ways, source, asked, nothing("members.nobody_invited_title", "members.nobody_invited")),
    pagedTable({
      caption: t("members.services"),
      path: "/v1/users",
      ...source({ kind: "service" }),
      columns: [column("name", who), ROLE(), column("made", (one) => date(one.created_at)), actions(acts)],
      nothing: nothing("members.no_service_title", "members.no_service"),
    }),
  ]);
  return [
    here,
    titled("members.invited", "members.invited_what", invited),
    titled("members.services", "members.service_what", services),
  ];
}

export async function members({ query, signal }) {
  const [ways] = await Promise.all([waysIn(), useWords("members"), useWords("finding"), sheet("authoring.css")]);
  const draw = (source, asked) => tables(ways, source, asked);
  const roles = [["", t("members.every_role")], ...ROLES.map((role) => [role, word("role", role)])];
  const choices = { role: { label: t("members.role"), options: roles } };
  const lists = await findable({ query, signal, label: t("find.people"), sorts: ["newest", "name"], choices, draw });
  const mayInvite = can("write:students");
  return {
    title: t("nav.members"),
    actions: mayInvite
      ? [
          button(t("members.service_new"), makeService, { look: "quiet" }),
          button(t("members.invite"), () => invite(ways), { look: "main", icon: "plus" }),
        ]
      : [],
    body: [h("p.lede", t("members.lede")), lists, mayInvite && h("p", link("#/trash?object=user", t("members.taken_out_all")))],
  };
}
