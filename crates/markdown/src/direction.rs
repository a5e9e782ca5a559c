//! Which way a text is read: each block by its own words, whatever the page around it is written in.
//!
//! A browser that is told `dir="auto"` looks past whatever inside has a direction of its own. So a block with words of its
//! own is told `auto`, one around other blocks is told what its first words say, and one without any letter has none: a
//! cell that holds a number alone stands as the row around it does.

use crate::allowed::{self, Flow};
use crate::quantities;
use crate::tags::{self, Piece};

/// Whether a character is written from right to left.
pub fn is_rtl(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// The direction to be written into each piece that is a tag and has none.
pub fn directions(pieces: &[Piece<'_>]) -> Vec<Option<&'static str>> {
    let mut found = vec![None; pieces.len()];
    let mut open: Vec<Open<'_>> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => told(text, &mut open, &mut found),
            Piece::Tag(tag) if tag.starts_with('/') => {
                let name = tags::name(tag);
                if let Some(place) = open.iter().rposition(|one| one.name == name) {
                    open.truncate(place);
                }
            }
            Piece::Tag(tag) => {
                let flow = allowed::flow(tags::name(tag));
                let has_own = tags::attributes(tag).iter().any(|(name, _)| *name == "dir");
                if flow == Flow::Code && !has_own {
                    set(&mut found, at, "ltr");
                }
                if flow != Flow::Inherited {
                    let name = tags::name(tag);
                    let is_known = has_own || flow == Flow::Code;
                    open.push(Open {
                        name,
                        at,
                        flow,
                        is_known,
                    });
                }
            }
        }
    }
    found
}

/// A block that is not closed yet.
struct Open<'a> {
    name: &'a str,
    at: usize,
    flow: Flow,
    is_known: bool,
}

/// The first words within blocks: those of the innermost, and what those around it begin with.
fn told(text: &str, open: &mut [Open<'_>], found: &mut [Option<&'static str>]) {
    // Whatever is around a block that is known is known too, or has code before its words.
    let is_code = open.last().is_some_and(|one| one.flow == Flow::Code);
    if is_code || open.iter().all(|one| one.is_known) {
        return;
    }
    let Some(letter) = quantities::first_letter(text) else {
        return;
    };
    let direction = if is_rtl(letter) { "rtl" } else { "ltr" };
    let mut innermost = true;
    for one in open.iter_mut().rev() {
        if !one.is_known {
            set(found, one.at, if innermost { "auto" } else { direction });
            one.is_known = true;
        }
        innermost = false;
    }
}

fn set(found: &mut [Option<&'static str>], at: usize, direction: &'static str) {
    if let Some(place) = found.get_mut(at) {
        *place = Some(direction);
    }
}

/// Which pieces are read within words from right to left, or without any words, so that whatever is around them decides; code
/// is neither.
pub fn among_rtl(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut found = vec![false; pieces.len()];
    let mut run = Run::default();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) if run.code == 0 => {
                run.has_rtl = run.has_rtl || text.chars().any(is_rtl);
                run.has_words = run.has_words || quantities::first_letter(text).is_some();
                run.at.push(at);
            }
            Piece::Text(_) => run.has_words = true,
            Piece::Tag(tag) => match allowed::flow(tags::name(tag)) {
                Flow::Text => run.end(&mut found),
                Flow::Code if tag.starts_with('/') => run.code = run.code.saturating_sub(1),
                Flow::Code => run.code = run.code.saturating_add(1),
                Flow::Inherited => {}
            },
        }
    }
    run.end(&mut found);
    found
}

/// Text between the edges of two blocks.
#[derive(Default)]
struct Run {
    at: Vec<usize>,
    has_rtl: bool,
    has_words: bool,
    code: usize,
}

impl Run {
    fn end(&mut self, found: &mut [bool]) {
        let is_among = self.has_rtl || !self.has_words;
        for at in self.at.drain(..) {
            if let Some(place) = found.get_mut(at) {
                *place = is_among;
            }
        }
        (self.has_rtl, self.has_words) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directed(markup: &str) -> String {
        let pieces = tags::pieces(markup);
        let directions = directions(&pieces);
        let told = pieces
            .iter()
            .zip(directions)
            .filter_map(|(piece, direction)| match piece {
                Piece::Tag(tag) => direction.map(|direction| format!("{tag}:{direction}")),
                Piece::Text(_) => None,
            });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_block_goes_by_its_own_words_and_a_list_by_its_first() {
        assert_eq!(directed("<p>a</p><p>ب</p>"), "p:auto p:auto");
        assert_eq!(
            directed("<ul><li>ب</li><li>a</li></ul>"),
            "ul:rtl li:auto li:auto"
        );
        assert_eq!(
            directed("<ul><li><p>a</p></li></ul>"),
            "ul:ltr li:ltr p:auto"
        );
    }

    #[test]
    fn numbers_alone_say_nothing() {
        assert_eq!(directed("<p>&amp; 74 % or 5 kg</p>"), "p:auto");
        assert_eq!(directed("<p>&amp; 74 %, 5 kg</p>"), "");
        assert_eq!(
            directed("<table><tr><td>7</td><td>ب</td></tr></table>"),
            "table:rtl td:auto"
        );
    }

    #[test]
    fn code_is_read_from_left_to_right_and_what_authors_say_stays() {
        assert_eq!(directed("<p dir=\"rtl\">a <code>b</code></p>"), "code:ltr");
        assert_eq!(directed("<p><code>b</code> ب</p>"), "p:auto code:ltr");
        assert_eq!(directed("<pre><code>ب</code></pre>"), "pre:ltr code:ltr");
    }

    #[test]
    fn only_the_block_that_has_such_letters_counts() {
        let pieces = tags::pieces("<p>a</p><p>b <em>ب</em> <code>c</code></p><td>5 kg</td>");
        let words: Vec<&str> = pieces
            .iter()
            .zip(among_rtl(&pieces))
            .filter_map(|(piece, is)| match piece {
                Piece::Text(text) if is => Some(*text),
                Piece::Text(_) | Piece::Tag(_) => None,
            })
            .collect();
        assert_eq!(words, ["b ", "ب", " ", "5 kg"]);
    }
}
