//! Fetches pictures, recordings and captions from addresses that authors wrote, for packages that carry them.
//!
//! Knows addresses, bytes and limits. What refers to a file, and what a course does without it, stay out of here; what
//! keeps a request out of our own network is [`lyceum_outbound`]'s.

mod budget;
mod fetcher;

pub use fetcher::{Fetcher, MediaSettings};

#[cfg(test)]
mod tests;
