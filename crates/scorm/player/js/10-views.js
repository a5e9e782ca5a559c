// The pages: the cover, a step, the end.

function coverView(player) {
  const { course, progress, lms } = player;
  const minutes = progress.steps.reduce((total, step) => total + (Number(step.minutes) || 0), 0);
  const facts = [
    t("unitCount", { n: number(course.units.filter((unit) => unit.title).length) }),
    t("stepCount", { n: number(progress.steps.length) }),
    minutes ? t("minutes", { n: number(minutes) }) : null,
  ].filter(Boolean);
  const name = lms.firstName();
  return h("article", { class: "page cover" },
    name ? h("p", { class: "eyebrow" }, t("welcome", { name })) : course.cohort ? h("p", { class: "eyebrow" }, course.cohort) : null,
    h("h1", { tabindex: "-1" }, course.title),
    h("ul", { class: "facts" }, facts.map((fact) => h("li", null, fact))),
    prose(course.html),
    h("div", { class: "flow" }, button("start", t("start"), { class: "button main", onclick: () => player.go(0) }, "next", true)));
}

function stepView(player, step, body) {
  const { progress } = player;
  const at = progress.steps.indexOf(step);
  const last = at === progress.steps.length - 1;
  const kind = t("kind_" + step.kind);
  const eyebrow = [kind, step.minutes ? t("minutes", { n: number(step.minutes) }) : null].filter(Boolean).join(" · ");
  const back = button("prev", t("previous"), { class: "button quiet", onclick: () => player.go(at - 1) }, "prev");
  const onward = last
    ? button("finish", t("finish"), { class: "button main", onclick: () => player.leave(step, at + 1) }, "check", true)
    : button("next", t("next"), { class: "button main", onclick: () => player.leave(step, at + 1) }, "next", true);
  return h("article", { class: "page kind-" + step.kind },
    h("p", { class: "eyebrow" }, eyebrow),
    h("h1", { tabindex: "-1" }, step.title),
    h("div", { class: "body" }, body),
    h("div", { class: "flow" }, back, h("span", { class: "place" }, t("stepOf", { n: number(at + 1), total: number(progress.steps.length) })), onward));
}

function loadingView(step) {
  return h("p", { class: "quiet-text" }, t("loading"));
}

function failedView(player, at) {
  return h("div", { class: "card" }, h("p", null, t("loadFailed")), button("reload", t("retry"), { onclick: () => player.go(at) }));
}

function endView(player) {
  const { course, progress, reporter } = player;
  const open = progress.steps.filter((step) => !progress.done.has(step.id));
  const score = progress.best !== null && reporter.finished ? progress.best : null;
  const passed = score !== null && course.passMark !== null && score >= course.passMark;
  return h("article", { class: "page end" },
    h("p", { class: "eyebrow" }, course.title),
    h("h1", { tabindex: "-1" }, open.length ? t("almostThere") : t("allDone")),
    open.length
      ? [h("p", { class: "lede" }, t("stillOpen", { n: number(open.length) })),
        h("ul", { class: "open-steps" }, open.map((step) => h("li", null,
          h("button", { type: "button", class: "link", onclick: () => player.go(progress.steps.indexOf(step)) }, step.title))))]
      : h("p", { class: "lede" }, t("allDoneText")),
    score === null ? null : h("div", { class: "card result" + (passed ? " good" : "") },
      h("p", { class: "eyebrow" }, t("overall")), h("p", { class: "big" }, percent(score)),
      h("p", null, passed ? t("passed") : t("notPassed", { pass: percent(course.passMark || 0) }))),
    h("div", { class: "flow" }, button("prev", t("previous"), { class: "button quiet", onclick: () => player.go(progress.steps.length - 1) }, "prev"),
      h("span", { class: "place" }, !open.length && player.lms.records && !player.saveFailed ? t("mayClose") : "")));
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
