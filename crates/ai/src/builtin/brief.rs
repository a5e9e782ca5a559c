//! Reading a brief: headings, lists, bold lead-ins and sentences of loosely written Markdown.
//!
//! Structure only; what the parts mean for a course is decided in [`super::topics`].

use lyceum_domain::text::sentences::{sentences, without_list_mark};

/// A part of a brief under one heading; the part before the first heading has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct BriefSection {
    pub(crate) heading: String,
    /// 1 for `#`; 0 without a heading.
    pub(crate) level: usize,
    /// Paragraphs that begin with a bold name, and their sentences.
    pub(crate) leads: Vec<(String, Vec<String>)>,
    /// List items.
    pub(crate) items: Vec<String>,
    /// Sentences of other paragraphs.
    pub(crate) sentences: Vec<String>,
    /// First sentences of those paragraphs.
    pub(crate) starts: Vec<String>,
}

/// What lines are gathered into.
enum Open {
    Nothing,
    Item(String),
    Paragraph(String),
}

/// Most of a brief or of a source text that is read, in characters.
const MAX_CHARS: usize = 200_000;

/// The sections of a brief, in order; at least one.
pub(crate) fn sections(brief: &str) -> Vec<BriefSection> {
    let read: String = brief.chars().take(MAX_CHARS).collect();
    let mut all = vec![BriefSection::default()];
    let mut open = Open::Nothing;
    for line in read.lines() {
        let trimmed = line.trim();
        let is_item = without_list_mark(trimmed) != trimmed;
        if let Some((level, heading)) = heading(trimmed) {
            close(&mut open, &mut all);
            all.push(BriefSection {
                heading: clean(heading),
                level,
                ..BriefSection::default()
            });
        } else if trimmed.is_empty() {
            close(&mut open, &mut all);
        } else if is_item {
            close(&mut open, &mut all);
            open = Open::Item(without_list_mark(trimmed).to_owned());
        } else {
            gather(&mut open, trimmed);
        }
    }
    close(&mut open, &mut all);
    all
}

fn gather(open: &mut Open, line: &str) {
    match open {
        Open::Nothing => *open = Open::Paragraph(line.to_owned()),
        Open::Item(text) | Open::Paragraph(text) => {
            text.push(' ');
            text.push_str(line);
        }
    }
}

/// `## Heading`, or a short line that ends with a colon.
fn heading(line: &str) -> Option<(usize, &str)> {
    let bare = line.trim_start_matches('#');
    let level = line.len() - bare.len();
    if (1..=6).contains(&level) && bare.starts_with(' ') {
        return Some((
            level,
            bare.trim_matches(|c: char| c == '#' || c.is_whitespace()),
        ));
    }
    let name = line.strip_suffix(':')?;
    let short = name.split_whitespace().count() <= 6;
    (short && without_list_mark(line) == line).then_some((6, name))
}

fn close(open: &mut Open, all: &mut [BriefSection]) {
    let Some(section) = all.last_mut() else {
        return;
    };
    match std::mem::replace(open, Open::Nothing) {
        Open::Nothing => {}
        Open::Item(text) => section.items.push(clean(&text)),
        Open::Paragraph(text) => {
            if let Some((name, rest)) = lead(&text) {
                section.leads.push((clean(name), split(rest)));
                return;
            }
            let sentences = split(&text);
            section.starts.extend(sentences.first().cloned());
            section.sentences.extend(sentences);
        }
    }
}

/// `**Name.** Text`
fn lead(paragraph: &str) -> Option<(&str, &str)> {
    let (name, rest) = paragraph.strip_prefix("**")?.split_once("**")?;
    let name = name.trim().trim_end_matches(['.', ':']);
    let short = (1..=10).contains(&name.split_whitespace().count());
    short.then(|| (name, rest.trim_start_matches([':', '.', ' '])))
}

fn split(text: &str) -> Vec<String> {
    let text = clean(text);
    sentences(&text)
        .into_iter()
        .map(|sentence| sentence.text.to_owned())
        .collect()
}

/// One line of plain text: no emphasis, no code marks, no control characters.
fn clean(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !matches!(c, '*' | '`') && (!c.is_control() || c.is_whitespace()))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_falls_into_headings_lists_leads_and_sentences() {
        let read = sections(
            "Intro one. Intro two.\n\n## Topics ##\n**Heat.** Gets hot.\nCools.\n\n- first\n  goes on\n2. second\n\nGoals:\nDo it.",
        );
        assert_eq!(read[0].sentences, ["Intro one.", "Intro two."]);
        assert_eq!((read[1].heading.as_str(), read[1].level), ("Topics", 2));
        assert_eq!(read[1].leads[0].0, "Heat");
        assert_eq!(read[1].leads[0].1, ["Gets hot.", "Cools."]);
        assert_eq!(read[1].items, ["first goes on", "second"]);
        assert_eq!(read[2].heading, "Goals");
    }
}
