// What is written, and what is made of what was: state, interactions, modes in which nothing is recorded.
import { expect } from "./bed.mjs";

// lms/state.mjs tries thousands; these go the whole way.
const GARBAGE = ["zz.zz", "2.abcd.c-zz-3-a-2s0.abcdef.zzz.____.zzzzzz.p.~~~~.~.%", "\u0000{\"a\":1}"];

async function writesNothing(bed, plan) {
  const visit = await bed.visit(plan);
  await visit.learn({ steps: 3 });
  await visit.removeFrame();
  expect(!visit.calls("SetValue") && !visit.calls("Commit") && visit.calls("Terminate") === 1, "something was written");
}

export const RECORDS = {
  review: (bed) => writesNothing(bed, { mode: "review" }),
  browse: (bed) => writesNothing(bed, { mode: "browse" }),
  "no credit": (bed) => writesNothing(bed, { credit: "no-credit" }),
  "an empty mode is a normal one": async (bed) => {
    const visit = await bed.visit({ data: { "cmi.mode": "", "cmi.credit": "", "cmi.core.lesson_mode": "", "cmi.core.credit": "" } });
    await visit.learn({ steps: 1 });
    await visit.removeFrame();
    bed.is("incomplete", undefined);
  },

  async "garbage for a state"(bed) {
    for (const text of GARBAGE) {
      const visit = await bed.visit({ fresh: true, data: { "cmi.suspend_data": text, "cmi.location": "nowhere", "cmi.core.lesson_location": "nowhere" } });
      const end = await visit.learn({ steps: 1 });
      expect(end.done === 1, `${end.done} steps are done after ${text}`);
      await visit.removeFrame();
      bed.is("incomplete", undefined);
    }
  },

  async "another course's state"(bed) {
    const other = await bed.visit({ course: "reading" });
    await other.learn();
    await other.removeFrame();
    const visit = await bed.visit({ fresh: true, data: { "cmi.suspend_data": bed.suspended } });
    expect((await visit.where()).done === 0, "something is done");
    bed.is("incomplete", undefined);
  },

  async "a little room"(bed) {
    const plan = { course: "large", limit: 650, limitIsKnown: false };
    const first = await bed.visit(plan);
    const before = await first.learn({ from: 200, steps: 40 });
    await first.removeFrame();
    expect(bed.suspended.length > 100 && bed.suspended.length <= 650, `${bed.suspended.length} characters`);
    const second = await bed.visit(plan);
    expect((await second.where()).done === before.done, "less is done");
  },

  async "every kind of answer, right and wrong"(bed) {
    const visit = await bed.visit({ course: "questions" });
    await visit.learn();
    await visit.learn({ from: 1, steps: 1, wrong: true, again: true });
    await visit.removeFrame();
    const asked = visit.knowledge.questions[visit.steps[1].id].length;
    expect(bed.record.data["cmi.interactions._count"] === String(2 * asked), `${bed.record.data["cmi.interactions._count"]} interactions for ${asked} questions`);
    const parts = bed.is12 ? ["type", "time", "weighting", "student_response", "result", "latency"] : ["type", "timestamp", "weighting", "learner_response", "result", "latency", "description"];
    for (let at = 0; at < 2 * asked; at += 1) {
      for (const part of parts) expect(`cmi.interactions.${at}.${part}` in bed.record.data, `interaction ${at} has no ${part}`);
    }
  },

  async "drafts come back"(bed) {
    const first = await bed.visit();
    await first.learn({ steps: 5 });
    await first.removeFrame();
    const second = await bed.visit();
    await second.learn({ from: 4, steps: 0 });
    const text = await second.sco.locator("main textarea").inputValue();
    // 1.2 keeps drafts on the device; another context is another device.
    expect(bed.is12 ? text === "" : text.startsWith("I would walk"), `the draft is ${JSON.stringify(text)}`);
  },

  async "an Arabic course on a small phone"(bed) {
    const visit = await bed.visit({ course: "arabic", viewport: { width: 320, height: 568 } });
    expect(await visit.sco.evaluate(() => document.documentElement.dir) === "rtl", "not from right to left");
    await visit.learn();
    const wide = await visit.sco.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= 320, `${wide} pixels wide`);
    await visit.removeFrame();
    bed.is("passed", "100");
  },
};

// By itself, as it takes long.
export const LARGE = {
  async "300 lessons and 120 quizzes in 4,096 characters"(bed) {
    const first = await bed.visit({ course: "large" });
    await first.learn({ steps: 30 });
    bed.inOrder();
    const before = await first.learn({ from: 30, steps: 270 });
    await first.closeTab();
    bed.inOrder();
    const second = await bed.visit({ course: "large" });
    const after = await second.where();
    expect(before.step === 300 && after.step === 300 && after.done === 300, `${JSON.stringify(before)} became ${JSON.stringify(after)}`);
    await second.learn();
    await second.removeFrame();
    bed.is("passed", "100");
    expect(bed.suspended.length <= 3900, `${bed.suspended.length} characters`);
  },
};
