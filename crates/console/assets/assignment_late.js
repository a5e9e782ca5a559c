// What coming late costs: what is taken off for each day, where that ends, and an example of what is typed.
import { field, h, hidden, replace, toggle } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";

const USUAL = { percent_per_day: 10, floor_percent: 0, grace_minutes: 0 };
// The example: so many days late, and so many of a hundred points earned.
const [DAYS, EARNED] = [2, 80];

// What counts of work that came late, as the service computes it: in whole hundredths, in favour of whoever handed in.
export function counting(earned, most, policy, days) {
  const [worth, all] = [earned, most].map((points) => Math.round(points * 100));
  const off = Math.floor((all * Math.min(policy.percent_per_day * days, 100)) / 100);
  const floor = Math.floor((all * policy.floor_percent) / 100);
  return (worth - Math.max(0, Math.min(off, worth - floor))) / 100;
}

function example(policy, most) {
  const earned = Math.round(most * EARNED) / 100;
  const [counts, floor] = [counting(earned, most, policy, DAYS), (most * policy.floor_percent) / 100];
  return [
    t("late_policy.example", { earned: number(earned), max: number(most), counts: number(counts) }),
    policy.floor_percent > 0 && t("late_policy.example_floor", { floor: number(floor), max: number(most) }),
    policy.grace_minutes > 0 && t("late_policy.example_grace", { minutes: number(policy.grace_minutes) }),
  ].filter(Boolean);
}

const inRange = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function isWhole({ percent_per_day: percent, floor_percent: floor, grace_minutes: grace }) {
  return inRange(percent, 1, 100) && inRange(floor, 0, 100) && inRange(grace, 0, 10_080);
}

// Works on `draft.late_policy`. `told` says the example anew where the best score has changed.
export function latePolicy(draft, edited) {
  const words = h("p.notice", { "aria-live": "polite" });
  const told = () => {
    const { late_policy: policy, max_score: most } = draft;
    const isKnown = policy && isWhole(policy) && most > 0;
    replace(words, isKnown ? example(policy, most).join(" ") : t(policy ? "late_policy.unknown" : "late_policy.none"));
  };
  const changed = () => {
    told();
    edited();
  };
  const whole = (name, least, most) =>
    h("input.field.narrow", {
      type: "number",
      min: least,
      max: most,
      step: 1,
      required: true,
      inputmode: "numeric",
      value: draft.late_policy[name],
      oninput: (event) => {
        draft.late_policy[name] = event.target.value === "" ? null : Number(event.target.value);
        changed();
      },
    });
  const rules = h("div.row.top-aligned");
  const show = () =>
    replace(
      rules,
      draft.late_policy && [
        field(t("late_policy.percent"), whole("percent_per_day", 1, 100), t("late_policy.percent_hint")),
        field(t("late_policy.floor"), whole("floor_percent", 0, 100), t("late_policy.floor_hint")),
        field(t("late_policy.grace"), whole("grace_minutes", 0, 10_080), t("late_policy.grace_hint")),
      ],
    );
  const isOn = toggle(t("late_policy.on"), Boolean(draft.late_policy), (on) => {
    draft.late_policy = on ? { ...USUAL } : null;
    show();
    changed();
  });
  show();
  told();
  return { node: h("fieldset.stack.tight", h("legend", hidden(t("late_policy.title"))), isOn, rules, words), told };
}
