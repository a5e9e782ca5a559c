// Opens a package: a folder as it is, or a zip unpacked into a temporary folder; and reads its content files.
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inflateRawSync } from "node:zlib";

export async function open(path) {
  const full = resolve(path);
  if ((await stat(full)).isDirectory()) return { folder: full, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "scorm-player-"));
  await unzip(await readFile(full), folder);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

// Just enough of the format for archives without data descriptors or zip64, which is what the exporter promises.
async function unzip(bytes, folder) {
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const flags = bytes.readUInt16LE(at + 6);
    if (flags & 0x0009) throw new Error("encrypted entry or data descriptor in the archive");
    const method = bytes.readUInt16LE(at + 8);
    const size = bytes.readUInt32LE(at + 18);
    const nameLength = bytes.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    const name = bytes.toString("latin1", at + 30, at + 30 + nameLength);
    if (!/^[A-Za-z0-9._/-]+$/.test(name) || name.split("/").includes("..")) throw new Error(`bad entry name ${name}`);
    const data = bytes.subarray(start, start + size);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), method === 8 ? inflateRawSync(data) : data);
    at = start + size;
  }
}

// What the content files register, read without running them: the course outline, the service and every document by id.
export async function contents(folder) {
  const found = { course: null, service: null, documents: new Map() };
  const scripts = (await readdir(join(folder, "content"))).filter((name) => name.endsWith(".js"));
  for (const name of scripts) {
    const text = (await readFile(join(folder, "content", name), "utf8")).trim();
    const [kind, id, document] = JSON.parse(`[${text.replace(/^lyceumRegister\(/, "").replace(/\);$/, "")}]`);
    if (kind === "course") found.course = document;
    if (kind === "service") found.service = document;
    if (kind === "content") found.documents.set(id, document);
  }
  return found;
}
