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
  },
  feature: {
    grading: "Grading", explaining: "Explaining", drafting: "Drafting", checking: "Checking drafts", tutoring: "Tutor", speaking: "Speech",
  },
  outcome: {
    answered: "Answered", invalid: "Unusable", refused: "Declined", unavailable: "Away",
  },
};
