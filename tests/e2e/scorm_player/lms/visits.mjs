// Coming and going: resuming, closing, crashing, hiding.
import { expect, until } from "./bed.mjs";

const same = (before, after) => {
  expect(before.step === after.step && before.heading === after.heading && before.done === after.done, `${JSON.stringify(before)} became ${JSON.stringify(after)}`);
};

// Every way to leave in mid-course, and the place where the next visit begins.
async function leavesAndResumes(bed, leave, plan = {}) {
  const first = await bed.visit(plan);
  const before = await first.learn({ steps: 3 });
  expect(before.step === 3 && before.done === 3, `stands at ${JSON.stringify(before)}`);
  await leave(first);
  const second = await bed.visit(plan);
  same(before, await second.where());
  await second.learn();
  await second.removeFrame();
  bed.is("passed", "100");
}

async function finishesAndLeaves(bed, leave, plan = {}) {
  const first = await bed.visit(plan);
  await first.learn();
  await leave(first);
  bed.is("passed", "100");
  return first;
}

export const VISITS = {
  "resume after the frame was removed": (bed) => leavesAndResumes(bed, (visit) => visit.removeFrame()),
  "resume after the frame went elsewhere": (bed) => leavesAndResumes(bed, (visit) => visit.navigateFrame()),
  "resume after the tab was closed": (bed) => leavesAndResumes(bed, (visit) => visit.closeTab()),
  "resume after a crash": (bed) => leavesAndResumes(bed, (visit) => visit.crash()),

  async "tab closed after finishing"(bed) {
    const visit = await finishesAndLeaves(bed, (one) => one.closeTab());
    expect(visit.calls("Terminate") <= 1, "terminated twice");
  },

  async "crash after finishing"(bed) {
    const visit = await finishesAndLeaves(bed, (one) => one.crash());
    expect(visit.calls("Terminate") === 0, "that was no crash");
  },

  async "unload is forbidden"(bed) {
    await finishesAndLeaves(bed, (visit) => visit.navigateFrame(), { headers: { "Permissions-Policy": "unload=()" } });
  },

  async "hidden saves, and shown goes on"(bed) {
    const visit = await bed.visit();
    await visit.learn({ steps: 2 });
    const before = visit.calls("Commit");
    await visit.sco.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
      delete document.visibilityState;
    });
    await until("a commit when hidden", () => visit.calls("Commit") > before);
    await visit.learn();
    await visit.removeFrame();
    bed.is("passed", "100");
  },

  async "put aside by the browser and back again"(bed) {
    const visit = await bed.visit();
    await visit.learn({ steps: 2 });
    const before = visit.calls("Commit");
    await visit.sco.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await until("a commit when put aside", () => visit.calls("Commit") > before);
    expect(visit.calls("Terminate") === 0, "terminated although it may come back");
    await visit.learn();
    await visit.removeFrame();
    bed.is("passed", "100");
  },

  async "never terminated twice"(bed) {
    const visit = await bed.visit();
    await visit.learn({ steps: 1 });
    await visit.sco.evaluate(() => {
      for (let time = 0; time < 2; time += 1) window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: false }));
    });
    // The learner is quicker than the page: nothing may be said any more.
    await visit.learn({ steps: 1 });
    await visit.page.evaluate(() => document.getElementById("sco").remove());
    await visit.look();
    expect(visit.calls("Terminate") === 1, `terminated ${visit.calls("Terminate")} times`);
  },

  async "session times"(bed) {
    const visit = await bed.visit();
    await visit.learn({ steps: 2 });
    await visit.removeFrame();
    expect(visit.sets(/session_time$/).length === visit.calls("Commit") + 1, "not one session time for each commit and one for the end");
  },

  async "nothing but the time is no reason to commit"(bed) {
    const visit = await bed.visit();
    await visit.learn({ steps: 2 });
    const before = visit.calls("Commit");
    await visit.removeFrame();
    expect(visit.calls("Commit") === before, `${visit.calls("Commit") - before} commits at the end`);
    const [[, last], [end]] = visit.record.log.slice(-2);
    expect(/session_time$/.test(last) && end === "Terminate", `${last} is the last that was told before ${end}`);
    const second = await bed.visit();
    // What was written in the meantime goes all the same.
    await second.learn({ from: 6, steps: 0 });
    await second.sco.locator("main textarea").waitFor();
    const opened = second.calls("Commit");
    await second.sco.evaluate(() => {
      const area = document.querySelector("main textarea");
      area.value = "A draft";
      area.dispatchEvent(new Event("input", { bubbles: true }));
      area.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await second.removeFrame();
    expect(second.calls("Commit") === opened + (bed.is12 ? 0 : 1), `${second.calls("Commit") - opened} commits for a draft`);
    // A page that is closed is hidden first in some browsers.
    const third = await bed.visit();
    const quiet = third.calls("Commit");
    await third.sco.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
      window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: false }));
    });
    await third.told("Terminate when the page was closed", "Terminate");
    await new Promise((resolve) => { setTimeout(resolve, 600); });
    expect(third.calls("Commit") === quiet, `${third.calls("Commit") - quiet} commits when the page was closed`);
  },
};
