//! The inspector over files that are made here: what is kept of them, what is gone, and what is refused.

mod concurrency;
mod drawings;
mod fuzzed;
mod kinds;
mod making;
mod pictures;
mod recordings;
mod scanner;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lyceum_ports::authoring::inspection::{Inspected, InspectionError, MediaInspector, Refusal};
use tempfile::TempDir;

use crate::kinds::Kind;
use crate::{Inspector, Settings};

/// What a test sees of the work, and how it makes it break.
#[derive(Default)]
pub struct Watched {
    at_work: AtomicUsize,
    most: AtomicUsize,
    breaks: AtomicBool,
}

impl Watched {
    /// Work on a file begins; it ends with what is returned.
    pub fn enter(&self, kind: Kind) -> Watching<'_> {
        assert!(!self.breaks.load(Ordering::SeqCst), "a decoder breaks");
        let counts = usize::from(kind.has_pixels());
        let now = self.at_work.fetch_add(counts, Ordering::SeqCst) + counts;
        self.most.fetch_max(now, Ordering::SeqCst);
        Watching(&self.at_work, counts)
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    fn break_down(&self) {
        self.breaks.store(true, Ordering::SeqCst);
    }
}

/// Work on a file that goes on.
pub struct Watching<'a>(&'a AtomicUsize, usize);

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::SeqCst);
    }
}

/// A file that came, and a folder for what is made of it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn with(bytes: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("made")).unwrap();
        std::fs::write(folder.path().join("came.png"), bytes).unwrap();
        Self { folder }
    }

    fn came(&self) -> PathBuf {
        self.folder.path().join("came.png")
    }

    fn made(&self) -> PathBuf {
        self.folder.path().join("made")
    }

    async fn look_with(&self, settings: Settings) -> Result<Inspected, InspectionError> {
        let inspector = Inspector::new(settings);
        inspector.inspect(&self.came(), &self.made()).await
    }

    async fn look(&self) -> Result<Inspected, InspectionError> {
        self.look_with(Settings::default()).await
    }
}

/// What is kept of some bytes, with the bytes themselves.
async fn kept(bytes: &[u8]) -> (Inspected, Vec<u8>) {
    let desk = Desk::with(bytes);
    let inspected = desk.look().await.unwrap();
    let kept = std::fs::read(&inspected.file).unwrap();
    (inspected, kept)
}

/// Why some bytes are refused.
async fn refused(bytes: &[u8]) -> Refusal {
    match Desk::with(bytes).look().await {
        Err(InspectionError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes
        .windows(word.len())
        .any(|window| window == word.as_bytes())
}
