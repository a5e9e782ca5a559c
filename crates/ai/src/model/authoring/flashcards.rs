//! Flashcards from a model: one fact each, from the lesson.

use lyceum_domain::drafting::drafts::ActivitiesTask;
use serde::Deserialize;
use serde_json::{Value, json};

use super::texts::{folded, stands_in, word_count};
use super::{Broken, parsed, source_of};

/// Most words of a back.
const BACK_WORDS: usize = 40;
/// How many cards there are.
const CARDS: std::ops::RangeInclusive<usize> = 2..=20;

#[derive(Deserialize)]
struct Flashcards {
    cards: Vec<Card>,
}

#[derive(Deserialize)]
struct Card {
    id: String,
    front: String,
    back: String,
    hint: Option<String>,
    kind: String,
    source_quote: String,
}

/// Reads one set of cards; the rules it breaks otherwise.
pub(super) fn read(one: &Value, task: &ActivitiesTask) -> Result<Value, Broken> {
    let set: Flashcards = parsed(one)?;
    let mut broken = broken_set(&set, task);
    let cards = set.cards.iter();
    broken.extend(cards.filter_map(|card| broken_card(card, source_of(task))));
    if !broken.is_empty() {
        return Err(broken);
    }
    let cards: Vec<Value> = (1..).zip(&set.cards).map(written).collect();
    Ok(json!({ "cards": cards }))
}

fn broken_set(set: &Flashcards, task: &ActivitiesTask) -> Broken {
    let mut broken = Broken::new();
    let said = task.items.and_then(|items| usize::try_from(items).ok());
    let allowed = said.map_or(CARDS, |most| 1..=most);
    if !allowed.contains(&set.cards.len()) {
        let (least, most) = (allowed.start(), allowed.end());
        broken.push(format!("there must be {least} to {most} cards"));
    }
    let distinct = |member: fn(&Card) -> String| {
        let mut all: Vec<String> = set.cards.iter().map(member).collect();
        all.sort();
        all.dedup();
        all.len() == set.cards.len()
    };
    if !distinct(|card| folded(&card.front)) {
        broken.push("the fronts of cards must differ".to_owned());
    }
    if !distinct(|card| card.id.clone()) {
        broken.push("the ids of cards must differ".to_owned());
    }
    broken
}

fn broken_card(card: &Card, source: &str) -> Option<String> {
    let (front, back) = (folded(&shown_front(card)), folded(&card.back));
    let blanks = card.front.matches("{{").count();
    let rule = if front.is_empty() || back.is_empty() {
        "needs a front and a back"
    } else if word_count(&card.back) > BACK_WORDS {
        "must have a back of at most 40 words"
    } else if card.kind == "cloze" && (blanks != 1 || shown_front(card) == card.front) {
        "of kind cloze needs exactly one {{…}} on the front"
    } else if card.kind != "cloze" && blanks > 0 {
        "has {{…}} but is not of kind cloze"
    } else if holds(&front, &back) {
        "must not say its back on the front"
    } else if !source.trim().is_empty() && !stands_in(&card.source_quote, source) {
        "needs a source_quote that stands in the lesson, word for word"
    } else {
        return None;
    };
    Some(format!("card {:?} {rule}", card.id))
}

/// Whether a text has another in it as whole words.
fn holds(text: &str, part: &str) -> bool {
    let words = |text: &str| {
        let all = text.split(|c: char| !c.is_alphanumeric());
        let all: Vec<&str> = all.filter(|word| !word.is_empty()).collect();
        format!(" {} ", all.join(" "))
    };
    words(text).contains(&words(part))
}

/// The front as learners see it: with a gap where a cloze has its braces.
fn shown_front(card: &Card) -> String {
    let gap = card.front.split_once("{{").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("}}")?;
        Some(format!("{before}____{after}"))
    });
    gap.filter(|_| card.kind == "cloze")
        .unwrap_or_else(|| card.front.clone())
}

fn written((number, card): (usize, &Card)) -> Value {
    let mut document = json!({
        "id": format!("f{number}"),
        "front": shown_front(card),
        "back": card.back,
        "kind": card.kind,
        "source_quote": card.source_quote,
    });
    let hint = card.hint.as_ref().filter(|hint| !hint.trim().is_empty());
    if let (Some(hint), Value::Object(members)) = (hint, &mut document) {
        members.insert("hint".to_owned(), json!(hint));
    }
    document
}
