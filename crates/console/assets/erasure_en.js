// Words of what is kept of a person, and of erasing it.
export default {
  erasure: {
    export_title: "Everything that is kept of {name}", export_what: "One file (JSON) with every record of this workspace that is about them, and no secrets. The audit trail keeps that it was handed out.", export_save: "Save the file", exported: "Saved. Records in the file: {count}.",
    title: "Erase {name}?", for_good: "This cannot be undone by anybody. It holds for this workspace, and at once.",
    goes: "What goes", goes_who: "Name, address and whatever else says who it is. A pseudonym takes its place.", goes_work: "What they handed in, answered and asked the tutor, and the feedback and reasons of their grades.", goes_ways: "Sessions, keys made for them here, their role, and their places in cohorts.", goes_trash: "What is theirs in the trash.",
    stays: "What stays", stays_points: "Points, moments and ids under the pseudonym, so that figures and histories still hold.", stays_audit: "The audit trail: it has ids and no texts.", stays_elsewhere: "What other workspaces keep of them.", stays_copies: "Backups made before, and what webhooks and AI providers were sent: whoever runs the service sees to those.",
    export_first: "If they want a copy, save it first.", type: "Type who is to be erased", type_either: "{name}, or {email}", mismatch: "That is neither the name nor the address.", erase: "Erase for good",
    receipt: "Receipt of an erasure", done: "Everything that said who this was is erased. It cannot come back.", now: "Called now", at: "Erased", id: "Receipt", person: "Person",
    what: "Records", gone: "Erased", kept: "Kept", why: "What was done, and why the rest may stay", save: "Save as JSON", print: "Print",
    not_title: "Nobody was erased here", not: "This person is still here, so there is no receipt.",
  },
  erased_table: {
    ai_calls: "Calls of AI", api_keys: "Sessions and keys", attempts: "Attempts at quizzes", audit_entries: "Audit trail", batch_items: "Grading again", bulk_writes: "Many writes at once", digests: "Digests by mail", due_overrides: "Other due dates", enrollments: "Places in cohorts", events: "Events", grades: "Grades",
    idempotency_replies: "Remembered answers", jobs: "Work under way", lesson_completions: "Lessons done", login_tokens: "Links and tokens", mails: "Mails", people: "The person", scorm_learners: "Links from learning platforms", submissions: "Submissions", trash_rows: "In the trash", tutor_turns: "Talk with the tutor", users: "The member", webhook_deliveries: "Messages of webhooks",
  },
};
