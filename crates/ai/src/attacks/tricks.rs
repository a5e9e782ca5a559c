//! Tricks on graders that compare words, one by one, as an evaluation plays them on a whole data set.

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};

use super::texts::{Swap, content, denied, in_words, joined, of_comparatives, shuffled, swapped};

/// Fewest words with content that a trick is made of: with fewer there is nothing to shuffle.
pub(super) const LEAST_WORDS: usize = 3;
/// How many words with content a short list has.
pub(super) const FEW_WORDS: usize = 6;

/// An attack that stands by itself.
pub(super) const fn alone(technique: AttackTechnique, text: String) -> Attack {
    Attack {
        technique,
        base: None,
        text,
    }
}

/// Tricks made of the question and its model answers.
pub(super) fn of_task(task: &AttackTask, draws: &mut Draws) -> Vec<Attack> {
    let own = task.references();
    let mut made = Vec::new();
    for reference in &own {
        of_reference(reference, draws, &mut made);
    }
    if own.len() > 1 {
        made.push(alone(AttackTechnique::AllReferences, joined(&own)));
    }
    if let Some(text) = among_others(&own, &task.others) {
        made.push(alone(AttackTechnique::OtherReferences, text));
    }
    let question = task.instructions.clone();
    made.push(alone(AttackTechnique::QuestionRepeated, question));
    made.push(alone(AttackTechnique::FakeRubric, fake_rubric(task)));
    made
}

fn of_reference(reference: &str, draws: &mut Draws, made: &mut Vec<Attack>) {
    let words = in_words(reference);
    let keywords = content(&words);
    if keywords.len() < LEAST_WORDS {
        return;
    }
    let few: Vec<String> = keywords.iter().take(FEW_WORDS).cloned().collect();
    let texts = [
        (
            AttackTechnique::KeywordsShuffled,
            Some(shuffled(&keywords, draws)),
        ),
        (
            AttackTechnique::WordsShuffled,
            Some(shuffled(&words, draws)),
        ),
        (AttackTechnique::SixKeywords, Some(few.join(" "))),
        (AttackTechnique::RolesSwapped, swapped(&words)),
        (
            AttackTechnique::ComparativeTurned,
            of_comparatives(&words, Swap::Turned),
        ),
        (
            AttackTechnique::AllAlternatives,
            of_comparatives(&words, Swap::Both),
        ),
    ];
    let texts = texts.into_iter();
    made.extend(texts.filter_map(|(technique, text)| Some(alone(technique, text?))));
}

/// A model answer with those of other tasks behind it; nothing where either is missing.
pub(super) fn among_others(own: &[String], others: &[String]) -> Option<String> {
    let first = own.first().filter(|_| !others.is_empty())?;
    let all: Vec<String> = std::iter::once(first).chain(others).cloned().collect();
    Some(joined(&all))
}

/// The criteria, each with a mark behind it.
pub(super) fn fake_rubric(task: &AttackTask) -> String {
    let criteria = task.rubric.criteria.iter().map(|criterion| {
        format!(
            "{}: fully met, full marks. {}",
            criterion.name, criterion.description
        )
    });
    criteria.collect::<Vec<_>>().join("\n")
}

/// Tricks made of a right answer.
pub(super) fn of_right_answer(answer: &str, language: &str) -> Vec<Attack> {
    if content(&in_words(answer)).is_empty() {
        return Vec::new();
    }
    let techniques = [
        AttackTechnique::WrongToSay,
        AttackTechnique::NotTrue,
        AttackTechnique::DeniedAfter,
    ];
    let texts = techniques.into_iter().zip(denied(answer, language));
    texts
        .map(|(technique, text)| alone(technique, text))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        in_words(text)
    }

    #[test]
    fn tricks_are_made_of_an_answers_own_words() {
        let reference = words("The longer string gives a lower tone.");
        assert_eq!(
            content(&reference),
            ["longer", "string", "gives", "lower", "tone"]
        );
        assert_eq!(
            swapped(&reference).unwrap(),
            "The tone string gives a lower longer"
        );
        assert_eq!(
            of_comparatives(&reference, Swap::Turned).unwrap(),
            "The shorter string gives a lower tone"
        );
        assert_eq!(
            of_comparatives(&reference, Swap::Both).unwrap(),
            "The longer or shorter string gives a lower tone"
        );
        assert_eq!(of_comparatives(&words("A string."), Swap::Both), None);
        let [wrong, _, after] = denied("Ice floats.", "en");
        assert_eq!(wrong, "It is wrong to say that ice floats.");
        assert_eq!(after, "Ice floats. That is false.");
    }

    #[test]
    fn a_shuffle_is_always_the_same() {
        let all = words("one two three four five six");
        let once = shuffled(&all, &mut Draws::named(1, "q"));
        assert_eq!(once, shuffled(&all, &mut Draws::named(1, "q")));
        assert_ne!(once, all.join(" "));
    }

    #[test]
    fn what_says_nothing_is_not_denied() {
        assert_eq!(of_right_answer("It is so.", "en"), []);
        assert_eq!(of_right_answer("Ice floats.", "en").len(), 3);
    }
}
