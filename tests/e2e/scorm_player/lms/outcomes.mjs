// How a course ends: the status policy, from the first visit to the last.
import { expect } from "./bed.mjs";

const RETRIES = [[/^content\/course\.js$/, '"retriesFailed":false', '"retriesFailed":true']];
const WAITS = [[/^content\/course\.js$/, '"waitsForGrades":false', '"waitsForGrades":true']];

export const OUTCOMES = {
  "just opened"(bed) {
    return visit(bed, { steps: 0, from: 0 }, () => {
      bed.is("incomplete", undefined);
      expect(bed.visits[0].sets(/exit$/).length === 1, "exit is not set once");
    });
  },

  async pass(bed) {
    await visit(bed, {}, () => bed.is("passed", "100"));
    const [first] = bed.visits;
    expect(first.calls("Terminate") === 1, "not terminated once");
    const commits = first.calls("Commit");
    expect(commits > first.steps.length, `only ${commits} commits`);
    if (!bed.is12) expect(bed.record.data["cmi.score.scaled"] === "1", "no scaled score");
    const units = first.pack.course.units.map((unit, at) => bed.record.data[`cmi.objectives.${at}.${bed.is12 ? "status" : "completion_status"}`]);
    expect(units.every((status) => status === "completed"), `units are ${units}`);
    // A reader of reports knows questions and units by their words.
    const told = (list) => Object.entries(bed.record.data).filter(([name]) => new RegExp(`^cmi.${list}.\\d+.id$`).test(name)).map(([, id]) => id);
    expect(told("interactions").some((id) => /^how-high\.act_06\.q1$/.test(id)), `interactions are ${told("interactions")}`);
    expect(told("objectives")[0] === "finding-your-way.unt_1", `objectives are ${told("objectives")}`);
    const questions = Object.values(first.knowledge.questions).flat().length + 1;
    expect(bed.record.data["cmi.interactions._count"] === String(questions), `${bed.record.data["cmi.interactions._count"]} interactions`);
  },

  async "no score before the end"(bed) {
    await visit(bed, { steps: 5 }, () => bed.is("incomplete", undefined));
    expect(!bed.visits[0].sets(/score/).some(([, name]) => !/objectives/.test(name)), "a score in mid-course");
  },

  async "fail, then better"(bed) {
    await visit(bed, { wrong: true }, () => bed.is("failed", "0"));
    const [quiz, other] = bed.visits[0].quizzes();
    await visit(bed, { from: quiz, steps: 1, again: true }, () => bed.is("failed", "50"));
    await visit(bed, { from: other, steps: 1, again: true }, () => bed.is("passed", "100"));
    const ids = Object.entries(bed.record.data).filter(([name]) => /interactions\.\d+\.id/.test(name)).map(([, id]) => id);
    expect(ids.some((id) => id.endsWith(".a2")) && new Set(ids).size === ids.length, `ids are ${ids}`);
    if (bed.is12) expect(bed.visits[0].sets(/result$/).some(([, , value]) => value === "wrong"), "no wrong answer");
  },

  async "passed stays passed"(bed) {
    await visit(bed, {});
    await visit(bed, { from: 1, steps: 1, again: true, wrong: true }, () => bed.is("passed", "100"));
  },

  async "passed stays passed when the state is lost"(bed) {
    const passed = bed.is12 ? { "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "90" } : { "cmi.completion_status": "completed", "cmi.success_status": "passed", "cmi.score.raw": "90", "cmi.progress_measure": "1" };
    await visit(bed, { wrong: true }, () => bed.is("passed", "90"), { data: passed });
  },

  async "below the mark with retries is incomplete"(bed) {
    await visit(bed, { wrong: true }, () => bed.is("incomplete", undefined), { edits: RETRIES });
    const [quiz, other] = bed.visits[0].quizzes();
    await visit(bed, { from: quiz, steps: 1, again: true }, () => bed.is("incomplete", undefined), { edits: RETRIES });
    await visit(bed, { from: other, steps: 1, again: true }, () => bed.is("passed", "100"), { edits: RETRIES });
  },

  async "handed-in work waits for its grade"(bed) {
    await visit(bed, {}, () => bed.is("incomplete", undefined), { edits: WAITS });
  },

  async "nothing graded"(bed) {
    await visit(bed, {}, () => bed.is("completed", undefined), { course: "reading" });
  },

  async "an LMS that knows the pass mark hears no early score"(bed) {
    // Both quizzes have results, one of them a bad one; the course is not done.
    await visit(bed, { from: 1, steps: 1, wrong: true });
    await visit(bed, { from: 5, steps: 1 }, () => bed.is("incomplete", undefined));
  },
};

async function visit(bed, wishes, check, plan = {}) {
  const one = await bed.visit(plan);
  await one.learn(wishes);
  await one.removeFrame();
  if (check) check();
}
