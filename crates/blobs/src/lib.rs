//! Keeps packages and media: in a folder of this machine, or in a bucket (feature `s3`).
//!
//! [`Blobs`] is the adapter behind the [`BlobStore`](lyceum_ports::blobs::BlobStore) port. It knows
//! keys and bytes. What a file is, who may read it and how long it is kept stay out of here; those
//! are rows in the database.

mod blobs;
mod open;
mod presigning;

pub use blobs::{Blobs, NAME, Stored};
pub use open::{OpenError, check};
pub use presigning::{Presigning, check_presigning};

#[cfg(test)]
mod tests;
