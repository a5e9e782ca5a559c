//! Italian: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "it",
    objective: "Obiettivo",
    key_points: "Punti chiave",
    think_about: "Per riflettere",
    built_in_mark: "Schema fatto dal motore integrato a partire dalla descrizione del corso, non da un modello linguistico. Aggiungere spiegazioni ed esempi prima di pubblicarlo.",
    quiz: "Quiz: {topic}",
    flashcards: "Schede: {topic}",
    reflection: "Riflessione: {topic}",
    assignment: "Compito: {topic}",
    prompts: [
        "Quale situazione della tua esperienza mostra {topic}?",
        "Che cosa va spesso storto con {topic}, e perché?",
        "Come spiegheresti {topic} a chi è nuovo?",
    ],
    objectives: [
        "Spiegare {topic} con parole proprie",
        "Applicare {topic} a una situazione propria",
        "Analizzare che cosa conta in {topic} e perché",
        "Valutare un esempio di {topic} e dare ragioni",
    ],
    open_points: [
        "Che cosa significa {topic} nel corso {course}",
        "Un esempio di {topic}: lo aggiunge il docente",
        "Come {topic} si collega alle altre parti di {course}",
    ],
    stages: [
        "{topic}: le basi",
        "{topic}: passo dopo passo",
        "{topic}: in pratica",
        "{topic}: decisioni ed errori",
    ],
    fill_blank: "Completa lo spazio",
    true_or_false: "Vero o falso?",
    which_completes: "Quale opzione completa la frase come sta nella lezione?",
    which_belongs: "Quale di questi argomenti appartiene all'unità {unit}?",
    as_lesson_says: "La lezione dice: {sentence}",
    summary: "{course} in queste parti: {units}.",
    unit_description: "Questa unità tratta di {topics}.",
    lesson_summary: "Uno schema su {topic}.",
    task: "Descrivi una situazione reale o realistica che riguarda {topics}. Di' che cosa succede, che cosa decidi e fai, e perché. Usa ciò che hai imparato nelle lezioni, dai ragioni e nomina una cosa che cambieresti perché la prossima volta vada meglio. Bastano da 150 a 300 parole; ortografia e grammatica non contano.",
    criteria: [
        ("Comprensione", "Usa correttamente le idee delle lezioni."),
        (
            "Applicazione",
            "Le applica a una situazione concreta e dice che cosa si fa.",
        ),
        (
            "Ragioni",
            "Dà ragioni e nomina un cambiamento per la prossima volta.",
        ),
    ],
    levels: [
        ("Eccellente", "Completo e corretto, con parole proprie."),
        (
            "Buono",
            "Quasi completo; una parte manca o è solo accennata.",
        ),
        ("Parziale", "Un'idea utile, senza il resto."),
        (
            "Assente",
            "Nulla al riguardo, o il contrario di ciò che è stato insegnato.",
        ),
    ],
    assumptions: [
        "La descrizione nomina pochi argomenti; le unità seguono le sue parole. Verificare l'ordine.",
        "I tempi sono stati divisi in modo uniforme; adattarli a chi impara.",
    ],
    and: "e",
    open_quote: "«",
    close_quote: "»",
};
