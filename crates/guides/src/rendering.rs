//! A text of the handbook as HTML. The texts are ours, and all the same nothing in them acts: markup is shown as it was written,
//! and no style is inline, which the policy would not take. What stands around a text is in `page.rs`.

use std::slice;
use std::vec::IntoIter;

use lyceum_pages::escaped;
use pulldown_cmark::{
    Alignment, BlockQuoteKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

use crate::book::{Book, Page};
use crate::links::{Anchors, Target, target};

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// Before the names of notes, so that none is that of a heading: these have no colon.
const NOTE: &str = "note:";

pub struct Rendered {
    pub title: Heading,
    /// The title as HTML, without its tag.
    pub title_html: String,
    /// Those behind the title.
    pub headings: Vec<Heading>,
    /// All behind the title.
    pub body: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// None for what stands before all headings.
    pub level: Option<HeadingLevel>,
    /// By which links find it.
    pub id: String,
    pub words: String,
}

pub fn parsed(text: &str) -> Vec<Event<'_>> {
    Parser::new_ext(text, OPTIONS).collect()
}

pub fn rendered(book: &Book, page: &Page) -> Rendered {
    let mut events = parsed(page.text);
    let mut headings = headings(&events);
    let title_events = title(&mut events);
    let title = if title_events.is_empty() {
        Heading::default()
    } else {
        headings.remove(0)
    };
    Rendered {
        title_html: Writer::new(book, page, &[]).html(title_events),
        body: Writer::new(book, page, &headings).html(events),
        title,
        headings,
    }
}

/// The words of a page's title, without reading on.
pub fn title_of(page: &Page) -> String {
    let first = parsed(page.text.lines().next().unwrap_or_default());
    let title = headings(&first).into_iter().next();
    title.map_or_else(|| page.name.to_owned(), |heading| heading.words)
}

/// The headings of a text, with the names that GitHub gives them.
pub fn headings(events: &[Event<'_>]) -> Vec<Heading> {
    let mut anchors = Anchors::default();
    let mut found = Vec::new();
    let mut rest = events.iter();
    while let Some(event) = rest.next() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            let inner = rest
                .by_ref()
                .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
            let words: String = inner.filter_map(word).collect();
            found.push(Heading {
                level: Some(*level),
                id: anchors.next(&words),
                words,
            });
        }
    }
    found
}

/// Takes the title from the start of a text, without its tags.
fn title<'a>(events: &mut Vec<Event<'a>>) -> Vec<Event<'a>> {
    let level = HeadingLevel::H1;
    let is_start = |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { level: it, .. }) if *it == level);
    if !events.first().is_some_and(is_start) {
        return Vec::new();
    }
    let end = events
        .iter()
        .position(|event| *event == Event::End(TagEnd::Heading(level)));
    let rest = events.split_off(end.map_or(events.len(), |end| end + 1));
    let mut inside = std::mem::replace(events, rest);
    inside.pop();
    inside.remove(0);
    inside
}

/// What is read of an event within a line.
pub fn word<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    if let Event::Text(text) | Event::Code(text) = event {
        return Some(text);
    }
    matches!(event, Event::SoftBreak | Event::HardBreak).then_some(" ")
}

/// Goes through the events of a text and makes of each what is shown here.
struct Writer<'a> {
    book: &'a Book,
    page: &'a Page,
    headings: slice::Iter<'a, Heading>,
    written: Vec<Event<'a>>,
    /// What ends the link in which we are.
    link_end: &'static str,
    table: Table,
    /// Whether we are among the words of a paragraph, where no block may stand.
    in_paragraph: bool,
}

#[derive(Default)]
struct Table {
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl<'a> Writer<'a> {
    fn new(book: &'a Book, page: &'a Page, headings: &'a [Heading]) -> Self {
        Self {
            book,
            page,
            headings: headings.iter(),
            written: Vec::new(),
            link_end: "",
            table: Table::default(),
            in_paragraph: false,
        }
    }

    fn html(self, events: Vec<Event<'a>>) -> String {
        let mut html = String::new();
        html::push_html(&mut html, self.written(events).into_iter());
        html
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "all others are written as they are"
    )]
    fn written(mut self, events: Vec<Event<'a>>) -> Vec<Event<'a>> {
        let mut rest = events.into_iter();
        while let Some(event) = rest.next() {
            match event {
                Event::Start(tag) => self.start(tag, &mut rest),
                Event::End(tag) => self.end(tag),
                Event::InlineHtml(markup) => self.markup_in_line(markup),
                Event::FootnoteReference(name) => {
                    self.put(Event::FootnoteReference(note(&name)));
                }
                other => self.put(other),
            }
        }
        self.written
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "all others are written as they are"
    )]
    fn start(&mut self, tag: Tag<'a>, rest: &mut IntoIter<Event<'a>>) {
        match tag {
            Tag::Paragraph => self.paragraph(rest.as_slice()),
            Tag::Heading { level, .. } => self.heading(level),
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            Tag::Image { .. } => self.picture(&words_to(TagEnd::Image, rest)),
            Tag::HtmlBlock => self.markup(&words_to(TagEnd::HtmlBlock, rest)),
            Tag::BlockQuote(Some(kind)) => self.callout(kind),
            Tag::FootnoteDefinition(name) => {
                self.put(Event::Start(Tag::FootnoteDefinition(note(&name))));
            }
            Tag::Table(columns) => {
                self.table.columns = columns;
                self.block("<div class=\"scroll\">");
                self.put(Event::Start(Tag::Table(Vec::new())));
            }
            Tag::TableHead => {
                self.table.in_head = true;
                self.table.column = 0;
                self.put(Event::Start(tag));
            }
            Tag::TableRow => {
                self.table.column = 0;
                self.put(Event::Start(tag));
            }
            Tag::TableCell => {
                let cell = self.table.cell();
                self.in_line(cell);
            }
            tag => self.put(Event::Start(tag)),
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "all others are written as they are"
    )]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph if !self.in_paragraph => {}
            TagEnd::Paragraph => {
                self.in_paragraph = false;
                self.put(Event::End(tag));
            }
            TagEnd::Link => self.in_line(self.link_end),
            TagEnd::Table => {
                self.put(Event::End(tag));
                self.block("</div>\n");
            }
            TagEnd::TableHead => {
                self.table.in_head = false;
                self.put(Event::End(tag));
            }
            TagEnd::TableCell => self.in_line(self.table.cell_end()),
            tag => self.put(Event::End(tag)),
        }
    }

    fn put(&mut self, event: Event<'a>) {
        self.written.push(event);
    }

    fn block(&mut self, block: impl Into<CowStr<'a>>) {
        self.put(Event::Html(block.into()));
    }

    fn in_line(&mut self, html: impl Into<CowStr<'a>>) {
        self.put(Event::InlineHtml(html.into()));
    }

    /// One that holds nothing but pictures is none: these are blocks here.
    fn paragraph(&mut self, rest: &[Event<'_>]) {
        let inside = rest
            .iter()
            .take_while(|event| **event != Event::End(TagEnd::Paragraph));
        self.in_paragraph = !are_pictures(inside);
        if self.in_paragraph {
            self.put(Event::Start(Tag::Paragraph));
        }
    }

    fn heading(&mut self, level: HeadingLevel) {
        let id = self.headings.next();
        let id = id.map(|heading| heading.id.as_str().into());
        self.put(Event::Start(Tag::Heading {
            level,
            id,
            classes: Vec::new(),
            attrs: Vec::new(),
        }));
    }

    fn link(&mut self, written: &str) {
        let (start, end) = match target(self.book, self.page.name, written) {
            Target::Here(address) => (format!("<a href=\"{}\">", escaped(&address)), "</a>"),
            Target::Outside(address) => {
                let address = escaped(&address);
                (format!("<a href=\"{address}\" rel=\"noreferrer\">"), "</a>")
            }
            Target::Nowhere => (String::new(), ""),
        };
        self.link_end = end;
        self.in_line(start);
    }

    /// Pictures are not in the binary: what they show is said.
    fn picture(&mut self, shown: &str) {
        if shown.is_empty() {
            return;
        }
        let shown = format!("<b>Picture</b> {}", escaped(shown));
        if self.in_paragraph {
            self.in_line(format!("<span class=\"picture\">{shown}</span>"));
        } else {
            let caption = format!("<figcaption>{shown}</figcaption>");
            self.block(format!("<figure class=\"picture\">{caption}</figure>\n"));
        }
    }

    /// Comments are for whoever writes; other markup is shown as it was written.
    fn markup(&mut self, markup: &str) {
        if !is_comment(markup) {
            self.block(format!("<pre><code>{}</code></pre>\n", escaped(markup)));
        }
    }

    fn markup_in_line(&mut self, markup: CowStr<'a>) {
        if !is_comment(&markup) {
            self.put(Event::Text(markup));
        }
    }

    fn callout(&mut self, kind: BlockQuoteKind) {
        let (class, title) = match kind {
            BlockQuoteKind::Note => ("note", "Note"),
            BlockQuoteKind::Tip => ("tip", "Tip"),
            BlockQuoteKind::Important => ("important", "Important"),
            BlockQuoteKind::Warning => ("warning", "Warning"),
            BlockQuoteKind::Caution => ("caution", "Caution"),
        };
        let title = format!("<p class=\"callout-title\">{title}</p>");
        self.block(format!("<blockquote class=\"callout {class}\">{title}\n"));
    }
}

impl Table {
    /// Classes, because the policy takes no style within a page.
    fn cell(&mut self) -> &'static str {
        let side = self.columns.get(self.column);
        let side = *side.unwrap_or(&Alignment::None);
        self.column += 1;
        match (self.in_head, side) {
            (true, Alignment::Right) => "<th class=\"end\">",
            (true, Alignment::Center) => "<th class=\"middle\">",
            (true, Alignment::Left | Alignment::None) => "<th>",
            (false, Alignment::Right) => "<td class=\"end\">",
            (false, Alignment::Center) => "<td class=\"middle\">",
            (false, Alignment::Left | Alignment::None) => "<td>",
        }
    }

    fn cell_end(&self) -> &'static str {
        if self.in_head { "</th>" } else { "</td>" }
    }
}

fn note(name: &str) -> CowStr<'static> {
    format!("{NOTE}{name}").into()
}

fn is_comment(markup: &str) -> bool {
    markup.trim_start().starts_with("<!--")
}

/// All words up to an end, which is taken as well.
fn words_to(end: TagEnd, events: &mut IntoIter<Event<'_>>) -> String {
    let mut words = String::new();
    for event in events {
        if event == Event::End(end) {
            break;
        }
        if let Event::Html(markup) = &event {
            words.push_str(markup);
        }
        words.push_str(word(&event).unwrap_or_default());
    }
    words
}

/// Whether pictures are all that is there.
fn are_pictures<'e>(events: impl Iterator<Item = &'e Event<'e>>) -> bool {
    let mut depth = 0_usize;
    let mut any = false;
    for event in events {
        let is_start = matches!(event, Event::Start(Tag::Image { .. }));
        any |= is_start;
        depth += usize::from(is_start);
        if depth == 0 && *event != Event::SoftBreak {
            return false;
        }
        depth -= usize::from(*event == Event::End(TagEnd::Image));
    }
    any
}
