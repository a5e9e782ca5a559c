// Makes the course of `tests/e2e/languages` over HTTP, each unit in a language of its own, and packs it in both editions.
//
//   node languages.mjs <address of an empty service> <key of its owner> <folder for the packages> [1.2] [2004]
//
// Prints one JSON object: `told`, what the service warned of while the course was written; `lessons` with their language and
// HTML; `packages` with version, path, size and warnings.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { apiOf, until } from "../console/seed.mjs";

const HERE = fileURLToPath(new URL("../languages/", import.meta.url));
const SAMPLE = fileURLToPath(new URL("../../../crates/scorm/examples/sample/", import.meta.url));
export const LANGUAGES = ["en", "de", "ru", "ar", "he", "ja"];
// What texts call `media:<name>` is uploaded, and gets its address from the library.
const MEDIA = {
  heating: join(HERE, "media/heating.svg"),
  molecule: join(HERE, "media/molecule.svg"),
  states: join(HERE, "media/states.png"),
  chimes: join(SAMPLE, "chimes.wav"),
  jupiter: join(SAMPLE, "jupiter.webm"),
  jupiter_en: join(SAMPLE, "jupiter.vtt"),
  jupiter_ru: join(HERE, "media/jupiter_ru.vtt"),
};

async function upload(base, key, path) {
  const form = new FormData();
  form.append("file", new Blob([await readFile(path)]), basename(path));
  const headers = { "x-api-key": key, "x-learning-platform-code": "main" };
  const response = await fetch(`${base}/v1/media`, { method: "POST", headers, body: form });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

// Every file is in the library before a text refers to it.
async function library(base, key, api) {
  const names = Object.keys(MEDIA);
  const sent = await Promise.all(names.map((name) => upload(base, key, MEDIA[name])));
  const addresses = {};
  for (const [at, { id }] of sent.entries()) {
    const kept = await until(() => api("GET", `/v1/media/${id}`), ({ status }) => !["pending", "processing"].includes(status));
    if (kept.status !== "ready") throw new Error(`${names[at]}: ${JSON.stringify(kept)}`);
    addresses[`media:${names[at]}`] = `media:${id}`;
  }
  return addresses;
}

// A file of texts, with real addresses in it.
async function texts(name, addresses) {
  const text = await readFile(join(HERE, name), "utf8");
  return text.replace(/\bmedia:[a-z_]+/g, (called) => {
    if (!addresses[called]) throw new Error(`${name}: there is no ${called}`);
    return addresses[called];
  });
}

async function unitOf(language, course, addresses, made) {
  const { unit, lesson, activities, ...said } = JSON.parse(await texts(`${language}.json`, addresses));
  const { id } = await made("/v1/units", { course_id: course, name: unit });
  const content = await texts(`${language}.md`, addresses);
  const { id: lessonId } = await made("/v1/lessons", { unit_id: id, name: lesson, language, content, duration_minutes: 15, ...said });
  for (const activity of activities) await made("/v1/activities", { lesson_id: lessonId, ...activity });
  return { language, id: lessonId };
}

// A cohort of the course; what the service said against its texts; the lessons.
async function courseOf(base, key, api) {
  const addresses = await library(base, key, api);
  const told = [];
  const made = async (path, document) => {
    const answer = await api("POST", path, document);
    for (const warning of answer.warnings || []) told.push(`${document.name}: ${warning.message || JSON.stringify(warning)}`);
    return answer;
  };
  const { assignment, ...course } = JSON.parse(await texts("course.json", addresses));
  const { id } = await made("/v1/courses", course);
  const lessons = [];
  for (const language of LANGUAGES) lessons.push(await unitOf(language, id, addresses, made));
  await made("/v1/assignments", { course_id: id, ...assignment });
  const cohort = await api("POST", "/v1/cohorts", { course_id: id, name: "Autumn" });
  return { cohort: cohort.id, told, lessons };
}

async function packed(api, cohort, version, folder) {
  const { id } = await api("POST", "/v1/scorm", { cohort_id: cohort, version });
  const ready = await until(() => api("GET", `/v1/scorm/${id}`), ({ status }) => status !== "pending" && status !== "processing");
  if (ready.status !== "ready") throw new Error(JSON.stringify(ready.error));
  const path = join(folder, `languages-${version}.zip`);
  await writeFile(path, Buffer.from(await (await fetch(ready.download_url)).arrayBuffer()));
  return { version, path, size: ready.size_bytes, warnings: ready.warnings };
}

// `versions`: the editions that are wanted.
export async function makeLanguages(base, key, folder, versions = ["1.2", "2004"]) {
  const api = apiOf(base, key);
  const { cohort, told, lessons } = await courseOf(base, key, api);
  for (const lesson of lessons) lesson.html = (await api("GET", `/v1/lessons/${lesson.id}?expand=html`)).html;
  const packages = [];
  for (const version of versions) packages.push(await packed(api, cohort, version, folder));
  return { told, lessons, packages };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [base, key, folder, ...versions] = process.argv.slice(2);
  console.log(JSON.stringify(await makeLanguages(base, key, folder, versions.length ? versions : undefined), null, 1));
}
