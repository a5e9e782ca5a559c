// Work that is handed in: what to do, what was written, and what became of it.

const DRAFT_PAUSE_MS = 500;

function assignmentView(step, content, player) {
  const box = h("div", { class: "work" });
  const draw = () => {
    // A grade may arrive while its learner reads it; their place in the page is kept.
    const focused = box.contains(document.activeElement);
    box.replaceChildren();
    append(box, workParts(step, content, player, draw));
    if (focused) player.focusFlow();
  };
  player.live.watch(step, draw);
  draw();
  return [prose(content.html), box];
}

function workParts(step, content, player, draw) {
  const work = player.live.workOf(step);
  const form = () => workForm(step, content, player, work, draw);
  if (work.state === "draft") return [form()];
  if (work.state === "refused") return [workNote("bad", t("notAccepted"), t(work.code === "limit_reached" ? "noAttemptsLeft" : "textKept")), form()];
  if (work.state === "waiting") return [workNote("wait", t("handedInHere"), t("waitingToSend")), workText(player.note(step.id))];
  const { submission } = work;
  const parts = [workNote("good", work.at ? t("handedInAt", { time: moment(work.at) }) : t("handedIn"), stateText(work))];
  if (submission) parts.push(gradeCard(submission));
  const left = content.maxAttempts && submission ? content.maxAttempts - submission.attempt : Infinity;
  if (work.state === "returned" && left > 0) return parts.concat(form());
  parts.push(workText(submission ? workSaid(submission.content) : player.note(step.id)));
  if (work.state === "graded" && left > 0) parts.push(againButton(form));
  return parts;
}

function stateText(work) {
  if (work.state === "grading") return t("beingGraded");
  if (work.state === "returned") return t("returned");
  return work.state === "handed" ? t("notGradedYet") : "";
}

function againButton(form) {
  const row = h("div", { class: "submit-row" }, button("again", t("handInAgain"), { class: "button quiet", onclick: () => {
    const node = form();
    row.replaceWith(node);
    node.querySelector("textarea").focus();
  } }, "flip"));
  return row;
}

function workNote(mood, headline, text) {
  return h("div", { class: "card work-note " + mood },
    h("p", { class: "verdict " + (mood === "bad" ? "bad" : "good") }, icon(mood === "bad" ? "cross" : "check"), h("span", null, headline)),
    text ? h("p", null, text) : null);
}

function workSaid(content) {
  const { type, text, url } = content || {};
  return String((type === "url" ? url : text) || "");
}

function workText(text) {
  if (!text) return null;
  return h("section", { class: "card work-text" }, h("h2", { class: "card-title" }, t("yourWork")), h("p", { class: "lines", dir: "auto" }, text));
}

function gradeCard(submission) {
  const share = shareOf(submission);
  if (share === null) return null;
  const points = (one) => t("pointsOf", { n: number(one.score), total: number(one.max_score) });
  const criteria = list(submission.criteria);
  return h("section", { class: "card grade", "aria-label": t("grade") },
    h("h2", { class: "card-title" }, t("grade")),
    h("p", { class: "big" }, percent(share)), h("p", null, points(submission)),
    submission.feedback ? h("p", { class: "lines", dir: "auto" }, inline(submission.feedback)) : null,
    criteria.length ? h("ul", { class: "criteria" }, criteria.map((one) => h("li", null,
      h("p", null, h("strong", null, String(one.name || "")), " ", h("span", { class: "points" }, points(one))),
      one.rationale ? h("p", { class: "lines quiet-text", dir: "auto" }, inline(one.rationale)) : null))) : null);
}

function moment(text) {
  try {
    return new Intl.DateTimeFormat(uiLanguage, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
  } catch (error) {
    return "";
  }
}

function workForm(step, content, player, work, draw) {
  const field = writingField("work-" + step.id, t("yourWork"), 0, player.note(step.id));
  const { area } = field;
  const takes = player.live.takesWork;
  const known = player.progress.done.has(step.id) && work.state === "draft";
  const done = h("p", { class: "verdict good", hidden: !known }, icon("check"), h("span", null, t("markedDone")));
  const count = h("p", { class: "hint" });
  const act = button("submit", "", { class: "button main" }, "check");
  const isWork = () => takes && area.value.trim() !== "";
  const show = () => {
    count.textContent = area.value.trim() ? t("draftKept", { n: number(words(area.value)) }) : "";
    act.querySelector("span").textContent = isWork() ? t("handIn") : t("markDone");
    act.hidden = !done.hidden && !isWork();
  };
  keepDraft(area, step, player);
  area.addEventListener("input", show);
  act.addEventListener("click", () => {
    player.keepNote(step.id, area.value.trim());
    if (isWork()) handInWork(step, area.value.trim(), player);
    player.complete(step);
    announce(isWork() ? t("handedInHere") : t("markedDone"), true);
    done.hidden = false;
    show();
    if (isWork()) draw();
    player.focusFlow();
  });
  show();
  const left = content.maxAttempts ? h("p", { class: "hint" }, t("maxAttempts", { n: number(content.maxAttempts) })) : null;
  return h("div", { class: "card" }, h("p", null, takes ? t("handInHint") : t("assignmentHint")), takes ? left : null,
    field.node, count, h("div", { class: "submit-row" }, act), done);
}

// Kept at once for the next save, and on the device once the hands rest.
function keepDraft(area, step, player) {
  let rest = 0;
  area.addEventListener("input", () => {
    player.progress.notes.set(step.id, area.value);
    clearTimeout(rest);
    rest = setTimeout(() => player.keepNote(step.id, area.value), DRAFT_PAUSE_MS);
  });
  area.addEventListener("change", () => player.keepNote(step.id, area.value));
}

function handInWork(step, text, player) {
  const attempt = player.live.nextAttempt(step);
  player.progress.attempts.set(step.id, attempt);
  player.reporter.interaction(interactionId(step, 0, attempt), slugOf(step.title, "assignment"), Object.assign(textSaid(text, [], true, true), {
    points: 0, prompt: step.title, latency: 0, result: "neutral",
  }));
  player.live.handIn(step, text, attempt);
}
