// Words of the page of packages alone.
export default {
  packages: {
    lede: "A package is a cohort's course as it stands when you ask, for any learning management system.", none_title: "No package yet",
    none: "Choose a cohort; the package is ready in seconds, and you can play it here before you upload it.", new: "New package", make: "Make it",
    cohort: "Cohort", course: "Course", version: "Edition", version_hint: "2004 knows more; old systems take 1.2 only.",
    connected: "Connected to this service",
    connected_hint: "Learners can then hand in work and ask the tutor. Without it the package makes no request at all.", size: "Size", preview: "Preview",
    download: "Download", revoke: "Revoke", revoke_title: "Revoke the package?",
    revoke_what: "It lets no learner in any more, wherever it was uploaded. That cannot be undone.", revoked: "Revoked.",
    asked: "The package is being made.", ready: "The package is ready.", failed: "The package could not be made.",
    no_cohort: "Make a cohort first: a package is of a cohort's course.",
  },
  package: {
    ready: "Ready", pending: "Being made", error: "Failed", revoked: "Revoked",
  },
};
