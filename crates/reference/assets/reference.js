// What a page of the reference does beyond being read: samples are copied, the language that was chosen stays, and operations are
// tried. Nothing is sent before somebody says so. Whoever is signed in to Studio in this browser asks as who they are there; a key
// is in this module's memory, and in the storage of this tab where whoever gave it chose so.
const LANGUAGE = "lyceum.reference.language";
const KEPT = "lyceum.reference.key";
const KEPT_PLATFORM = "lyceum.reference.platform";
// Studio's: a key that its tab keeps, that this browser may have a session, and where one was last.
const STUDIO = { key: "lyceum.key", session: "lyceum.signed_in", platform: "lyceum.platform" };
const MOST_SHOWN = 200_000;

// Browsers may refuse storage; then nothing is kept.
function kept(storage, action) {
  try {
    return action(window[storage]);
  } catch {
    return null;
  }
}

const read = (storage, name) => kept(storage, (it) => it.getItem(name));
const keep = (storage, name, value) => kept(storage, (it) => (value ? it.setItem(name, value) : it.removeItem(name)));

function languages() {
  const choices = [...document.querySelectorAll("input[name=language]")];
  const chosen = choices.find(({ value }) => value === read("localStorage", LANGUAGE));
  if (chosen) chosen.checked = true;
  for (const choice of choices) choice.addEventListener("change", () => keep("localStorage", LANGUAGE, choice.value));
}

// Pages that came without TLS have no clipboard of their own; there the text is marked and copied as by hand.
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand("copy");
  }
}

function copying() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      const is = await copied(button.parentElement.querySelector("code"));
      button.textContent = is ? "Copied" : "Marked: copy it";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }
}

// Samples begin with where the service is that shows them.
function here() {
  const walker = document.createTreeWalker(document.querySelector(".samples") ?? document.head, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.data.includes("http://127.0.0.1:8080")) node.data = node.data.replaceAll("http://127.0.0.1:8080", location.origin);
  }
}

// The group that one is in is seen beside the page.
function found() {
  const here = document.querySelector(".side [aria-current]");
  const side = here?.closest(".side");
  if (side) side.scrollTop = here.offsetTop - side.clientHeight / 3;
}

class Trial {
  constructor(section) {
    this.section = section;
    this.form = section.querySelector("form");
    this.sure = section.querySelector(".sure");
    this.stop = section.querySelector(".stop");
    this.outcome = section.querySelector(".outcome");
    section.hidden = false;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
    this.stop.addEventListener("click", () => this.running?.abort());
    this.sure.querySelector(".yes").addEventListener("click", () => this.go());
    this.sure.querySelector(".no").addEventListener("click", () => this.leave());
    this.sure.addEventListener("keydown", ({ key }) => key === "Escape" && this.leave());
    // What is asked about is what is sent.
    this.form.addEventListener("input", () => (this.sure.hidden = true));
    if ("key" in this.form.dataset) this.who = new Who(this.form.querySelector(".who"), "platform" in this.form.dataset);
  }

  tell(words, isBad = false) {
    const told = this.section.querySelector(".told");
    told.classList.toggle("bad", isBad);
    told.textContent = words;
  }

  // What changes something is asked about first.
  async ask() {
    this.tell("");
    await this.who?.looking;
    let request;
    try {
      request = this.request();
    } catch (error) {
      this.tell(error.message, true);
      error.field?.focus();
      return;
    }
    this.asked = request;
    if (!("write" in this.form.dataset)) return this.go();
    const as = this.who ? ` It acts for ${this.who.name()}.` : "";
    this.sure.querySelector("p").textContent = `This sends ${request.method} ${request.path} to ${location.host}, and what it changes is changed.${as}`;
    this.sure.hidden = false;
    this.sure.focus();
  }

  leave() {
    this.sure.hidden = true;
    this.form.querySelector("button.main").focus();
  }

  // Method, path, headers and body, as they stand in the form.
  request() {
    const { method } = this.form.dataset;
    const headers = { accept: "application/json, */*", ...this.who?.headers() };
    const query = new URLSearchParams();
    let path = this.form.dataset.path;
    for (const field of this.form.querySelectorAll("[data-in]")) {
      const { in: place, name } = field.dataset;
      const value = field.value.trim();
      if (!value) continue;
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
      else if (place === "header") headers[name] = value;
      else if ("deep" in field.dataset) query.append(`${name}[${value.split("=")[0]}]`, value.split("=").slice(1).join("="));
      else query.append(name, value);
    }
    const asked = query.toString();
    return { method, path: asked ? `${path}?${asked}` : path, headers, body: this.body(headers) };
  }

  body(headers) {
    const file = this.form.querySelector("#try-file");
    if (file?.files[0]) {
      if (file.dataset.kind.startsWith("multipart/")) {
        const sent = new FormData();
        sent.append("file", file.files[0]);
        return sent;
      }
      headers["content-type"] = file.dataset.kind;
      return file.files[0];
    }
    const text = this.form.querySelector("#try-body");
    if (!text?.value.trim()) return undefined;
    try {
      JSON.parse(text.value);
    } catch (error) {
      throw Object.assign(new Error(`The body is no JSON: ${error.message}`), { field: text });
    }
    headers["content-type"] = text.dataset.kind;
    return text.value;
  }

  async go() {
    const request = this.asked;
    const wasSure = this.sure.contains(document.activeElement);
    this.sure.hidden = true;
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.outcome.hidden = true;
    this.stop.hidden = false;
    if (wasSure) this.stop.focus();
    this.tell("Asking …");
    const began = performance.now();
    const took = () => `${Math.round(performance.now() - began)} ms`;
    try {
      // A key alone says who asks: no cookie goes with it. A session is the cookie.
      const credentials = this.who && !this.who.key ? "same-origin" : "omit";
      const { path, ...options } = request;
      const answer = await fetch(path, { ...options, credentials, cache: "no-store", signal: running.signal });
      await this.show(answer);
      const time = took();
      this.outcome.querySelector(".line").append(` · ${time}`);
      this.tell(`Answered ${answer.status} after ${time}.`, !answer.ok);
    } catch (error) {
      if (this.running !== running) return;
      if (running.signal.aborted) this.tell(`Stopped after ${took()}. What was sent may have been done all the same.`);
      else this.tell(`There was no answer: ${error.message}`, true);
    } finally {
      if (this.running === running) {
        this.running = null;
        if (document.activeElement === this.stop) this.form.querySelector("button.main").focus();
        this.stop.hidden = true;
      }
    }
  }

  async show(answer) {
    const kind = answer.headers.get("content-type") ?? "";
    const shown = this.outcome.querySelector(".answer");
    const saving = this.outcome.querySelector(".saving");
    this.outcome.querySelector(".line").textContent = `${answer.status} ${answer.statusText}`;
    this.outcome.querySelector("details pre").textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    shown.textContent = "";
    saving.hidden = true;
    this.outcome.hidden = false;
    if (kind.startsWith("text/event-stream")) return this.follow(answer, shown);
    const blob = await answer.blob();
    this.outcome.querySelector(".line").append(` · ${blob.size} bytes`);
    const isText = /json|^text\//.test(kind);
    const text = isText ? await blob.text() : "";
    shown.textContent = isText ? pretty(text, kind).slice(0, MOST_SHOWN) : blob.size ? `${blob.size} bytes of ${kind || "no kind"}.` : "No body.";
    if (blob.size && (!isText || text.length > MOST_SHOWN)) this.save(saving, blob);
  }

  save(saving, blob) {
    URL.revokeObjectURL(this.saved);
    this.saved = URL.createObjectURL(blob);
    saving.querySelector("a").href = this.saved;
    saving.hidden = false;
  }

  // What comes piece by piece is shown as it comes.
  async follow(answer, shown) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      shown.textContent = (shown.textContent + value).slice(-MOST_SHOWN);
    }
  }
}

function pretty(text, kind) {
  if (!kind.includes("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// Who asks: the key that somebody gave here, else the one that Studio's tab keeps, else the session that this browser has.
class Who {
  constructor(place, needsPlatform) {
    this.place = place;
    this.said = place.querySelector(".said");
    this.keyField = place.querySelector("#try-key");
    this.keeping = place.querySelector("#try-keep");
    this.platformField = place.querySelector("#try-platform");
    this.other = place.querySelector(".other");
    this.me = null;
    this.looking = null;
    this.key = read("sessionStorage", KEPT) ?? read("sessionStorage", STUDIO.key);
    place.querySelector(".platform").hidden = !needsPlatform;
    this.keeping.checked = Boolean(read("sessionStorage", KEPT));
    this.platformField.value = read("sessionStorage", KEPT_PLATFORM) ?? "";
    this.keyField.addEventListener("change", () => this.give());
    this.keeping.addEventListener("change", () => this.remember());
    this.platformField.addEventListener("change", () => this.remember());
    this.other.addEventListener("click", () => this.ask());
    // The service is asked once somebody comes to the form, and not by reading.
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      seen.disconnect();
      this.looking = this.look();
    });
    seen.observe(place);
  }

  give() {
    this.key = this.keyField.value.trim() || null;
    this.remember();
    this.looking = this.look();
  }

  remember() {
    const isKept = this.keeping.checked;
    keep("sessionStorage", KEPT, isKept && this.key);
    keep("sessionStorage", KEPT_PLATFORM, isKept && this.platformField.value.trim());
  }

  // Shows the field for a key, and whoever asked before asks no more.
  ask() {
    this.key = this.me = null;
    this.other.hidden = true;
    this.place.querySelector(".key").hidden = false;
    this.said.textContent = "Give a key; it is sent to this service alone.";
    this.keyField.focus();
  }

  async look() {
    const asked = this.key;
    const mayBeSomebody = asked || read("localStorage", STUDIO.session);
    if (!mayBeSomebody) return this.unknown("Nobody is signed in to Studio in this browser. Sign in there, or give a key; it is sent to this service alone.");
    this.said.textContent = "Asking who you are …";
    const headers = asked ? { "x-api-key": asked } : { "lyceum-session": "1" };
    const answer = await fetch("/v1/me", { headers, credentials: asked ? "omit" : "same-origin", cache: "no-store" }).catch(() => null);
    // Somebody gave another key meanwhile.
    if (asked !== this.key) return;
    if (!answer?.ok) return this.unknown(asked ? "That key opens nothing here." : "Nobody is signed in to Studio any more. Sign in there, or give a key.");
    this.me = await answer.json();
    this.known();
  }

  unknown(words) {
    this.me = null;
    this.said.textContent = words;
    this.other.hidden = true;
    this.place.querySelector(".key").hidden = false;
  }

  known() {
    const { platforms } = this.me;
    this.said.textContent = `As ${this.name()}${this.key ? "" : ", signed in to Studio"}.`;
    this.other.hidden = false;
    this.place.querySelector(".key").hidden = this.keyField.value === "";
    const options = platforms.map(({ code, uuid, name }) => Object.assign(document.createElement("option"), { value: code ?? uuid, label: name }));
    this.place.querySelector("datalist").replaceChildren(...options);
    const last = read("sessionStorage", STUDIO.platform);
    const chosen = platforms.find(({ uuid }) => uuid === last) ?? (platforms.length === 1 ? platforms[0] : null);
    if (chosen && !this.platformField.value) this.platformField.value = chosen.code ?? chosen.uuid;
  }

  name() {
    return this.me?.user?.name || this.me?.email || this.me?.key?.name || (this.key ? "the key above" : "nobody");
  }

  headers() {
    if (!this.key && !this.me) throw Object.assign(new Error("Give a key first, or sign in to Studio."), { field: this.keyField });
    const headers = this.key ? { "x-api-key": this.key } : { "lyceum-session": "1" };
    const platform = this.platformField.value.trim();
    if (!this.place.querySelector(".platform").hidden && platform) {
      const isUuid = /^[0-9a-f]{24}$/.test(platform);
      headers[isUuid ? "x-learning-platform-uuid" : "x-learning-platform-code"] = platform;
    }
    return headers;
  }
}

languages();
copying();
here();
found();
for (const section of document.querySelectorAll("section.try")) new Trial(section);
