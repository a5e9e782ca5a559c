// A learner in the page: works through steps with the controls that are there. Runs inside the package's document.
//
// One function that needs nothing from outside, so that it can be handed to any frame of any origin.
//
// `steps`: how many to do (all without it). `from`: the step to begin at, by the menu. `questions`: by step id.
// `wrong`: whether answers are wrong. `ids`: of the steps, in order. Gives where it stands in the end.
export async function learn({ ids, kinds, questions, steps = Infinity, from = null, wrong = false, again = false }) {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const isShown = (node) => Boolean(node) && !node.hidden && !node.closest("[hidden]");
  const until = async (what, found) => {
    for (const end = Date.now() + 25_000; Date.now() < end;) {
      const value = found();
      if (value) return value;
      await new Promise((resolve) => { setTimeout(resolve, 8); });
    }
    throw new Error(`waited in vain for ${what} at ${$("h1") && $("h1").textContent}`);
  };
  const current = () => { const link = $(".step-link[aria-current], [data-step][aria-current]"); return link ? Number(link.dataset.step) : -1; };
  const type = (input, text) => { input.value = text; input.dispatchEvent(new Event("input", { bubbles: true })); input.dispatchEvent(new Event("change", { bubbles: true })); };
  const pick = (field, at) => $(`input[value="${at}"]`, field).click();
  const STRANGE = "{lang=xx} 😀 \"quotes\" <b>&amp;</b> أهلاً [,] [.] a,b \n\t\u0007 ";
  const choose = (field, question) => {
    const right = question.options.flatMap((option, at) => (option.correct ? [at] : []));
    const others = question.options.flatMap((option, at) => (option.correct ? [] : [at]));
    if (wrong) pick(field, others[0]);
    else if (question.type === "single_choice") pick(field, right[0]);
    else right.forEach((at) => pick(field, at));
  };
  const ANSWER = {
    single_choice: choose,
    multiple_choice: choose,
    true_false: (field, question) => pick(field, question.answer !== wrong ? 0 : 1),
    short_text: (field, question) => type($("input", field), wrong ? STRANGE.repeat(9) : question.accepted_answers[0]),
    numeric: (field, question) => type($("input", field), wrong ? "12345,678901234" : String(question.answer)),
    cloze: (field, question) => question.blanks.forEach((blank) => type($(`[data-blank="${blank.id}"]`, field), wrong ? STRANGE : blank.accepted_answers[0])),
    open: (field) => type($("textarea", field), STRANGE.repeat(150)),
    matching: (field, question) => all("select", field).forEach((select, at) => type(select, String(wrong ? (at + 1) % question.pairs.length : at))),
    ordering: (field, question) => {
      const order = () => all("[data-item]", field).map((row) => Number(row.dataset.item));
      $("button:not(:disabled)", field).click();
      // Forty items take hundreds of presses, and after each the whole page would be laid out anew, with nobody to see it.
      field.style.display = "none";
      for (let place = 0; place < question.items.length && !wrong; place += 1) {
        while (order()[place] !== place) $(".up", all("[data-item]", field)[order().indexOf(place)]).click();
      }
      field.style.display = "";
    },
  };

  const takeQuiz = async (id) => {
    const ready = await until("the quiz", () => $("fieldset[data-question]") || $("[data-action=retry]"));
    if (ready.matches("[data-action=retry]")) {
      if (!again) return;
      ready.click();
      await until("another try", () => $("fieldset[data-question]"));
    }
    questions[id].forEach((question, at) => ANSWER[question.type]($(`fieldset[data-question="${at}"]`), question));
    $("[data-action=submit]").click();
    await until("the result", () => $("[data-action=retry]"));
  };
  const write = async () => {
    const area = await until("the text field", () => $("textarea"));
    if (!area.value) type(area, "I would walk to the hill behind the mill and look up.");
    $("[data-action=submit]").click();
  };
  const handIn = async () => {
    const submit = await until("the assignment", () => $("[data-action=submit]"));
    const area = $("main textarea");
    if (isShown(area) && !area.value) type(area, "My work, in a few words, is here for all to see and to read.");
    if (isShown(submit)) submit.click();
  };
  const ACTS = { quiz: takeQuiz, reflection: write, assignment: handIn };

  await until("the course", () => $("[data-action=start]") || $("[data-action=next], [data-action=finish], article.end"));
  if (from !== null) $(`[data-step="${from}"]`).click();
  else if (steps > 0 && $("[data-action=start]")) $("[data-action=start]").click();
  for (let count = 0; count < steps && current() >= 0; count += 1) {
    const at = current();
    await (ACTS[kinds[at]] || (() => {}))(ids[at]);
    const onward = await until("the way on", () => $("[data-action=next], [data-action=finish]"));
    onward.click();
    await until("the next step", () => current() !== at);
  }
  return { step: current(), heading: $("h1").textContent, done: all(".step-link.done, [data-step].done").length, connection: ($(".connection") || {}).textContent || "" };
}
