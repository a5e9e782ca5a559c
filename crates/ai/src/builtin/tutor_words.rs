//! The sentences the built-in tutor says beside the lesson's own, in the languages it can say them.

use crate::language::Language;

/// The sentences of one language.
pub(super) struct TutorWords {
    /// Before passages of the lesson.
    pub(super) found: &'static str,
    /// After them: what the learner may do next.
    pub(super) guide: &'static str,
    /// When the lesson says nothing about it; `{lesson}`.
    pub(super) nothing: &'static str,
    /// Says who speaks.
    pub(super) label: &'static str,
}

impl TutorWords {
    /// The sentences of a language; English where we have none.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English | Language::Arabic | Language::Other => &ENGLISH,
            Language::German => &GERMAN,
            Language::Spanish => &SPANISH,
            Language::French => &FRENCH,
            Language::Italian => &ITALIAN,
            Language::Portuguese => &PORTUGUESE,
        }
    }
}

const ENGLISH: TutorWords = TutorWords {
    found: "The lesson says:",
    guide: "What follows from this for your question? Try to say it in your own words.",
    nothing: "I found nothing about this in the lesson {lesson}. Try other words, or ask your teacher.",
    label: "This is a search in the lesson by word matching, not an answer of a language model.",
};

const GERMAN: TutorWords = TutorWords {
    found: "In der Lektion steht:",
    guide: "Was folgt daraus für deine Frage? Versuche, es in eigenen Worten zu sagen.",
    nothing: "Dazu habe ich in der Lektion {lesson} nichts gefunden. Versuche andere Wörter oder frage deine Lehrkraft.",
    label: "Dies ist eine Suche in der Lektion durch Wortvergleich, keine Antwort eines Sprachmodells.",
};

const SPANISH: TutorWords = TutorWords {
    found: "La lección dice:",
    guide: "¿Qué se deduce de esto para tu pregunta? Intenta decirlo con tus propias palabras.",
    nothing: "No he encontrado nada sobre esto en la lección {lesson}. Prueba con otras palabras o pregunta a tu docente.",
    label: "Esto es una búsqueda en la lección por comparación de palabras, no una respuesta de un modelo de lenguaje.",
};

const FRENCH: TutorWords = TutorWords {
    found: "La leçon dit :",
    guide: "Qu'en déduis-tu pour ta question ? Essaie de le dire avec tes propres mots.",
    nothing: "Je n'ai rien trouvé à ce sujet dans la leçon {lesson}. Essaie d'autres mots ou demande à ton enseignant.",
    label: "Ceci est une recherche dans la leçon par comparaison de mots, pas une réponse d'un modèle de langage.",
};

const ITALIAN: TutorWords = TutorWords {
    found: "La lezione dice:",
    guide: "Che cosa ne segue per la tua domanda? Prova a dirlo con parole tue.",
    nothing: "Non ho trovato nulla su questo nella lezione {lesson}. Prova con altre parole o chiedi al tuo docente.",
    label: "Questa è una ricerca nella lezione per confronto di parole, non una risposta di un modello linguistico.",
};

const PORTUGUESE: TutorWords = TutorWords {
    found: "A lição diz:",
    guide: "O que se conclui daqui para a sua pergunta? Tente dizê-lo com as suas próprias palavras.",
    nothing: "Não encontrei nada sobre isso na lição {lesson}. Tente outras palavras ou pergunte ao seu professor.",
    label: "Isto é uma pesquisa na lição por comparação de palavras, não uma resposta de um modelo de linguagem.",
};
