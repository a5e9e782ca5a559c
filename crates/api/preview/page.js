// The page around a package: opens it in the frame, lends it an LMS, and shows what that LMS was told.
import { DIALECTS } from "./elements.js";
import { Report } from "./report.js";
import { Runtime } from "./runtime.js";

const { package: id, version, files } = document.documentElement.dataset;
const STORE = "lyceum-preview " + id;
const LEARNER = { id: "preview", name: "Rivera, Ana" };
const NARROW = "(max-width: 60rem)";

const find = (name) => document.getElementById(name);
const frame = find("course");
const report = new Report();
let course = { title: "", launch: "index.html", passing: undefined };
let record = load();
let session = null;
let review = false;
let moving = Promise.resolve();

// The tab's own storage: a reload goes on where it was, another tab begins anew. Where it is barred, memory will do.
function load() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE));
  } catch (error) {
    return null;
  }
}

function keep(next) {
  record = next;
  try {
    if (next) sessionStorage.setItem(STORE, JSON.stringify(next));
    else sessionStorage.removeItem(STORE);
  } catch (error) {
    report.announce("This browser keeps nothing: a reload starts over.");
  }
}

// What an LMS reads from the manifest: the title, what is launched, and what is needed to pass.
async function readManifest() {
  const answer = await fetch(files + "imsmanifest.xml");
  const manifest = new DOMParser().parseFromString(await answer.text(), "application/xml");
  const first = (name) => manifest.getElementsByTagNameNS("*", name)[0];
  const text = (name) => (first(name) ? first(name).textContent.trim() : undefined);
  return {
    title: text("title") || "",
    launch: (first("resource") && first("resource").getAttribute("href")) || "index.html",
    passing: version === "1.2" ? text("masteryscore") : text("minNormalizedMeasure"),
  };
}

function launch() {
  session = new Runtime(version, {
    record, learner: LEARNER, passing: course.passing, review, keep, seen: (call) => report.note(call),
  });
  window[DIALECTS[version].object] = session.api;
  report.begin(session);
  frame.contentWindow.location.replace(new URL(files + course.launch, document.baseURI));
}

// The package must have said goodbye before the next session reads what it left.
function leave() {
  return new Promise((left) => {
    frame.addEventListener("load", left, { once: true });
    frame.contentWindow.location.replace("about:blank");
  });
}

// One after the other, however fast somebody clicks.
function again(text, between) {
  moving = moving.then(leave).then(() => {
    between();
    launch();
    report.announce(text);
  });
}

find("return").addEventListener("click", () => again("The course was left and opened again.", () => {}));

find("restart").addEventListener("click", () => {
  again("Started over.", () => {
    keep(null);
    report.forget();
  });
});

find("review").addEventListener("click", () => {
  review = !review;
  find("review").setAttribute("aria-checked", String(review));
  again(review ? "Review mode: nothing is recorded." : "Review mode is off.", () => {});
});

function show(open) {
  find("report").hidden = !open;
  find("toggle").setAttribute("aria-expanded", String(open));
  document.body.classList.toggle("with-report", open);
}

find("toggle").addEventListener("click", () => show(find("report").hidden));

async function open() {
  show(!window.matchMedia(NARROW).matches);
  try {
    course = await readManifest();
  } catch (error) {
    report.announce("The manifest could not be read.");
  }
  if (course.title) {
    find("title").textContent = course.title;
    document.title = course.title + " · Preview";
  }
  launch();
}

open();
