// Words of what is kept of a person, and of erasing it.
export default {
  erasure: {
    export_title: "Alles, was über {name} aufbewahrt wird", export_what: "Eine Datei (JSON) mit jedem Datensatz dieses Arbeitsbereichs, der von dieser Person handelt, ohne Geheimnisse. Das Protokoll hält fest, dass sie herausgegeben wurde.", export_save: "Datei sichern", exported: "Gesichert. Datensätze in der Datei: {count}.",
    title: "{name} vergessen?", for_good: "Das kann niemand rückgängig machen. Es gilt für diesen Arbeitsbereich, und sofort.",
    goes: "Was geht", goes_who: "Name, Adresse und was sonst sagt, wer es ist. An die Stelle tritt ein Pseudonym.", goes_work: "Was abgegeben, beantwortet und den Tutor gefragt wurde, dazu Rückmeldungen und Begründungen der Noten.", goes_ways: "Sitzungen, hier angelegte Schlüssel, die Rolle und Plätze in Gruppen.", goes_trash: "Was davon im Papierkorb liegt.",
    stays: "Was bleibt", stays_points: "Punkte, Zeitpunkte und Kennungen unter dem Pseudonym, damit Zahlen und Verläufe weiter stimmen.", stays_audit: "Das Protokoll: Es hat Kennungen und keine Texte.", stays_elsewhere: "Was andere Arbeitsbereiche aufbewahren.", stays_copies: "Ältere Sicherungen, und was Webhooks und KI-Anbieter bekommen haben: Darum kümmert sich, wer den Dienst betreibt.",
    export_first: "Wird eine Kopie gewünscht, bitte vorher sichern.", type: "Bitte eintippen, wer vergessen werden soll", type_either: "{name} oder {email}", mismatch: "Das ist weder der Name noch die Adresse.", erase: "Endgültig vergessen",
    receipt: "Beleg einer Löschung", done: "Alles, was sagte, wer das war, ist gelöscht. Es kann nicht zurückkommen.", now: "Heißt jetzt", at: "Gelöscht am", id: "Beleg", person: "Person",
    what: "Datensätze", gone: "Gelöscht", kept: "Behalten", why: "Was geschah, und warum der Rest bleiben darf", save: "Als JSON sichern", print: "Drucken",
    not_title: "Hier wurde niemand vergessen", not: "Diese Person ist noch da, also gibt es keinen Beleg.",
  },
  erased_table: {
    ai_calls: "Aufrufe von KI", api_keys: "Sitzungen und Schlüssel", attempts: "Versuche bei Quiz", audit_entries: "Protokoll", batch_items: "Neu bewerten", bulk_writes: "Vieles auf einmal", digests: "Tägliche Übersicht per E-Mail", due_overrides: "Andere Fristen", enrollments: "Plätze in Gruppen", events: "Ereignisse", grades: "Noten",
    idempotency_replies: "Gemerkte Antworten", jobs: "Laufende Arbeit", lesson_completions: "Erledigte Lektionen", login_tokens: "Links und Token", mails: "E-Mails", people: "Der Mensch", scorm_learners: "Verknüpfungen mit Lernplattformen", submissions: "Abgaben", trash_rows: "Im Papierkorb", tutor_turns: "Gespräche mit dem Tutor", users: "Das Mitglied", webhook_deliveries: "Nachrichten von Webhooks",
  },
};
