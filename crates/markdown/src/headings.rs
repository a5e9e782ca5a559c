//! The page has one `h1`, and it is not the text's.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

/// The highest heading of the text becomes `h2`.
pub fn shift(events: &mut [Event<'_>]) {
    let Some(highest) = events
        .iter_mut()
        .filter_map(level_of)
        .map(|level| *level)
        .min()
    else {
        return;
    };
    for level in events.iter_mut().filter_map(level_of) {
        *level = below(*level, highest);
    }
}

fn level_of<'e>(event: &'e mut Event<'_>) -> Option<&'e mut HeadingLevel> {
    if let Event::Start(Tag::Heading { level, .. }) | Event::End(TagEnd::Heading(level)) = event {
        Some(level)
    } else {
        None
    }
}

fn below(level: HeadingLevel, highest: HeadingLevel) -> HeadingLevel {
    let number = |l: HeadingLevel| match l {
        HeadingLevel::H1 => 1_usize,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    };
    let shifted = number(level)
        .saturating_add(2)
        .saturating_sub(number(highest));
    HeadingLevel::try_from(shifted).unwrap_or(HeadingLevel::H6)
}
