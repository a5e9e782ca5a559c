// The line to the service that the package came from: a session, requests, and knowing when to leave it alone.
// Nothing here throws, and nothing in the course waits for it. Knows nothing of steps or pages.

// A whole class may come at once: the first pages of the course do not wait for it.
const SESSION_MS = 10000;
const CALL_MS = 10000;
const TUTOR_MS = 30000;
const PROBE_MS = 300000;
const FAILURES_IN_A_ROW = 3;
const LONGEST_HOLD_S = 300;

// What comes back when nothing did: refused by the browser, out of time, or not even asked.
const NO_ANSWER = Object.freeze({ status: 0, data: null });

const isDone = (answer) => answer.status >= 200 && answer.status < 300;
// What stays so however often somebody asks; any other conflict is one with others who were there at the same moment.
const LASTING = ["limit_reached", "not_editable", "invalid_state_transition"];
const mayPass = (answer) => [401, 408, 425, 429].includes(answer.status) || (answer.status === 409 && !LASTING.includes(codeOf(answer)));
const codeOf = (answer) => ((answer.data || {}).error || {}).code;
// Asking again would bring the same answer.
const isFinal = (answer) => answer.status >= 400 && answer.status < 500 && !mayPass(answer);

// What `content/service.js` says, or null for a package that has no service.
function serviceConfig(said) {
  const config = said && typeof said === "object" ? said : {};
  const whole = [config.api, config.package, config.key].every((one) => typeof one === "string" && one !== "");
  if (!whole || !/^https?:\/\//i.test(config.api)) return null;
  return { api: config.api.replace(/\/+$/, ""), package: config.package, key: config.key };
}

function randomWord(length) {
  const bytes = new Uint8Array(length);
  try {
    crypto.getRandomValues(bytes);
  } catch (error) {
    bytes.forEach((zero, at) => { bytes[at] = Math.floor(Math.random() * 256); });
  }
  return Array.from(bytes, (byte) => ALPHABET[byte & 63]).join("");
}

// Seconds or a date, as HTTP allows; never longer than a learner might wait for.
function retryAfter(response) {
  const said = response.headers.get("Retry-After") || "";
  const seconds = /^\d+$/.test(said.trim()) ? Number(said) : (Date.parse(said) - Date.now()) / 1000;
  return Math.min(LONGEST_HOLD_S, Math.max(1, seconds || 1));
}

class Service {
  // `visit` is {learner, lms, proof(), keep(proof)}; `changed` hears whenever it may stand differently.
  constructor(config, visit, changed) {
    this.config = config;
    this.visit = visit;
    this.changed = changed;
    // In memory only: whoever reads the device later must not find it.
    this.session = null;
    this.opening = null;
    this.nonce = randomWord(22);
    this.renewed = false;
    this.refused = false;
    this.asked = false;
    this.failures = 0;
    this.heldUntil = 0;
  }

  // idle (nothing known yet), on, away or refused.
  get state() {
    if (this.refused) return "refused";
    if (this.session && !this.failures) return "on";
    return this.asked ? "away" : "idle";
  }

  get heldFor() { return Math.max(0, this.heldUntil - Date.now()); }

  may(scope) { return this.session !== null && this.session.scopes.includes(scope); }

  // Whether there is a session; whoever asks meanwhile waits for the same one.
  open() {
    if (this.session || this.refused) return Promise.resolve(!this.refused);
    if (!this.opening) {
      this.opening = this.askForSession().finally(() => {
        this.opening = null;
        this.changed();
      });
    }
    return this.opening;
  }

  async askForSession() {
    const { learner, lms, proof } = this.visit;
    const claim = { launch_key: this.config.key, learner, lms, proof: proof() || null, nonce: this.nonce };
    const path = "/v1/scorm/" + encodeURIComponent(this.config.package) + "/sessions";
    const answer = await this.send("POST", path, { body: claim, timeout: SESSION_MS });
    this.asked = true;
    if (isDone(answer)) return this.accept(answer.data);
    // Who finds no place now may find one later: a learner is not turned away for the whole sitting.
    if (answer.status !== 409 && (isFinal(answer) || answer.status === 401)) this.refuse();
    return false;
  }

  accept(data) {
    const platform = (data && data.platform) || {};
    const sound = data && /^[\x21-\x7e]{8,512}$/.test(data.api_key) && /^[0-9a-f]{24}$/i.test(platform.uuid) && Array.isArray(data.scopes);
    if (!sound) {
      this.failed();
      return false;
    }
    this.session = { key: data.api_key, platform: platform.uuid, scopes: data.scopes };
    // The same nonce again would bring back the same key.
    this.nonce = randomWord(22);
    if (/^[A-Za-z0-9_-]{1,22}$/.test(data.proof)) this.visit.keep(data.proof);
    return true;
  }

  // Until the next launch: the service does not want this package or this learner.
  refuse() {
    this.refused = true;
    this.session = null;
  }

  failed() {
    this.failures += 1;
    if (this.failures >= FAILURES_IN_A_ROW) this.heldUntil = Date.now() + PROBE_MS;
  }

  // A request with the session key. A key that no longer opens is renewed once.
  async call(method, path, options) {
    if (!(await this.open())) return NO_ANSWER;
    const session = this.session;
    let answer = await this.send(method, path, options, session);
    if (answer.status === 401 && (await this.renew(session))) answer = await this.send(method, path, options, this.session);
    if (answer.status === 401 || answer.status === 403) this.refuse();
    this.changed();
    return answer;
  }

  async renew(session) {
    // Another request may have done it meanwhile.
    if (this.session === session) {
      if (this.renewed) return false;
      this.renewed = true;
      this.session = null;
    }
    return this.open();
  }

  async send(method, path, { body, idempotencyKey, timeout, stream } = {}, session) {
    if (this.heldFor > 0) return NO_ANSWER;
    const headers = { Accept: stream ? "text/event-stream" : "application/json" };
    if (body) headers["Content-Type"] = "application/json";
    if (session) Object.assign(headers, { "x-api-key": session.key, "x-learning-platform-uuid": session.platform });
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeout || CALL_MS);
    try {
      const response = await fetch(this.config.api + path, {
        method, headers, body: body ? JSON.stringify(body) : undefined, signal: stop.signal,
        credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
      });
      return await this.hear(response, stream);
    } catch (error) {
      this.failed();
      return NO_ANSWER;
    } finally {
      clearTimeout(timer);
    }
  }

  // What is not an answer of the service (a proxy's page, half a document) is as good as none, and throws.
  async hear(response, stream) {
    const { status } = response;
    if (status === 429 || status === 503) this.heldUntil = Math.max(this.heldUntil, Date.now() + retryAfter(response) * 1000);
    // Somebody is there, with their hands full: no reason to stop asking.
    const isBusy = status === 503 && response.headers.has("Retry-After");
    if (status >= 500 && !isBusy) throw new Error("the service is not well");
    const spoken = stream && response.ok && (response.headers.get("Content-Type") || "").startsWith("text/event-stream");
    const data = spoken ? await stream(response.body) : await response.json().catch(() => null);
    if (response.ok && (data === null || typeof data !== "object")) throw new Error("not an answer");
    this.failures = isBusy ? 1 : 0;
    return { status, data };
  }
}
