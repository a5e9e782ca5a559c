//! German: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "de",
    objective: "Lernziel",
    key_points: "Kernpunkte",
    think_about: "Zum Nachdenken",
    built_in_mark: "Gliederung der eingebauten Funktion aus der Kursbeschreibung, nicht von einem Sprachmodell. Bitte vor der Veröffentlichung Erklärungen und Beispiele ergänzen.",
    quiz: "Quiz: {topic}",
    flashcards: "Lernkarten: {topic}",
    reflection: "Reflexion: {topic}",
    assignment: "Aufgabe: {topic}",
    prompts: [
        "Welche Situation aus deiner Erfahrung zeigt {topic}?",
        "Was geht bei {topic} oft schief, und warum?",
        "Wie würdest du {topic} jemandem erklären, der neu ist?",
    ],
    objectives: [
        "{topic} in eigenen Worten erklären",
        "{topic} auf eine eigene Situation anwenden",
        "Untersuchen, worauf es bei {topic} ankommt und warum",
        "Ein Beispiel zu {topic} beurteilen und begründen",
    ],
    open_points: [
        "Was {topic} im Kurs {course} bedeutet",
        "Ein Beispiel zu {topic}: von der Lehrkraft zu ergänzen",
        "Wie {topic} mit den anderen Teilen von {course} zusammenhängt",
    ],
    stages: [
        "{topic}: Grundlagen",
        "{topic}: Schritt für Schritt",
        "{topic}: in der Praxis",
        "{topic}: Entscheidungen und Fehler",
    ],
    fill_blank: "Fülle die Lücke",
    true_or_false: "Richtig oder falsch?",
    which_completes: "Welche Antwort ergänzt den Satz so, wie er in der Lektion steht?",
    which_belongs: "Was davon gehört zur Einheit {unit}?",
    as_lesson_says: "In der Lektion steht: {sentence}",
    summary: "{course} in diesen Teilen: {units}.",
    unit_description: "In dieser Einheit geht es um {topics}.",
    lesson_summary: "Eine Gliederung zu {topic}.",
    task: "Beschreibe eine echte oder realistische Situation zu {topics}. Sage, was geschieht, was du entscheidest und tust und warum. Nutze, was du in den Lektionen gelernt hast, begründe es und nenne eine Sache, die du ändern würdest, damit es beim nächsten Mal besser geht. 150 bis 300 Wörter genügen; Rechtschreibung und Grammatik zählen nicht.",
    criteria: [
        (
            "Verständnis",
            "Verwendet die Inhalte der Lektionen richtig.",
        ),
        (
            "Anwendung",
            "Wendet sie auf eine konkrete Situation an und sagt, was getan wird.",
        ),
        (
            "Begründung",
            "Begründet und nennt eine Änderung für das nächste Mal.",
        ),
    ],
    levels: [
        (
            "Ausgezeichnet",
            "Vollständig und richtig, in eigenen Worten.",
        ),
        (
            "Gut",
            "Größtenteils vollständig; ein Teil fehlt oder ist nur angedeutet.",
        ),
        ("Teilweise", "Ein brauchbarer Gedanke, ohne den Rest."),
        ("Fehlt", "Nichts dazu, oder das Gegenteil des Gelernten."),
    ],
    assumptions: [
        "Die Beschreibung nennt wenige Themen; die Einheiten folgen ihren Worten. Bitte die Reihenfolge prüfen.",
        "Die Zeiten wurden gleichmäßig verteilt; bitte an die Lernenden anpassen.",
    ],
    and: "und",
    open_quote: "„",
    close_quote: "“",
};
