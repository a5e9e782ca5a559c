//! The tricks on one assignment, made so that they deserve nothing: a grader that gives points for what a person would give points
//! for has been tricked by nobody.
//!
//! So every sentence of a model answer is turned or denied, where a trick of [`super::tricks`] turns the first one and leaves the rest
//! right; and of an answer so short that its bare words say it no keywords are taken. Each trick is made twice, by itself and
//! behind a weak answer.

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};

use super::bases::{Bases, clipped};
use super::texts::{
    Swap, comparatives, content, denied, in_words, joined, of_comparatives, shuffled, swapped,
};
use super::tricks::{FEW_WORDS, LEAST_WORDS, alone, among_others, fake_rubric};
use lyceum_domain::text::sentences::sentences;

/// Most model answers that are drawn from.
const MOST_MODELS: usize = 8;
/// Fewest words with content whose meaning is gone with their order.
const SHUFFLED_WORDS: usize = 6;
/// Fewest words with content of which six say little.
const MANY_WORDS: usize = 2 * FEW_WORDS;
/// Fewest words with content, and most words, of a sentence in which two in each other's place leave no sense.
const SWAPPED_CONTENT: usize = 5;
const SWAPPED_WORDS: usize = 20;

/// Makes a text of a model answer in a language; none where it has not the words for it.
type Recipe = fn(&str, &str, &mut Draws) -> Option<String>;

const RECIPES: [(AttackTechnique, Recipe); 9] = [
    (AttackTechnique::KeywordsShuffled, |model, _, draws| {
        Some(shuffled(&keywords(model, SHUFFLED_WORDS)?, draws))
    }),
    (AttackTechnique::WordsShuffled, |model, _, draws| {
        keywords(model, SHUFFLED_WORDS)?;
        Some(shuffled(&in_words(model), draws))
    }),
    (AttackTechnique::SixKeywords, |model, _, draws| {
        let words = keywords(model, MANY_WORDS)?;
        let from = draws.below(words.len().saturating_sub(FEW_WORDS) + 1);
        let few = words.into_iter().skip(from).take(FEW_WORDS);
        Some(few.collect::<Vec<_>>().join(" "))
    }),
    (AttackTechnique::RolesSwapped, |model, _, _| {
        each(model, in_swapped_roles)
    }),
    (AttackTechnique::ComparativeTurned, |model, _, _| {
        each(model, |one| of_one_comparative(one, Swap::Turned))
    }),
    (AttackTechnique::AllAlternatives, |model, _, _| {
        each(model, |one| of_one_comparative(one, Swap::Both))
    }),
    (AttackTechnique::WrongToSay, |model, language, _| {
        each(model, |one| {
            denial(one, language).map(|[wrong, _, _]| wrong)
        })
    }),
    (AttackTechnique::NotTrue, |model, language, _| {
        each(model, |one| denial(one, language).map(|[_, not, _]| not))
    }),
    (AttackTechnique::DeniedAfter, |model, language, _| {
        each(model, |one| {
            denial(one, language).map(|[_, _, after]| after)
        })
    }),
];

/// Every trick that there are words for.
pub(super) fn all(task: &AttackTask, bases: &mut Bases, draws: &Draws) -> Vec<Attack> {
    let models = models(task);
    let mut made = Vec::new();
    for (technique, recipe) in RECIPES {
        let mut draws = draws.apart(technique.as_str());
        let from = draws.below(models.len());
        let mut brew = |from: usize| {
            let mut round = models.iter().cycle().skip(from).take(models.len());
            round.find_map(|model| recipe(model, &task.language, &mut draws))
        };
        let by_itself = brew(from).map(|text| alone(technique, clipped(&text)));
        made.extend(by_itself);
        made.extend(brew(from + 1).map(|text| bases.behind(technique, &text)));
    }
    made.extend(pasted(task));
    for (technique, text) in said_back(task) {
        if !text.trim().is_empty() {
            made.push(alone(technique, clipped(&text)));
            made.push(bases.behind(technique, &text));
        }
    }
    made
}

/// Model answers one after the other: all of this task where there are several, and those of other tasks.
fn pasted(task: &AttackTask) -> Vec<Attack> {
    let own: Vec<String> = task.references().into_iter().chain(samples(task)).collect();
    let several = task.rubric.criteria.iter();
    let several = several.map(|criterion| criterion.texts("reference_answers").len());
    let several = several.chain([samples(task).count()]).any(|own| own > 1);
    let all = several.then(|| joined(&own));
    let others = among_others(&own, &task.others);
    let made = [
        (AttackTechnique::AllReferences, all),
        (AttackTechnique::OtherReferences, others),
    ];
    let made = made.into_iter();
    made.filter_map(|(technique, text)| Some(alone(technique, clipped(&text?))))
        .collect()
}

/// What the teacher wrote for everybody to see.
fn said_back(task: &AttackTask) -> [(AttackTechnique, String); 3] {
    [
        (AttackTechnique::QuestionRepeated, task.instructions.clone()),
        (AttackTechnique::FakeRubric, fake_rubric(task)),
        (AttackTechnique::RubricEcho, echo(task)),
    ]
}

/// What the best level of each criterion asks for, or else the criterion, as if it were done.
fn echo(task: &AttackTask) -> String {
    let criteria = task.rubric.criteria.iter().filter_map(|criterion| {
        let best = criterion.levels.iter().max_by_key(|level| level.points);
        let best = best.map(|level| level.description.as_str());
        let asked = best.filter(|text| !text.trim().is_empty());
        let asked = asked.unwrap_or(&criterion.description).trim();
        (!asked.is_empty()).then(|| format!("{}: {asked}", criterion.name))
    });
    criteria.collect::<Vec<_>>().join("\n")
}

/// Whole model answers, each with something for every criterion that has any; of key points where there are none.
fn models(task: &AttackTask) -> Vec<String> {
    let of = |member: &str| -> Vec<Vec<String>> {
        let criteria = task.rubric.criteria.iter();
        let texts = criteria.map(|criterion| criterion.texts(member));
        texts.filter(|texts| !texts.is_empty()).collect()
    };
    let references = of("reference_answers");
    let variants = references.iter().map(Vec::len).max().unwrap_or_default();
    let whole = (0..variants.min(MOST_MODELS)).map(|variant| {
        let each = references.iter();
        let each = each.filter_map(|texts| texts.iter().cycle().nth(variant).cloned());
        joined(&each.collect::<Vec<_>>())
    });
    let models: Vec<String> = whole.chain(samples(task)).take(MOST_MODELS).collect();
    let points: Vec<String> = of("key_points").into_iter().flatten().collect();
    if models.is_empty() && !points.is_empty() {
        return vec![joined(&points)];
    }
    models
}

fn samples(task: &AttackTask) -> impl Iterator<Item = String> {
    let said = |text: &&String| !text.trim().is_empty();
    task.samples.iter().filter(said).cloned()
}

/// The words of a model answer that have content; none where there are fewer than so many.
fn keywords(model: &str, least: usize) -> Option<Vec<String>> {
    let words = content(&in_words(model));
    (words.len() >= least).then_some(words)
}

/// A sentence with its first and last word of content in each other's place; none of a short, a long or a reckoning one.
fn in_swapped_roles(sentence: &str) -> Option<String> {
    let words = in_words(sentence);
    let reckons = sentence.contains(|c: char| c.is_numeric() || c == '=');
    let fits = words.len() <= SWAPPED_WORDS && content(&words).len() >= SWAPPED_CONTENT;
    (fits && !reckons).then(|| swapped(&words))?
}

/// A sentence with its comparative turned, or beside its opposite; none of one with several, of which one would stay right.
fn of_one_comparative(sentence: &str, swap: Swap) -> Option<String> {
    let words = in_words(sentence);
    (comparatives(&words) == 1).then(|| of_comparatives(&words, swap))?
}

/// A sentence denied in three ways; none of one that says nothing.
fn denial(sentence: &str, language: &str) -> Option<[String; 3]> {
    let says_something = content(&in_words(sentence)).len() >= LEAST_WORDS;
    says_something.then(|| denied(sentence, language))
}

/// What becomes of each sentence that something can be made of; none where nothing can.
fn each(model: &str, turn: impl Fn(&str) -> Option<String>) -> Option<String> {
    let made: Vec<String> = sentences(model)
        .iter()
        .filter_map(|sentence| turn(sentence.text))
        .collect();
    (!made.is_empty()).then(|| joined(&made))
}
