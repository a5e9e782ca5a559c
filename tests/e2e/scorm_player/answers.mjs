// Answers questions right, from what the package itself knows, with the controls a learner would use.
export async function answerQuiz(frame, questions) {
  for (const [index, question] of questions.entries()) {
    const field = frame.locator(`fieldset[data-question="${index}"]`);
    await (ANSWERS[question.type] || ANSWERS.open)(field, question);
  }
}

// Forced, as a block of code in an option lies over its field; pressing it must do all the same.
async function check(field, indexes) {
  for (const index of indexes) await field.locator(`input[value="${index}"]`).check({ force: true });
}

const ANSWERS = {
  single_choice: (field, q) => check(field, [q.options.findIndex((option) => option.correct)]),
  multiple_choice: (field, q) => check(field, q.options.flatMap((option, at) => (option.correct ? [at] : []))),
  true_false: (field, q) => check(field, [q.answer ? 0 : 1]),
  short_text: (field, q) => field.locator("input").fill(q.accepted_answers[0]),
  numeric: (field, q) => field.locator("input").fill(String(q.answer).replace(".", ",")),
  open: (field, q) => field.locator("textarea").fill(Array(Math.max(12, q.min_words || 0)).fill("word").join(" ")),
  cloze: async (field, q) => {
    for (const blank of q.blanks) await field.locator(`input[data-blank="${blank.id}"]`).fill(blank.accepted_answers[0]);
  },
  matching: async (field, q) => {
    for (let at = 0; at < q.pairs.length; at += 1) await field.locator("select").nth(at).selectOption(String(at));
  },
  // Selection sort with the up buttons, by keyboard: dragging must never be needed.
  ordering: async (field, q) => {
    await field.locator("li").nth(0).locator("button:not(:disabled)").first().press("Enter");
    for (let place = 0; place < q.items.length; place += 1) {
      for (;;) {
        const order = await field.locator("li").evaluateAll((rows) => rows.map((row) => Number(row.dataset.item)));
        const at = order.indexOf(place);
        if (at === place) break;
        await field.locator("li").nth(at).locator(".up").press("Enter");
      }
    }
  },
};
