// Times the package writer against simple-scorm-packager on the same courses, in turns, whole process by whole
// process; `make bench-scorm` builds the writer's program and calls this.
//
//   node bench.mjs <the writer's program>
//
// Prints a table and says of each goal whether it is met. Never part of the tests: times are a machine's, not a promise.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { open } from "./package_files.mjs";

const ROUNDS = 5;
const LESSONS = 100;
const LESSON_BYTES = 9_000;
const RECORDINGS = 10;
const RECORDING_BYTES = 3_000_000;

// The same numbers on every run.
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function vocabulary(random) {
  const syllables = ["ba", "co", "di", "fer", "gu", "lan", "mi", "no", "per", "qua", "ri", "sen", "tol", "u", "ven", "zi"];
  const word = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * syllables.length)]).join("");
  return Array.from({ length: 4000 }, word);
}

function lessonText(random, words) {
  const paragraphs = [];
  for (let bytes = 0; bytes < LESSON_BYTES;) {
    const sentence = Array.from({ length: 60 }, () => words[Math.floor(random() * words.length)]).join(" ");
    paragraphs.push(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
    bytes += sentence.length + 3;
  }
  return paragraphs;
}

// One course in two forms: Markdown for the writer, pages for the other, which packs a folder as it is.
async function makeCourse(folder, recordings) {
  const random = numbers(7);
  const words = vocabulary(random);
  for (const part of ["ours/lessons", "ours/media", "theirs/lessons", "theirs/media"]) await mkdir(join(folder, part), { recursive: true });
  const links = [];
  for (let number = 0; number < LESSONS; number += 1) {
    const name = String(number).padStart(3, "0");
    const paragraphs = lessonText(random, words);
    await writeFile(join(folder, `ours/lessons/${name}.md`), paragraphs.join("\n\n"));
    await writeFile(join(folder, `theirs/lessons/${name}.html`), `<!doctype html><title>${name}</title>\n${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}\n`);
    links.push(`<a href="lessons/${name}.html">${name}</a>`);
  }
  await writeFile(join(folder, "theirs/index.html"), `<!doctype html><title>Course</title>\n${links.join("\n")}\n`);
  for (let number = 0; number < recordings; number += 1) {
    const bytes = Buffer.alloc(RECORDING_BYTES);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.floor(random() * 4294967296), at);
    bytes.write("ID3\x04\0\0", 0, "latin1");
    for (const side of ["ours", "theirs"]) await writeFile(join(folder, `${side}/media/${number}.mp3`), bytes);
  }
}

// In a process of its own: `node bench.mjs --pack <folder> <output folder>`.
async function packTheirs(source, outputFolder) {
  const { default: packager } = await import("simple-scorm-packager");
  await new Promise((done) => packager({
    version: "2004 3rd Edition", organization: "Bench", title: "A hundred lessons", language: "en", source,
    package: { name: "course", version: "1.0.0", zip: true, outputFolder },
  }, done));
}

function timed(command, args) {
  const start = process.hrtime.bigint();
  const run = spawnSync(command, args, { encoding: "utf8" });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (run.status !== 0) throw new Error(run.stderr || run.stdout);
  return { milliseconds, output: run.stdout };
}

const median = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(program, folder) {
  const ours = [];
  const theirs = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const target = join(folder, `ours-${round}.zip`);
    const own = timed(program, [join(folder, "ours"), target]);
    ours.push({ ...JSON.parse(own.output), whole: own.milliseconds, target });
    const output = join(folder, `theirs-${round}`);
    await mkdir(output);
    const other = timed(process.execPath, [fileURLToPath(import.meta.url), "--pack", join(folder, "theirs"), output]);
    const [zip] = (await readdir(output)).filter((name) => name.endsWith(".zip"));
    theirs.push({ whole: other.milliseconds, bytes: (await stat(join(output, zip))).size });
  }
  return {
    ours: median(ours.map((run) => run.whole)), inside: median(ours.map((run) => run.milliseconds)), theirs: median(theirs.map((run) => run.whole)),
    ourBytes: ours[0].bytes, theirBytes: theirs[0].bytes, memory: median(ours.map((run) => run.memory_growth_kb)) / 1024, target: ours[0].target,
  };
}

async function playerBytes(archive) {
  const files = await open(archive);
  const names = (await readdir(join(files.folder, "assets"))).filter((name) => name.startsWith("player."));
  const parts = await Promise.all(names.map((name) => readFile(join(files.folder, "assets", name))));
  await files.remove();
  return parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);
}

function say(goal, met) {
  console.log(`${met ? "met   " : "MISSED"}  ${goal}`);
}

async function main(program) {
  const rows = {};
  let player = 0;
  for (const [name, recordings] of [["text", 0], ["text + 30 MB audio", RECORDINGS]]) {
    const folder = await mkdtemp(join(tmpdir(), "scorm-bench-"));
    try {
      await makeCourse(folder, recordings);
      rows[name] = await compare(program, folder);
      player = await playerBytes(rows[name].target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, {
    "ours ms": Math.round(row.ours), "of it writing": Math.round(row.inside), "theirs ms": Math.round(row.theirs), "theirs / ours": (row.theirs / row.ours).toFixed(1),
    "our bytes": row.ourBytes, "their bytes": row.theirBytes, "memory growth MB": row.memory.toFixed(1),
  }])));
  const [text, audio] = Object.values(rows);
  say("text: at most 1/5 of its time", text.ours * 5 <= text.theirs);
  say("text: at most its bytes", text.ourBytes <= text.theirBytes);
  say("30 MB audio: at most 1/8 of its time", audio.ours * 8 <= audio.theirs);
  say("30 MB audio: less than 64 MB more memory", audio.memory < 64);
  say(`player: at most 60 KB gzipped (${(player / 1000).toFixed(1)} KB)`, player <= 60_000);
}

if (process.argv[2] === "--pack") await packTheirs(process.argv[3], process.argv[4]);
else await main(process.argv[2]);
