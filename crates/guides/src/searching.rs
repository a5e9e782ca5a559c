//! What is found in the handbook: sections of its pages, by the words in them. The index is as large as the texts, is made once
//! and holds nothing of what anybody asked.

use std::cmp::Reverse;
use std::sync::LazyLock;

use lyceum_pages::{folded_words, push_folded_words, words_of};
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use crate::book::{BOOK, Book, Page};
use crate::links::address;
use crate::rendering::{Heading, headings, parsed, word};

/// Most characters of a question.
pub const MOST_CHARACTERS: usize = 200;
/// Most sections that are shown.
pub const MOST_SHOWN: usize = 30;
/// About so many bytes of text are shown before the first hit, and behind it.
const BEFORE: usize = 80;
const BEHIND: usize = 200;

/// Made when somebody asks first.
pub static INDEX: LazyLock<Index> = LazyLock::new(|| Index::of(&BOOK));

pub struct Index {
    sections: Vec<Section>,
}

/// A heading and what stands below it, up to the next.
struct Section {
    page: &'static str,
    title: String,
    heading: Heading,
    /// As it is read, in one line.
    text: String,
    folded: Folded,
}

/// What is looked through: words with a blank before each, so that a word is found by its beginning.
struct Folded {
    text: String,
    heading: String,
    title: String,
    /// Of the headings above.
    above: String,
}

/// Compared from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    in_heading: bool,
    in_title: bool,
    often: usize,
}

#[derive(Default)]
pub struct Findings<'a> {
    pub total: usize,
    /// The best of them.
    pub shown: Vec<Finding<'a>>,
}

pub struct Finding<'a> {
    pub title: &'a str,
    /// Empty for what is not below the title.
    pub heading: &'a str,
    pub address: String,
    pub excerpt: Vec<Piece<'a>>,
}

#[derive(Debug, PartialEq)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub is_hit: bool,
}

impl Index {
    pub fn of(book: &Book) -> Self {
        Self {
            sections: book.pages.iter().flat_map(sections).collect(),
        }
    }

    /// The sections that have all words, the best first: those with all in their heading, then those with all in the title of
    /// their page, then by how often.
    pub fn find(&self, question: &str) -> Findings<'_> {
        let words = asked(question);
        if words.is_empty() {
            return Findings::default();
        }
        let ranked = |section| Some((Section::rank(section, &words)?, section));
        let mut found: Vec<(Rank, &Section)> = self.sections.iter().filter_map(ranked).collect();
        found.sort_by_key(|(rank, _)| Reverse(*rank));
        let total = found.len();
        found.truncate(MOST_SHOWN);
        let shown = found.into_iter().map(|(_, section)| section.shown(&words));
        Findings {
            total,
            shown: shown.collect(),
        }
    }
}

/// The words of a question, each once. The longest first: few sections have it, and the others are not asked for the rest.
fn asked(question: &str) -> Vec<String> {
    let folded = folded_words(question);
    let mut words: Vec<String> = folded
        .split_whitespace()
        .map(|it| format!(" {it}"))
        .collect();
    words.sort_unstable();
    words.dedup();
    words.sort_by_key(|word| Reverse(word.len()));
    words
}

fn sections(page: &Page) -> Vec<Section> {
    let events = parsed(page.text);
    let headings = headings(&events);
    let first = headings
        .first()
        .filter(|it| it.level == Some(HeadingLevel::H1));
    let title = first.map_or(page.name, |heading| &heading.words);
    let starts = std::iter::once(Heading::default()).chain(headings.iter().cloned());
    let mut above: Vec<Heading> = Vec::new();
    let mut found = Vec::new();
    for (heading, text) in starts.zip(texts(&events)) {
        above.retain(|it| it.level < heading.level);
        found.push(Section::new(page, title, &above, heading.clone(), text));
        above.push(heading);
    }
    found.retain(|section| !section.heading.words.is_empty() || !section.text.is_empty());
    found
}

/// What stands before the first heading, and below each.
fn texts(events: &[Event<'_>]) -> Vec<String> {
    let is_start = |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { .. }));
    let is_end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_)));
    let text = |section: &[Event<'_>]| {
        let behind = section.iter().position(is_end).map_or(0, |end| end + 1);
        let text: String = section.iter().skip(behind).map(spoken).collect();
        in_one_line(&text)
    };
    events.split(is_start).map(text).collect()
}

/// What is read of an event. What ends a block ends a word, and cells of a table are told apart.
fn spoken<'e>(event: &'e Event<'_>) -> &'e str {
    let ends_in_line = matches!(
        event,
        Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link)
    );
    if *event == Event::End(TagEnd::TableCell) {
        return " · ";
    }
    if matches!(event, Event::End(_)) && !ends_in_line {
        return " ";
    }
    word(event).unwrap_or_default()
}

/// In one line; of cells of which nothing is said, no more than one is seen.
fn in_one_line(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.dedup_by(|word, before| word == before && *word == "·");
    words.join(" ")
}

impl Section {
    fn new(page: &Page, title: &str, above: &[Heading], heading: Heading, text: String) -> Self {
        let above: Vec<&str> = above.iter().map(|it| it.words.as_str()).collect();
        Self {
            page: page.name,
            folded: Folded {
                text: folded_words(&text),
                heading: folded_words(&heading.words),
                title: folded_words(title),
                above: folded_words(&above.join(" ")),
            },
            title: title.to_owned(),
            heading,
            text,
        }
    }

    /// How well it suits, where it has all words.
    fn rank(&self, words: &[String]) -> Option<Rank> {
        let all_in = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
        let mut often = 0;
        for word in words {
            let times = self.folded.count(word);
            if times == 0 && !self.folded.is_below(word) {
                return None;
            }
            often += times;
        }
        Some(Rank {
            in_heading: all_in(&self.folded.heading),
            in_title: all_in(&self.folded.title),
            often,
        })
    }

    fn shown(&self, words: &[String]) -> Finding<'_> {
        let is_title = self.heading.level.is_none_or(|it| it == HeadingLevel::H1);
        let page = address(self.page);
        let (heading, address) = if is_title {
            ("", page)
        } else {
            (
                self.heading.words.as_str(),
                format!("{page}#{}", self.heading.id),
            )
        };
        Finding {
            title: &self.title,
            heading,
            address,
            excerpt: excerpt(&self.text, words),
        }
    }
}

impl Folded {
    fn count(&self, word: &str) -> usize {
        self.text.matches(word).count() + self.heading.matches(word).count()
    }

    /// Whether a word is in what it stands below.
    fn is_below(&self, word: &str) -> bool {
        self.title.contains(word) || self.above.contains(word)
    }
}

/// Text around the first hit, and the beginning where the words are in headings alone.
fn excerpt<'a>(text: &'a str, words: &[String]) -> Vec<Piece<'a>> {
    // One for all words: sections have thousands.
    let mut folded = String::new();
    let is_asked = |(_, word): &(usize, &str)| {
        folded.clear();
        push_folded_words(&mut folded, word);
        words.iter().any(|asked| folded.starts_with(asked.as_str()))
    };
    let mut hits = words_of(text).filter(is_asked).peekable();
    let first = hits.peek().map_or(0, |(at, _)| *at);
    let start = word_before(text, first.saturating_sub(BEFORE));
    let end = word_before(text, first + BEHIND);
    let mut pieces = vec![plain(if start > 0 { "… " } else { "" })];
    let mut at = start;
    for (hit, word) in hits {
        if hit + word.len() > end {
            break;
        }
        pieces.push(plain(text.get(at..hit).unwrap_or_default()));
        pieces.push(Piece {
            text: word,
            is_hit: true,
        });
        at = hit + word.len();
    }
    pieces.push(plain(text.get(at..end).unwrap_or_default()));
    pieces.push(plain(if end < text.len() { "…" } else { "" }));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

fn plain(text: &str) -> Piece<'_> {
    Piece {
        text,
        is_hit: false,
    }
}

/// Where the word begins that a byte is of, and the end of a text for what is behind it.
fn word_before(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let blank = before.iter().rposition(|byte| *byte == b' ');
    blank.map_or(0, |blank| blank + 1)
}

#[cfg(test)]
impl Index {
    /// How many bytes it holds.
    pub fn size(&self) -> usize {
        let size = |section: &Section| {
            let (heading, folded) = (&section.heading, &section.folded);
            let read = [&section.text, &section.title, &heading.words, &heading.id];
            let looked_through = [&folded.text, &folded.heading, &folded.title, &folded.above];
            let all = read.into_iter().chain(looked_through);
            all.map(String::capacity).sum::<usize>() + size_of::<Section>()
        };
        self.sections.iter().map(size).sum()
    }
}
