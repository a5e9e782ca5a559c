//! What a backup says of itself.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use lyceum_store::upkeep::backup::CopyFacts;
use serde::{Deserialize, Serialize};

use super::sync_folder;
use lyceum_service::assemble::now;

/// How manifests are written; another number, another meaning.
const FORMAT: u32 = 1;

/// `manifest.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The program that took it.
    pub lyceum: String,
    /// When, RFC 3339 in UTC.
    pub created_at: String,
    /// Which tables the database has; absent where it is dumped elsewhere.
    pub schema_version: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub counts: BTreeMap<String, i64>,
    /// Whether files are in it; those in a bucket are not.
    pub has_files: bool,
    /// The master key never is.
    #[serde(default)]
    has_master_key: bool,
    /// Files that were damaged where they lay and of which no earlier backup had a good copy, by key.
    #[serde(default)]
    pub damaged: Vec<String>,
    /// Everything else in the folder.
    pub items: Vec<Item>,
}

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its path in the backup.
    pub name: String,
    /// How long it is.
    pub size_bytes: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

impl Manifest {
    /// Its name in a backup.
    pub const FILE: &str = "manifest.json";

    pub(super) fn new(facts: Option<CopyFacts>, items: Vec<Item>, has_files: bool) -> Self {
        let (schema_version, counts) = facts.map_or_else(
            || (None, BTreeMap::new()),
            |facts| (Some(facts.schema_version), facts.counts),
        );
        Self {
            format: FORMAT,
            lyceum: env!("CARGO_PKG_VERSION").to_owned(),
            created_at: now().to_string(),
            schema_version,
            counts,
            has_files,
            has_master_key: false,
            damaged: Vec::new(),
            items,
        }
    }

    /// The same, of a backup with files that no backup has whole.
    pub(super) fn with_damaged(mut self, damaged: Vec<String>) -> Self {
        self.damaged = damaged;
        self
    }

    pub(super) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut file = File::create_new(folder.join(Self::FILE))?;
        file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        file.sync_all()?;
        sync_folder(folder)
    }

    /// That of a backup.
    ///
    /// # Errors
    /// If there is none that this program understands.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(Self::FILE);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{} is not a backup: no {}", folder.display(), Self::FILE))?;
        let manifest: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} is not readable", path.display()))?;
        ensure!(
            manifest.format == FORMAT,
            "the backup is of format {}, this program reads format {FORMAT}",
            manifest.format
        );
        Ok(manifest)
    }
}
