//! HTML in the midst of a text: what is no element stays visible, and what will be dropped is told.
//!
//! This only looks; what may pass is decided by the sanitiser, which reads the result as a browser would.

use crate::allowed::{self, Standing};
use crate::settings::Scope;
use crate::warnings::{Kind, shortened};

/// A tag as it stands in the source.
struct Written<'a> {
    /// In small letters.
    name: String,
    is_end: bool,
    attributes: Vec<(String, String)>,
    /// From behind `<` to behind `>`.
    whole: &'a str,
    /// What comes behind it.
    behind: &'a str,
}

/// `raw` with what is no element written as text; `report` hears what will be dropped, and at which byte. Within a drawing
/// (`<svg>`), which may go on from one piece of HTML to the next, everything is an element.
pub fn reshaped(
    raw: &str,
    scope: Scope,
    in_drawing: &mut bool,
    report: &mut dyn FnMut(usize, Kind, String),
) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        if let Some(inert) = inert(after) {
            out.push('<');
            out.push_str(inert);
            rest = after.strip_prefix(inert).unwrap_or_default();
            continue;
        }
        let tag = tag(after);
        let is_known =
            |tag: &Written<'_>| *in_drawing || allowed::standing(&tag.name) != Standing::Unknown;
        let Some(tag) = tag.filter(is_known) else {
            out.push_str("&lt;");
            rest = after;
            continue;
        };
        if tag.name == "svg" {
            *in_drawing = !tag.is_end;
        }
        let at = raw.len().saturating_sub(after.len()).saturating_sub(1);
        judge(&tag, at, scope, report);
        out.push('<');
        out.push_str(tag.whole);
        rest = tag.behind;
    }
    out.push_str(rest);
    out
}

/// Whether `raw`, one tag, is no element at all.
pub fn is_text(raw: &str) -> bool {
    raw.strip_prefix('<')
        .and_then(tag)
        .is_some_and(|tag| allowed::standing(&tag.name) == Standing::Unknown)
}

/// A comment, an instruction or the like, from behind `<`.
fn inert(after: &str) -> Option<&str> {
    let end = if after.starts_with("!--") {
        "-->"
    } else if after.starts_with("![CDATA[") {
        "]]>"
    } else if after.starts_with(['!', '?']) {
        ">"
    } else {
        return None;
    };
    let length = after.find(end).and_then(|at| at.checked_add(end.len()));
    length.map_or(Some(after), |length| after.get(..length))
}

fn judge(tag: &Written<'_>, at: usize, scope: Scope, report: &mut dyn FnMut(usize, Kind, String)) {
    if tag.is_end {
        return;
    }
    let is_taken = allowed::standing(&tag.name) == Standing::Taken;
    if !is_taken || !allowed::within(scope, &tag.name) {
        report(at, Kind::Element, tag.name.clone());
        return;
    }
    for (name, value) in &tag.attributes {
        if allowed::attribute(&tag.name, name, value) {
            if name == "href" && is_plain_http(value) {
                report(at, Kind::PlainHttp, shortened(value));
            }
        } else if name == "href" {
            report(at, Kind::Address, shortened(value));
        } else {
            let detail = format!("the attribute {} of <{}>", shortened(name), tag.name);
            report(at, Kind::Attribute, detail);
        }
    }
}

/// Whether an address names a page that is not encrypted.
pub fn is_plain_http(address: &str) -> bool {
    address
        .trim_start()
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
}

/// The tag that begins behind a `<`, if it ends.
fn tag(after: &str) -> Option<Written<'_>> {
    let (is_end, named) = match after.strip_prefix('/') {
        Some(named) => (true, named),
        None => (false, after),
    };
    if !named.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let name_ends = named.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
    let (name, mut rest) = named.split_at_checked(name_ends)?;
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(behind) = rest.strip_prefix('>') {
            let whole = after.get(..after.len().checked_sub(behind.len())?)?;
            let name = name.to_ascii_lowercase();
            return Some(Written {
                name,
                is_end,
                attributes,
                whole,
                behind,
            });
        }
        let (attribute, tail) = attribute(rest)?;
        attributes.push(attribute);
        rest = tail;
    }
}

/// The attribute at the beginning, its name in small letters.
fn attribute(rest: &str) -> Option<((String, String), &str)> {
    let mut skipped = rest.char_indices().skip(1);
    let (end, _) =
        skipped.find(|(_, c)| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '='))?;
    let (name, tail) = rest.split_at_checked(end)?;
    let name = name.to_ascii_lowercase();
    let Some(value) = tail.trim_start().strip_prefix('=') else {
        return Some(((name, String::new()), tail));
    };
    let value = value.trim_start();
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote) {
            let (inside, tail) = inside.split_once(quote)?;
            return Some(((name, inside.to_owned()), tail));
        }
    }
    let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
    let (value, tail) = value.split_at_checked(end)?;
    Some(((name, value.to_owned()), tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(raw: &str) -> (String, Vec<String>) {
        let mut told = Vec::new();
        let made = reshaped(
            raw,
            Scope::default(),
            &mut false,
            &mut |at, kind, detail| {
                told.push(format!("{at} {kind:?} {detail}"));
            },
        );
        (made, told)
    }

    #[test]
    fn what_is_no_element_stays_visible() {
        assert_eq!(looked("<y>").0, "&lt;y>");
        assert_eq!(looked("</y>").0, "&lt;/y>");
        assert_eq!(looked("a <T, U> <b>c</b>").0, "a &lt;T, U> <b>c</b>");
        assert_eq!(looked("<b never closed").0, "&lt;b never closed");
        assert_eq!(looked("<!-- <y> -->").0, "<!-- <y> -->");
    }

    #[test]
    fn what_will_be_dropped_is_told_with_its_place() {
        let (made, told) = looked("x <IFRAME src='y'></iframe><p onclick=z dir=rtl title=\"a>b\">");
        assert_eq!(
            made,
            "x <IFRAME src='y'></iframe><p onclick=z dir=rtl title=\"a>b\">"
        );
        assert_eq!(
            told,
            [
                "2 Element iframe",
                "27 Attribute the attribute onclick of <p>",
                "27 Attribute the attribute title of <p>"
            ]
        );
        let (_, told) = looked("<a href='javascript:x'><a href=http://x.y>");
        assert_eq!(told, ["0 Address javascript:x", "23 PlainHttp http://x.y"]);
    }

    #[test]
    fn what_a_drawing_is_made_of_is_no_text() {
        let (made, told) = looked("<svg><path d='M0'/></svg><path>");
        assert_eq!(made, "<svg><path d='M0'/></svg>&lt;path>");
        assert_eq!(told, ["0 Element svg", "5 Element path"]);
    }
}
