//! A text told without its markup.

use pulldown_cmark::{Event, Parser, TagEnd};

use crate::{drafting, raw, text};

/// A text without its markup, on one line and no longer than `limit` characters.
pub fn in_words(source: &str, limit: usize) -> String {
    let mut words = String::new();
    for event in Parser::new_ext(source, drafting::options()) {
        if let Event::Text(text)
        | Event::Code(text)
        | Event::InlineMath(text)
        | Event::DisplayMath(text) = &event
        {
            words.push_str(text);
        } else if let Event::InlineHtml(html) = &event {
            words.push_str(if raw::is_text(html) { html } else { "" });
        } else if matches!(event, Event::SoftBreak | Event::HardBreak) || ends_a_block(&event) {
            words.push(' ');
        }
        // What markup and breaks take away again is never the half of it.
        if words.len() > limit.saturating_mul(8) {
            break;
        }
    }
    let clean = text::clean(&words);
    let line: Vec<&str> = clean.split_whitespace().collect();
    line.join(" ").chars().take(limit).collect()
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
    }
}
