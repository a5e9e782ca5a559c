// Making a webhook endpoint, changing it, and taking it away.
import { ApiError, asking, can, getTagged, patch, remove } from "./api.js";
import { code, field, h, isWebAddress, replace, say, select } from "./dom.js";
import { formDialog, secretDialog } from "./dialogs.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { everything } from "./lists.js";
import { go, show } from "./router.js";
import { sayNext } from "./undo.js";

const ALL = "*";
const FIRST = ["submission.graded"];
const COUNTED_PAGES = 10;

export const calledOf = (endpoint) => endpoint.description || new URL(endpoint.url).host;

// Of what the service tells. A test is sent to whom it is sent to, whatever they listen to.
async function typesOf(signal) {
  if (!can("read:events")) return [];
  const { data } = await everything("/v1/event_types", {}, signal);
  return data.map(({ id }) => id).filter((id) => id !== "ping");
}

function box(value, checked, label = code(value)) {
  return h("label.toggle", h("input", { type: "checkbox", value, checked }), label);
}

// One kind of thing: all that happens to it, also what is told only later on, or some of it.
function familyOf(name, types, held) {
  const whole = box(`${name}.*`, held.has(`${name}.*`), h("span", t("webhooks.family", { name })));
  const boxes = types.map((type) => box(type, held.has(type)));
  const [of, each] = [whole.querySelector("input"), boxes.map((one) => one.querySelector("input"))];
  const count = h("span.hint");
  const read = () => (of.checked ? [of.value] : each.filter((input) => input.checked).map((input) => input.value));
  const draw = () => {
    for (const input of each) input.disabled = of.checked;
    count.textContent = of.checked ? t("webhooks.all_of_it") : t("webhooks.some_of", { count: number(read().length), of: number(each.length) });
  };
  draw();
  const inside = h("div.stack.tight", { onchange: draw }, whole, h("div.scopes", boxes));
  return { node: h("details", { open: read().length > 0 }, h("summary", code(name), " ", count), inside), read };
}

// Everything, or families and single kinds. What an endpoint has already stays to be chosen, also where the list does not have it.
function eventChoice(types, chosen) {
  const held = new Set(chosen);
  const known = [...types, ...chosen.filter((type) => !type.endsWith(ALL) && !types.includes(type))];
  const name = (type) => type.split(".")[0];
  const names = new Set([...known, ...chosen].filter((type) => type !== ALL).map(name));
  const families = [...names].map((one) => familyOf(one, known.filter((type) => name(type) === one), held));
  const place = h("div.stack.tight");
  const draw = (isAll) =>
    replace(place, isAll ? null : [families.map(({ node }) => node), !types.length && h("p.hint", t("webhooks.no_types"))]);
  const options = [["chosen", t("webhooks.hears_chosen")], [ALL, t("webhooks.hears_all")]];
  const isAll = held.has(ALL) || !names.size;
  const choice = select(options, isAll ? ALL : "chosen", { name: "enabled_events", onchange: () => draw(choice.value === ALL) });
  draw(isAll);
  const read = () => {
    const all = choice.value === ALL ? [ALL] : families.flatMap((one) => one.read());
    if (!all.length) throw new ApiError(0, { message: t("webhooks.none_chosen") });
    return all;
  };
  return { node: h("div.stack.tight", field(t("webhooks.events"), choice), place), read };
}

function endpointForm(types, endpoint) {
  const address = { type: "url", name: "url", dir: "ltr", placeholder: "https://", maxlength: 2000, required: true };
  const url = h("input.field", { ...address, value: endpoint?.url ?? "" });
  const description = h("input.field", { name: "description", dir: "auto", maxlength: 255, value: endpoint?.description ?? "" });
  const events = eventChoice(types, endpoint?.enabled_events ?? FIRST.filter((type) => types.includes(type)));
  const body = h(
    "div.stack",
    field(t("webhooks.url"), url, t(endpoint ? "webhooks.url_moves" : "webhooks.url_hint")),
    field(t("webhooks.description"), description),
    events.node,
  );
  const read = () => {
    const typed = url.value.trim();
    if (!isWebAddress(typed)) throw Object.assign(new ApiError(0, { message: t("webhooks.no_address") }), { at: "url" });
    return { url: typed, description: description.value.trim(), enabled_events: events.read() };
  };
  return { body, read };
}

export async function createEndpoint(signal) {
  const { body, read } = endpointForm(await typesOf(signal), null);
  const make = asking("/v1/webhook_endpoints");
  const dialog = formDialog(t("webhooks.new"), body, t("webhooks.make"), async () => {
    const made = await make(read());
    await show();
    return () => secretDialog(t("webhooks.secret"), t("webhooks.secret_what"), made.secret);
  });
  dialog.classList.add("broad");
}

const sorted = (value) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);

// Only what is otherwise than it was: the rest stays as it is there.
const changesOf = (before, now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => sorted(before[name]) !== sorted(value)));

export async function changeEndpoint({ id }, signal) {
  const [types, there] = await Promise.all([typesOf(signal), getTagged(`/v1/webhook_endpoints/${id}`, signal)]);
  let { found, tag } = there;
  const { body, read } = endpointForm(types, found);
  const dialog = formDialog(t("webhooks.change_title", { name: calledOf(found) }), body, t("webhooks.keep"), async () => {
    const changes = changesOf(found, read());
    try {
      if (Object.keys(changes).length) await patch(`/v1/webhook_endpoints/${id}`, changes, tag);
    } catch (error) {
      if (error.status !== 412) throw error;
      // What somebody else has set is shown once; who goes on then means it.
      ({ found, tag } = await getTagged(`/v1/webhook_endpoints/${id}`));
      const [address, events] = [`${found.description} ${found.url}`.trim(), found.enabled_events.join(", ")];
      throw new ApiError(412, { message: t("webhooks.overtaken", { address, events }) });
    }
    await show();
    say(t("webhooks.changed"));
  });
  dialog.classList.add("broad");
}

// What is on its way and would be lost, as far as it is counted.
async function waitingFor({ id }, signal) {
  const { data, complete } = await everything(`/v1/webhook_endpoints/${id}/deliveries`, { status: "pending" }, signal, COUNTED_PAGES);
  return t(complete ? "webhooks.lost" : "webhooks.lost_more", { count: number(data.length) });
}

export async function deleteEndpoint(endpoint, signal) {
  const name = calledOf(endpoint);
  const body = h("div.stack", h("p", t("webhooks.delete_what")), h("p", await waitingFor(endpoint, signal)));
  const destroy = async () => {
    try {
      await remove(`/v1/webhook_endpoints/${endpoint.id}`);
    } catch (error) {
      // Somebody else was faster: then it is gone all the same.
      if (error.status !== 404) throw error;
    }
    sayNext(() => say(t("webhooks.deleted", { name })));
    return () => go("#/webhooks");
  };
  formDialog(t("webhooks.delete_title", { name }), body, t("webhooks.delete"), destroy, "danger");
}
