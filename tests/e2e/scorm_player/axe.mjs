// What axe finds wrong with a page: its rules for WCAG 2.2 AA and its best practice.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { atRest } from "./at_rest.mjs";

const AXE = await readFile(fileURLToPath(new URL("./node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export const ALL_RULES = { type: "tag", values: TAGS };
// What other colours can change. Names, roles and headings are the same in each.
export const RULES_OF_COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

// Of the page itself: what is in its frames is looked at where it stands alone.
export async function violationsOf(page, runOnly = ALL_RULES) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  // A colour on its way to another is neither.
  await page.evaluate(atRest);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { iframes: false, runOnly: rules, resultTypes: ["violations"] }), runOnly);
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} ${(node.any[0] || node.all[0] || node.none[0] || {}).message || ""}`));
}
