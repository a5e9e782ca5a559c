// Words of looking through lists, and of their order.
export default {
  find: {
    courses: "Find a course", cohorts: "Find a cohort", people: "Find by name or address", students: "Find a student", deleted: "Find by name", learners: "Find a learner", sort: "Order",
    newest: "Newest first", oldest: "Oldest first", changed: "Last changed first", name: "By name", count: "Found: {count}", nothing_title: "Nothing found",
    nothing: "Nothing here has “{q}” in it.", nothing_chosen: "Nothing here is as you chose.", clear: "Show all", key: "Find",
  },
};
