//! Texts of lessons: what they become can do nothing, names nothing from elsewhere, and is made in time.

use std::time::{Duration, Instant};

use lyceum_scorm::text_to_html;

/// More than any machine needs for a text that is not refused; a sanitiser that is quadratic in a quarter of a
/// megabyte needs minutes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Elements that say how a text is meant, and no more.
const HARMLESS: &str = " a abbr b bdi blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption \
    figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strike strong sub summary sup \
    table tbody td tfoot th thead tr u ul var wbr ";
const ATTRIBUTES: &str =
    " aria-label class colspan dir href id lang open rel role rowspan scope start target title ";
/// What formulas are made of.
const FORMULAS: &str = " annotation math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace \
    msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics ";
const THEIR_ATTRIBUTES: &str = " accent accentunder class columnspan depth dir display displaystyle encoding fence form height \
    linethickness lspace mathbackground mathcolor mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel \
    separator stretchy width ";

fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

pub fn fuzz(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let begun = Instant::now();
    let made = text_to_html(&text);
    assert!(begun.elapsed() < PATIENCE, "it took {:?}", begun.elapsed());
    if let Ok(html) = &made {
        tags(html);
    }
    made.is_ok()
}

/// Reads a serialised tree: `<` begins nothing but a tag, and values stand in double quotes.
fn tags(html: &str) {
    for piece in html.split('<').skip(1) {
        let (tag, _) = cut(piece);
        let tag = tag.trim_end_matches('/').trim_end();
        let name_ends = tag.find(char::is_whitespace).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(name_ends);
        let name = name.trim_start_matches('/');
        let known = if is_among(FORMULAS, name) {
            THEIR_ATTRIBUTES
        } else {
            assert!(is_among(HARMLESS, name), "<{name}> in {html}");
            ATTRIBUTES
        };
        check_attributes(attributes, known, html);
    }
}

/// The inside of a tag, up to the first `>` that stands in no value.
fn cut(piece: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, character) in piece.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '>' if !quoted => return piece.split_at(at),
            _ => {}
        }
    }
    panic!("a tag without an end: {piece}");
}

fn check_attributes(mut rest: &str, known: &str, html: &str) {
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("a value with an end");
        let name = name.trim();
        assert!(is_among(known, name), "{name} in {html}");
        if name == "href" {
            // Footnotes lead to each other.
            let opens_a_page = ["https:", "http:", "mailto:", "#t1-"];
            let low = value.to_ascii_lowercase();
            assert!(
                opens_a_page.iter().any(|scheme| low.starts_with(scheme)),
                "{value} in {html}"
            );
        }
        rest = after;
    }
    assert!(rest.trim().is_empty(), "{rest} in {html}");
}
