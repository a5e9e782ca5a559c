// What AI took and cost: day by day as a drawing and as a table, by what it was for, call by call.
import { ApiError, can, get, patch, session } from "./api.js";
import { saveFile, sheet } from "./csv.js";
import { formDialog } from "./dialogs.js";
import { button, code, empty, facts, field, h, own, replace, say, section, select, svg, tag } from "./dom.js";
import { addressOf } from "./finding.js";
import { exactly, number, percent, usd, when } from "./format.js";
import { currentLanguage, t, useWords, word } from "./i18n.js";
import { pagedTable, table } from "./lists.js";
import { problem, show } from "./router.js";

const OUTCOMES = { answered: "good", invalid: "bad", refused: "bad", unavailable: "wait" };
const MONTHS = [0, 1, 2, 3, 4, 5];
const FEATURES = ["grading", "explaining", "drafting", "checking", "tutoring", "speaking"];
const FAILURES = ["error", "built_in"];
const COLUMNS = ["by", "name", "calls", "tokens_in", "tokens_out", "tokens_cached", "cost_usd", "unpriced_calls"];
const NOTHING = { calls: 0, tokens_in: 0, tokens_out: 0, tokens_cached: 0, cost_usd: 0, unpriced_calls: 0 };
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
    days.push(known.get(day) || { day, ...NOTHING });
  }
  return days;
}

// What a picture of days can be of: the parts that a bar is made of, and how a sum and the scale are written.
const PICTURES = {
  tokens: {
    parts: (day) => [["in", day.tokens_in], ["out", day.tokens_out]],
    names: { in: "usage.in", out: "usage.out" },
    write: (value) => number(value),
    scale: (value) => number(value, { notation: "compact", maximumFractionDigits: 1 }),
    chart: "usage.chart",
  },
  money: {
    parts: (day) => [["in", day.cost_usd || 0]],
    names: { in: "usage.money_usd" },
    write: usd,
    scale: (value) => number(value, { notation: "compact", maximumSignificantDigits: 2 }),
    chart: "usage.chart_money",
  },
};

function bars(days, { parts, write, scale, chart }) {
  const sumOf = (day) => parts(day).reduce((sum, [, value]) => sum + value, 0);
  const most = Math.max(...days.map(sumOf)) || 1;
  const step = (WIDTH - 76) / days.length;
  const width = Math.min(28, step * 0.7);
  const bar = (day, at) => {
    const x = 56 + at * step + (step - width) / 2;
    let top = BASE;
    const box = ([look, value]) => {
      const height = (value / most) * (BASE - 16);
      top -= height;
      return height ? svg("rect", { class: look, x, y: top, width, height }) : null;
    };
    return svg("g", {}, parts(day).map(box), svg("title", {}, `${dayName(day.day, { dateStyle: "medium" })}: ${write(sumOf(day))}`));
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
        scale(most * share),
      ),
    ),
  );
  return svg(
    "svg",
    { class: "bars", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t(chart), direction: "ltr" },
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

// Of nothing all is used.
const shareOf = (used, most) => (most > 0 ? (100 * used) / most : 100);

function budgetOf({ budget }, workspace) {
  const rows = [];
  if (budget.monthly_usd !== null) rows.push([t("usage.money"), budget.used_usd, budget.monthly_usd, usd]);
  if (budget.monthly_tokens !== null) rows.push([t("usage.tokens"), budget.used_tokens, budget.monthly_tokens, number]);
  const line = ([label, used, most, write]) =>
    h(
      "div.stack.tight",
      h(
        "p.row.spread",
        h("strong", label),
        h("span.num", t("usage.used_of", { used: write(used), most: write(most), share: percent(shareOf(used, most)) })),
      ),
      h("progress", { max: 100, value: Math.min(shareOf(used, most), 100), "aria-label": label }),
    );
  const { usd: money, tokens } = workspace.ai.monthly_budget;
  const isOfService = rows.length > 0 && money === null && tokens === null;
  return h(
    "div.card.stack",
    h("h2", t("usage.budget")),
    rows.length ? rows.map(line) : h("p.quiet", t("usage.no_budget")),
    isOfService ? h("p.hint", t("usage.of_service")) : null,
    h("p.hint", t("usage.resets", { when: exactly(budget.resets_at) })),
    facts([[t("usage.failure"), word("failure", workspace.ai.on_provider_failure)]]),
    can("write:workspaces") && h("div", button(t("usage.set"), () => budgetDialog(workspace.ai), { class: "small", icon: "edit" })),
  );
}

// How learners share the month, and how fast they may.
function sharesOf({ quotas }) {
  const pairs = [
    [t("usage.learners_percent"), percent(quotas.ai_learners_percent)],
    [t("usage.package_percent"), percent(quotas.ai_package_percent)],
    [t("usage.learner_hour"), number(quotas.ai_gradings_per_learner_hour)],
    [t("usage.package_hour"), number(quotas.ai_gradings_per_package_hour)],
  ];
  return h("div.card.stack", h("h2", t("usage.shares")), facts(pairs), h("p.hint", t("usage.shares_hint")));
}

function wrong(input) {
  input.setAttribute("aria-invalid", "true");
  input.focus();
}

// A number, or no limit where nothing stands. What is no number is not taken for no limit.
function amountIn(input) {
  if (input.value !== "") return Number(input.value);
  if (!input.validity.badInput) return null;
  wrong(input);
  throw new ApiError(0, { message: t("usage.no_number") });
}

// What may be spent, empty is without a limit, and what becomes of it where no provider answers. What was not changed is not sent:
// somebody else may have changed it meanwhile.
function budgetDialog(ai) {
  const amount = (value, step) =>
    h("input.field.narrow", {
      type: "number",
      min: 0,
      step,
      inputmode: "decimal",
      value: value ?? "",
      oninput: (event) => event.target.removeAttribute("aria-invalid"),
    });
  const inputs = { usd: amount(ai.monthly_budget.usd, "any"), tokens: amount(ai.monthly_budget.tokens, 1) };
  const failure = select(FAILURES.map((one) => [one, word("failure", one)]), ai.on_provider_failure);
  const body = h(
    "div.stack",
    field(t("usage.money_usd"), inputs.usd),
    field(t("usage.tokens"), inputs.tokens),
    h("p.hint", t("usage.set_hint")),
    field(t("usage.failure"), failure, t("usage.failure_hint")),
  );
  formDialog(t("usage.budget_title"), body, t("usage.save"), async () => {
    const read = Object.entries(inputs).map(([name, input]) => [name, amountIn(input)]);
    const budget = Object.fromEntries(read.filter(([name, value]) => value !== ai.monthly_budget[name]));
    const changed = {};
    if (Object.keys(budget).length) changed.monthly_budget = budget;
    if (failure.value !== ai.on_provider_failure) changed.on_provider_failure = failure.value;
    try {
      await patch(`/v1/workspaces/${session.platform.workspace_id}`, { ai: changed });
    } catch (error) {
      const name = Object.keys(inputs).find((one) => error.fields?.[`ai.monthly_budget.${one}`]);
      if (name) wrong(inputs[name]);
      throw error;
    }
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
    nothing: feature ? empty(t("usage.none_of_title"), t("usage.none_of")) : empty(t("usage.none_title"), t("usage.none")),
  });
}

// The page as it is asked for: month, picture and purpose stand in the address.
function keep(asked, changes) {
  Object.assign(asked, changes);
  return addressOf("#/usage", asked);
}

// Those for one purpose, in the place of all. Only the last that was asked for is shown.
async function everyCall(asked, signal) {
  const host = h("div.stack");
  let turn = new AbortController();
  const draw = async () => {
    turn.abort();
    turn = new AbortController();
    const mine = AbortSignal.any([signal, turn.signal]);
    host.setAttribute("aria-busy", "true");
    const list = await calls(mine, asked.feature);
    if (mine.aborted) return;
    replace(host, list);
    host.removeAttribute("aria-busy");
  };
  const drawn = () =>
    draw().catch((error) => {
      if (error.name === "AbortError") return;
      host.removeAttribute("aria-busy");
      replace(host, problem(error, drawn));
    });
  const onchange = (event) => {
    history.replaceState(null, "", keep(asked, { feature: event.target.value }));
    return drawn();
  };
  const purposes = [["", t("usage.every_purpose")], ...FEATURES.map((one) => [one, word("feature", one)])];
  const choice = select(purposes, asked.feature, { name: "feature", "aria-label": t("usage.what"), onchange });
  await draw();
  return section(t("usage.every"), h("div.filters", choice), host);
}

function monthChoice(asked) {
  const months = MONTHS.map((one) => [String(one), dayName(monthStart(one), { month: "long", year: "numeric" })]);
  const onchange = (event) => {
    location.hash = keep(asked, { back: Number(event.target.value) });
  };
  return select(months, String(asked.back), { "aria-label": t("usage.month"), onchange });
}

function dayByDay(found, asked) {
  const days = daysOf(found);
  const columns = totals(t("usage.day"), (one) => dayName(one.day, { dateStyle: "medium" }));
  const byDay = table(t("usage.by_day"), columns, days.filter((day) => day.calls).reverse());
  const same = h("details", h("summary", t("usage.as_table")), h("div.card.flush", byDay.node));
  const card = h("div.card.stack");
  const onchange = (event) => {
    history.replaceState(null, "", keep(asked, { of: event.target.value }));
    draw();
  };
  const choice = select(
    [["", t("usage.tokens")], ["money", t("usage.money")]],
    asked.of,
    { name: "of", "aria-label": t("usage.picture"), onchange },
  );
  const hint = h("p.hint");
  const drawing = h("div");
  const legend = h("div.legend");
  const draw = () => {
    const what = PICTURES[asked.of || "tokens"];
    replace(legend, Object.entries(what.names).map(([look, name]) => h(`span.${look}`, h("i"), t(name))));
    replace(drawing, bars(days, what));
    const count = found.totals.unpriced_calls;
    hint.hidden = asked.of !== "money" || !count;
    replace(hint, t("usage.unpriced", { count: number(count) }));
  };
  draw();
  replace(card, h("div.row.spread", legend, choice), drawing, hint);
  return h("div.stack", card, same);
}

// Days, purposes and models in one table, so that sums can be made of it.
function saveTable(found) {
  const row = (by, name, one) => [by, name, ...COLUMNS.slice(2).map((column) => one[column])];
  const rows = [
    ...daysOf(found).map((one) => row("day", one.day, one)),
    ...found.by_feature.map((one) => row("feature", one.feature, one)),
    ...found.by_model.map((one) => row("model", one.model, one)),
  ];
  saveFile(`ai-usage-${found.from.slice(0, 7)}.csv`, sheet(COLUMNS, rows), "text/csv");
}

function split(title, columns, rows) {
  return section(title, h("div.card.flush", table(title, columns, rows).node));
}

function askedOf(query) {
  const known = (name, values) => (values.includes(query.get(name)) ? query.get(name) : "");
  const back = Number(query.get("back"));
  return { back: back > 0 && back < MONTHS.length ? Math.floor(back) : 0, of: known("of", ["money"]), feature: known("feature", FEATURES) };
}

export async function usage({ query, signal }) {
  const asked = askedOf(query);
  const month = { from: monthStart(asked.back).toISOString(), to: monthStart(asked.back - 1).toISOString() };
  const [found, workspace] = await Promise.all([
    get("/v1/ai/usage", month, signal),
    get(`/v1/workspaces/${session.platform.workspace_id}`, {}, signal),
    useWords("usage"),
  ]);
  const page = { title: t("nav.usage"), actions: [monthChoice(asked)] };
  const [budget, shares] = [budgetOf(found, workspace), sharesOf(workspace)];
  if (!found.totals.calls) return { ...page, body: [h("div.two", h("div.stack", empty(t("usage.none_title"), t("usage.none")), shares), budget)] };
  const pairs = [
    [t("usage.cost"), usd(found.totals.cost_usd)],
    [t("usage.calls"), number(found.totals.calls)],
    [t("usage.in"), number(found.totals.tokens_in)],
    [t("usage.out"), number(found.totals.tokens_out)],
  ];
  const byFeature = totals(t("usage.what"), (one) => word("feature", one.feature));
  const byModel = totals(t("usage.model"), (one) => own("span", one.model));
  const tables = h("div.two.even", split(t("usage.by_feature"), byFeature, found.by_feature), split(t("usage.by_model"), byModel, found.by_model));
  const every = await everyCall(asked, signal);
  const saving = button(t("usage.csv"), () => saveTable(found), { look: "quiet" });
  return {
    ...page,
    actions: [...page.actions, saving],
    body: [facts(pairs, "dl.facts.large"), h("div.two", h("div.stack", dayByDay(found, asked), shares), budget), tables, every],
  };
}
