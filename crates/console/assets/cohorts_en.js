// Words of the pages of cohorts alone.
export default {
  cohorts: {
    none_title: "No cohort yet", none: "A cohort is one run of a course. Make one with POST /v1/cohorts, enrol students, start it.",
  },
  cohort: {
    course: "Course", active: "Running", draft: "Not started", completed: "Ended", archived: "Archived", students: "Students", starts: "Starts",
    runs: "Runs", zone: "Time zone", of_capacity: "{count} of {capacity} places", progress: "Progress", score: "Score", last: "Last active", never: "never",
    open: "open", done: "done", no_score: "no score", heat: "How far everybody is, lesson by lesson", which: "Which number is which lesson",
    summary: "{mean} on average. Finished: {finished} of {all}; not begun: {idle}.", first_only: "The first {count} students are shown.", since: "Since",
    empty_title: "Nobody enrolled yet", empty: "Enrol people by their address: POST /v1/cohorts/{id}/students.",
  },
  enrollment: {
    active: "Active", completed: "Completed", withdrawn: "Withdrawn",
  },
};
