// Everything that is read, turned over, watched, listened to or written, and is not a quiz.

function lessonView(step, content) {
  const goals = list(content.objectives);
  return [
    content.summary ? h("p", { class: "lede" }, inline(content.summary)) : null,
    goals.length ? h("aside", { class: "card goals", "aria-label": t("objectives") },
      h("p", { class: "eyebrow" }, t("objectives")), h("ul", null, goals.map((goal) => h("li", null, inline(goal))))) : null,
    prose(content.html),
  ];
}

function flashcardsView(step, content) {
  const cards = list(content.cards);
  if (!cards.length) return h("p", { class: "quiet-text" }, t("nothingHere"));
  let at = 0;
  let turned = false;
  const seen = new Set();
  const place = h("p", { class: "eyebrow", "aria-hidden": "true" });
  const side = h("span", { class: "side" });
  const face = h("span", { class: "face" });
  const card = h("button", { type: "button", class: "flashcard", "data-action": "flip" }, side, face,
    h("span", { class: "flip-hint" }, icon("flip"), t("flip")));
  const hint = h("p", { class: "hint centered" });
  const draw = (speak) => {
    const one = cards[at];
    place.textContent = t("cardOf", { n: number(at + 1), total: number(cards.length) });
    side.textContent = turned ? t("back") : t("front");
    face.replaceChildren(...inline(turned ? one.back : one.front));
    card.classList.toggle("turned", turned);
    hint.textContent = one.hint && !turned ? t("hint") + ": " + one.hint : "";
    if (speak) announce((turned ? t("back") : place.textContent) + ": " + face.textContent);
  };
  card.addEventListener("click", () => {
    turned = !turned;
    seen.add(at);
    draw(true);
  });
  const turn = (by) => {
    at = (at + by + cards.length) % cards.length;
    turned = false;
    draw(true);
  };
  draw(false);
  return h("section", { class: "flashcards", "aria-label": t("kind_flashcards") }, place, card, hint,
    h("div", { class: "card-row" },
      button("card-prev", t("cardPrev"), { class: "button quiet", onclick: () => turn(-1) }, "prev"),
      button("card-next", t("cardNext"), { class: "button quiet", onclick: () => turn(1) }, "next", true)));
}

// A section's picture is a description unless somebody drew it; the description is worth showing.
function visualText(visual) {
  if (typeof visual === "string") return visual;
  if (visual && typeof visual === "object") return String(visual.description || visual.alt || visual.text || "");
  return "";
}

function explainerView(step, content) {
  const points = list(content.key_points);
  const glossary = list(content.glossary);
  return [
    list(content.sections).map((section) => h("section", { class: "explainer" },
      section.heading ? h("h2", null, inline(section.heading)) : null,
      prose(section.html),
      visualText(section.visual) ? h("p", { class: "visual" }, h("span", { class: "eyebrow" }, t("picture")), inline(visualText(section.visual))) : null)),
    points.length ? h("section", { class: "card goals" }, h("h2", { class: "card-title" }, t("keyPoints")),
      h("ul", null, points.map((point) => h("li", null, inline(point))))) : null,
    glossary.length ? h("section", null, h("h2", null, t("glossary")), h("dl", { class: "glossary" },
      glossary.map((entry) => [h("dt", null, inline(entry.term)), h("dd", null, inline(entry.definition))]))) : null,
  ];
}

function podcastView(step, content) {
  const names = new Map(list(content.speakers).map((speaker) => [speaker.id, speaker.name]));
  const audio = content.audio || {};
  return [
    audio.url ? h("p", null, outLink(audio.url, t("listen"))) : null,
    h("section", { class: "transcript" }, h("h2", null, t("transcript")),
      list(content.segments).map((segment) => [
        segment.title ? h("h3", null, inline(segment.title)) : null,
        list(segment.turns).map((turn, at, all) => {
          const name = names.get(turn.speaker_id) || "";
          const again = at > 0 && all[at - 1].speaker_id === turn.speaker_id;
          const order = Array.from(names.keys()).indexOf(turn.speaker_id);
          return h("p", { class: "turn voice-" + (order > 0 ? order % 3 : 0) },
            name && !again ? h("strong", { class: "speaker" }, name) : null, h("span", null, inline(turn.text)));
        }),
      ])),
  ];
}

function timeLabel(seconds) {
  const whole = Math.max(0, Math.floor(Number(seconds) || 0));
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return (hours ? hours + ":" + two(Math.floor(whole / 60) % 60) : String(Math.floor(whole / 60))) + ":" + two(whole % 60);
}

function videoView(step, content) {
  const chapters = list(content.chapters);
  return [
    h("div", { class: "card video" }, h("p", null, t("videoHint")), outLink(content.url, t("watch")) || h("p", { class: "quiet-text" }, t("nothingHere"))),
    chapters.length ? h("section", null, h("h2", null, t("chapters")), h("ol", { class: "chapters" },
      chapters.map((chapter) => h("li", null, h("span", { class: "when" }, timeLabel(chapter.start_seconds)), h("span", null, inline(chapter.title)))))) : null,
  ];
}

function reflectionView(step, content, player) {
  const field = writingField("note-" + step.id, t("yourThoughts"), content.min_words, player.note(step.id));
  const save = button("submit", t("save"), { class: "button main" });
  save.addEventListener("click", () => {
    if (!field.enough()) {
      announce(content.min_words ? t("writeMore", { n: number(content.min_words) }) : t("needsAnswer"), true);
      field.area.focus();
      return;
    }
    const text = field.area.value.trim();
    const attempt = (player.progress.attempts.get(step.id) || 0) + 1;
    player.keepNote(step.id, text);
    player.progress.attempts.set(step.id, attempt);
    player.reporter.interaction(interactionId(step, 0, attempt), Object.assign(textSaid(text, [], true, true), {
      points: 0, prompt: String(content.prompt || ""), latency: 0, result: "neutral",
    }));
    player.complete(step);
    announce(t("answersSaved"), true);
  });
  return h("div", { class: "card" }, content.prompt ? h("p", { class: "prompt lines" }, inline(content.prompt)) : null, field.node,
    h("div", { class: "submit-row" }, save));
}
