//! What the service asks of its store beyond keeping things; commands that work beside it ask for none of it.

use std::sync::Arc;

use crate::running::metrics::StoreMetrics;
use crate::upkeep::data_folder::DataFolderLock;
use crate::upkeep::space::SpaceSettings;

/// The exit code of a process that could not tell any more what is on its disk: `EX_IOERR` of sysexits(3).
pub const EXIT_STORAGE: i32 = 74;

/// What is done when this process can no longer say what is on disk. It does not return, but in a test.
#[derive(Clone)]
pub struct Ending(Arc<dyn Fn(&str) + Send + Sync>);

impl Ending {
    /// Calls this instead of ending the process.
    pub fn calling(this: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(this))
    }

    /// Ends the process, for this reason.
    pub(crate) fn end(&self, reason: &str) {
        (self.0)(reason);
    }
}

impl Default for Ending {
    fn default() -> Self {
        Self::calling(|reason| {
            tracing::error!(
                exit_code = EXIT_STORAGE,
                "{reason}; the process ends at once"
            );
            std::process::exit(EXIT_STORAGE);
        })
    }
}

/// How a store guards what it keeps. PostgreSQL guards its own disk; of these it needs only to be
/// measured.
#[derive(Clone, Default)]
pub struct Safeguards {
    /// How much room is kept on the disk of a SQLite file.
    pub space: SpaceSettings,
    /// What is done when this process can no longer say what is on disk.
    pub ending: Ending,
    /// The hold on the folder of a SQLite file, which makes this its service: it is checked after a crash, and
    /// left in order at the end.
    pub lock: Option<Arc<DataFolderLock>>,
    /// Where it is noted how storage fares, if anybody wants to know.
    pub metrics: Option<StoreMetrics>,
}
