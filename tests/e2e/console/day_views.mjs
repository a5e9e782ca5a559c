// How long each view takes on a platform with much in it: from the navigation until it is shown, and until nothing of it is asked for any more.
import { settled } from "./console_page.mjs";

const TIMES = 3;

export const viewsOf = ({ course, cohort, other }) => ({
  overview: "#/",
  review: "#/review",
  ungraded: "#/review?queue=ungraded",
  submissions: "#/submissions",
  "submissions of a learner": "#/submissions?q=Learner+0007",
  "submissions by points": "#/submissions?sort=score",
  assignment: `#/assignments/${other}/edit`,
  statistics: `#/assignments/${other}/statistics`,
  groups: `#/assignments/${other}/groups`,
  calibration: `#/assignments/${other}/calibration`,
  "grade all": `#/assignments/${other}/ai`,
  regrades: `#/assignments/${other}/regrades`,
  courses: "#/courses",
  course: `#/courses/${course}`,
  cohorts: "#/cohorts",
  cohort: `#/cohorts/${cohort}`,
  gradebook: `#/cohorts/${cohort}/gradebook`,
  packages: "#/packages",
  webhooks: "#/webhooks",
  keys: "#/keys",
  members: "#/members",
  audit: "#/audit",
  usage: "#/usage",
});

// Runs in the page: there, and painted.
function opened(hash) {
  return new Promise((resolve) => {
    const main = document.getElementById("main");
    main.dataset.shown = "";
    performance.clearResourceTimings();
    const begun = performance.now();
    const isThere = () => main.dataset.shown === hash && !main.querySelector(".bones, [aria-busy=true]");
    const painted = () => setTimeout(() => resolve([begun, performance.now() - begun]));
    const look = () => requestAnimationFrame(isThere() ? painted : look);
    location.hash = hash;
    look();
  });
}

const lastAnswer = () => Math.max(0, ...performance.getEntriesByType("resource").map(({ responseEnd }) => responseEnd));

export async function timesOf(page, views) {
  const told = {};
  for (const [name, hash] of Object.entries(views)) {
    const times = [];
    for (let time = 0; time < TIMES; time += 1) {
      // From somewhere else, each time.
      await page.evaluate(opened, "#/account");
      await settled(page);
      const [begun, shown] = await page.evaluate(opened, hash);
      await settled(page);
      times.push([Math.round(shown), Math.round(Math.max(shown, (await page.evaluate(lastAnswer)) - begun))]);
    }
    const median = (at) => times.map((one) => one[at]).sort((one, other) => one - other)[TIMES >> 1];
    told[name] = { shown: median(0), whole: median(1) };
  }
  return told;
}
