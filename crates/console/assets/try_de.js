// Words of what is tried before anybody sees it.
export default {
  try: {
    title: "Ausprobieren", frame: "Der Player, wie ihn Lernende sehen",
    what: "Das, was gespeichert ist, mit dem Player, den Lernende haben.", apart: "In einem eigenen Tab öffnen",
    saved_first: "Was noch nicht gespeichert war, ist jetzt gespeichert.",
    not_saved: "Was Sie zuletzt getippt haben, ist nicht gespeichert. Das ist, was davor gespeichert war.",
  },
  try_grading: {
    title: "An dieser Antwort ausprobieren",
    lede: "Was die Bewertung einer Antwort gäbe, nach Maßstab und Einstellungen, wie sie auf dieser Seite stehen, gespeichert oder nicht. Nichts davon wird aufgehoben: keine Abgabe, keine Note.",
    answer: "Eine Antwort", keys: "Strg + Eingabe probiert es aus. Ein Modell braucht bis zu einer Minute.", go: "Ausprobieren",
    empty: "Tippen Sie zuerst eine Antwort, oder fügen Sie eine ein.", result: "{score} von {max} Punkten", final: "Ginge von selbst hinaus",
    suggested: "Ein Mensch sähe sie zuerst an", unsaved: "Das beruht auf dem, was nicht gespeichert ist: {names}.", free: "kostet nichts", cost: "kostete {usd} USD",
    unpriced: "der Preis ist nicht bekannt", kept: "Nichts hiervon wird aufgehoben.",
  },
};
