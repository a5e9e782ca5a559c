// Words of drafting with AI alone.
export default {
  making: {
    draft_lessons: "Lektionen mit KI entwerfen", draft_text: "Den Text mit KI entwerfen", draft_activities: "Aktivitäten mit KI entwerfen", draft_content: "Den Inhalt mit KI entwerfen", waiting: "Vorschläge der KI warten auf Sie",
    open: "Mit KI entwerfen", title: "Lehrplan entwerfen", brief: "Was für ein Kurs es werden soll", brief_hint: "Für wen, was sie danach können sollen, was nicht fehlen darf.", hours: "Stunden", content: "Wie viel", outline: "Der Plan", full: "Der Plan und alle Texte", mode: "Was schon da ist", append: "bleibt, der Entwurf kommt dahinter", replace: "Entwürfe der KI werden ersetzt", replace_hint: "Was ein Mensch schrieb oder änderte und was Lernende benutzt haben, bleibt immer. Sie erfahren, was behalten wurde.", start: "Beginnen",
    running: "KI entwirft", progress: "Fortschritt des Entwurfs", steps: "{done} von {total} Schritten getan. Im Kurs erscheint erst etwas, wenn alles da ist.", cancel: "Absagen", canceled: "Abgesagt. Fertige Schritte bleiben für den nächsten Versuch.", ready: "Der Entwurf ist da.", kept_title: "Der Entwurf ist da, und dies wurde behalten", kept: "Behaltene Teile: {count}. Alles andere, was KI entworfen hatte, wurde ersetzt.", kept_more: "und {count} weitere",
  },
  piece: { unit: "Einheit", lesson: "Lektion", activity: "Aktivität", assignment: "Aufgabe" },
  kept: { in_use: "Lernende haben es benutzt", edited: "ein Mensch hat es gemacht oder geändert" },
  generation: { error: "Der Entwurf misslang", canceled: "Abgesagt" },
};
