// Wörter der Seite, die eine Gruppe aktualisiert.
export default {
  updates: {
    title: "Gruppe aktualisieren",
    lede: "Lernende dieser Gruppe: {learners}. Was hier steht, sehen sie, wie es war. Ist die Gruppe aktualisiert, sehen sie es, wie es jetzt ist.",
    sees: "Wie sie es sieht",
    now: "Wie es jetzt ist",
    until: "Sie sieht es, wie es bis {moment} war.",
    update: "Aktualisieren ({count})",
    ask_title: "Gruppe aktualisieren?",
    ask: "Es ändert sich: {count}, für Lernende: {learners}. Das lässt sich nicht zurücknehmen.",
    ask_now: "Aktualisieren",
    updated: "Sie ist aktualisiert: Sie sieht den Kurs, wie er ist.",
    changed_meanwhile: "Inzwischen würde sich etwas anderes ändern. Sehen Sie es sich erst an.",
    none_title: "Sie sieht den Kurs, wie er ist",
    none_manual: "Was sich am Kurs ändert, solange die Gruppe läuft, steht hier, bis sie aktualisiert wird.",
    none_automatic: "Was sich am Kurs ändert, erreicht diese Gruppe sofort.",
  },
};
