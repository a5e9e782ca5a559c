// Wörter für das, was auf die Veröffentlichung wartet.
export default {
  waiting: {
    title: "Was wartet", lede: "Lernende sehen davon noch nichts. Mit der Veröffentlichung ist alles auf einmal da; Gruppen, die Sie selbst aktualisieren, sehen es mit ihrer Aktualisierung. Hinzufügen, Verschieben und Löschen warten nicht: Sie sind sofort zu sehen.",
    note: "Änderungen an diesem Kurs warten, bis sie veröffentlicht sind. Was Sie von der KI annehmen, wartet nicht.", look: "Ansehen, was wartet", not_seen_yet: "So sehen Lernende es noch nicht.", tag: "wartet",
    switch: "Änderungen warten, bis sie veröffentlicht werden", on: "Von jetzt an warten Änderungen, die hier gemacht werden.", off: "Von jetzt an sind Änderungen, die hier gemacht werden, sofort zu sehen. Was wartet, wartet weiter.",
    count: "Es wartet: {count}", none_now: "Es wartet nichts", at_once: "Lernende sehen sofort, was hier geändert wird.", at_once_by_choice: "Lernende sehen sofort, was hier geändert wird, außer in Gruppen, die Sie selbst aktualisieren.",
    none_title: "Es wartet nichts", none: "Was am Kurs geändert wird, solange Änderungen warten, steht hier, bis es veröffentlicht ist.",
    notices: "Was Lernende bemerken werden", nobody: "Damit hat noch niemand gelernt.",
    notice_cohorts_under_way: "Laufende Gruppen, die es sofort bekommen: {count}, mit Lernenden: {learners}.",
    notice_cohorts_by_choice: "Laufende Gruppen, die Sie selbst aktualisieren: {count}, mit Lernenden: {learners}. Bis sie aktualisiert werden, sehen sie Einheiten, Lektionen, Aktivitäten und Aufgaben, wie sie sind.", choosers: "Gruppen, die Sie selbst aktualisieren",
    notice_completed_lessons: "Lektionen, die sich ändern und mit denen Lernende fertig sind: {count} (Lernende: {learners}). Sie bleiben erledigt.",
    notice_tried_activities: "Aktivitäten, die sich ändern und die Lernende versucht haben: {count} (Lernende: {learners}). Ihre Ergebnisse bleiben.", notice_ungraded_work: "Abgaben zu Aufgaben, die sich ändern, noch nicht bewertet: {count} (Lernende: {learners}).",
    notice_graded_work: "Bewertete Abgaben zu Aufgaben, die sich ändern: {count} (Lernende: {learners}). Bewertungen bleiben.",
    changes: "Änderungen", comes: "kommt", goes: "fällt weg", edit: "Bearbeiten", base_changed: "inzwischen geändert", base_changed_what: "Inzwischen hat jemand dasselbe sofort geändert. Veröffentlicht geht dies darüber.",
    publish: "Alles veröffentlichen ({count})", publish_title: "Veröffentlichen, was wartet?", publish_what: "Es ändert sich: {count}. Alles wird auf einmal veröffentlicht.", publish_over: "Inzwischen hat jemand dasselbe sofort geändert: {names}. Was wartet, geht darüber.",
    publish_now: "Veröffentlichen", published: "Es ist veröffentlicht: Lernende sehen es jetzt.", published_by_choice: "Es ist veröffentlicht. Gruppen, die Sie selbst aktualisieren, sehen es mit ihrer Aktualisierung.", changed_meanwhile: "Inzwischen wartet etwas anderes. Sieh es dir erst an.",
    discard: "Alles verwerfen", discard_one: "Verwerfen", discard_named: "Verwerfen, was für {name} wartet", discard_title: "Verwerfen, was wartet?", discard_few: "Was Lernende sehen, bleibt, wie es ist. Es lässt sich zurücknehmen, solange diese Seite offen ist.",
    discard_for_good: "Was Lernende sehen, bleibt, wie es ist. So viel auf einmal lässt sich nicht zurücknehmen.", discarded: "Was wartete, ist verworfen.", discarded_one: "Was für „{name}“ wartete, ist verworfen.",
    field_description: "Beschreibung", field_hours: "Geplante Stunden", field_ai: "Wie KI darin arbeitet", field_tutor: "Der Tutor", field_completion: "Wann er geschafft ist", field_metadata: "Metadaten", field_due_at: "Fällig",
  },
};
