// Words of the ways between what is reviewed and pages of its assignment.
export default {
  ways: {
    title: "Pages of this assignment",
    to_desk: "Back to the desk",
    to_list: "Back to the submissions",
    waiting: "(waiting: {count})",
    alike: "One of {count} alike answers",
    chosen: "Only those that you selected: {count}",
    chosen_hint: "In the list of submissions. Of these, addresses, and what waits for a blind grade, are left out.",
    one_assignment: "What you selected is of {count} assignments. Answers are graded again one assignment at a time: choose one above the list, and select there.",
    answers: "Handed in: {count}",
  },
};
