//! Finds the store a URL of the configuration means.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use thiserror::Error;
use url::Url;

use crate::presigning::{Presigner, Presigning, check_presigning};

/// Why the store could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Neither `file:///folder` nor `s3://bucket/prefix`.
    #[error("the storage URL must look like file:///folder or s3://bucket/prefix")]
    InvalidUrl,
    /// An `s3` URL, and a build without the feature.
    #[error("this build cannot store files in S3; build it with feature `s3`")]
    S3NotBuilt,
    /// The folder is not there and cannot be made.
    #[error("the folder {folder:?} could not be created")]
    Folder {
        /// The folder asked for.
        folder: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// Files there cannot be handed out by presigned URLs.
    #[error("files cannot be handed out by presigned URLs: {0}")]
    NoPresigning(&'static str),
    /// Where browsers reach the bucket is not where one can be.
    #[error("the endpoint must look like https://files.example.org, without a path")]
    InvalidEndpoint,
    /// The store is there but its settings do not fit.
    #[error("the file storage could not be opened")]
    Store(#[source] object_store::Error),
}

/// Whether `url` is of a form that this build can open; nothing is made or asked.
///
/// # Errors
/// [`OpenError::InvalidUrl`], [`OpenError::S3NotBuilt`]
pub fn check(url: &str) -> Result<(), OpenError> {
    let parsed = Url::parse(url).map_err(|_| OpenError::InvalidUrl)?;
    match parsed.scheme() {
        "file" if url.starts_with("file:///") && parsed.to_file_path().is_ok() => Ok(()),
        "s3" if parsed.has_host() && cfg!(feature = "s3") => Ok(()),
        "s3" if parsed.has_host() => Err(OpenError::S3NotBuilt),
        _ => Err(OpenError::InvalidUrl),
    }
}

/// A store, and what signs addresses of its files where those are handed out.
pub(crate) struct Opened {
    pub store: Arc<dyn ObjectStore>,
    pub presigner: Option<Presigner>,
}

/// Opens the store behind `url`; what else a bucket needs stands in `variables`.
pub(crate) fn open(
    url: &str,
    presigning: &Presigning,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<Opened, OpenError> {
    check_presigning(url, presigning)?;
    // `file:folder` and `file://folder` parse too, as `/folder` and as a host: never what was meant.
    if url.starts_with("file:///") {
        return open_folder(url);
    }
    let url = Url::parse(url).map_err(|_| OpenError::InvalidUrl)?;
    match url.scheme() {
        "s3" if url.has_host() => open_bucket(&url, presigning, variables),
        _ => Err(OpenError::InvalidUrl),
    }
}

fn open_folder(url: &str) -> Result<Opened, OpenError> {
    let folder = Url::parse(url)
        .map_err(|_| OpenError::InvalidUrl)?
        .to_file_path()
        .map_err(|()| OpenError::InvalidUrl)?;
    fs::create_dir_all(&folder).map_err(|cause| OpenError::Folder {
        folder: folder.clone(),
        cause,
    })?;
    let store = LocalFileSystem::new_with_prefix(&folder)
        .map_err(OpenError::Store)?
        // A row that says "stored" is on disk when it is acknowledged; so must be its file.
        .with_fsync(true);
    Ok(Opened {
        store: Arc::new(store),
        presigner: None,
    })
}

#[cfg(not(feature = "s3"))]
fn open_bucket(
    _url: &Url,
    _presigning: &Presigning,
    _variables: impl Iterator<Item = (String, String)>,
) -> Result<Opened, OpenError> {
    Err(OpenError::S3NotBuilt)
}

/// The bucket of `url`, everything below its path; region, keys and endpoint come from the variables
/// that are named `AWS_…`.
#[cfg(feature = "s3")]
fn open_bucket(
    url: &Url,
    presigning: &Presigning,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<Opened, OpenError> {
    use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
    use object_store::path::Path;
    use object_store::prefix::PrefixStore;

    // Without a provider the first client panics; a second installation is no harm.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let prefix = Path::from_url_path(url.path()).map_err(|_| OpenError::InvalidUrl)?;
    let bucket = url.host_str().ok_or(OpenError::InvalidUrl)?;
    let settings = variables.fold(AmazonS3Builder::new(), |settings, (name, value)| {
        let name = name.to_ascii_lowercase();
        match name.parse::<AmazonS3ConfigKey>() {
            Ok(key) if name.starts_with("aws_") => settings.with_config(key, value),
            // Not about buckets: the environment is full of other things.
            _ => settings,
        }
    });
    let settings = settings.with_bucket_name(bucket);
    let store = settings.clone().build().map_err(OpenError::Store)?;
    let presigner = Presigner::of(settings, &store, prefix.clone(), presigning)?;
    Ok(Opened {
        store: Arc::new(PrefixStore::new(store, prefix)),
        presigner,
    })
}
