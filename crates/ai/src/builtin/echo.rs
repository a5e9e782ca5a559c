//! A text that says the rubric back: names of criteria with marks beside them, or what a level asks for, copied.
//!
//! Such a sentence says that the task is done, and does none of it.

use std::collections::BTreeSet;

use lyceum_domain::authoring::rubric::Rubric;

use crate::language::Language;
use crate::words::{fold, stems, tokens};

/// How many words in a row are a copy, and the share of a sentence that they make.
const COPIED: usize = 5;
const MOST_OF_IT: f64 = 0.6;

/// What people write beside a criterion who give themselves marks, in the languages of our catalogues.
const PRAISE: &str = "met fully full complete completely excellent excellently perfect perfectly outstanding good very correct correctly \
all marks mark points point score scored level levels highest top best achieved satisfied fulfilled fulfills fulfils yes done passed \
criterion criteria rubric grade grades out of \
erfüllt voll vollständig ganz sehr gut hervorragend perfekt richtig alle punkte punkt note stufe höchste kriterium kriterien von \
cumplido completo completamente excelente perfecto bien todos puntos punto nota nivel máximo criterio criterios de \
rempli entièrement complet excellent parfait bien tous points point note niveau maximum critère critères sur \
soddisfatto completamente completo eccellente perfetto bene tutti punti punto voto livello massimo criterio criteri su \
cumprido completamente completo excelente perfeito bem todos pontos ponto nota nível máximo critério critérios de";

/// The words of a rubric that a text may say back.
pub(crate) struct Echo {
    language: Language,
    /// The stems of each criterion's name.
    names: Vec<BTreeSet<String>>,
    /// The stems of all names.
    named: BTreeSet<String>,
    /// Runs of [`COPIED`] words of descriptions.
    runs: BTreeSet<Vec<String>>,
    praise: BTreeSet<String>,
}

impl Echo {
    /// Reads a rubric; model answers and key points are not looked at, for these are to be said.
    pub(crate) fn of(rubric: &Rubric, language: Language) -> Self {
        let names: Vec<BTreeSet<String>> = rubric
            .criteria
            .iter()
            .map(|criterion| stem_set(&criterion.name, language))
            .filter(|name| !name.is_empty())
            .collect();
        let levels = rubric.criteria.iter().flat_map(|one| &one.levels);
        let levels = levels.map(|level| level.description.as_str());
        let described = rubric.criteria.iter().map(|one| one.description.as_str());
        let texts = described.chain(levels);
        Self {
            language,
            named: names.iter().flatten().cloned().collect(),
            names,
            runs: texts.flat_map(|text| runs(text, language)).collect(),
            praise: stem_set(PRAISE, language),
        }
    }

    /// Whether a sentence of a submission says the rubric back.
    pub(crate) fn is_in(&self, sentence: &str) -> bool {
        self.names_and_praises(sentence) || self.copies(sentence)
    }

    /// A whole name, a mark or praise, and nothing else.
    fn names_and_praises(&self, sentence: &str) -> bool {
        let said = stem_set(sentence, self.language);
        let whole_name = self.names.iter().any(|name| name.is_subset(&said));
        let is_praise = |stem: &&String| {
            self.praise.contains(*stem) || stem.starts_with(|c: char| c.is_ascii_digit())
        };
        let mut left = said.iter().filter(|stem| !is_praise(stem));
        whole_name
            && said.iter().any(|stem| is_praise(&stem))
            && left.all(|stem| self.named.contains(stem))
    }

    fn copies(&self, sentence: &str) -> bool {
        let words = tokens(&fold(sentence), self.language);
        let mut copied = BTreeSet::new();
        for (at, run) in words.windows(COPIED).enumerate() {
            if self.runs.contains(run) {
                copied.extend(at..at + COPIED);
            }
        }
        !copied.is_empty() && crate::numbers::share(copied.len(), words.len()) >= MOST_OF_IT
    }
}

fn stem_set(text: &str, language: Language) -> BTreeSet<String> {
    let stems = stems(text, language).into_iter();
    stems.map(|stem| stem.text).collect()
}

fn runs(text: &str, language: Language) -> Vec<Vec<String>> {
    let words = tokens(&fold(text), language);
    words.windows(COPIED).map(<[String]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn echo() -> Echo {
        let rubric = json!({"criteria": [
            {"name": "Energy conversion", "description": "Says which energy becomes which, and where it is kept.",
             "reference_answers": ["Light energy is turned into chemical energy in sugar."]},
            {"name": "Products named", "levels": [{"label": "no", "points": 0},
                {"label": "all", "points": 2, "description": "Both products of the reaction are named."}]}]});
        Echo::of(
            &Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
            Language::English,
        )
    }

    #[rstest]
    #[case("Criterion Energy conversion: fully met, 4/4.")]
    #[case("Products named - 2 points")]
    #[case("Energy conversion and products named: excellent.")]
    #[case("Both products of the reaction are named.")]
    #[case("It says which energy becomes which and where it is kept.")]
    fn a_rubric_said_back_is_seen(#[case] sentence: &str) {
        assert!(echo().is_in(sentence), "{sentence}");
    }

    #[rstest]
    #[case("Energy conversion: light becomes chemical energy in sugar.")]
    #[case("Energy conversion")]
    #[case("Light energy is turned into chemical energy in sugar.")]
    #[case("The products are sugar and oxygen, 2 of them.")]
    fn an_answer_under_a_criterions_name_is_none(#[case] sentence: &str) {
        assert!(!echo().is_in(sentence), "{sentence}");
    }
}
