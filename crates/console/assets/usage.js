// What AI took and cost: day by day as a drawing and as a table, by what it was for, call by call.
import { can, get, patch, session } from "./api.js";
import { formDialog } from "./dialogs.js";
import { button, code, empty, facts, field, h, own, say, section, select, svg, tag } from "./dom.js";
import { exactly, number, percent, usd, when } from "./format.js";
import { currentLanguage, t, useWords, word } from "./i18n.js";
import { pagedTable, table } from "./lists.js";
import { show } from "./router.js";

const OUTCOMES = { answered: "good", invalid: "bad", refused: "bad", unavailable: "wait" };
const [WIDTH, HEIGHT, BASE] = [720, 200, 172];

function monthStart(back) {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
}

function dayName(day, options) {
  return new Intl.DateTimeFormat(currentLanguage(), { timeZone: "UTC", ...options }).format(new Date(day));
}

// Every day of the period, also those on which nothing happened.
function daysOf(usage) {
  const known = new Map(usage.by_day.map((day) => [day.day, day]));
  const end = Math.min(new Date(usage.to), Date.now() + 1);
  const days = [];
  for (let at = Date.parse(usage.from); at < end; at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(day) || { day, calls: 0, tokens_in: 0, tokens_out: 0, cost_usd: 0 });
  }
  return days;
}

function bars(days) {
  const most = Math.max(1, ...days.map((day) => day.tokens_in + day.tokens_out));
  const step = (WIDTH - 76) / days.length;
  const width = Math.min(28, step * 0.7);
  const tall = (tokens) => (tokens / most) * (BASE - 16);
  const bar = (day, at) => {
    const x = 56 + at * step + (step - width) / 2;
    const [read, written] = [tall(day.tokens_in), tall(day.tokens_out)];
    return svg(
      "g",
      {},
      svg("rect", { class: "in", x, y: BASE - read, width, height: read }),
      written ? svg("rect", { class: "out", x, y: BASE - read - written, width, height: written }) : null,
      svg("title", {}, `${dayName(day.day, { dateStyle: "medium" })}: ${number(day.tokens_in + day.tokens_out)}`),
    );
  };
  const every = Math.ceil(days.length / 8);
  const labels = days.map((day, at) =>
    at % every
      ? null
      : svg(
          "text",
          { x: 56 + at * step + step / 2, y: HEIGHT - 8, "text-anchor": "middle" },
          dayName(day.day, { day: "numeric", month: "short" }),
        ),
  );
  const lines = [0, 0.5, 1].map((share) =>
    svg(
      "g",
      {},
      svg("line", { x1: 56, x2: WIDTH, y1: BASE - share * (BASE - 16), y2: BASE - share * (BASE - 16) }),
      svg(
        "text",
        { x: 48, y: BASE - share * (BASE - 16) + 4, "text-anchor": "end" },
        number(most * share, { notation: "compact", maximumFractionDigits: 1 }),
      ),
    ),
  );
  return svg(
    "svg",
    { class: "bars", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("usage.chart"), direction: "ltr" },
    lines,
    days.map(bar),
    labels,
  );
}

function totals(label, name) {
  const cost = (one) => usd(one.cost_usd);
  return [
    { label, cell: name },
    { label: t("usage.calls"), class: "num", cell: (one) => number(one.calls) },
    { label: t("usage.in"), class: "num", cell: (one) => number(one.tokens_in) },
    { label: t("usage.out"), class: "num", cell: (one) => number(one.tokens_out) },
    { label: t("usage.cost"), class: "num", cell: cost },
  ];
}

function budgetOf({ budget }) {
  const rows = [];
  if (budget.monthly_usd !== null) rows.push([t("usage.money"), budget.used_usd, budget.monthly_usd, usd]);
  if (budget.monthly_tokens !== null) rows.push([t("usage.tokens"), budget.used_tokens, budget.monthly_tokens, number]);
  const line = ([label, used, most, write]) =>
    h(
      "div.stack.tight",
      h(
        "p.row.spread",
        h("strong", label),
        h("span.num", t("usage.used_of", { used: write(used), most: write(most), share: percent((100 * used) / most) })),
      ),
      h("progress", { max: most, value: Math.min(used, most), "aria-label": label }),
    );
  return h(
    "div.card.stack",
    h("h2", t("usage.budget")),
    rows.length ? rows.map(line) : h("p.quiet", t("usage.no_budget")),
    h("p.hint", t("usage.resets", { when: exactly(budget.resets_at) })),
    can("write:workspaces") && h("div", button(t("usage.set"), () => budgetDialog(budget), { class: "small", icon: "edit" })),
  );
}

// What may be spent; empty is without a limit. Nothing but that is sent.
function budgetDialog(budget) {
  const amount = (value, step) => h("input.field.narrow", { type: "number", min: 0, step, inputmode: "decimal", value: value ?? "" });
  const [money, tokens] = [amount(budget.monthly_usd, "any"), amount(budget.monthly_tokens, 1)];
  const body = h("div.stack", field(t("usage.money_usd"), money), field(t("usage.tokens"), tokens), h("p.hint", t("usage.set_hint")));
  const read = (input) => (input.value === "" ? null : Number(input.value));
  formDialog(t("usage.budget_title"), body, t("usage.save"), async () => {
    await patch(`/v1/workspaces/${session.platform.workspace_id}`, { ai: { monthly_budget: { usd: read(money), tokens: read(tokens) } } });
    return () => show().then(() => say(t("usage.saved")));
  });
}

function calls(signal, feature) {
  const columns = [
    { label: t("usage.what"), cell: (one) => h("div", word("feature", one.feature), h("p.hint", code(one.subject_id))) },
    { label: t("usage.model"), cell: (one) => h("div", own("span", one.model || one.model_asked), h("p.hint", { dir: "ltr" }, one.host)) },
    { label: t("usage.sent"), cell: (one) => h("span.hint", one.sent.map((part) => word("class", part)).join(", ")) },
    { label: t("usage.outcome"), cell: (one) => tag(word("outcome", one.outcome), OUTCOMES[one.outcome]) },
    {
      label: t("usage.tokens"),
      class: "num",
      cell: (one) => `${one.estimated ? "≈ " : ""}${number(one.tokens_in)} + ${number(one.tokens_out)}`,
    },
    { label: t("usage.cost"), class: "num", cell: (one) => usd(one.cost_usd) },
    {
      label: t("usage.latency"),
      class: "num",
      cell: (one) => number(one.latency_ms / 1000, { style: "unit", unit: "second", maximumFractionDigits: 2 }),
    },
    { label: t("usage.at"), cell: (one) => when(one.created_at) },
  ];
  return pagedTable({
    caption: t("usage.every"),
    path: "/v1/ai/calls",
    query: { feature },
    signal,
    columns,
    nothing: empty(t("usage.none_title"), t("usage.none")),
  });
}

function monthChoice(back) {
  const months = [0, 1, 2, 3, 4, 5].map((one) => [String(one), dayName(monthStart(one), { month: "long", year: "numeric" })]);
  const onchange = (event) => {
    location.hash = `#/usage?back=${event.target.value}`;
  };
  return select(months, String(back), { "aria-label": t("usage.month"), onchange });
}

function dayByDay(found) {
  const days = daysOf(found);
  const columns = totals(t("usage.day"), (one) => dayName(one.day, { dateStyle: "medium" }));
  const byDay = table(t("usage.by_day"), columns, days.filter((day) => day.calls).reverse());
  const legend = h("div.legend", h("span.in", h("i"), t("usage.in")), h("span.out", h("i"), t("usage.out")));
  const same = h("details", h("summary", t("usage.as_table")), h("div.card.flush", byDay.node));
  return h("div.stack", h("div.card.stack", legend, bars(days)), same);
}

function split(title, columns, rows) {
  return section(title, h("div.card.flush", table(title, columns, rows).node));
}

export async function usage({ query, signal }) {
  const back = Number(query.get("back")) || 0;
  const month = { from: monthStart(back).toISOString(), to: monthStart(back - 1).toISOString() };
  const [found] = await Promise.all([get("/v1/ai/usage", month, signal), useWords("usage")]);
  const page = { title: t("nav.usage"), actions: [monthChoice(back)] };
  if (!found.totals.calls) return { ...page, body: [h("div.two", empty(t("usage.none_title"), t("usage.none")), budgetOf(found))] };
  const pairs = [
    [t("usage.cost"), usd(found.totals.cost_usd)],
    [t("usage.calls"), number(found.totals.calls)],
    [t("usage.in"), number(found.totals.tokens_in)],
    [t("usage.out"), number(found.totals.tokens_out)],
  ];
  const byFeature = totals(t("usage.what"), (one) => word("feature", one.feature));
  const byModel = totals(t("usage.model"), (one) => own("span", one.model));
  const tables = h("div.two.even", split(t("usage.by_feature"), byFeature, found.by_feature), split(t("usage.by_model"), byModel, found.by_model));
  const every = section(t("usage.every"), await calls(signal));
  return { ...page, body: [facts(pairs, "dl.facts.large"), h("div.two", dayByDay(found), budgetOf(found)), tables, every] };
}
