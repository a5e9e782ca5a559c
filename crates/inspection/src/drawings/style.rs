//! Styles of a drawing: what is known and reaches nothing outside is kept, declaration by declaration.

use super::allowed;

/// The declarations of a `style` attribute that may stay, and whether all of them may.
pub fn declarations(text: &str) -> (String, bool) {
    let mut kept = String::new();
    let mut all = true;
    for declaration in text.split(';').map(str::trim) {
        if declaration.is_empty() {
            continue;
        }
        let parts = declaration.split_once(':');
        let parts = parts.map(|(name, value)| (name.trim(), value.trim()));
        match parts {
            Some((name, value)) if allowed::property(name) && allowed::value(value) => {
                kept.push_str(name);
                kept.push(':');
                kept.push_str(value);
                kept.push(';');
            }
            _ => all = false,
        }
    }
    (kept, all)
}

/// The rules of a `style` element that may stay, and whether all of them may. Rules of `@` are left out.
pub fn sheet(text: &str) -> (String, bool) {
    let text = without_comments(text);
    let mut kept = String::new();
    let mut all = true;
    let mut rest = text.as_str();
    while let Some((selector, after)) = rest.split_once('{') {
        let selector = selector.trim();
        let (body, next) = block(after);
        rest = next;
        let (inside, whole) = declarations(body);
        // A nested block would be cut apart wrongly, and something of `@` may end without one.
        let plain = is_selector(selector) && !body.contains('{');
        all = all && whole && plain;
        if plain && !inside.is_empty() {
            kept.push_str(selector);
            kept.push('{');
            kept.push_str(&inside);
            kept.push('}');
        }
    }
    (kept, all && rest.trim().is_empty())
}

/// What is in a block that has just begun, and what follows it.
fn block(text: &str) -> (&str, &str) {
    let mut depth = 1_u32;
    for (place, c) in text.char_indices() {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (body, rest) = text.split_at(place);
            return (body, rest.strip_prefix('}').unwrap_or_default());
        }
    }
    (text, "")
}

fn is_selector(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || " \t\r\n.#,>*:_-+~()".contains(c);
    !text.is_empty() && text.chars().all(known)
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    // What HTML editors put around a sheet.
    kept.replace("<!--", "").replace("-->", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_paints_stays_and_what_reaches_out_goes() {
        for (text, kept, all) in [
            (
                "fill: red; stroke:url(#a)",
                "fill:red;stroke:url(#a);",
                true,
            ),
            ("fill:url(http://x/)", "", false),
            ("fill:u\\72l(http://x/)", "", false),
            ("fill:image-set('x' 1x);opacity:.5", "opacity:.5;", false),
            ("behavior:url(#x)", "", false),
            ("fill:url( 'data:x')", "", false),
            ("width:expression(alert(1))", "", false),
        ] {
            assert_eq!(declarations(text), (kept.to_owned(), all), "{text}");
        }
    }

    #[test]
    fn sheets_keep_their_plain_rules() {
        for (text, kept, all) in [
            (".a, #b > c { fill: red }", ".a, #b > c{fill:red;}", true),
            ("/* .x{} */ .a{fill:red}", ".a{fill:red;}", true),
            ("@import 'http://x'; .a{fill:red}", "", false),
            (
                "@media print{.a{fill:red}} .b{fill:blue}",
                ".b{fill:blue;}",
                false,
            ),
            (
                "@font-face{src:url(http://x)} .b{fill:blue}",
                ".b{fill:blue;}",
                false,
            ),
            (".a{fill:red", ".a{fill:red;}", true),
            ("</style><script>", "", false),
        ] {
            assert_eq!(sheet(text), (kept.to_owned(), all), "{text}");
        }
    }
}
