// Webhook endpoints with their health, and what was sent to one of them.
import { can, get, patch, post } from "./api.js";
import { acting, button, code, empty, facts, h, link, own, replace, say, section, select, skeleton, tag } from "./dom.js";
import { confirmDialog, infoDialog, secretDialog } from "./dialogs.js";
import { addressOf } from "./finding.js";
import { number, when } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { pagedTable } from "./lists.js";
import { complain, problem, show } from "./router.js";
import { sayNow } from "./undo.js";
import { calledOf, changeEndpoint, createEndpoint, deleteEndpoint } from "./webhooks_dialogs.js";
import { recovering, recoveryCard } from "./webhooks_recover.js";

const STATES = { delivered: "good", pending: "wait", failed: "bad" };
const LOOKED_AT = 20;
const POLL_MS = 700;
const POLLS = 20;

// Of the newest deliveries: how many arrived.
async function healthOf(endpoint, signal) {
  const { data } = await get(`/v1/webhook_endpoints/${endpoint.id}/deliveries`, { limit: LOOKED_AT }, signal);
  const arrived = data.filter((one) => one.status === "delivered").length;
  const struggling = data.filter((one) => one.status === "failed" || one.last_error || (one.last_status ?? 200) >= 300).length;
  if (endpoint.status === "disabled") return tag(t("webhooks.off"), "plain");
  if (!data.length) return tag(t("webhooks.unused"), "plain");
  return tag(
    t("webhooks.arrived", { count: number(arrived), of: number(data.length) }),
    struggling === 0 ? "good" : arrived ? "wait" : "bad",
  );
}

function later(promise) {
  const place = h("span", "…");
  promise.then((node) => replace(place, node)).catch(() => replace(place, "–"));
  return place;
}

function eventList(types) {
  const shown = types.slice(0, 3).map((type, at) => [at ? ", " : "", code(type)]);
  return h("span", shown, types.length > 3 ? ` +${number(types.length - 3)}` : "");
}

export async function webhooks({ signal }) {
  await useWords("webhooks");
  const columns = [
    {
      label: t("webhooks.url"),
      cell: (one) =>
        h("div", link(`#/webhooks/${one.id}`, h("span.mono", { dir: "ltr" }, one.url)), one.description && own("p.hint", one.description)),
    },
    { label: t("webhooks.events"), cell: (one) => eventList(one.enabled_events) },
    { label: t("webhooks.health"), cell: (one) => later(healthOf(one, signal)) },
    { label: t("made"), cell: (one) => when(one.created_at) },
  ];
  const ask = () => createEndpoint(signal).catch(complain);
  const make = can("write:webhooks") ? acting(t("webhooks.new"), ask, { look: "main", icon: "plus" }) : null;
  const list = await pagedTable({
    caption: t("nav.webhooks"),
    path: "/v1/webhook_endpoints",
    signal,
    columns,
    nothing: empty(t("webhooks.none_title"), t("webhooks.none")),
  });
  return { title: t("nav.webhooks"), actions: [make], body: [h("p.lede", t("webhooks.lede")), list], after: sayNow };
}

// --- One endpoint

async function answered(delivery) {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const now = await get(`/v1/webhook_deliveries/${delivery.id}`);
    if (now.last_status !== null || now.last_error !== null) return now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return delivery;
}

function whatItSaid(delivery) {
  const status = delivery.last_status === null ? null : code(String(delivery.last_status));
  if (!status && !delivery.last_error) return h("span.quiet", t("webhooks.nothing_yet"));
  return h("span", status, status && delivery.last_error ? " " : "", delivery.last_error && own("span.quiet", delivery.last_error));
}

async function ping(endpoint) {
  try {
    const now = await answered(await post(`/v1/webhook_endpoints/${endpoint.id}/test`));
    const said = now.last_status ?? now.last_error ?? t("webhooks.nothing_yet");
    say(t("webhooks.pinged", { answer: said }), now.status === "delivered" ? "good" : "bad");
    show();
  } catch (error) {
    complain(error);
  }
}

function rotate(endpoint) {
  confirmDialog(t("webhooks.rotate_title"), t("webhooks.rotate_what"), t("webhooks.rotate"), async () => {
    const now = await post(`/v1/webhook_endpoints/${endpoint.id}/rotate_secret`);
    return () => secretDialog(t("webhooks.secret"), t("webhooks.secret_what"), now.secret);
  });
}

async function flip(endpoint) {
  try {
    await patch(`/v1/webhook_endpoints/${endpoint.id}`, { status: endpoint.status === "enabled" ? "disabled" : "enabled" });
    show();
  } catch (error) {
    complain(error);
  }
}

const headersOf = (headers) => headers.map(({ name, value }) => `${name}: ${value}`).join("\n");

// Every attempt there was: when, what came of it, the headers of the answer and how it began.
function attempts({ history = [] }) {
  if (!history.length) return null;
  const one = ({ at, status, error, duration_ms: took, headers = [], answer }) =>
    h(
      "li",
      h(
        "p.dots",
        h("span", when(at)),
        h("span", status === null ? "–" : code(String(status))),
        took === null ? null : h("span", `${number(took)} ms`),
      ),
      error && own("p.hint", error),
      headers.length > 0 &&
        h(
          "details",
          h("summary", t("webhooks.headers")),
          h("pre.said", { tabindex: "0", "aria-label": t("webhooks.headers") }, headersOf(headers)),
        ),
      answer && h("pre.said", { tabindex: "0", "aria-label": t("webhooks.answer") }, answer),
    );
  return h("section.stack.tight", h("h3", t("webhooks.attempts")), h("ol.history", history.map(one)));
}

// The body of a delivery is the event, so the event is what is shown.
function payload(delivery) {
  const place = h("div", skeleton(3));
  const load = () =>
    get(`/v1/events/${delivery.event_id}`)
      .then((event) =>
        replace(
          place,
          facts([
            [t("webhooks.event"), code(event.type)],
            [t("webhooks.id"), code(event.id)],
            [t("webhooks.answer"), whatItSaid(delivery)],
          ]),
          attempts(delivery),
          h("pre.payload", { tabindex: "0", "aria-label": t("webhooks.payload") }, JSON.stringify(event, null, 2)),
        ),
      )
      .catch((error) => replace(place, problem(error, load)));
  load();
  infoDialog(t("webhooks.payload"), h("div.stack", place)).classList.add("broad");
}

async function redeliver(delivery) {
  try {
    const now = await answered(await post(`/v1/webhook_deliveries/${delivery.id}/redeliver`));
    say(t("webhooks.redelivered", { status: word("delivery", now.status) }), now.status === "delivered" ? "good" : "plain");
    show();
  } catch (error) {
    complain(error);
  }
}

// Deliveries name their events by id only; the newest events say what those were.
async function typesOf(signal) {
  if (!can("read:events")) return new Map();
  const { data } = await get("/v1/events", { limit: 100 }, signal);
  return new Map(data.map((event) => [event.id, event.type]));
}

function deliveries(endpoint, types, asked, signal) {
  const again = (one) =>
    can("write:webhooks") && endpoint.status === "enabled"
      ? acting(t("webhooks.redeliver"), () => redeliver(one), { look: "quiet", class: "small" })
      : null;
  const columns = [
    {
      label: t("webhooks.event"),
      cell: (one) =>
        h(
          "div",
          h("button.linkish.mono", { type: "button", onclick: () => payload(one) }, types.get(one.event_id) || t("webhooks.payload")),
          h("p.hint", code(one.event_id)),
        ),
    },
    { label: t("status"), cell: (one) => tag(word("delivery", one.status), STATES[one.status]) },
    { label: t("webhooks.answer"), cell: whatItSaid },
    { label: t("webhooks.attempts"), class: "num", cell: (one) => number(one.attempts) },
    { label: t("made"), cell: (one) => when(one.created_at) },
    { label: t("webhooks.next"), cell: (one) => (one.next_attempt_at ? when(one.next_attempt_at) : "–") },
    { label: t("actions"), hiddenLabel: true, class: "acts", cell: (one) => h("div.row", again(one)) },
  ];
  return pagedTable({
    caption: t("webhooks.deliveries"),
    path: `/v1/webhook_endpoints/${endpoint.id}/deliveries`,
    query: asked,
    signal,
    columns,
    nothing: empty(t("webhooks.quiet_title"), t("webhooks.quiet")),
  });
}

// Which deliveries. Types to choose from are those that the endpoint names and those of the newest events.
function choicesOf(endpoint, types, asked) {
  const choice = (name, options, label) =>
    select(options, asked[name], {
      name,
      "aria-label": label,
      onchange: ({ target }) => {
        location.hash = addressOf(`#/webhooks/${endpoint.id}`, { ...asked, [name]: target.value });
      },
    });
  const named = endpoint.enabled_events.filter((one) => !one.includes("*"));
  const known = [...new Set([...named, ...types.values(), asked.type].filter(Boolean))].sort();
  const statuses = [["", t("webhooks.all")], ...Object.keys(STATES).map((one) => [one, word("delivery", one)])];
  return [choice("status", statuses, t("status")), choice("type", [["", t("webhooks.all_events")], ...known.map((one) => [one, one])], t("webhooks.event"))];
}

export async function webhook({ params, query, signal }) {
  const [endpoint] = await Promise.all([get(`/v1/webhook_endpoints/${params.id}`, {}, signal), useWords("webhooks")]);
  const asked = { status: query.get("status") || "", type: query.get("type") || "" };
  const types = await typesOf(signal);
  const choices = choicesOf(endpoint, types, asked);
  const isOn = endpoint.status === "enabled";
  const actions = can("write:webhooks")
    ? [
        acting(t(isOn ? "webhooks.switch_off" : "webhooks.switch_on"), () => flip(endpoint), { look: "quiet" }),
        button(t("webhooks.rotate"), () => rotate(endpoint), { look: "quiet" }),
        acting(t("webhooks.change"), () => changeEndpoint(endpoint, signal).catch(complain), { look: "quiet" }),
        acting(t("webhooks.delete"), () => deleteEndpoint(endpoint, signal).catch(complain), { look: "quiet" }),
        acting(t("webhooks.ping"), () => ping(endpoint), { look: "main", disabled: !isOn }),
      ]
    : [];
  const about = facts([
    [t("status"), tag(t(isOn ? "webhooks.on" : "webhooks.off"), isOn ? "good" : "plain")],
    [t("webhooks.health"), later(healthOf(endpoint, signal))],
    [t("webhooks.events"), h("span.row", endpoint.enabled_events.map(code))],
  ]);
  return {
    title: calledOf(endpoint),
    own: true,
    above: link("#/webhooks", t("nav.webhooks")),
    actions,
    body: [
      h("p.mono", { dir: "ltr" }, endpoint.url),
      about,
      recoveryCard(endpoint),
      section(
        t("webhooks.deliveries"),
        h("div.filters", choices, can("write:webhooks") && recovering(endpoint)),
        await deliveries(endpoint, types, asked, signal),
      ),
    ],
  };
}
