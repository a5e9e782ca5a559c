//! What is packed, and in which order it is read.

use std::fs;

use super::*;
use crate::book::{BOOK, Entry};
use crate::links::address;

fn docs() -> String {
    format!("{}/../../docs", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_texts_are_those_of_the_repository_in_the_order_of_the_summary() {
    let summary = fs::read_to_string(docs() + "/SUMMARY.md").unwrap();
    // A headline without a page has no `.md`.
    let lines = summary.lines().filter_map(|line| line.split_once("]("));
    let listed: Vec<&str> = lines
        .filter_map(|(_, target)| target.strip_suffix(".md)"))
        .collect();
    let packed: Vec<&str> = BOOK.pages.iter().map(|page| page.name).collect();
    assert_eq!(packed, listed);
    for page in &BOOK.pages {
        let text = fs::read_to_string(format!("{}/{}.md", docs(), page.name)).unwrap();
        assert_eq!(page.text, text, "{}", page.name);
    }
}

#[test]
fn every_page_stands_in_the_contents_once() {
    fn names<'a>(entries: &'a [Entry], found: &mut Vec<&'a str>) {
        for entry in entries {
            found.extend(entry.page.as_deref());
            names(&entry.below, found);
        }
    }
    let mut found = Vec::new();
    for part in &BOOK.parts {
        names(&part.entries, &mut found);
    }
    let pages: Vec<&str> = BOOK.pages.iter().map(|page| page.name).collect();
    assert_eq!(found, pages);
    assert_eq!(BOOK.parts[0].title, "");
    assert_eq!(BOOK.parts[1].title, "To begin with");
}

#[test]
fn what_is_below_a_line_of_the_contents_stands_below_it() {
    let operators = BOOK.parts.iter().find(|part| part.title == "For operators");
    let identity = &operators.unwrap().entries[2];
    assert_eq!(identity.page.as_deref(), Some("identity"));
    assert_eq!(identity.below[0].page.as_deref(), Some("sharding"));
    let page = page("/docs/guides");
    let nested = "identity\">Identity</a><ul>\n<li><a href=\"/docs/guides/sharding\">";
    assert!(page.contains(nested));
}

#[test]
fn a_page_leads_to_those_before_and_behind_it() {
    for (at, text) in BOOK.pages.iter().enumerate() {
        let page = page(&address(text.name));
        let turning = between(&page, "<nav class=\"turning\"", "</nav>").next();
        let turning = turning.unwrap();
        let link = |rel: &str| {
            let start = format!("rel=\"{rel}\" href=\"");
            let found: Vec<String> = between(turning, &start, "\"").map(str::to_owned).collect();
            found.first().cloned()
        };
        let at_place = |at: Option<usize>| Some(address(BOOK.pages.get(at?)?.name));
        assert_eq!(link("prev"), at_place(at.checked_sub(1)), "{}", text.name);
        assert_eq!(link("next"), at_place(Some(at + 1)), "{}", text.name);
    }
    // By their titles: several are called "The guide" in the contents.
    let studio = page("/docs/guides/studio");
    assert!(studio.contains("<span>Before</span> For teachers</a>"));
}

#[test]
fn the_contents_beside_a_text_say_where_one_is() {
    let page = page("/docs/guides/decisions/0021-studio");
    let here = "<a href=\"/docs/guides/decisions/0021-studio\" aria-current=\"page\">Studio</a>";
    // Beside it, and where there is no room above it, to be opened.
    assert_eq!(page.matches(here).count(), 2);
    assert_eq!(page.matches("aria-current").count(), 2);
    let above = between(&page, "<details class=\"above\">", "</details>").next();
    assert!(above.unwrap().contains(here));
}
