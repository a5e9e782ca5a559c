//! Pictures, recordings and captions that travel in a package.
//!
//! What a file is, its bytes say, never its name or whoever delivered it. Nothing that can act (SVG, HTML) is known
//! here but drawings that the media library has cleaned, and nothing is fetched: files come with the snapshot or stand in the text as a `data:` address.

mod address;
mod data;
mod item;
mod kind;
mod known;
mod library;

pub use address::{Reference, direct_video, visual_address};
pub use data::is_data;
pub use item::{Item, Source};
pub use kind::Role;
pub use known::Known;
pub use library::{Found, Library};
