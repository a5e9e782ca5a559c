// A quiz: its questions on one page, one submission, feedback, another try.

function quizView(step, content, player) {
  const questions = list(content.questions);
  const box = h("div", { class: "quiz" });
  if (!questions.length) {
    player.complete(step);
    return h("p", { class: "quiet-text" }, t("nothingHere"));
  }
  const best = player.progress.scores.get(step.id);
  if (player.progress.done.has(step.id)) box.append(quizSummary(step, content, best, () => quizForm(step, content, player, box)));
  else quizForm(step, content, player, box);
  return box;
}

function quizSummary(step, content, best, again) {
  const passed = best >= content.passing_percent;
  return h("div", { class: "card result" + (step.graded && passed ? " good" : "") },
    step.graded && best !== undefined
      ? [h("p", { class: "big" }, percent(best)), h("p", null, passed ? t("passed") : t("notPassed", { pass: percent(content.passing_percent) }))]
      : h("p", { class: "big small" }, t("answersSaved")),
    button("retry", t("tryAgain"), { class: "button quiet", onclick: again }, "flip"));
}

function quizForm(step, content, player, box) {
  const attempt = (player.progress.attempts.get(step.id) || 0) + 1;
  const seed = (player.progress.seed ^ hash32(step.id + attempt)) >>> 0;
  const numbered = list(content.questions).map((q, at) => ({ q, at }));
  const order = content.shuffle === true ? shuffled(numbered, seed) : numbered;
  const startedAt = Date.now();
  const parts = order.map((one, place) => questionPart(one, place, order.length, step, seed, content));
  const outcome = h("div", { class: "outcome", tabindex: "-1" });
  const submit = button("submit", t("submit"), { class: "button main" });
  submit.addEventListener("click", () => {
    const open = parts.filter((part) => !part.face.answered());
    parts.forEach((part) => part.missing(open.includes(part)));
    if (open.length) {
      announce(t("unanswered", { n: number(open.length) }), true);
      open[0].focus();
      return;
    }
    gradeQuiz(step, content, player, parts, attempt, Date.now() - startedAt, outcome);
    submit.remove();
  });
  box.replaceChildren(
    h("p", { class: "quiet-text" }, quizIntro(step, content, parts.length)),
    h("div", { class: "questions" }, parts.map((part) => part.node)), h("div", { class: "submit-row" }, submit), outcome);
  if (attempt > 1) parts[0].focus();
}

function quizIntro(step, content, count) {
  const line = t("questionCount", { n: number(count) });
  return step.graded ? line + " · " + t("passMark", { pass: percent(content.passing_percent) }) : line;
}

function questionPart({ q, at }, place, total, step, seed, content) {
  const name = "q-" + step.id + "-" + at;
  const make = QUESTIONS[q.type] || QUESTIONS.open;
  const face = make(q, { name, seed: (seed + at * 7919) >>> 0, shuffle: content.shuffle === true });
  const missingNote = h("p", { class: "missing", hidden: true, id: name + "-missing" }, t("needsAnswer"));
  const feedback = h("div", { class: "feedback" });
  const fields = h("fieldset", { class: "question card", "data-type": q.type, "data-question": String(at) },
    h("legend", null, h("span", { class: "eyebrow" }, t("questionOf", { n: number(place + 1), total: number(total) })),
      h("span", { class: "prompt" }, inline(q.prompt))),
    face.hint ? h("p", { class: "hint" }, face.hint) : null, face.node, missingNote, feedback);
  return {
    q, at, face, feedback,
    node: fields,
    missing: (is) => {
      missingNote.hidden = !is;
      fields.classList.toggle("is-missing", is);
      // A hidden note would still be read out as the description.
      if (is) fields.setAttribute("aria-describedby", missingNote.id);
      else fields.removeAttribute("aria-describedby");
    },
    focus: () => {
      const target = fields.querySelector("input, select, textarea, button:not(:disabled)");
      if (target) target.focus();
    },
  };
}

function gradeQuiz(step, content, player, parts, attempt, time, outcome) {
  const show = content.show_answers !== "never";
  let earned = 0;
  let possible = 0;
  for (const part of parts) {
    const ratio = part.q.scored === true ? part.face.ratio() : null;
    const points = Number(part.q.points) >= 0 ? Number(part.q.points) : 1;
    if (ratio !== null) {
      earned += ratio * points;
      possible += points;
    }
    const said = part.face.said();
    player.reporter.interaction(interactionId(step, part.at, attempt), Object.assign(said, {
      points, prompt: String(part.q.prompt || ""), latency: time / parts.length,
      result: ratio === null ? "neutral" : ratio === 1 ? "correct" : "incorrect",
    }));
    part.feedback.append(...questionFeedback(part, ratio, show));
    if (show && part.face.reveal && part.q.scored === true) part.face.reveal();
    if (part.face.lock) part.face.lock();
    for (const field of part.node.querySelectorAll("input, select, textarea")) field.disabled = true;
  }
  player.progress.attempts.set(step.id, attempt);
  const score = possible > 0 ? Math.round((earned / possible) * 100) : null;
  if (score !== null) player.progress.addScore(step, score);
  player.live.attempted(step, parts, attempt);
  player.complete(step);
  const box = outcome.parentElement;
  outcome.append(quizSummary(step, content, score === null ? undefined : score, () => quizForm(step, content, player, box)));
  announce(score === null ? t("answersSaved") : t("scoreLine", { score: percent(score) }), true);
  outcome.focus({ preventScroll: true });
  outcome.scrollIntoView({ block: "nearest" });
}

function interactionId(step, at, attempt) {
  return step.id + ".q" + (at + 1) + (attempt > 1 ? ".a" + attempt : "");
}

function questionFeedback(part, ratio, show) {
  const lines = [];
  if (!show) return lines;
  if (ratio !== null) {
    const word = ratio === 1 ? t("correct") : ratio > 0 ? t("partly") : t("incorrect");
    lines.push(h("p", { class: "verdict " + (ratio === 1 ? "good" : "bad") }, icon(ratio === 1 ? "check" : "cross"), h("span", null, word)));
    if (ratio < 1) lines.push(h("p", { class: "right-answer" }, t("rightAnswer"), " ", h("strong", null, inline(part.face.right()))));
  }
  if (part.face.sample) lines.push(h("p", { class: "eyebrow" }, t("sample")), h("p", { class: "lines" }, inline(part.face.sample)));
  if (part.q.explanation) lines.push(h("p", { class: "lines" }, inline(part.q.explanation)));
  return lines;
}
