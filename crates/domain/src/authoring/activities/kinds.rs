//! What every kind of activity but the quiz lives on.

use super::reading::{Place, refuse_doubles};
use crate::text::LanguageTag;

/// Most speakers of a podcast.
const MAX_SPEAKERS: usize = 4;

/// Cards with two sides.
pub(super) fn flashcards(content: &Place<'_>) {
    let cards = content.objects("cards", 0);
    refuse_doubles(&cards);
    for card in &cards {
        card.id();
        card.text("front");
        card.text("back");
        card.optional_text("hint");
    }
}

/// Sections, what to keep in mind, and words explained.
pub(super) fn explainer(content: &Place<'_>) {
    let sections = content.objects("sections", 0);
    refuse_doubles(&sections);
    for section in &sections {
        section.id();
        section.optional_text("heading");
        section.text("body");
        // A picture is described in words, or is an object of the author's own making.
        if section
            .get("visual")
            .is_some_and(|visual| !visual.is_object())
        {
            section.optional_text("visual");
        }
    }
    content.texts("key_points", 0);
    for entry in content.optional_objects("glossary") {
        entry.text("term");
        entry.text("definition");
    }
}

/// Speakers, and what they say in turn.
pub(super) fn podcast(content: &Place<'_>) {
    language(content);
    let speakers = content.objects("speakers", 1);
    refuse_doubles(&speakers);
    if speakers.len() > MAX_SPEAKERS {
        content.wrong(
            "speakers",
            format!("must have at most {MAX_SPEAKERS} entries"),
        );
    }
    let mut known = Vec::new();
    for speaker in &speakers {
        known.push(speaker.id());
        speaker.text("name");
    }
    for segment in content.objects("segments", 0) {
        segment.optional_text("title");
        for turn in segment.objects("turns", 0) {
            let named = turn.text("speaker_id");
            if named.is_some_and(|id| !known.contains(&id)) {
                turn.wrong("speaker_id", "must be the id of one of the speakers");
            }
            turn.text("text");
        }
    }
    if let Some(audio) = content.optional_object("audio") {
        let status = audio.word("status", &["none", "pending", "ready", "error"]);
        if status == "ready" || !audio.optional_text("url").is_empty() {
            audio.address("url");
        }
        audio.optional_amount("duration_ms");
    }
}

/// Where it is, what is said in it, and where its parts begin.
pub(super) fn video(content: &Place<'_>) {
    content.address("url");
    for caption in content.optional_objects("captions") {
        language(&caption);
        caption.optional_text("label");
        caption.address("url");
    }
    for chapter in content.optional_objects("chapters") {
        chapter.text("title");
        chapter.optional_amount("start_seconds");
    }
}

/// A prompt, and how long an answer is to be.
pub(super) fn reflection(content: &Place<'_>) {
    content.text("prompt");
    content.optional_whole("min_words", super::MAX_WORDS);
}

fn language(place: &Place<'_>) {
    let tag = place.optional_text("language");
    if let Some(problem) = LanguageTag::parse(tag).err().filter(|_| !tag.is_empty()) {
        place.wrong("language", problem.to_string());
    }
}
