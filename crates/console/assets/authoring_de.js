// Words of what changes courses and their outlines, and of nothing else.
export default {
  authoring: {
    new_course: "Neuer Kurs", create: "Anlegen", name_missing: "Es braucht einen Namen.", none: "Ein Name genügt. Plan, Lektionen und Aufgaben kommen danach, von Ihnen oder von KI entworfen.",
    none_in_state: "Keiner in diesem Stand", none_in_state_what: "Wählen Sie oben einen anderen Stand, um Ihre übrigen Kurse zu sehen.",
    language: "Sprache der Inhalte", language_hint: "Ein Kürzel wie en, de oder pt-BR.", description: "Worum es geht", description_hint: "Lernende lesen es. KI entwirft danach.", hours: "Geplante Stunden",
    settings: "Kurseinstellungen", clone: "Kopie anlegen", clone_title: "Diesen Kurs kopieren", clone_hint: "Einheiten, Lektionen, Aktivitäten und Aufgaben werden kopiert. Gruppen, Lernende und Fristen nicht.", copy_of: "{name} (Kopie)",
    archive: "Archivieren", archived: "„{name}“ ist archiviert.", to_trash: "Was gelöscht wurde",
    delete: "Löschen", delete_course: "Kurs löschen", delete_course_title: "Diesen Kurs löschen?", delete_goes: "Mit ihm gehen:", delete_empty: "Es ist nichts darin.",
    delete_back: "Er kommt in den Papierkorb und lässt sich von dort vollständig zurückholen, bis zu dem Tag, der dort steht.", delete_again: "Noch einmal drücken, um ihn trotzdem zu löschen.",
    used: "Lernende haben damit gearbeitet: {uses}.", used_title: "Löschen, womit gelernt wurde?", used_hint: "Was sie getan haben, geht mit in den Papierkorb und kommt mit zurück.", delete_all_the_same: "Trotzdem löschen",
    undo: "Rückgängig", undone: "Zurückgenommen: {what}", not_undone: "Nicht zurückgenommen, weil es seither geändert wurde: {what}", nothing_to_undo: "Es gibt nichts zurückzunehmen.",
    overtaken: "Jemand anders hat das inzwischen geändert. Von Ihnen wurde nichts gespeichert.", overtaken_by: "{name} hat das inzwischen geändert. Von Ihnen wurde nichts gespeichert.",
    empty: "Beginnen Sie mit einer Einheit und schreiben Sie ihre Lektionen hinein. Oder lassen Sie KI aus der Beschreibung einen Plan entwerfen.", nothing_yet: "Noch keine Einheiten",
    count_unit: "Einheiten: {count}", count_lesson: "Lektionen: {count}", count_activity: "Aktivitäten: {count}", count_assignment: "Aufgaben: {count}", count_cohort: "Gruppen: {count}",
    add_unit: "Einheit hinzufügen", add_lesson: "Lektion hinzufügen", add_activity: "Aktivität hinzufügen", new_unit: "Name der neuen Einheit", new_lesson: "Name der neuen Lektion", new_hint: "Enter fügt sie hinzu und geht zur nächsten, Esc beendet.",
    new_activity: "Neue Aktivität", kind: "Art", kind_hint: "Was darin gefragt oder gezeigt wird, schreiben Sie danach.", new_assignment: "Neue Aufgabe", no_assignments: "Keine, die zum Kurs als Ganzem gehört.",
    task: "Was zu tun ist", task_hint: "Lernende lesen es. Wonach bewertet wird, kommt danach.", max_score: "Höchste Punktzahl", due: "Fällig", due_hint: "In der Zeitzone {zone}. Darf leer bleiben.",
    created: "Hinzugefügt: {name}", edit: "Bearbeiten", edit_named: "{name} bearbeiten", rename: "Umbenennen", name_of: "Name von {name}", renamed: "„{from}“ heißt jetzt „{to}“.",
    more_for: "Mehr zu {name}", drag: "Zum Verschieben ziehen", move: "Verschieben", move_up: "Nach oben", move_down: "Nach unten", move_to: "Verschieben nach …", move_title: "Wohin?", move_one: "„{name}“ kommt ans Ende dessen, was Sie wählen.", move_many: "{count} kommen ans Ende dessen, was Sie wählen.",
    into_lesson: "Einheit", into_activity: "Lektion", into_hint: "In diesem Kurs.", moved: "„{name}“ steht an {at}. Stelle von {of} in „{into}“.", moved_many: "{count} nach „{into}“ verschoben.", is_first: "Es steht schon an erster Stelle.", is_last: "Es steht schon an letzter Stelle.",
    select: "{name} auswählen", select_one: "Auswählen", unselect: "Nicht mehr auswählen", selected: "{count} ausgewählt", select_none: "Nichts auswählen",
    deleted: "{what} „{name}“ liegt im Papierkorb.", deleted_many: "Im Papierkorb: {counts}",
  },
  thing: {
    course: "Kurs", unit: "Einheit", lesson: "Lektion", activity: "Aktivität", assignment: "Aufgabe", cohort: "Gruppe", submission: "Abgabe", enrollment: "Platz in einer Gruppe", user: "Mitglied", scorm_package: "Paket",
    media_file: "Mediendatei",
  },
};
