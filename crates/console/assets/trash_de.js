// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "Was gelöscht wurde", lede: "Alles hier lässt sich bis zu seinem Tag zurückholen, wie es war, mit allem, was daran hing.", none_title: "Nichts wurde gelöscht", none: "Was jemand löscht, lässt sich von hier eine Weile zurückholen.",
    along: "Was mitging", count: "{kind}: {count}", deleted: "Gelöscht", until: "Bis", restore: "Zurückholen", restored: "„{name}“ ist wieder da.", open: "Dorthin",
  },
  thing: {
    course: "Kurs", unit: "Einheit", lesson: "Lektion", activity: "Aktivität", assignment: "Aufgabe", cohort: "Gruppe", submission: "Abgabe", enrollment: "Platz in einer Gruppe", user: "Mitglied", scorm_package: "Paket",
    media_file: "Mediendatei",
  },
  kind: {
    courses: "Kurse", units: "Einheiten", lessons: "Lektionen", activities: "Aktivitäten", assignments: "Aufgaben", cohorts: "Gruppen", enrollments: "Plätze in Gruppen", submissions: "Abgaben", grades: "Noten", attempts: "Versuche",
    lesson_completions: "Erledigte Lektionen", tutor_turns: "Gespräche mit dem Tutor", scorm_packages: "Pakete", users: "Mitglieder", media_files: "Mediendateien",
  },
};
