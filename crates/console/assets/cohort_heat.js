// How far the students of a cohort have come, lesson by lesson: a table of numbers, coloured for who sees colours.
import { can, get } from "./api.js";
import { acting, h, hidden, own, replace, say } from "./dom.js";
import { exactly, number, percent, when } from "./format.js";
import { t } from "./i18n.js";
import { complain } from "./router.js";

// So many pages of a hundred before the table is shown, and so many each time that somebody wants to know more.
const PAGES_AT_FIRST = 10;
const PAGES_MORE = 50;

// Progress says how many lessons somebody has done; which ones is in the events alone, newest first and of the whole workspace. So it is
// read on until all that are counted have been found. Of whom some are missing, nobody knows what is not done.
class Completions {
  constructor(cohort, progress, lessons, signal) {
    Object.assign(this, { cohort, progress, signal, looked: 0, hasMore: can("read:events") });
    this.lessons = new Set(lessons.map(({ id }) => id));
    this.found = new Map(progress.map((one) => [one.user_id, new Map()]));
  }

  take({ data: { object: one } }) {
    // The newest is read first, and stays: who did it twice did it then.
    const of = this.found.get(one.user_id);
    if (of && this.lessons.has(one.lesson_id) && !of.has(one.lesson_id)) of.set(one.lesson_id, one.created_at);
  }

  isKnown({ user_id: user, lessons_completed: count }) {
    return this.found.get(user).size >= count;
  }

  get unknown() {
    return this.progress.filter((one) => !this.isKnown(one));
  }

  async read(pages) {
    const query = { type: "lesson.completed", limit: 100, "created_at[gte]": this.cohort.course?.created_at };
    for (let page = 0; page < pages && this.hasMore && this.unknown.length; page += 1) {
      const answer = await get("/v1/events", { ...query, startingAfter: this.cursor }, this.signal);
      answer.data.forEach((event) => this.take(event));
      this.looked += answer.data.length;
      this.cursor = answer.next_cursor;
      this.hasMore = answer.has_more;
    }
  }

  // Where nothing was done, and nothing is left to be known, a column for each lesson would say nothing.
  get isEmpty() {
    return !this.looked || (!this.unknown.length && [...this.found.values()].every((of) => !of.size));
  }
}

function warm(node, share) {
  node.style.setProperty("--warmth", String(share));
  return node;
}

function lessonCell(lesson, done, isKnown) {
  const moment = done?.get(lesson.id);
  if (moment) return warm(h("td", { title: exactly(moment) }, h("span", { "aria-hidden": "true" }, "✓"), hidden(t("cohort.done"))), 70);
  if (!isKnown) return h("td.bare", { title: t("cohort.unknown") }, h("span", { "aria-hidden": "true" }, "?"), hidden(t("cohort.unknown")));
  return h("td", h("span", { "aria-hidden": "true" }, "·"), hidden(t("cohort.open")));
}

function row(student, progress, lessons, completions) {
  const name = student.user.name || student.user.email;
  const share = progress?.percent ?? 0;
  const score = progress?.average_score;
  const count = progress ? `${number(progress.lessons_completed)}/${number(progress.lessons_total)}` : "–";
  const done = completions.found.get(student.user_id);
  const isKnown = Boolean(progress) && completions.isKnown(progress);
  return h(
    "tr",
    h("th", { scope: "row" }, own("span", name)),
    warm(h("td.num", percent(share), h("br"), h("small", count)), share),
    score === null || score === undefined
      ? h("td.num", h("span", { "aria-hidden": "true" }, "–"), hidden(t("cohort.no_score")))
      : warm(h("td.num", percent(score)), score),
    lessons.map((lesson) => lessonCell(lesson, done, isKnown)),
    h("td.bare", progress?.last_activity_at ? when(progress.last_activity_at) : t("cohort.never")),
  );
}

function heads(units, lessons) {
  const unit = ({ name, lessons: those }) => h("th.unit", { scope: "colgroup", colspan: those.length, title: name }, own("span", name));
  const lesson = ({ name }, at) => h("th", { scope: "col", title: name }, h("span", { "aria-hidden": "true" }, number(at + 1)), hidden(name));
  const plain = (label) => h("th", { scope: "col" }, t(label));
  return h(
    "thead",
    units.length ? h("tr", h("td.bare", { colspan: 3 }), units.map(unit), h("td.bare")) : null,
    h("tr", plain("student"), plain("cohort.progress"), plain("cohort.score"), lessons.map(lesson), plain("cohort.last")),
  );
}

// The same in a sentence, for who would rather not read a table.
function inWords(progress) {
  if (!progress.length) return null;
  const mean = progress.reduce((sum, one) => sum + one.percent, 0) / progress.length;
  const finished = progress.filter((one) => one.percent === 100).length;
  const idle = progress.filter((one) => !one.last_activity_at).length;
  return h(
    "p.lede",
    t("cohort.summary", { mean: percent(mean), finished: number(finished), idle: number(idle), all: number(progress.length) }),
  );
}

class Heat {
  constructor(students, progress, units, completions) {
    Object.assign(this, { students, completions });
    this.byUser = new Map(progress.map((one) => [one.user_id, one]));
    this.units = completions.isEmpty ? [] : units.filter((unit) => unit.lessons.length);
    this.lessons = this.units.flatMap((unit) => unit.lessons);
    this.place = h("div.card.scroll", { tabindex: "0", role: "region", "aria-label": t("cohort.heat") });
    this.note = h("p.hint", { role: "status" });
    this.more = acting(t("cohort.look_back"), () => this.lookBack(), { look: "quiet" });
    this.draw();
  }

  draw() {
    const { completions, lessons } = this;
    const rows = this.students.map((student) => row(student, this.byUser.get(student.user_id), lessons, completions));
    replace(this.place, h("table.heat", h("caption", hidden(t("cohort.heat"))), heads(this.units, lessons), h("tbody", rows)));
    const unknown = lessons.length ? completions.unknown.length : 0;
    const looked = { looked: number(completions.looked), count: number(unknown) };
    this.note.textContent = unknown ? t("cohort.looked_back", looked) : "";
    this.more.hidden = !unknown || !completions.hasMore;
  }

  // All of it is shown anew, and whoever came by the keyboard stays.
  async lookBack() {
    try {
      await this.completions.read(PAGES_MORE);
      this.draw();
      if (!this.more.hidden) return;
      this.place.focus();
      if (!this.note.textContent) say(t("cohort.all_known"));
    } catch (error) {
      complain(error);
    }
  }

  key() {
    if (!this.lessons.length) return null;
    const names = this.lessons.map((lesson) => own("li", lesson.name));
    return h("details", h("summary", t("cohort.which")), h("ol.numbered", names));
  }

  get node() {
    return h("div.stack", this.place, h("div", this.note, this.more), this.key());
  }
}

// `students` and `progress` are of the same students, `units` have their lessons.
export async function heatOf(cohort, students, progress, units, signal) {
  if (!students.length) return null;
  const completions = new Completions(cohort, progress, units.flatMap((unit) => unit.lessons), signal);
  await completions.read(PAGES_AT_FIRST);
  return [inWords(progress), new Heat(students, progress, units, completions).node];
}
