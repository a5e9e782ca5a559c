//! The store in a folder keeps to what every store of files keeps to.
#![allow(
    clippy::unwrap_used,
    reason = "a place that cannot be made is no place"
)]

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use lyceum_blobs::Blobs;
use lyceum_contracts::{Place, blobs, run};
use lyceum_ports::blobs::BlobStore;
use tempfile::TempDir;
use url::Url;

/// A folder of its own.
struct Folder(TempDir);

#[async_trait]
impl Place<dyn BlobStore> for Folder {
    async fn open(&self) -> Arc<dyn BlobStore> {
        // Blobs makes the folder itself, parents included, whatever characters it has.
        let url = Url::from_file_path(self.0.path().join("a folder/ä#blobs")).unwrap();
        Arc::new(Blobs::open(url.as_str()).unwrap())
    }
}

fn main() -> ExitCode {
    run([blobs::suite("folder", || {
        Folder(tempfile::tempdir().unwrap())
    })])
}
