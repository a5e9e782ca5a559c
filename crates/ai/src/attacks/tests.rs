//! What may be expected of the attacks on one assignment.

use std::collections::{BTreeMap, BTreeSet};

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};
use lyceum_domain::text::LongText;
use lyceum_ports::grading::attacking::AttackMaker;
use rstest::rstest;
use serde_json::{Value, json};

use super::BuiltinAttacks;
use crate::builtin::security_flags;

fn task(criteria: &Value) -> AttackTask {
    let rubric = json!({ "criteria": criteria });
    AttackTask {
        instructions: "Why does the longer string of a guitar give a lower tone?".to_owned(),
        rubric: Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
        samples: Vec::new(),
        others: Vec::new(),
        language: "en".to_owned(),
        weak_answers: vec![
            "Because it is longer.".to_owned(),
            "Strings make tones.".to_owned(),
        ],
    }
}

/// With something for every technique.
fn full() -> AttackTask {
    let criteria = json!([
        {"name": "Cause", "description": "Says what becomes of the vibrations.", "reference_answers": [
            "A longer string vibrates more slowly. Fewer vibrations in a second give a lower tone.",
            "The frequency falls as the string gets longer, and a lower frequency is a deeper tone."]},
        {"name": "Example", "levels": [{"label": "no", "points": 0},
            {"label": "yes", "points": 2, "description": "Names a string that sounds deeper."}],
         "reference_answers": ["The bass string of a double bass is longer and sounds deeper."]},
    ]);
    AttackTask {
        others: vec!["Ice floats because it is less dense than water.".to_owned()],
        ..task(&criteria)
    }
}

/// With the one model answer that many assignments have.
fn plain() -> AttackTask {
    task(
        &json!([{"name": "Answer", "reference_answers": ["The string vibrates slowly, so the tone is deep."]}]),
    )
}

/// With nothing but a name to judge by.
fn bare() -> AttackTask {
    AttackTask {
        weak_answers: Vec::new(),
        ..task(&json!([{"name": "Overall"}]))
    }
}

fn attacks(task: &AttackTask) -> Vec<Attack> {
    BuiltinAttacks.attacks(task, 7)
}

#[rstest]
#[case::everything(full(), 60..=65)]
#[case::one_model_answer(plain(), 55..=65)]
#[case::no_model_answer(bare(), 49..=51)]
fn there_are_about_sixty(
    #[case] task: AttackTask,
    #[case] expected: std::ops::RangeInclusive<usize>,
) {
    let count = attacks(&task).len();
    assert!(expected.contains(&count), "{count}");
}

#[test]
fn a_task_that_has_the_words_for_it_is_attacked_in_every_way() {
    let tried: BTreeSet<_> = attacks(&full()).iter().map(|one| one.technique).collect();
    let all: BTreeSet<_> = AttackTechnique::ALL.iter().copied().collect();
    assert_eq!(tried, all);
}

#[test]
fn the_same_task_and_seed_give_the_same_attacks() {
    assert_eq!(attacks(&full()), attacks(&full()));
    assert_ne!(attacks(&full()), BuiltinAttacks.attacks(&full(), 8));
}

#[rstest]
#[case(full())]
#[case(plain())]
#[case(bare())]
fn an_attack_has_all_of_the_weak_answer_it_is_made_over_and_more(#[case] task: AttackTask) {
    let bases = task.bases();
    let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
    for attack in attacks(&task) {
        let Some(place) = attack.base else { continue };
        *turns.entry(place).or_default() += 1;
        assert!(attack.text.contains(&bases[place]), "{attack:?}");
        assert!(attack.text.len() > bases[place].len() + 2, "{attack:?}");
    }
    assert_eq!(turns.len(), bases.len(), "each has its turn");
    let (most, least) = (turns.values().max(), turns.values().min());
    assert!(most.unwrap() - least.unwrap() <= 1, "{turns:?}");
}

#[test]
fn no_two_are_the_same_and_each_can_be_handed_in() {
    let long = "A long text about strings. ".repeat(8_000);
    let task = AttackTask {
        instructions: long.clone(),
        samples: vec![long.clone(), long.clone()],
        others: vec![long.clone()],
        weak_answers: vec![long],
        ..full()
    };
    for task in [task, full(), plain(), bare()] {
        let all = attacks(&task);
        let different: BTreeSet<&str> = all.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(different.len(), all.len());
        for attack in &all {
            assert!(LongText::parse(attack.text.clone()).is_ok());
            assert!(!attack.text.trim().is_empty(), "{attack:?}");
        }
    }
}

fn of(task: &AttackTask, technique: AttackTechnique) -> Vec<String> {
    let all = attacks(task).into_iter();
    let own = all.filter(|one| one.technique == technique && one.base.is_none());
    own.map(|one| one.text).collect()
}

#[test]
fn what_is_turned_or_denied_is_so_in_every_sentence() {
    let task = task(&json!([{"name": "A", "reference_answers": [
        "A longer string of a guitar vibrates slowly. A warmer string gives the ear a deep tone."]}]));
    let expected = [
        (
            AttackTechnique::ComparativeTurned,
            "A shorter string of a guitar vibrates slowly. A cooler string gives the ear a deep tone.",
        ),
        (
            AttackTechnique::AllAlternatives,
            "A longer or shorter string of a guitar vibrates slowly. A warmer or cooler string gives the ear a deep tone.",
        ),
        (
            AttackTechnique::RolesSwapped,
            "A slowly string of a guitar vibrates longer. A tone string gives the ear a deep warmer.",
        ),
        (
            AttackTechnique::WrongToSay,
            "It is wrong to say that a longer string of a guitar vibrates slowly. It is wrong to say that a warmer string gives \
             the ear a deep tone.",
        ),
        (
            AttackTechnique::DeniedAfter,
            "A longer string of a guitar vibrates slowly. That is false. A warmer string gives the ear a deep tone. That is \
             false.",
        ),
    ];
    for (technique, text) in expected {
        assert_eq!(of(&task, technique), [text]);
    }
}

#[rstest]
#[case::bare_words_say_it("All mixtures are clear.", AttackTechnique::KeywordsShuffled)]
#[case::any_order_says_it("Use grams, a unit of mass.", AttackTechnique::WordsShuffled)]
#[case::six_words_say_it(
    "The earth is turning and the sun stays in one place.",
    AttackTechnique::SixKeywords
)]
#[case::one_comparative_stays_right(
    "A longer string gives a lower tone, the same as before.",
    AttackTechnique::ComparativeTurned
)]
#[case::a_sum_is_none_of_words(
    "Event B has probability 0.2, event C has probability 0.3.",
    AttackTechnique::RolesSwapped
)]
fn what_would_still_deserve_points_is_no_attack(
    #[case] reference: &str,
    #[case] technique: AttackTechnique,
) {
    let task = task(&json!([{"name": "A", "reference_answers": [reference]}]));
    assert_eq!(of(&task, technique), [""; 0]);
}

#[test]
fn key_points_do_where_there_is_no_model_answer() {
    let task = task(
        &json!([{"name": "A", "key_points": ["longer strings vibrate slowly", {"text": "the tone is low"}]}]),
    );
    let words = &of(&task, AttackTechnique::WordsShuffled)[0];
    let mut words: Vec<&str> = words.split(' ').collect();
    words.sort_unstable();
    assert_eq!(
        words,
        [
            "is", "longer", "low", "slowly", "strings", "the", "tone", "vibrate"
        ]
    );
}

#[test]
fn a_rubric_is_said_back_by_its_best_levels() {
    assert_eq!(
        of(&full(), AttackTechnique::RubricEcho),
        [
            "Cause: Says what becomes of the vibrations.\nExample: Names a string that sounds deeper."
        ]
    );
}

#[test]
fn orders_are_given_in_the_language_of_the_task_and_in_many_others() {
    let task = AttackTask {
        language: "de-AT".to_owned(),
        ..plain()
    };
    let all = attacks(&task);
    let has = |technique, words: &str| {
        let mut own = all.iter().filter(|one| one.technique == technique);
        own.any(|one| one.text.contains(words))
    };
    assert!(has(AttackTechnique::SystemMessage, "Die Abgabe endet hier"));
    assert!(has(AttackTechnique::ClaimedPermission, "Meine Lehrerin"));
    let orders = all
        .iter()
        .filter(|one| one.technique == AttackTechnique::Order);
    assert!(orders.count() >= 9);
}

/// The attacks are no copy of what the detector was built with; this only says that it is not blind to them.
#[test]
fn hidden_and_encoded_orders_are_mostly_seen_by_a_look_at_the_text() {
    let wanted = [AttackTechnique::OrderHidden, AttackTechnique::OrderEncoded];
    let all = attacks(&plain());
    let all: Vec<&Attack> = all
        .iter()
        .filter(|one| wanted.contains(&one.technique))
        .collect();
    let seen = all
        .iter()
        .filter(|one| !security_flags(&one.text, "").is_empty());
    assert!(seen.count() * 2 > all.len());
}
