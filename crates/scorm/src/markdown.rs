//! Markdown from people and models, turned into HTML that cannot do anything.
//!
//! Two walls: raw size and nesting are bounded before any tree is built, and what is left passes a narrow
//! allow-list. Nothing may reach a package as HTML without passing through [`render`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use lyceum_ports::exporting::scorm::PackageError;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use url::Url;

use crate::pictures::{self, Picture};
use crate::rendering::Rendering;
use crate::{depth, text};

/// The longest field a package takes.
pub const FIELD_BYTES: usize = 256 * 1024;
/// Deeper than any text a person wrote.
const LEVELS: usize = 200;

const TAGS: [&str; 41] = [
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "dfn",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
];
const MORE_TAGS: [&str; 4] = ["thead", "tfoot", "ul", "u"];

/// Renders `raw` for display; `place` says in warnings and errors where the text stands.
pub fn render(
    raw: &str,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    let safe = match sanitised(raw) {
        Ok(safe) => safe,
        Err(Refused::TooLong) => {
            return Err(PackageError::Invalid(format!(
                "{place} is {} bytes long; a package takes at most {FIELD_BYTES} per text",
                raw.len()
            )));
        }
        Err(Refused::TooDeep) => {
            return Err(PackageError::Invalid(format!(
                "{place} nests more than {LEVELS} levels deep and cannot be put into a package"
            )));
        }
    };
    if plain_http_links(&safe) {
        rendering.warn(format!(
            "{place} links to an http: address; browsers may block or warn about it."
        ));
    }
    Ok(pictures::replace(&safe, |picture| {
        pictures::embed(picture, place, rendering)
    }))
}

/// The addresses of the pictures in `raw`, in order; none of a text that no package takes.
pub fn pictures(raw: &str) -> Vec<String> {
    // Most texts have none, and finding that out is cheap.
    if !raw.contains("![") && !raw.to_ascii_lowercase().contains("<img") {
        return Vec::new();
    }
    let mut addresses = Vec::new();
    pictures::replace(&sanitised(raw).unwrap_or_default(), |picture| {
        addresses.push(picture.address.clone());
        String::new()
    });
    addresses.retain(|address| !address.is_empty());
    addresses
}

/// Why a text cannot be in a package.
enum Refused {
    TooLong,
    TooDeep,
}

/// Markup that does nothing, with pictures still where their authors have them: not yet fit for a package.
fn sanitised(raw: &str) -> Result<String, Refused> {
    if raw.len() > FIELD_BYTES {
        return Err(Refused::TooLong);
    }
    let cleaned = text::clean(raw);
    let mut markup = String::with_capacity(cleaned.len().saturating_mul(2));
    html::push_html(&mut markup, events(&cleaned).into_iter());
    if depth::exceeds(&markup, LEVELS) {
        return Err(Refused::TooDeep);
    }
    Ok(sanitise(&markup))
}

/// The text's events, with headings moved below the page's own and pictures as their authors have them.
fn events(raw: &str) -> Vec<Event<'_>> {
    let parser = Parser::new_ext(raw, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut events: Vec<Event<'_>> = Vec::new();
    // The picture being read, and how many more begin within its description.
    let mut picture: Option<(Picture, usize)> = None;
    for event in parser {
        match (event, picture.as_mut()) {
            (Event::Start(Tag::Image { dest_url, .. }), None) => {
                let address = dest_url.into_string();
                let alt = String::new();
                picture = Some((Picture { address, alt }, 0));
            }
            (Event::Start(Tag::Image { .. }), Some((_, within))) => *within += 1,
            (Event::End(TagEnd::Image), Some((_, within @ 1..))) => *within -= 1,
            (Event::End(TagEnd::Image), Some((whole, _))) => {
                events.push(Event::InlineHtml(CowStr::from(whole.draft())));
                picture = None;
            }
            (Event::Text(alt) | Event::Code(alt), Some((whole, _))) => whole.alt.push_str(&alt),
            (Event::SoftBreak | Event::HardBreak, Some((whole, _))) => whole.alt.push(' '),
            (_, Some(_)) => {}
            (other, None) => events.push(other),
        }
    }
    shift_headings(&mut events);
    events
}

/// The page has one `h1` and it is the step's name: the highest heading of the text becomes `h2`.
fn shift_headings(events: &mut [Event<'_>]) {
    let Some(highest) = events
        .iter_mut()
        .filter_map(heading_level)
        .map(|level| *level)
        .min()
    else {
        return;
    };
    for level in events.iter_mut().filter_map(heading_level) {
        *level = below(*level, highest);
    }
}

fn heading_level<'e>(event: &'e mut Event<'_>) -> Option<&'e mut HeadingLevel> {
    if let Event::Start(Tag::Heading { level, .. }) | Event::End(TagEnd::Heading(level)) = event {
        Some(level)
    } else {
        None
    }
}

fn below(level: HeadingLevel, highest: HeadingLevel) -> HeadingLevel {
    let number = |l: HeadingLevel| match l {
        HeadingLevel::H1 => 1_usize,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    };
    let shifted = number(level)
        .saturating_add(2)
        .saturating_sub(number(highest));
    HeadingLevel::try_from(shifted).unwrap_or(HeadingLevel::H6)
}

fn sanitise(markup: &str) -> String {
    // Addresses of pictures pass here as they are, because no such element is left in the end; addresses of links are
    // held to a narrower list below.
    let spans = HashSet::from(["colspan", "rowspan", "scope"]);
    ammonia::Builder::empty()
        .tags(TAGS.into_iter().chain(MORE_TAGS).chain(["img"]).collect())
        .clean_content_tags(HashSet::from([
            "script", "style", "template", "title", "textarea", "noscript",
        ]))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href", "title"])),
            ("abbr", HashSet::from(["title"])),
            ("img", HashSet::from(["src", "alt"])),
            ("ol", HashSet::from(["start"])),
            ("td", spans.clone()),
            ("th", spans),
        ]))
        .generic_attributes(HashSet::from(["dir", "lang"]))
        .url_schemes(HashSet::from(["https", "http", "mailto", "data"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src" | "alt") => Some(Cow::Borrowed(value)),
            ("img", _) => None,
            (_, "href") => link(value).then_some(Cow::Borrowed(value)),
            _ => Some(Cow::Borrowed(value)),
        })
        .link_rel(Some("noopener noreferrer"))
        .set_tag_attribute_value("a", "target", "_blank")
        .strip_comments(true)
        .clean(markup)
        .to_string()
}

/// Whether an address may be linked to: a whole one, and of a kind that only opens pages or mail.
fn link(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "https" | "http" | "mailto"))
}

fn plain_http_links(safe: &str) -> bool {
    let opening = |piece: &str| {
        piece
            .split('>')
            .next()
            .is_some_and(|tag| tag.contains("href=\"http://"))
    };
    safe.split("<a ").skip(1).any(opening)
}

fn ends_a_block(event: &Event<'_>) -> bool {
    let Event::End(end) = event else {
        return false;
    };
    !matches!(
        end,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link
    )
}

/// A text without its markup, on one line and no longer than `limit` characters.
pub fn in_words(source: &str, limit: usize) -> String {
    let mut words = String::new();
    for event in Parser::new(source) {
        if let Event::Text(text) | Event::Code(text) = &event {
            words.push_str(text);
        } else if matches!(event, Event::SoftBreak | Event::HardBreak) || ends_a_block(&event) {
            words.push(' ');
        }
        // What markup and breaks take away again is never the half of it.
        if words.len() > 8 * limit {
            break;
        }
    }
    let clean = text::clean(&words);
    let line: Vec<&str> = clean.split_whitespace().collect();
    line.join(" ").chars().take(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Library;
    use std::time::{Duration, Instant};

    fn html(raw: &str) -> (String, Vec<String>) {
        let nothing = Library::default();
        let mut rendering = Rendering::new(&nothing);
        let html = render(raw, "the lesson", &mut rendering).unwrap();
        (html, rendering.warnings.into_sentences())
    }

    #[test]
    fn nothing_that_acts_survives() {
        let vectors = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
            "[x](javascript:alert(1))",
            "[x](data:text/html;base64,PHNjcmlwdD4=)",
            "<a href=' &#14; javascript:alert(1)'>x</a>",
            "<iframe src='https://example.com'></iframe>",
            "<form action='https://example.com'><input name=a></form>",
            "<math><mtext></p><style><img src=x onerror=alert(1)></style>",
            "<p style='background:url(https://example.com/x)' onclick=x id=app class=x>y</p>",
            "<base href='https://example.com/'><meta http-equiv=refresh content=0>",
            "<a href='//example.com/x'>x</a>",
            "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        ];
        for vector in vectors {
            let (html, _) = html(vector);
            let low = html.to_ascii_lowercase();
            for bad in [
                "<script", "<img", "<svg", "<iframe", "<form", "<input", "<style", "<base", "<meta",
            ] {
                assert!(!low.contains(bad), "{vector} gave {html}");
            }
            for piece in low.split('<').skip(1) {
                let tag = piece.split('>').next().unwrap();
                for bad in [
                    "javascript:",
                    "data:",
                    " on",
                    "style=",
                    " id=",
                    "class=",
                    "href=\"//",
                ] {
                    assert!(!tag.contains(bad), "{vector} gave {html}");
                }
            }
        }
    }

    #[test]
    fn links_open_elsewhere_and_plain_http_is_named() {
        let (html, warnings) = html("[a](http://example.com) and [b](https://example.com)");
        assert_eq!(html.matches("target=\"_blank\"").count(), 2);
        assert_eq!(html.matches("rel=\"noopener noreferrer\"").count(), 2);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("http:"));
    }

    #[test]
    fn pictures_become_their_descriptions() {
        let (html, warnings) = html("![A map](https://example.com/map.png) ![](x.png)");
        assert!(html.contains("[A map]"));
        assert!(!html.contains("img"));
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn a_link_leads_to_a_whole_address_or_nowhere() {
        for nowhere in [
            "other.html",
            "#part",
            "//x/y",
            "data:text/html,x",
            "file:///x",
        ] {
            let (html, _) = html(&format!("<a href='{nowhere}'>x</a>"));
            assert!(!html.contains("href"), "{nowhere} gave {html}");
        }
        assert!(
            html("<a href='mailto:a@b.c'>x</a>")
                .0
                .contains("href=\"mailto:a@b.c\"")
        );
    }

    #[test]
    fn a_picture_within_a_description_is_part_of_it() {
        let (html, warnings) = html("![a ![b](https://x/c) `d`\ne](https://x/f) g");
        assert_eq!(html, "<p>[a b d e] g</p>\n");
        assert!(
            warnings.len() == 1 && warnings[0].contains("(https://x/f)"),
            "{warnings:?}"
        );
    }

    #[test]
    fn headings_start_below_the_page_heading() {
        assert_eq!(html("# A\n\n## B").0.trim(), "<h2>A</h2>\n<h3>B</h3>");
        assert_eq!(html("### A\n\n#### B").0.trim(), "<h2>A</h2>\n<h3>B</h3>");
    }

    /// Quadratic work on these would take far longer, on any machine and however busy it is.
    const PATIENCE: Duration = Duration::from_mins(1);

    #[test]
    fn a_depth_bomb_is_refused_quickly() {
        let bombs = [
            ">".repeat(FIELD_BYTES - 1),
            "<div>".repeat(50_000),
            "<b><i>".repeat(40_000),
            format!("{}x", "- ".repeat(100_000)),
        ];
        for bomb in bombs {
            let start = Instant::now();
            let refused = render(
                &bomb,
                "the lesson",
                &mut Rendering::new(&Library::default()),
            );
            assert!(
                matches!(refused, Err(PackageError::Invalid(_))),
                "{} bytes",
                bomb.len()
            );
            assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn a_long_field_is_refused() {
        let long = "x".repeat(FIELD_BYTES + 1);
        let refused = render(
            &long,
            "the lesson",
            &mut Rendering::new(&Library::default()),
        );
        assert!(
            matches!(refused, Err(PackageError::Invalid(message)) if message.contains("the lesson"))
        );
    }

    #[test]
    fn a_text_is_told_in_words_alone() {
        let source = "# Stars\n\nWhat *shines* at [night](https://a.example):\n\n- the `moon`\n- <b>planets</b>\n";
        assert_eq!(
            in_words(source, 100),
            "Stars What shines at night: the moon planets"
        );
        assert_eq!(in_words(source, 7), "Stars W");
        assert_eq!(in_words("", 7), "");
    }
}
