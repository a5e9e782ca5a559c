//! An answer with the evidence marked in it: colour, underline and letter, so that no sense is needed alone.

use std::collections::BTreeSet;

use super::html::{colour, escape, letter};

/// A passage that bears on a criterion; in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    /// The criterion's place in the rubric.
    pub criterion: usize,
}

/// Marks the spans, which may overlap: the text is cut where any of them begins or ends, and each piece is
/// wrapped once for every criterion that it bears on.
pub fn marked(text: &str, spans: &[Span]) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut cuts: BTreeSet<usize> = [0, characters.len()].into();
    cuts.extend(spans.iter().flat_map(|span| [span.start, span.end]));
    let cuts: Vec<usize> = cuts
        .into_iter()
        .filter(|cut| *cut <= characters.len())
        .collect();
    let mut page = String::new();
    for piece in cuts.windows(2) {
        let [start, end] = piece else { continue };
        let covering: BTreeSet<usize> = spans
            .iter()
            .filter(|span| span.start <= *start && *end <= span.end)
            .map(|span| span.criterion)
            .collect();
        let beginning: BTreeSet<usize> = spans
            .iter()
            .filter(|span| span.start == *start)
            .map(|span| span.criterion)
            .collect();
        let text: String = characters
            .get(*start..*end)
            .unwrap_or_default()
            .iter()
            .collect();
        page.push_str(&wrapped(&escape(&text), &covering, &beginning));
    }
    page
}

fn wrapped(text: &str, covering: &BTreeSet<usize>, beginning: &BTreeSet<usize>) -> String {
    let letters: String = beginning
        .iter()
        .map(|criterion| {
            let (colour, letter) = (colour(*criterion), letter(*criterion));
            format!("<span class=\"tag {colour}\"><span class=\"vh\">evidence for </span>{letter}</span>")
        })
        .collect::<Vec<String>>()
        .concat();
    let open: String = covering
        .iter()
        .map(|criterion| format!("<mark class=\"{}\">", colour(*criterion)))
        .collect::<Vec<String>>()
        .concat();
    let close = "</mark>".repeat(covering.len());
    format!("{letters}{open}{text}{close}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_markup(page: &str) -> String {
        let mut text = String::new();
        let mut rest = page.replace("<span class=\"vh\">evidence for </span>", "");
        while let Some((before, after)) = rest.split_once('<') {
            text.push_str(before);
            rest = after
                .split_once('>')
                .map_or(String::new(), |(_, rest)| rest.to_owned());
        }
        text + &rest
    }

    #[test]
    fn overlapping_passages_are_both_marked_and_no_character_is_lost() {
        let spans = [
            Span {
                start: 0,
                end: 5,
                criterion: 0,
            },
            Span {
                start: 3,
                end: 8,
                criterion: 1,
            },
        ];
        let page = marked("añb<cdefgh", &spans);
        assert_eq!(
            without_markup(&page),
            "Aañb&lt;".to_owned().replace("&lt;", "") + "B&lt;cdefgh"
        );
        assert!(
            page.contains("<mark class=\"k0\"><mark class=\"k1\">&lt;c</mark></mark>"),
            "{page}"
        );
    }

    #[test]
    fn a_text_without_evidence_stays_as_it_is() {
        assert_eq!(marked("a & b", &[]), "a &amp; b");
        assert_eq!(marked("", &[]), "");
    }
}
