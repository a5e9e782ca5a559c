//! What strangers' bytes meet first, one function per door: each takes any bytes and panics when a promise is broken.
//!
//! `fuzz/` lets a fuzzer loose on them; the test of this package plays the corpus of each, which every find joins.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a broken promise is a panic here"
)]

mod api_key;
mod cursor;
mod json_body;
mod manifest;
mod merge_patch;
mod model_output;
mod sanitiser;
mod webhook_url;

/// A door: its name, which is that of its corpus, and what happens to bytes there; whether they were let in.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// Every door.
pub const TARGETS: &[Target] = &[
    ("api_key", api_key::fuzz),
    ("cursor", cursor::fuzz),
    ("json_body", json_body::fuzz),
    ("manifest", manifest::fuzz),
    ("merge_patch", merge_patch::fuzz),
    ("model_output", model_output::fuzz),
    ("sanitiser", sanitiser::fuzz),
    ("webhook_url", webhook_url::fuzz),
];

/// Sends bytes through the door of this name.
pub fn fuzz(name: &str, data: &[u8]) {
    let_in(name, data);
}

/// Sends bytes through the door of this name; whether they were let in.
pub fn let_in(name: &str, data: &[u8]) -> bool {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.expect("a door of this name").1(data)
}
