//! Footnotes: numbers in the text, and the notes in their order at its end.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, TagEnd};

use crate::fragments::Fragments;
use crate::labels::Labels;
use crate::text;

/// What is known of the notes of a text.
#[derive(Debug, Default)]
pub struct Notes<'e> {
    numbers: HashMap<String, usize>,
    /// How often each note was referred to.
    references: HashMap<usize, usize>,
    written: Vec<(String, Vec<Event<'e>>)>,
}

impl<'e> Notes<'e> {
    fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len().saturating_add(1);
        *self.numbers.entry(label.to_owned()).or_insert(next)
    }

    /// The number in the text; it is a link where the page has names to link to.
    pub fn reference(&mut self, label: &str, anchors: Option<&str>) -> String {
        let number = self.number(label);
        let times = self.references.entry(number).or_default();
        *times = times.saturating_add(1);
        let Some(anchors) = anchors else {
            return format!("<sup class=\"note-number\">{number}</sup>");
        };
        let here = place(anchors, number, *times);
        let anchors = text::escape_html(anchors);
        format!(
            "<sup class=\"note-number\"><a id=\"{here}\" href=\"#{anchors}-{number}\" role=\"doc-noteref\">{number}</a></sup>"
        )
    }

    /// Keeps what a note says.
    pub fn write(&mut self, label: &str, events: Vec<Event<'e>>) {
        self.written.push((label.to_owned(), events));
    }

    /// The notes as a list, those that nothing refers to behind the others.
    pub fn listed(
        mut self,
        anchors: Option<&str>,
        labels: Option<&Labels<'_>>,
        fragments: &mut Fragments,
    ) -> Vec<Event<'e>> {
        if self.written.is_empty() {
            return Vec::new();
        }
        let written = std::mem::take(&mut self.written);
        let mut notes: Vec<(usize, Vec<Event<'e>>)> = written
            .into_iter()
            .map(|(label, events)| (self.number(&label), events))
            .collect();
        notes.sort_by_key(|(number, _)| *number);
        let mut listed = vec![html("<section class=\"footnotes\">\n".to_owned())];
        let named = labels.map(|labels| text::escape_html(labels.footnotes));
        listed.extend(named.map(|name| html(format!("<p class=\"callout-name\">{name}</p>\n"))));
        listed.push(html("<ol>\n".to_owned()));
        for (number, mut events) in notes {
            listed.push(html("<li>".to_owned()));
            if let Some(anchors) = anchors {
                let named = format!(
                    "<span id=\"{}-{number}\"></span>",
                    text::escape_html(anchors)
                );
                listed.push(html(fragments.keep(named)));
                let times = self.references.get(&number).copied().unwrap_or_default();
                let back: String = (1..=times)
                    .map(|time| back(anchors, number, time, labels))
                    .collect();
                let at_end = matches!(events.last(), Some(Event::End(TagEnd::Paragraph)));
                let at = events.len().saturating_sub(usize::from(at_end));
                events.insert(at, html(fragments.keep(back)));
            }
            listed.append(&mut events);
            listed.push(html("</li>\n".to_owned()));
        }
        listed.push(html("</ol>\n</section>\n".to_owned()));
        listed
    }
}

/// The name of the place from which a note is referred to.
fn place(anchors: &str, number: usize, time: usize) -> String {
    format!("{}-{number}-{time}", text::escape_html(anchors))
}

fn back(anchors: &str, number: usize, time: usize, labels: Option<&Labels<'_>>) -> String {
    let named = labels.map(|labels| format!(" aria-label=\"{}\"", text::escape_html(labels.back)));
    format!(
        " <a class=\"note-back\" href=\"#{}\" role=\"doc-backlink\"{}>\u{21a9}\u{fe0e}</a>",
        place(anchors, number, time),
        named.unwrap_or_default()
    )
}

fn html(markup: String) -> Event<'static> {
    Event::InlineHtml(CowStr::from(markup))
}
