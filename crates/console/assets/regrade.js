// One regrade: followed while AI is at work, looked through, applied with one confirmation and undone with one.
import { above, assignmentOf, lacking, pageOf } from "./assignment_pages.js";
import { failureOf, inWords, isBusy, progressCard, spent, stateTag } from "./batches.js";
import { ApiError, get, post } from "./api.js";
import { button, empty, facts, h, link, replace, say, section, unless } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { exactly, number, when } from "./format.js";
import { t, useWords } from "./i18n.js";
import { everything } from "./lists.js";
import { answerTable, changeColumns, changeOf, isHidden, replaceColumn } from "./regrade_items.js";
import { complain, show } from "./router.js";
import { backLink } from "./way_back.js";

// As many pages of answers as a batch has at most.
const MOST_PAGES = 100;
// The step of the histogram that has what stays as it is.
const MIDDLE = 10;

// --- What would change, in figures

// Isolated, so that a sign stays on its side of the number in a sentence from right to left.
function share(value, options = {}) {
  return `\u2066${number(value, { style: "percent", maximumFractionDigits: 1, ...options })}\u2069`;
}

function sentences({ compared, changed, crossing_up: up, crossing_down: down, mean_change: mean, decided_by_person: decided, without_grade: fresh }, isOpen) {
  return [
    compared > 0 && t("regrade.would_change", { count: number(changed), of: number(compared), mean: share(mean, { signDisplay: "exceptZero" }) }),
    compared > 0 && t("regrade.would_cross", { up: number(up), down: number(down) }),
    fresh > 0 && t("regrade.would_be_first", { count: number(fresh) }),
    decided > 0 && t(isOpen ? "regrade.decided_open" : "regrade.decided", { count: number(decided) }),
  ].filter(Boolean);
}

// Rows from the first that counts anything to the last. What stays as it is has one of its own: in the service's steps it is
// among the gains of less than a tenth.
function steps({ histogram, compared, changed }) {
  const same = compared - changed;
  const named = (count, at) => {
    const [from, to] = [at / 10 - 1, (at + 1) / 10 - 1].map((edge) => share(edge, { maximumFractionDigits: 0, signDisplay: "exceptZero" }));
    if (at === MIDDLE) return { label: t("regrade.step_gains", { from, to }), count: count - same };
    return { label: at === histogram.length - 1 ? t("regrade.step_last", { from }) : t("regrade.step", { from, to }), count };
  };
  const all = histogram.map(named);
  all.splice(MIDDLE, 0, { label: t("regrade.step_same"), count: same });
  const counted = all.flatMap(({ count }, at) => (count ? [at] : []));
  return counted.length ? all.slice(counted[0], counted.at(-1) + 1) : [];
}

function bar(count, most) {
  const node = h("i", { "aria-hidden": "true" });
  node.style.inlineSize = `${(100 * count) / most}%`;
  return node;
}

function histogram(summary) {
  const rows = steps(summary);
  const most = Math.max(...rows.map(({ count }) => count));
  const row = ({ label, count }) => h("tr", h("th", { scope: "row" }, label), h("td.num", number(count)), h("td.drawn", count > 0 && bar(count, most)));
  return h(
    "table.steps-table",
    h("caption", t("regrade.histogram")),
    h("thead.unseen", h("tr", ["regrade.step_head", "regrade.answers", "regrade.bar"].map((label) => h("th", { scope: "col" }, t(label))))),
    h("tbody", rows.map(row)),
  );
}

function summaryOf(batch) {
  const { summary, items } = batch;
  const isOpen = batch.state === "ready";
  return section(
    t(isOpen ? "regrade.summary" : "regrade.summary_then"),
    h(
      "div.card.stack",
      sentences(summary, isOpen).map((one) => h("p", one)),
      summary.compared > 0 && histogram(summary),
      facts([
        [t("regrade.answers"), number(items.total)],
        items.failed > 0 && [t("regrade.failed"), number(items.failed)],
        [t("regrade.cost"), spent(summary.cost_usd)],
      ]),
    ),
  );
}

// --- Answer by answer

const isGraded = ({ state }) => state === "graded";
const isOpen = (item) => isGraded(item) && !isHidden(item);
const isDecided = (item) => isOpen(item) && item.old.decided;
const isFree = (item) => isOpen(item) && !item.old.decided;

// What a state shows, in this order; an answer is in the first that takes it.
const READY = [
  ["down", (item) => isFree(item) && item.crossing === "down"],
  ["up", (item) => isFree(item) && item.crossing === "up"],
  ["decided", isDecided],
  ["changed", (item) => isFree(item) && Boolean(changeOf(item))],
  ["first", (item) => isFree(item) && item.old.score === null],
  ["same", isFree],
  ["hidden", isGraded],
  ["left", ({ state }) => state === "left"],
  ["failed", ({ state }) => state === "failed"],
];
const OVER = [
  ["landed_down", ({ state, crossing }) => state === "landed" && crossing === "down"],
  ["landed_up", ({ state, crossing }) => state === "landed" && crossing === "up"],
  ["landed", ({ state }) => state === "landed"],
  ["kept", ({ state }) => state === "kept"],
  ["undone", ({ state }) => state === "undone"],
  ["left", ({ state }) => state === "left"],
  ["failed", ({ state }) => state === "failed"],
];

function sorted(items, groups) {
  const found = new Map(groups.map(([name]) => [name, []]));
  for (const item of items) {
    const [name] = groups.find(([, takes]) => takes(item)) || [];
    found.get(name)?.push(item);
  }
  return found;
}

function columnsOf(name, chosen, onchange) {
  if (name === "failed") return [{ label: t("batch.why"), cell: ({ item }) => failureOf(item) }];
  return name === "decided" && !lacking("write:grades") ? [...changeColumns(), replaceColumn(chosen, onchange)] : changeColumns();
}

// What changes nothing is there for who asks for it.
function folded(title, load) {
  const place = h("div.stack");
  const ontoggle = () => {
    if (!place.firstChild) load().then((node) => replace(place, node), complain);
  };
  return h("section.section", h("details", { ontoggle }, h("summary", h("h2.inline", title)), place));
}

async function groupSection(name, items, columns, signal) {
  const title = t(`regrade.group_${name}`, { count: number(items.length) });
  const load = () => answerTable(title, items, columns, signal);
  if (["same", "undone"].includes(name)) return folded(title, load);
  const hint = { decided: "regrade.decided_hint", hidden: "regrade.hidden_hint", down: "regrade.pass_hint" }[name];
  return section(title, hint && h("p.quiet", t(hint)), await load());
}

// --- Applying, undoing

// What a commit does with these answers, were it done now.
function plan(items, chosen) {
  const taken = items.filter((item) => isFree(item) || (isDecided(item) && chosen.has(item.submission_id)));
  const count = (is) => taken.filter(is).length;
  return {
    lands: taken.length,
    changed: count((item) => Boolean(changeOf(item))),
    first: count(({ old }) => old.score === null),
    up: count(({ crossing }) => crossing === "up"),
    down: count(({ crossing }) => crossing === "down"),
    replaced: count(isDecided),
    kept: items.filter(isDecided).length - count(isDecided),
    hidden: items.filter((item) => isGraded(item) && isHidden(item)).length,
    failed: items.filter(({ state }) => state === "failed").length,
  };
}

function applyDialog(batch, items, chosen) {
  const will = plan(items, chosen);
  const shown = ["lands", "changed", "first", "up", "down", "replaced", "kept", "hidden", "failed"];
  const always = ["lands", "changed", "up", "down", "replaced"];
  const lines = shown.filter((name) => will[name] || always.includes(name));
  const body = h(
    "div.stack",
    h("ul.list.counted", lines.map((name) => h("li", h("span", t(`regrade.will_${name}`)), h("b.num", number(will[name]))))),
    h("p", t("regrade.apply_what")),
    h("p", t("regrade.apply_moved")),
  );
  const isOutdated = ({ message }) => (message.includes("has changed since") ? t("regrade.outdated") : null);
  formDialog(t("regrade.apply_title"), body, t("regrade.apply", { count: number(will.lands) }), async () => {
    await inWords(() => post(`/v1/batches/${batch.id}/commit`, { replace: [...chosen] }), isOutdated);
    return show;
  });
}

function undoDialog({ id, items }) {
  confirmDialog(t("regrade.undo_title"), t("regrade.undo_what", { count: number(items.landed) }), t("regrade.undo"), async () => {
    await inWords(() => post(`/v1/batches/${id}/undo`));
    return show;
  });
}

function throwDialog({ id }) {
  confirmDialog(t("regrade.throw_title"), t("regrade.throw_what"), t("regrade.throw"), async () => {
    await inWords(() => post(`/v1/batches/${id}/stop`));
    say(t("regrade.thrown"));
    return show;
  });
}

// What can be done with a preview. It says how many grades that is, and says so anew with every box.
function readyActions(batch, items, chosen) {
  const place = h("div");
  const draw = () => {
    const { lands } = plan(items, chosen);
    const reason = lands ? lacking("write:grades") : t("regrade.nothing_to_apply");
    const apply = unless(reason, t("regrade.apply", { count: number(lands) }), () => applyDialog(batch, items, chosen), { look: "main" });
    const away = !lacking("write:grades") && button(t("regrade.throw"), () => throwDialog(batch), { look: "danger" });
    replace(place, h("div.acts-row", apply, away));
  };
  draw();
  return { node: place, draw };
}

function committedActions(batch) {
  const reason = batch.items.landed ? lacking("write:grades") : t("regrade.nothing_to_undo");
  return h("div.acts-row", unless(reason, t("regrade.undo"), () => undoDialog(batch), { look: "danger" }));
}

// --- The page

function outcome({ state, items }) {
  if (state === "committed") return h("p", t("regrade.applied_of", { count: number(items.landed), left: number(items.left) }));
  if (state === "undone") return h("p", t("regrade.undone_of", { count: number(items.undone), kept: number(items.kept) }));
  return h("p", t(`regrade.is_${state}`));
}

async function answers(batch, items, actions, chosen, signal) {
  const groups = sorted(items, batch.state === "ready" ? READY : OVER);
  const filled = [...groups].filter(([, inside]) => inside.length);
  return Promise.all(filled.map(([name, inside]) => groupSection(name, inside, columnsOf(name, chosen, actions?.draw), signal)));
}

async function contents(batch, signal) {
  if (isBusy(batch)) {
    const canStop = batch.state === "running" && !lacking("write:grades");
    return progressCard(batch, { signal, stop: canStop ? { what: t("regrade.stop_what") } : null });
  }
  const head = (node) => h("div.card.stack", h("div.row.spread", stateTag(batch), h("span.hint", when(batch.updated_at))), outcome(batch), node);
  if (batch.items.total === 0) return empty(t("regrade.empty_title"), t("regrade.empty"), link(pageOf(batch.assignment_id, "regrades"), t("regrade.title")));
  if (!batch.summary || batch.state === "stopped") return head();
  const { data: items, complete } = await everything(`/v1/batches/${batch.id}/items`, {}, signal, MOST_PAGES);
  const chosen = new Set();
  const actions = batch.state === "ready" ? readyActions(batch, items, chosen) : null;
  return [
    head(actions ? actions.node : batch.state === "committed" && committedActions(batch)),
    summaryOf(batch),
    !complete && h("p.notice", t("regrade.not_all", { count: number(items.length) })),
    await answers(batch, items, actions, chosen, signal),
  ];
}

export async function regrade({ params: { id, batch: name }, signal }) {
  const asking = [assignmentOf(id, signal), get(`/v1/batches/${name}`, {}, signal)];
  const [assignment, batch] = await Promise.all([...asking, ...["batches", "desk", "ways"].map(useWords)]);
  if (batch.assignment_id !== id || batch.kind !== "regrade") throw new ApiError(404, { code: "resource_missing" });
  return {
    title: t("regrade.one", { when: exactly(batch.created_at) }),
    above: above(assignment, link(pageOf(id, "regrades"), t("regrade.title")), backLink(id)),
    body: [h("p.lede", t(batch.only_stale ? "regrade.is_of_stale" : "regrade.is_of_all")), await contents(batch, signal)],
  };
}
