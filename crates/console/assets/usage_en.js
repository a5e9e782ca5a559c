// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "Month", calls: "Calls", in: "Tokens read", out: "Tokens written", tokens: "Tokens", cost: "Cost", money: "Money", day: "Day", by_day: "By day",
    by_feature: "By purpose", by_model: "By model", chart: "Tokens per day; the table below has the same numbers", as_table: "The same as a table",
    budget: "Budget of this month", used_of: "{used} of {most} ({share})",
    no_budget: "None set: AI may spend without a limit.", resets: "Starts anew {when}.", every: "Every call",
    what: "Purpose", model: "Model", sent: "What left the house", outcome: "Outcome", latency: "Took", at: "When", none_title: "No calls in this month",
    none: "The built-in engine calls nobody and costs nothing. Once a language model is connected, every call is written down here.",
    set: "Set the budget",
    budget_title: "What may AI spend in a month?",
    money_usd: "Money, in US dollars",
    set_hint: "Left empty it has no limit. Where it is used up, AI does nothing until it starts anew; people go on as always.",
    save: "Save",
    saved: "The budget is saved.",
    chart_money: "Money per day; the table below has the same numbers", picture: "What the picture shows", csv: "Download CSV", unpriced: "Calls whose price is not known: {count}. They are not in the picture.", every_purpose: "All purposes", none_of_title: "No calls for this", none_of: "AI was not called for this purpose.", of_service: "The service sets this one; what you set takes its place.", no_number: "That is no number.", failure: "When a provider fails", failure_hint: "It fails for good after a long wait, or at once by a refusal. What the built-in engine did in its place says so.", shares: "What learners may take", shares_hint: "Shares are of the budget of a month; staff may spend all of it. Whoever runs the service sets them.", learners_percent: "All learners together", package_percent: "Those of one package", learner_hour: "Works that AI grades in an hour, of one learner", package_hour: "Works that AI grades in an hour, of one package",
  },
  feature: {
    grading: "Grading", explaining: "Explaining", drafting: "Drafting", checking: "Checking drafts", tutoring: "Tutor", speaking: "Speech",
  },
  outcome: {
    answered: "Answered", invalid: "Unusable", refused: "Declined", unavailable: "Away",
  },
  failure: { error: "It ends in the error", built_in: "The built-in engine does it instead" },
};
