// Words of the ways between what is reviewed and pages of its assignment.
export default {
  ways: {
    title: "Seiten dieser Aufgabe",
    to_desk: "Zurück zum Tisch",
    to_list: "Zurück zu den Abgaben",
    waiting: "(wartend: {count})",
    alike: "Eine von {count} ähnlichen Antworten",
    chosen: "Nur die ausgewählten: {count}",
    chosen_hint: "In der Liste der Abgaben. Adressen und was auf eine blinde Note wartet, bleiben außen vor.",
    one_assignment: "Ausgewählt ist etwas aus {count} Aufgaben. Neu bewertet wird eine Aufgabe nach der anderen: Wählen Sie über der Liste eine und darin die Antworten aus.",
    answers: "Abgegeben: {count}",
  },
};
