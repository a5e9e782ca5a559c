// What is asked before a certificate is: what it has to promise, how many answers one wants to grade; and before it ends.
import { pageOf } from "./assignment_pages.js";
import { ApiError, patch, post } from "./api.js";
import { field, h, icon, replace, say, select } from "./dom.js";
import { confirmDialog, formDialog } from "./dialogs.js";
import { number } from "./format.js";
import { t, word } from "./i18n.js";
import { show } from "./router.js";

// What the service takes where nothing is said, and what it takes at all.
const NUMBERS = [
  ["max_disagreement", 20, 5, 30],
  ["points_share", 25, 5, 100],
  ["min_confidence", 0, 0, 100],
  ["audit_share", 5, 3, 50],
];
const TESTS = [1, 500];

// --- Fields that say what is wrong with them

function numberInput(value, [least, most]) {
  return h("input.field.narrow", { type: "number", min: least, max: most, step: 1, inputmode: "numeric", value });
}

function hint(name, [least, most]) {
  return t(`certificate.${name}_hint`, { least: number(least), most: number(most) });
}

// What the service says of a number, in the reader's language where that is known.
const RANGES = [
  [/^must be between (\d+) and (\d+)$/, "between_numbers"],
  [/^must be at least (\d+)$/, "at_least"],
  [/^must be at most (\d+)$/, "at_most"],
];

function inWords(problem) {
  const [rule, name] = RANGES.find(([rule]) => rule.test(problem)) || [];
  if (!rule) return problem;
  const [, first, second] = problem.match(rule);
  return t(`certificate.${name}`, { first: number(Number(first)), second: number(Number(second)) });
}

// Puts beside a field what is wrong with it, or takes that away again.
function complainAt(input, problem) {
  const row = input.closest(".field-row");
  row.querySelector(".wrong")?.remove();
  const described = row.querySelector(".hint") ? [`${input.id}-hint`] : [];
  if (problem) {
    described.push(`${input.id}-wrong`);
    row.append(h("p.wrong", { id: `${input.id}-wrong` }, icon("warn"), h("span", inWords(problem))));
    input.setAttribute("aria-invalid", "true");
  } else input.removeAttribute("aria-invalid");
  if (described.length) input.setAttribute("aria-describedby", described.join(" "));
}

// Says at every field what is wrong with it; the dialog stays, and the first of them has the focus.
function refuse(inputs, problems) {
  for (const [name, input] of Object.entries(inputs)) complainAt(input, problems[name]);
  const first = Object.entries(inputs).find(([name]) => problems[name]);
  if (!first) return;
  first[1].focus();
  throw new ApiError(400, { message: t("certificate.look_at_fields") });
}

// The numbers as they are on the screen; what is left empty is the service's own.
function read(inputs) {
  const isWhole = (input) => !input.validity.badInput && Number.isInteger(Number(input.value));
  const odd = Object.entries(inputs).filter(([, input]) => input.type === "number" && !isWhole(input));
  refuse(inputs, Object.fromEntries(odd.map(([name]) => [name, t("certificate.whole_number")])));
  const given = ([, input]) => input.value !== "";
  const value = ([name, input]) => [name, input.type === "number" ? Number(input.value) : input.value];
  return Object.fromEntries(Object.entries(inputs).filter(given).map(value));
}

// Sends it; what the service says of single fields is said there.
async function sent(inputs, above, sending) {
  try {
    return await sending();
  } catch (error) {
    const own = Object.entries(error.fields || {}).filter(([name]) => name.startsWith(above) && name.slice(above.length) in inputs);
    refuse(inputs, Object.fromEntries(own.map(([name, problem]) => [name.slice(above.length), problem])));
    throw error;
  }
}

// --- What is to be promised

export function termsDialog({ id, release, human_review: review }, found) {
  const inputs = Object.fromEntries(NUMBERS.map(([name, usual, ...range]) => [name, numberInput(release?.[name] ?? usual, range)]));
  inputs.scope = select(
    ["all", "at_hand"].map((one) => [one, t(`certificate.scope_${one}`)]),
    release?.scope ?? "all",
  );
  const rows = NUMBERS.map(([name, , ...range]) => field(t(`certificate.${name}`), inputs[name], hint(name, range)));
  // Audits are of later answers: whether it is about these is asked before.
  rows.splice(-1, 0, field(t("certificate.scope"), inputs.scope));
  const body = h(
    "div.stack",
    h("p", t("certificate.form_what")),
    rows,
    review !== "optional" && h("p.notice", t("certificate.sets_optional", { now: word("human_review", review) })),
    release && found && h("p.notice", t("certificate.change_ends")),
  );
  formDialog(t("certificate.terms"), body, t("certificate.save"), async () => {
    const terms = read(inputs);
    // Both at once: between the two nothing could go out that waits.
    const asked = { release: terms, ...(review === "optional" ? {} : { human_review: "optional" }) };
    await sent(inputs, "release.", () => patch(`/v1/assignments/${id}/configure`, asked));
    say(t("certificate.saved"));
    return show;
  });
}

export function removeDialog({ id }) {
  confirmDialog(t("certificate.remove_title"), t("certificate.remove_what"), t("certificate.remove"), async () => {
    await patch(`/v1/assignments/${id}/configure`, { release: null });
    say(t("certificate.removed"));
    return show;
  });
}

// --- A try, and its end

// A grader that nobody attacked, or that falls for an attack, is refused: `onUntried` shows the way to what is to be done first.
async function tried(id, wanted, onUntried) {
  try {
    await post(`/v1/assignments/${id}/certificate`, wanted);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "red_team_needed") throw error;
    onUntried();
    const isUnsure = "release.min_confidence" in error.fields;
    throw new ApiError(409, { message: t(isUnsure ? "certificate.red_team_wants_more" : "certificate.no_red_team") });
  }
}

// `kind` says whether it is the first, another, or further answers of the same.
export function askDialog({ id }, found, kind) {
  const isOpen = found && ["grading", "testing", "valid", "paused"].includes(found.state);
  const inputs = kind === "more" ? {} : { tests: numberInput("", TESTS) };
  const way = h("div");
  const body = h(
    "div.stack",
    h("p", t(kind === "more" ? "certificate.more_what" : "certificate.ask_what")),
    h("p", t("certificate.ask_cost")),
    isOpen && h("p.notice", t("certificate.ask_replaces")),
    inputs.tests && field(t("certificate.tests"), inputs.tests, hint("tests", TESTS)),
    way,
  );
  const onUntried = () => replace(way, h("p", h("a", { href: pageOf(id, "redteam"), onclick: () => node.close() }, t("certificate.to_red_team"))));
  const node = formDialog(t(`certificate.${kind}_title`), body, t(`certificate.${kind}`), async () => {
    const wanted = read(inputs);
    await sent(inputs, "", () => tried(id, wanted, onUntried));
    say(t("certificate.asked"));
    return show;
  });
}

export function endDialog({ id }, { state, tests }) {
  const spends = state === "testing" && tests.graded > 0;
  const what = spends ? `${t("certificate.end_what")} ${t("certificate.end_spends")}` : t("certificate.end_what");
  confirmDialog(t("certificate.end_title"), what, t("certificate.end"), async () => {
    await post(`/v1/assignments/${id}/certificate/end`);
    say(t("certificate.ended"));
    return show;
  });
}
