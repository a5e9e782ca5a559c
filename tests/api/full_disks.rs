//! A disk that is full while the pieces of an upload are put together: it is said, nothing that came is lost, and nothing stays.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_application::running::retention;
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore, ByteStream};
use lyceum_ports::environment::Ids;
use support::app::TestApp;
use uuid::Uuid;

use crate::media::picture;
use crate::media_uploads::{begun, is_tidy, pieces, send, stands_at};
use crate::school::{assert_refused, list};

/// Makes ids, and sees to it that the next file that is written in a folder while another one is there finds no room.
struct NoRoomForTwo {
    ids: Arc<dyn Ids>,
    folder: PathBuf,
    is_full: Arc<AtomicBool>,
}

impl NoRoomForTwo {
    fn one_is_there(&self) -> bool {
        let there = std::fs::read_dir(&self.folder).unwrap();
        let mut names = there.map(|entry| entry.unwrap().file_name());
        names.any(|name| name.to_string_lossy().starts_with("upload-"))
    }
}

impl Ids for NoRoomForTwo {
    fn next(&self) -> Uuid {
        let id = self.ids.next();
        if self.is_full.load(Ordering::Relaxed) && self.one_is_there() {
            // Whoever writes there is told by the system that the disk is full.
            let file = self.folder.join(format!("upload-{id}"));
            symlink("/dev/full", file).unwrap();
        }
        id
    }
}

/// A store on a disk that is full for as long as it is said to be, for all that is not a piece.
struct FullStore {
    store: Arc<dyn BlobStore>,
    is_full: Arc<AtomicBool>,
}

#[async_trait]
impl BlobStore for FullStore {
    async fn put_file(&self, key: &BlobKey, file: &Path) -> Result<(), BlobError> {
        if self.is_full.load(Ordering::Relaxed) && key.as_str().starts_with("media/") {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            return Err(BlobError::Storage(full.into()));
        }
        self.store.put_file(key, file).await
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<std::ops::Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        self.store.read(key, range).await
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        self.store.delete(key).await
    }
}

/// What is wrong with the disk, until there is room again.
fn full(mut app: TestApp, is_store: bool) -> (TestApp, Arc<AtomicBool>) {
    let is_full = Arc::new(AtomicBool::new(true));
    let told = Arc::clone(&is_full);
    if is_store {
        app.app.blobs = Arc::new(FullStore {
            store: Arc::clone(&app.app.blobs),
            is_full: told,
        });
    } else {
        app.app.ids = Arc::new(NoRoomForTwo {
            ids: Arc::clone(&app.app.ids),
            folder: app.app.settings.scratch.clone(),
            is_full: told,
        });
    }
    (app.mounted_again(), is_full)
}

#[actix_web::test]
async fn an_upload_that_finds_no_room_to_be_put_together_is_completed_when_there_is() {
    for (is_store, told) in [(false, "almost full"), (true, "not available")] {
        let app = TestApp::start().await;
        let file = picture("no room for both");
        let path = begun(&app, file.len()).await;
        let (first, last) = file.split_at(40);
        assert_eq!(send(&app, &path, 0, first).await.status, 204);
        let (app, is_full) = full(app, is_store);
        for _ in 0..2 {
            let refused = send(&app, &path, 40, last).await;
            assert_refused(&refused, 503, "unavailable", "");
            let message = refused.body["error"]["message"].as_str().unwrap();
            assert!(message.contains(told), "{message}");
            assert!(refused.header("retry-after").is_some());
            // It stands where it stood, with what came before, and nothing else was left.
            assert_eq!(stands_at(&app, &path).await, 40);
            assert!(is_tidy(&app).await);
            assert_eq!((list(&app, "media").await.len(), pieces(&app)), (0, 1));
        }
        is_full.store(false, Ordering::Relaxed);
        assert_eq!(send(&app, &path, 40, last).await.status, 204);
        app.work().await;
        let kept = list(&app, "media").await;
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0]["status"], "ready", "{}", kept[0]);
        // What was noted before it failed goes as well, and what is kept stays.
        app.clock
            .advance(i64::try_from(Duration::from_hours(30).as_secs()).unwrap());
        retention::sweep(&app.app).await.unwrap();
        assert!(pieces(&app) == 0 && is_tidy(&app).await);
        let shown = app.get("/v1/media").await.body["data"][0]["file"]["url"].clone();
        let shown = shown.as_str().unwrap().replace("http://lyceum.test", "");
        let loaded = actix_web::test::TestRequest::with_uri(&shown);
        assert_eq!(app.send(loaded).await.status, 200);
    }
}
