// Words of who falls behind alone.
export default {
  standing: {
    rules: "Nach welchen Regeln", yours: "Diese Regeln sind Ihre, zum Hinsehen: Niemand wird danach bewertet, und Lernende sehen nichts davon.", apply: "Anwenden", reset: "Wie sie waren",
    rule_overdue: "Überfällige Aufgaben", hint_overdue: "So viele oder mehr, die seit ihrem Eintritt fällig waren und nicht abgegeben sind.",
    rule_inactive_days: "Tage, an denen nichts geschah", hint_inactive_days: "So viele oder mehr, seit eine Lektion geschafft, eine Aktivität versucht oder etwas abgegeben wurde.",
    rule_low_total: "Gesamtnote unter, in Prozent", hint_low_total: "In den Noten, aus mindestens zwei bewerteten Aufgaben.",
    rule_pace: "Punkte hinter dem Kalender", hint_pace: "So viele oder mehr zwischen ihren Lektionen und ihrer Zeit in der Gruppe, die vorbei ist, beides in Prozent. Die Gruppe braucht Beginn und Ende.",
    behind: "Wer ein Wort braucht", signs: "Zeichen", lessons: "Lektionen", total: "Gesamt", no_total: "noch nichts", learners: "Lernende",
    sign_overdue: "überfällige Aufgaben: {count}", sign_inactive: "Tage, an denen nichts getan wurde: {count}",
    sign_low_total: "bisher {total}", sign_pace: "Punkte hinter dem Kalender: {count}",
    short: "Ein Wort brauchen: {count} von {of}.", read: "{count} Lernende gelesen.", nobody: "Nach diesen Regeln bleibt niemand zurück.", not_running: "Die Gruppe läuft nicht: In ihr bleibt niemand zurück.", others: "Die übrigen ({count})",
    first_only: "Nur die ersten {count} Lernenden sind gelesen.", csv: "CSV herunterladen", file: "wer-zurueckbleibt", saved: "Gesichert: {name}",
    spread: "Wie weit die Gruppe ist", spread_said: "Lernende: {count}. Im Mittel haben sie {mean} der Lektionen geschafft.", spread_said_expected: "{expected} der Zeit sind vorbei; weniger Lektionen geschafft haben: {behind}.",
    spread_label: "Balken: wie viele von {count} Lernenden in jedem Zehntel der Lektionen sind. Die meisten sind von {from} bis {to}: {most}.", spread_label_expected: "Eine Linie darüber: {expected} der Zeit sind vorbei.",
    mark: "Zeit {expected}", from_to: "{from} bis {to}", bins: "Lernende in jedem Zehntel der Lektionen", table: "Als Tabelle",
  },
};
