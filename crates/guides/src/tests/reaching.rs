//! Links, and what they lead to.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Tag};

use super::*;
use crate::book::{BOOK, Page};
use crate::links::{Anchors, Target, address, target};
use crate::rendering::{parsed, rendered};

/// The ids of every page, by its address.
fn ids() -> BTreeMap<String, BTreeSet<String>> {
    let of_page = |text: &Page| {
        let html = tags(&page(&address(text.name)));
        let ids: Vec<&str> = between(&html, " id=\"", "\"").collect();
        let each: BTreeSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(each.len(), ids.len(), "{} has an id twice", text.name);
        (address(text.name), each)
    };
    BOOK.pages.iter().map(of_page).collect()
}

fn written_links(text: &Page) -> Vec<String> {
    let events = parsed(text.text);
    let mut links = Vec::new();
    for event in events {
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            links.push(dest_url.into_string());
        }
    }
    links
}

#[test]
fn every_link_of_every_text_leads_to_what_is_here_or_is_none() {
    let ids = ids();
    let (mut here, mut outside, mut nowhere) = (0, 0, 0);
    for text in &BOOK.pages {
        for link in written_links(text) {
            let named = format!("{} links to {link}", text.name);
            let is_of_the_book = link.starts_with('#') || link.contains(".md");
            match target(&BOOK, text.name, &link) {
                Target::Here(place) => {
                    let (file, heading) = place.split_once('#').unwrap_or((&place, ""));
                    let own = address(text.name);
                    let file = if file.is_empty() { &own } else { file };
                    let there = ids.get(file).unwrap_or_else(|| panic!("{named}"));
                    assert!(heading.is_empty() || there.contains(heading), "{named}");
                    here += 1;
                }
                Target::Outside(place) => {
                    assert!(place.starts_with("https://"), "{named}");
                    outside += 1;
                }
                Target::Nowhere => {
                    // Such a text is of the repository, and not of its handbook.
                    let leaves = link.contains("README") || link.contains("CHANGELOG");
                    let leaves =
                        leaves || link.contains("SECURITY.md") || link.contains("CONTRIBUTING");
                    assert!(!is_of_the_book || leaves, "{named}");
                    nowhere += 1;
                }
            }
        }
    }
    assert!(here > 300, "{here}");
    assert!(outside > 10, "{outside}");
    assert!(nowhere > 5, "{nowhere}");
}

#[test]
fn no_page_has_a_link_to_what_is_not_there() {
    let ids = ids();
    let others = [
        "/docs/guides",
        "/docs/guides/guides.css",
        "/docs",
        "/studio",
        "/studio/icon.svg",
    ];
    for text in &BOOK.pages {
        let own = address(text.name);
        for link in between(&tags(&page(&own)), " href=\"", "\"") {
            if link.starts_with("https://") || others.contains(&link) {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { own.as_str() } else { file };
            let there = ids.get(file).unwrap_or_else(|| panic!("{own}: {link}"));
            assert!(
                heading.is_empty() || there.contains(heading),
                "{own}: {link}"
            );
        }
    }
}

#[test]
fn links_between_texts_become_links_here() {
    for (page, written, place) in [
        ("questions", "api.md#errors", "/docs/guides/api#errors"),
        (
            "questions",
            "guides/teacher.md",
            "/docs/guides/guides/teacher",
        ),
        ("guides/teacher", "../grades.md", "/docs/guides/grades"),
        (
            "decisions/0021-studio",
            "0022-a-teachers-day.md",
            "/docs/guides/decisions/0022-a-teachers-day",
        ),
        ("api", "#errors", "#errors"),
        ("api", "./ai.md", "/docs/guides/ai"),
    ] {
        let led = target(&BOOK, page, written);
        assert_eq!(led, Target::Here(place.to_owned()), "{written}");
    }
}

#[test]
fn what_is_not_in_the_binary_is_no_link() {
    for (page, written) in [
        ("api", "../README.md"),
        ("api", "../crates/api/src/lib.rs"),
        ("guides/operator", "../../packaging/README.md"),
        ("operations", "operations/alerts.yaml"),
        ("api", "SUMMARY.md"),
        ("api", "../../../../etc/passwd"),
        ("api", "javascript:alert(1)"),
        ("api", "//elsewhere.example/api.md"),
        ("api", "http://elsewhere.example"),
        ("api", "media:med_1"),
        ("api", "/api.md"),
        ("api", "api"),
        ("api", ""),
    ] {
        assert_eq!(target(&BOOK, page, written), Target::Nowhere, "{written}");
    }
}

#[test]
fn words_of_a_link_that_leads_nowhere_stay() {
    let html = shown(
        "See [the **sources**](../crates/api/src/lib.rs), [here](#x) and [out](https://example.org/?a&b).",
    );
    assert_eq!(
        html,
        "<p>See the <strong>sources</strong>, <a href=\"#x\">here</a> and \
         <a href=\"https://example.org/?a&amp;b\" rel=\"noreferrer\">out</a>.</p>\n"
    );
}

fn shown(text: &'static str) -> String {
    rendered(&BOOK, &Page { name: "api", text }).body
}

#[test]
fn headings_are_found_by_the_names_that_github_gives() {
    let mut anchors = Anchors::default();
    for (heading, name) in [
        ("Events and webhooks", "events-and-webhooks"),
        (
            "A request, read downwards: `POST /v1/courses`",
            "a-request-read-downwards-post-v1courses",
        ),
        ("Twice", "twice"),
        ("Twice", "twice-1"),
        ("Twice", "twice-2"),
        ("sent_invitations", "sent_invitations"),
        ("Where start-up time goes", "where-start-up-time-goes"),
        ("Über – alles", "über--alles"),
        ("Twice 1", "twice-1-1"),
    ] {
        assert_eq!(anchors.next(heading), name);
    }
}
