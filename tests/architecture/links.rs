//! What a page links to inside the project is there, down to the heading.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::root;

/// Every page below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    found
}

/// The README of the project, of its parts, of the packaging and of the examples, and the documentation.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![
        root().join("README.md"),
        root().join("SECURITY.md"),
        root().join("examples").join("README.md"),
        root().join("packaging").join("README.md"),
    ];
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    pages.extend(crates.map(|entry| entry.unwrap().path().join("README.md")));
    pages.extend(below(&root().join("docs")));
    pages.retain(|page| page.is_file());
    pages
}

/// Where the links of a text lead.
fn targets(text: &str) -> Vec<&str> {
    let behind = text.split("](").skip(1);
    behind.filter_map(|rest| rest.split(')').next()).collect()
}

/// The name under which a heading is found.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The names of the headings of a page: of two that are alike the second has `-1` behind it. What looks like a heading
/// in a block of code is a comment there.
pub fn headings(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            let name = anchor(line.trim_start_matches('#'));
            let again = (1..).map(|number: u32| format!("{name}-{number}"));
            let mut all = std::iter::once(name.clone()).chain(again);
            let free = all.find(|name| !names.contains(name));
            names.extend(free);
        }
    }
    names
}

fn has_heading(page: &Path, wanted: &str) -> bool {
    headings(&std::fs::read_to_string(page).unwrap()).contains(wanted)
}

#[test]
fn no_page_links_to_what_is_not_there() {
    let mut seen = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let inside = targets(&text)
            .into_iter()
            // What the handbook says of media of the library are examples.
            .filter(|to| !to.starts_with("http") && !to.starts_with("media:"));
        for target in inside {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let place = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let name = page.display();
            assert!(place.exists(), "{name} links to {target}");
            assert!(
                heading.is_empty() || has_heading(&place, heading),
                "{name} links to {target}"
            );
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn every_page_stands_once_in_the_book() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let text = std::fs::read_to_string(&summary).unwrap();
    // A chapter without a page is a headline.
    let mut listed: Vec<PathBuf> = targets(&text)
        .into_iter()
        .filter(|target| !target.is_empty())
        .map(|target| docs.join(target))
        .collect();
    listed.sort();
    let mut there = below(&docs);
    there.retain(|page| *page != summary);
    there.sort();
    assert_eq!(listed, there);
}

#[test]
fn a_heading_is_found_by_its_words() {
    assert_eq!(anchor(" Events and webhooks"), "events-and-webhooks");
    assert_eq!(
        anchor("A request, read downwards: `POST`"),
        "a-request-read-downwards-post"
    );
}

#[test]
fn headings_that_are_alike_are_told_apart_and_comments_in_code_are_none() {
    let page = "# One\n## Two\n```sh\n# three\n```\n## Two\n";
    let names: Vec<String> = headings(page).into_iter().collect();
    assert_eq!(names, ["one", "two", "two-1"]);
}
