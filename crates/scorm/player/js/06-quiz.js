// A quiz: its questions on one page, one submission, feedback, another try.

function quizView(step, content, player) {
  const box = h("div", { class: "quiz" });
  if (!list(content.questions).length) {
    player.complete(step);
    return nothingView();
  }
  const again = () => quizForm(step, content, player, box);
  const tries = player.progress.attempts.get(step.id) || 0;
  if (player.progress.done.has(step.id) || tries >= mostAttempts(content)) box.append(quizSummary(step, content, player, null, again));
  else again();
  return box;
}

// How often a learner may try; there is no end where the quiz names none.
function mostAttempts(content) {
  const most = Number(content.max_attempts);
  return Number.isInteger(most) && most > 0 ? most : Infinity;
}

// The questions of an attempt: where the quiz asks some of its own only, other ones each time, and the same after a
// reload. One of them can be scored if any can, or a course with that quiz would never come to an end.
function drawn(numbered, content, seed) {
  const some = Number(content.questions_per_attempt);
  if (!Number.isInteger(some) || some < 1 || some >= numbered.length) return numbered;
  const order = shuffled(numbered, hash32("draw " + seed));
  const scored = order.findIndex(({ q }) => q.scored === true);
  if (scored >= some) [order[some - 1], order[scored]] = [order[scored], order[some - 1]];
  return order.slice(0, some).sort((one, other) => one.at - other.at);
}

// After an attempt: its own points and score; on a later visit the best one.
function quizSummary(step, content, player, outcome, again) {
  const { progress } = player;
  const best = progress.scores.get(step.id);
  const score = outcome ? outcome.score : best === undefined ? null : best;
  const passed = step.graded && best >= content.passing_percent;
  const tries = progress.attempts.get(step.id) || 0;
  const most = mostAttempts(content);
  const facts = [
    outcome && outcome.possible ? t("pointsLine", { points: number(round(outcome.earned)), total: number(round(outcome.possible)) }) : null,
    !tries ? null : most < Infinity ? t("triesOf", { n: number(tries), total: number(most) }) : t("triesLine", { n: number(tries) }),
    tries > 1 && best !== undefined ? t("bestLine", { score: percent(best) }) : null,
  ].filter(Boolean);
  const words = !step.graded || score === null ? null
    : h("p", { class: "verdict-line", lang: uiLang() }, passed ? [icon("check"), t("passed")] : t("notPassed", { pass: percent(content.passing_percent) }));
  return h("section", { class: "card result" + (passed ? " good" : ""), "aria-label": t("yourResult"), lang: uiLang() },
    score === null ? say("p.big.small", "answersSaved") : [ring(score), words],
    facts.length ? h("ul", { class: "facts" }, facts.map((fact) => h("li", null, fact))) : null,
    tries < most ? button("retry", t("tryAgain"), { class: passed || score === null ? "button quiet" : "button", onclick: again }, "flip")
      : passed ? null : say("p.quiet-text", "noTriesLeft"));
}

function round(points) {
  return Math.round(points * 100) / 100;
}

// A score as a ring around its number.
function ring(score) {
  const circle = (name, share) => drawing("circle", { class: name, cx: 60, cy: 60, r: 52, pathLength: 100, "stroke-dasharray": share + " 100" });
  const shown = Math.max(0, Math.min(100, score));
  return h("div", { class: "ring" },
    drawing("svg", { viewBox: "0 0 120 120", "aria-hidden": "true", focusable: "false" }, circle("ring-track", 100), ...(shown ? [circle("ring-value", shown)] : [])),
    h("p", { class: "big" }, percent(score)));
}

function quizForm(step, content, player, box) {
  const attempt = (player.progress.attempts.get(step.id) || 0) + 1;
  const seed = (player.progress.seed ^ hash32(step.id + attempt)) >>> 0;
  const numbered = drawn(list(content.questions).map((q, at) => ({ q, at })), content, seed);
  const order = content.shuffle === true ? shuffled(numbered, seed) : numbered;
  const startedAt = Date.now();
  const parts = order.map((one, place) => questionPart(one, place, order.length, step, seed, content));
  const outcome = h("div", { class: "outcome", tabindex: "-1" });
  const submit = button("submit", t("submit"), { class: "button main" });
  const row = h("div", { class: "submit-row" }, submit);
  submit.addEventListener("click", () => {
    const open = parts.filter((part) => !part.face.answered());
    parts.forEach((part) => part.missing(open.includes(part)));
    if (open.length) {
      announce(t("unanswered", { n: number(open.length) }), true);
      open[0].focus();
      return;
    }
    row.remove();
    gradeQuiz(step, content, player, parts, attempt, Date.now() - startedAt, outcome);
  });
  box.replaceChildren(quizIntro(step, content, player, parts.length),
    h("div", { class: "questions" }, parts.map((part) => part.node)), row, outcome);
  if (box.isConnected) parts[0].focus();
}

function quizIntro(step, content, player, count) {
  const tries = player.progress.attempts.get(step.id) || 0;
  const most = mostAttempts(content);
  const facts = [t("questionCount", { n: number(count) }), step.graded ? t("passMark", { pass: percent(content.passing_percent) }) : null,
    most < Infinity ? t("attemptOf", { n: number(tries + 1), total: number(most) }) : tries ? t("attemptNumber", { n: number(tries + 1) }) : null].filter(Boolean);
  return h("ul", { class: "facts", lang: uiLang() }, facts.map((fact) => h("li", null, fact)));
}

function questionPart({ q, at }, place, total, step, seed, content) {
  const name = "q-" + step.id + "-" + at;
  const make = QUESTIONS[q.type] || QUESTIONS.open;
  const face = make(q, { name, seed: (seed + at * 7919) >>> 0, shuffle: content.shuffle === true });
  const note = h("p", { class: "missing", hidden: true, id: name + "-missing", lang: uiLang() });
  const feedback = h("div", { class: "feedback" });
  const points = q.scored === true && list(content.questions).some((one) => one.points !== q.points) ? " · " + t("worth", { n: number(q.points) }) : "";
  const title = t("questionOf", { n: number(place + 1), total: number(total) }) + points;
  const prompt = asShown(q, "prompt", "span", { class: "prompt" });
  const fields = h("fieldset", { class: "question card", "data-type": q.type, "data-question": String(at) },
    h("legend", null, h("span", { class: "eyebrow", lang: uiLang() }, title), isBlocks(prompt) ? null : prompt),
    isBlocks(prompt) ? prompt : null,
    face.hint ? h("p", { class: "hint", lang: uiLang() }, face.hint) : null, face.node, note, feedback);
  nameBy(fields, isBlocks(prompt) ? asked(prompt) : prompt, isBlocks(prompt), title);
  const part = {
    q, at, face, feedback,
    node: fields,
    missing: (is) => markMissing(fields, note, is, face.missing ? face.missing() : t("needsAnswer")),
    focus: () => {
      const empty = Array.from(fields.querySelectorAll("input:not([type=radio]):not([type=checkbox]), select, textarea")).find((field) => field.value.trim() === "");
      const target = empty || fields.querySelector("input, select, textarea, button:not(:disabled)");
      if (target) target.focus();
    },
  };
  // What was complained about is looked at again with every change, so the complaint goes when its reason does.
  for (const event of ["input", "change", "click"]) {
    fields.addEventListener(event, () => { if (!note.hidden && face.answered()) part.missing(false); });
  }
  return part;
}

// A legend holds no blocks: they stand below it, and what is asked in them names the group as well. Most say first what they
// show, and ask at the end.
function asked(prompt) {
  const sentences = Array.from(prompt.querySelectorAll(":scope > p:not(.picture)"));
  const one = sentences.filter((sentence) => /[?؟？]\s*$/.test(sentence.textContent)).pop() || sentences[0] || prompt.firstElementChild;
  one.classList.add("asked");
  return one;
}

// The note is tied to the group and to each field in it; a hidden one would still be read as their description.
function markMissing(fields, note, is, words) {
  note.hidden = !is;
  note.replaceChildren(...(is ? [icon("cross"), h("span", null, words)] : []));
  fields.classList.toggle("is-missing", is);
  for (const field of [fields, ...fields.querySelectorAll("input, select, textarea")]) {
    const others = (field.getAttribute("aria-describedby") || "").split(" ").filter((id) => id && id !== note.id);
    if (is) others.push(note.id);
    if (others.length) field.setAttribute("aria-describedby", others.join(" "));
    else field.removeAttribute("aria-describedby");
    if (!/^(text|textarea|select-one)$/.test(field.type)) continue;
    if (is && field.value.trim() === "") field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
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
    player.reporter.interaction(interactionId(step, part.at, attempt), questionName(part), Object.assign(said, {
      points, prompt: String(part.q.prompt || ""), latency: time / parts.length,
      result: ratio === null ? "neutral" : ratio === 1 ? "correct" : "incorrect",
    }));
    part.feedback.append(...questionFeedback(part, ratio, points, show));
    if (show && part.face.reveal && part.q.scored === true) part.face.reveal();
    if (part.face.lock) part.face.lock();
    for (const field of part.node.querySelectorAll("input, select, textarea")) field.disabled = true;
  }
  player.progress.attempts.set(step.id, attempt);
  const score = possible > 0 ? Math.round((earned / possible) * 100) : null;
  if (score !== null) player.progress.addScore(step, score);
  player.live.attempted(step, parts, attempt, content);
  player.complete(step);
  const box = outcome.parentElement;
  if (!show) outcome.append(say("p.quiet-text", "answersHidden"));
  outcome.append(quizSummary(step, content, player, { score, earned, possible }, () => quizForm(step, content, player, box)));
  announce(score === null ? t("answersSaved") : t("scoreLine", { score: percent(score) }));
  outcome.focus({ preventScroll: true });
  outcome.scrollIntoView({ block: "nearest" });
}

// A cloze may have nothing but its text, in which marks stand for its blanks.
function questionName({ q, at }) {
  return slugOf(q.prompt || String(q.text || "").replace(/\{\{.*?\}\}/g, " "), "question-" + (at + 1));
}

// By ids and places alone, whatever the wording is: earlier attempts are counted by it.
function interactionId(step, at, attempt) {
  return step.id + ".q" + (at + 1) + (attempt > 1 ? ".a" + attempt : "");
}

function questionFeedback(part, ratio, points, show) {
  const lines = [];
  if (!show) return lines;
  if (ratio !== null) {
    const [word, mood, sign] = ratio === 1 ? ["correct", "good", "check"] : ratio > 0 ? ["partly", "part", "part"] : ["incorrect", "bad", "cross"];
    const earned = ratio > 0 && ratio < 1 ? " · " + t("pointsLine", { points: number(round(ratio * points)), total: number(points) }) : "";
    lines.push(h("p", { class: "verdict " + mood, lang: uiLang() }, icon(sign), h("span", null, t(word) + earned)));
    if (ratio < 1) lines.push(h("p", { class: "right-answer" }, h("span", { lang: uiLang() }, t("rightAnswer")), " ", h("strong", null, part.face.right())));
  }
  if (part.q.type === "open") lines.push(say("p.quiet-text", part.face.sample ? "compare" : "notMarked"));
  if (part.face.sample) lines.push(say("p.eyebrow", "sample"), asShown(part.q, "sample_answer", "p"));
  if (says(part.q, "explanation")) lines.push(asShown(part.q, "explanation", "p", { class: "explanation" }));
  return lines;
}
