//! The texts of the handbook and the order in which they are read, as `build.rs` packed them. How they look and how they are
//! found is not said here.

use std::io::{self, Read as _};
use std::iter::Peekable;
use std::str::Split;
use std::sync::LazyLock;

use flate2::read::DeflateDecoder;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/book"));

/// Unpacked when somebody asks first, and kept: pages are parts of it.
static UNPACKED: LazyLock<String> = LazyLock::new(|| unpacked().unwrap_or_default());

/// The one book of this binary.
pub static BOOK: LazyLock<Book> = LazyLock::new(|| Book::of(&UNPACKED));

#[derive(Default)]
pub struct Book {
    pub parts: Vec<Part>,
    /// In the order in which they are read.
    pub pages: Vec<Page>,
}

/// Pages for the same readers.
#[derive(Debug, Default, PartialEq)]
pub struct Part {
    /// Empty for what is of no part.
    pub title: String,
    pub entries: Vec<Entry>,
}

/// A line of the contents.
#[derive(Debug, Default, PartialEq)]
pub struct Entry {
    pub words: String,
    /// The name of its page: a headline has none.
    pub page: Option<String>,
    pub below: Vec<Entry>,
}

pub struct Page {
    /// Its path below `docs`, without the `.md`.
    pub name: &'static str,
    pub text: &'static str,
}

impl Book {
    fn of(unpacked: &'static str) -> Self {
        let mut files = unpacked.split('\0').peekable();
        let summary = next_page(&mut files).map_or("", |page| page.text);
        Self {
            parts: parts(summary),
            pages: std::iter::from_fn(|| next_page(&mut files)).collect(),
        }
    }

    pub fn page(&self, name: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.name == name)
    }

    /// The pages before and behind one.
    pub fn neighbours(&self, page: &Page) -> (Option<&Page>, Option<&Page>) {
        let at = self.pages.iter().position(|other| other.name == page.name);
        let before = at.and_then(|at| self.pages.get(at.checked_sub(1)?));
        let behind = at.and_then(|at| self.pages.get(at + 1));
        (before, behind)
    }
}

fn unpacked() -> io::Result<String> {
    let mut text = String::new();
    DeflateDecoder::new(PACKED).read_to_string(&mut text)?;
    Ok(text)
}

fn next_page(files: &mut Peekable<Split<'static, char>>) -> Option<Page> {
    let file = files.next()?;
    let name = file.strip_suffix(".md")?;
    let text = files.next()?;
    Some(Page { name, text })
}

/// What the summary lists: headings are parts, and the links below one are its pages. The first heading is that of the summary
/// itself, and what stands below it is of no part.
fn parts(summary: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut events = Parser::new(summary);
    while let Some(event) = events.next() {
        match (event, parts.last_mut()) {
            (Event::Start(Tag::Heading { .. }), _) => parts.push(Part {
                title: words(&mut events),
                entries: Vec::new(),
            }),
            (Event::Start(Tag::List(_)), Some(part)) => part.entries.extend(entries(&mut events)),
            (Event::Start(Tag::Link { dest_url, .. }), Some(part)) => part.entries.push(Entry {
                page: name(&dest_url),
                words: words(&mut events),
                below: Vec::new(),
            }),
            _ => {}
        }
    }
    if let Some(first) = parts.first_mut() {
        first.title.clear();
    }
    parts
}

/// The lines of a list, up to its end.
fn entries<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    while let Some(event) = events.next() {
        match (event, found.last_mut()) {
            (Event::Start(Tag::Item), _) => found.push(Entry::default()),
            (Event::Start(Tag::Link { dest_url, .. }), Some(entry)) => {
                entry.page = name(&dest_url);
            }
            (Event::Text(text) | Event::Code(text), Some(entry)) => entry.words.push_str(&text),
            (Event::Start(Tag::List(_)), Some(entry)) => entry.below = entries(events),
            (Event::End(TagEnd::List(_)), _) => break,
            _ => {}
        }
    }
    found
}

/// The words up to the end of a heading or a link.
fn words<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> String {
    let is_end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_) | TagEnd::Link));
    let mut words = String::new();
    for event in events.take_while(|event| !is_end(event)) {
        if let Event::Text(text) | Event::Code(text) = event {
            words.push_str(&text);
        }
    }
    words
}

fn name(target: &str) -> Option<String> {
    target.strip_suffix(".md").map(str::to_owned)
}
