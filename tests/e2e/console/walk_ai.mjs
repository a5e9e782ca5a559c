// What AI does on the walk: activities that it drafts for a lesson, of which one is accepted and one discarded, and a rubric that is tried on an
// answer. What it is answered by is the built-in grader and drafter, which a service without a provider has.

const TAGS = { accept: "good", discard: "plain" };

// Until this one is shown, and the focus is on it.
function isShown(walk, name) {
  const shows = (wanted) => document.querySelector(".details h2")?.textContent === wanted && document.querySelector('.pieces [aria-current="true"]')?.textContent.includes(wanted);
  return walk.page.waitForFunction(shows, name);
}

async function decides(walk, what, name) {
  await isShown(walk, name);
  await walk.hand.does(walk.at(`.details [data-do=${what}]`), what[0]);
  await walk.at(`.piece-button:has(.version-name:text-is(${JSON.stringify(name)})) .tag.${TAGS[what]}`).waitFor();
  // The focus is in the list again when all of it is done.
  await walk.at('.piece-button[aria-current="true"]:focus').waitFor();
}

// From the quiz of a lesson to the lesson, and from there to what AI drafts of it.
export async function drafts(walk) {
  const { hand, page } = walk;
  await hand.press(walk.at(".above a").nth(1));
  await walk.shows("/les_\\w+$");
  await hand.press(walk.at(".page-head .button:has(.icon-spark)"));
  await walk.at("dialog select").first().waitFor();
  await walk.station("drafts that are asked for");
  await hand.choose(walk.at("dialog select").nth(1), "2");
  await hand.press(walk.at("dialog .button.main"));
  await walk.at(".pieces").waitFor();
  const names = await walk.at(".pieces .version-name").allTextContents();
  await isShown(walk, names[0]);
  await walk.station("proposals");
  await decides(walk, "accept", names[0]);
  await decides(walk, "discard", names[1]);
  await walk.station("proposals that are decided about");
  walk.generation = await page.evaluate(() => location.hash.match(/gen_\w+/)[0]);
}

// What the page shows of it: points and quotes of each criterion.
const judged = (all) =>
  all.map((one) => [one.querySelector(".points b")?.textContent ?? null, [...one.querySelectorAll(".quote")].map((quote) => quote.textContent)]);

export async function triesTheRubric(walk) {
  const { hand, words } = walk;
  await hand.fill(walk.at(".tried-answer"), words.answer);
  await hand.does(walk.at("section:has(> * .tried-answer) .button.main"), "Control+Enter");
  await walk.at(".tried-result:focus").waitFor();
  await walk.station("a rubric that is tried");
  walk.tried = {
    answer: words.answer,
    result: await walk.at(".tried-result").textContent(),
    criteria: await walk.at(".tried .criterion").evaluateAll(judged),
    unsaved: await walk.at(".tried > .notice").count(),
  };
}

// What came of it, as the service has it: what was accepted is in the lesson, behind the quiz, and nothing was handed in.
export async function madeByAI(api, walk, lesson, assignment) {
  const [pieces, activities, submissions] = await Promise.all([
    api(`/v1/generations/${walk.generation}/pieces`),
    api(`/v1/activities?lesson_id=${lesson}`),
    api(`/v1/submissions?assignment_id=${assignment}`),
  ]);
  const inOrder = activities.data.toSorted((one, other) => one.position - other.position);
  return {
    pieces: pieces.data.map(({ status, result }) => [status, inOrder.findIndex(({ id }) => id === result?.id)]),
    activities: inOrder.map(({ kind, provenance }) => [kind, provenance.origin]),
    named: pieces.data.map(({ name }) => inOrder.some((one) => one.name === name)),
    submissions: submissions.data.length,
  };
}
