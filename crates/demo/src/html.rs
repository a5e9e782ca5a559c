//! Text that is safe to stand in a page.

/// Escapes what would be markup, in text and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// How many colours the style sheet has; criteria beyond them begin again.
const COLOURS: usize = 6;

/// The class that colours a criterion.
pub fn colour(criterion: usize) -> String {
    format!("k{}", criterion % COLOURS)
}

/// A criterion's letter: A to Z, then numbers.
pub fn letter(criterion: usize) -> String {
    let letter = u32::try_from(criterion).ok().filter(|place| *place < 26);
    let letter = letter.and_then(|place| char::from_u32(u32::from('A') + place));
    letter.map_or_else(|| (criterion + 1).to_string(), String::from)
}

/// The letter in its colour.
pub fn tag(criterion: usize) -> String {
    format!(
        "<span class=\"tag {}\">{}</span>",
        colour(criterion),
        letter(criterion)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        let given = "<script>'a' & \"b\"</script>";
        assert_eq!(
            escape(given),
            "&lt;script&gt;&#39;a&#39; &amp; &quot;b&quot;&lt;/script&gt;"
        );
    }

    #[test]
    fn letters_go_on_as_numbers() {
        assert_eq!([letter(0), letter(25), letter(26)], ["A", "Z", "27"]);
    }
}
