//! The store in a JSON document keeps to what every store of files keeps to.
#![allow(
    clippy::unwrap_used,
    reason = "a place that cannot be made is no place"
)]

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use json_blob_store::JsonBlobs;
use lyceum_contracts::{Place, blobs, run};
use lyceum_ports::blobs::BlobStore;
use tempfile::TempDir;

/// A folder of its own.
struct Folder(TempDir);

#[async_trait]
impl Place<dyn BlobStore> for Folder {
    async fn open(&self) -> Arc<dyn BlobStore> {
        Arc::new(JsonBlobs::open(self.0.path()).unwrap())
    }
}

fn main() -> ExitCode {
    run([blobs::suite("json", || {
        Folder(tempfile::tempdir().unwrap())
    })])
}
