//! The sentences the built-in grader says, in the languages it can say them.
//!
//! Nothing a teacher wrote as a model answer may come in here: what is missing is named by its criterion.

use lyceum_domain::authoring::assignments::{FeedbackStyle, Tone, Verbosity};

use crate::language::Language;
use crate::template::fill;

/// How much of a criterion was found, for feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reached {
    Little,
    Partly,
    Mostly,
}

/// A criterion's name and how much of it was found, in hundredths.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CriterionShare<'a> {
    pub(crate) name: &'a str,
    pub(crate) percent: u8,
}

impl CriterionShare<'_> {
    const fn reached(&self) -> Reached {
        match self.percent {
            0..=29 => Reached::Little,
            30..=74 => Reached::Partly,
            _ => Reached::Mostly,
        }
    }
}

struct Catalogue {
    label: &'static str,
    /// The same of an explanation.
    explained: &'static str,
    blank: &'static str,
    strength: &'static str,
    strength_warm: &'static str,
    gap: &'static str,
    gap_warm: &'static str,
    gap_exact: &'static str,
    nothing_found: &'static str,
    complete: &'static str,
    advice: &'static str,
    overview: &'static str,
    reached: [&'static str; 3],
    matched: &'static str,
    missing: &'static str,
    weak: &'static str,
    cannot_judge: &'static str,
    nothing_to_compare: &'static str,
    no_match: &'static str,
}

/// Feedback for the student: what was found, what was not, and who says so.
pub(crate) fn feedback(parts: &[CriterionShare<'_>], blank: bool, style: &FeedbackStyle) -> String {
    let texts = catalogue(Language::of_tag(style.language.as_str()));
    let mut sentences = if blank {
        vec![texts.blank.to_owned()]
    } else {
        judgement(texts, parts, style.tone)
    };
    if !blank && parts.is_empty() {
        sentences.push(texts.cannot_judge.to_owned());
    }
    if !blank && style.verbosity != Verbosity::Brief {
        sentences.push(texts.advice.to_owned());
    }
    sentences.push(texts.label.to_owned());
    let text = sentences.join(" ");
    if blank || parts.is_empty() || style.verbosity != Verbosity::Detailed {
        return text;
    }
    format!("{text}\n\n{}", overview(texts, parts))
}

fn judgement(texts: &Catalogue, parts: &[CriterionShare<'_>], tone: Tone) -> Vec<String> {
    // The first of equals, so that the same text always gets the same words.
    let strongest = parts.iter().rev().max_by_key(|part| part.percent);
    let weakest = parts.iter().min_by_key(|part| part.percent);
    let warm = tone == Tone::Encouraging;
    let strength = strongest.map(|part| {
        let template = match part.reached() {
            Reached::Little => texts.nothing_found,
            Reached::Partly | Reached::Mostly if warm => texts.strength_warm,
            Reached::Partly | Reached::Mostly => texts.strength,
        };
        fill(template, &[("name", part.name)])
    });
    let gap = weakest.map(|part| {
        let template = match (part.reached(), tone) {
            (Reached::Mostly, _) => texts.complete,
            (_, Tone::Encouraging) => texts.gap_warm,
            (_, Tone::Demanding) => texts.gap_exact,
            (_, Tone::Neutral | Tone::Normal) => texts.gap,
        };
        fill(template, &[("name", part.name)])
    });
    if tone == Tone::Demanding {
        gap.into_iter().chain(strength).collect()
    } else {
        strength.into_iter().chain(gap).collect()
    }
}

fn overview(texts: &Catalogue, parts: &[CriterionShare<'_>]) -> String {
    let [little, partly, mostly] = texts.reached;
    let lines = parts.iter().take(20).map(|part| {
        let word = match part.reached() {
            Reached::Little => little,
            Reached::Partly => partly,
            Reached::Mostly => mostly,
        };
        format!("- {}: {word}", part.name)
    });
    format!(
        "{}\n{}",
        texts.overview,
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// For the teacher: who made an explanation.
pub(crate) fn explained(language: Language) -> String {
    catalogue(language).explained.to_owned()
}

/// For the teacher: that word matching has nothing to say about a criterion.
pub(crate) const fn cannot_judge(language: Language) -> &'static str {
    catalogue(language).cannot_judge
}

/// For the teacher: that nobody wrote down what word matching could look for.
pub(crate) const fn nothing_to_compare(language: Language) -> &'static str {
    catalogue(language).nothing_to_compare
}

/// The expected words of a criterion, by whether the text has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpectedWords<'a> {
    pub(crate) matched: &'a [String],
    pub(crate) missing: &'a [String],
    /// Nobody wrote down what to expect; the rubric's own words stood in for it.
    pub(crate) weak: bool,
}

/// For the teacher: which of the expected words are there and which are not.
pub(crate) fn rationale(language: Language, words: &ExpectedWords<'_>) -> String {
    let texts = catalogue(language);
    let list = |words: &[String]| {
        let shown: Vec<&str> = words.iter().take(12).map(String::as_str).collect();
        let more = if words.len() > shown.len() {
            ", …"
        } else {
            ""
        };
        format!("{}{more}", shown.join(", "))
    };
    let mut sentences = Vec::new();
    if words.matched.is_empty() {
        sentences.push(texts.no_match.to_owned());
    } else {
        sentences.push(fill(texts.matched, &[("words", &list(words.matched))]));
    }
    if !words.missing.is_empty() {
        sentences.push(fill(texts.missing, &[("words", &list(words.missing))]));
    }
    if words.weak {
        sentences.push(texts.weak.to_owned());
    }
    sentences.join(" ")
}

const fn catalogue(language: Language) -> &'static Catalogue {
    match language {
        Language::English | Language::Arabic | Language::Other => &ENGLISH,
        Language::German => &GERMAN,
        Language::Spanish => &SPANISH,
        Language::French => &FRENCH,
        Language::Italian => &ITALIAN,
        Language::Portuguese => &PORTUGUESE,
    }
}

const ENGLISH: Catalogue = Catalogue {
    label: "Graded by the built-in word-matching grader, not by a language model.",
    explained: "The points stand as given; these notes were made by the built-in word matching, not by a language model.",
    blank: "There is no answer in this text yet that could be graded.",
    strength: "The strongest part is “{name}”.",
    strength_warm: "Well done: “{name}” is the strongest part of your text.",
    gap: "Something is missing for “{name}”.",
    gap_warm: "As a next step, look at “{name}” again and add what is not there yet.",
    gap_exact: "The answer is incomplete for “{name}”.",
    nothing_found: "Little in this text could be matched with what was asked.",
    complete: "Nothing essential was found to be missing.",
    advice: "Read the task once more and check that every part of it is answered with a reason of your own.",
    overview: "By criterion:",
    reached: ["little found", "partly found", "mostly found"],
    matched: "Found in the text: {words}.",
    missing: "Not found: {words}.",
    weak: "There are no model answers or key points for this criterion, so its own wording was compared; this says little.",
    cannot_judge: "This is not about content, so word matching cannot judge it; a person or a language model has to.",
    nothing_to_compare: "Nobody has written down what a good answer says here, so word matching has nothing to compare with; add model answers or key points, or let a person or a language model judge it.",
    no_match: "None of the expected words were found.",
};

const GERMAN: Catalogue = Catalogue {
    label: "Bewertet vom eingebauten Wortvergleich, nicht von einem Sprachmodell.",
    explained: "Die Punkte stehen fest; diese Hinweise stammen vom eingebauten Wortvergleich, nicht von einem Sprachmodell.",
    blank: "Dieser Text enthält noch keine Antwort, die bewertet werden könnte.",
    strength: "Am stärksten ist der Teil „{name}“.",
    strength_warm: "Gut gemacht: „{name}“ ist der stärkste Teil deines Textes.",
    gap: "Zu „{name}“ fehlt noch etwas.",
    gap_warm: "Als nächster Schritt: Sieh dir „{name}“ noch einmal an und ergänze, was fehlt.",
    gap_exact: "Zu „{name}“ ist die Antwort unvollständig.",
    nothing_found: "Wenig in diesem Text passt zu dem, was gefragt war.",
    complete: "Es wurde nichts Wesentliches vermisst.",
    advice: "Lies die Aufgabe noch einmal und prüfe, ob jeder Teil mit einer eigenen Begründung beantwortet ist.",
    overview: "Nach Kriterien:",
    reached: [
        "wenig gefunden",
        "teilweise gefunden",
        "größtenteils gefunden",
    ],
    matched: "Im Text gefunden: {words}.",
    missing: "Nicht gefunden: {words}.",
    weak: "Für dieses Kriterium gibt es weder Musterantworten noch Kernpunkte; verglichen wurde mit seinem eigenen Wortlaut, das besagt wenig.",
    cannot_judge: "Hier geht es nicht um den Inhalt; das kann der Wortvergleich nicht beurteilen, sondern nur eine Person oder ein Sprachmodell.",
    nothing_to_compare: "Niemand hat aufgeschrieben, was eine gute Antwort hier sagt, also hat der Wortvergleich nichts zum Vergleichen; dazu braucht es Musterantworten oder Kernpunkte, eine Person oder ein Sprachmodell.",
    no_match: "Keines der erwarteten Wörter wurde gefunden.",
};

const SPANISH: Catalogue = Catalogue {
    label: "Calificado por el comparador de palabras integrado, no por un modelo de lenguaje.",
    explained: "Los puntos ya están dados; estas notas son del comparador de palabras integrado, no de un modelo de lenguaje.",
    blank: "Este texto todavía no contiene una respuesta que se pueda calificar.",
    strength: "La parte más sólida es «{name}».",
    strength_warm: "Buen trabajo: «{name}» es la parte más sólida de tu texto.",
    gap: "Falta algo en «{name}».",
    gap_warm: "Como siguiente paso, revisa «{name}» y añade lo que todavía falta.",
    gap_exact: "La respuesta está incompleta en «{name}».",
    nothing_found: "Poco de este texto coincide con lo que se pedía.",
    complete: "No se echó en falta nada esencial.",
    advice: "Lee de nuevo la tarea y comprueba que cada parte tiene respuesta y una razón propia.",
    overview: "Por criterio:",
    reached: [
        "poco encontrado",
        "encontrado en parte",
        "encontrado en su mayoría",
    ],
    matched: "Encontrado en el texto: {words}.",
    missing: "No encontrado: {words}.",
    weak: "Este criterio no tiene respuestas modelo ni ideas clave; se comparó con su propia redacción, lo que dice poco.",
    cannot_judge: "No se trata del contenido, así que el comparador de palabras no puede juzgarlo; debe hacerlo una persona o un modelo de lenguaje.",
    nothing_to_compare: "Nadie ha escrito qué dice aquí una buena respuesta, así que el comparador de palabras no tiene con qué comparar; hacen falta respuestas modelo o puntos clave, una persona o un modelo de lenguaje.",
    no_match: "No se encontró ninguna de las palabras esperadas.",
};

const FRENCH: Catalogue = Catalogue {
    label: "Noté par le comparateur de mots intégré, et non par un modèle de langage.",
    explained: "Les points sont déjà donnés ; ces notes viennent du comparateur de mots intégré, et non d'un modèle de langage.",
    blank: "Ce texte ne contient pas encore de réponse qui puisse être notée.",
    strength: "La partie la plus solide est « {name} ».",
    strength_warm: "Bravo : « {name} » est la partie la plus solide de ton texte.",
    gap: "Il manque quelque chose pour « {name} ».",
    gap_warm: "Prochaine étape : relis « {name} » et ajoute ce qui manque encore.",
    gap_exact: "La réponse est incomplète pour « {name} ».",
    nothing_found: "Peu d'éléments de ce texte correspondent à ce qui était demandé.",
    complete: "Rien d'essentiel ne semble manquer.",
    advice: "Relis la consigne et vérifie que chaque partie reçoit une réponse et une raison personnelle.",
    overview: "Par critère :",
    reached: ["peu trouvé", "trouvé en partie", "trouvé pour l'essentiel"],
    matched: "Trouvé dans le texte : {words}.",
    missing: "Non trouvé : {words}.",
    weak: "Ce critère n'a ni réponse modèle ni points clés ; la comparaison porte sur sa propre formulation et dit peu de chose.",
    cannot_judge: "Il ne s'agit pas du contenu : le comparateur de mots ne peut pas en juger ; c'est à une personne ou à un modèle de langage de le faire.",
    nothing_to_compare: "Personne n'a écrit ce que dit ici une bonne réponse : le comparateur de mots n'a rien à comparer ; il faut des réponses types ou des points clés, une personne ou un modèle de langage.",
    no_match: "Aucun des mots attendus n'a été trouvé.",
};

const ITALIAN: Catalogue = Catalogue {
    label: "Valutato dal confronto di parole integrato, non da un modello linguistico.",
    explained: "I punti sono già dati; queste note vengono dal confronto di parole integrato, non da un modello linguistico.",
    blank: "Questo testo non contiene ancora una risposta che si possa valutare.",
    strength: "La parte più solida è «{name}».",
    strength_warm: "Ben fatto: «{name}» è la parte più solida del tuo testo.",
    gap: "Manca qualcosa per «{name}».",
    gap_warm: "Come prossimo passo, rivedi «{name}» e aggiungi ciò che ancora manca.",
    gap_exact: "La risposta è incompleta per «{name}».",
    nothing_found: "Poco di questo testo corrisponde a ciò che era richiesto.",
    complete: "Non risulta mancare nulla di essenziale.",
    advice: "Rileggi la consegna e controlla che ogni parte abbia una risposta e una ragione tua.",
    overview: "Per criterio:",
    reached: ["trovato poco", "trovato in parte", "trovato in gran parte"],
    matched: "Trovato nel testo: {words}.",
    missing: "Non trovato: {words}.",
    weak: "Per questo criterio non ci sono risposte modello né punti chiave; il confronto è con la sua formulazione e dice poco.",
    cannot_judge: "Non riguarda il contenuto, quindi il confronto di parole non può giudicarlo; deve farlo una persona o un modello linguistico.",
    nothing_to_compare: "Nessuno ha scritto che cosa dice qui una buona risposta, quindi il confronto di parole non ha nulla con cui confrontare; servono risposte modello o punti chiave, una persona o un modello linguistico.",
    no_match: "Non è stata trovata nessuna delle parole attese.",
};

const PORTUGUESE: Catalogue = Catalogue {
    label: "Avaliado pelo comparador de palavras integrado, não por um modelo de linguagem.",
    explained: "Os pontos já estão dados; estas notas são do comparador de palavras integrado, não de um modelo de linguagem.",
    blank: "Este texto ainda não contém uma resposta que possa ser avaliada.",
    strength: "A parte mais sólida é “{name}”.",
    strength_warm: "Bom trabalho: “{name}” é a parte mais sólida do seu texto.",
    gap: "Falta algo em “{name}”.",
    gap_warm: "Como próximo passo, reveja “{name}” e acrescente o que ainda falta.",
    gap_exact: "A resposta está incompleta em “{name}”.",
    nothing_found: "Pouco deste texto corresponde ao que foi pedido.",
    complete: "Não se notou a falta de nada essencial.",
    advice: "Leia a tarefa mais uma vez e verifique se cada parte tem resposta e uma razão sua.",
    overview: "Por critério:",
    reached: [
        "pouco encontrado",
        "encontrado em parte",
        "encontrado na maior parte",
    ],
    matched: "Encontrado no texto: {words}.",
    missing: "Não encontrado: {words}.",
    weak: "Este critério não tem respostas-modelo nem pontos-chave; comparou-se com a sua própria redação, o que diz pouco.",
    cannot_judge: "Não se trata do conteúdo, por isso o comparador de palavras não o pode avaliar; cabe a uma pessoa ou a um modelo de linguagem.",
    nothing_to_compare: "Ninguém escreveu o que diz aqui uma boa resposta, por isso o comparador de palavras não tem com que comparar; são precisas respostas-modelo ou pontos-chave, uma pessoa ou um modelo de linguagem.",
    no_match: "Nenhuma das palavras esperadas foi encontrada.",
};
