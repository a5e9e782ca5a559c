//! What was left out of a drawing, by name, for whoever drew it.

use std::collections::BTreeSet;

/// How many names are told.
const TOLD: usize = 12;
/// The longest name that is told, in characters.
const LONGEST: usize = 40;

/// Names, each once.
#[derive(Default)]
pub struct LeftOut {
    names: BTreeSet<String>,
    more: bool,
}

impl LeftOut {
    /// Something of this name was.
    pub fn note(&mut self, name: &str) {
        let name: String = name.chars().take(LONGEST).collect();
        if self.names.len() < TOLD {
            self.names.insert(name);
        } else if !self.names.contains(&name) {
            self.more = true;
        }
    }

    /// All of it in a sentence, if anything was.
    pub fn sentence(&self) -> Option<String> {
        if self.names.is_empty() {
            return None;
        }
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let more = if self.more { " and more" } else { "" };
        Some(format!(
            "Left out of the drawing: {}{more}.",
            names.join(", ")
        ))
    }
}
