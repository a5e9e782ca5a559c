// The right answers of a quiz with a question of every type: all of them are seen, changed, and read back by the API.
import { visit } from "./console_page.mjs";
import { until } from "./seed.mjs";

export const QUIZ = {
  passing_percent: 60,
  questions: [
    { id: "q1", type: "single_choice", prompt: "Where does the **danger zone** end?", explanation: "Above it they stop.", options: [{ id: "a", text: "At 90 °C", correct: true }, { id: "b", text: "At 63 °C", correct: false }] },
    { id: "q2", type: "multiple_choice", prompt: "Which are fish?", options: [{ id: "a", text: "Cod", correct: true }, { id: "b", text: "Trout", correct: false }, { id: "c", text: "Hen", correct: false }] },
    { id: "q3", type: "true_false", prompt: "Ice is cold.", answer: false },
    { id: "q4", type: "short_text", prompt: "Name a fish.", accepted_answers: ["cod"] },
    { id: "q5", type: "numeric", prompt: "How hot?", answer: 60, unit: "°C" },
    { id: "q6", type: "cloze", prompt: "Fill in.", text: "Cool it within {{1}} hours.", blanks: [{ id: "1", accepted_answers: ["4"] }] },
    { id: "q7", type: "ordering", prompt: "In order.", items: [{ id: "i1", text: "Cook" }, { id: "i2", text: "Wash" }] },
    { id: "q8", type: "matching", prompt: "Match.", pairs: [{ id: "p1", left: "Chicken", right: "63 °C" }, { id: "p2", left: "Fish", right: "74 °C" }] },
    { id: "q9", type: "open", prompt: "Why?", sample_answer: "Because." },
  ],
};

// What of a question says which answer is right.
const ANSWER = {
  single_choice: ({ options }) => options.filter((one) => one.correct).map((one) => one.text),
  multiple_choice: ({ options }) => options.filter((one) => one.correct).map((one) => one.text),
  true_false: ({ answer }) => answer,
  short_text: ({ accepted_answers: words }) => words,
  numeric: ({ answer, tolerance }) => [answer, tolerance],
  cloze: ({ text, blanks }) => [text, blanks.map((one) => one.accepted_answers)],
  ordering: ({ items }) => items.map((one) => `${one.id} ${one.text}`),
  matching: ({ pairs }) => pairs.map((one) => `${one.left}: ${one.right}`),
  open: ({ sample_answer: words }) => words,
};

const box = (page, number) => page.locator("details.item:has(> summary > .num)").nth(number - 1);

async function changes(page) {
  const at = (number, label) => box(page, number).getByLabel(label, { exact: true });
  for (let number = 1; number <= 9; number += 1) await box(page, number).locator(":scope > summary").click();
  await at(1, "Right").nth(1).check();
  await at(2, "Right").nth(1).check();
  await at(3, "True").check();
  await at(4, "Accepted answers").fill("cod\ntrout");
  await at(5, "Right answer").fill("63");
  await at(5, "Tolerance").fill("0.5");
  await at(6, "Accepted for the blank 1").fill("2\ntwo");
  // Marked words become a blank that accepts them.
  await at(6, "Text").evaluate((input) => {
    input.focus();
    input.setSelectionRange(0, 4);
  });
  await box(page, 6).getByRole("button", { name: "Make the marked words a blank" }).click();
  await box(page, 7).getByRole("button", { name: "Entry 2: move up" }).click();
  await at(8, "Right side").nth(0).fill("74 °C");
  await at(8, "Right side").nth(1).fill("63 °C");
  await at(9, "Sample answer").fill("Because of *bacteria*.");
}

export async function editsEveryType(page, { course, first, quiz }, { api, says }) {
  const read = () => api("GET", `/v1/activities/${quiz.id}`);
  await visit(page, `#/courses/${course.id}/${first.id}/activities/${quiz.id}`);
  await changes(page);
  await says(page, "Saved");
  const { content } = await until(read, (now) => now.content.questions[8].sample_answer.includes("bacteria"));
  const told = { answers: Object.fromEntries(content.questions.map((one) => [one.type, ANSWER[one.type](one)])) };
  told.kept = [content.passing_percent, content.questions[0].explanation, content.questions.map((one) => one.id).join(" ")];
  await reorders(page, told, { read, says });
  await addsAndFails(page, told, { read, says });
  await addsAnActivity(page, { course, first }, told, { api, says });
  return told;
}

async function reorders(page, told, { read, says }) {
  await page.getByRole("button", { name: "Question 9: move up" }).click();
  await page.getByRole("button", { name: "Question 1: delete" }).click();
  await says(page, "Saved");
  const order = async () => (await read()).content.questions.map((one) => one.id).join(" ");
  told.reordered = await until(order, (now) => !now.includes("q1"));
  await page.locator(".toast .button").click();
  told.undone = await until(order, (now) => now.includes("q1"));
  await says(page, "Saved");
}

// What is not whole is not saved, says what is missing, and is kept.
async function addsAndFails(page, told, { read, says }) {
  await page.getByRole("group", { name: "Add question" }).getByRole("button", { name: "One right choice" }).click();
  await says(page, "something is missing");
  told.missing = await page.locator(".wrong-here:visible").count();
  const last = page.locator("details.item:has(> summary > .num)").last();
  await last.getByLabel("Question", { exact: true }).fill("What is new?");
  await last.getByLabel("Choice 1", { exact: true }).fill("This");
  await last.getByLabel("Choice 2", { exact: true }).fill("That");
  await last.getByLabel("Right", { exact: true }).nth(0).check();
  await says(page, "Saved");
  const { content } = await until(read, (now) => now.content.questions.length === 10);
  told.added = content.questions[9].prompt;
}

// From the lesson's page, and of a kind that is no quiz.
async function addsAnActivity(page, { course, first }, told, { api, says }) {
  await visit(page, `#/courses/${course.id}/${first.id}`);
  await page.getByRole("button", { name: "Add activity" }).click();
  await page.locator("dialog select").selectOption("flashcards");
  await page.locator("dialog input").fill("Cards");
  await page.locator("dialog .button.main").click();
  await page.getByRole("button", { name: "Add card" }).click();
  await page.getByLabel("Front", { exact: true }).fill("63 °C");
  await page.getByLabel("Back", { exact: true }).fill("the end");
  await says(page, "Saved");
  const id = await page.evaluate(() => location.hash.split("/").at(-1));
  const made = await until(() => api("GET", `/v1/activities/${id}`), (now) => now.content.cards?.length);
  told.cards = made.content.cards;
}
