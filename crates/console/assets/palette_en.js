// Words of the palette alone.
export default {
  palette: {
    title: "Go to, or do", input: "A page, a course, a lesson, a cohort, a person, or something to do", hint: "↑ ↓ choose, Enter goes there, Esc closes", results: "What was found",
    recent: "Lately", actions: "On this page", pages: "Pages", courses: "Courses", lessons: "Lessons", cohorts: "Cohorts", people: "People", account: "Your account",
    trash: "What was deleted", count: "Found: {count}", looking: "Looking …", nothing: "Nothing found for “{q}”.",
  },
};
