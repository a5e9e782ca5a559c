//! The order in which a file is looked at, and how many are at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lyceum_ports::authoring::inspection::{Inspected, InspectionError, MediaInspector};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::kinds::{Kind, kind};
use crate::reading::{Looked, damaged};
use crate::scanner::Scanner;
use crate::{captions, documents, drawings, pictures, recordings};

/// How many files are looked at at a time. Others wait for their turn.
const LANES: usize = 4;

/// How files are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Pixels of the largest picture. One that is looked at takes up to twelve bytes for each (eight where colours are deep,
    /// and four for what is made of them), and so it is this that decides how much memory all of it takes.
    pub most_pixels: u64,
    /// Host and port of a `ClamAV` daemon (`clamd`). Its `StreamMaxLength` has to be at least as large as the largest
    /// upload: what it does not take is not let through. What lies beyond its `MaxFileSize` and `MaxScanSize` it calls
    /// clean without looking, unless `AlertExceedsMax` is set.
    pub scanner: Option<String>,
    /// How long the scanner may be silent.
    pub scanner_patience: Duration,
}

impl Default for Settings {
    /// 64 megapixels, and no scanner; one would be waited for for two minutes.
    fn default() -> Self {
        Self {
            most_pixels: 64_000_000,
            scanner: None,
            scanner_patience: Duration::from_mins(2),
        }
    }
}

/// Looks at files of strangers.
pub struct Inspector {
    most_pixels: u64,
    scanner: Option<Scanner>,
    lanes: Semaphore,
    /// Pixels take memory, so one picture is decoded at a time, whatever many are uploaded at once.
    decoding: Arc<Semaphore>,
    #[cfg(test)]
    pub(crate) watched: Arc<crate::tests::Watched>,
}

impl Inspector {
    /// With these settings; nobody is spoken to yet.
    pub fn new(settings: Settings) -> Self {
        let patience = settings.scanner_patience;
        Self {
            most_pixels: settings.most_pixels,
            scanner: settings
                .scanner
                .map(|address| Scanner::new(address, patience)),
            lanes: Semaphore::new(LANES),
            decoding: Arc::new(Semaphore::new(1)),
            #[cfg(test)]
            watched: Arc::default(),
        }
    }

    async fn look(&self, file: &Path, folder: &Path) -> Looked<Inspected> {
        let _lane = self.lanes.acquire().await.map_err(|_| closed())?;
        if let Some(scanner) = &self.scanner {
            scanner.scan(file).await?;
        }
        let path = file.to_owned();
        let kind = apart(move || kind(&path)).await?;
        let permit = self.permit(kind).await?;
        let work = Work {
            file: file.to_owned(),
            folder: folder.to_owned(),
            most_pixels: self.most_pixels,
            #[cfg(test)]
            watched: Arc::clone(&self.watched),
        };
        apart(move || {
            // Held by the work itself: it goes on where nobody waits for it any longer.
            let _permit = permit;
            work.look(kind)
        })
        .await
    }

    /// Leave to decode a picture, for what is one.
    async fn permit(&self, kind: Kind) -> Looked<Option<OwnedSemaphorePermit>> {
        if !kind.has_pixels() {
            return Ok(None);
        }
        let permit = Arc::clone(&self.decoding).acquire_owned().await;
        permit.map(Some).map_err(|_| closed())
    }
}

#[async_trait]
impl MediaInspector for Inspector {
    async fn inspect(&self, file: &Path, folder: &Path) -> Looked<Inspected> {
        self.look(file, folder).await
    }
}

/// A file to be looked at by a thread that may be busy with it.
struct Work {
    file: PathBuf,
    folder: PathBuf,
    most_pixels: u64,
    #[cfg(test)]
    watched: Arc<crate::tests::Watched>,
}

impl Work {
    fn look(&self, kind: Kind) -> Looked<Inspected> {
        #[cfg(test)]
        let _watching = self.watched.enter(kind);
        match kind {
            Kind::Picture(kind) => {
                pictures::inspect(kind, &self.file, &self.folder, self.most_pixels)
            }
            Kind::Drawing => drawings::inspect(&self.file, &self.folder),
            Kind::Recording(container) => recordings::inspect(container, &self.file),
            Kind::Captions => captions::inspect(&self.file),
            Kind::Document => documents::inspect(&self.file),
        }
    }
}

/// Work in a thread of its own. A decoder that breaks over a file breaks that file, and nothing else.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> Looked<T> + Send + 'static) -> Looked<T> {
    match spawn_blocking(work).await {
        Ok(looked) => looked,
        Err(error) if error.is_panic() => Err(damaged("it could not be read")),
        Err(_) => Err(closed()),
    }
}

fn closed() -> InspectionError {
    InspectionError::Unavailable("The service is about to stop.".to_owned())
}
