//! A text told without its markup.

use crate::settings::Settings;

/// A text without its markup, on one line and no longer than `limit` characters: pictures by their descriptions, formulas by
/// their TeX. None of a text that cannot be rendered.
pub fn in_words(source: &str, limit: usize) -> String {
    let rendered = crate::render(source, &Settings::default(), &mut |_| String::new());
    let words = rendered.map(|rendered| rendered.words);
    let short: String = words.unwrap_or_default().chars().take(limit).collect();
    short.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_in_words_alone() {
        let source = "# Stars\n\nWhat *shines* at [night](https://a.example):\n\n- the `moon`\n- <b>planets</b>\n";
        assert_eq!(
            in_words(source, 100),
            "Stars What shines at night: the moon planets"
        );
        assert_eq!(in_words(source, 7), "Stars W");
        assert_eq!(in_words("", 7), "");
        assert_eq!(in_words("x<y>z is $a_1$", 50), "x<y>z is a_1");
        assert_eq!(
            in_words("![A *map*](x), **a**<br>b<i>c</i>", 50),
            "A map, a bc"
        );
        assert_eq!(in_words("<p>a</p><p>b</p>", 50), "a b");
    }
}
