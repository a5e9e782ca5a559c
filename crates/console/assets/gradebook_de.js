// Words of the book of grades alone.
export default {
  gradebook: {
    title: "Noten", grid: "Noten von {name}", total: "Gesamt", total_of: "Gesamtnote von {name}", no_total: "noch keine", of_points: "von {points}", due: "fällig {date}", file: "noten",
    csv: "Als CSV sichern", xlsx: "Als XLSX sichern", weighing: "Wie gewichtet wird", unweighed: "Wie Aufgaben zählen, hat niemand gesagt: Alle sind zusammen, Punkte von bestmöglichen Punkten.",
    counts_as_zero: "Was fehlt, zählt null.", none: "Aufgaben und bewertete Quizze des Kurses stehen hier, sobald es welche gibt.", none_title: "Noch nichts zu bewerten",
    nobody: "Schreiben Sie Leute in die Gruppe ein: Jeder hat hier eine Zeile.", absent: "nicht abgegeben", waits: "wartet", zero: "fehlt: null", dropped: "gestrichen", late: "verspätet", newer: "neuere wartet",
    group: "Gruppe", weight: "Gewicht", points: "Punkte", percent: "Prozent", dropped_tasks: "Gestrichen", nothing_counts: "noch zählt nichts", weighs_nothing: "hat kein Gewicht",
    no_group: "In keiner Gruppe", all_tasks: "Alle Aufgaben", task: "Aufgabe", tasks: "Welche Aufgabe in welcher Gruppe ist", group_of: "Gruppe von {name}", unnamed: "Ohne Namen",
    scheme_hint: "In einer Gruppe werden Punkte zusammengezählt; die Gesamtnote ist das Mittel der Gruppen nach ihrem Gewicht. Es gilt für alle Durchgänge des Kurses.",
    weight_in_percent: "Gewicht in Prozent", drop_lowest: "Gestrichene Aufgaben", attempt: "Versuch, der zählt", attempt_best: "Der beste", attempt_latest: "Der letzte", attempt_first: "Der erste",
    remove: "Entfernen", add_group: "Gruppe hinzufügen", sum: "Zusammen: {sum}.", rest: "Was in keiner Gruppe ist, hat die übrigen {rest}.", too_much: "Das ist mehr als 100 %.",
    missing: "Was fällig war und fehlt", missing_ignored: "Zählt, als wäre es noch nicht fällig", missing_zero: "Zählt null", missing_hint: "Was noch nicht fällig ist, zählt so oder so nicht.",
    save: "Speichern", saved: "So wird von jetzt an gewichtet.", overtaken: "Jemand anders hat den Kurs inzwischen geändert. Schließen Sie dies und öffnen Sie es neu, um zu sehen, wie es steht.",
  },
};
