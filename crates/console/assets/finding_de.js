// Words of looking through lists, and of their order.
export default {
  find: {
    courses: "Kurs finden", cohorts: "Gruppe finden", people: "Nach Name oder Adresse finden", students: "Teilnehmer finden", deleted: "Nach Name finden", learners: "Teilnehmer finden",
    sort: "Reihenfolge", newest: "Neueste zuerst", oldest: "Älteste zuerst", changed: "Zuletzt geänderte zuerst", name: "Nach Name", count: "Gefunden: {count}",
    nothing_title: "Nichts gefunden", nothing: "Hier ist nichts, in dem „{q}“ steht.", nothing_chosen: "Hier ist nichts, wie Sie es gewählt haben.", clear: "Alles zeigen", key: "Finden",
  },
};
