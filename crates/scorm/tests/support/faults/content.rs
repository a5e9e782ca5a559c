//! Rules for what a learner's browser gets.

use std::collections::BTreeSet;

use super::super::raw_zip::RawZip;
use super::Fault;

pub fn faults(zip: &RawZip) -> BTreeSet<Fault> {
    let page = zip.text("index.html").unwrap_or_default();
    let mut faults = BTreeSet::new();
    let inline = page
        .split("<script")
        .skip(1)
        .any(|script| !script.starts_with(" defer src=\""));
    let own = ["style=", "<style", " onload=", " onerror=", " onclick="];
    if inline || own.iter().any(|own| page.contains(own)) {
        faults.insert(Fault::InlineScript);
    }
    let policy = page
        .split("http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; ")
        .nth(1);
    if policy.is_none_or(|policy| policy.split('"').next().unwrap().contains("unsafe")) {
        faults.insert(Fault::Policy);
    }
    let references = page
        .split("src=\"")
        .skip(1)
        .chain(page.split("href=\"").skip(1));
    if references.into_iter().any(|reference| {
        let name = reference.split('"').next().unwrap();
        zip.text(name).is_none()
    }) {
        faults.insert(Fault::RemoteReference);
    }
    if zip.entries.iter().any(acts) {
        faults.insert(Fault::AuthorsMarkup);
    }
    faults
}

/// Whether a content file has markup that a sanitiser would not have left.
fn acts(entry: &super::super::raw_zip::RawEntry) -> bool {
    if !entry.name.starts_with(b"content/") {
        return false;
    }
    let text = String::from_utf8_lossy(&entry.content()).to_ascii_lowercase();
    let sources = text.split("src=\\\"").skip(1);
    ["<script", "<iframe", "<svg", " onerror="]
        .iter()
        .any(|bad| text.contains(bad))
        || sources
            .into_iter()
            .any(|source| !source.starts_with("media/"))
}
