//! Addresses by which a bucket itself is asked for a file.

use url::Url;

use crate::OpenError;

/// Whether a bucket hands files out itself, to whoever is sent there with a presigned URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Presigning {
    /// It does not: nobody but the service need reach it.
    #[default]
    Off,
    /// It does.
    On {
        /// Where browsers reach it, in the place of `AWS_ENDPOINT`; there as well when absent.
        endpoint: Option<String>,
    },
}

/// Whether files behind `url` can be handed out like this; nothing is made or asked.
///
/// # Errors
/// [`OpenError::NoPresigning`] for a folder, [`OpenError::InvalidEndpoint`]
pub fn check_presigning(url: &str, presigning: &Presigning) -> Result<(), OpenError> {
    let Presigning::On { endpoint } = presigning else {
        return Ok(());
    };
    if url.starts_with("file:") {
        return Err(OpenError::NoPresigning(
            "a folder has none, only a bucket (s3://BUCKET/PREFIX) has",
        ));
    }
    match endpoint {
        Some(endpoint) if !is_origin(endpoint) => Err(OpenError::InvalidEndpoint),
        _ => Ok(()),
    }
}

/// Path and host are signed: where something lay in between, the bucket would see another path than was signed.
fn is_origin(endpoint: &str) -> bool {
    Url::parse(endpoint).is_ok_and(|url| {
        let is_web = matches!(url.scheme(), "http" | "https");
        let has_nothing_more = url.query().is_none() && url.fragment().is_none();
        let names_nobody = url.username().is_empty() && url.password().is_none();
        is_web && url.path() == "/" && has_nothing_more && names_nobody
    })
}

#[cfg(feature = "s3")]
pub use of_bucket::Presigner;

/// Signs for nothing: a folder has no addresses.
#[cfg(not(feature = "s3"))]
#[derive(Debug, Clone)]
pub enum Presigner {}

#[cfg(not(feature = "s3"))]
impl Presigner {
    /// Never called: there is none.
    pub fn origin(&self) -> &str {
        match *self {}
    }

    /// Never called: there is none.
    pub fn presign(
        &self,
        _file: &object_store::path::Path,
        _read: &lyceum_ports::blobs::PresignedRead,
    ) -> std::future::Ready<object_store::Result<lyceum_ports::blobs::PresignedUrl>> {
        match *self {}
    }

    /// Never called: there is none.
    pub fn presign_write(
        &self,
        _file: &object_store::path::Path,
        _write: &lyceum_ports::blobs::PresignedWrite,
    ) -> std::future::Ready<object_store::Result<lyceum_ports::blobs::PresignedUrl>> {
        match *self {}
    }
}

#[cfg(feature = "s3")]
mod of_bucket {
    use std::sync::Arc;
    use std::time::Duration;

    use futures_util::FutureExt;
    use lyceum_ports::blobs::{PresignedRead, PresignedUrl, PresignedWrite};
    use object_store::StaticCredentialProvider;
    use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, AwsCredential};
    use object_store::path::Path;
    use object_store::signer::{HeaderValue, SignedUrlOptions, Signer};
    use reqwest::Method;
    use reqwest::header::CONTENT_TYPE;

    use super::Presigning;
    use crate::OpenError;

    /// The longest that the protocol (`SigV4`) knows.
    const LONGEST: Duration = Duration::from_hours(7 * 24);

    /// Credentials that are lent for a while take what was signed with them along when they end. They do not tell when
    /// that is; the client renews them some minutes before.
    const LENT: Duration = Duration::from_mins(1);

    /// Settings of a bucket with which no address of a file would work by itself, and why.
    const UNFIT: [(&str, &str); 2] = [
        (
            "aws_sse_customer_key_base64",
            "a bucket that wants a key of ours with each request (SSE-C) cannot be read by browsers",
        ),
        (
            "aws_skip_signature",
            "a bucket that is asked without signatures takes none from browsers",
        ),
    ];

    /// Signs addresses of files in a bucket.
    #[derive(Debug, Clone)]
    pub struct Presigner {
        bucket: AmazonS3,
        prefix: Path,
        origin: String,
    }

    impl Presigner {
        /// For files below `prefix` of the bucket that is opened with these settings and known by the credentials of
        /// `store`.
        pub(crate) fn of(
            settings: AmazonS3Builder,
            store: &AmazonS3,
            prefix: Path,
            presigning: &Presigning,
        ) -> Result<Option<Self>, OpenError> {
            let Presigning::On { endpoint } = presigning else {
                return Ok(None);
            };
            for (name, reason) in UNFIT {
                let value = name.parse::<AmazonS3ConfigKey>().ok();
                let value = value.and_then(|key| settings.get_config_value(&key));
                if value.is_some_and(|value| value != "false") {
                    return Err(OpenError::NoPresigning(reason));
                }
            }
            let settings = match endpoint {
                // By the name that takes precedence over all others that an endpoint can be set by.
                Some(endpoint) => settings.with_config(
                    AmazonS3ConfigKey::S3Endpoint,
                    endpoint.trim_end_matches('/'),
                ),
                None => settings,
            };
            let origin = origin_of(settings.clone())?;
            // Two that asked for credentials of their own would be told of two sets.
            let bucket = settings.with_credentials(store.credentials().clone());
            let bucket = bucket.build().map_err(OpenError::Store)?;
            Ok(Some(Self {
                bucket,
                prefix,
                origin,
            }))
        }

        /// Where all its addresses lead: scheme, host and port.
        pub fn origin(&self) -> &str {
            &self.origin
        }

        /// The address of a file. Type and disposition are part of what is signed: the bucket answers with them, and
        /// whoever changes them has no address.
        pub async fn presign(
            &self,
            file: &Path,
            read: &PresignedRead,
        ) -> object_store::Result<PresignedUrl> {
            let valid_for = read.valid_for.min(LONGEST);
            // The same file for as long as the address works, to the one browser that was sent there.
            let caching = format!("private, max-age={}, immutable", valid_for.as_secs());
            let answered = SignedUrlOptions::new().with_query([
                ("response-cache-control", caching.as_str()),
                ("response-content-disposition", read.disposition),
                ("response-content-type", read.media_type),
            ]);
            self.sign(Method::GET, file, valid_for, &answered).await
        }

        /// The address to put a file to. The media type is part of what is signed, and no file of ours is opened as it; the length
        /// is not: the client signs it of nothing.
        pub async fn presign_write(
            &self,
            file: &Path,
            write: &PresignedWrite,
        ) -> object_store::Result<PresignedUrl> {
            let media_type = HeaderValue::from_static(write.media_type);
            let sent = SignedUrlOptions::new().with_signed_header(CONTENT_TYPE, media_type);
            let valid_for = write.valid_for.min(LONGEST);
            self.sign(Method::PUT, file, valid_for, &sent).await
        }

        async fn sign(
            &self,
            method: Method,
            file: &Path,
            valid_for: Duration,
            options: &SignedUrlOptions,
        ) -> object_store::Result<PresignedUrl> {
            let place: Path = self.prefix.parts().chain(file.parts()).collect();
            let signed = self
                .bucket
                .signed_url_opts(method, &place, valid_for, options);
            let url = signed.await?;
            let is_lent = url
                .query_pairs()
                .any(|(name, _)| name == "X-Amz-Security-Token");
            Ok(PresignedUrl {
                url: url.into(),
                valid_for: if is_lent {
                    valid_for.min(LENT)
                } else {
                    valid_for
                },
            })
        }
    }

    /// Where a bucket of these settings is: the client alone knows how endpoint, region and style make an address, and says so
    /// in what it signs. Signed by nobody, so that no credentials are asked for.
    fn origin_of(settings: AmazonS3Builder) -> Result<String, OpenError> {
        let nobody = StaticCredentialProvider::new(AwsCredential {
            key_id: String::new(),
            secret_key: String::new(),
            token: None,
        });
        let bucket = settings.with_credentials(Arc::new(nobody)).build();
        let bucket = bucket.map_err(OpenError::Store)?;
        let any = Path::from("any");
        let signed = bucket.signed_url(Method::GET, &any, LENT).now_or_never();
        let signed = signed.ok_or(OpenError::InvalidEndpoint)?;
        let url = signed.map_err(OpenError::Store)?;
        Ok(url.origin().ascii_serialization())
    }
}
