// Plays the first steps of a package in the places where people and LMSs put it, under nothing but its own policy.
//
//   node places.mjs <package.zip or folder>
//
// The places: a frame of another page, a sandboxed frame without an origin, and a file on disk. In each, the player's
// script and styles must work, pictures and recordings must load, nothing may be refused that the player needs, and
// the page must not reach a stranger. One JSON line per place, exit 0 only if all behave.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../chromium.mjs";
import { open } from "./package_files.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".wav": "audio/wav" };
const STRANGER = "http://127.0.0.1:9/stranger";

// A server without any policy of its own: the package's is the only one.
async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const frame = { "/frame": "", "/sandboxed": "sandbox=\"allow-scripts\"" }[path];
    const file = normalize(join(folder, path.replace(/^\/package\//, "")));
    if (path === "/favicon.ico") return response.writeHead(204).end();
    try {
      if (frame === undefined && !file.startsWith(folder + sep)) throw new Error("outside");
      const body = frame === undefined ? await readFile(file) : `<!doctype html><title>LMS</title><iframe ${frame} src="/package/index.html"></iframe>`;
      response.setHeader("Content-Type", frame === undefined ? TYPES[extname(file)] || "application/octet-stream" : "text/html");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }) };
}

// Runs in the page: what came of the package's own files, and of an attempt to reach somebody else.
async function look({ stranger, media }) {
  const loads = (element, event, source) => new Promise((done) => {
    element.addEventListener(event, () => done(true));
    element.addEventListener("error", () => done(false));
    element.src = source;
  });
  const refused = new Promise((done) => document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective)));
  const fetched = fetch(stranger, { mode: "no-cors" }).then(() => "fetched", () => refused);
  const sheet = Array.from(document.styleSheets).length;
  const media_loaded = [];
  for (const source of media) {
    const picture = /\.(png|jpg|gif|webp|avif)$/.test(source);
    media_loaded.push(await (picture ? loads(new Image(), "load", source) : loads(document.createElement("audio"), "loadedmetadata", source)));
  }
  return { sheet, media_loaded, stranger: await fetched, accent: getComputedStyle(document.documentElement).getPropertyValue("--accent").trim(), ground: getComputedStyle(document.body).margin };
}

async function visit(browser, address, framed, plan) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  try {
    await page.goto(address);
    const found = framed ? await page.waitForSelector("iframe").then((frame) => frame.contentFrame()) : page.mainFrame();
    await found.locator("[data-action=start]").click();
    await found.locator("[data-action=next]").click();
    await found.locator(".step-link[data-step='1'][aria-current]").waitFor({ state: "attached" });
    const before = errors.slice();
    const seen = await found.evaluate(look, plan);
    return { ...seen, errors: before };
  } catch (error) {
    return { errors: errors.concat(String(error)) };
  } finally {
    await context.close();
  }
}

function fault(seen, plan) {
  if (seen.errors.length) return seen.errors[0];
  if (seen.stranger !== "connect-src") return `a stranger was ${seen.stranger}`;
  if (seen.media_loaded.includes(false)) return "media did not load";
  if (plan.accent && seen.accent !== plan.accent) return `the accent is ${seen.accent}`;
  return seen.sheet < 1 || seen.ground !== "0px" ? "no style" : null;
}

async function main() {
  const files = await open(process.argv[2]);
  const manifest = await readFile(join(files.folder, "imsmanifest.xml"), "utf8");
  const media = Array.from(manifest.matchAll(/href="(media\/[^"]+)"/g), (match) => match[1]);
  const theme = await readFile(join(files.folder, "content/theme.css"), "utf8").catch(() => "");
  const plan = { stranger: STRANGER, media, accent: (/--accent: (#\w+)/.exec(theme) || [])[1] };
  const server = await serve(files.folder);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const faults = [];
  try {
    // Side by side: without an LMS, the player looks for one for a while first.
    const seen = await Promise.all([
      ["frame", `${server.origin}/frame`, true],
      ["sandboxed frame", `${server.origin}/sandboxed`, true],
      ["file", pathToFileURL(join(files.folder, "index.html")).href, false],
    ].map(async ([place, address, framed]) => ({ place, ...(await visit(browser, address, framed, plan)) })));
    for (const one of seen) {
      const wrong = fault(one, plan);
      if (wrong) faults.push(wrong);
      console.log(JSON.stringify({ media: media.length, fault: wrong, ...one }));
    }
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  process.exitCode = faults.length ? 1 : 0;
}

await main();
