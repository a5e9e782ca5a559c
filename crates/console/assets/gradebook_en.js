// Words of the book of grades alone.
export default {
  gradebook: {
    title: "Grades", grid: "Grades of {name}", total: "Total", total_of: "Total of {name}", no_total: "no total yet", of_points: "of {points}", due: "due {date}", file: "grades",
    csv: "Save as CSV", xlsx: "Save as XLSX", weighing: "How it is weighed", unweighed: "Nobody said how tasks weigh: all of them are together, points over best possible points.",
    counts_as_zero: "What is missing counts as zero.", none: "Assignments and scored quizzes of the course stand here once there are some.", none_title: "Nothing to grade yet",
    nobody: "Enrol people in the cohort: everybody has a line here.", absent: "not handed in", waits: "waits", zero: "missing: zero", dropped: "dropped", late: "late", newer: "newer waits",
    group: "Group", weight: "Weighs", points: "Points", percent: "Per cent", dropped_tasks: "Dropped", nothing_counts: "nothing counts yet", weighs_nothing: "weighs nothing",
    no_group: "In no group", all_tasks: "All tasks", task: "Task", tasks: "Which task is in which group", group_of: "Group of {name}", unnamed: "Without a name",
    scheme_hint: "Within a group points are added up; the total is the mean of the groups by their weights. It holds for all cohorts of the course.",
    weight_in_percent: "Weight in per cent", drop_lowest: "Tasks dropped", attempt: "Attempt that counts", attempt_best: "The best", attempt_latest: "The latest", attempt_first: "The first",
    remove: "Remove", add_group: "Add a group", sum: "Together: {sum}.", rest: "What is in no group weighs the other {rest}.", too_much: "That is more than 100%.",
    missing: "Work that was due and is missing", missing_ignored: "Counts as if it were not due yet", missing_zero: "Counts as zero", missing_hint: "What is not due yet counts nothing either way.",
    save: "Save", saved: "It is weighed so from now on.", overtaken: "Somebody else has changed the course meanwhile. Close this and open it again to see how it stands.",
  },
};
