// Makes crates/console/assets/codemirror.js and turndown.js of the packages that package-lock.json names. See README.md.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const ASSETS = new URL("../../crates/console/assets/", import.meta.url);
const HERE = new URL("./", import.meta.url);

// Studio's pages neither read nor write markup as text (a test holds every file to that). Turndown would hand on elements that it is
// told to keep as their markup; here it is told of none, and would hand on their words.
const WORDS_ALONE = { from: "node.outerHTML", to: "node.textContent" };
const wordsAlone = {
  name: "words-alone",
  setup({ onLoad }) {
    onLoad({ filter: /turndown[/\\]lib[/\\]turndown\.browser\.es\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes(WORDS_ALONE.from)) throw new Error("Turndown is another one: look again whether it reads markup as text");
      return { contents: text.replaceAll(WORDS_ALONE.from, WORDS_ALONE.to), loader: "js" };
    });
  },
};

// "@codemirror/state" of ".../node_modules/@codemirror/state/dist/index.js".
function packageOf(path) {
  const parts = path.split("node_modules/").at(-1).split("/");
  return parts[0].startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

async function licenceOf(name) {
  const folder = new URL(`node_modules/${name}/`, HERE);
  const { version, license } = JSON.parse(await readFile(new URL("package.json", folder), "utf8"));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (license !== "MIT" || !file) throw new Error(`${name}: ${license}, and no more is known here than how to carry MIT`);
  return { name, version, text: (await readFile(new URL(file, folder), "utf8")).trim() };
}

// The licence wants to be in every copy, and the binary is one: it stands at the head of the file.
function head(name, licences) {
  const holders = new Set(licences.flatMap(({ text }) => text.match(/^\s*Copyright.*$/gim) || []).map((line) => line.trim()));
  const [terms] = licences[0].text.match(/Permission is hereby granted[\s\S]*/);
  const lines = [
    `${name}: made by packaging/editor, not by hand, of these packages under the MIT licence (each text: packaging/editor/LICENCES.txt).`,
    "",
    ...licences.map(({ name: one, version }) => `${one} ${version}`),
    "",
    ...holders,
    "",
    ...terms.split("\n"),
  ];
  return `/*!\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

async function bundle(entry, name) {
  const { metafile, outputFiles } = await build({
    entryPoints: [new URL(entry, HERE).pathname],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
    plugins: [wordsAlone],
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const used = Object.entries(inputs).filter(([path, { bytesInOutput }]) => bytesInOutput && path.includes("node_modules/"));
  const names = [...new Set(used.map(([path]) => packageOf(path)))].sort();
  const licences = await Promise.all(names.map(licenceOf));
  await writeFile(new URL(name, ASSETS), head(name, licences) + outputFiles[0].text);
  return licences;
}

const licences = [...(await bundle("codemirror_parts.js", "codemirror.js")), ...(await bundle("turndown_parts.js", "turndown.js"))];
const texts = licences.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`);
await writeFile(new URL("LICENCES.txt", HERE), texts.join(`\n${"-".repeat(72)}\n\n`));
