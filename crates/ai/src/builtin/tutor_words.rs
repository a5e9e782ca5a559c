//! The sentences the built-in tutor says beside the lesson's own, in the languages it can say them.

use crate::language::Language;

/// The sentences of one language.
pub(super) struct TutorWords {
    /// Before passages of the lesson.
    pub(super) found: &'static str,
    /// Before passages of another lesson; `{lesson}`.
    pub(super) found_elsewhere: &'static str,
    /// After them: what the learner may do next.
    pub(super) guide: &'static str,
    /// The same for who asks again.
    pub(super) step: &'static str,
    /// The same for who has asked often.
    pub(super) ask_teacher: &'static str,
    /// Instead of a passage that an open task asks for.
    pub(super) open_task: &'static str,
    /// Where to read instead; `{place}`.
    pub(super) read_again: &'static str,
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
    found_elsewhere: "The lesson {lesson} says:",
    guide: "What follows from this for your question? Try to say it in your own words.",
    step: "Which words of this answer your question? Start with those you are surest of.",
    ask_teacher: "Put it together in a sentence of your own. If it still does not fit, ask your teacher.",
    open_task: "That belongs to a task you are still to do, so I will not say it.",
    read_again: "Read again at {place}.",
    nothing: "I found nothing about this in the lesson {lesson}. Try other words, or ask your teacher.",
    label: "This is a search in the lesson by word matching, not an answer of a language model.",
};

const GERMAN: TutorWords = TutorWords {
    found: "In der Lektion steht:",
    found_elsewhere: "In der Lektion {lesson} steht:",
    guide: "Was folgt daraus für deine Frage? Versuche, es in eigenen Worten zu sagen.",
    step: "Welche Wörter daraus beantworten deine Frage? Beginne mit dem, bei dem du am sichersten bist.",
    ask_teacher: "Setze es zu einem eigenen Satz zusammen. Wenn es dann noch nicht passt, frage deine Lehrkraft.",
    open_task: "Das gehört zu einer Aufgabe, die du noch lösen sollst; darum sage ich es nicht.",
    read_again: "Lies noch einmal bei {place} nach.",
    nothing: "Dazu habe ich in der Lektion {lesson} nichts gefunden. Versuche andere Wörter oder frage deine Lehrkraft.",
    label: "Dies ist eine Suche in der Lektion durch Wortvergleich, keine Antwort eines Sprachmodells.",
};

const SPANISH: TutorWords = TutorWords {
    found: "La lección dice:",
    found_elsewhere: "La lección {lesson} dice:",
    guide: "¿Qué se deduce de esto para tu pregunta? Intenta decirlo con tus propias palabras.",
    step: "¿Qué palabras de esto responden a tu pregunta? Empieza por la que tengas más clara.",
    ask_teacher: "Júntalo en una frase tuya. Si aún no encaja, pregunta a tu docente.",
    open_task: "Eso pertenece a una tarea que todavía tienes que hacer, así que no lo diré.",
    read_again: "Vuelve a leer {place}.",
    nothing: "No he encontrado nada sobre esto en la lección {lesson}. Prueba con otras palabras o pregunta a tu docente.",
    label: "Esto es una búsqueda en la lección por comparación de palabras, no una respuesta de un modelo de lenguaje.",
};

const FRENCH: TutorWords = TutorWords {
    found: "La leçon dit :",
    found_elsewhere: "La leçon {lesson} dit :",
    guide: "Qu'en déduis-tu pour ta question ? Essaie de le dire avec tes propres mots.",
    step: "Quels mots de ce passage répondent à ta question ? Commence par celui dont tu es le plus sûr.",
    ask_teacher: "Rassemble le tout en une phrase à toi. Si cela ne va toujours pas, demande à ton enseignant.",
    open_task: "Cela fait partie d'une tâche que tu dois encore faire, donc je ne le dirai pas.",
    read_again: "Relis {place}.",
    nothing: "Je n'ai rien trouvé à ce sujet dans la leçon {lesson}. Essaie d'autres mots ou demande à ton enseignant.",
    label: "Ceci est une recherche dans la leçon par comparaison de mots, pas une réponse d'un modèle de langage.",
};

const ITALIAN: TutorWords = TutorWords {
    found: "La lezione dice:",
    found_elsewhere: "La lezione {lesson} dice:",
    guide: "Che cosa ne segue per la tua domanda? Prova a dirlo con parole tue.",
    step: "Quali parole rispondono alla tua domanda? Comincia da quella di cui sei più sicuro.",
    ask_teacher: "Mettilo insieme in una frase tua. Se ancora non torna, chiedi al tuo docente.",
    open_task: "Fa parte di un compito che devi ancora svolgere, quindi non lo dirò.",
    read_again: "Rileggi {place}.",
    nothing: "Non ho trovato nulla su questo nella lezione {lesson}. Prova con altre parole o chiedi al tuo docente.",
    label: "Questa è una ricerca nella lezione per confronto di parole, non una risposta di un modello linguistico.",
};

const PORTUGUESE: TutorWords = TutorWords {
    found: "A lição diz:",
    found_elsewhere: "A lição {lesson} diz:",
    guide: "O que se conclui daqui para a sua pergunta? Tente dizê-lo com as suas próprias palavras.",
    step: "Que palavras daqui respondem à sua pergunta? Comece pela que lhe parece mais certa.",
    ask_teacher: "Junte tudo numa frase sua. Se ainda não fizer sentido, pergunte ao seu professor.",
    open_task: "Isso pertence a uma tarefa que você ainda vai fazer, por isso não o direi.",
    read_again: "Releia {place}.",
    nothing: "Não encontrei nada sobre isso na lição {lesson}. Tente outras palavras ou pergunte ao seu professor.",
    label: "Isto é uma pesquisa na lição por comparação de palavras, não uma resposta de um modelo de linguagem.",
};
