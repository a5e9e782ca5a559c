// SCORM packages: asked for, waited for, looked at, taken away, called back.
import { can, get, post } from "./api.js";
import { acting, button, empty, field, h, own, replace, say, select, tag } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { bytes, when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { everything, pagedTable } from "./lists.js";
import { nameOf } from "./names.js";
import { complain, show } from "./router.js";

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

function actionsOf(pack) {
  if (pack.status !== "ready") return null;
  const revoke = () =>
    confirmDialog(t("packages.revoke_title"), t("packages.revoke_what"), t("packages.revoke"), async () => {
      await post(`/v1/scorm/${pack.id}/revoke`);
      say(t("packages.revoked"));
      show();
    });
  return h(
    "div.row",
    opening(pack, "packages.preview", "eye", "preview_url"),
    opening(pack, "packages.download", "packages", "download_url"),
    can("write:courses") ? button(t("packages.revoke"), revoke, { look: "quiet", class: "small" }) : null,
  );
}

async function create(signal) {
  const { data } = await everything("/v1/cohorts", { expand: "course" }, signal, 2);
  if (!data.length) return say(t("packages.no_cohort"), "bad");
  const cohort = select(
    data.map((one) => [one.id, `${one.course?.name || ""} · ${one.name}`]),
    data[0].id,
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
  formDialog(t("packages.new"), body, t("packages.make"), async () => {
    await post("/v1/scorm", { cohort_id: cohort.value, version: version.value, connected: connected.checked });
    say(t("packages.asked"));
    show();
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
  const ask = () => create(signal).catch(complain);
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
  };
}
