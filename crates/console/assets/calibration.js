// How AI and the teacher of an assignment agree, and which answers to grade next so that more is known of it.
import { answerList } from "./answers.js";
import { above, assignmentOf, pagesNav } from "./assignment_pages.js";
import { ApiError, can, get, post } from "./api.js";
import { acting, empty, facts, h, say, section } from "./dom.js";
import { number, percent } from "./format.js";
import { has, t, useWords } from "./i18n.js";
import { complain, go, show } from "./router.js";

// Below so many answers nothing is said of how both agree.
const FEWEST = 5;
// So many of the newest answers the service looks at.
const LOOKED_AT = 2000;
const SHARES = ["exact", "within_tenth", "flips", "disagreements"];

// --- What to grade next

function deskOf(assignment, submission) {
  return `#/review/${submission}?queue=blind&assignment=${assignment}`;
}

// Who was faster with one of them takes it out of the list, and no more.
async function hideEach(assignment, ids) {
  const hidden = [];
  for (const id of ids) {
    try {
      await post(`/v1/submissions/${id}/blind`);
      hidden.push(id);
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken) {
        complain(error);
        return show();
      }
    }
  }
  if (hidden.length) return go(deskOf(assignment, hidden[0]));
  say(t("blind.over"), "plain");
  return show();
}

function choice(kind, assignment, ids, look) {
  const take = acting(t(`calibration.${kind}`, { count: number(ids.length) }), () => hideEach(assignment, ids), { look });
  return h(
    "div.card.stack.tight",
    h("h3", t(`calibration.${kind}_title`)),
    h("p.quiet", t(`calibration.${kind}_what`)),
    ids.length ? can("write:grades") && h("div", take) : h("p.hint", t("calibration.none_open")),
  );
}

async function waiting(assignment, ids, signal) {
  if (!ids.length) return null;
  const list = await answerList(ids, (id) => deskOf(assignment, id), signal);
  return section(t("calibration.waiting", { count: number(ids.length) }), list);
}

// --- How both agree

// Rounded outwards: no end of an interval is told nearer than it is.
function between({ low, high }) {
  const [from, to] = [Math.floor(low * 100 + 1e-6), Math.ceil(high * 100 - 1e-6)];
  return t("calibration.between", { low: percent(from), high: percent(to) });
}

// From 0 to 1: the interval, and the figure in it.
function scale({ value, low, high }) {
  const node = h("div.scale", { "aria-hidden": "true" }, h("i"), h("b"));
  node.firstChild.style.insetInlineStart = `${100 * low}%`;
  node.firstChild.style.inlineSize = `${100 * (high - low)}%`;
  node.lastChild.style.insetInlineStart = `${100 * value}%`;
  return node;
}

function share(name, estimate, answers) {
  const count = number(Math.round(estimate.value * answers));
  return h(
    "li.figure",
    h("p", t(`calibration.${name}`, { count, of: number(answers) })),
    scale(estimate),
    h("p.hint", between(estimate)),
  );
}

// A figure that is no share: `written` says how its numbers are told.
function figure(name, estimate, written, values = {}) {
  if (!estimate) return null;
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map(written);
  return h(
    "li.figure",
    h("p", t(`calibration.${name}`, { value, ...values })),
    h("p.hint", t("calibration.between", { low, high })),
  );
}

function agreementCard(agreement, most) {
  const { answers = 0, method } = agreement || {};
  if (answers < FEWEST) {
    const said = t("calibration.too_few", { count: number(answers), fewest: number(FEWEST) });
    return empty(t("calibration.too_few_title"), said);
  }
  const inPoints = (part) => number(part * most, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  return h(
    "div.card.stack",
    h("p", t(`calibration.${method}`)),
    h(
      "ul.figures",
      SHARES.map((name) => share(name, agreement[name], answers)),
      figure("mean", agreement.mean_difference, inPoints, { max: number(most) }),
      figure("kappa", agreement.kappa, (value) => number(value)),
    ),
    h("p.hint", t("calibration.interval")),
    h("p.hint", t("calibration.limits")),
  );
}

// --- What became of AI's grades

function reasonsTable(reasons) {
  const rows = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  if (!rows.length) return null;
  return h(
    "div.stack.tight",
    h("h3", t("calibration.held_because")),
    h(
      "ul.list.counted",
      rows.map(([reason, count]) => h("li", h("span", has(`reason.${reason}`) ? t(`reason.${reason}`) : reason), h("b.num", number(count)))),
    ),
    h("p.hint", t("calibration.several")),
  );
}

function standing(found, { human_review: review }) {
  const kinds = ["decided", "released", "held", "ungraded"];
  return section(
    t("calibration.standing"),
    facts(
      kinds.map((kind) => [t(`calibration.${kind}`), number(found[kind])]),
      "dl.facts.large",
    ),
    review === "required" && h("p", t("review.required")),
    reasonsTable(found.held_because),
    h("p.hint", t("calibration.standing_hint", { count: number(LOOKED_AT) })),
  );
}

export async function calibration({ params: { id }, signal }) {
  const [assignment, found] = await Promise.all([
    assignmentOf(id, signal),
    get(`/v1/assignments/${id}/calibration`, {}, signal),
    useWords("calibration"),
    useWords("desk"),
  ]);
  const counts = [
    [t("calibration.examples"), number(found.examples)],
    [t("calibration.blind_grades"), number(found.blind_grades)],
  ];
  return {
    title: t("calibration.title"),
    above: above(assignment),
    body: [
      pagesNav(id, "calibration"),
      h("p.lede", t("calibration.lede")),
      facts(counts, "dl.facts.large"),
      await waiting(id, found.waiting_blind, signal),
      section(
        t("calibration.grade"),
        h(
          "div.two.even",
          choice("next", id, found.next, "main"),
          choice("drawn", id, found.drawn, ""),
        ),
        h("p.hint", t("calibration.hidden_hint")),
      ),
      section(t("calibration.agreement"), agreementCard(found.agreement, assignment.max_score)),
      standing(found.standing, assignment),
    ],
  };
}
