//! The style sheet, and what a page has for whoever does not see it.

use std::collections::BTreeMap;
use std::fs;

use actix_web::http::header;

use super::*;
use crate::STYLE;

#[test]
fn the_style_sheet_is_there_and_light() {
    let response = get("/docs/guides/guides.css");
    assert_eq!(
        value(&response, header::CONTENT_TYPE),
        "text/css; charset=utf-8"
    );
    assert_eq!(body(response), *STYLE);
    assert!(STYLE.len() < 8_000, "{}", STYLE.len());
    assert!(!STYLE.contains("url("));
    assert!(!STYLE.contains("@import"));
}

/// Names and values of the colours of a style sheet.
fn colours(sheet: &str) -> BTreeMap<&str, &str> {
    let lines = sheet.lines().map(str::trim);
    let colours = lines.filter(|line| line.contains("light-dark("));
    let pairs = colours.filter_map(|line| line.split_once(": "));
    pairs.filter(|(name, _)| name.starts_with("--")).collect()
}

#[test]
fn it_has_the_colours_of_studio_in_the_light_and_in_the_dark() {
    let studio = format!("{}/../console/assets/base.css", env!("CARGO_MANIFEST_DIR"));
    let studio = fs::read_to_string(studio).unwrap();
    let studio = colours(&studio);
    let ours = colours(&STYLE);
    assert!(ours.len() > 10, "{ours:?}");
    for (name, colour) in ours {
        assert_eq!(studio.get(name), Some(&colour), "{name}");
    }
    assert!(STYLE.contains("color-scheme: light dark;"));
}

/// What a style sheet says of one thing.
fn rules<'a>(sheet: &'a str, of: &str) -> &'a str {
    let (_, behind) = sheet.split_once(&format!("\n{of} {{")).unwrap();
    behind.split('}').next().unwrap()
}

#[test]
fn what_is_wide_scrolls_inside_itself_and_the_focus_is_seen() {
    for wide in ["pre", ".scroll"] {
        assert!(rules(&STYLE, wide).contains("overflow-x: auto;"), "{wide}");
    }
    assert!(rules(&STYLE, ":focus-visible").contains("outline: 3px solid"));
    assert!(rules(&STYLE, ".skip:focus").contains("transform: none;"));
}

#[test]
fn paper_and_telephones_have_no_contents_beside_the_text() {
    let (_, narrow) = STYLE.split_once("@media (max-width: 60rem)").unwrap();
    assert!(narrow.contains("  .side { display: none; }\n  .above { display: block;"));
    assert!(rules(&STYLE, ".above").contains("display: none;"));
    let (_, print) = STYLE.split_once("@media print").unwrap();
    assert!(
        print.contains(".head, .side, .above, .here, .turning, .search, .skip { display: none; }")
    );
}

#[test]
fn every_page_can_be_walked_through_without_seeing_it() {
    for path in ["/docs/guides", "/docs/guides?q=key", "/docs/guides/api"] {
        let page = page(path);
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
        assert!(page.contains("<a class=\"skip\" href=\"#text\">"), "{path}");
        assert!(
            page.contains("<main id=\"text\" tabindex=\"-1\">"),
            "{path}"
        );
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert_eq!(page.matches("role=\"search\"").count(), 1, "{path}");
        assert!(
            page.contains("<label class=\"unseen\" for=\"q\">"),
            "{path}"
        );
        for nav in between(&page, "<nav", ">") {
            assert!(nav.contains("aria-label=\""), "{path}: {nav}");
        }
        assert!(page.contains("<a href=\"/studio\">Studio</a>"), "{path}");
        assert!(page.contains("<a href=\"/docs\">"), "{path}");
    }
}
