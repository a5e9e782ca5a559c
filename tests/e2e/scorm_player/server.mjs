// Serves an unzipped package, and the page that plays the LMS, on a free port of the loopback interface.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".xml": "application/xml", ".xsd": "application/xml", ".png": "image/png", ".svg": "image/svg+xml", ".webp": "image/webp", ".wav": "audio/wav", ".webm": "video/webm", ".vtt": "text/vtt" };
const runtime = fileURLToPath(new URL("./node_modules/scorm-again/dist/scorm-again.min.js", import.meta.url));

// The LMS of the test: scorm-again as the API, the package in a frame, the stored CMI handed in by the driver.
function lmsPage(edition) {
  return `<!doctype html><meta charset="utf-8"><title>LMS</title>
<style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%;display:block}</style>
<script src="/lms/scorm-again.js"></script>
<script>
  const edition = ${JSON.stringify(edition)};
  const settings = { autocommit: false, logLevel: 5, lmsCommitUrl: false };
  const api = edition === "1.2" ? new window.Scorm12API(settings) : new window.Scorm2004API(settings);
  window[edition === "1.2" ? "API" : "API_1484_11"] = api;
  const learner = edition === "1.2"
    ? { core: { student_id: "learner-1", student_name: "Rivera, Ana", lesson_mode: "normal", credit: "credit" } }
    : { learner_id: "learner-1", learner_name: "Rivera, Ana", mode: "normal", credit: "credit" };
  api.loadFromJSON(window.storedCmi || learner);
  window.calls = [];
  for (const name of ["Initialize", "SetValue", "Commit", "Terminate"]) {
    const method = edition === "1.2" ? { Initialize: "LMSInitialize", SetValue: "LMSSetValue", Commit: "LMSCommit", Terminate: "LMSFinish" }[name] : name;
    const original = api[method];
    api[method] = function (...args) {
      const answer = original.apply(api, args);
      window.calls.push([name, String(args[0] || ""), String(answer)]);
      if (String(answer) !== "true") window.refusedCalls = (window.refusedCalls || []).concat([[name, ...args, String(api[edition === "1.2" ? "LMSGetLastError" : "GetLastError"]())].join(" ")]);
      if ((name === "Commit" || name === "Terminate") && window.storeCmi) window.storeCmi(JSON.stringify(api.renderCMIToJSONObject().cmi), name);
      return answer;
    };
  }
</script>
<iframe id="sco" src="/package/index.html"></iframe>`;
}

// That LMS lets nothing out: the browser itself says so when the player asks for the live service.
export const isPolicy = (text) => text.includes("Content Security Policy") && text.includes("/v1/scorm/");

export async function serve(folder, edition) {
  const page = lmsPage(edition);
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    try {
      if (path === "/lms") return send(response, "text/html; charset=utf-8", page);
      if (path === "/favicon.ico") return response.writeHead(204).end();
      if (path === "/lms/scorm-again.js") return send(response, TYPES[".js"], await readFile(runtime));
      const file = normalize(join(folder, path.replace(/^\/package\//, "")));
      if (!path.startsWith("/package/") || !file.startsWith(folder + sep)) throw new Error("outside");
      // The strictest policy a careful LMS would send: the player must work under it.
      response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'self'");
      response.setHeader("Permissions-Policy", "unload=()");
      send(response, TYPES[extname(file)] || "application/octet-stream", await readFile(file));
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  // A machine that is busy leaves connections idle for longer than the five seconds that Node allows, and whoever asks at
  // the moment of their end is refused.
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }) };
}

function send(response, type, body) {
  response.setHeader("Content-Type", type);
  response.end(body);
}
