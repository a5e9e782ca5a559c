// The way to the service. The key lives in this module's memory; only who asks for it has it kept in this tab's own
// storage until the tab is closed. No address and no log ever has it.
let key = null;
let me = null;
let platform = null;

const COVERS = {
  "write:courses": ["read:courses", "read:lessons"],
  "read:courses": ["read:lessons"],
  "write:students": ["read:students"],
  "write:grades": ["read:submissions"],
  "write:webhooks": ["read:webhooks"],
  "write:keys": ["read:keys"],
  "write:workspaces": ["read:workspaces"],
};
const ADMIN_ONLY = /:(webhooks|keys|workspaces|tokens)$/;

export class ApiError extends Error {
  constructor(status, error, requestId) {
    super(error.message || `HTTP ${status}`);
    this.status = status;
    this.code = error.code || "";
    this.fields = error.fields || {};
    this.requestId = error.request_id || requestId || "";
  }
}

const KEPT = "lyceum-session";

// Storage may be switched off: then nothing is kept, and nothing fails.
function storage(work) {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

export function unreachable(error) {
  return error instanceof ApiError || error.name === "AbortError" ? error : new ApiError(0, { code: "unreachable", message: error.message });
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
  // Whether a reload of this tab is to find the way in by itself.
  get isKept() {
    return storage((tab) => tab.getItem(KEPT)) !== null;
  },
  choose(chosen) {
    platform = chosen;
    if (session.isKept) session.keep();
  },
  keep() {
    storage((tab) => tab.setItem(KEPT, JSON.stringify({ key, platform: platform?.id ?? null })));
  },
  close() {
    key = me = platform = null;
    storage((tab) => tab.removeItem(KEPT));
  },
};

// Comes back with what this tab kept; false where that is nothing, or opens nothing any more.
export async function resume() {
  const kept = storage((tab) => JSON.parse(tab.getItem(KEPT)));
  if (!kept?.key) return false;
  key = kept.key;
  try {
    me = await get("/v1/me");
  } catch (error) {
    if (error.status === 401) session.close();
    else key = null;
    throw error;
  }
  platform = me.platforms.find((one) => one.id === kept.platform) || (me.platforms.length === 1 ? me.platforms[0] : null);
  return session.isOpen;
}

// Asks who a key belongs to and keeps it if it opens.
export async function signIn(candidate) {
  key = candidate.trim();
  try {
    me = await get("/v1/me");
  } catch (error) {
    session.close();
    throw error;
  }
  platform = me.platforms.length === 1 ? me.platforms[0] : null;
  return me;
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

function headersFor(more) {
  const headers = { accept: "application/json", ...more };
  if (key) headers["x-api-key"] = key;
  if (platform?.code) headers["x-learning-platform-code"] = platform.code;
  else if (platform) headers["x-learning-platform-uuid"] = platform.uuid;
  return headers;
}

function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

async function failureOf(response) {
  const body = await response.json().catch(() => ({}));
  return new ApiError(response.status, body.error || {}, response.headers.get("request-id"));
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", ...options });
  } catch (error) {
    throw unreachable(error);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

export async function get(path, query, signal) {
  const response = await ask(address(path, query), { headers: headersFor(), signal });
  return bodyOf(response);
}

// An answer that breaks off is as good as none.
function bodyOf(response) {
  return response.json().catch((error) => {
    throw unreachable(error);
  });
}

// A write. Its idempotency key lets an answer that got lost be asked for again without doing anything twice.
export async function send(method, path, body, idempotencyKey = freshKey()) {
  const headers = headersFor({ "idempotency-key": idempotencyKey });
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await ask(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return bodyOf(response);
}

export const post = (path, body) => send("POST", path, body);
export const patch = (path, body) => send("PATCH", path, body);

// randomUUID is there by https only.
function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Events of a stream, one after the other. EventSource cannot send headers, so the body is read as it comes.
export async function* stream(path, signal) {
  const response = await ask(path, { headers: headersFor({ accept: "text/event-stream" }), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw unreachable(error);
    });
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
