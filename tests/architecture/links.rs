//! What a page links to inside the project is there, down to the heading.

use std::path::{Path, PathBuf};

use crate::root;

/// The README of the project, of its parts and of the examples, and the documentation.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![
        root().join("README.md"),
        root().join("SECURITY.md"),
        root().join("examples").join("README.md"),
    ];
    for (folder, file) in [("docs", ""), ("crates", "README.md")] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let paths = paths.map(|path| {
            if file.is_empty() {
                path
            } else {
                path.join(file)
            }
        });
        pages.extend(paths.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
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

fn has_heading(page: &Path, wanted: &str) -> bool {
    let text = std::fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let mut names = headings.map(|line| anchor(line.trim_start_matches('#')));
    names.any(|name| name == wanted)
}

#[test]
fn no_page_links_to_what_is_not_there() {
    let mut seen = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let inside = targets(&text)
            .into_iter()
            .filter(|to| !to.starts_with("http"));
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
fn a_heading_is_found_by_its_words() {
    assert_eq!(anchor(" Events and webhooks"), "events-and-webhooks");
    assert_eq!(
        anchor("A request, read downwards: `POST`"),
        "a-request-read-downwards-post"
    );
}
