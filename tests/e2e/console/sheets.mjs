// Style sheets that come later stay: whoever goes on to another view has them all. So no two of them may speak of the same class without
// saying where it stands, or a view looks otherwise than it did by where somebody was before.
import { readFile, readdir } from "node:fs/promises";

const FOLDER = new URL("../../../crates/console/assets/", import.meta.url);
// A tree of its own, which no other sheet reaches.
const APART = new Set(["prose.css"]);

// The classes that a sheet speaks of at the beginning of a selector: what stands around them is not said.
function bareClasses(css) {
  const selectors = css
    .replace(/\/\*.*?\*\//gs, "")
    .match(/[^{}]+(?=\{)/g)
    .filter((one) => !one.trim().startsWith("@"));
  return new Set(selectors.flatMap((one) => one.split(",")).flatMap((one) => one.trim().match(/^[a-z0-9]*\.([\w-]+)(?=$|[\s:>+~[])/)?.[1] || []));
}

export async function clashes() {
  const page = await readFile(new URL("index.html", FOLDER), "utf8");
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".css") && !APART.has(name) && !page.includes(`/${name}`));
  const owners = new Map();
  const found = [];
  for (const name of names) {
    for (const one of bareClasses(await readFile(new URL(name, FOLDER), "utf8"))) {
      if (owners.has(one)) found.push(`.${one} is spoken of in ${owners.get(one)} and in ${name}`);
      owners.set(one, name);
    }
  }
  return found;
}
