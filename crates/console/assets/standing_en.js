// Words of who falls behind alone.
export default {
  standing: {
    rules: "By which rules", yours: "These rules are yours, for looking: nobody is marked by them, and learners see none of it.", apply: "Apply", reset: "As they were",
    rule_overdue: "Tasks overdue", hint_overdue: "So many or more that were due since they came and not handed in.",
    rule_inactive_days: "Days without anything done", hint_inactive_days: "So many or more since a lesson was done, an activity tried or something handed in.",
    rule_low_total: "Total below, in per cent", hint_low_total: "In the grades, of two graded tasks at least.",
    rule_pace: "Points behind the calendar", hint_pace: "So many or more between their lessons and their time in the cohort that is over, both in per cent. The cohort needs a beginning and an end.",
    behind: "Who needs a word", signs: "Signs", lessons: "Lessons", total: "Total", no_total: "none yet", learners: "Learners",
    sign_overdue: "tasks overdue: {count}", sign_inactive: "days without anything done: {count}",
    sign_low_total: "{total} so far", sign_pace: "points behind the calendar: {count}",
    short: "Need a word: {count} of {of}.", read: "{count} learners read.", nobody: "By these rules nobody falls behind.", not_running: "The cohort does not run: nobody falls behind in it.", others: "The others ({count})",
    first_only: "Only the first {count} learners are read.", csv: "Download CSV", file: "who-falls-behind", saved: "Saved: {name}",
    spread: "How far the cohort has come", spread_said: "Learners: {count}. On average they have done {mean} of the lessons.", spread_said_expected: "{expected} of the time is over; with less of the lessons done: {behind}.",
    spread_label: "Bars: how many of {count} learners are in each tenth of the lessons done. Most are from {from} to {to}: {most}.", spread_label_expected: "A line over them: {expected} of the time is over.",
    mark: "Time {expected}", from_to: "{from} to {to}", bins: "Learners in each tenth of the lessons", table: "As a table",
  },
};
