//! Markup that a serialiser has written, piece by piece: there, values stand in double quotes and no `<` stands for
//! anything but a tag or inside a value.

/// What such markup is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Escaped text.
    Text(&'a str),
    /// The inside of a tag.
    Tag(&'a str),
}

/// The pieces of `safe` in order.
pub fn pieces(safe: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = safe;
    while let Some((before, after)) = rest.split_once('<') {
        if !before.is_empty() {
            found.push(Piece::Text(before));
        }
        let (tag, tail) = split(after);
        found.push(Piece::Tag(tag));
        rest = tail;
    }
    if !rest.is_empty() {
        found.push(Piece::Text(rest));
    }
    found
}

/// What stands before the closing `>`, and what comes after it.
fn split(after: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in after.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => {
                let (tag, tail) = after.split_at_checked(at).unwrap_or((after, ""));
                return (tag, tail.strip_prefix('>').unwrap_or(tail));
            }
            _ => {}
        }
    }
    (after, "")
}

/// The name of a tag, without the slash of an end tag.
pub fn name(tag: &str) -> &str {
    let tag = tag.strip_prefix('/').unwrap_or(tag);
    tag.split(|c: char| c.is_ascii_whitespace() || c == '/')
        .next()
        .unwrap_or_default()
}

/// The attributes of a tag, values as they are escaped.
pub fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = tag.strip_prefix(name(tag)).unwrap_or_default();
    while let Some((before, after)) = rest.split_once("=\"") {
        let Some((value, tail)) = after.split_once('"') else {
            break;
        };
        found.push((
            before.split_whitespace().next_back().unwrap_or_default(),
            value,
        ));
        rest = tail;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_inside_a_value_ends_no_tag() {
        let found = pieces("a<b title=\"<i>\" dir=\"ltr\">c</b>");
        assert_eq!(
            found,
            [
                Piece::Text("a"),
                Piece::Tag("b title=\"<i>\" dir=\"ltr\""),
                Piece::Text("c"),
                Piece::Tag("/b")
            ]
        );
        assert_eq!(
            attributes("b title=\"<i>\" dir=\"ltr\""),
            [("title", "<i>"), ("dir", "ltr")]
        );
        assert_eq!((name("br/"), name("/p")), ("br", "p"));
    }
}
