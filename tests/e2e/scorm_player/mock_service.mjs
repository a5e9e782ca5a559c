// The live service as a package sees it, on another origin, with moods: what may go wrong between the two.
// It keeps learners, submissions and answers by idempotency key, and a log of every request, for the checks.
import { createServer } from "node:http";

export const KEY = "lyc_session_secret_";
export const PLATFORM = "0123456789abcdef01234567";
const ALLOWED = "content-type, x-api-key, x-learning-platform-code, x-learning-platform-uuid, idempotency-key, accept";

export class MockService {
  constructor() {
    this.log = [];
    this.learners = new Map();
    this.submissions = [];
    this.answered = new Map();
    this.keys = new Map();
    this.scopes = ["read:lessons", "write:submissions", "ai:tutor"];
    this.set("up");
  }

  // `rule` is a name, or a function that takes a request and says what to do instead of answering well.
  set(mood) {
    this.rule = typeof mood === "function" ? mood : MOODS[mood];
    if (!this.rule) throw new Error(`no mood ${mood}`);
  }

  async start() {
    this.server = createServer((request, response) => this.take(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  asked(method, path) {
    return this.log.filter((one) => one.method === method && path.test(one.path));
  }

  async take(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method, url: path, headers } = request;
    const preflight = method === "OPTIONS";
    const one = { method, path, headers, body: text ? JSON.parse(text) : null, at: Date.now(), isSession: path.endsWith("/sessions") };
    if (!preflight) this.log.push(one);
    const order = preflight ? {} : this.rule(one, this) || {};
    if (order.cors !== false && !(preflight && this.rule.cors === false)) {
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Access-Control-Expose-Headers", "Retry-After, Idempotent-Replayed");
    }
    if (preflight) {
      response.writeHead(204, { "Access-Control-Allow-Methods": "GET, POST, OPTIONS", "Access-Control-Allow-Headers": ALLOWED });
      return response.end();
    }
    if (order.hang) return undefined;
    if (order.wait) await new Promise((resolve) => setTimeout(resolve, order.wait));
    if (order.text) return response.writeHead(200, { "Content-Type": "text/html" }).end(order.text);
    const answer = order.status && !order.lost ? { status: order.status, body: { error: { code: order.code || "refused" } } } : this.answer(one);
    if (order.lost) return request.socket.destroy();
    if (answer.stream) return stream(response, answer.stream, order.pause || 0);
    response.writeHead(answer.status, { "Content-Type": "application/json", ...order.headers });
    return response.end(JSON.stringify(answer.body));
  }

  answer(one) {
    if (one.isSession) return this.session(one.body);
    const learner = this.keys.get(one.headers["x-api-key"]);
    if (!learner || one.headers["x-learning-platform-uuid"] !== PLATFORM) return { status: 401, body: { error: { code: "invalid_api_key" } } };
    const key = one.headers["idempotency-key"];
    const known = key && this.answered.get(`${learner} ${key}`);
    if (known) {
      if (known.text === JSON.stringify(one.body)) return known.answer;
      return { status: 400, body: { error: { code: "idempotency_key_reused" } } };
    }
    const answer = this.work(one, learner);
    if (key && answer.status < 300) this.answered.set(`${learner} ${key}`, { text: JSON.stringify(one.body), answer });
    return answer;
  }

  session({ proof }) {
    const known = proof && this.learners.get(proof);
    const learner = known || `usr_${this.learners.size + 1}`;
    const mark = known ? proof : `Proof${String(this.learners.size + 1).padStart(17, "0")}`;
    this.learners.set(mark, learner);
    const key = `${KEY}${this.keys.size + 1}`;
    this.keys.set(key, learner);
    return {
      status: 200,
      body: { object: "session_key", api_key: key, expires_at: null, scopes: this.scopes, user: { id: learner }, platform: { uuid: PLATFORM }, proof: mark },
    };
  }

  work({ method, path, body }, learner) {
    if (method === "POST" && path === "/v1/submissions") return { status: 201, body: this.submit(body, learner) };
    if (method === "GET" && path.startsWith("/v1/submissions?")) {
      const data = this.submissions.filter((one) => one.user_id === learner).reverse();
      return { status: 200, body: { object: "list", data, has_more: false, next_cursor: null } };
    }
    if (/\/tutor$/.test(path)) return { status: 200, stream: reply(body) };
    return { status: 200, body: { object: "noted" } };
  }

  submit(body, learner) {
    const now = new Date().toISOString();
    const attempt = this.submissions.filter((one) => one.user_id === learner && one.assignment_id === body.assignment_id).length + 1;
    const submission = {
      id: `sub_${this.submissions.length + 1}`, object: "submission", assignment_id: body.assignment_id, user_id: learner, attempt, status: "submitted",
      content: body.content, submitted_at: now, score: null, max_score: 20, feedback: null, graded_at: null, ai_status: "pending", criteria: [], created_at: now, updated_at: now,
    };
    this.submissions.push(submission);
    return submission;
  }

  // What a teacher would do.
  grade(submission, score) {
    Object.assign(submission, {
      status: "graded", score, feedback: "Clear and <b>careful</b>.", graded_at: new Date().toISOString(), ai_status: "ready",
      criteria: [{ criterion_id: "c", name: "Method", level_id: null, score, max_score: 20, rationale: "Every step is there.", evidence: [], confidence: null }],
    });
  }
}

export const SAID = "A planet is a disc. <img src=x onerror=alert(1)> It does not twinkle.";

// A service that is not to be trusted.
export const SHOWN = "<p dir=\"auto\" onclick=\"alert(1)\" style=\"color:red\">A planet is a <strong>disc</strong>.</p><script>alert(1)</script><img src=x onerror=alert(1)>" +
  "<ul><li><a href=\"javascript:alert(1)\">It</a> <a href=\"https://stars.example/\">does</a> not twinkle.</li></ul><svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>" +
  "<div><math><mi>x</mi><annotation-xml encoding=\"text/html\"><iframe src=\"javascript:alert(1)\"></iframe></annotation-xml></math><form action=\"https://x.example\"><input name=a></form></div>";

function reply(body) {
  const asked = /markup/.test(body.message);
  const done = {
    id: "trn_1", object: "tutor_reply", thread_id: body.thread_id || "thr_1", message: SAID, ...(asked ? { html: { message: SHOWN } } : {}),
    citations: [{ lesson_id: "les", start: 0, end: 4, quote: "its light stays calm" }], model: "builtin",
  };
  const pieces = SAID.split(/(?<=\. )/);
  return [...pieces.map((text) => ["delta", { text }]), ["done", done]];
}

async function stream(response, events, pause) {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const [name, data] of events) {
    response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  response.end();
}

// The first so many times that anything is asked, others are in the way.
export function crowd(most, order) {
  const asked = new Map();
  return (one) => {
    const times = (asked.get(one.method + one.path) || 0) + 1;
    asked.set(one.method + one.path, times);
    return times <= most ? order(one) : null;
  };
}

const refusing = (rule) => Object.assign(rule, { cors: false });

export const MOODS = {
  up: () => null,
  "401": () => ({ status: 401, code: "invalid_token" }),
  "401 for every key": (one) => !one.isSession && { status: 401, code: "invalid_api_key" },
  "403": (one) => !one.isSession && { status: 403, code: "insufficient_scope" },
  "403 at the door": () => ({ status: 403 }),
  "429": () => ({ status: 429, code: "rate_limited", headers: { "Retry-After": "30" } }),
  "500": () => ({ status: 500 }),
  hanging: () => ({ hang: true }),
  "revoked in mid-course": (one, service) => service.log.length > 6 && { status: 401, code: "invalid_token" },
  "refused by CORS": refusing(() => ({ cors: false })),
  garbage: () => ({ text: "<html><h1>Please log in to the hotel</h1>" }),
  "half an answer": (one) => one.isSession && { text: "{\"api_key\": 3}" },
  slow: () => ({ wait: 2000 }),
};
