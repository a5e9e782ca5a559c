// Words of what changes courses and their outlines, and of nothing else.
export default {
  authoring: {
    new_course: "New course", create: "Create", name_missing: "It needs a name.", none: "Make one by its name. Its plan, its lessons and its tasks come after that, by you or drafted by AI.",
    none_in_state: "None in this state", none_in_state_what: "Choose another state above to see your other courses.",
    language: "Language of the content", language_hint: "A tag such as en, de or pt-BR.", description: "What it is about", description_hint: "Learners read it. AI drafts from it.", hours: "Planned hours",
    settings: "Course settings", clone: "Make a copy", clone_title: "Copy this course", clone_hint: "Units, lessons, activities and assignments are copied. Cohorts, learners and due dates are not.", copy_of: "{name} (copy)",
    archive: "Archive", archived: "“{name}” is archived.", to_trash: "What was deleted",
    delete: "Delete", delete_course: "Delete the course", delete_course_title: "Delete this course?", delete_goes: "With it goes:", delete_empty: "There is nothing in it.",
    delete_back: "It goes to the trash and can be brought back from there, whole, until the date that stands there.", delete_again: "Press again to delete it all the same.",
    used: "Learners have used it: {uses}.", used_title: "Delete what learners have used?", used_hint: "Their work goes along to the trash and comes back with it.", delete_all_the_same: "Delete all the same",
    undo: "Undo", undone: "Taken back: {what}", not_undone: "Not taken back, because it was changed since: {what}", nothing_to_undo: "There is nothing to take back.",
    overtaken: "Somebody else changed this meanwhile. Nothing of yours was saved.", overtaken_by: "{name} changed this meanwhile. Nothing of yours was saved.",
    empty: "Begin with a unit, and write its lessons into it. Or have AI draft a plan from what the course is about.", nothing_yet: "No units yet",
    count_unit: "Units: {count}", count_lesson: "Lessons: {count}", count_activity: "Activities: {count}", count_assignment: "Assignments: {count}", count_cohort: "Cohorts: {count}",
    add_unit: "Add a unit", add_lesson: "Add a lesson", add_activity: "Add an activity", new_unit: "Name of the new unit", new_lesson: "Name of the new lesson", new_hint: "Enter adds it and goes on to the next, Esc ends.",
    new_activity: "New activity", kind: "Kind", kind_hint: "What is asked or shown in it is written afterwards.", new_assignment: "New assignment", no_assignments: "None that belongs to the course as a whole.",
    task: "What is to be done", task_hint: "Learners read it. What it is graded by comes afterwards.", max_score: "Most points", due: "Due", due_hint: "In the time zone {zone}. May be left empty.",
    created: "Added: {name}", edit: "Edit", edit_named: "Edit {name}", rename: "Rename", name_of: "Name of {name}", renamed: "“{from}” is called “{to}” now.",
    more_for: "More for {name}", drag: "Drag to move", move: "Move", move_up: "Move up", move_down: "Move down", move_to: "Move to …", move_title: "Where to?", move_one: "“{name}” goes to the end of what you choose.", move_many: "{count} go to the end of what you choose.",
    into_lesson: "Unit", into_activity: "Lesson", into_hint: "Within this course.", moved: "“{name}” is at {at} of {of} in “{into}”.", moved_many: "Moved {count} to “{into}”.", is_first: "It is the first already.", is_last: "It is the last already.",
    select: "Select {name}", select_one: "Select", unselect: "Unselect", selected: "{count} selected", select_none: "Select none",
    deleted: "{what} “{name}” is in the trash.", deleted_many: "In the trash: {counts}",
  },
  thing: {
    course: "Course", unit: "Unit", lesson: "Lesson", activity: "Activity", assignment: "Assignment", cohort: "Cohort", submission: "Submission", enrollment: "Place in a cohort", user: "Member", scorm_package: "Package",
    media_file: "Media file",
  },
};
