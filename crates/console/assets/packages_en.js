// Words of the page of packages alone.
export default {
  packages: {
    learners: "Learners", learners_of: "Learners of the package",
    learners_lede: "Who came with it, and what their learning management system said of them and of itself: nothing of that is checked.", nobody_title: "Nobody has come yet",
    nobody: "Learners are listed here from their first launch on.", lms_id: "Id there", lms: "System", seen: "Last seen", trust: "Identity", any: "Any identity",
    lede: "A package is a cohort's course as it stands when you ask, for any learning management system.", none_title: "No package yet",
    none: "Choose a cohort; the package is ready in seconds, and you can play it here before you upload it.", new: "New package", make: "Make it",
    cohort: "Cohort", course: "Course", version: "Edition", version_hint: "2004 knows more; old systems take 1.2 only.",
    connected: "Connected to this service",
    connected_hint: "Learners can then hand in work and ask the tutor. Without it the package makes no request at all.", size: "Size", preview: "Preview",
    download: "Download", revoke: "Revoke", revoke_title: "Revoke the package?",
    revoke_what: "It lets no learner in any more, wherever it was uploaded. That cannot be undone.", revoked: "Revoked.",
    asked: "The package is being made.", ready: "The package is ready.", failed: "The package could not be made.",
  },
  package: {
    ready: "Ready", pending: "Being made", error: "Failed", revoked: "Revoked",
  },
  scorm_trust: {
    first_use: "First under this id", proven: "Proven", unverified: "Not proven",
  },
};
