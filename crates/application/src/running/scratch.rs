//! Files that are gone when their job is, however the job ends.

use std::path::PathBuf;

/// Such a file; it may never have been made.
pub struct Scratch(pub PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}
