// Where the views are, on a platform that was filled by the story.
export function viewsOf(ids) {
  return {
    overview: "#/",
    review: "#/review",
    ungraded: "#/review?queue=ungraded",
    submissions: "#/submissions",
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
    "course-draft": `#/courses/${ids.course}/draft`,
    lesson: `#/courses/${ids.course}/${ids.lesson}`,
    cohorts: "#/cohorts",
    cohort: `#/cohorts/${ids.cohort}`,
    gradebook: `#/cohorts/${ids.cohort}/gradebook`,
    packages: "#/packages",
    package: `#/packages/${ids.package}`,
    webhooks: "#/webhooks",
    webhook: `#/webhooks/${ids.endpoint}`,
    keys: "#/keys",
    members: "#/members",
    audit: "#/audit",
    usage: "#/usage",
  };
}

// Where else one works; what of it needs more than the story is made first.
export async function moreViewsOf(ids, api) {
  const { id: thrown } = await api("POST", "/v1/courses", { name: "Answering the phone", language: "en" });
  await api("DELETE", `/v1/courses/${thrown}`);
  const { id: erased } = await api("POST", "/v1/users", { email: "forgotten@school.example", name: "Forgotten", role: "teacher" });
  await api("POST", `/v1/users/${erased}/erase`, { confirm: erased });
  const { user } = await api("GET", "/v1/me");
  return {
    "course-settings": `#/courses/${ids.course}/settings`,
    trash: "#/trash",
    editor: `#/courses/${ids.course}/${ids.lesson}/edit`,
    activity: `#/courses/${ids.course}/${ids.lesson}/activities/${ids.quiz}`,
    history: `#/history/lessons/${ids.lesson}`,
    generation: `#/generations/${ids.generation}`,
    assignment: `#/assignments/${ids.stew}/edit`,
    statistics: `#/assignments/${ids.stew}/statistics`,
    "statistics-cohort": `#/assignments/${ids.stew}/statistics?cohort=${ids.cohort}`,
    "statistics-quiz": `#/activities/${ids.quiz}/statistics`,
    standing: `#/cohorts/${ids.cohort}/standing`,
    "cohort-update": `#/cohorts/${ids.cohort}/update`,
    work: "#/work",
    sso: "#/sso",
    account: "#/account",
    "member-keys": `#/members/${user.id}/keys`,
    erasure: `#/members/${erased}/erasure`,
  };
}
