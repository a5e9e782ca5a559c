// Giving a person's judgement to others of a group: what each would get, who is taken out, one confirmation, what became of each.
import { ApiError, post } from "./api.js";
import { acting, button, field, h, hidden, icon, own, replace, say, tag } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { number, points } from "./format.js";
import { has, t } from "./i18n.js";
import { complain } from "./router.js";
import { MEMBERS_AT_ONCE, nameOf, readList, textOf } from "./groups_read.js";
import { compared } from "./groups_text.js";

const MOST_FEEDBACK = 100_000;

// Why the service left one alone; as it is where this console does not know it.
function because(reason) {
  const key = `groups.left_${reason}`;
  return has(key) ? t(key) : reason.replaceAll("_", " ");
}

async function asked(first, ids, more) {
  try {
    return await post(`/v1/submissions/${first.id}/alike`, { submission_ids: ids, ...more });
  } catch (error) {
    throw error instanceof ApiError && error.status === 409 ? new ApiError(409, { message: t("groups.not_decided") }) : error;
  }
}

// --- What each would get

// A criterion with the passages that are quoted for it, or that there is none where the judged answer has one.
function criterionLine(one, unquoted) {
  const isWithout = unquoted.includes(one.criterion_id);
  const quotes = one.evidence.map(({ quote }) => own("li.passage", quote));
  return h(
    "li",
    h("div.row.spread", own("b", one.name), h("span.num", one.not_judged ? "–" : points(one.score, one.max_score))),
    quotes.length ? h("ul.quotes", quotes) : null,
    isWithout ? h("p.wrong", icon("warn"), h("span", t("groups.unquoted"))) : !quotes.length && h("p.hint", t("groups.no_passage")),
  );
}

function choice(submission, onchange) {
  const input = h("input", { type: "checkbox", checked: true, value: submission.id, onchange });
  return h("label.toggle", input, h("b", nameOf(submission)), hidden(t("groups.gets_it")));
}

function row(first, submission, { member }, onchange) {
  const { graded, left_because: left, criteria, unquoted } = member;
  return [
    h(
      "div.row.spread",
      graded ? choice(submission, onchange) : h("b", nameOf(submission)),
      graded ? unquoted.length > 0 && tag(t("groups.some_unquoted"), "wait") : tag(because(left)),
    ),
    compared(textOf(first), textOf(submission)),
    graded && criteria.length ? h("ul.list.judged", criteria.map((one) => criterionLine(one, unquoted))) : null,
  ];
}

// --- What became of each

function outcome(submission, { member }) {
  return h(
    "div.row.spread",
    h("a", { href: `#/review/${submission.id}` }, nameOf(submission)),
    member.graded ? tag(t("groups.given"), "good") : tag(because(member.left_because), "wait"),
  );
}

async function results({ place, signal, again }, told, left) {
  const all = told.members.map((member) => ({ id: member.submission_id, member }));
  const heading = h("h2", { tabindex: "-1" }, t("groups.became"));
  const count = all.filter(({ member }) => member.graded).length;
  const list = await readList(all, MEMBERS_AT_ONCE, outcome, signal);
  const onward = left ? t("groups.further", { count: number(left) }) : t("groups.to_group");
  replace(
    place,
    h(
      "section.section",
      heading,
      h("p", t("groups.became_what", { count: number(count), of: number(all.length), points: number(told.score) })),
      list,
      h("div.row", button(onward, again, { look: left ? "main" : "" })),
    ),
  );
  say(t("groups.said", { count: number(count) }));
  heading.focus();
}

// --- The form

// Puts the preview where the members were. At most fifty at once; who was taken out stays where they are.
export async function giveForm(context) {
  const { place, first, waiting, signal, again } = context;
  const ids = waiting.slice(0, MEMBERS_AT_ONCE);
  const told = await asked(first, ids, { preview: true });
  if (signal.aborted) return;
  const all = told.members.map((member) => ({ id: member.submission_id, member }));
  const chosen = () => [...place.querySelectorAll(".answers input:checked")].map((input) => input.value);
  const recount = () => {
    const count = chosen().length;
    go.querySelector("span").textContent = t("groups.give_to", { count: number(count) });
    go.disabled = !count;
  };
  const feedback = h("textarea.field", { rows: 3, dir: "auto", maxlength: MOST_FEEDBACK });
  const go = acting("", () => confirmed(context, told, chosen(), feedback.value), { look: "main" });
  const heading = h("h2", { tabindex: "-1" }, t("groups.preview"));
  const list = await readList(all, MEMBERS_AT_ONCE, (submission, one) => row(first, submission, one, recount), signal);
  if (signal.aborted) return;
  replace(
    place,
    h(
      "section.section",
      heading,
      h("p", t("groups.preview_what")),
      waiting.length > ids.length && h("p.notice", t("groups.fifty", { count: number(ids.length), of: number(waiting.length) })),
      list,
      h("div.card.stack", field(t("groups.feedback"), feedback, t("groups.feedback_hint")), h("p.notice", t("groups.reasons_copied")), h("div.row", go, button(t("cancel"), again, { look: "quiet" }))),
    ),
  );
  recount();
  heading.focus();
}

function confirmed(context, told, ids, feedback) {
  const { first, waiting } = context;
  const values = { count: number(ids.length), points: points(told.score, first.max_score) };
  confirmDialog(
    t("groups.confirm_title"),
    t("groups.confirm", values),
    t("groups.give_to", values),
    async () => {
      const given = await asked(first, ids, feedback.trim() ? { feedback } : {});
      dispatchEvent(new Event("decided"));
      return () => results(context, given, Math.max(0, waiting.length - MEMBERS_AT_ONCE)).catch(complain);
    },
    "main",
  );
}
