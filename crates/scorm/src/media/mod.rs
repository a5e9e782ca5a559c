//! Pictures, recordings and captions that travel in a package.
//!
//! What a file is, its bytes say, never its name or whoever delivered it. Nothing that can act (SVG, HTML) is known
//! here, and nothing is fetched: files come with the snapshot or stand in the text as a `data:` address.

mod data;
mod kind;
mod library;
mod references;

pub use kind::Role;
pub use library::{Found, Item, Library};
pub use references::{direct_video, visual_address};

use std::collections::HashSet;

use lyceum_ports::exporting::scorm::CourseSnapshot;

use references::references;

/// What the texts refer to and do not carry themselves: each address once, in the order of the texts.
pub fn addresses(snapshot: &CourseSnapshot) -> Vec<String> {
    let mut seen = HashSet::new();
    references(snapshot)
        .into_iter()
        .map(|reference| reference.address)
        .filter(|address| !data::is_data(address) && seen.insert(address.clone()))
        .collect()
}
