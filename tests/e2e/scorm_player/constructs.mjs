// Takes a picture of each construct that the handbook shows: of every block of Markdown with a picture right below it.
//
//   node constructs.mjs <the example `page` of lyceum-markdown> <page of the handbook> <folder for the pictures>
import { execFileSync } from "node:child_process";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "./course_page.mjs";

const MOST_BYTES = 30 * 1024;
const BLOCK = /^(`{3,})markdown\n([\s\S]*?)\n\1\n(?:\n!\[[^\]]*\]\(images\/(content-[a-z-]+)\.png\)$)?/gm;
// As wide as what is shown, and large enough to be read in a browser that shrinks it.
const PAPER = "html { background: #fff; font-size: 17px; } body { width: fit-content; min-width: 12rem; max-width: 34rem; margin: 0 !important; padding: 1rem 1.25rem; box-sizing: border-box; font-size: 17px !important; } body > :first-child { margin-top: 0; } body > :last-child { margin-bottom: 0; } table { border-collapse: collapse; }";

const [renderer, handbook, folder] = process.argv.slice(2);
const text = await readFile(handbook, "utf8");
const constructs = Array.from(text.matchAll(BLOCK), ([, , markdown, name]) => ({ markdown, name })).filter(({ name }) => name);
const faults = constructs.length ? [] : [`${handbook} shows nothing`];
await mkdir(folder, { recursive: true });
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 760, height: 600 }, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  for (const { markdown, name } of constructs) {
    await page.setContent(execFileSync(renderer, { input: markdown, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] }));
    await page.addStyleTag({ content: PAPER });
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
    const path = join(folder, `${name}.png`);
    await page.locator("body").screenshot({ path, animations: "disabled" });
    const { size } = await stat(path);
    if (size > MOST_BYTES) faults.push(`${name}.png has ${size} bytes`);
    console.log(`${name}.png ${Math.ceil(size / 1024)} KB`);
  }
} finally {
  await browser.close();
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length ? 1 : 0;
