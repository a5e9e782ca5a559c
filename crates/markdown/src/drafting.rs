//! From Markdown to markup that the sanitiser reads: what the parser says, event by event, in our own elements.

use std::ops::Range;

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag,
    TagEnd, html,
};

use crate::fragments::Fragments;
use crate::labels::Callout;
use crate::notes::Notes;
use crate::pictures::Picture;
use crate::settings::Settings;
use crate::warnings::{Found, Kind, shortened};
use crate::{allowed, formulas, headings, lines, raw, text};

/// What the dialect has beside CommonMark.
pub fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH
}

/// A text before the sanitiser.
pub struct Draft {
    /// Not yet safe.
    pub markup: String,
    /// What belongs into the places of the markup.
    pub fragments: Fragments,
    /// What was left out so far, and what the sanitiser will leave out.
    pub found: Found,
}

/// The draft of a text without control characters. Who only looks for pictures need not have formulas converted.
pub fn draft(cleaned: &str, settings: &Settings<'_>, converts: bool) -> Draft {
    let mut drafting = Drafting::new(cleaned, settings, converts);
    for (event, range) in Parser::new_ext(cleaned, options()).into_offset_iter() {
        drafting.take(event, range);
    }
    drafting.finished()
}

struct Drafting<'e, 's> {
    source: &'e str,
    settings: &'s Settings<'s>,
    converts: bool,
    /// Where lines begin.
    lines: Vec<usize>,
    out: Vec<Event<'e>>,
    /// The note that is being read, and what came before it.
    note: Option<(CowStr<'e>, Vec<Event<'e>>)>,
    /// The picture that is being read, and how many more begin within its description.
    picture: Option<(Picture, usize)>,
    /// The HTML that is being read, and where it began.
    block: Option<(usize, String)>,
    /// Whether a drawing has begun in HTML and not ended.
    in_drawing: bool,
    table: Columns,
    formulas: usize,
    notes: Notes<'e>,
    fragments: Fragments,
    found: Found,
}

/// Where in a table we are.
#[derive(Default)]
struct Columns {
    alignments: Vec<Alignment>,
    at: usize,
    is_head: bool,
}

impl Columns {
    /// The class of the next cell, and its element.
    fn next(&mut self) -> (Option<&'static str>, &'static str) {
        let class = match self.alignments.get(self.at) {
            Some(Alignment::Left) => Some("at-start"),
            Some(Alignment::Center) => Some("at-middle"),
            Some(Alignment::Right) => Some("at-end"),
            Some(Alignment::None) | None => None,
        };
        self.at = self.at.saturating_add(1);
        (class, if self.is_head { "th" } else { "td" })
    }
}

impl<'e, 's> Drafting<'e, 's> {
    fn new(source: &'e str, settings: &'s Settings<'s>, converts: bool) -> Self {
        let breaks = source
            .match_indices('\n')
            .map(|(at, _)| at.saturating_add(1));
        Self {
            source,
            settings,
            converts,
            lines: std::iter::once(0).chain(breaks).collect(),
            out: Vec::new(),
            note: None,
            picture: None,
            block: None,
            in_drawing: false,
            table: Columns::default(),
            formulas: 0,
            notes: Notes::default(),
            fragments: Fragments::default(),
            found: Found::default(),
        }
    }

    fn finished(mut self) -> Draft {
        let (anchors, labels) = (self.settings.anchors, self.settings.labels);
        let notes = std::mem::take(&mut self.notes);
        let mut events = self.out;
        events.extend(notes.listed(anchors, labels, &mut self.fragments));
        headings::shift(&mut events);
        let mut markup = String::with_capacity(self.source.len().saturating_mul(2));
        html::push_html(&mut markup, events.into_iter());
        Draft {
            markup,
            fragments: self.fragments,
            found: self.found,
        }
    }

    fn line(&self, at: usize) -> usize {
        self.lines
            .partition_point(|start| *start <= at)
            .saturating_add(self.settings.lines_before)
    }

    fn warn(&mut self, at: usize, kind: Kind, detail: String) {
        let line = self.line(at);
        self.found.add(line, kind, detail);
    }

    fn markup(&mut self, markup: String) {
        self.out.push(Event::InlineHtml(CowStr::from(markup)));
    }

    fn fragment(&mut self, fragment: String) {
        let place = self.fragments.keep(fragment);
        self.markup(place);
    }

    fn take(&mut self, event: Event<'e>, range: Range<usize>) {
        let is_line = self.settings.scope.is_line;
        let event = if is_line {
            lines::as_before(event)
        } else {
            event
        };
        if self.picture.is_some() {
            return self.describe(event);
        }
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) if is_line => {}
            Event::SoftBreak if is_line || self.settings.keeps_lines => {
                self.out.push(Event::HardBreak);
            }
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag),
            Event::Html(html) => match &mut self.block {
                Some((_, block)) => block.push_str(&html),
                None => self.raw(range.start, &html),
            },
            Event::InlineHtml(html) => self.raw(range.start, &html),
            Event::InlineMath(tex) => self.formula(&tex, range, false),
            Event::DisplayMath(tex) => self.formula(&tex, range, true),
            Event::FootnoteReference(label) => {
                let number = self.notes.reference(&label, self.settings.anchors);
                self.fragment(number);
            }
            Event::TaskListMarker(is_done) => self.task(is_done),
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => {
                self.out.push(event);
            }
        }
    }

    /// What a picture shows is words alone.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else there is has no words"
    )]
    fn describe(&mut self, event: Event<'e>) {
        let Some((picture, within)) = &mut self.picture else {
            return;
        };
        match event {
            Event::Start(Tag::Image { .. }) => *within = within.saturating_add(1),
            Event::End(TagEnd::Image) if *within > 0 => *within = within.saturating_sub(1),
            Event::End(TagEnd::Image) => {
                let drawn = picture.draft();
                self.picture = None;
                self.markup(drawn);
            }
            Event::Text(alt) | Event::Code(alt) | Event::InlineMath(alt) => {
                picture.alt.push_str(&alt);
            }
            Event::InlineHtml(html) if raw::is_text(&html) => picture.alt.push_str(&html),
            Event::SoftBreak | Event::HardBreak => picture.alt.push(' '),
            _ => {}
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else there is stays as it is"
    )]
    fn start(&mut self, tag: Tag<'e>, at: usize) {
        match tag {
            Tag::Image { dest_url, .. } => {
                let address = dest_url.into_string();
                let alt = String::new();
                self.picture = Some((Picture { address, alt }, 0));
            }
            Tag::HtmlBlock => self.block = Some((at, String::new())),
            Tag::BlockQuote(Some(kind)) => self.callout(kind),
            Tag::FootnoteDefinition(label) => {
                self.note = Some((label, std::mem::take(&mut self.out)));
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                let class = allowed::language_class(&info).unwrap_or_default();
                let language = class
                    .strip_prefix("language-")
                    .unwrap_or_default()
                    .to_owned();
                let kind = CodeBlockKind::Fenced(CowStr::from(language));
                self.out.push(Event::Start(Tag::CodeBlock(kind)));
            }
            Tag::Table(alignments) => {
                let plain = vec![Alignment::None; alignments.len()];
                self.table.alignments = alignments;
                self.out.push(Event::Start(Tag::Table(plain)));
            }
            Tag::TableHead | Tag::TableRow => {
                self.table.is_head = tag == Tag::TableHead;
                self.table.at = 0;
                self.out.push(Event::Start(tag));
            }
            Tag::TableCell => {
                let (class, element) = self.table.next();
                let class = class.map(|class| format!(" class=\"{class}\""));
                self.markup(format!("<{element}{}>", class.unwrap_or_default()));
            }
            Tag::Link {
                link_type,
                ref dest_url,
                ..
            } => {
                if self.settings.scope.is_inert {
                    return self.warn(at, Kind::Link, shortened(dest_url));
                }
                self.judge(link_type, dest_url, at);
                self.out.push(Event::Start(tag));
            }
            other => self.out.push(Event::Start(other)),
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else there is stays as it is"
    )]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::HtmlBlock => {
                if let Some((at, block)) = self.block.take() {
                    self.raw(at, &block);
                }
            }
            TagEnd::Link if self.settings.scope.is_inert => {}
            TagEnd::BlockQuote(Some(_)) => self.markup("</div>\n".to_owned()),
            TagEnd::FootnoteDefinition => {
                if let Some((label, before)) = self.note.take() {
                    let events = std::mem::replace(&mut self.out, before);
                    self.notes.write(&label, events);
                }
            }
            other => self.out.push(Event::End(other)),
        }
    }

    /// HTML as its author wrote it, if it is any.
    fn raw(&mut self, at: usize, html: &str) {
        let mut told = Vec::new();
        let reshaped = raw::reshaped(
            html,
            self.settings.scope,
            &mut self.in_drawing,
            &mut |within, kind, detail| {
                told.push((at.saturating_add(within), kind, detail));
            },
        );
        for (at, kind, detail) in told {
            self.warn(at, kind, detail);
        }
        self.markup(reshaped);
    }

    fn judge(&mut self, link_type: LinkType, address: &str, at: usize) {
        if link_type == LinkType::Email {
            return;
        }
        if !allowed::link(address) {
            self.warn(at, Kind::Address, shortened(address));
        } else if raw::is_plain_http(address) {
            self.warn(at, Kind::PlainHttp, shortened(address));
        }
    }

    fn callout(&mut self, kind: BlockQuoteKind) {
        let callout = match kind {
            BlockQuoteKind::Note => Callout::Note,
            BlockQuoteKind::Tip => Callout::Tip,
            BlockQuoteKind::Important => Callout::Important,
            BlockQuoteKind::Warning => Callout::Warning,
            BlockQuoteKind::Caution => Callout::Caution,
        };
        let label = self.settings.labels.map(|labels| labels.of(callout));
        let label = label.map(|label| {
            format!(
                "<p class=\"callout-name\">{}</p>\n",
                text::escape_html(label)
            )
        });
        let (class, label) = (callout.class(), label.unwrap_or_default());
        self.markup(format!("<div class=\"{class}\">\n{label}"));
    }

    fn task(&mut self, is_done: bool) {
        let (class, sign) = if is_done {
            ("task done", '\u{2611}')
        } else {
            ("task", '\u{2610}')
        };
        let label = self.settings.labels.map(|labels| {
            let label = if is_done { labels.done } else { labels.open };
            format!(" aria-label=\"{}\"", text::escape_html(label))
        });
        let label = label.unwrap_or_default();
        self.fragment(format!(
            "<span class=\"{class}\" role=\"img\"{label}>{sign}</span> "
        ));
    }

    fn formula(&mut self, tex: &str, range: Range<usize>, is_block: bool) {
        let behind = self.source.get(range.end..).unwrap_or_default();
        // A second price ends no formula: "$5 to$10".
        let is_price = !is_block && behind.starts_with(|c: char| c.is_ascii_digit());
        let has_gap = self.settings.gap.is_some_and(|gap| tex.contains(gap));
        if has_gap {
            let detail = format!("something is to be filled in there: {}", shortened(tex));
            self.warn(range.start, Kind::Formula, detail);
        }
        if is_price || has_gap {
            let plain = self.source.get(range).unwrap_or_default();
            let plain = Event::Text(CowStr::from(plain));
            self.out.push(lines::as_before(plain));
            return;
        }
        if !self.converts {
            return;
        }
        self.formulas = self.formulas.saturating_add(1);
        let made = if self.formulas > formulas::MOST {
            Err(format!("a text has at most {}", formulas::MOST))
        } else {
            formulas::converted(tex, is_block)
        };
        let made = made.unwrap_or_else(|reason| {
            self.warn(
                range.start,
                Kind::Formula,
                format!("{reason}: {}", shortened(tex)),
            );
            formulas::as_written(tex, is_block)
        });
        let place = self.fragments.keep_worded(made, tex.to_owned());
        self.markup(place);
    }
}
