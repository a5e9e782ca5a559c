// Words of what something was before.
export default {
  versions: {
    title: "History", lede: "What it was before it was changed. What one person saves within ten minutes is one change.",
    list: "Versions", version: "Version {number}", there_now: "What is there now", you: "You", somebody: "Somebody", older: "Older ones are not shown.",
    differences: "What differs", shown: "Version {number} is shown.", since: "came since", gone: "went since", then: "Then", now: "Now",
    same: "It says the same as what is there now.", unseen: "It differs in what nobody reads, such as ids.",
    restore: "Restore", restore_what: "It becomes again what it was then. What is there now is kept as a version too.",
    restored: "Version {number} is back.",
    none_title: "Nothing was changed yet", none: "Once it is changed, what it was before stands here.", yes: "yes", no: "no",
    field_name: "Name", field_summary: "Summary", field_objectives: "Objectives", field_duration_minutes: "Minutes", field_language: "Language",
    field_content: "Text", field_activities_content: "Content", field_instructions: "Instructions", field_max_score: "Points", field_max_attempts: "Attempts", field_rubric: "Rubric",
    field_late_policy: "Coming late", field_ai_evaluator: "AI as grader", field_human_review: "Who decides", field_release: "Release of grades", field_feedback: "Feedback",
    member_options: "Choices", member_blanks: "Blanks", member_pairs: "Pairs", member_items: "Entries", member_turns: "Turns", member_audio: "Recording",
    member_criteria: "Criteria", member_description: "Description", member_max_points: "Most points", member_weight: "Weight", member_levels: "Levels", member_name: "Name",
    member_tone: "Tone", member_verbosity: "Length", member_enabled: "On", member_model: "Model",
    member_percent_per_day: "Per cent off for each day", member_floor_percent: "Not below per cent", member_grace_minutes: "Minutes of grace",
  },
};
