//! Texts that are no more than lines: nothing in them begins a block, whatever sign they begin with.
//!
//! Each line is begun with a character that is white space to Markdown's emphasis and nothing to its blocks, and that is taken
//! away again when the parser has read it. So whoever wrote `1. May` or `# 5` reads what they wrote.

use pulldown_cmark::{CowStr, Event};

/// A separator of lines; no text needs it, as it has real ones.
const BEGINNING: char = '\u{2028}';

/// The text with each line begun.
pub fn begun(cleaned: &str) -> String {
    let mut begun = String::with_capacity(cleaned.len());
    for line in cleaned.trim().lines() {
        if !begun.is_empty() {
            begun.push('\n');
        }
        begun.push(BEGINNING);
        begun.push_str(&line.replace(BEGINNING, " "));
    }
    begun
}

/// What was read, as it was before.
pub fn as_before(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => Event::Text(bare(text)),
        Event::Code(text) => Event::Code(bare(text)),
        Event::InlineMath(text) => Event::InlineMath(bare(text)),
        Event::DisplayMath(text) => Event::DisplayMath(bare(text)),
        Event::InlineHtml(text) => Event::InlineHtml(bare(text)),
        Event::Start(_)
        | Event::End(_)
        | Event::Html(_)
        | Event::FootnoteReference(_)
        | Event::SoftBreak
        | Event::HardBreak
        | Event::Rule
        | Event::TaskListMarker(_) => event,
    }
}

fn bare(text: CowStr<'_>) -> CowStr<'_> {
    if text.contains(BEGINNING) {
        CowStr::from(text.replace(BEGINNING, ""))
    } else {
        text
    }
}
