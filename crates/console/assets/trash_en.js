// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "What was deleted", lede: "Everything here can be brought back as it was, with all that hung on it, until its date.", none_title: "Nothing was deleted", none: "What somebody deletes can be brought back from here for a while.",
    along: "What went along", count: "{kind}: {count}", deleted: "Deleted", until: "Until", restore: "Bring back", restored: "“{name}” is back.", open: "Go there",
    kind: "Kind", every_kind: "Every kind", deleted_by: "Deleted by", by_anybody: "By anybody", me: "{name} (you)", destroy: "Destroy", destroy_title: "{thing}: destroy “{name}” for good?", destroy_what: "After that nobody can bring it back.", destroy_with: "After that nobody can bring it back, nor what went along: {parts}.", destroyed: "“{name}” is gone for good.",
  },
  thing: {
    course: "Course", unit: "Unit", lesson: "Lesson", activity: "Activity", assignment: "Assignment", cohort: "Cohort", submission: "Submission", enrollment: "Place in a cohort", user: "Member", scorm_package: "Package",
    media_file: "Media file",
  },
  kind: {
    courses: "Courses", units: "Units", lessons: "Lessons", activities: "Activities", assignments: "Assignments", cohorts: "Cohorts", enrollments: "Places in cohorts", submissions: "Submissions", grades: "Grades", attempts: "Attempts",
    lesson_completions: "Lessons done", tutor_turns: "Talk with the tutor", scorm_packages: "Packages", users: "Members", media_files: "Media files",
  },
};
