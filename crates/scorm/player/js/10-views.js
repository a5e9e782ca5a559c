// The pages: the cover, a step, the end.

function coverView(player) {
  const { course, progress, lms } = player;
  const minutes = progress.steps.reduce((total, step) => total + (Number(step.minutes) || 0), 0);
  const fact = (sign, words) => h("li", null, icon(sign), h("span", null, words));
  const named = course.units.filter((unit) => unit.title);
  const name = lms.firstName();
  const open = progress.steps.findIndex((step) => !progress.done.has(step.id));
  const begun = progress.count > 0 && open >= 0;
  return h("article", { class: "page cover" },
    h("div", { class: "hero" },
      name ? say("p.eyebrow", "welcome", { name }) : course.cohort ? h("p", { class: "eyebrow" }, course.cohort) : null,
      h("h1", { tabindex: "-1" }, course.title),
      h("ul", { class: "facts", lang: uiLang() },
        named.length > 1 ? fact("units", t("unitCount", { n: number(named.length) })) : null,
        fact("steps", t("stepCount", { n: number(progress.steps.length) })),
        minutes ? fact("time", t("minutes", { n: number(minutes) })) : null),
      h("div", { class: "flow" }, button("start", t(begun ? "continue" : "start"), { class: "button main", onclick: () => player.go(begun ? open : 0) }, "next", true))),
    prose(course.html),
    h("section", { class: "contents" }, say("h2", "inThisCourse"), h("ol", null, course.units.map((unit) => unitSummary(unit, player)))));
}

function unitSummary(unit, player) {
  const done = unit.steps.filter((step) => player.progress.done.has(step.id)).length;
  const count = done ? t("unitState", { n: number(done), total: number(unit.steps.length) }) : t("stepCount", { n: number(unit.steps.length) });
  return h("li", null, unit.title ? h("h3", null, unit.title) : say("h3", "closingUnit"),
    unit.description ? h("p", null, inline(unit.description)) : null, h("p", { class: "hint", lang: uiLang() }, count));
}

function stepView(player, step, body) {
  const { progress, course } = player;
  const at = progress.steps.indexOf(step);
  const last = at === progress.steps.length - 1;
  const kind = t("kind_" + step.kind);
  const eyebrow = [kind, step.minutes ? t("minutes", { n: number(step.minutes) }) : null].filter(Boolean).join(" · ");
  const back = button("prev", t("previous"), { class: "button quiet", onclick: () => player.go(at - 1) }, "prev");
  const onward = last
    ? button("finish", t("finish"), { class: "button main", onclick: () => player.leave(step, at + 1) }, "check", true)
    : button("next", t("next"), { class: "button main", onclick: () => player.leave(step, at + 1) }, "next", true);
  return h("article", { class: "page kind-" + step.kind },
    h("div", { class: "page-head" }, h("p", { class: "eyebrow", lang: uiLang() }, eyebrow),
      h("button", { type: "button", class: "tool", "data-action": "print", lang: uiLang(), onclick: () => window.print() }, icon("print"), h("span", null, t("print")))),
    h("h1", Object.assign({ tabindex: "-1" }, step.language ? { lang: step.language, dir: "auto" } : {}), step.title),
    h("p", { class: "print-only" }, course.title),
    h("div", { class: "body" }, body),
    h("div", { class: "flow" }, back, say("span.place", "stepOf", { n: number(at + 1), total: number(progress.steps.length) }), onward));
}

function loadingView() {
  return h("div", { class: "loading" }, h("div", { class: "bones", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")), say("p.unseen", "loading"));
}

function failedView(player, at) {
  return h("div", { class: "card failed", role: "alert" }, say("p", "loadFailed"), button("reload", t("retry"), { onclick: () => player.go(at) }, "flip"));
}

// What a course is done by, where that is not every step of it.
const DONE_BY = { share: "done_share", quizzes: "done_quizzes", assignments: "done_assignments" };

function endView(player) {
  const { course, progress, reporter, lms } = player;
  const open = progress.steps.filter((step) => !progress.counts(step));
  const enough = progress.meets(course.completion);
  const score = progress.best !== null && (reporter.finished || enough) ? progress.best : null;
  const passed = score !== null && (course.passMark === null || score >= course.passMark);
  const next = (action, key, act, kind, sign) => button(action, t(key), { class: kind, onclick: act }, sign);
  return h("article", { class: "page end" },
    h("div", { class: "hero" + (enough ? " finished" : "") },
      h("p", { class: "eyebrow" }, course.title),
      h("h1", { tabindex: "-1", lang: uiLang() }, t(!open.length ? "allDone" : enough ? "enoughDone" : progress.measure(course.completion) < 0.5 ? "onYourWay" : "almostThere")),
      score === null ? null : [ring(score), h("p", { class: "verdict-line", lang: uiLang() }, passed ? [icon("check"), t("passed")] : t("notPassed", { pass: percent(course.passMark) }))],
      enough || !course.completion ? null : say("p.lede", DONE_BY[course.completion.rule], { n: percent(course.completion.percent || 0) }),
      say("p.lede", open.length ? "stillOpen" : score !== null && !passed ? "improveText" : "allDoneText", { n: number(open.length) }),
      enough && lms.records && !player.saveFailed ? say("p.hint", "mayClose") : null),
    open.length ? stepChoice(player, "openSteps", open) : null,
    !open.length && score !== null && !passed ? stepChoice(player, "improve", progress.steps.filter((step) => step.graded && progress.scores.get(step.id) < 100)) : null,
    h("section", { class: "contents" }, say("h2", "yourWay"), h("ol", null, course.units.map((unit) => unitResult(unit, player)))),
    h("div", { class: "flow" },
      next("prev", "previous", () => player.go(progress.steps.length - 1), "button quiet", "prev"),
      h("span", { class: "spread" }),
      next("restart", "startAgain", () => player.go(0), "button quiet", "flip"),
      lms.records ? next("exit", "saveAndExit", () => player.exit(), enough ? "button main" : "button quiet", "out") : null));
}

function stepChoice(player, key, steps) {
  if (!steps.length) return null;
  return h("section", { class: "open-steps" }, say("h2", key), h("ul", null, steps.map((step) => h("li", null,
    h("button", { type: "button", class: "row-link", onclick: () => player.go(player.progress.steps.indexOf(step)) },
      h("span", null, step.title), say("span.hint", "kind_" + step.kind), icon("next"))))));
}

function unitResult(unit, player) {
  const { progress } = player;
  const done = unit.steps.filter((step) => progress.done.has(step.id)).length;
  const score = progress.score(unit.steps);
  return h("li", null, unit.title ? h("h3", null, unit.title) : say("h3", "closingUnit"),
    h("p", { class: "hint", lang: uiLang() }, t("unitState", { n: number(done), total: number(unit.steps.length) }) + (score === null ? "" : " · " + percent(score))));
}

function closedView(player) {
  return h("article", { class: "page closed" }, h("div", { class: "hero finished" },
    h("p", { class: "eyebrow" }, player.course.title), h("h1", { tabindex: "-1", lang: uiLang() }, t("goodbye")), say("p.lede", "mayClose")));
}

const VIEWS = {
  lesson: lessonView,
  quiz: quizView,
  flashcards: flashcardsView,
  explainer: explainerView,
  podcast: podcastView,
  video: videoView,
  reflection: reflectionView,
  assignment: assignmentView,
};

// Kinds that end with an act of the learner; all others are done when the learner moves on.
const NEEDS_ACT = new Set(["quiz", "reflection", "assignment"]);
