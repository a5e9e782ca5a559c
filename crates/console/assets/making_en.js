// Words of drafting with AI alone.
export default {
  making: {
    draft_lessons: "Draft lessons with AI", draft_text: "Draft the text with AI", draft_activities: "Draft activities with AI", draft_content: "Draft the content with AI", waiting: "Proposals of AI wait for you",
    open: "Draft with AI", title: "Draft a syllabus", brief: "What the course is to be",
    brief_hint: "For whom, what they shall be able to do, what must not be missing.", hours: "Hours", content: "How much", outline: "The plan",
    full: "The plan and every text", mode: "What is there already", append: "stays, the draft comes behind it", replace: "AI's own drafts are replaced",
    replace_hint: "What a person wrote or changed, and what learners have used, always stays. You are told what was kept.", start: "Start",
    running: "AI is drafting", progress: "Progress of the draft",
    steps: "{done} of {total} steps done. Nothing shows in the course until everything is there.", cancel: "Call it off",
    canceled: "Called off. Finished steps are kept for the next try.", ready: "The draft is there.", kept_title: "The draft is there, and this was kept",
    kept: "Pieces kept: {count}. Everything else that AI had drafted was replaced.", kept_more: "and {count} more",
  },
  piece: {
    unit: "Unit", lesson: "Lesson", activity: "Activity", assignment: "Assignment",
  },
  kept: {
    in_use: "learners have used it", edited: "a person made or changed it",
  },
  generation: {
    error: "The draft failed", canceled: "Called off",
  },
};
