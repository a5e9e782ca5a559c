//! Passages of a submission: found by the service, never taken on trust.

/// A passage of the submission that bears on a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Where it starts, in characters (Unicode scalar values) of the submission's text.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The passage, exactly as it stands there.
    pub quote: String,
}

impl Evidence {
    /// Finds the `occurrence`-th (1-based) place where `quote` stands in `text`; white space at its ends is dropped.
    pub fn locate(text: &str, quote: &str, occurrence: usize) -> Option<Self> {
        let quote = quote.trim();
        if quote.is_empty() {
            return None;
        }
        let places: Vec<usize> = text.match_indices(quote).map(|(at, _)| at).collect();
        let wanted = places
            .get(occurrence.saturating_sub(1))
            .or_else(|| places.first())?;
        let start = text.get(..*wanted)?.chars().count();
        let end = start + quote.chars().count();
        Some(Self {
            start,
            end,
            quote: quote.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Wäsche dich. Wash your hands. Wash your hands again.";

    #[test]
    fn evidence_is_found_by_characters_and_occurrence() {
        let second = Evidence::locate(TEXT, "Wash your hands", 2).unwrap();
        let slice: String = TEXT
            .chars()
            .skip(second.start)
            .take(second.end - second.start)
            .collect();
        assert_eq!((slice.as_str(), second.start), ("Wash your hands", 30));
        assert_eq!(Evidence::locate(TEXT, "never said", 1), None);
        assert_eq!(Evidence::locate(TEXT, "  ", 1), None);
    }
}
