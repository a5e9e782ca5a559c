// Words of the audit trail.
export default {
  audit: {
    lede: "Jede Änderung einer Note, eines Schlüssels, einer Mitgliedschaft oder einer Einstellung und jedes Löschen: mit der Änderung geschrieben, und niemand kann es ändern oder entfernen.", when: "Wann", by: "Von", action: "Was", thing: "Woran", change: "Von → zu", any: "Alle", from: "Von", to: "Bis",
    save: "Als Tabelle sichern (CSV)", saved: "Gesichert: {count} Einträge.", saved_newest: "Gesichert: die neuesten {count} Einträge. Für ältere bitte die Zeit eingrenzen.", none_title: "Nichts dergleichen", none: "Kein Eintrag passt zur Auswahl.",
    id: "Seine Kennung", people: "Menschen, die hier arbeiten", programs: "Programme", learners: "Teilnehmer", keys: "Ihre Schlüssel", only: "Nur dies: {name}", receipt: "Beleg",
  },
  audit_actor: { user: "Ein Mensch", service: "Ein Programm", visitor: "Jemand mit Einmal-Token", system: "Der Dienst selbst" },
  audit_thing: {
    unit: "Einheit", lesson: "Lektion", activity: "Aktivität", enrollment: "Platz in einer Gruppe", scorm_package: "Paket", media_file: "Mediendatei", batch: "Neu bewerten", passkey: "Passkey",
    submission: "Abgabe", assignment: "Aufgabe", course: "Kurs", cohort: "Gruppe", user: "Mitglied", sso_connection: "Anmeldung der Organisation", api_key: "API-Schlüssel", webhook_endpoint: "Webhook", workspace: "Arbeitsbereich",
  },
};
