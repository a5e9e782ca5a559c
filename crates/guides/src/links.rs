//! Where links of the texts lead when they are read here, and by which names their headings are found. What is not in the binary
//! is no link: nothing here looks at files.

use std::collections::BTreeSet;

use crate::book::Book;

/// Where the book is reached.
pub const PLACE: &str = "/docs/guides";

#[derive(Debug, PartialEq)]
pub enum Target {
    /// A page of the book, or a heading of one.
    Here(String),
    Outside(String),
    /// What whoever reads here does not have.
    Nowhere,
}

pub fn address(page: &str) -> String {
    format!("{PLACE}/{page}")
}

/// Where what is written on a page leads.
pub fn target(book: &Book, page: &str, written: &str) -> Target {
    if written.starts_with("https://") {
        return Target::Outside(written.to_owned());
    }
    if written.starts_with('#') {
        return Target::Here(written.to_owned());
    }
    let (file, heading) = match written.split_once('#') {
        Some((file, heading)) => (file, format!("#{heading}")),
        None => (written, String::new()),
    };
    let path = beside(page, file);
    let name = path.as_deref().and_then(|path| path.strip_suffix(".md"));
    match name.and_then(|name| book.page(name)) {
        Some(found) => Target::Here(address(found.name) + &heading),
        None => Target::Nowhere,
    }
}

/// The path that a relative one means on a page, unless it leads out of the book.
fn beside(page: &str, relative: &str) -> Option<String> {
    let mut path: Vec<&str> = page.split('/').collect();
    path.pop();
    for step in relative.split('/') {
        match step {
            "" => return None,
            "." => {}
            ".." => drop(path.pop()?),
            name => path.push(name),
        }
    }
    Some(path.join("/"))
}

/// Names of the headings of one page, as GitHub gives them: the texts link to each other by these.
#[derive(Default)]
pub struct Anchors(BTreeSet<String>);

impl Anchors {
    /// The name of the next heading: of two that are alike the second has `-1` behind it.
    pub fn next(&mut self, heading: &str) -> String {
        let plain = anchor(heading);
        let numbered = (1..=self.0.len()).map(|number| format!("{plain}-{number}"));
        let mut all = std::iter::once(plain.clone()).chain(numbered);
        let free = all.find(|name| !self.0.contains(name)).unwrap_or(plain);
        self.0.insert(free.clone());
        free
    }
}

fn anchor(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
