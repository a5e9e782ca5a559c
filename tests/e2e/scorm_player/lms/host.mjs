// Serves what a scenario plans: the page of its LMS, frames around the package, and the package itself.
//
// Each plan has an address of its own, /bed/<id>/, so many run side by side in one browser.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".xml": "application/xml", ".xsd": "application/xml" };
const STYLE = "<style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:97%;display:block}</style>";

export class Host {
  constructor() {
    this.plans = new Map();
    // Edits that did not fit: a mutation that changes nothing proves nothing.
    this.unfit = [];
  }

  async listen() {
    this.server = createServer((request, response) => this.answer(request, response).catch((error) => {
      if (error instanceof Unfit) this.unfit.push(error.message);
      response.writeHead(404).end("not found");
    }));
    await new Promise((resolve) => this.server.listen(0, "0.0.0.0", resolve));
    const { port } = this.server.address();
    this.origin = `http://127.0.0.1:${port}`;
    // The same server under another name is another origin, and another site.
    this.elsewhere = `http://localhost:${port}`;
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((done) => { this.server.close(done); });
  }

  // `folder`: the package; `headers`: with every file of it; `edits`: [pattern of names, from, to], each must apply once.
  add(id, plan) {
    const record = { data: { ...plan.data }, log: [], faults: [] };
    this.plans.set(id, { ...plan, record });
    return record;
  }

  async answer(request, response) {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    if (path === "/bed/empty") return send(response, ".html", "<!doctype html><title>nothing</title>");
    const [, , id, ...rest] = path.split("/");
    const plan = this.plans.get(id);
    if (!path.startsWith("/bed/") || !plan) throw new Error("no such plan");
    const name = rest.join("/");
    if (name === "record") return this.keep(plan, request, response);
    if (name.startsWith("package/")) return this.file(plan, name.slice("package/".length), response);
    if (name.endsWith(".js")) return send(response, ".js", await readFile(new URL(name, import.meta.url)));
    return send(response, ".html", this.page(id, plan, name));
  }

  async keep({ record }, request, response) {
    let body = "";
    for await (const piece of request) body += piece;
    const told = JSON.parse(body);
    Object.assign(record.data, told.data);
    record.log.push(...told.log);
    record.faults.push(...told.faults);
    response.writeHead(204).end();
  }

  page(id, plan, name) {
    const here = `/bed/${id}`;
    const sco = `${here}/package/index.html`;
    const framed = (address) => `<!doctype html><meta charset="utf-8"><title>frame</title>${STYLE}<iframe src="${address}"></iframe>`;
    // Frames around the package, the innermost last: "within-2-x" is a frame around "within-1-x".
    const nested = /^within-(\d+)-(here|elsewhere)$/.exec(name);
    if (nested) {
      const depth = Number(nested[1]);
      return framed(depth > 1 ? `${here}/within-${depth - 1}-${nested[2]}` : this.origin + sco);
    }
    if (name === "launcher") return `<!doctype html><meta charset="utf-8"><title>launcher</title><button id="launch">Launch</button><script src="${here}/launcher.js"></script>`;
    const told = {
      id, edition: plan.lmsEdition || plan.edition, mood: plan.mood, mode: plan.mode, credit: plan.credit, limit: plan.limit, limitIsKnown: plan.limitIsKnown, appears: plan.appears,
      decoy: plan.decoy, sandbox: plan.sandbox, data: plan.record.data, frame: this.address(here, plan.frame, sco), popup: plan.popup && this.address(here, plan.popup, sco),
    };
    const inline = JSON.stringify(told).replace(/</g, "\\u003c");
    return `<!doctype html><meta charset="utf-8"><title>LMS</title>${STYLE}<script>window.plan = ${inline};</script>` +
      `<script src="${here}/strict_lms.js"></script><script src="${here}/host.js"></script><body></body>`;
  }

  address(here, wanted, sco) {
    if (!wanted || wanted === true) return sco;
    return (/elsewhere$/.test(wanted) ? this.elsewhere : "") + `${here}/${wanted}`;
  }

  async file(plan, name, response) {
    const path = normalize(join(plan.folder, name));
    if (!path.startsWith(plan.folder + sep)) throw new Error("outside");
    let body = await readFile(path);
    for (const edit of (plan.edits || []).filter(([pattern]) => pattern.test(name))) body = edited(body.toString("utf8"), edit);
    for (const [header, value] of Object.entries(plan.headers || {})) response.setHeader(header, value);
    send(response, extname(name), body);
  }
}

class Unfit extends Error {}

function edited(text, [, from, to]) {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Unfit(`${JSON.stringify(from)} is there ${times} times`);
  return text.replace(from, () => to);
}

function send(response, extension, body) {
  response.setHeader("Content-Type", TYPES[extension] || "application/octet-stream");
  response.end(body);
}
