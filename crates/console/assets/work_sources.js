// What can have failed: where it is listed, what it is called, why, and what the API has to try it again.
import { can, get, nextFilled, remove, send, waysIn } from "./api.js";
import { h, link, own } from "./dom.js";
import { number } from "./format.js";
import { has, t, word } from "./i18n.js";
import { nameOf } from "./names.js";
import { mayGive } from "./roles.js";

export const SHOWN = 20;
// Lists that have no filter for it are looked through so far at once.
const MOST_PAGES = 5;

const listed = (path, query) => (cursor, signal) => nextFilled(path, { limit: SHOWN, ...query }, cursor, signal);

// Further pages until there is something of what is looked for, or enough was looked through.
function picked(path, query, pick) {
  return async (cursor, signal) => {
    let answer = { next_cursor: cursor };
    const data = [];
    for (let page = 0; page < MOST_PAGES && data.length < SHOWN; page += 1) {
      answer = await get(path, { ...query, startingAfter: answer.next_cursor }, signal);
      data.push(...(await pick(answer.data, signal)));
      if (!answer.has_more) break;
    }
    return { ...answer, data };
  };
}

const inWords = (code) => (has(`work_why.${code}`) ? t(`work_why.${code}`) : t("work.unknown_why"));
const whyOf = (error) => (error ? [h("p", inWords(error.code)), own("p.hint", error.message)] : h("p", t("work.unknown_why")));

function later(id, otherwise) {
  const node = own("span", otherwise);
  nameOf(id).then((name) => name && (node.textContent = name));
  return node;
}

// --- Works that AI could not grade

const personOf = ({ user }) => user?.name || user?.email || t("student");
const nothingHelps = ["content_not_readable"];

const submissions = {
  name: "submissions",
  mayRead: () => can("read:submissions"),
  // Where a person has graded it meanwhile nothing is left to be tried.
  load: listed("/v1/submissions", { ai_status: "error", status: "submitted", expand: "user" }),
  called: personOf,
  cell: (one) => [link(`#/review/${one.id}`, own("span", personOf(one))), h("p.hint", later(one.assignment_id, t("work.task")))],
  why: ({ ai_error: error }) => whyOf(error),
  again: {
    label: "again",
    spends: true,
    may: () => can("ai:grade"),
    fits: ({ ai_error: error }) => !nothingHelps.includes(error?.code),
    now: (one) => get(`/v1/submissions/${one.id}`, { expand: "user" }),
    stateOf: ({ ai_status: ai, status }) => (ai === "pending" ? "pending" : ai === "error" && status === "submitted" ? "failed" : "done"),
    run: (one, key) => send("POST", `/v1/submissions/${one.id}/ai`, {}, key),
  },
};

// --- Drafts

const draftOf = ({ kind }) => word("work_draft", kind);
const hopeless = ["target_gone", "input_too_thin"];

const generations = {
  name: "generations",
  mayRead: () => can("read:courses") || can("ai:generate"),
  load: listed("/v1/generations", { status: "error" }),
  called: draftOf,
  cell: (one) => [can("read:courses") ? link(`#/generations/${one.id}`, draftOf(one)) : draftOf(one), h("p.hint", later(one.target.id, ""))],
  why: ({ error }) => whyOf(error),
  again: {
    label: "again",
    spends: true,
    may: () => can("ai:generate"),
    fits: ({ error }) => !hopeless.includes(error?.code),
    now: ({ id }) => get(`/v1/generations/${id}`),
    stateOf: ({ status }) => ({ pending: "pending", error: "failed" })[status] || "done",
    run: ({ id }, key) => send("POST", `/v1/generations/${id}/retry`, {}, key),
  },
};

// --- Packages

const KEPT = ["cohort_id", "version", "runtime_base_url", "allowed_origins", "launch_expires_at", "max_learners", "connected", "waits_for_grades", "retries_failed"];
const orderOf = (one) => Object.fromEntries(KEPT.filter((name) => one[name] !== null).map((name) => [name, one[name]]));

const packages = {
  name: "packages",
  mayRead: () => can("read:courses"),
  load: listed("/v1/scorm", { status: "error" }),
  called: ({ version }) => `SCORM ${version}`,
  cell: (one) => [link("#/packages", later(one.cohort_id, t("work.package"))), h("p.hint", `SCORM ${one.version}`)],
  why: ({ error }) => whyOf(error),
  again: {
    label: "work.make_anew",
    may: () => can("write:courses"),
    fits: () => true,
    now: ({ id }) => get(`/v1/scorm/${id}`),
    stateOf: ({ status }) => ({ pending: "pending", error: "failed" })[status] || "done",
    // Another one as it was asked for; the one that failed goes once that is under way, and what follows is followed by it.
    async run(one, key) {
      const made = await send("POST", "/v1/scorm", orderOf(one), key);
      await remove(`/v1/scorm/${one.id}`).catch((error) => {
        if (error.status !== 404) throw error;
      });
      return made;
    },
  },
};

// --- Files

const media = {
  name: "media",
  mayRead: () => can("read:courses"),
  load: listed("/v1/media", { status: "error" }),
  called: ({ title, file_name: file }) => title || file,
  cell: (one) => [own("span", one.title || one.file_name), one.title && own("p.hint", one.file_name)],
  why: ({ error }) => [whyOf(error), h("p.hint", t("work.upload_anew"))],
  again: {
    label: "work.remove",
    isRemoval: true,
    may: () => can("write:courses"),
    fits: () => true,
    now: ({ id }) => get(`/v1/media/${id}`),
    stateOf: ({ status }) => ({ pending: "pending", error: "failed" })[status] || "done",
    run: ({ id }) => remove(`/v1/media/${id}`),
  },
};

// --- Messages to endpoints

// The newest of what failed on its way to each; nothing of those to which all came.
async function troubled(endpoints, signal) {
  const found = await Promise.all(
    endpoints.map(async (endpoint) => {
      const { data, has_more: hasMore } = await get(`/v1/webhook_endpoints/${endpoint.id}/deliveries`, { status: "failed", limit: SHOWN }, signal);
      return { ...endpoint, failed: data, hasMore, updated_at: data[0]?.updated_at };
    }),
  );
  return found.filter(({ failed }) => failed.length);
}

const missed = ({ id }) => `#/webhooks/${id}?status=failed`;

const webhooks = {
  name: "webhooks",
  mayRead: () => can("read:webhooks"),
  load: picked("/v1/webhook_endpoints", { limit: SHOWN }, troubled),
  called: ({ description, url }) => description || url,
  cell: (one) => [link(missed(one), own("span", one.description || one.url)), one.description && h("p.hint", h("bdi", one.url))],
  why: ({ failed, hasMore }) => [
    h("p", t("work.deliveries", { count: `${number(failed.length)}${hasMore ? "+" : ""}` })),
    own("p.hint", failed[0].last_error ?? failed[0].last_status ?? ""),
  ],
  elsewhere: (one) => can("write:webhooks") && h("a.button.quiet.small", { href: missed(one) }, h("span", t("work.to_webhook"))),
};

// --- Mails of invitations

const isUnsent = ({ mail, status }) => mail === "failed" && status !== "accepted";
const unsent = picked("/v1/sent_invitations", { limit: 100 }, (found) => found.filter(isUnsent));

const invitations = {
  name: "invitations",
  mayRead: () => can("read:students"),
  // Where no mail can be sent any more each has a link to be shown, and is asked for alone.
  async load(...page) {
    this.again.isAlone = !(await waysIn()).includes("mail_link");
    return unsent(...page);
  },
  called: ({ name, email }) => name || email,
  cell: (one) => [link(`#/members?${new URLSearchParams({ q: one.email })}`, own("span", one.name || one.email)), one.name && h("p.hint", h("bdi", one.email))],
  why: () => h("p", t("work.mail_failed")),
  again: {
    label: "work.resend",
    may: () => can("write:students"),
    fits: ({ role }) => mayGive(role),
    now: ({ user_id: id }) => get(`/v1/users/${id}/invitation`),
    stateOf: (one) => (isUnsent(one) ? "failed" : one.mail === "pending" ? "pending" : "done"),
    run: ({ user_id: id }, key) => send("POST", `/v1/users/${id}/invitation`, {}, key),
  },
};

export const SOURCES = [submissions, generations, packages, media, webhooks, invitations];
