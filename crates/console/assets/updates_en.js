// Words of the page that updates a cohort.
export default {
  updates: {
    title: "Update the cohort",
    lede: "Learners of this cohort: {learners}. They see what stands below as it was. Once the cohort is updated they see it as it is now.",
    sees: "As it sees it",
    now: "As it is now",
    until: "It sees this as it was until {moment}.",
    update: "Update ({count})",
    ask_title: "Update the cohort?",
    ask: "Things that change: {count}, for learners: {learners}. It cannot be taken back.",
    ask_now: "Update",
    updated: "It is updated: it sees the course as it is.",
    changed_meanwhile: "Something else would change by now. Look at it first.",
    none_title: "It sees the course as it is",
    none_manual: "What is changed of the course while the cohort runs stands here until the cohort is updated.",
    none_automatic: "What is changed of the course reaches this cohort at once.",
  },
};
