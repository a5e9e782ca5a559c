// Words of what is tried before anybody sees it.
export default {
  try: {
    title: "Try it", frame: "The player, as learners see it",
    what: "What is saved, with the player that learners have.", apart: "Open it in a tab of its own",
    saved_first: "What was not saved yet is saved now.", not_saved: "What you typed last is not saved. This is what was saved before.",
  },
  try_grading: {
    title: "Try it on this answer",
    lede: "What the grader would give an answer, by the rubric and the settings as they stand on this page, saved or not. Nothing of it is kept: no submission, no grade.",
    answer: "An answer", keys: "Ctrl + Enter tries it. A model may take up to a minute.", go: "Try it", empty: "Type or paste an answer first.",
    result: "{score} of {max} points", final: "Would go out by itself", suggested: "A person would look first", unsaved: "This rests on what is not saved: {names}.",
    free: "costs nothing", cost: "cost {usd} USD", unpriced: "its price is not known", kept: "Nothing of this is kept.",
  },
};
