// Words of the pages of cohorts alone.
export default {
  cohorts: { none_title: "Noch keine Gruppe", none: "Eine Gruppe ist ein Durchgang eines Kurses. Legen Sie eine mit POST /v1/cohorts an, schreiben Sie Leute ein, lassen Sie sie beginnen." },
  cohort: {
    course: "Kurs", active: "Läuft", draft: "Nicht begonnen", completed: "Beendet", archived: "Archiviert", students: "Teilnehmer", starts: "Beginn", runs: "Dauer", zone: "Zeitzone", of_capacity: "{count} von {capacity} Plätzen", progress: "Fortschritt", score: "Punkte", last: "Zuletzt aktiv", never: "nie", open: "offen", done: "geschafft", no_score: "ohne Punkte",
    heat: "Wie weit alle sind, Lektion für Lektion", which: "Welche Zahl welche Lektion ist", summary: "Im Schnitt {mean}. Fertig: {finished} von {all}; nicht begonnen: {idle}.", first_only: "Gezeigt sind die ersten {count}.", since: "Seit", empty_title: "Noch niemand eingeschrieben", empty: "Schreiben Sie Leute mit ihrer Adresse ein: POST /v1/cohorts/{id}/students.",
  },
  enrollment: { active: "Aktiv", completed: "Abgeschlossen", withdrawn: "Ausgeschieden" },
};
