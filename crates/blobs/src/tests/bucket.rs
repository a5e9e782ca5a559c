//! The store in a bucket, against a stub that answers as S3 does.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use lyceum_ports::blobs::{BlobError, BlobStore, PresignedRead, PresignedUrl, PresignedWrite};
use rstest::rstest;
use sha2::{Digest, Sha256};
use url::Url;
use wiremock::matchers::{body_bytes, header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{key, read};
use crate::{Blobs, OpenError, Presigning};

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

/// What a bucket that is at this endpoint and hands files out is opened with.
fn variables<'a>(more: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    let usual = [
        ("AWS_ENDPOINT", "http://minio.internal:9000"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let all = usual.iter().chain(more);
    all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn presigning(endpoint: Option<&str>, more: &[(&str, &str)]) -> Result<Blobs, OpenError> {
    let presigning = Presigning::On {
        endpoint: endpoint.map(str::to_owned),
    };
    Blobs::open_presigning_with("s3://lyceum/files/here", &presigning, variables(more))
}

const HOUR: Duration = Duration::from_hours(1);

/// What a picture is handed out as.
fn picture(valid_for: Duration) -> PresignedRead {
    PresignedRead {
        valid_for,
        media_type: "image/png",
        disposition: "inline",
    }
}

async fn presigned(blobs: &Blobs, read: &PresignedRead) -> (PresignedUrl, Url) {
    let signed = blobs.presign(&key("media/1/0"), read).await;
    let signed = signed.unwrap().unwrap();
    let url = signed.url.parse().unwrap();
    (signed, url)
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// The signature that a bucket finds over all else of a URL, by what Amazon says of `SigV4` in queries: the servers that tests
/// can have do not look at it.
fn signature(url: &Url) -> String {
    signature_of("GET", url, None)
}

/// The same for a request that has to send a media type as well.
fn signature_of(method: &str, url: &Url, media_type: Option<&str>) -> String {
    let (signed, _) = url
        .query()
        .unwrap()
        .split_once("&X-Amz-Signature=")
        .unwrap();
    let mut pairs: Vec<&str> = signed.split('&').collect();
    pairs.sort_unstable();
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let (sent, names) = match media_type {
        Some(media_type) => (format!("content-type:{media_type}\n"), "content-type;host"),
        None => (String::new(), "host"),
    };
    let request = format!(
        "{method}\n{}\n{}\n{sent}host:{host}\n\n{names}\nUNSIGNED-PAYLOAD",
        url.path(),
        pairs.join("&"),
    );
    let date = &query["X-Amz-Date"];
    let scope = query["X-Amz-Credential"].strip_prefix("id/").unwrap();
    let hash = hex(&Sha256::digest(request));
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{hash}");
    let key = scope
        .split('/')
        .fold(b"AWS4secret".to_vec(), |key, part| mac(&key, part));
    hex(&mac(&key, &text))
}

#[rstest]
#[case::inside(None, &[], "http://minio.internal:9000")]
#[case::by_browsers(Some("https://files.example.org/"), &[], "https://files.example.org")]
#[case::of_the_bucket(Some("https://lyceum.files.example.org"), &[("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")], "https://lyceum.files.example.org")]
#[tokio::test]
async fn a_page_is_told_the_origin_that_addresses_of_files_lead_to(
    #[case] endpoint: Option<&str>,
    #[case] more: &[(&str, &str)],
    #[case] origin: &str,
) {
    let blobs = presigning(endpoint, more).unwrap();
    assert_eq!(blobs.presigned_origin().as_deref(), Some(origin));
    let (_, url) = presigned(&blobs, &picture(HOUR)).await;
    assert_eq!(url.origin().ascii_serialization(), origin);
}

#[tokio::test]
async fn amazons_own_buckets_have_an_origin_too_and_one_that_hands_nothing_out_has_none() {
    let known = |virtual_hosted: &str, presigning: &Presigning| {
        let variables = [
            ("AWS_REGION", "eu-central-1"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", virtual_hosted),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let blobs = Blobs::open_presigning_with("s3://lyceum/files", presigning, variables);
        blobs.unwrap().presigned_origin()
    };
    let on = Presigning::On { endpoint: None };
    let shared = known("false", &on).unwrap();
    assert_eq!(shared, "https://s3.eu-central-1.amazonaws.com");
    let of_its_own = known("true", &on).unwrap();
    assert_eq!(of_its_own, "https://lyceum.s3.eu-central-1.amazonaws.com");
    assert_eq!(known("false", &Presigning::Off), None);
}

#[tokio::test]
async fn the_bucket_is_told_in_what_is_signed_what_a_file_is_and_how_long_it_is_handed_out() {
    let blobs = presigning(None, &[]).unwrap();
    let (signed, url) = presigned(&blobs, &picture(HOUR)).await;
    assert_eq!(signed.valid_for, HOUR);
    assert!(
        signed
            .url
            .starts_with("http://minio.internal:9000/lyceum/files/here/media/1/0?"),
        "{url}"
    );
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    for (name, value) in [
        ("X-Amz-Expires", "3600"),
        ("X-Amz-SignedHeaders", "host"),
        ("response-content-type", "image/png"),
        ("response-content-disposition", "inline"),
        ("response-cache-control", "private, max-age=3600, immutable"),
    ] {
        assert_eq!(query[name], value, "{url}");
    }
    assert_eq!(query["X-Amz-Signature"], signature(&url));
    for (of, another) in [
        ("image%2Fpng", "text%2Fhtml"),
        ("3600", "9999"),
        ("/1/0", "/2/0"),
    ] {
        let changed: Url = url.as_str().replacen(of, another, 1).parse().unwrap();
        assert_ne!(changed, url);
        assert_ne!(query["X-Amz-Signature"], signature(&changed), "{changed}");
    }
}

#[tokio::test]
async fn whoever_puts_a_file_there_may_do_so_at_that_place_as_that_type_and_for_that_long() {
    let endpoint = Some("https://files.example.org");
    let blobs = presigning(endpoint, &[]).unwrap();
    let write = PresignedWrite {
        valid_for: HOUR,
        media_type: "application/octet-stream",
    };
    let place = key("uploads/1/direct");
    let signed = blobs.presign_write(&place, &write).await.unwrap().unwrap();
    assert_eq!(signed.valid_for, HOUR);
    let url: Url = signed.url.parse().unwrap();
    let there = "https://files.example.org/lyceum/files/here/uploads/1/direct?";
    assert!(url.as_str().starts_with(there), "{url}");
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    assert_eq!(query["X-Amz-Expires"], "3600");
    assert_eq!(query["X-Amz-SignedHeaders"], "content-type;host");
    let found = &query["X-Amz-Signature"];
    let octets = Some("application/octet-stream");
    assert_eq!(found, &signature_of("PUT", &url, octets));
    // Neither something else nor somewhere else, not longer, and nothing is read or removed by it.
    assert_ne!(found, &signature_of("PUT", &url, Some("text/html")));
    for other in ["GET", "DELETE", "POST"] {
        assert_ne!(found, &signature_of(other, &url, octets));
    }
    for (of, another) in [("3600", "9999"), ("/1/direct", "/2/direct")] {
        let changed: Url = url.as_str().replacen(of, another, 1).parse().unwrap();
        assert_ne!(found, &signature_of("PUT", &changed, octets));
    }
    let off = Blobs::open_with("s3://lyceum/files/here", variables(&[])).unwrap();
    assert_eq!(off.presign_write(&place, &write).await.unwrap(), None);
}

#[tokio::test]
async fn the_bucket_itself_measures_and_copies_a_file() {
    let server = MockServer::start().await;
    Mock::given(method("HEAD"))
        .and(path("/lyceum/files/here/uploads/1/direct"))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                .insert_header("etag", "\"1\"")
                .set_body_bytes(b"ten bytes!"),
        )
        .mount(&server)
        .await;
    let copied = "<CopyObjectResult><ETag>\"1\"</ETag></CopyObjectResult>";
    Mock::given(method("PUT"))
        .and(path("/lyceum/files/here/media/1/upload"))
        .and(header(
            "x-amz-copy-source",
            "lyceum/files/here/uploads/1/direct",
        ))
        .respond_with(ResponseTemplate::new(200).set_body_string(copied))
        .expect(1)
        .mount(&server)
        .await;
    let blobs = blobs(&server);
    let put = key("uploads/1/direct");
    assert_eq!(blobs.size(&put).await.unwrap(), 10);
    blobs.copy(&put, &key("media/1/upload")).await.unwrap();
    let error = blobs.size(&key("uploads/2/direct")).await.unwrap_err();
    assert!(matches!(error, BlobError::NotFound), "{error:?}");
}

#[tokio::test]
async fn browsers_are_sent_to_the_endpoint_that_they_reach() {
    let inside = [("AWS_ENDPOINT_URL_S3", "http://s3.internal:9000")];
    let blobs = presigning(Some("https://files.example.org/"), &inside).unwrap();
    let (signed, url) = presigned(&blobs, &picture(HOUR)).await;
    assert!(
        signed
            .url
            .starts_with("https://files.example.org/lyceum/files/here/media/1/0?"),
        "{url}"
    );
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    assert_eq!(query["X-Amz-Signature"], signature(&url));
    let own_host = [("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")];
    let blobs = presigning(Some("https://files.example.org"), &own_host).unwrap();
    let (signed, _) = presigned(&blobs, &picture(HOUR)).await;
    assert!(
        signed
            .url
            .starts_with("https://files.example.org/files/here/media/1/0?"),
        "{signed:?}"
    );
}

#[tokio::test]
async fn an_address_ends_with_what_the_protocol_and_its_credentials_allow() {
    let blobs = presigning(None, &[]).unwrap();
    let (signed, url) = presigned(&blobs, &picture(Duration::from_hours(24 * 30))).await;
    assert_eq!(signed.valid_for, Duration::from_hours(24 * 7));
    assert!(url.as_str().contains("X-Amz-Expires=604800&"), "{url}");
    let lent = presigning(None, &[("AWS_SESSION_TOKEN", "a/token=")]).unwrap();
    let (signed, url) = presigned(&lent, &picture(HOUR)).await;
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    assert_eq!(query["X-Amz-Security-Token"], "a/token=");
    assert_eq!(query["X-Amz-Signature"], signature(&url));
    assert_eq!(signed.valid_for, Duration::from_mins(1));
}

#[tokio::test]
async fn nobody_is_sent_to_a_bucket_that_was_not_to_hand_files_out() {
    let blobs = Blobs::open_with("s3://lyceum/files/here", variables(&[])).unwrap();
    let signed = blobs.presign(&key("media/1/0"), &picture(HOUR)).await;
    assert_eq!(signed.unwrap(), None);
}

#[test]
fn a_bucket_that_browsers_could_not_read_hands_nothing_out() {
    for (name, value) in [
        (
            "AWS_SSE_CUSTOMER_KEY_BASE64",
            "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=",
        ),
        ("AWS_SKIP_SIGNATURE", "true"),
    ] {
        let refused = presigning(None, &[(name, value)]).unwrap_err();
        assert!(matches!(refused, OpenError::NoPresigning(_)), "{refused:?}");
    }
    presigning(None, &[("AWS_SKIP_SIGNATURE", "false")]).unwrap();
}
