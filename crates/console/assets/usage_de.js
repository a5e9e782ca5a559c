// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "Monat", calls: "Aufrufe", in: "Token gelesen", out: "Token geschrieben", tokens: "Token", cost: "Kosten", money: "Geld", day: "Tag", by_day: "Nach Tagen", by_feature: "Nach Zweck", by_model: "Nach Modell", chart: "Token je Tag; die Tabelle darunter hat dieselben Zahlen", as_table: "Dasselbe als Tabelle", budget: "Budget dieses Monats", used_of: "{used} von {most} ({share})",
    no_budget: "Keines gesetzt: KI darf ohne Grenze ausgeben.", resets: "Beginnt neu: {when}.", every: "Jeder Aufruf", what: "Zweck", model: "Modell", sent: "Was das Haus verließ", outcome: "Ausgang", latency: "Dauer", at: "Wann", none_title: "Keine Aufrufe in diesem Monat", none: "Die eingebaute KI ruft niemanden an und kostet nichts. Ist ein Sprachmodell verbunden, steht hier jeder Aufruf.",
    set: "Budget setzen",
    budget_title: "Was darf KI im Monat ausgeben?",
    money_usd: "Geld, in US-Dollar",
    set_hint: "Leer gelassen gilt keine Grenze. Ist es aufgebraucht, tut KI nichts, bis es neu beginnt; Menschen arbeiten weiter wie immer.",
    save: "Speichern",
    saved: "Das Budget ist gespeichert.",
    chart_money: "Geld je Tag; die Tabelle darunter hat dieselben Zahlen", picture: "Was das Bild zeigt", csv: "CSV herunterladen", unpriced: "Aufrufe, deren Preis nicht bekannt ist: {count}. Sie sind nicht im Bild.", every_purpose: "Alle Zwecke", none_of_title: "Keine Aufrufe dafür", none_of: "Für diesen Zweck wurde KI nicht aufgerufen.", of_service: "Dieses setzt der Dienst; was Sie setzen, tritt an seine Stelle.", no_number: "Das ist keine Zahl.", failure: "Wenn ein Anbieter ausfällt", failure_hint: "Endgültig fällt er nach langem Warten aus, oder sofort, wenn er ablehnt. Was die eingebaute KI an seiner Stelle tat, sagt es.", shares: "Was Teilnehmer verbrauchen dürfen", shares_hint: "Anteile am Budget eines Monats; wer hier arbeitet, darf alles davon ausgeben. Sie setzt, wer den Dienst betreibt.", learners_percent: "Alle Teilnehmer zusammen", package_percent: "Die eines Pakets", learner_hour: "Abgaben, die KI in einer Stunde bewertet, je Teilnehmer", package_hour: "Abgaben, die KI in einer Stunde bewertet, je Paket",
  },
  feature: { grading: "Bewerten", explaining: "Begründen", drafting: "Entwerfen", checking: "Entwürfe prüfen", tutoring: "Tutor", speaking: "Sprechen" },
  outcome: { answered: "Beantwortet", invalid: "Unbrauchbar", refused: "Abgelehnt", unavailable: "Nicht da" },
  failure: { error: "Es endet mit dem Fehler", built_in: "Die eingebaute KI übernimmt" },
};
