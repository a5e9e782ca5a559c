//! What every store of files keeps to: what goes in comes out, whole or not at all.

use std::fs;
use std::future::poll_fn;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::task::Poll;

use futures_util::TryStreamExt;
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore};
use tempfile::TempDir;

use crate::cases::{Place, Suite, cases};

/// The suite for the adapter of this name; `fresh` makes an empty place, once for each case.
pub fn suite<P: Place<dyn BlobStore> + 'static>(
    adapter: &str,
    fresh: impl Fn() -> P + Send + Sync + 'static,
) -> Suite {
    Suite::of(adapter, &[CASES], move || -> Box<Blobs> {
        Box::new(fresh())
    })
}

/// Somewhere that files are kept.
type Blobs = dyn Place<dyn BlobStore>;

cases![Blobs:
    what_is_put_is_what_is_read,
    an_empty_file_is_a_file,
    another_store_on_the_same_place_finds_it,
    files_do_not_touch_their_neighbours,
    a_range_is_a_part {
        the_beginning(0..4, b"0123"),
        the_middle(3..7, b"3456"),
        the_end(8..10, b"89"),
        beyond_the_end(8..99, b"89"),
        nothing(4..4, b""),
    },
    a_range_behind_the_end_is_an_error,
    the_last_put_wins,
    of_two_puts_at_once_one_is_there_whole,
    what_was_never_put_is_not_found { whole(None), a_part(Some(0..1)), nothing_of_it(Some(1..1)) },
    deleting_twice_is_deleting,
    a_large_file_is_whole,
    a_put_that_is_broken_off_leaves_something_whole,
    a_source_that_cannot_be_read_changes_nothing,
];

fn key(name: &str) -> BlobKey {
    BlobKey::parse(name).unwrap()
}

/// A local file that holds `bytes` while the folder is there.
fn source(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("source");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

async fn put(blobs: &Arc<dyn BlobStore>, name: &str, bytes: &[u8]) {
    let (_folder, file) = source(bytes);
    blobs.put_file(&key(name), &file).await.unwrap();
}

async fn part(
    blobs: &Arc<dyn BlobStore>,
    name: &str,
    range: Option<Range<u64>>,
) -> Result<Vec<u8>, BlobError> {
    let parts: Vec<_> = blobs.read(&key(name), range).await?.try_collect().await?;
    Ok(parts.concat())
}

async fn get(blobs: &Arc<dyn BlobStore>, name: &str) -> Result<Vec<u8>, BlobError> {
    part(blobs, name, None).await
}

/// Bytes that differ from place to place, so that a swapped or lost part shows.
fn pattern(length: u32) -> Vec<u8> {
    (0..length)
        .map(|at| {
            let [.., top] = at.wrapping_mul(2_654_435_761).to_le_bytes();
            top
        })
        .collect()
}

async fn what_is_put_is_what_is_read(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "scorm/01ab/package.zip", b"a package").await;
    let read = get(&blobs, "scorm/01ab/package.zip").await.unwrap();
    assert_eq!(read, b"a package");
}

async fn an_empty_file_is_a_file(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "empty", b"").await;
    assert_eq!(get(&blobs, "empty").await.unwrap(), b"");
}

async fn another_store_on_the_same_place_finds_it(place: &Blobs) {
    let first = place.open().await;
    put(&first, "media/1", b"kept").await;
    let beside = place.open().await;
    assert_eq!(get(&beside, "media/1").await.unwrap(), b"kept");
    drop((first, beside));
    let later = place.open().await;
    assert_eq!(get(&later, "media/1").await.unwrap(), b"kept");
}

async fn files_do_not_touch_their_neighbours(place: &Blobs) {
    let blobs = place.open().await;
    for name in ["media/1", "media/12", "media/1.txt", "other/1"] {
        put(&blobs, name, name.as_bytes()).await;
    }
    blobs.delete(&key("media/1")).await.unwrap();
    for name in ["media/12", "media/1.txt", "other/1"] {
        assert_eq!(get(&blobs, name).await.unwrap(), name.as_bytes());
    }
}

async fn a_range_is_a_part(place: &Blobs, range: Range<u64>, expected: &[u8]) {
    let blobs = place.open().await;
    put(&blobs, "digits", b"0123456789").await;
    assert_eq!(part(&blobs, "digits", Some(range)).await.unwrap(), expected);
}

async fn a_range_behind_the_end_is_an_error(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "digits", b"0123456789").await;
    let error = part(&blobs, "digits", Some(10..12)).await.unwrap_err();
    assert!(matches!(error, BlobError::Storage(_)), "{error:?}");
}

async fn the_last_put_wins(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "page", b"a long first version").await;
    put(&blobs, "page", b"second").await;
    assert_eq!(get(&blobs, "page").await.unwrap(), b"second");
}

async fn of_two_puts_at_once_one_is_there_whole(place: &Blobs) {
    let (one, other) = (place.open().await, place.open().await);
    let versions = [pattern(300_000), pattern(200_000)];
    tokio::join!(
        put(&one, "page", &versions[0]),
        put(&other, "page", &versions[1]),
        put(&one, "beside", b"untouched"),
    );
    let there = get(&one, "page").await.unwrap();
    assert!(versions.contains(&there), "{} bytes", there.len());
    assert_eq!(get(&other, "beside").await.unwrap(), b"untouched");
}

async fn what_was_never_put_is_not_found(place: &Blobs, range: Option<Range<u64>>) {
    let blobs = place.open().await;
    put(&blobs, "folder/file", b"x").await;
    for name in ["nothing", "folder", "folder/other"] {
        let error = part(&blobs, name, range.clone()).await.unwrap_err();
        assert!(matches!(error, BlobError::NotFound), "{name}: {error:?}");
    }
}

async fn deleting_twice_is_deleting(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "gone", b"x").await;
    for name in ["gone", "gone", "never/was"] {
        blobs.delete(&key(name)).await.unwrap();
    }
    let error = get(&blobs, "gone").await.unwrap_err();
    assert!(matches!(error, BlobError::NotFound), "{error:?}");
}

async fn a_large_file_is_whole(place: &Blobs) {
    let blobs = place.open().await;
    let bytes = pattern(20_000_003);
    put(&blobs, "large", &bytes).await;
    assert!(get(&blobs, "large").await.unwrap() == bytes);
    let middle = part(&blobs, "large", Some(8_388_600..8_388_620)).await;
    assert_eq!(middle.unwrap(), &bytes[8_388_600..8_388_620]);
}

/// A job may be cancelled at any of its waits.
async fn a_put_that_is_broken_off_leaves_something_whole(place: &Blobs) {
    let blobs = place.open().await;
    let second = pattern(1_000_000);
    let (_folder, file) = source(&second);
    for waits in [1, 2, 3, 5, 8, 13, 21, 34] {
        let name = format!("page/{waits}");
        put(&blobs, &name, b"first").await;
        let name = key(&name);
        {
            let mut putting = blobs.put_file(&name, &file);
            for _ in 0..waits {
                let once = poll_fn(|wake| Poll::Ready(putting.as_mut().poll(wake).is_ready()));
                if once.await {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let there = get(&blobs, name.as_str()).await.unwrap();
        let is_whole = there == b"first" || there == second;
        assert!(is_whole, "{} bytes after {waits} waits", there.len());
    }
}

async fn a_source_that_cannot_be_read_changes_nothing(place: &Blobs) {
    let blobs = place.open().await;
    put(&blobs, "page", b"first").await;
    let folder = tempfile::tempdir().unwrap();
    for source in [folder.path().join("missing"), folder.path().to_owned()] {
        let error = blobs.put_file(&key("page"), &source).await.unwrap_err();
        assert!(matches!(error, BlobError::Storage(_)), "{error:?}");
    }
    assert_eq!(get(&blobs, "page").await.unwrap(), b"first");
}
