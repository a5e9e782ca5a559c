// Words of what waits to go live.
export default {
  waiting: {
    title: "What waits", lede: "Learners see nothing of this yet. Once it is published all of it is there at once; cohorts that are updated by choice see it once they are updated. Adding, moving and deleting do not wait: they are seen at once.",
    note: "Changes of this course wait until they are published. What you accept of AI does not wait.", look: "See what waits", not_seen_yet: "Learners do not see it like this yet.", tag: "waits",
    switch: "Changes wait until they are published", on: "From now on changes made here wait.", off: "From now on changes made here are seen at once. What waits goes on waiting.",
    count: "Waiting: {count}", none_now: "Nothing waits", at_once: "Learners see at once what is changed here.", at_once_by_choice: "Learners see at once what is changed here, except in cohorts that are updated by choice.",
    none_title: "Nothing waits", none: "What is changed of the course while changes wait stands here until it is published.",
    notices: "What learners will notice", nobody: "Nobody has learned with any of this yet.",
    notice_cohorts_under_way: "Cohorts under way that get it at once: {count}, with learners: {learners}.",
    notice_cohorts_by_choice: "Cohorts under way that are updated by choice: {count}, with learners: {learners}. Until they are updated they see units, lessons, activities and assignments as they are.", choosers: "Cohorts that are updated by choice",
    notice_completed_lessons: "Lessons that change and learners are done with: {count} (learners: {learners}). They stay done.",
    notice_tried_activities: "Activities that change and learners have tried: {count} (learners: {learners}). Their scores stay.", notice_ungraded_work: "Work handed in to assignments that change, not graded yet: {count} (learners: {learners}).",
    notice_graded_work: "Graded work of assignments that change: {count} (learners: {learners}). Grades stay.",
    changes: "Changes", comes: "will come", goes: "will go", edit: "Edit", base_changed: "changed meanwhile", base_changed_what: "Somebody has meanwhile changed the same at once. Published, this goes over it.",
    publish: "Publish all ({count})", publish_title: "Publish what waits?", publish_what: "Things that change: {count}. All of it is published at once.", publish_over: "Meanwhile somebody has changed the same at once: {names}. What waits goes over it.",
    publish_now: "Publish", published: "It is published: learners see it now.", published_by_choice: "It is published. Cohorts that are updated by choice see it once they are updated.", changed_meanwhile: "Something else waits by now. Look at it first.",
    discard: "Throw all away", discard_one: "Throw away", discard_named: "Throw away what waits for {name}", discard_title: "Throw away what waits?", discard_few: "What learners see stays as it is. It can be taken back for as long as this page is open.",
    discard_for_good: "What learners see stays as it is. So much at once cannot be taken back.", discarded: "What waited is thrown away.", discarded_one: "What waited for “{name}” is thrown away.",
    field_description: "Description", field_hours: "Planned hours", field_ai: "How AI works in it", field_tutor: "The tutor", field_completion: "When it is done", field_metadata: "Metadata", field_due_at: "Due",
  },
};
