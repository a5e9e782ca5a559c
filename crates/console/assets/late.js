// What was taken off because work came late, beside what it earned. Its words come with `useWords("late")`.
import { h } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";

// Nothing where nothing was taken off.
export function takenOff({ score, earned_score: earned, late_deduction: off }) {
  return off > 0 ? h("p.hint", t("late.taken_off", { counts: number(score), earned: number(earned), off: number(off) })) : null;
}
