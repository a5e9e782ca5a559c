//! Markup of our own that the sanitiser would not let through: formulas, boxes, anchors of notes.
//!
//! It never passes the sanitiser. A place is kept for it, and it is put in afterwards, once. An author who writes such a
//! place can only move what stands in the same text anyway.

use crate::allowed::PLACE;
use crate::tags;

/// The fragments of one text.
#[derive(Debug, Default)]
pub struct Fragments(Vec<Option<Fragment>>);

/// What is put in, and what it says to those who only want the words.
#[derive(Debug, Default)]
pub struct Fragment {
    pub markup: String,
    pub words: String,
}

impl Fragments {
    /// The place of a fragment.
    pub fn keep(&mut self, markup: String) -> String {
        self.keep_worded(markup, String::new())
    }

    /// The place of a fragment that has words.
    pub fn keep_worded(&mut self, markup: String, words: String) -> String {
        let number = self.0.len();
        self.0.push(Some(Fragment { markup, words }));
        format!("<{PLACE} value=\"{number}\"></{PLACE}>")
    }

    /// What belongs into a place, the first time it is asked for.
    pub fn take(&mut self, tag: &str) -> Fragment {
        let values = tags::attributes(tag);
        let number = values.into_iter().find(|(name, _)| *name == "value");
        let number = number.and_then(|(_, value)| value.parse::<usize>().ok());
        number
            .and_then(|number| self.0.get_mut(number))
            .and_then(Option::take)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_is_put_in_once() {
        let mut fragments = Fragments::default();
        assert_eq!(fragments.keep("f".to_owned()), "<data value=\"0\"></data>");
        assert_eq!(fragments.take("data value=\"0\"").markup, "f");
        for nothing in [
            "data value=\"0\"",
            "data value=\"7\"",
            "data value=\"x\"",
            "data",
        ] {
            assert_eq!(fragments.take(nothing).markup, "", "{nothing}");
        }
    }
}
