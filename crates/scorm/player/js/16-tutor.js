// The tutor: a panel beside the page where a learner asks about the lesson. It is there only while the service
// offers it. What it says comes over the network, so it is put in as text, or as the few elements that show one: whatever
// else is in it stays outside, whoever wrote it.

const SLOW_MS = 4000;

// Reads a stream of server-sent events to its end; `heard` gets each name and its data, parsed.
async function readEvents(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    text += done ? decoder.decode() + "\n\n" : decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const field = (name) => lines.filter((line) => line.startsWith(name + ":")).map((line) => line.slice(name.length + 1).replace(/^ /, ""));
      if (field("data").length) heard(field("event")[0] || "message", JSON.parse(field("data").join("\n")));
    }
    if (done) return;
  }
}

const SHOWN = new Set(("p br hr strong em b i del s u code pre kbd mark sub sup small ul ol li dl dt dd blockquote h2 h3 h4 h5 h6 table thead tbody tfoot " +
  "tr th td span div a math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover " +
  "mmultiscripts mprescripts none mtable mtr mtd mpadded mphantom menclose mstyle merror").split(" "));
const KEPT = /^(dir|lang|class|start|colspan|rowspan|scope|display|mathvariant|encoding|stretchy|symmetric|fence|separator|form|lspace|rspace|largeop|movablelimits|accent|accentunder|minsize|maxsize|linethickness|columnalign|rowspacing|columnspacing|width|height|depth|voffset|mathsize|mathcolor|notation)$/;

// The nodes of markup that came from elsewhere, without anything that could do something: it is parsed where nothing runs and
// nothing loads, an element that only shows keeps the attributes that only show, and of any other its words stay.
function harmless(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const node of Array.from(page.body.querySelectorAll("*")).reverse()) {
    const name = node.localName;
    const address = name === "a" ? node.getAttribute("href") || "" : "";
    if (/^(script|style|template|noscript|iframe|object)$/.test(name)) node.remove();
    else if (!SHOWN.has(name)) node.replaceWith(...node.childNodes);
    for (const { name: attribute } of Array.from(node.attributes)) if (!KEPT.test(attribute)) node.removeAttribute(attribute);
    if (!/^https?:\/\//i.test(address)) continue;
    node.setAttribute("href", address);
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
  return Array.from(page.body.childNodes);
}

class Tutor {
  constructor(player, service) {
    this.player = player;
    this.service = service;
    // Per lesson: the thread at the service, and what was said; gone with the page.
    this.talks = new Map();
    this.lesson = null;
    this.build();
  }

  build() {
    this.toggle = button("tutor", t("askTutor"), { class: "button tutor-toggle", "aria-expanded": "false", "aria-controls": "tutor-panel", onclick: () => this.open(!this.isOpen) });
    this.log = h("div", { class: "tutor-log", role: "log", "aria-live": "polite", "aria-label": t("tutor"), tabindex: "0" });
    this.area = h("textarea", { id: "tutor-question", class: "field", rows: "2", maxlength: "4000" });
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.ask();
    });
    this.panel = h("section", { id: "tutor-panel", class: "tutor-panel", "aria-label": t("tutor") },
      h("div", { class: "tutor-head" }, h("h2", null, t("tutor")), button("tutor-close", t("tutorClose"), { class: "button quiet", onclick: () => this.close() })),
      this.log,
      h("div", { class: "tutor-ask" }, h("label", { for: "tutor-question" }, t("tutorQuestion")), this.area,
        button("ask", t("tutorSend"), { class: "button main", onclick: () => this.ask() })));
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.node = h("div", { class: "tutor" }, this.toggle);
  }

  get isOpen() { return this.panel.parentNode !== null; }

  // Only what is shown is in the page.
  open(is) {
    this.toggle.hidden = is;
    this.toggle.setAttribute("aria-expanded", String(is));
    this.node.classList.toggle("open", is);
    if (!is) {
      this.panel.remove();
      return;
    }
    this.node.prepend(this.panel);
    this.draw();
    this.area.focus({ preventScroll: true });
    this.panel.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.open(false);
    this.toggle.focus({ preventScroll: true });
  }

  // Called whenever the page or the service has changed.
  place() {
    const { progress } = this.player;
    const step = progress.steps[progress.current];
    const there = Boolean(step) && step.kind !== "assignment" && this.service.may("ai:tutor");
    // Whoever is writing to the tutor keeps the panel, and hears that nobody answers.
    const kept = this.isOpen && Boolean(step) && step.lesson === this.lesson;
    if (step && step.lesson !== this.lesson) {
      this.lesson = step.lesson;
      if (this.isOpen) this.open(false);
    }
    if (!there && !kept) this.node.remove();
    else if (!this.node.isConnected) this.player.frame.main.after(this.node);
  }

  talk(lesson) {
    if (!this.talks.has(lesson)) this.talks.set(lesson, { thread: null, said: [], busy: false });
    return this.talks.get(lesson);
  }

  draw() {
    this.log.replaceChildren(...this.talk(this.lesson).said.map((turn) => turn.node));
    this.log.scrollTop = this.log.scrollHeight;
  }

  say(talk, speaker, text) {
    const words = h("p", { class: "lines", dir: "auto" }, inline(text));
    const node = h("div", { class: "tutor-turn from-" + speaker }, h("p", { class: "eyebrow" }, t(speaker === "learner" ? "tutorYou" : "tutor")), words);
    const turn = { node, words };
    talk.said.push(turn);
    this.log.append(node);
    this.log.scrollTop = this.log.scrollHeight;
    return turn;
  }

  async ask() {
    const { lesson } = this;
    const talk = this.talk(lesson);
    const message = this.area.value.trim();
    if (talk.busy || !message) {
      this.area.focus();
      return;
    }
    talk.busy = true;
    this.area.value = "";
    this.say(talk, "learner", message);
    const turn = this.say(talk, "tutor", t("tutorThinking"));
    // Half a sentence is not read out; the whole answer is.
    turn.node.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => { if (!turn.spoken) turn.words.textContent = t("tutorSlow"); }, SLOW_MS);
    const answer = await this.reply(lesson, talk, turn, message);
    clearTimeout(slow);
    this.finish(talk, turn, answer, message);
  }

  reply(lesson, talk, turn, message) {
    const body = talk.thread ? { message, thread_id: talk.thread } : { message };
    const stream = async (events) => {
      let whole = null;
      await readEvents(events, (name, data) => {
        if (name === "done") whole = data;
        if (name !== "delta") return;
        turn.spoken = (turn.spoken || "") + String(data.text || "");
        turn.words.textContent = turn.spoken;
        this.log.scrollTop = this.log.scrollHeight;
      });
      return whole;
    };
    return this.service.call("POST", "/v1/lessons/" + encodeURIComponent(lesson) + "/tutor", { body, stream, timeout: TUTOR_MS });
  }

  finish(talk, turn, answer, message) {
    const { status, data } = answer;
    const said = isDone(answer) && typeof data.message === "string";
    if (said) {
      talk.thread = typeof data.thread_id === "string" ? data.thread_id : null;
      const html = markupOf(data, "message");
      // A paragraph holds no blocks.
      const words = html ? h("div", { class: "prose" }, harmless(html)) : h("p", { class: "lines", dir: "auto" }, inline(data.message));
      turn.words.replaceWith(words);
      turn.words = words;
      const quotes = list(data.citations).map((one) => String(one.quote || "")).filter(Boolean);
      if (quotes.length) turn.node.append(h("p", { class: "eyebrow" }, t("tutorSources")), ...quotes.map((quote) => h("blockquote", { dir: "auto" }, quote)));
    } else {
      talk.thread = null;
      turn.words.textContent = status === 429 ? t("tutorBusy") : t("tutorOffline");
      // The question is not lost.
      if (!this.area.value) this.area.value = message;
    }
    turn.node.removeAttribute("aria-busy");
    talk.busy = false;
  }
}
