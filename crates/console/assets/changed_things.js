// Things of a course that are to change: what of each, what differs once somebody opens it, and what learners will notice of all of them.
import { get } from "./api.js";
import { showDifference } from "./differences.js";
import { button, h, icon, own, replace, say, section } from "./dom.js";
import { number } from "./format.js";
import { has, t, useWords, word } from "./i18n.js";
import { explain, show } from "./router.js";
import { sheet } from "./sheets.js";

const PATHS = { course: "courses", unit: "units", lesson: "lessons", activity: "activities", assignment: "assignments" };

export const pathOf = ({ object, id }) => `/v1/${PATHS[object]}/${id}`;

// The words and sheets that this takes.
export const dressed = () => Promise.all([...["waiting", "versions", "activity", "authoring"].map(useWords), ...["versions.css", "authoring.css"].map(sheet)]);

// A thing by the members that a change takes.
const asChanged = (thing) => ({ ...thing, ...(thing.duration && { hours: thing.duration.hours }) });

// One thing as two see it, each by its path.
export async function readBoth(paths, signal) {
  return (await Promise.all(paths.map((path) => get(path, {}, signal)))).map(asChanged);
}

export function labelOf(object, key) {
  const names = [`waiting.field_${key}`, `versions.field_${PATHS[object]}_${key}`, `versions.field_${key}`];
  const known = names.find(has);
  return known ? t(known) : key.replaceAll("_", " ");
}

function noticeLine({ code, count, learners }) {
  const values = { count: number(count), learners: number(learners) };
  return h("li", has(`waiting.notice_${code}`) ? t(`waiting.notice_${code}`, values) : `${code.replaceAll("_", " ")}: ${values.count}`);
}

export function noticesOf({ notices }) {
  const lines = notices.length ? h("ul.plain", notices.map(noticeLine)) : h("p.quiet", t("waiting.nobody"));
  return section(t("waiting.notices"), lines);
}

// What differs comes when somebody opens it: a course can be long. `both` reads the thing as it is and as it will be.
function differences(change, both, sides) {
  const place = h("div.stack", { role: "group", "aria-label": t("versions.differences") });
  const read = async () => {
    replace(place, h("p.quiet", t("loading")));
    try {
      const [then, now] = await both(change);
      const shown = (name) => {
        const label = labelOf(change.object, name);
        return showDifference(name, label, then, now, { sides, named: `${word("thing", change.object)} ${change.name}: ${label}` });
      };
      replace(place, change.fields.map(shown));
    } catch (error) {
      if (error.name === "AbortError") return;
      replace(place, h("p.trouble", icon("warn"), explain(error)), button(t("again"), read, { class: "small" }));
    }
  };
  return { place, read };
}

// A thing that will change. `about` says more of it beside its name, `above` and `below` where it is open.
function changeBox(change, { both, sides, about, above, below }) {
  const shown = differences(change, both, sides);
  let isRead = false;
  const read = () => {
    if (isRead) return;
    isRead = true;
    shown.read();
  };
  const node = h(
    "details.card.waiting-change",
    { "data-id": change.id, ontoggle: () => node.open && read() },
    h(
      "summary",
      icon("next"),
      h("span.above", word("thing", change.object)),
      own("b", change.name),
      h("span.quiet", change.fields.map((name) => labelOf(change.object, name)).join(" · ")),
      about(change),
    ),
    h("div.stack", above?.(change), shown.place, below?.(change)),
  );
  return node;
}

// All of them; the first is open.
export function changesOf({ changes }, how) {
  const boxes = changes.map((change) => changeBox(change, how));
  boxes[0].open = true;
  const legend = h("p.hint.marks", h("ins", t("waiting.comes")), " ", h("del", t("waiting.goes")));
  return section(t("waiting.changes"), legend, h("ul.stack.tight", boxes.map((box) => h("li", box))));
}

// Where something else would change by now than was looked at, that is shown first.
export const lookFirst = (said) => (error) => {
  if (error.code !== "changed_meanwhile") throw error;
  return async () => {
    await show();
    say(said, "wait");
  };
};
