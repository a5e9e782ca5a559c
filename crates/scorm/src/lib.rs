//! SCORM packages: the manifest, the schema documents, the player and the archive around them.
//!
//! One room, one job: a [`CourseSnapshot`] goes in, a zip file comes out, and the same snapshot gives the same
//! bytes. No database, network, clock or randomness may enter: whatever the package shows is in the snapshot,
//! and whatever the package runs is compiled into this crate. The way back, single files out of stored archives, is
//! [`PackageFiles`]'s alone.

mod activities;
mod archive;
mod check;
mod course;
mod depth;
mod entries;
mod manifest;
mod markdown;
mod media;
mod player;
mod quiz;
mod reader;
mod schemas;
mod text;
mod warnings;

use std::path::Path;

use lyceum_ports::scorm::{CourseSnapshot, PackageError, PackageWriter, WrittenPackage};

pub use reader::PackageFiles;

use crate::archive::Archive;
use crate::entries::Entries;
use crate::warnings::Warnings;

/// More than this and no LMS takes the upload; without zip64 the format itself ends at 4 GiB.
const SIZE_LIMIT: u64 = 2 * 1024 * 1024 * 1024;

/// Writes SCORM 1.2 and SCORM 2004 3rd Edition packages.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScormWriter;

impl PackageWriter for ScormWriter {
    fn media(&self, snapshot: &CourseSnapshot) -> Vec<String> {
        media::addresses(snapshot)
    }

    fn write(
        &self,
        snapshot: &CourseSnapshot,
        target: &Path,
    ) -> Result<WrittenPackage, PackageError> {
        check::exportable(snapshot)?;
        let mut warnings = Warnings::default();
        let entries = Entries::of(snapshot);
        let mut archive = Archive::create(target, SIZE_LIMIT)?;
        archive.add_control(entries::MANIFEST, &manifest::write(snapshot, &entries)?)?;
        for entry in entries.iter() {
            let bytes = entry.body.render(snapshot, &mut warnings)?;
            if entry.seen_by_learner() {
                archive.add_content(&entry.name, &bytes)?;
            } else {
                archive.add_control(&entry.name, &bytes)?;
            }
        }
        archive.finish(warnings.into_sentences())
    }
}
