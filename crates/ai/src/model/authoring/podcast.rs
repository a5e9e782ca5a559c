//! Podcast scripts from a model: spoken words of two invented people who say that they are none.

use lyceum_domain::drafting::drafts::ActivitiesTask;
use serde::Deserialize;
use serde_json::{Value, json};

use super::texts::{is_address, overlap, word_count};
use super::{Broken, key_points, parsed};
use crate::language::Language;
use crate::outline::Labels;

/// Words spoken in a minute.
const WORDS_PER_MINUTE: usize = 150;
/// Minutes of an episode.
pub(in crate::model) const MINUTES: usize = 5;
/// Words of an episode: 15 per cent more or less than the minutes take.
pub(in crate::model) const WORDS: std::ops::RangeInclusive<usize> =
    MINUTES * WORDS_PER_MINUTE * 85 / 100..=MINUTES * WORDS_PER_MINUTE * 115 / 100;
/// Words within which listeners learn that the voices are synthetic: half a minute.
const DISCLOSED_WITHIN: usize = WORDS_PER_MINUTE / 2;
/// Longest segment, in characters: what one request for speech takes.
const SEGMENT_CHARS: usize = 900;
/// Most segments in a row by one speaker.
const IN_A_ROW: usize = 3;
/// Share of a key point's words that the script must have.
const MENTIONED: f64 = 0.5;

#[derive(Deserialize)]
struct Podcast {
    summary: String,
    speakers: Vec<Speaker>,
    segments: Vec<Segment>,
    show_notes: Vec<String>,
}

#[derive(Deserialize)]
struct Speaker {
    id: String,
    name: String,
    voice_hint: String,
}

#[derive(Deserialize)]
struct Segment {
    speaker: String,
    text: String,
    section: String,
}

/// Reads one script; the rules it breaks otherwise.
pub(super) fn read(one: &Value, task: &ActivitiesTask) -> Result<Value, Broken> {
    let podcast: Podcast = parsed(one)?;
    let broken = broken_rules(&podcast, task);
    if !broken.is_empty() {
        return Err(broken);
    }
    let labels = Labels::known(Language::of_tag(task.frame.language.as_str()));
    let speakers: Vec<Value> = podcast
        .speakers
        .iter()
        .map(|one| json!({"id": one.id, "name": one.name, "voice_hint": one.voice_hint}))
        .collect();
    Ok(json!({
        "language": task.frame.language.as_str(),
        "summary": podcast.summary,
        "speakers": speakers,
        "segments": segments(&podcast, labels),
        "show_notes": podcast.show_notes,
        "audio": {"status": "none"},
    }))
}

fn broken_rules(podcast: &Podcast, task: &ActivitiesTask) -> Broken {
    let language = Language::of_tag(task.frame.language.as_str());
    let mut broken = broken_form(podcast);
    broken.extend(podcast.segments.iter().filter_map(broken_segment));
    let script = script(podcast);
    let words = word_count(&script);
    if !WORDS.contains(&words) {
        let (least, most) = (WORDS.start(), WORDS.end());
        broken.push(format!(
            "the script must have {least} to {most} words, not {words}"
        ));
    }
    if !is_disclosed(podcast, &script, language) {
        broken.push(
            "listeners must be told in the first 30 seconds, and in show_notes, that the voices are synthetic"
                .to_owned(),
        );
    }
    for point in key_points(task) {
        if overlap(&point, &script, language) < MENTIONED {
            broken.push(format!("the script must mention {point:?}"));
        }
    }
    broken
}

fn broken_form(podcast: &Podcast) -> Broken {
    let mut broken = Broken::new();
    let mut speakers: Vec<&str> = podcast.speakers.iter().map(|one| one.id.as_str()).collect();
    speakers.sort_unstable();
    let named = podcast
        .speakers
        .iter()
        .all(|one| !one.name.trim().is_empty());
    if speakers != ["guest", "host"] || !named {
        broken.push("there must be one host and one guest, each with a name".to_owned());
    }
    let strangers = podcast
        .segments
        .iter()
        .any(|segment| !speakers.contains(&segment.speaker.as_str()));
    if strangers {
        broken.push("every segment must be spoken by one of the speakers".to_owned());
    }
    let sections: Vec<&str> = podcast
        .segments
        .iter()
        .map(|segment| segment.section.as_str())
        .collect();
    let mut parts = sections.clone();
    parts.dedup();
    if parts.first() != Some(&"intro") || !parts.ends_with(&["recap", "outro"]) {
        broken.push("the script must start with the intro and end with recap and outro".to_owned());
    }
    let monologue = podcast
        .segments
        .chunk_by(|a, b| a.speaker == b.speaker)
        .any(|run| run.len() > IN_A_ROW);
    if monologue {
        broken.push("nobody may speak more than 3 segments in a row".to_owned());
    }
    broken
}

fn broken_segment(segment: &Segment) -> Option<String> {
    let text = segment.text.trim();
    let start: String = text.chars().take(40).collect();
    let rule = if text.is_empty() {
        "must not be empty"
    } else if text.chars().count() > SEGMENT_CHARS {
        "must have at most 900 characters"
    } else if text.contains(['[', ']', '(', ')', '{', '}', '<', '>'])
        || text.contains(['*', '_', '`', '#', '|'])
    {
        "must hold spoken words only: no brackets and no Markdown"
    } else if text.contains(['%', '°', '€', '$', '£', '&', '=', '+', '/', '@', '§'])
        || text.contains(|c: char| c.is_ascii_digit())
    {
        "must spell out numbers and symbols"
    } else if text.split_whitespace().any(is_address) {
        "must hold no addresses"
    } else {
        return None;
    };
    Some(format!("the segment that starts with {start:?} {rule}"))
}

fn script(podcast: &Podcast) -> String {
    let texts: Vec<&str> = podcast
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    texts.join("\n")
}

/// Whether the script's beginning and the show notes say what the voices are.
fn is_disclosed(podcast: &Podcast, script: &str, language: Language) -> bool {
    let signs = synthetic(language);
    let says = |text: &str| {
        let lower = text.to_lowercase();
        signs.iter().any(|sign| lower.contains(sign))
    };
    let beginning: Vec<&str> = script.split_whitespace().take(DISCLOSED_WITHIN).collect();
    signs.is_empty()
        || (says(&beginning.join(" ")) && podcast.show_notes.iter().any(|note| says(note)))
}

/// Beginnings of words for voices that no person has; none where we do not know the language.
const fn synthetic(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "synthetic",
            "artificial",
            "computer-generated",
            "computer generated",
            "ai-generated",
        ],
        Language::German => &[
            "synthetisch",
            "künstlich",
            "computerstimme",
            "computergeneriert",
            "ki-stimme",
        ],
        Language::Spanish => &["sintétic", "artificial", "generadas por"],
        Language::French => &["synthétique", "de synthèse", "artificiel", "générées par"],
        Language::Italian => &["sintetic", "artificial", "generate da"],
        Language::Portuguese => &["sintétic", "artificia", "geradas por"],
        Language::Arabic | Language::Other => &[],
    }
}

/// Neighbouring segments of one section as one part of ours, with a title where we know the language.
fn segments(podcast: &Podcast, labels: Option<&Labels>) -> Vec<Value> {
    podcast
        .segments
        .chunk_by(|a, b| a.section == b.section)
        .map(|part| {
            let turns: Vec<Value> = part
                .iter()
                .map(|one| json!({"speaker_id": one.speaker, "text": one.text.trim()}))
                .collect();
            let section = part.first().map_or("", |segment| segment.section.as_str());
            let mut document = json!({ "turns": turns });
            let title = labels.and_then(|labels| labels.podcast_part(section));
            if let (Some(title), Value::Object(members)) = (title, &mut document) {
                members.insert("title".to_owned(), json!(title));
            }
            document
        })
        .collect()
}
