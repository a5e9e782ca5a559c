// Podcasts and videos: played where the package carries them, linked where it does not, and never in the way.

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];
// Where somebody left off on this visit; storage only makes it last longer where there is any.
const positions = new Map();

function podcastView(step, content, player) {
  const audio = content.audio || {};
  const segments = list(content.segments);
  const src = String(audio.src || "");
  const media = src.startsWith("media/") ? h("audio", { controls: true, preload: "metadata", "aria-label": step.title }, h("source", { src, type: audio.type })) : null;
  const transcript = segments.length ? transcriptView(content, step) : null;
  if (!media && !audio.url && !transcript) return nothingView();
  const chapters = segments.map((segment, at) => ({ title: segment.title, start_seconds: segment.start_seconds, target: "part-" + step.id + "-" + at }));
  return [
    media ? recording(step, media, audio.url, player) : audio.url ? h("p", { class: "print-hidden" }, outLink(audio.url, t("listen"))) : null,
    chapterList(chapters.filter((chapter) => chapter.title), media),
    transcript,
  ];
}

function videoView(step, content, player) {
  const src = String(content.src || "");
  if (!src.startsWith("media/")) {
    return [
      h("div", { class: "card video" }, content.url ? [say("p", "videoHint"), outLink(content.url, t("watch"))] : nothingView()),
      chapterList(list(content.chapters), null),
    ];
  }
  const tracks = list(content.captions).filter((one) => String(one.src || "").startsWith("media/"));
  const media = h("video", { controls: true, preload: "metadata", playsinline: true, "aria-label": step.title }, h("source", { src, type: content.type }),
    tracks.map((one, at) => h("track", { kind: "captions", src: one.src, srclang: one.language, label: one.label || one.language || t("captions"), default: at === 0 })));
  return [recording(step, media, content.url, player), chapterList(list(content.chapters), media)];
}

// The element with its speed, its memory and its end; a browser that cannot play it says so and offers the original.
function recording(step, media, url, player) {
  const id = "speed-" + step.id;
  const speed = h("select", { id, class: "field speed", onchange: () => { media.playbackRate = Number(speed.value); } },
    SPEEDS.map((one) => h("option", { value: String(one) }, number(one) + "×")));
  speed.value = "1";
  const done = player.progress.done.has(step.id);
  const note = h("p", { class: "verdict good", hidden: !done, lang: uiLang() }, icon("check"), h("span", null, t("markedDone")));
  const mark = button("done", t("markDone"), { class: "button quiet", hidden: done }, "check");
  const failed = h("div", { class: "failed", hidden: true }, say("p", "cannotPlay"), outLink(url, t(media.tagName === "VIDEO" ? "watch" : "listen")));
  const finish = (byHand) => {
    if (!note.hidden) return;
    note.hidden = false;
    player.complete(step);
    if (byHand) player.focusFlow();
    mark.hidden = true;
    announce(t("markedDone"));
  };
  mark.addEventListener("click", () => finish(true));
  keepPosition(player.placeKey(step), media, () => finish(false));
  const broken = () => {
    failed.hidden = false;
    media.hidden = true;
  };
  media.addEventListener("error", broken);
  media.querySelector("source").addEventListener("error", broken);
  return h("div", { class: "card recording print-hidden" }, media, failed,
    h("div", { class: "recording-row" }, h("p", { class: "speed-row", lang: uiLang() }, h("label", { for: id }, t("speed")), speed), mark, note));
}

function keepPosition(key, media, almostThrough) {
  let kept = 0;
  media.addEventListener("loadedmetadata", () => {
    const at = Number(positions.get(key) || recall(key)) || 0;
    if (at > 0 && at < media.duration * 0.97) media.currentTime = at;
  });
  const note = () => {
    const at = media.currentTime;
    positions.set(key, at);
    if (Math.abs(at - kept) >= 5) remember(key, String(Math.floor(kept = at)));
    if (media.duration > 0 && at / media.duration >= 0.9) almostThrough();
  };
  media.addEventListener("timeupdate", note);
  media.addEventListener("seeked", note);
  // Some recordings do not say how long they are.
  media.addEventListener("ended", almostThrough);
}

function transcriptView(content, step) {
  const names = new Map(list(content.speakers).map((speaker) => [speaker.id, speaker.name]));
  return h("section", { class: "transcript" }, say("h2", "transcript"),
    list(content.segments).map((segment, at) => [
      segment.title ? h("h3", { id: "part-" + step.id + "-" + at, tabindex: "-1" }, inline(segment.title)) : null,
      list(segment.turns).map((turn, place, all) => turnView(turn, names, place > 0 && all[place - 1].speaker_id === turn.speaker_id)),
    ]));
}

function turnView(turn, names, again) {
  const name = names.get(turn.speaker_id) || "";
  const order = Array.from(names.keys()).indexOf(turn.speaker_id);
  return h("p", { class: "turn voice-" + (order > 0 ? order % 3 : 0) },
    name && !again ? h("strong", { class: "speaker" }, name) : null, h("span", null, inline(turn.text)));
}

function timeLabel(seconds) {
  const whole = Math.max(0, Math.floor(Number(seconds) || 0));
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return (hours ? hours + ":" + two(Math.floor(whole / 60) % 60) : String(Math.floor(whole / 60))) + ":" + two(whole % 60);
}

// Chapters lead into the recording if it is here and its times are known, else to their place in the transcript.
function chapterList(chapters, media) {
  if (!chapters.length) return null;
  return h("section", { class: "chapters-box print-hidden" }, say("h2", "chapters"), h("ol", { class: "chapters" }, chapters.map((chapter) => {
    const start = Number(chapter.start_seconds);
    const timed = chapter.start_seconds !== undefined && start >= 0;
    const face = [timed ? h("span", { class: "when", dir: "ltr" }, timeLabel(start)) : null, h("span", null, inline(chapter.title))];
    if (!(media && timed) && !chapter.target) return h("li", null, h("span", { class: "chapter" }, face));
    return h("li", null, h("button", { type: "button", class: "chapter", "data-action": "chapter", onclick: () => openChapter(chapter, media, timed) }, face));
  })));
}

function openChapter(chapter, media, timed) {
  if (media && timed) {
    media.currentTime = Number(chapter.start_seconds);
    const playing = media.play();
    // A browser may refuse to start by itself; the learner still has the controls.
    if (playing && playing.catch) playing.catch(() => {});
    return;
  }
  const target = document.getElementById(chapter.target);
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "start" });
}
