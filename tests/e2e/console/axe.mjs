// What axe finds wrong with a page: its rules for WCAG 2.2 AA and its best practice.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const AXE = await readFile(fileURLToPath(new URL("./node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export const ALL_RULES = { type: "tag", values: TAGS };
// What another colour scheme can change. Names, roles and headings are the same in each.
export const RULES_OF_COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

// Runs in the page. Of what it says here nobody reads the HTML.
async function look(runOnly) {
  const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"] });
  return violations;
}

async function bring(page) {
  await page.evaluate(AXE);
  await page.evaluate(() => window.axe.configure({ noHtml: true }));
}

export async function violationsOf(page, rules = ALL_RULES) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await bring(page);
  const violations = await page.evaluate(look, rules);
  return violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} ${(node.any[0] || node.all[0] || node.none[0] || {}).message || ""}`),
  );
}

// Runs in the page, for what axe does not see: sideways scrolling, small targets, a second main heading, lost focus.
export function measure() {
  const found = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth) found.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth}`);
  if (document.querySelectorAll("h1").length !== 1) found.push("not exactly one h1");
  const trees = [document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)];
  const pressed = "button, input, select, textarea, summary, .nav a, .queue-item";
  for (const node of trees.flatMap((tree) => [...tree.querySelectorAll(pressed)])) {
    const box = node.getBoundingClientRect();
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("label, .unseen") || node.matches(".unseen")) continue;
    if (box.width < 24 || box.height < 24)
      found.push(`target of ${Math.round(box.width)} × ${Math.round(box.height)}: ${node.outerHTML.slice(0, 80)}`);
  }
  return found;
}

// Notes what axe and a ruler find wrong at a place; without rules, the ruler alone.
export async function examined(page, place, report, rules = ALL_RULES) {
  const found = [...(rules ? await violationsOf(page, rules) : []), ...(await page.evaluate(measure))];
  report.findings.push(...found.map((text) => `${place}: ${text}`));
}
