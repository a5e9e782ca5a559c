// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "Was gelöscht wurde", lede: "Alles hier lässt sich bis zu seinem Tag zurückholen, wie es war, mit allem, was daran hing.", none_title: "Nichts wurde gelöscht", none: "Was jemand löscht, lässt sich von hier eine Weile zurückholen.",
    along: "Was mitging", count: "{kind}: {count}", deleted: "Gelöscht", until: "Bis", restore: "Zurückholen", restored: "„{name}“ ist wieder da.", open: "Dorthin",
    kind: "Art", every_kind: "Alle Arten", deleted_by: "Gelöscht von", by_anybody: "Von allen", me: "{name} (Sie)", destroy: "Vernichten", destroy_title: "{thing} „{name}“ endgültig vernichten?", destroy_what: "Danach kann es niemand mehr zurückholen.", destroy_with: "Danach kann es niemand mehr zurückholen, auch nicht, was mitging: {parts}.", destroyed: "„{name}“ ist endgültig weg.",
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
