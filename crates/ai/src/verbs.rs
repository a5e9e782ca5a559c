//! Verbs of objectives: those whose result nobody can observe.
//!
//! Objectives say what learners will do, so that somebody can see whether they can (Mager 1962; Anderson &
//! Krathwohl 2001). Word lists only, in the languages we know.

use crate::language::Language;
use crate::words::{fold, tokens};

/// The rule that an objective breaks with its verb, if it does.
pub(crate) fn vague_verb(objective: &str, language: Language) -> Option<String> {
    let words = tokens(&fold(objective), language);
    // German puts the verb last, the others first, behind words such as "to" or "students will be able to".
    let place = match language {
        Language::German => words.last().into_iter().chain(words.first()).collect(),
        Language::English
        | Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic
        | Language::Other => first_verbs(&words),
    };
    let banned = banned(language);
    place
        .into_iter()
        .any(|word| banned.split(' ').any(|known| known == word))
        .then(|| {
            format!(
                "{objective:?} must name something whose result can be observed, not \"understand\" or the like"
            )
        })
}

/// The first word behind the opening that many objectives share.
fn first_verbs(words: &[String]) -> Vec<&String> {
    const OPENING: &[&str] = &[
        "to",
        "be",
        "able",
        "the",
        "a",
        "student",
        "students",
        "learner",
        "learners",
        "participants",
        "will",
        "can",
        "you",
        "should",
        "los",
        "las",
        "les",
        "gli",
        "os",
        "as",
        "estudiantes",
        "alumnos",
        "étudiants",
        "apprenants",
        "studenti",
        "estudantes",
        "alunos",
        "podrán",
        "serán",
        "capaces",
        "capables",
        "capaci",
        "saper",
        "saber",
        "être",
        "essere",
        "ser",
        "de",
        "di",
        "poder",
        "pouvoir",
        "poter",
    ];
    words
        .iter()
        .find(|word| !OPENING.contains(&word.as_str()))
        .into_iter()
        .collect()
}

const fn banned(language: Language) -> &'static str {
    match language {
        Language::English | Language::Arabic | Language::Other => {
            "know knows understand understands learn learns appreciate realize realise grasp"
        }
        Language::German => "kennen wissen verstehen lernen begreifen kennenlernen",
        Language::Spanish => "conocer comprender entender aprender",
        Language::French => "connaître savoir comprendre apprendre",
        Language::Italian => "conoscere sapere capire comprendere imparare apprendere",
        Language::Portuguese => "conhecer compreender entender aprender",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Language::English, "Cool a pot within 90 minutes", true)]
    #[case(Language::English, "Explain how to understand a log", true)]
    #[case(Language::English, "Understand cooling", false)]
    #[case(Language::English, "Students will be able to know the limits", false)]
    #[case(Language::English, "Learn about trays", false)]
    #[case(Language::German, "Einen Topf in 90 Minuten kühlen", true)]
    #[case(Language::German, "Die Grenzwerte kennen", false)]
    #[case(Language::German, "Verstehen, warum Keime wachsen", false)]
    #[case(Language::Spanish, "Explicar por qué", true)]
    #[case(Language::Spanish, "Comprender los límites", false)]
    #[case(Language::French, "Être capable de mesurer", true)]
    #[case(Language::French, "Comprendre les limites", false)]
    #[case(Language::Italian, "Capire i limiti", false)]
    #[case(Language::Portuguese, "Conhecer os limites", false)]
    #[case(Language::Other, "Kuelewa mipaka", true)]
    fn verbs_can_be_observed_or_not(
        #[case] language: Language,
        #[case] objective: &str,
        #[case] fine: bool,
    ) {
        assert_eq!(vague_verb(objective, language).is_none(), fine);
    }
}
