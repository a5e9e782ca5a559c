// Words of the page of packages alone.
export default {
  packages: {
    learners: "Teilnehmer", learners_of: "Teilnehmer des Pakets",
    learners_lede: "Wer damit gekommen ist, und was ihr Lernsystem über sie und sich gesagt hat: nichts davon ist geprüft.", nobody_title: "Noch ist niemand gekommen",
    nobody: "Teilnehmer stehen hier von ihrem ersten Start an.", lms_id: "Kennung dort", lms: "System", seen: "Zuletzt gesehen", trust: "Identität", any: "Jede Identität",
    lede: "Ein Paket ist der Kurs einer Gruppe, wie er in diesem Moment ist, für jedes Lernsystem.", none_title: "Noch kein Paket", none: "Wählen Sie eine Gruppe; das Paket ist in Sekunden fertig, und Sie können es hier ansehen, bevor Sie es hochladen.", new: "Neues Paket", make: "Machen", cohort: "Gruppe", course: "Kurs", version: "Fassung", version_hint: "2004 kann mehr; alte Systeme nehmen nur 1.2.", connected: "Mit diesem Dienst verbunden", connected_hint: "Lernende können dann abgeben und den Tutor fragen. Sonst stellt das Paket gar keine Anfragen.",
    size: "Größe", preview: "Ansehen", download: "Herunterladen", revoke: "Widerrufen", revoke_title: "Paket widerrufen?", revoke_what: "Es lässt niemanden mehr ein, wo auch immer es liegt. Das ist endgültig.", revoked: "Widerrufen.", asked: "Das Paket wird gemacht.", ready: "Das Paket ist fertig.", failed: "Das Paket misslang.", 
  },
  package: { ready: "Fertig", pending: "In Arbeit", error: "Misslungen", revoked: "Widerrufen" },
  scorm_trust: {
    first_use: "Zuerst mit dieser Kennung", proven: "Bewiesen", unverified: "Nicht bewiesen",
  },
};
