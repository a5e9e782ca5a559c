// How long a course of 300 lessons takes to be opened in Studio: from the click on it until its outline is painted: every unit, and of so
// long a course the lessons of the first.
//
//   BASE=<address of the service> KEY=<API key> node opening.mjs [times]
//
// Makes the course, of 15 units with 20 lessons each, an activity in every third and an assignment in every tenth. Prints one JSON object.
import { launch, openConsole, signIn, visit } from "./console_page.mjs";
import { apiOf } from "./seed.mjs";

const { BASE: base, KEY: key } = process.env;
const TIMES = Number(process.argv[2] ?? 3);
const [UNITS, LESSONS] = [15, 20];
const api = apiOf(base, key);

async function course() {
  const { id: course_id } = await api("POST", "/v1/courses", { name: "All of cooking", language: "en" });
  for (let unit = 0; unit < UNITS; unit += 1) {
    const { id: unit_id } = await api("POST", "/v1/units", { course_id, name: `Part ${unit + 1}` });
    for (let number = 0; number < LESSONS; number += 1) {
      const name = `Lesson ${unit * LESSONS + number + 1}`;
      const { id: lesson_id } = await api("POST", "/v1/lessons", { unit_id, name, content: `# ${name}\n\n${"Curl your fingers. ".repeat(60)}` });
      if (number % 3 === 0) await api("POST", "/v1/activities", { lesson_id, kind: "reflection", name: `What of ${name}?`, content: { prompt: "What?" } });
      if (number % 10 === 0) await api("POST", "/v1/assignments", { unit_id, name: `Task of ${name}`, instructions: "Cook it.", max_score: 10 });
    }
  }
  return course_id;
}

// Runs in the page: the click, and what is there afterwards painted.
function opened([hash, units, lessons]) {
  return new Promise((resolve) => {
    const begun = performance.now();
    const count = (kind) => document.querySelectorAll(`.outline .item.${kind}`).length;
    const look = () => {
      if (count("unit") < units || count("lesson") < lessons) return requestAnimationFrame(look);
      return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
    };
    location.hash = hash;
    look();
  });
}

async function main() {
  const hash = `#/courses/${await course()}`;
  const faults = [];
  const browser = await launch();
  const took = [];
  for (let time = 0; time < TIMES; time += 1) {
    // A browser that saw nothing of it yet, as whoever begins the day.
    const page = await openConsole(browser, base, { viewport: { width: 1440, height: 900 } }, faults);
    await signIn(page, key);
    await visit(page, "#/courses");
    const first = await page.evaluate(opened, [hash, UNITS, LESSONS]);
    await visit(page, "#/courses");
    const again = await page.evaluate(opened, [hash, UNITS, LESSONS]);
    took.push({ first: Math.round(first), again: Math.round(again) });
    await page.context().close();
  }
  await browser.close();
  const median = (of) => took.map((one) => one[of]).sort((a, b) => a - b)[took.length >> 1];
  console.log(JSON.stringify({ took, median: { first: median("first"), again: median("again") }, faults }));
}

await main();
