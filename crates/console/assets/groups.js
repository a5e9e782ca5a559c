// Answers of an assignment of nearly the same words, so that a person reads and judges once what many wrote.
import { above, assignmentOf, pagesNav } from "./assignment_pages.js";
import { can, get } from "./api.js";
import { acting, empty, facts, h, icon, link, own, replace, section, tag } from "./dom.js";
import { number, points } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { complain, show } from "./router.js";
import { MEMBERS_AT_ONCE, nameOf, readList, readOne, textOf } from "./groups_read.js";
import { groupOf, learnGroups } from "./groups_known.js";
import { compared } from "./groups_text.js";
import { backLink } from "./way_back.js";

const GROUPS_AT_ONCE = 20;

// Come when somebody gives a judgement to others.
const giving = () => import("./groups_give.js");

// --- All groups

function levelTag({ level }) {
  return tag(word("groups", `level_${level}`), level === "grade_together" ? "good" : "wait");
}

// Answers to grade together may be part of a wider group to look at: an address says which of both.
function addressOf(assignment, { level, representative_id: id }) {
  return `#/assignments/${assignment.id}/groups/${id}?level=${level}`;
}

function groupRow(assignment, submission, { group }) {
  const { members } = group;
  const decided = members.filter((one) => one.decided).length;
  return [
    h("h3", link(addressOf(assignment, group), t("groups.answers_alike", { count: number(members.length) }))),
    own("p.clamp.said-by", textOf(submission)),
    h("p.hint", t("groups.decided_of", { count: number(decided), of: number(members.length) })),
  ];
}

async function groupsOf(assignment, groups, level, signal) {
  const mine = groups.filter((one) => one.level === level).sort((one, other) => other.members.length - one.members.length);
  if (!mine.length) return null;
  const all = mine.map((group) => ({ id: group.representative_id, group }));
  return section(
    t(`groups.${level}`),
    h("p.quiet", t(`groups.${level}_what`)),
    await readList(all, GROUPS_AT_ONCE, (submission, one) => groupRow(assignment, submission, one), signal),
  );
}

async function asked(id, signal) {
  const [assignment, found] = await Promise.all([
    assignmentOf(id, signal),
    get(`/v1/assignments/${id}/groups`, {}, signal),
    ...["groups", "ways"].map(useWords),
  ]);
  learnGroups(id, found.groups);
  return [assignment, found];
}

export async function groups({ params: { id }, signal }) {
  const [assignment, found] = await asked(id, signal);
  const counts = [
    [t("groups.answers"), number(found.answers)],
    found.compared < found.answers && [t("groups.compared"), number(found.compared)],
    [t("groups.count"), number(found.groups.length)],
    [t("groups.spared"), number(found.spared)],
  ];
  return {
    title: t("groups.title"),
    above: above(assignment, backLink(id)),
    body: [
      pagesNav(id, "groups"),
      h("p.lede", t("groups.lede")),
      facts(counts, "dl.facts.large"),
      h("p.notice", t("groups.limits")),
      await groupsOf(assignment, found.groups, "grade_together", signal),
      await groupsOf(assignment, found.groups, "look_together", signal),
      !found.groups.length && empty(t("groups.none_title"), t("groups.none")),
    ],
  };
}

// --- One group

function deskOf(assignment, id) {
  return `#/review/${id}?queue=alike&assignment=${assignment.id}`;
}

// The one whose judgement the others may get: the one most like all others, or one that a person has decided already.
function headOf({ members, representative_id: id }) {
  const representative = members.find((one) => one.submission_id === id);
  return representative.decided ? representative : members.find((one) => one.decided) || representative;
}

// How an answer stands. What waits for a blind grade says nothing here.
function standingOf({ decided, score, graded_by: by }, most) {
  if (decided) return tag(t("groups.decided", { points: points(score, most) }), "good");
  return by ? tag(t("groups.proposed", { points: points(score, most) }), "wait") : tag(t("groups.unjudged"));
}

// What a person's judgement says, which goes to others word for word.
function judgementOf({ criteria, score, max_score: most }) {
  const line = (one) =>
    h(
      "li",
      h("div.row.spread", own("b", one.name), h("span.num", one.not_judged ? "–" : points(one.score, one.max_score))),
      one.rationale && own("p.lines", one.rationale),
    );
  return h("div.stack.tight", h("p", h("b", points(score, most))), criteria.length ? h("ul.list.judged", criteria.map(line)) : null);
}

function headCard(assignment, submission, head, group) {
  const isMiddle = head.submission_id === group.representative_id;
  return section(
    t(isMiddle ? "groups.representative" : "groups.judged_one"),
    h(
      "div.card.stack",
      h("div.row.spread", h("b", nameOf(submission)), standingOf(head, assignment.max_score)),
      h("div.writing.small", { dir: "auto" }, textOf(submission)),
      head.decided && judgementOf(submission),
    ),
  );
}

function memberRow(assignment, first, submission, { member }) {
  return [
    h("div.row.spread", h("h3", link(deskOf(assignment, submission.id), nameOf(submission))), standingOf(member, assignment.max_score)),
    compared(textOf(first), textOf(submission)),
  ];
}

async function members(assignment, first, others, signal) {
  const all = others.map((member) => ({ id: member.submission_id, member }));
  return section(
    t("groups.others", { count: number(all.length) }),
    h("p.hint", t("groups.differences"), " ", h("ins", t("groups.added")), " · ", h("del", t("groups.missing"))),
    await readList(all, MEMBERS_AT_ONCE, (submission, one) => memberRow(assignment, first, submission, one), signal),
  );
}

// What is to be done next about the group, with why where it is nothing.
function nextStep(assignment, group, head, open, onGive) {
  if (group.level !== "grade_together") return h("p.notice", t("groups.look_each"));
  if (!can("write:grades")) return h("p.hint", t("error.scope", { scope: "write:grades" }));
  if (!head.decided)
    return h(
      "div.may",
      h("a.button.main", { href: deskOf(assignment, head.submission_id) }, h("span", t("groups.grade")), icon("next")),
      h("p.hint", t("groups.grade_first")),
    );
  const toDesk = h("a.button", { href: deskOf(assignment, head.submission_id) }, t("groups.see_on_desk"));
  if (!open) return h("div.acts-row", toDesk, h("p.hint", t("groups.all_decided")));
  return h("div.acts-row", h("div.may", acting(t("groups.give"), onGive, { look: "main" }), h("p.hint", t("groups.give_hint"))), toDesk);
}

// Grades of people that are apart within a group are the first sign that it is none.
function apart(group) {
  const scores = new Set(group.members.filter((one) => one.decided).map((one) => one.score));
  return scores.size > 1 ? h("p.notice", t("groups.apart", { scores: [...scores].map((one) => number(one)).join(" · ") })) : null;
}

export async function group({ params: { id, member }, query, signal }) {
  const [assignment, found] = await asked(id, signal);
  const list = link(`#/assignments/${id}/groups`, t("groups.title"));
  const mine = groupOf(found.groups, member, query.get("level"));
  const where = above(assignment, list, backLink(id));
  if (!mine) {
    const onward = link(list.getAttribute("href"), t("groups.title"));
    return { title: t("groups.no_group_title"), above: where, body: [empty(t("groups.no_group_title"), t("groups.no_group"), onward)] };
  }
  const head = headOf(mine);
  const others = mine.members.filter((one) => one !== head);
  const open = others.filter((one) => !one.decided);
  const first = (await readOne(head.submission_id, signal)) || { content: {}, criteria: [] };
  const place = h("div.stack");
  const onGive = async () => {
    try {
      const { giveForm } = await giving();
      await giveForm({ place, assignment, first, waiting: open.map((one) => one.submission_id), signal, again: show });
      // What is to be done now stands in its place.
      step.remove();
    } catch (error) {
      complain(error);
    }
  };
  const step = h("div", nextStep(assignment, mine, head, open.length, onGive));
  replace(place, await members(assignment, first, others, signal));
  return {
    title: t("groups.answers_alike", { count: number(mine.members.length) }),
    above: where,
    body: [
      h("div.row", levelTag(mine), h("span.hint", t("groups.similarity", { value: number(mine.similarity) }))),
      h("p.lede", t(`groups.${mine.level}_what`)),
      apart(mine),
      headCard(assignment, first, head, mine),
      step,
      place,
    ],
  };
}
