// Words of the settings of a course alone.
export default {
  setting: {
    title: "Kurseinstellungen", about: "Der Kurs", save: "Speichern", saved: "Die Kurseinstellungen sind gespeichert.", yes: "ja", no: "nein",
    theirs: "So steht es jetzt dort, wo es anders ist als hier:", theirs_same: "Was jetzt dort steht, ist dasselbe wie hier.", take_theirs: "Das nehmen und meines verwerfen", keep_mine: "Meines darüber speichern",
    completion: "Wann er abgeschlossen ist", completion_rule: "Lernende sind damit fertig, wenn", rule_everything: "jeder Schritt getan ist", rule_share: "ein Anteil der Schritte getan ist", rule_quizzes: "jedes Quiz bestanden ist", rule_assignments: "jede Aufgabe abgegeben ist",
    completion_percent: "Anteil in Prozent", completion_passing_percent: "Bestanden ab, in Prozent", passing_hint: "Bleibt es leer, gilt der Durchschnitt dessen, was die Quiz verlangen.",
    ai: "Wie KI darin arbeitet", ai_instructions: "Hinweise für KI", ai_instructions_hint: "Gelesen bei jedem Entwurf, jeder Bewertung und jeder Antwort des Tutors: Ton, Niveau, Begriffe.",
    ai_evaluator: "Modell, das bewertet", model_hint: "Bleibt es leer, gilt das des Dienstes.",
    tutor: "Der Tutor", tutor_enabled: "Lernende dürfen den Tutor fragen", tutor_guard_tasks: "Antworten offener Aufgaben behält er für sich", tutor_scope: "Worin er liest", scope_course: "Im ganzen Kurs", scope_lesson: "Nur in der Lektion, um die es geht",
    tutor_max_hint_level: "Wie weit er hilft", hint_1: "Eine Gegenfrage und die Stelle zum Lesen", hint_2: "Dazu ein Hinweis", hint_3: "Bis zum ganzen Weg, Schritt für Schritt",
    tutor_instructions: "Hinweise für den Tutor", tutor_instructions_hint: "Ein Modell liest sie; schreiben Sie keine Lösungen hinein.", tutor_model: "Modell des Tutors", tutor_model_hint: "Bleibt es leer, gilt das, das bewertet.",
  },
};
