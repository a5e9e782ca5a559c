// The grades there were: each of them, whether their receipts hold, and what AI says beside a grade that was given blind.
import { button, empty, facts, h, hidden, icon, own, tag } from "./dom.js";
import { number, points, when } from "./format.js";
import { t, word } from "./i18n.js";
import { calledOf } from "./names.js";

export { showKept } from "./review_kept.js";

// Every grade there was, newest first, and whether the chain of their receipts holds.
export function historyOf(grades) {
  const { data, verification } = grades;
  if (!data.length) return empty(t("history.none_title"), t("history.none"));
  return h("div.stack", verification && verdictOf(verification), h("ol.history", data.map(record)));
}

function verdictOf(verification) {
  const { holds, records, erased, first_broken: broken } = verification;
  const text = holds
    ? t("history.holds", { count: number(records) })
    : t("history.broken", { at: broken?.sequence ?? "–", reason: word("broken", broken?.reason || "") });
  return h(
    `p.seal.${holds ? "good" : "bad"}`,
    icon(holds ? "lock" : "warn"),
    h("span", text, erased ? ` ${t("history.erased", { count: number(erased) })}` : ""),
  );
}

// Who it was, as soon as the service has said what they are called; of a program its name is all there is to say.
function personally({ grader, actor }) {
  if (!actor.id) return null;
  const place = h("span");
  const before = grader.kind === "person" ? ": " : "";
  calledOf(actor).then((name) => name && place.append(before, own("bdi", name)));
  return place;
}

function record(grade) {
  const { grader, receipt } = grade;
  const known = { person: t(grader.blind ? "history.person_blind" : "history.person"), built_in: t("history.builtin") };
  const who = known[grader.kind] || grader.model || grader.model_asked;
  const what = [
    grader.tokens_in ? [t("history.tokens"), `${number(grader.tokens_in)} + ${number(grader.tokens_out)}`] : null,
    grader.prompt_version ? [t("history.prompt"), grader.prompt_version] : null,
    receipt && [
      t("history.receipt"),
      h("code", { title: receipt.hash, dir: "ltr" }, `${receipt.sequence} · ${receipt.hash.slice(0, 12)}…`),
    ],
  ];
  return h(
    "li",
    h("div.row.spread", h("strong", who, personally(grade)), tag(word("grade", grade.status), grade.status === "final" ? "good" : "plain")),
    h("p.row.spread", h("span.num", points(grade.score, grade.max_score)), when(grade.created_at)),
    grade.reason && own("p.quiet", word("graded", grade.reason)),
    facts(what),
  );
}

export function hiddenVerdict(verification) {
  return h(
    `span.seal-small.${verification.holds ? "good" : "bad"}`,
    icon(verification.holds ? "lock" : "warn"),
    hidden(t(verification.holds ? "history.ok" : "history.not_ok")),
  );
}

// What a person gave blind beside what AI says; nothing where the grade that stands was not given so. `back` leads to where one
// came from.
export function besideOf({ data }, back, onnext) {
  const mine = data.find(({ grader, status }) => grader.kind === "person" && status === "final");
  if (!mine?.grader.blind) return null;
  const ai = data.find(({ grader }) => !grader.user_id);
  return h(
    "section.stack.tight.beside",
    h("h3", t("blind.beside")),
    ai ? [pointsTable(mine, ai), reasons(ai)] : h("p.quiet", t("blind.none")),
    h(
      "div.row.spread",
      back,
      onnext && button(t("keys.next"), onnext, { icon: "next" }),
    ),
  );
}

function pointsTable(mine, ai) {
  const given = (grade, id) => {
    const one = grade.criteria.find(({ criterion_id }) => criterion_id === id);
    return one && !one.not_judged ? number(one.score) : "–";
  };
  const row = (name, of, ...points) =>
    h(
      "tr",
      h("th", { scope: "row" }, name),
      points.map((one) => h("td.num", one)),
      h("td.num", number(of)),
    );
  const head = (label) => h("th.num", { scope: "col" }, label);
  return h(
    "table.table.keep",
    h("caption", hidden(t("blind.beside"))),
    h("thead", h("tr", h("th", { scope: "col" }, t("blind.criterion")), [t("blind.you"), t("blind.ai"), t("blind.of")].map(head))),
    h(
      "tbody",
      mine.criteria.map((one) =>
        row(own("span", one.name), one.max_score, given(mine, one.criterion_id), given(ai, one.criterion_id)),
      ),
      row(t("blind.total"), mine.max_score, h("b", number(mine.score)), h("b", number(ai.score))),
    ),
  );
}

function reasons(ai) {
  const given = ai.criteria.filter(({ rationale }) => rationale);
  if (!given.length) return null;
  return h(
    "details",
    h("summary", t("blind.reasons")),
    h(
      "dl.stack.tight",
      given.map(({ name, rationale }) => h("div", own("dt", name), own("dd.lines.hint", rationale))),
    ),
  );
}
