//! How deeply markup nests, measured in one pass before any tree is built from it.
//!
//! The sanitiser builds a tree, and a tree of a hundred thousand levels costs minutes and stack. This scan never
//! reports less than what the tree would hold: where HTML is forgiving, it assumes the deeper reading.

/// Elements that an HTML parser never nests into one another, so a forgotten end tag is harmless.
const SELF_ENDING: [&str; 8] = ["p", "li", "dd", "dt", "br", "hr", "img", "wbr"];

/// Whether `html` would nest deeper than `limit` levels. Linear in the length of `html`.
pub fn exceeds(html: &str, limit: usize) -> bool {
    let mut scan = Scan {
        rest: html,
        open: Vec::new(),
    };
    while scan.step() {
        if scan.open.len() > limit {
            return true;
        }
    }
    scan.open.len() > limit
}

struct Scan<'a> {
    rest: &'a str,
    open: Vec<String>,
}

impl<'a> Scan<'a> {
    /// Consumes text and one markup construct; `false` at the end.
    fn step(&mut self) -> bool {
        let Some((_, after)) = self.rest.split_once('<') else {
            return false;
        };
        self.rest = after;
        if let Some(comment) = after.strip_prefix("!--") {
            self.inert(comment, "-->");
        } else if let Some(data) = after.strip_prefix("![CDATA[") {
            self.inert(data, "]]>");
        } else if after.starts_with(['!', '?']) {
            self.rest = after.split_once('>').map_or("", |(_, tail)| tail);
        } else if let Some(name) = after.strip_prefix('/') {
            let name = self.tag(name);
            // Only a perfectly nested end tag counts; a stray one may be ignored by the parser too.
            if self.open.last().is_some_and(|top| *top == name) {
                self.open.pop();
            }
        } else if after.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = self.tag(after);
            self.push(name);
        }
        true
    }

    /// A stretch that may or may not be markup to the parser: its start tags count, its end tags do not.
    fn inert(&mut self, from: &'a str, end: &str) {
        let (inside, tail) = from.split_once(end).unwrap_or((from, ""));
        for piece in inside.split('<').skip(1) {
            if piece.starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.push(name_of(piece));
            }
        }
        self.rest = tail;
    }

    fn push(&mut self, name: String) {
        if !SELF_ENDING.contains(&name.as_str()) {
            self.open.push(name);
        }
    }

    /// Reads a tag to its closing `>`, minding quoted attribute values, and returns its name.
    fn tag(&mut self, from: &'a str) -> String {
        let name = name_of(from);
        let mut quote = None;
        let mut after_equals = false;
        for (at, c) in from.char_indices().skip(name.chars().count()) {
            match (quote, c) {
                (Some(q), _) if q == c => quote = None,
                (None, '>') => {
                    self.rest = from.get(at.saturating_add(1)..).unwrap_or_default();
                    return name;
                }
                (None, '"' | '\'') if after_equals => quote = Some(c),
                (Some(_) | None, _) => {}
            }
            after_equals = c == '=' || (after_equals && c.is_ascii_whitespace());
        }
        self.rest = "";
        name
    }
}

fn name_of(tag: &str) -> String {
    tag.chars()
        .take_while(|c| !c.is_ascii_whitespace() && !matches!(c, '/' | '>'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_markup_is_shallow_however_long() {
        assert!(!exceeds(
            &"<div><b>x</b></div><p>y<br><li>z".repeat(10_000),
            3
        ));
    }

    #[test]
    fn unclosed_markup_is_deep() {
        assert!(exceeds(&"<div>".repeat(201), 200));
        assert!(!exceeds(&"<div>".repeat(200), 200));
    }

    #[test]
    fn end_tags_a_parser_would_not_see_do_not_count() {
        let tricks = [
            "<div><textarea></div></textarea>",
            "<div><select></div></select>",
            "<div><!-- </div> -->",
            "<div><a title=\"</div>\"></a>",
            "<div><svg><![CDATA[></div>]]></svg>",
            "<div><table><td></div></td></table>",
            "<div></b>",
        ];
        for trick in tricks {
            assert!(exceeds(&trick.repeat(201), 200), "{trick}");
        }
    }

    #[test]
    fn a_broken_tag_ends_the_scan() {
        assert!(!exceeds("<div class=\"never closed", 5));
        assert!(!exceeds("a < b and c <", 0));
    }

    proptest::proptest! {
        /// Whatever strays in between: what is open is never counted as less.
        #[test]
        fn so_many_open_elements_are_so_deep(
            names in proptest::collection::vec("(div|b|i|table|td|blockquote|x-y)", 1..60),
            stray in "(</zz>|<br>|text|a < b|<!-- c -->|<p title='</div>'>){0,5}",
        ) {
            let open: Vec<String> = names.iter().map(|name| format!("<{name}>{stray}")).collect();
            let close: Vec<String> = names.iter().rev().map(|name| format!("</{name}>")).collect();
            let (open, close) = (open.concat(), close.concat());
            proptest::prop_assert!(exceeds(&open, names.len() - 1));
            let whole = format!("{open}x{close}");
            proptest::prop_assert!(exceeds(&whole, names.len() - 1));
            proptest::prop_assert!(!exceeds(&whole, names.len()));
        }
    }
}
