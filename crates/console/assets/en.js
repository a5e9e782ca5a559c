export default {
  place_of: "{at} of {of}",
  choose_platform: "Which platform?",
  again: "Try again", cancel: "Cancel", close: "Close", copy: "Copy", copied: "Copied.",
  copy_failed: "Could not copy. Select the text and copy it yourself.", more: "Show more", more_loaded: "{count} more shown.", loading: "Loading",
  go_to: "Go to …", skip: "Skip to the content", menu: "Menu", nav_label: "Studio", language: "Language", theme_label: "Colours", handbook: "Handbook", sign_out: "Sign out", name: "Name",
  email: "Address", status: "State", made: "Made", actions: "Actions", student: "Student", just_now: "just now", no_score: "no score yet",
  no_price: "no price", points_of: "{score} of {max}", request_id: "Request", unknown_view: "There is no such page.", secret_kept: "I have kept it",
  theme: {
    auto: "As the system", light: "Light", dark: "Dark",
  },
  nav: {
    overview: "Overview", review: "Review desk", submissions: "Submissions", courses: "Courses", cohorts: "Cohorts", packages: "Packages", webhooks: "Webhooks", keys: "API keys",
    sso: "Single sign-on", usage: "AI usage", members: "Members", work: "Background work", audit: "Audit trail",
  },
  role: {
    owner: "Owner", admin: "Admin", teacher: "Teacher", student: "Student",
  },
  error: {
    title: "That did not work", own: "Studio made a mistake. Reload the page and try again.",
    unreachable: "The service cannot be reached. Is it running, and are you online?", offline: "You are offline: the network is gone. Try again when it is back.", scope: "Your key may not do this: it lacks {scope}.",
    role: "Your role here does not allow this.", missing: "It is not there, or no longer.", rate: "Too many requests just now. Wait a moment.",
    budget: "This month's AI budget is used up.", recent: "For this it has to be surely you. Sign out and in again.",
  },
  invitations: {
    title: "You are invited", what: "Your keys open a workspace once you accept. Anybody can give theirs any name: look at its code, its uuid and who invites you.",
    accept: "Accept", decline: "Decline", said_accept: "You belong to {name} now.", said_decline: "You do not belong to {name}.",
  },
  overview: {
    held: "Held back for you", ungraded: "{count} more not graded yet", published: "{count} published", active: "{count} active, students in them: {students}",
    spent: "AI this month", calls: "{count} calls", budget_left: "{left} left ({share})", no_budget: "no budget set", little_title: "Little to see with this key", little: "It opens the door and shows nothing of what is behind. Sign in with one that may read courses or submissions.", waiting: "Waiting for you",
    to_desk: "To the review desk", recent: "What happened",
    nothing_title: "Nothing waits for you",
    nothing: "When AI is unsure of a grade, or an assignment asks for a person, the work comes to this desk before the student sees a score.",
  },
  events: {
    none_title: "Nothing has happened yet", none: "Every change writes an event. Make a course or enrol somebody and it appears here.",
  },
  event: {
    by: "by {name}", steps: "in {count} steps", submission_graded: "AI graded", submission_created: "Begun:", submission_submitted: "Handed in:",
    submission_grading_failed: "AI could not grade", submission_reopened: "Taken back:", submission_reviewed: "A person graded", submission_updated: "More time for", submission_explained: "AI explained the grade of",
    submission_returned: "Given back:", submission_released: "Released by a certificate:", certificate_drawn: "Drawn to be graded blind:", certificate_issued: "Certificate issued:", certificate_refused: "No certificate earned:", certificate_paused: "Certificate paused:", certificate_revoked: "Certificate revoked:", certificate_ended: "Certificate ended:", submission_deleted: "Submission deleted:", course_created: "New course", course_updated: "Course changed:",
    course_published: "Published:", course_archived: "Archived:", course_deleted: "Course deleted:", cohort_created: "New cohort",
    cohort_updated: "Cohort changed:", cohort_content_updated: "Cohort updated to the course as it is:", cohort_started: "Cohort started:", cohort_completed: "Cohort ended:", cohort_archived: "Cohort archived:",
    cohort_deleted: "Cohort deleted:", unit_created: "New unit", unit_updated: "Unit changed:", unit_deleted: "Unit deleted:", lesson_created: "New lesson",
    lesson_updated: "Lesson changed:", lesson_deleted: "Lesson deleted:", lesson_completed: "Lesson done:", activity_created: "New activity",
    activity_updated: "Activity changed:", activity_deleted: "Activity deleted:", assignment_created: "New assignment",
    assignment_updated: "Assignment changed:", assignment_deleted: "Assignment deleted:", enrollment_created: "Enrolled:",
    enrollment_deleted: "Left the cohort:", generation_ready: "AI drafted", generation_failed: "AI could not draft",
    generation_canceled: "Draft called off:", scorm_ready: "Package ready:", scorm_failed: "Package failed:", scorm_revoked: "Package revoked:",
    media_file_ready: "Media file ready:", media_file_failed: "Media file not kept:", media_file_deleted: "Media file deleted:", media_file_restored: "Media file is back:",
    batch_progressed: "AI is at work on", batch_ready: "Previewed grading again:", batch_completed: "AI is done with", batch_committed: "New grades applied:",
    batch_undone: "New grades undone:", batch_stopped: "Stopped:", user_created: "New person:", user_updated: "Profile changed:", user_deleted: "Left the platform:", user_erased: "Erased:",
    api_key_created: "New API key", api_key_revoked: "API key revoked:", webhook_endpoint_disabled: "Webhook switched off:", ping: "Test sent",
    course_restored: "Course is back:", cohort_restored: "Cohort is back:", unit_restored: "Unit is back:", lesson_restored: "Lesson is back:", activity_restored: "Activity is back:",
    assignment_restored: "Assignment is back:", enrollment_restored: "Back in the cohort:", submission_restored: "Submission is back:", user_restored: "Back on the platform:",
  },
  courses: {
    none_title: "No course yet", none: "Whoever may write courses makes them here.",
  },
  course: {
    all: "All states", published: "Published", draft: "Draft", archived: "Archived", hours: "{hours} h", length: "Length",
    hours_made: "{hours} h planned, {made} h written", minutes: "{minutes} min", lessons: "Lessons: {count}", points: "{points} points", due: "due",
    publish: "Publish", unarchive: "Publish again", assignments: "Assignments of the course", empty_title: "Nothing in it yet",
    empty: "Have AI draft a syllabus from a brief. What it drafts waits here for you, marked as drafted by AI.",
    draft_with_ai: "Draft with AI",
  },
  human_review: {
    required: "A person decides every grade", optional: "Doubtful grades wait for a person", off: "AI grades are released, unless the text gives the grader orders",
  },
  origin: {
    human: "Written by a person", ai: "Drafted by AI", ai_edited: "AI, revised", import: "Imported",
  },
  activity: {
    quiz: "Quiz", flashcards: "Flashcards", explainer: "Explainer", podcast: "Podcast", video: "Video", reflection: "Reflection",
  },
  lesson: {
    objectives: "Objectives", activities: "Activities", empty_title: "No text yet", empty: "This lesson has a place in the plan and no words yet.",
    parts: "Parts: {count}", unwritten: "Not written yet", origin: "Origin", pager: "Lessons before and after",
  },
  prose: {
    picture: "{alt} (picture at {host})", picture_only: "Picture at {host}",
  },
  assignment: {
    edit: "Edit", statistics: "Statistics", pages: "Pages of the assignment", certificate: "Certificate", groups: "Alike answers", redteam: "Red team", ai: "Grade all", regrades: "Grade again",
    calibration: "Does AI grade as you do?",
  },
  submission: {
    draft: "Draft", submitted: "Not graded", in_review: "Held back", graded: "Graded", returned: "Given back",
  },
  keys: {
    next: "Next", previous: "Previous", criterion: "Mark the evidence of a criterion", escape: "Unmark", help: "Keyboard", title: "Keyboard shortcuts",
    about: "They work while you are not writing, and only if they are switched on above.", switch: "Shortcuts",
    lede: "Your own keys on every platform. Give each program one of its own, with no more than it needs.", none_title: "No keys",
    none: "Make one for each program that speaks to the API.", new: "New key", make: "Make the key", mine: "What your key may do", name_hint: "The program that will use it.",
    scopes: "Scopes", scopes_hint: "What it may do. A key cannot grant what yours does not hold.", expires: "Expires", never: "never", days7: "in 7 days",
    days30: "in 30 days", days365: "in a year", used: "Last used", live: "Valid", this: "In use here", revoked: "Revoked", expired: "Expired",
    revoke: "Revoke", revoke_title: "Revoke “{name}”?", revoke_what: "It fails with the very next request, and so do its sessions.",
    revoke_own: "This is the key that you are signed in with. You will be signed out.", revoked_now: "The key no longer opens anything.",
    secret: "Your new key", secret_what: "Copy it now. It is stored as a hash only, so nobody can show it again.",
    none_chosen: "Choose at least one scope.",
  },
  key: {
    session: "Session of a learner",
  },
};
