//! Flashcards from sentences that say what something is.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::json;

use super::Labels;
use super::content;
use super::defining::definition;
use crate::language::Language;
use crate::words::fold;

/// Most cards of one activity.
const MAX_CARDS: usize = 20;

/// Terms and what the sentences say they are.
pub(crate) fn pairs(facts: &[String], language: Language) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let ours = |fact: &&String| !Labels::is_label(fact);
    for one in facts
        .iter()
        .filter(ours)
        .filter_map(|fact| definition(fact, language))
    {
        let known = found.iter().any(|(term, _)| fold(term) == fold(&one.term));
        if !known && !one.meaning.is_empty() && found.len() < MAX_CARDS {
            found.push((one.term, one.meaning));
        }
    }
    found
}

/// The cards as an activity's content.
pub(crate) fn cards(pairs: &[(String, String)]) -> Option<ActivityContent> {
    let cards: Vec<_> = pairs
        .iter()
        .enumerate()
        .map(|(index, (front, back))| json!({"id": format!("f{}", index + 1), "front": front, "back": back}))
        .collect();
    content(ActivityKind::Flashcards, json!({ "cards": cards }))
}
