//! The store in a bucket, against a stub that answers as S3 does.

use std::fs;

use lyceum_ports::blobs::{BlobError, BlobStore};
use wiremock::matchers::{body_bytes, header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{key, read};
use crate::Blobs;

fn blobs(server: &MockServer) -> Blobs {
    let settings = [
        ("AWS_ENDPOINT", server.uri().as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        // Neither is about buckets, though one sounds like it.
        ("REGION", "nowhere"),
        ("LYCEUM_LOG", "info"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    Blobs::open_with("s3://lyceum/files/here", settings).unwrap()
}

#[tokio::test]
async fn a_file_goes_below_the_prefix_of_its_bucket() {
    let server = MockServer::start().await;
    Mock::given(method("PUT"))
        .and(path("/lyceum/files/here/media/1"))
        .and(body_bytes(b"a picture"))
        .respond_with(ResponseTemplate::new(200).insert_header("etag", "\"1\""))
        .expect(1)
        .mount(&server)
        .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("source");
    fs::write(&file, b"a picture").unwrap();
    blobs(&server)
        .put_file(&key("media/1"), &file)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_range_is_asked_for_as_such() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/lyceum/files/here/digits"))
        .and(header("range", "bytes=3-6"))
        .respond_with(
            ResponseTemplate::new(206)
                .insert_header("content-range", "bytes 3-6/10")
                .insert_header("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                .insert_header("etag", "\"1\"")
                .set_body_bytes(b"3456"),
        )
        .mount(&server)
        .await;
    let part = read(&blobs(&server), "digits", Some(3..7)).await.unwrap();
    assert_eq!(part, b"3456");
}

#[tokio::test]
async fn what_the_bucket_lacks_is_not_found() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(404))
        .mount(&server)
        .await;
    let error = read(&blobs(&server), "nothing", None).await.unwrap_err();
    assert!(matches!(error, BlobError::NotFound), "{error:?}");
}
