// What is asked before many submissions are decided about, and the keys of their page.
import { pageOf } from "./assignment_pages.js";
import { h } from "./dom.js";
import { formDialog, infoDialog } from "./dialogs.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { go } from "./router.js";
import { shortcutList } from "./shortcuts.js";
import { learnNames } from "./submissions_card.js";
import { asSeen, start, startGrading } from "./submissions_jobs.js";
import { leave } from "./way_back.js";

const grading = () => import("./submissions_ai.js");

// Which of them it can be done to, as far as the page knows; the service looks again.
const CAN = {
  accept: ({ status, review_status: review, blind }) => !blind && (status === "in_review" || (status === "graded" && review === "open")),
  return: ({ status }) => status === "graded",
};

// How many that is, what happens to them, and to how many nothing will.
function question(name, can, all, more = null) {
  const left = all - can;
  return h(
    "div.stack",
    h("p", t(`submissions.${name}_what`, { count: number(can) })),
    more && h("p", more),
    left > 0 && h("p.hint", t(`submissions.${name}_left`, { count: number(left) })),
  );
}

function confirm(name, can, all, action, more) {
  const said = (word, count) => t(`submissions.${name}${word}`, { count: number(count) });
  if (!can) return infoDialog(said("", 0), h("p", said("_left", all)));
  return formDialog(said("_title", can), question(name, can, all, more), said("_go", can), async () => action, "main");
}

async function askAi(chosen, view) {
  const { byAssignment, canGrade, costOf } = await grading();
  const groups = byAssignment(chosen);
  const cost = groups.size ? await costOf(groups) : null;
  const parts = [...groups].map(([assignment, items]) => ({ assignment, ids: items.map(({ id }) => id) }));
  const begin = () => {
    view.clear();
    startGrading({ name: "ai", parts }, view);
  };
  confirm("ai", chosen.filter(canGrade).length, chosen.length, begin, cost);
}

// Of one assignment alone: its page previews what AI would give these now, and leads back.
function gradeAgain(chosen, view) {
  const [assignment, ...others] = new Set(chosen.map((one) => one.assignment_id));
  if (others.length) return infoDialog(t("submissions.again"), h("p", t("ways.one_assignment", { count: number(others.length + 1) })));
  leave(
    assignment,
    view.here,
    chosen.map(({ id }) => id),
  );
  return go(pageOf(assignment, "regrades"));
}

export async function ask(name, chosen, view) {
  if (name === "again") return gradeAgain(chosen, view);
  learnNames(chosen);
  if (name === "ai") return askAi(chosen, view);
  const begin = () => {
    view.clear();
    start({ name, rows: chosen.map(asSeen) }, view);
  };
  confirm(name, chosen.filter(CAN[name]).length, chosen.length, begin);
}

const MOVING = [
  [["j"], "keys.next"],
  [["k"], "keys.previous"],
  [["Enter"], "submissions.key_open"],
];
const SELECTING = [
  [["x"], "submissions.key_select"],
  [["Shift", "x"], "submissions.key_range"],
  [["s"], "submissions.select_all"],
  [["Esc"], "submissions.unselect"],
];

export function showKeys(actions) {
  const acting = actions.map(({ name, key }) => [[key], `submissions.${name}`]);
  const keys = shortcutList([...MOVING, ...(actions.length ? SELECTING : []), ...acting, [["/"], "find.learners"], [["?"], "keys.help"]]);
  infoDialog(t("keys.title"), h("div.stack", keys, h("p.hint", t("keys.about"))));
}
