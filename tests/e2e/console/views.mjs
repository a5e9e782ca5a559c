// Where the views are, on a platform that was filled by the story.
export function viewsOf(ids) {
  return {
    overview: "#/",
    review: "#/review",
    ungraded: "#/review?queue=ungraded",
    "review-blind": `#/review/${ids.waiting}?queue=blind&assignment=${ids.hands}`,
    calibration: `#/assignments/${ids.hands}/calibration`,
    certificate: `#/assignments/${ids.fridge}/certificate`,
    groups: `#/assignments/${ids.oil}/groups`,
    group: `#/assignments/${ids.oil}/groups/${ids.alike[0]}`,
    "grade-all": `#/assignments/${ids.knife}/ai`,
    "red-team": `#/assignments/${ids.fridge}/redteam`,
    regrades: `#/assignments/${ids.knife}/regrades`,
    regrade: `#/assignments/${ids.knife}/regrades/${ids.regrade}`,
    courses: "#/courses",
    course: `#/courses/${ids.course}`,
    lesson: `#/courses/${ids.course}/${ids.lesson}`,
    cohorts: "#/cohorts",
    cohort: `#/cohorts/${ids.cohort}`,
    packages: "#/packages",
    webhooks: "#/webhooks",
    webhook: `#/webhooks/${ids.endpoint}`,
    keys: "#/keys",
    members: "#/members",
    audit: "#/audit",
    usage: "#/usage",
  };
}
