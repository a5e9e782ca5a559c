// What AI's grades of an assignment have to promise before they go out unseen, and where the try for it stands.
import { answerList } from "./answers.js";
import { above, assignmentOf, lacking, pageOf, pagesNav } from "./assignment_pages.js";
import { ApiError, can, get } from "./api.js";
import { button, empty, facts, h, icon, link, say, section, tag, unless } from "./dom.js";
import { askDialog, endDialog, removeDialog, termsDialog } from "./certificate_dialogs.js";
import { offerCard } from "./certificate_offer.js";
import { number, percent, when } from "./format.js";
import { currentLanguage, has, t, useWords, word } from "./i18n.js";
import { complain, show } from "./router.js";

const POLL_MS = 1500;
const TONES = { grading: "wait", testing: "wait", valid: "good", paused: "bad", revoked: "bad" };
// In these the grader is frozen, and the next grade of AI may still end it.
const OPEN = ["grading", "testing", "refused", "valid", "paused"];
const UNDER_WAY = ["grading", "testing", "valid"];

// A word of the service in a sentence or a name; as it is where this console does not know it.
function told(kind, value, values = {}) {
  const key = `certificate.${kind}_${value}`;
  return has(key) ? t(key, values) : value.replaceAll("_", " ");
}

function deskOf(assignment, submission) {
  return `#/review/${submission}?queue=certificate&assignment=${assignment}`;
}

function isAsked({ release, human_review: review }) {
  return Boolean(release) && review === "optional";
}

function isSame(one, other) {
  return Object.keys(one).every((name) => one[name] === other[name]);
}

// --- What can be done, and why not

function notOptional(review) {
  return t("certificate.not_optional", { optional: word("human_review", "optional"), now: word("human_review", review) });
}

function whyNotAsk(assignment, found) {
  const { release, human_review: review } = assignment;
  if (!release) return t("certificate.no_terms");
  if (review !== "optional") return notOptional(review);
  const isBusy = found && UNDER_WAY.includes(found.state) && isSame(found.terms, release);
  return isBusy ? t(`certificate.not_while_${found.state}`) : lacking("ai:grade", "write:grades");
}

function whyNotEnd({ state }) {
  return OPEN.includes(state) ? lacking("write:grades") : t("certificate.over");
}

function actions(assignment, found) {
  const kind = !found ? "ask" : found.state === "refused" && isSame(found.terms, assignment.release || {}) ? "more" : "again";
  const waits = found?.state === "testing";
  const ask = () => askDialog(assignment, found, kind);
  return h(
    "div.acts-row",
    unless(whyNotAsk(assignment, found), t(`certificate.${kind}`), ask, { look: waits ? "" : "main" }),
    found && unless(whyNotEnd(found), t("certificate.end"), () => endDialog(assignment, found), { look: "danger" }),
  );
}

// --- Where it stands

function toGrade(assignment, ids, label) {
  if (!ids.length || !can("write:grades")) return null;
  return h("p", h("a.button.main", { href: deskOf(assignment.id, ids[0]) }, h("span", t(label, { count: number(ids.length) })), icon("next")));
}

function testing(assignment, { drawn, graded, waiting }) {
  return h(
    "div.stack.tight",
    h("p", t("certificate.left", { count: number(waiting.length), of: number(drawn) })),
    h("progress", { "aria-label": t("certificate.progress"), max: Math.max(drawn, 1), value: graded }),
    toGrade(assignment, waiting, "certificate.grade_drawn"),
  );
}

// What it says where what is asked for is no longer what it is about.
function overtaken(assignment, { state, terms }) {
  if (!OPEN.includes(state)) return null;
  if (!isAsked(assignment)) return t("certificate.unasked");
  return isSame(terms, assignment.release) ? null : t("certificate.changed");
}

function standing(assignment, found) {
  const { state, tests } = found;
  const notice = overtaken(assignment, found);
  return [
    h("div.row.spread", tag(told("state", state), TONES[state]), h("span.hint", when(found.updated_at))),
    notice ? h("p.notice", notice) : h("p", told("is", state)),
    found.ended_because && h("p", told("because", found.ended_because)),
    state === "testing" && testing(assignment, tests),
    facts([
      found.at_hand !== null && [t("certificate.at_hand"), number(found.at_hand)],
      tests.drawn > 0 && [t("certificate.drawn"), number(tests.drawn)],
      tests.drawn > 0 && [t("certificate.graded"), number(tests.graded)],
      [t("certificate.looks"), number(found.looks_spent)],
    ]),
    found.looks_spent > 0 && h("p.hint", t("certificate.looks_hint")),
  ];
}

function stands(assignment, found) {
  const isNew = !found && isAsked(assignment);
  return section(
    t("certificate.stands"),
    h(
      "div.card.stack",
      found ? standing(assignment, found) : [h("div", tag(t("certificate.state_none"))), h("p", t(isNew ? "certificate.is_new" : "certificate.is_none"))],
      isAsked(assignment) && h("p.hint", t("certificate.needs_red_team"), " ", link(pageOf(assignment.id, "redteam"), t("certificate.to_red_team"))),
      actions(assignment, found),
    ),
  );
}

// --- What is to be promised

function termsCard(assignment, found) {
  const { release } = assignment;
  const reason = lacking("write:courses");
  const change = (label, look) => unless(reason, t(label), () => termsDialog(assignment, found), { look });
  if (!release)
    return section(
      t("certificate.terms"),
      empty(t("certificate.unset_title"), t("certificate.unset"), change("certificate.set", "main")),
    );
  const pairs = [
    ["max_disagreement", t("certificate.of_grades", { share: percent(release.max_disagreement) })],
    ["points_share", t("certificate.of_points", { share: percent(release.points_share) })],
    ["min_confidence", release.min_confidence ? number(release.min_confidence) : t("certificate.no_least")],
    ["scope", told("scope", release.scope)],
    release.scope === "all" && ["audit_share", percent(release.audit_share)],
  ];
  return section(
    t("certificate.terms"),
    h(
      "div.card.stack",
      facts(pairs.filter(Boolean).map(([name, value]) => [t(`certificate.${name}`), value]), "dl.facts.column"),
      assignment.human_review !== "optional" && h("p.notice", notOptional(assignment.human_review)),
      h("div.acts-row", change("certificate.change", ""), !reason && button(t("certificate.remove"), () => removeDialog(assignment), { look: "quiet" })),
    ),
  );
}

// --- What it says, and what came of it

// Rounded up: no bound is told nearer than it is.
function atMost(rate) {
  return number(Math.ceil(rate * 1000 - 1e-6) / 1000, { style: "percent", maximumFractionDigits: 1 });
}

function says(found) {
  const { certified, statement, terms } = found;
  if (!certified) return null;
  return section(
    t("certificate.says"),
    statement && h("blockquote.said-of", { lang: "en", dir: "ltr" }, statement),
    statement && currentLanguage() !== "en" && h("p.hint", t("certificate.in_english")),
    facts(
      [
        [t("certificate.threshold"), number(certified.threshold)],
        [t("certificate.tests_above"), number(certified.tests)],
        [t("certificate.disagreements"), number(certified.disagreements)],
        [t("certificate.above"), t("place_of", { at: number(certified.at_hand), of: number(found.at_hand) })],
        [t("certificate.bound_at_hand"), atMost(certified.bound_at_hand)],
        terms.scope === "all" && [t("certificate.bound_of_later"), atMost(certified.bound_of_later)],
      ],
      "dl.facts.large",
    ),
    h("p.hint", t("certificate.limits")),
  );
}

async function audits(assignment, { audits: found, certified, state, terms }, signal) {
  if (!certified || terms.scope !== "all") return null;
  const { arrived, graded, waiting, window, disagreements, to_pause: toPause } = found;
  const isAlive = ["valid", "paused"].includes(state);
  return section(
    t("certificate.audits"),
    h("p.quiet", t("certificate.audits_what")),
    facts([
      [t("certificate.arrived"), number(arrived)],
      [t("certificate.audited"), number(graded)],
      [t("certificate.window"), t("place_of", { at: number(disagreements), of: number(window) })],
      state === "valid" && [t("certificate.to_pause"), number(toPause)],
    ]),
    isAlive && !waiting.length && h("p.hint", t("certificate.no_audits")),
    isAlive && waiting.length > 0 && [
      h("h3", t("certificate.audits_waiting", { count: number(waiting.length) })),
      await answerList(waiting, (id) => deskOf(assignment.id, id), signal),
      toGrade(assignment, waiting, "certificate.grade_audits"),
    ],
  );
}

async function released({ released: { count, submissions }, state }, signal) {
  if (!count) return null;
  const left = count - submissions.length;
  return section(
    t("certificate.released", { count: number(count) }),
    state !== "valid" && h("p", t("certificate.again_look")),
    await answerList(submissions, (id) => `#/review/${id}`, signal),
    left > 0 && h("p.hint", t("certificate.released_more", { count: number(left) })),
  );
}

// --- The page

async function newest(id, signal) {
  try {
    return await get(`/v1/assignments/${id}/certificate`, {}, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

// What a try would come to, where one could be made.
async function offered(assignment, found, signal) {
  const isBusy = found && UNDER_WAY.includes(found.state) && isSame(found.terms, assignment.release || {});
  if (!isAsked(assignment) || isBusy) return null;
  const { offer } = await get(`/v1/assignments/${assignment.id}/calibration`, {}, signal);
  return offer && offerCard(offer);
}

// While AI grades nothing else is to be done here: the page goes on by itself.
async function watch(id, signal) {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (signal.aborted) return;
    const now = await newest(id, signal);
    if (signal.aborted || now?.state === "grading") continue;
    if (now) say(`${t("certificate.stands")}: ${told("state", now.state)}`, "plain");
    return show();
  }
}

export async function certificate({ params: { id }, signal }) {
  const asking = [assignmentOf(id, signal), newest(id, signal)];
  const [assignment, found] = await Promise.all([...asking, useWords("certificate")]);
  return {
    title: t("certificate.title"),
    above: above(assignment),
    body: [
      pagesNav(id, "certificate"),
      h("p.lede", t("certificate.lede")),
      h("div.two.even", stands(assignment, found), termsCard(assignment, found)),
      await offered(assignment, found, signal),
      found && says(found),
      found && (await audits(assignment, found, signal)),
      found && (await released(found, signal)),
    ],
    after: () => {
      if (found?.state === "grading") watch(id, signal).catch(complain);
    },
  };
}
