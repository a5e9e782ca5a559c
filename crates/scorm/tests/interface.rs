//! What the interface says: the same things in every language, and nothing that nobody asks for.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

const LANGUAGES: [&str; 7] = ["en", "es", "pt", "fr", "de", "it", "ar"];

fn player() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/player"))
}

fn strings(language: &str) -> BTreeMap<String, String> {
    let file = player().join(format!("i18n/{language}.json"));
    let strings: BTreeMap<String, Value> =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let text = |(key, value): (String, Value)| (key, value.as_str().unwrap().to_owned());
    strings.into_iter().map(text).collect()
}

/// All scripts of the player, one after the other.
fn scripts() -> String {
    let mut files: Vec<PathBuf> = fs::read_dir(player().join("js"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect()
}

/// The names in braces.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|piece| piece.split('}').next())
        .collect()
}

#[test]
fn every_language_says_everything() {
    let english = strings("en");
    for language in LANGUAGES {
        let own = strings(language);
        let keys = |strings: &BTreeMap<String, String>| -> BTreeSet<String> {
            strings.keys().cloned().collect()
        };
        assert_eq!(keys(&own), keys(&english), "{language}");
        for (key, text) in &own {
            assert!(!text.trim().is_empty(), "{language}: {key}");
            assert_eq!(
                placeholders(text),
                placeholders(&english[key]),
                "{language}: {key}"
            );
        }
    }
}

#[test]
fn languages_are_not_left_in_english() {
    let english = strings("en");
    for language in LANGUAGES.into_iter().filter(|language| *language != "en") {
        let own = strings(language);
        let same = own.iter().filter(|(key, text)| english[*key] == **text);
        let same: Vec<_> = same.map(|(key, _)| key.as_str()).collect();
        // "Podcast", "Quiz", "Video" and "{n} min" are the same in many languages; sentences are not.
        assert!(same.len() <= 12, "{language}: {same:?}");
    }
}

#[test]
fn every_string_is_asked_for_and_every_one_asked_for_is_there() {
    let scripts = scripts();
    let english = strings("en");
    for key in english.keys() {
        let kind = key.starts_with("kind_");
        assert!(
            kind || scripts.contains(&format!("\"{key}\"")),
            "nobody says {key}"
        );
    }
    let pieces: Vec<&str> = scripts.split("t(\"").collect();
    for pair in pieces.windows(2) {
        let [before, call] = pair else { continue };
        let whole_name = !before.ends_with(|letter: char| letter.is_ascii_alphanumeric());
        let (key, rest) = call.split_once('"').unwrap_or_default();
        if whole_name && rest.starts_with([')', ',']) {
            assert!(english.contains_key(key), "{key}");
        }
    }
}
