// SCORM packages: asked for, waited for, looked at, taken away, called back.
import { can, get, post } from "./api.js";
import { acting, button, code, empty, field, h, link, own, replace, say, select, tag } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { findable } from "./finding.js";
import { bytes, when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything, pagedTable } from "./lists.js";
import { nameOf } from "./names.js";
import { complain, go, show } from "./router.js";
import { sayNext, sayNow } from "./undo.js";

const STATES = { ready: "good", pending: "wait", error: "bad", revoked: "plain" };
const POLL_MS = 1500;

function named(id) {
  const place = h("span", { dir: "auto" }, "…");
  nameOf(id).then((name) => {
    place.textContent = name || id;
  });
  return place;
}

function stateOf(pack, signal) {
  const place = h("div.stack.tight", { role: "status" });
  const draw = (now) =>
    replace(
      place,
      h("div", tag(word("package", now.status), STATES[now.status])),
      now.error && own("p.hint", now.error.message),
      now.warnings.map((text) => own("p.hint", text)),
    );
  draw(pack);
  if (pack.status === "pending")
    wait(pack.id, signal, (now) => {
      say(t(now.status === "ready" ? "packages.ready" : "packages.failed"), now.status === "ready" ? "good" : "bad");
      show();
    });
  return place;
}

async function wait(id, signal, end) {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (signal.aborted) return;
    try {
      const now = await get(`/v1/scorm/${id}`, {}, signal);
      if (now.status !== "pending") return end(now);
    } catch (error) {
      complain(error);
      return;
    }
  }
}

// Addresses are signed for an hour: a fresh one is asked for when it is wanted.
function opening(pack, label, drawing, member) {
  return acting(
    t(label),
    async () => {
      const tab = member === "preview_url" ? window.open("", "_blank") : null;
      try {
        const now = await get(`/v1/scorm/${pack.id}`);
        if (tab) {
          tab.opener = null;
          tab.location = now[member];
        } else location.assign(now[member]);
      } catch (error) {
        tab?.close();
        complain(error);
      }
    },
    { look: "quiet", icon: drawing, class: "small" },
  );
}

// Who came with it is there to be seen when it lets in nobody any more, too.
function learnersLink({ id, status }) {
  const isOut = ["ready", "revoked"].includes(status);
  return isOut && can("read:students") && h("a.button.quiet.small", { href: `#/packages/${id}` }, t("packages.learners"));
}

function actionsOf(pack) {
  if (pack.status !== "ready") return h("div.row", learnersLink(pack));
  const revoke = () =>
    confirmDialog(t("packages.revoke_title"), t("packages.revoke_what"), t("packages.revoke"), async () => {
      await post(`/v1/scorm/${pack.id}/revoke`);
      say(t("packages.revoked"));
      show();
    });
  return h(
    "div.row",
    learnersLink(pack),
    opening(pack, "packages.preview", "eye", "preview_url"),
    opening(pack, "packages.download", "packages", "download_url"),
    can("write:courses") ? button(t("packages.revoke"), revoke, { look: "quiet", class: "small" }) : null,
  );
}

// Of this cohort, or of one that is chosen; where there is none yet it is made first.
export async function packageDialog(of = null) {
  await useWords("packages");
  const data = of ? [of] : (await everything("/v1/cohorts", { expand: "course" }, undefined, 2)).data;
  if (!data.length) return (await import("./cohort_dialogs.js")).newCohort(null, (made) => () => packageDialog(made));
  const cohort = select(
    data.map((one) => [one.id, one.course ? `${one.course.name} · ${one.name}` : one.name]),
    data[0].id,
    { dir: "auto" },
  );
  const version = select(
    [
      ["2004", "SCORM 2004"],
      ["1.2", "SCORM 1.2"],
    ],
    "2004",
  );
  const connected = h("input", { type: "checkbox", checked: true });
  const body = h(
    "div.stack",
    field(t("packages.cohort"), cohort),
    field(t("packages.version"), version, t("packages.version_hint")),
    h("label.toggle", connected, h("span", t("packages.connected"))),
    h("p.hint", t("packages.connected_hint")),
  );
  return formDialog(t("packages.new"), body, t("packages.make"), async () => {
    await post("/v1/scorm", { cohort_id: cohort.value, version: version.value, connected: connected.checked });
    sayNext(() => say(t("packages.asked")));
    return () => go("#/packages");
  });
}

export async function packages({ signal }) {
  await useWords("packages");
  const columns = [
    { label: t("packages.course"), cell: (pack) => named(pack.course_id) },
    { label: t("packages.cohort"), cell: (pack) => named(pack.cohort_id) },
    { label: t("packages.version"), cell: (pack) => h("span.num", pack.version) },
    { label: t("status"), cell: (pack) => stateOf(pack, signal) },
    { label: t("packages.size"), class: "num", cell: (pack) => (pack.size_bytes ? bytes(pack.size_bytes) : "–") },
    { label: t("made"), cell: (pack) => when(pack.created_at) },
    { label: t("actions"), hiddenLabel: true, class: "acts", cell: actionsOf },
  ];
  const ask = () => packageDialog().catch(complain);
  const list = await pagedTable({
    caption: t("nav.packages"),
    path: "/v1/scorm",
    signal,
    columns,
    nothing: empty(
      t("packages.none_title"),
      t("packages.none"),
      can("write:courses") ? button(t("packages.new"), ask, { look: "main" }) : null,
    ),
  });
  return {
    title: t("nav.packages"),
    actions: [can("write:courses") ? button(t("packages.new"), ask, { look: "main", icon: "plus" }) : null],
    body: [h("p.lede", t("packages.lede")), list],
    after: sayNow,
  };
}

// --- Who came with one

const TRUST = { first_use: "plain", proven: "good", unverified: "wait" };

export async function learners({ params, query, signal }) {
  const [pack] = await Promise.all([get(`/v1/scorm/${params.id}`, {}, signal), useWords("packages"), useWords("finding")]);
  const columns = [
    { label: t("name"), cell: ({ name }) => own("span", name || "–") },
    { label: t("packages.lms_id"), cell: (one) => code(one.lms_learner_id) },
    { label: t("packages.trust"), cell: ({ identity }) => tag(word("scorm_trust", identity), TRUST[identity]) },
    { label: t("packages.lms"), cell: ({ lms }) => h("div", own("span", lms.title || "–"), lms.origin && h("div.hint", code(lms.origin))) },
    { label: t("packages.seen"), cell: (one) => when(one.last_seen_at) },
  ];
  const nothing = empty(t("packages.nobody_title"), t("packages.nobody"));
  const list = { caption: t("packages.learners"), path: `/v1/scorm/${pack.id}/sessions`, columns, nothing };
  const identities = [["", t("packages.any")], ...Object.keys(TRUST).map((one) => [one, word("scorm_trust", one)])];
  const found = await findable({
    query,
    signal,
    label: t("find.learners"),
    sorts: ["newest", "oldest"],
    choices: { identity: { label: t("packages.trust"), options: identities } },
    draw: (source) => pagedTable({ ...list, ...source() }),
  });
  return {
    title: t("packages.learners_of"),
    above: h("span.dots", link("#/packages", t("nav.packages")), named(pack.cohort_id)),
    body: [h("p.lede", t("packages.learners_lede")), found],
  };
}
