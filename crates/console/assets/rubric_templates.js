// Rubrics to begin with, in the reader's language.
import { t } from "./i18n.js";

const LEVELS = [
  ["level_excellent", 1],
  ["level_good", 0.7],
  ["level_weak", 0.4],
  ["level_missing", 0],
];
const TEMPLATES = {
  essay: [
    ["thesis", 20],
    ["evidence", 40],
    ["structure", 20],
    ["language", 20],
  ],
  short_answer: [["content", 10]],
  presentation: [
    ["content_shown", 40],
    ["order", 20],
    ["delivery", 20],
    ["questions", 20],
  ],
};

export const TEMPLATE_NAMES = Object.keys(TEMPLATES);

function levelsFor(most) {
  return LEVELS.map(([name, share]) => ({ label: t(`template.${name}`), points: Math.round(most * share * 100) / 100, description: "" }));
}

// A short answer is told by what must be said; the rest by how well it is done.
function criterionOf(template, [name, most]) {
  const told = { name: t(`template.${name}`), description: t(`template.${name}_what`), max_points: most, weight: most };
  if (template === "short_answer") return { ...told, key_points: [1, 2, 3].map((nr) => t(`template.key_point_${nr}`)) };
  return { ...told, levels: levelsFor(most) };
}

export function criteriaOf(template) {
  return TEMPLATES[template].map((one) => criterionOf(template, one));
}
