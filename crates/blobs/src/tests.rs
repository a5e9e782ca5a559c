//! What the store in a folder keeps to beside the contract (`tests/contract.rs`): its parts, its tidiness, its address.

#[cfg(feature = "s3")]
mod bucket;

use std::fs;
use std::path::{Path, PathBuf};

use futures_util::TryStreamExt;
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore};
use rstest::rstest;
use tempfile::TempDir;
use url::Url;

use crate::{Blobs, OpenError, Presigning, check_presigning};

/// A store in a folder of its own, and room for files to put into it.
struct Fixture {
    blobs: Blobs,
    stored: PathBuf,
    scratch: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        // Blobs makes the folder itself, parents included, whatever characters it has.
        let stored = scratch.path().join("a folder/ä#blobs");
        let blobs = Blobs::open(Url::from_file_path(&stored).unwrap().as_str()).unwrap();
        Self {
            blobs,
            stored,
            scratch,
        }
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.scratch.path().join("source");
        fs::write(&path, bytes).unwrap();
        path
    }

    async fn put(&self, name: &str, bytes: &[u8]) {
        let file = self.file(bytes);
        self.blobs.put_file(&key(name), &file).await.unwrap();
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, BlobError> {
        read(&self.blobs, name, None).await
    }
}

fn key(name: &str) -> BlobKey {
    BlobKey::parse(name).unwrap()
}

async fn read(
    blobs: &Blobs,
    name: &str,
    range: Option<std::ops::Range<u64>>,
) -> Result<Vec<u8>, BlobError> {
    let parts: Vec<_> = blobs.read(&key(name), range).await?.try_collect().await?;
    Ok(parts.concat())
}

/// Bytes that differ from place to place, so that a swapped or lost part shows.
fn pattern(length: u32) -> Vec<u8> {
    (0..length)
        .map(|at| u8::try_from(at.wrapping_mul(2_654_435_761) >> 24).unwrap())
        .collect()
}

fn files_below(folder: &Path) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
        .sum()
}

#[tokio::test]
async fn a_large_file_goes_through_in_parts() {
    let fixture = Fixture::new();
    let bytes = pattern(20_000_003);
    fixture.put("large", &bytes).await;
    assert!(fixture.get("large").await.unwrap() == bytes);
    let across_parts = read(&fixture.blobs, "large", Some(8_388_600..8_388_620))
        .await
        .unwrap();
    assert_eq!(across_parts, &bytes[8_388_600..8_388_620]);
}

#[rstest]
#[case(8 * 1024 * 1024 - 1)]
#[case(8 * 1024 * 1024)]
#[case(8 * 1024 * 1024 + 1)]
#[case(16 * 1024 * 1024)]
#[tokio::test]
async fn files_about_the_length_of_a_part_are_whole(#[case] length: u32) {
    let fixture = Fixture::new();
    let bytes = pattern(length);
    fixture.put("edge", &bytes).await;
    assert!(fixture.get("edge").await.unwrap() == bytes);
}

#[tokio::test]
async fn a_put_that_stops_halfway_leaves_what_was_there() {
    let fixture = Fixture::new();
    fixture.put("page", b"first").await;
    let file = fixture.file(&pattern(20_000_000));
    let page = key("page");
    {
        let mut put = fixture.blobs.put_file(&page, &file);
        // Driven step by step until the upload has begun, then dropped as a cancelled job would.
        while files_below(&fixture.stored) < 2 {
            tokio::select! {
                biased;
                ended = &mut put => panic!("ended before it was stopped: {ended:?}"),
                () = tokio::task::yield_now() => {}
            }
        }
        assert_eq!(fixture.get("page").await.unwrap(), b"first");
    }
    assert_eq!(fixture.get("page").await.unwrap(), b"first");
    // Dropping hands the clean-up to another thread.
    let tidied = async {
        while files_below(&fixture.stored) > 1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), tidied)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_source_that_cannot_be_read_changes_nothing() {
    let fixture = Fixture::new();
    fixture.put("page", b"first").await;
    for source in [
        fixture.scratch.path().join("missing"),
        fixture.scratch.path().to_owned(),
    ] {
        let error = fixture
            .blobs
            .put_file(&key("page"), &source)
            .await
            .unwrap_err();
        assert!(matches!(error, BlobError::Storage(_)), "{error:?}");
    }
    assert_eq!(fixture.get("page").await.unwrap(), b"first");
    assert_eq!(files_below(&fixture.stored), 1);
}

#[tokio::test]
async fn a_store_has_one_name_whoever_gives_it() {
    let fixture = Fixture::new();
    assert_eq!(fixture.blobs.name().await.unwrap(), None);
    let (one, other) = tokio::join!(fixture.blobs.named("one"), fixture.blobs.named("other"));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!(fixture.blobs.named("late").await.unwrap(), one);
    assert!(
        BlobKey::parse(crate::NAME).is_err(),
        "no file has that name"
    );
}

#[tokio::test]
async fn a_version_changes_with_the_file_and_not_by_itself() {
    let fixture = Fixture::new();
    let missing = fixture.blobs.version(&key("page")).await;
    assert!(matches!(missing, Err(BlobError::NotFound)));
    fixture.put("page", b"first").await;
    let first = fixture.blobs.version(&key("page")).await.unwrap();
    assert!(first.is_some());
    assert_eq!(fixture.blobs.version(&key("page")).await.unwrap(), first);
    fixture.put("page", b"other").await;
    assert_ne!(fixture.blobs.version(&key("page")).await.unwrap(), first);
}

#[rstest]
#[case("")]
#[case("/rooted")]
#[case("trailing/")]
#[case("a//b")]
#[case("..")]
#[case("a/../b")]
#[case("a/./b")]
#[case("Upper")]
#[case("a b")]
#[case("a%2fb")]
#[case("a\\b")]
#[case("page#1")]
#[case("nul\0")]
#[case("ä")]
fn a_name_we_would_not_make_is_no_key(#[case] name: &str) {
    assert!(matches!(BlobKey::parse(name), Err(BlobError::InvalidKey)));
}

#[rstest]
#[case("")]
#[case("/var/blobs")]
#[case("blobs")]
#[case("file:blobs")]
#[case("file://blobs/here")]
#[case("s3:bucket")]
#[case("s3:///prefix")]
#[case("https://bucket.s3.amazonaws.com")]
#[case("memory:///")]
fn a_url_of_another_form_is_refused(#[case] url: &str) {
    let error = Blobs::open(url).unwrap_err();
    assert!(matches!(error, OpenError::InvalidUrl), "{error:?}");
    let error = crate::check(url).unwrap_err();
    assert!(matches!(error, OpenError::InvalidUrl), "{error:?}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("file");
    fs::write(&file, b"").unwrap();
    let url = Url::from_file_path(file.join("folder")).unwrap();
    let error = Blobs::open(url.as_str()).unwrap_err();
    assert!(error.to_string().contains("folder"), "{error}");
    assert!(matches!(error, OpenError::Folder { .. }), "{error:?}");
}

#[cfg(not(feature = "s3"))]
#[test]
fn a_build_without_s3_says_so() {
    let error = Blobs::open("s3://bucket/prefix").unwrap_err();
    assert_eq!(
        error.to_string(),
        "this build cannot store files in S3; build it with feature `s3`"
    );
}

#[rstest]
#[case("file:///var/blobs", None)]
#[case("s3://bucket", Some("files.example.org"))]
#[case("s3://bucket", Some("ftp://files.example.org"))]
#[case("s3://bucket", Some("https://files.example.org/lyceum"))]
#[case("s3://bucket", Some("https://files.example.org/?a"))]
#[case("s3://bucket", Some("https://me:secret@files.example.org"))]
fn what_cannot_be_handed_out_by_a_bucket_is_refused(
    #[case] url: &str,
    #[case] endpoint: Option<&str>,
) {
    let on = Presigning::On {
        endpoint: endpoint.map(str::to_owned),
    };
    let refused = check_presigning(url, &on).unwrap_err();
    assert_eq!(
        matches!(refused, OpenError::NoPresigning(_)),
        endpoint.is_none(),
        "{refused:?}"
    );
    check_presigning(url, &Presigning::Off).unwrap();
    let opened = Blobs::open_presigning(url, &on).unwrap_err();
    assert_eq!(opened.to_string(), refused.to_string());
}
