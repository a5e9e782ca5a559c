// What is read or written, and is neither a quiz nor a recording nor a deck.

function nothingView() {
  return h("div", { class: "empty" }, icon("steps"), say("p", "nothingHere"));
}

function lessonView(step, content) {
  const goals = list(content.objectives);
  return [
    content.summary ? h("p", { class: "lede" }, inline(content.summary)) : null,
    goals.length ? h("aside", { class: "card goals", "aria-label": t("objectives") },
      h("p", { class: "eyebrow", lang: uiLang() }, icon("target"), t("objectives")), h("ul", null, goals.map((goal) => h("li", null, inline(goal))))) : null,
    prose(content.html),
  ];
}

// A section's picture is a description unless somebody drew it; the description is worth showing.
function visualText(visual) {
  if (typeof visual === "string") return visual;
  if (visual && typeof visual === "object") return String(visual.description || visual.alt || visual.text || "");
  return "";
}

function visualView(visual) {
  const words = visualText(visual);
  return words ? h("p", { class: "visual" }, say("span.eyebrow", "picture"), h("span", null, inline(words))) : null;
}

function explainerView(step, content) {
  const sections = list(content.sections);
  const points = list(content.key_points);
  const glossary = list(content.glossary);
  if (!sections.length && !points.length && !glossary.length) return nothingView();
  return [
    sections.map((section) => h("section", { class: "explainer" },
      section.heading ? h("h2", null, inline(section.heading)) : null, prose(section.html), visualView(section.visual))),
    points.length ? h("section", { class: "card goals" }, say("h2.card-title", "keyPoints"),
      h("ul", null, points.map((point) => asShown(point, "text", "li")))) : null,
    glossary.length ? h("section", null, say("h2", "glossary"), h("dl", { class: "glossary" },
      glossary.map((entry) => h("div", null, asShown(entry, "term", "dt"), asShown(entry, "definition", "dd"))))) : null,
  ];
}

function reflectionView(step, content, player) {
  const field = writingField("note-" + step.id, t("yourThoughts"), content.min_words, player.note(step.id));
  const problem = h("p", { class: "missing", hidden: true, id: field.area.id + "-missing", lang: uiLang() });
  const kept = h("p", { class: "verdict good", hidden: !player.progress.done.has(step.id), lang: uiLang() }, icon("check"), h("span", null, t("answersSaved")));
  const box = h("div", { class: "card writing" }, says(content, "prompt") ? asShown(content, "prompt", "p", { class: "prompt" }) : null, field.node, problem);
  const save = button("submit", t("save"), { class: "button main" });
  const words = () => (field.least ? t("writeMore", { n: number(field.least) }) : t("needsAnswer"));
  field.area.addEventListener("input", () => {
    kept.hidden = true;
    if (!problem.hidden && field.enough()) markMissing(box, problem, false);
  });
  save.addEventListener("click", () => {
    markMissing(box, problem, !field.enough(), words());
    if (!field.enough()) {
      announce(words());
      field.area.focus();
      return;
    }
    keepReflection(step, content, player, field.area.value.trim());
    kept.hidden = false;
    announce(t("answersSaved"));
  });
  box.append(h("div", { class: "submit-row" }, save, kept));
  return box;
}

function keepReflection(step, content, player, text) {
  const attempt = (player.progress.attempts.get(step.id) || 0) + 1;
  player.keepNote(step.id, text);
  player.progress.attempts.set(step.id, attempt);
  player.reporter.interaction(interactionId(step, 0, attempt), slugOf(step.title, "reflection"), Object.assign(textSaid(text, [], true, true), {
    points: 0, prompt: String(content.prompt || ""), latency: 0, result: "neutral",
  }));
  player.complete(step);
}
