//! The style sheet, and what a page has for whoever does not see it.

use super::*;
use crate::{SCRIPT, STYLE};

#[test]
fn colours_are_named_and_come_from_what_all_pages_share() {
    assert!(
        !STYLE.contains('#') && !STYLE.contains("rgb"),
        "a colour of its own"
    );
    for name in between(STYLE, "var(", ")") {
        assert!(lyceum_pages::STYLE.contains(&format!("{name}: ")), "{name}");
    }
}

#[test]
fn every_page_can_be_walked_through_without_seeing_it() {
    for path in [
        "/docs",
        "/docs?q=key",
        "/docs/courses",
        "/docs/updateCourse",
        "/docs/EventView",
        "/docs/onPing",
    ] {
        let page = page(path);
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
        assert!(page.contains("<a class=\"skip\" href=\"#text\">"), "{path}");
        assert!(
            page.contains("<main id=\"text\" tabindex=\"-1\">"),
            "{path}"
        );
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert_eq!(page.matches("role=\"search\"").count(), 1, "{path}");
        for nav in between(&page, "<nav", ">") {
            assert!(nav.contains("aria-label=\""), "{path}: {nav}");
        }
        for label in between(&page, " for=\"", "\"") {
            assert!(
                page.contains(&format!(" id=\"{label}\"")),
                "{path}: {label}"
            );
        }
        let ids: Vec<&str> = between(&page, " id=\"", "\"").collect();
        let once: std::collections::BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), once.len(), "{path}");
    }
}

/// Whoever is signed in to Studio tries as who they are there: both have to mean the same storage.
#[test]
fn the_script_and_studio_agree_on_where_a_session_is() {
    let studio = concat!(env!("CARGO_MANIFEST_DIR"), "/../console/assets/api.js");
    let studio = std::fs::read_to_string(studio).unwrap();
    for name in ["lyceum.key", "lyceum.signed_in", "lyceum.platform"] {
        let quoted = format!("\"{name}\"");
        assert!(
            studio.contains(&quoted) && SCRIPT.contains(&quoted),
            "{name}"
        );
    }
    for header in [
        "x-api-key",
        "lyceum-session",
        "x-learning-platform-code",
        "x-learning-platform-uuid",
    ] {
        let quoted = format!("\"{header}\"");
        assert!(
            studio.contains(&quoted) && SCRIPT.contains(&quoted),
            "{header}"
        );
    }
}

#[test]
fn what_comes_from_elsewhere_is_shown_as_text_alone() {
    for way in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
    ] {
        assert!(!SCRIPT.contains(way), "{way}");
    }
}
