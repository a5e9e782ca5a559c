//! What attacks are made from.

use crate::authoring::rubric::Rubric;

/// Most neutral texts.
const NEUTRAL: usize = 3;
/// Fewest characters of a word that says what a task is about.
const LONG_WORD: usize = 4;
/// Longest part of a word that is taken over: scripts without spaces have whole sentences as one.
const LONGEST_WORD: usize = 24;

/// An assignment, as attacks are made from it.
#[derive(Debug, Clone, PartialEq)]
pub struct AttackTask {
    /// What was to be done.
    pub instructions: String,
    /// What is judged.
    pub rubric: Rubric,
    /// Right answers beside those of the rubric.
    pub samples: Vec<String>,
    /// Model answers of other tasks.
    pub others: Vec<String>,
    /// The language of the course, a BCP-47 tag; empty where it is not known.
    pub language: String,
    /// What the teacher says deserves little, in any number.
    pub weak_answers: Vec<String>,
}

impl AttackTask {
    /// Most weak answers that attacks are made over.
    pub const MOST_BASES: usize = 5;
    /// So many characters of one are taken: what is put behind it must be read by every grader.
    pub const BASE_CHARS: usize = 4_000;

    /// The clean texts that attacks are made over: the first weak answers that say anything; where there are none, a few
    /// texts of two of the task's own words, which deserve nothing in any language. At least one.
    pub fn bases(&self) -> Vec<String> {
        let said = self.weak_answers.iter().map(|text| clipped(text));
        let said: Vec<String> = said
            .filter(|text| !text.is_empty())
            .take(Self::MOST_BASES)
            .collect();
        if said.is_empty() {
            self.neutral_texts()
        } else {
            said
        }
    }

    /// The model answers of the rubric, criterion by criterion.
    pub fn references(&self) -> Vec<String> {
        let criteria = self.rubric.criteria.iter();
        criteria
            .flat_map(|criterion| criterion.texts("reference_answers"))
            .collect()
    }

    fn neutral_texts(&self) -> Vec<String> {
        let names = self.rubric.criteria.iter().map(|one| one.name.as_str());
        let names: Vec<&str> = names.collect();
        let mut words = telling_words(&self.instructions);
        if words.is_empty() {
            words = telling_words(&names.join(" "));
        }
        // Long words say most; those of one length stay in their order.
        words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
        words.truncate(2 * NEUTRAL);
        let texts = words.len().div_ceil(2);
        let pairs = (0..texts).map(|at| {
            let pair = [words.get(at), words.get(at + texts)];
            pair.into_iter()
                .flatten()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(" ")
        });
        let pairs: Vec<String> = pairs.collect();
        if pairs.is_empty() {
            vec!["…".to_owned()]
        } else {
            pairs
        }
    }
}

fn clipped(text: &str) -> String {
    let cut: String = text
        .trim()
        .chars()
        .filter(|c| *c != '\0')
        .take(AttackTask::BASE_CHARS)
        .collect();
    cut.trim_end().to_owned()
}

/// The words that say what a text is about, each once; all of them where none is long.
fn telling_words(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word: String = word.chars().take(LONGEST_WORD).collect();
        let known = |other: &String| other.to_lowercase() == word.to_lowercase();
        if !word.is_empty() && !all.iter().any(known) {
            all.push(word);
        }
    }
    let is_long = |word: &&String| word.chars().count() >= LONG_WORD;
    let long: Vec<String> = all.iter().filter(is_long).cloned().collect();
    if long.is_empty() { all } else { long }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn task(instructions: &str, weak_answers: &[&str]) -> AttackTask {
        let rubric = json!({"criteria": [
            {"name": "Cause", "reference_answers": ["Ice is lighter.", {"text": "It is less dense."}]},
            {"name": "Example", "reference_answers": ["A pond freezes from above."]}]});
        AttackTask {
            instructions: instructions.to_owned(),
            rubric: Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
            samples: Vec::new(),
            others: Vec::new(),
            language: "en".to_owned(),
            weak_answers: weak_answers.iter().map(|&text| text.to_owned()).collect(),
        }
    }

    #[test]
    fn what_the_teacher_wrote_comes_first_and_is_cut_to_what_is_read() {
        let long = "x".repeat(AttackTask::BASE_CHARS + 1);
        let given = ["  Ice is cold. ", " \n", "Water.", &long, "4", "5", "6"];
        let bases = task("Why does ice float?", &given).bases();
        assert_eq!(bases.len(), AttackTask::MOST_BASES);
        assert_eq!(bases[..2], ["Ice is cold.", "Water."]);
        assert_eq!(bases[2].chars().count(), AttackTask::BASE_CHARS);
    }

    #[rstest]
    #[case::long_words_first("Explain why ice floats on water.", &["Explain water", "floats"])]
    #[case::each_once("Water? water!", &["Water"])]
    #[case::no_long_word("Is it so?", &["Is so", "it"])]
    #[case::nothing_asked("", &["Example Cause"])]
    #[case::no_spaces("为什么冰会浮在水面上？", &["为什么冰会浮在水面上"])]
    fn without_weak_answers_there_are_texts_of_the_tasks_own_words(
        #[case] instructions: &str,
        #[case] expected: &[&str],
    ) {
        assert_eq!(task(instructions, &[" "]).bases(), expected);
    }

    #[test]
    fn model_answers_are_those_of_every_criterion() {
        let expected = [
            "Ice is lighter.",
            "It is less dense.",
            "A pond freezes from above.",
        ];
        assert_eq!(task("", &[]).references(), expected);
    }
}
