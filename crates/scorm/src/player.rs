//! The player as it is packed: sources joined in a fixed order and named by what is in them.
//!
//! Nothing is minified or downloaded, and no third-party code may enter: what runs in a learner's browser is
//! readable in `player/`.

use lyceum_markdown::Labels;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{hex, text};

/// The order is that of dependence, but for the link to the service: the course starts once all of it is read.
const SCRIPTS: &[&str] = &[
    include_str!("../player/js/01-dom.js"),
    include_str!("../player/js/01-texts.js"),
    include_str!("../player/js/02-lms.js"),
    include_str!("../player/js/03-state.js"),
    include_str!("../player/js/04-report.js"),
    include_str!("../player/js/05-questions.js"),
    include_str!("../player/js/06-quiz.js"),
    include_str!("../player/js/07-activities.js"),
    include_str!("../player/js/07-flashcards.js"),
    include_str!("../player/js/07-recordings.js"),
    include_str!("../player/js/08-assignment.js"),
    include_str!("../player/js/09-menu.js"),
    include_str!("../player/js/10-views.js"),
    include_str!("../player/js/11-player.js"),
    include_str!("../player/js/12-service.js"),
    include_str!("../player/js/13-outbox.js"),
    include_str!("../player/js/14-answers.js"),
    include_str!("../player/js/15-grades.js"),
    include_str!("../player/js/16-tutor.js"),
    include_str!("../player/js/17-live.js"),
];

const STYLES: [&str; 5] = [
    include_str!("../player/css/01-base.css"),
    lyceum_markdown::STYLE,
    include_str!("../player/css/02-layout.css"),
    include_str!("../player/css/03-activities.css"),
    include_str!("../player/css/04-service.css"),
];

/// A language and its interface strings as JSON.
pub type Strings = (&'static str, &'static str);

const LANGUAGES: [Strings; 7] = [
    ("en", include_str!("../player/i18n/en.json")),
    ("ar", include_str!("../player/i18n/ar.json")),
    ("de", include_str!("../player/i18n/de.json")),
    ("es", include_str!("../player/i18n/es.json")),
    ("fr", include_str!("../player/i18n/fr.json")),
    ("it", include_str!("../player/i18n/it.json")),
    ("pt", include_str!("../player/i18n/pt.json")),
];

/// English, and the course's own language if the player speaks it; the last one is the interface's.
pub fn languages(tag: &str) -> Vec<Strings> {
    let own = text::primary_language(tag);
    LANGUAGES
        .into_iter()
        .filter(|(language, _)| *language == "en" || *language == own)
        .collect()
}

/// The player in one file; the wrapper keeps everything but the registration function out of the page.
pub fn script() -> String {
    format!(
        "(function () {{\n\"use strict\";\n{}}})();\n",
        SCRIPTS.concat()
    )
}

/// The style sheet in one file.
pub fn style() -> String {
    STYLES.concat()
}

/// `assets/player.<hash>.js`.
pub fn script_name() -> String {
    format!("assets/player.{}.js", short_hash(&script()))
}

/// `assets/player.<hash>.css`.
pub fn style_name() -> String {
    format!("assets/player.{}.css", short_hash(&style()))
}

/// `assets/i18n/<lang>.js`.
pub fn strings_name(language: &str) -> String {
    format!("assets/i18n/{language}.js")
}

/// The strings of one language as a script, with what stands in texts and no author wrote.
pub fn strings(language: &str, json: &str) -> String {
    let own = json.trim().strip_prefix('{').unwrap_or(json);
    let labels = labels(Labels::in_language(language));
    format!("lyceumRegister(\"strings\",\"{language}\",{{\n{labels}{own});\n")
}

/// The dialect's own words under the names that the player asks for.
fn labels(labels: &Labels<'_>) -> String {
    let named = [
        ("calloutNote", labels.note),
        ("calloutTip", labels.tip),
        ("calloutImportant", labels.important),
        ("calloutWarning", labels.warning),
        ("calloutCaution", labels.caution),
        ("taskDone", labels.done),
        ("taskOpen", labels.open),
        ("footnotes", labels.footnotes),
        ("backToText", labels.back),
    ];
    let member = |(name, words)| format!(" \"{name}\": {},\n", Value::from(words));
    named.into_iter().map(member).collect()
}

fn short_hash(text: &str) -> String {
    let mut hash = hex::lower(&Sha256::digest(text.as_bytes()));
    hash.truncate(10);
    hash
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_language_has_the_words_of_the_dialect_and_the_player_asks_for_them() {
        for (language, json) in LANGUAGES {
            let script = strings(language, json);
            let begins = format!("lyceumRegister(\"strings\",\"{language}\",");
            let said = script.strip_prefix(begins.as_str()).unwrap();
            let said = said.strip_suffix(");\n").unwrap();
            let said: BTreeMap<String, String> = serde_json::from_str(said).unwrap();
            let own: BTreeMap<String, String> = serde_json::from_str(json).unwrap();
            let labels = Labels::in_language(language);
            assert_eq!(said["calloutWarning"], labels.warning);
            assert_eq!(said["taskOpen"], labels.open);
            assert_eq!(said["skip"], own["skip"]);
            assert_eq!(
                said.len(),
                own.len() + 9,
                "{language}: a word is said twice"
            );
            assert!(language == "en" || *labels != Labels::ENGLISH, "{language}");
            let script = super::script();
            for name in said.keys().filter(|name| !own.contains_key(*name)) {
                assert!(
                    script.contains(&format!("\"{name}\"")),
                    "nobody says {name}"
                );
            }
        }
    }
}
