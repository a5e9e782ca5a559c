//! What a lesson that is written already says above all: its key points and its terms.
//!
//! Finds the lists that lessons of ours have; of other lessons, the first sentence of every section.

use super::Labels;
use lyceum_domain::text::sentences::{sentences, without_list_mark};

/// Most key points of a lesson.
const MAX_POINTS: usize = 8;
/// Fewest words of a key point.
const LEAST_WORDS: usize = 4;
/// Most terms of a glossary.
const MAX_TERMS: usize = 30;

/// The key points of a lesson in Markdown, in its own words; none where it says nothing.
pub(crate) fn stated_key_points(markdown: &str, labels: &Labels) -> Vec<String> {
    let parts = parts(markdown);
    let listed = parts
        .iter()
        .find(|(heading, _)| *heading == labels.key_points);
    if let Some((_, lines)) = listed {
        let items = lines
            .iter()
            .filter(|line| without_list_mark(line) != **line);
        return items
            .map(|line| plain(without_list_mark(line)))
            .take(MAX_POINTS)
            .collect();
    }
    let aside = [
        labels.objective,
        labels.think_about,
        labels.prerequisites,
        labels.key_terms,
        labels.misconceptions,
    ];
    let told = parts.iter().filter(|(heading, _)| !aside.contains(heading));
    told.filter_map(|(_, lines)| first_statement(lines))
        .take(MAX_POINTS)
        .collect()
}

/// Terms and definitions of the lines `- **term**: definition`.
pub(crate) fn glossary(markdown: &str) -> Vec<(String, String)> {
    let pair = |line: &str| {
        let rest = without_list_mark(line).strip_prefix("**")?;
        let (term, definition) = rest.split_once("**")?;
        let definition = definition.trim_start_matches([':', ' ']);
        (!term.trim().is_empty() && !definition.is_empty())
            .then(|| (plain(term), plain(definition)))
    };
    let items = markdown
        .lines()
        .map(str::trim)
        .filter(|line| without_list_mark(line) != *line);
    items.filter_map(pair).take(MAX_TERMS).collect()
}

/// The lines under every heading of the second level; what stands before the first has none.
fn parts(markdown: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all = vec![("", Vec::new())];
    for line in markdown.lines().map(str::trim) {
        if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("# ")) {
            all.push((heading.trim(), Vec::new()));
        } else if let Some((_, lines)) = all.last_mut() {
            lines.push(line);
        }
    }
    all
}

/// The first sentence that states something: no question, no heading, no quotation, not a mere word.
fn first_statement(lines: &[&str]) -> Option<String> {
    let prose = lines
        .iter()
        .filter(|line| !line.starts_with(['#', '>', '|', '`']));
    prose
        .flat_map(|line| sentences(line))
        .map(|sentence| plain(sentence.text))
        .find(|text| !text.ends_with('?') && text.split_whitespace().count() >= LEAST_WORDS)
}

/// One line without emphasis.
fn plain(text: &str) -> String {
    let kept = text.replace(['*', '`'], "").replace("&lt;", "<");
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn a_list_of_key_points_is_taken_as_it_stands() {
        let text = "> mark\n\n## Objective\n\nCool it fast.\n\n## Key points\n\n- Trays are **flat**.\n- Ice is cold.\n\n## Think about\n\n- Why?";
        let points = stated_key_points(text, Labels::of(Language::English));
        assert_eq!(points, ["Trays are flat.", "Ice is cold."]);
    }

    #[test]
    fn without_a_list_every_section_says_its_first_sentence() {
        let text = "## One\n\nWhy is that?\nCold air sinks to the floor. More.\n\n## Two\n\nWater is heavier than ice.\n\n## Key terms\n\n- **Ice**: water that is frozen";
        let points = stated_key_points(text, Labels::of(Language::English));
        assert_eq!(
            points,
            ["Cold air sinks to the floor.", "Water is heavier than ice."]
        );
        assert_eq!(
            glossary(text),
            [("Ice".to_owned(), "water that is frozen".to_owned())]
        );
        assert!(stated_key_points(" ", Labels::of(Language::English)).is_empty());
    }
}
