// The way to the service. The key lives in this module's memory: no address and no log ever has it, and no storage but that of
// this tab where whoever signed in chose so. Whoever signed in without one has a session, in a cookie that no script reads.
const KEPT = "lyceum.key";
// Says that this browser may have a session, and nothing of it: without it the service need not be asked.
const SIGNED_IN = "lyceum.signed_in";
const KEPT_PLATFORM = "lyceum.platform";
// Where somebody came from, perhaps with a name that they looked for.
export const WAY_BACK = "lyceum.way-back";
let key = null;
let me = null;
let platform = null;
// Whether an organisation is to ask anew who it is: the service wanted to be sure.
let anew = false;

const COVERS = {
  "write:courses": ["read:courses", "read:lessons"],
  "read:courses": ["read:lessons"],
  "write:students": ["read:students"],
  "write:grades": ["read:submissions"],
  "write:webhooks": ["read:webhooks"],
  "write:keys": ["read:keys"],
  "write:workspaces": ["read:workspaces"],
  "write:invitations": ["read:invitations"],
};
const ADMIN_ONLY = /:(webhooks|keys|workspaces|tokens)$/;

export class ApiError extends Error {
  constructor(status, error, requestId) {
    super(error.message || `HTTP ${status}`);
    this.status = status;
    this.code = error.code || "";
    this.fields = error.fields || {};
    // Who was faster, and when, where that is why.
    this.by = error.actor ? { actor: error.actor, at: error.at } : null;
    this.requestId = error.request_id || requestId || "";
  }
}

export const session = {
  get me() {
    return me;
  },
  get platform() {
    return platform;
  },
  get isOpen() {
    return Boolean(me && platform);
  },
  // Whether it is a person's session, and no key.
  get isPerson() {
    return Boolean(me && !key);
  },
  // Whether this browser may have one.
  get mayGoOn() {
    return inBrowser((storage) => storage.getItem(SIGNED_IN)) !== null;
  },
  choose(chosen) {
    platform = chosen;
    if (session.kept || session.isPerson) tab((storage) => storage.setItem(KEPT_PLATFORM, chosen.uuid));
  },
  close() {
    key = me = platform = null;
    inBrowser((storage) => storage.removeItem(SIGNED_IN));
    tab((storage) => [KEPT, KEPT_PLATFORM, WAY_BACK].forEach((name) => storage.removeItem(name)));
  },
  // The key that this tab was told to keep, if it was.
  get kept() {
    return tab((storage) => storage.getItem(KEPT));
  },
  // Keeps the key in use until the tab is closed.
  keep() {
    tab((storage) => storage.setItem(KEPT, key));
  },
};

// Browsers may refuse storage; then nothing is kept.
function tab(action) {
  try {
    return action(sessionStorage);
  } catch {
    return null;
  }
}

function inBrowser(action) {
  try {
    return action(localStorage);
  } catch {
    return null;
  }
}

// By which ways people sign in here; none are known where the service does not say.
export async function waysIn() {
  const { ways } = await get("/v1/sign_in").catch(() => ({ ways: [] }));
  return ways;
}

// Has a link sent that works in this browser.
export async function askForLink(email) {
  key = null;
  return send("POST", "/v1/sign_in/links", { email, language: document.documentElement.lang });
}

// Where whoever has this address signs in by their organisation. Who comes back from there may have a session.
export async function departBySso(email, place) {
  key = null;
  const { url } = await send("POST", "/v1/sign_in/sso", { email, place, fresh: anew });
  inBrowser((storage) => storage.setItem(SIGNED_IN, "1"));
  return url;
}

// Whoever signs in is nobody yet.
export function startOver() {
  key = me = platform = null;
}

// Exchanges what proves who somebody is for a session.
export async function beginSession(path, proof) {
  startOver();
  await send("POST", path, proof);
  anew = false;
  inBrowser((storage) => storage.setItem(SIGNED_IN, "1"));
  return signIn(null);
}

// By what a link ends with.
export const openLink = (token) => beginSession("/v1/sign_in", { token });

// What an invitation's link invites to.
export async function lookAtInvitation(token) {
  key = null;
  return send("POST", "/v1/sign_in/invitations", { token });
}

// Accepts it, and begins a session.
export const acceptInvitation = (token) => beginSession("/v1/sign_in/invitations/accept", { token });

// Whoever has a session ends it; a key goes on opening what it opens.
export async function signOut() {
  if (session.isPerson) await post("/v1/sign_out").catch(() => null);
  session.close();
}

// Asks who a key belongs to and keeps it if it opens; without one, whose session this is.
export async function signIn(candidate) {
  key = candidate?.trim() || null;
  try {
    me = await get("/v1/me");
  } catch (error) {
    // Where the service is away, nothing was refused: the next try may go on.
    if (error.status === 401) session.close();
    else key = me = platform = null;
    throw error;
  }
  const at = (wanted) => me.platforms.find(({ uuid }) => uuid === wanted);
  // A mail leads to its platform, once.
  const named = /[?&]platform=(\w+)$/;
  const meant = at(named.exec(location.hash)?.[1]);
  if (meant) {
    session.choose(meant);
    history.replaceState(null, "", location.hash.replace(named, ""));
  } else platform = me.platforms.length === 1 ? me.platforms[0] : at(tab((storage) => storage.getItem(KEPT_PLATFORM))) || null;
  return me;
}

// Asks again who one is and where one belongs; the platform stays, if one belongs there.
export async function refresh() {
  me = await get("/v1/me");
  platform = me.platforms.find((one) => one.uuid === platform?.uuid) || null;
}

// Whether the key holds a scope, and the role here allows it. The service decides anew with every request.
export function can(scope) {
  if (!me || !platform) return false;
  if (platform.role === "student" && !["read:lessons", "write:submissions", "ai:tutor"].includes(scope)) return false;
  if (platform.role === "teacher" && ADMIN_ONLY.test(scope)) return false;
  const [verb] = scope.split(":");
  return me.scopes.some(
    (held) => held === scope || held === `${verb}:*` || (held === "write:*" && verb === "read") || (COVERS[held] || []).includes(scope),
  );
}

function headersFor(more, at = platform) {
  const headers = { accept: "application/json", ...more };
  if (key) headers["x-api-key"] = key;
  else headers["lyceum-session"] = "1";
  if (at?.code) headers["x-learning-platform-code"] = at.code;
  else if (at) headers["x-learning-platform-uuid"] = at.uuid;
  return headers;
}

function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(pairs)}` : path;
}

async function failureOf(response) {
  const body = await response.json().catch(() => ({}));
  if (body.error?.code === "recent_sign_in_required") anew = true;
  return new ApiError(response.status, body.error || {}, response.headers.get("request-id"));
}

// No answer, or none that came whole: the machine is offline, or the service is away.
function unreachable(error) {
  return new ApiError(0, { code: navigator.onLine === false ? "offline" : "unreachable", message: error.message });
}

async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreachable(error);
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: key ? "omit" : "same-origin", cache: "no-store", referrerPolicy: "no-referrer", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreachable(error);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

// At none (null) no role cuts down what is one's own.
export async function get(path, query, signal, at = platform) {
  return read(await ask(address(path, query), { headers: headersFor({}, at), signal }));
}

// A file, as it is.
export async function getFile(path, signal) {
  const response = await ask(path, { headers: headersFor({ accept: "*/*" }), signal });
  return response.blob().catch((error) => {
    throw error.name === "AbortError" ? error : unreachable(error);
  });
}

// A thing, and the tag by which a write says which version of it it rests on.
export async function getTagged(path, signal) {
  const response = await ask(path, { headers: headersFor({}), signal });
  return { found: await read(response), tag: response.headers.get("etag") };
}

// An object with its texts as HTML. Formulas are many times as long as what was written: where all of it is more than an answer
// holds, it comes without, and its texts are shown as they were written.
export async function getShown(path, expand, texts, signal) {
  try {
    return await get(path, { expand: [expand, texts].join() }, signal);
  } catch (error) {
    if (error.code !== "too_large_to_expand") throw error;
    return get(path, { expand }, signal);
  }
}

// A page may be empty although the list goes on: it ends where the service has looked at enough. So many of those
// are passed over before the person is asked whether to go on.
const EMPTY_PAGES = 10;

export async function nextFilled(path, query, startingAfter, signal) {
  let answer;
  for (let page = 0; page < EMPTY_PAGES; page += 1) {
    answer = await get(path, { limit: 25, ...query, startingAfter }, signal);
    if (answer.data.length > 0 || !answer.has_more) break;
    startingAfter = answer.next_cursor;
  }
  return answer;
}

// A write. Its idempotency key lets an answer that got lost be asked for again without doing anything twice. With a tag it is done only
// while the thing is still the version of that tag (412 otherwise).
export async function send(method, path, body, idempotencyKey = freshKey(), at = platform, tag = null) {
  const headers = headersFor({ "idempotency-key": idempotencyKey }, at);
  if (tag) headers["if-match"] = tag;
  if (body !== undefined) headers["content-type"] = "application/json";
  return read(await ask(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }));
}

export const post = (path, body, at) => send("POST", path, body, freshKey(), at);

// For what must not be made twice: an answer that got lost is asked for again, and whoever asks for something else asks anew.
export function asking(path) {
  let [last, idempotencyKey] = [null, null];
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last) [last, idempotencyKey] = [text, freshKey()];
    return send("POST", path, body, idempotencyKey);
  };
}

export const patch = (path, body, tag) => send("PATCH", path, body, freshKey(), platform, tag);
export const remove = (path, tag) => send("DELETE", path, undefined, freshKey(), platform, tag);

// A change that is made only where the object is still of the version that `tag` is of.
export async function patchTagged(path, body, tag, idempotencyKey) {
  const headers = headersFor({ "content-type": "application/json", "if-match": tag, "idempotency-key": idempotencyKey });
  const response = await ask(path, { method: "PATCH", headers, body: JSON.stringify(body) });
  return { found: await read(response), tag: response.headers.get("etag") };
}

// A form with a file in it.
export async function upload(path, form, signal) {
  return read(await ask(path, { method: "POST", headers: headersFor({ "idempotency-key": freshKey() }), body: form, signal }));
}

// randomUUID is there by https only.
export function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Events of a stream, one after the other. EventSource cannot send headers, so the body is read as it comes.
export async function* stream(path, signal) {
  const response = await ask(path, { headers: headersFor({ accept: "text/event-stream" }), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value.replaceAll("\r\n", "\n")).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const event = parsed(part);
      if (event) yield event;
    }
  }
}

function parsed(part) {
  const lines = part.split("\n");
  const of = (name) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
  const data = of("data").join("\n");
  return data ? { event: of("event")[0] || "message", data: JSON.parse(data) } : null;
}
