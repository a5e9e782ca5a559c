//! Reading single files out of a stored package, for playing it in a browser before it is uploaded anywhere.

use std::ops::Range;

use async_trait::async_trait;

use crate::blobs::{BlobError, BlobKey, ByteStream};

/// A package as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPackage {
    /// Where it is.
    pub key: BlobKey,
    /// SHA-256 of the archive, lower-case hex: what is read once may be kept under this name.
    pub sha256: String,
}

/// Looks into stored archives.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait PackageReader: Send + Sync {
    /// The bytes of the file of exactly this name, unpacked; `None` when the archive has no such file.
    async fn size(&self, package: &StoredPackage, name: &str) -> Result<Option<u64>, BlobError>;

    /// A part of the file (bytes, end exclusive).
    ///
    /// # Errors
    /// [`BlobError::NotFound`] when the archive has no such file.
    async fn read(
        &self,
        package: &StoredPackage,
        name: &str,
        range: Range<u64>,
    ) -> Result<ByteStream, BlobError>;
}
