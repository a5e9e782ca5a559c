// Words of the audit trail.
export default {
  audit: {
    lede: "Every change of a grade, a key, a membership or a setting, and every deletion: written with it, and nobody can change or remove it.", when: "When", by: "By", action: "What", thing: "Of", change: "From → to", any: "Any", from: "From", to: "Until",
    save: "Save as a table (CSV)", saved: "Saved: {count} entries.", saved_newest: "Saved: the newest {count} entries. Narrow the time for older ones.", none_title: "Nothing of this kind", none: "No entry fits what you chose.",
    id: "Its id", people: "People who work here", programs: "Programs", learners: "Learners", keys: "Your keys", only: "Only this: {name}", receipt: "Receipt",
  },
  audit_actor: { user: "A person", service: "A program", visitor: "Somebody with a one-time token", system: "The service itself" },
  audit_thing: {
    unit: "Unit", lesson: "Lesson", activity: "Activity", enrollment: "Place in a cohort", scorm_package: "Package", media_file: "Media file", batch: "Grading again", passkey: "Passkey",
    submission: "Submission", assignment: "Assignment", course: "Course", cohort: "Cohort", user: "Member", sso_connection: "Single sign-on", api_key: "API key", webhook_endpoint: "Webhook", workspace: "Workspace",
  },
};
