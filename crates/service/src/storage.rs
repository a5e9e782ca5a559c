//! Where a service keeps its data, and how.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context;
use lyceum_blobs::Presigning;
use lyceum_store::{DatabaseUrl, PostgresUrl, SpaceSettings};
use url::Url;

/// Connections to PostgreSQL per processor of this machine: with more of them they wait for each other there.
const CONNECTIONS_PER_PROCESSOR: NonZeroU32 = NonZeroU32::MIN.saturating_add(3);

/// Connections to PostgreSQL at most, and readers of a SQLite file that are kept open, where nothing else is said: four per processor
/// that this process may use.
pub fn usual_connections() -> NonZeroU32 {
    let processors = std::thread::available_parallelism().ok();
    let processors = processors.and_then(|there| NonZeroU32::try_from(there).ok());
    CONNECTIONS_PER_PROCESSOR.saturating_mul(processors.unwrap_or(NonZeroU32::MIN))
}

/// Where a service keeps its data, and how. What has no place of its own lies in the data folder.
///
/// The address of a database may hold a password, so nothing shows it: it has no `Debug`.
#[derive(Clone)]
pub struct Storage {
    /// Folder for whatever has no other place, and for files of jobs.
    pub data_dir: PathBuf,
    /// The database; a SQLite file in the folder when absent.
    pub database: Option<DatabaseUrl>,
    /// A pooler in front of the database that hands out sessions for a transaction each.
    pub pooler: Option<PostgresUrl>,
    /// A standby of the database, which answers what callers read.
    pub replica: Option<PostgresUrl>,
    /// Connections to PostgreSQL at most; with SQLite, readers that are kept open.
    pub connections: NonZeroU32,
    /// How much room is kept on the disk of a SQLite file.
    pub space: SpaceSettings,
    /// Whether the SQLite file may be on another machine.
    pub may_be_on_network: bool,
    /// File with the key that secrets are encrypted with; made in the folder when absent.
    pub master_key_file: Option<PathBuf>,
    /// Where packages and recordings are kept: `file:///FOLDER` or `s3://BUCKET/PREFIX`; in the folder when absent.
    pub blobs_url: Option<String>,
    /// Whether a bucket hands media and recordings out itself.
    pub presigning: Presigning,
}

impl Storage {
    /// Everything in this folder.
    pub fn in_folder(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            database: None,
            pooler: None,
            replica: None,
            connections: usual_connections(),
            space: SpaceSettings {
                reserve_bytes: 64 << 20,
                minimum_free_bytes: 256 << 20,
            },
            may_be_on_network: false,
            master_key_file: None,
            blobs_url: None,
            presigning: Presigning::Off,
        }
    }

    /// The database.
    pub fn database(&self) -> DatabaseUrl {
        let named = self.database.clone();
        named.unwrap_or_else(|| DatabaseUrl::Sqlite(self.data_dir.join("lyceum.db")))
    }

    /// The file of the master key.
    pub fn master_key_file(&self) -> PathBuf {
        let named = self.master_key_file.clone();
        named.unwrap_or_else(|| self.data_dir.join("master.key"))
    }

    /// Where packages are kept.
    ///
    /// # Errors
    /// If the data folder has no absolute path.
    pub fn blobs_url(&self) -> anyhow::Result<String> {
        if let Some(url) = &self.blobs_url {
            return Ok(url.clone());
        }
        let folder = std::path::absolute(self.data_dir.join("blobs")).context("LYCEUM_DATA_DIR")?;
        let url = Url::from_file_path(&folder);
        url.map(String::from)
            .map_err(|()| anyhow::anyhow!("LYCEUM_DATA_DIR has no absolute path"))
    }

    /// The folder of the files, where they are in one.
    ///
    /// # Errors
    /// As for [`Self::blobs_url`].
    pub fn blobs_folder(&self) -> anyhow::Result<Option<PathBuf>> {
        let url = Url::parse(&self.blobs_url()?).context("LYCEUM_BLOBS_URL")?;
        let folder = Some(url).filter(|url| url.scheme() == "file");
        Ok(folder.and_then(|url| url.to_file_path().ok()))
    }

    /// The folder of the SQLite file, where it is one.
    pub(crate) fn database_folder(&self) -> Option<PathBuf> {
        let DatabaseUrl::Sqlite(file) = self.database() else {
            return None;
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        // A file without a folder lies in the current one.
        Some(if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder.to_owned()
        })
    }
}
