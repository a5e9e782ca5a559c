// Where the API is, when it comes, and what it is like to talk to.
import { expect } from "./bed.mjs";

async function passes(bed, plan, leave = (visit) => visit.removeFrame()) {
  const visit = await bed.visit(plan);
  await visit.learn();
  await leave(visit);
  bed.is("passed", "100");
  return visit;
}

// The whole course works, whatever becomes of the record.
async function worksAlone(bed, plan) {
  const visit = await bed.visit(plan);
  const end = await visit.learn();
  expect(end.step === -1 && end.done === visit.steps.length && end.connection, `stands at ${JSON.stringify(end)}`);
  return visit;
}

// The page itself and nobody else: popups close, and the opener tells.
const closePopup = (visit) => visit.closePopup();

export const FINDING = {
  "in a popup": (bed) => passes(bed, { popup: true }, closePopup),
  "in frames of a popup of a frame": (bed) => passes(bed, { frame: "launcher" }, closePopup),
  "in eleven frames": (bed) => passes(bed, { frame: "within-11-here" }),
  "behind a frame of another origin": (bed) => passes(bed, { frame: "within-1-elsewhere" }),
  "behind a frame of another origin in a popup": (bed) => passes(bed, { popup: "within-1-elsewhere" }, closePopup),
  "API 1.5 seconds late": async (bed) => {
    const visit = await bed.visit({ appears: 1500 });
    // Before the learner does anything that would make the player look again.
    await visit.told("the player to find the API by itself", "Initialize");
    await visit.learn();
    await visit.removeFrame();
    bed.is("passed", "100");
  },
  "the package's own dialect first": (bed) => passes(bed, { decoy: true }),
  "only the other dialect": async (bed) => {
    const edition = bed.is12 ? "2004" : "1.2";
    const visit = await bed.visit({ lmsEdition: edition });
    await visit.learn();
    await visit.removeFrame();
    const { data } = bed.record;
    expect(edition === "1.2" ? data["cmi.core.lesson_status"] === "passed" : data["cmi.success_status"] === "passed", "not passed");
  },

  "no LMS": (bed) => worksAlone(bed, { appears: null }),
  async "an LMS that comes while the learner is at work"(bed) {
    const visit = await bed.visit({ alone: true, opensWith: lateLms, appears: null });
    await visit.learn({ steps: 2 });
    await visit.sco.evaluate(() => window.appearNow());
    await visit.learn({ steps: 1 });
    const { ids, results, status, location } = await visit.sco.evaluate(() => window.heard());
    expect(status === "incomplete" && location === visit.steps[3].id, `${status} at ${location}`);
    expect(ids.length === visit.knowledge.questions[visit.steps[1].id].length && results === ids.length, `heard of ${ids}`);
  },
  async "an LMS that refuses"(bed) {
    const visit = await worksAlone(bed, { mood: "refuses" });
    await visit.look();
    expect(!visit.calls("SetValue") && !visit.calls("Commit") && !visit.calls("Terminate"), "it was told something");
  },
  "an LMS that throws on every call": (bed) => worksAlone(bed, { mood: "throws" }),
  "an LMS that answers null": (bed) => passes(bed, { mood: "null" }),
  "an LMS that answers booleans": (bed) => passes(bed, { mood: "booleans" }),
  "an LMS that answers numbers": (bed) => passes(bed, { mood: "numbers" }),
  "an LMS that hands back nonsense": (bed) => worksAlone(bed, { mood: "nonsense" }),
  "an LMS that forgets mode, status and score": (bed) => passes(bed, { mood: "forgetful" }),

  "a policy that allows the package alone": (bed) => passes(bed, { headers: { "Content-Security-Policy": "default-src 'self'" } }),
  "a sandbox without the LMS's origin": (bed) => worksAlone(bed, { sandbox: "allow-scripts" }),
  "a sandbox with the LMS's origin": (bed) => passes(bed, { sandbox: "allow-scripts allow-same-origin" }),
};

// An API of few words in the package's own window, from the moment that it is called for.
function lateLms() {
  const data = {};
  const say = { Initialize: () => "true", Terminate: () => "true", Commit: () => "true", GetLastError: () => "0", GetValue: (name) => data[name] || "", SetValue: (name, value) => { data[name] = value; return "true"; } };
  window.appearNow = () => {
    window.API_1484_11 = say;
    window.API = Object.fromEntries(Object.entries(say).map(([name, call]) => [`LMS${name === "Terminate" ? "Finish" : name}`, call]));
  };
  window.heard = () => {
    const ids = Object.keys(data).filter((name) => /^cmi\.interactions\.\d+\.id$/.test(name)).map((name) => data[name]);
    const results = Object.keys(data).filter((name) => /^cmi\.interactions\.\d+\.result$/.test(name)).length;
    return { ids, results, status: data["cmi.core.lesson_status"] || data["cmi.completion_status"], location: data["cmi.core.lesson_location"] || data["cmi.location"] };
  };
}
