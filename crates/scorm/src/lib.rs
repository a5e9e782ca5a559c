//! SCORM packages: the manifest, the schema documents, the player and the archive around them.
//!
//! One room, one job: a [`CourseSnapshot`] goes in, a zip file comes out, and the same snapshot gives the same
//! bytes. No database, network, clock or randomness may enter: whatever the package shows is in the snapshot,
//! and whatever the package runs is compiled into this crate. The way back, single files out of stored archives, is
//! [`PackageFiles`]'s alone.

mod activities;
mod addresses;
mod archive;
mod blanks;
mod check;
mod course;
mod entries;
mod hex;
mod launch;
mod links;
mod manifest;
mod markdown;
mod media;
mod names;
mod pictures;
mod pieces;
mod player;
mod players;
mod quiz;
mod reader;
mod recordings;
mod references;
mod rendering;
mod schemas;
mod text;
mod texts;
mod theme;
mod warnings;

use std::path::Path;

use lyceum_ports::exporting::scorm::{CoursePiece, PieceFile};
use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError, PackageWriter, WrittenPackage};

pub use reader::PackageFiles;

use crate::archive::ArchiveWriter;
use crate::entries::Entries;
use crate::media::Library;
use crate::rendering::Rendering;

const MEGABYTE: u64 = 1024 * 1024;

/// How large a package may be.
struct Sizes {
    /// Bytes beyond which many an LMS refuses the upload as it comes out of the box.
    unwieldy: u64,
    /// Bytes beyond which no LMS takes it; without zip64 the format itself ends at 4 GiB.
    refused: u64,
}

const SIZES: Sizes = Sizes {
    unwieldy: 200 * MEGABYTE,
    refused: 2048 * MEGABYTE,
};

/// The HTML that a text, Markdown with HTML in it, becomes in a package that carries no pictures.
///
/// # Errors
/// [`PackageError::Invalid`] for a text that is too long or nests too deep.
pub fn text_to_html(raw: &str) -> Result<String, PackageError> {
    let nothing = Library::default();
    markdown::render(raw, "the text", &mut Rendering::new(&nothing))
}

/// Writes SCORM 1.2 and SCORM 2004 packages, 3rd Edition and 4th.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScormWriter;

impl PackageWriter for ScormWriter {
    fn version(&self) -> String {
        let (version, sources) = (env!("CARGO_PKG_VERSION"), env!("LYCEUM_WRITER_SOURCES"));
        format!("{version}-{sources}")
    }

    fn media(&self, snapshot: &CourseSnapshot) -> Vec<String> {
        references::addresses(snapshot)
    }

    fn write(
        &self,
        snapshot: &CourseSnapshot,
        target: &Path,
    ) -> Result<WrittenPackage, PackageError> {
        write_within(&SIZES, snapshot, target)
    }

    fn file(&self, piece: &CoursePiece, name: &str) -> Result<Option<PieceFile>, PackageError> {
        pieces::file(piece, name)
    }
}

fn write_within(
    sizes: &Sizes,
    snapshot: &CourseSnapshot,
    target: &Path,
) -> Result<WrittenPackage, PackageError> {
    check::exportable(snapshot)?;
    let media = Library::of(snapshot, references::of(snapshot), sizes.refused)?;
    let entries = Entries::of(snapshot, &media);
    let mut rendering = Rendering::new(&media);
    let mut archive = ArchiveWriter::create(target, sizes.refused)?;
    archive.add_text(names::MANIFEST, &manifest::write(snapshot, &entries)?, None)?;
    for entry in entries.iter() {
        entry.write(snapshot, &mut rendering, &mut archive)?;
    }
    let mut written = archive.finish(rendering.warnings.into_sentences())?;
    if written.size_bytes > sizes.unwieldy {
        written.warnings.push(format!(
            "The package is {} MB; many systems refuse uploads of more than {} MB unless their limits are raised.",
            written.size_bytes.div_ceil(MEGABYTE),
            sizes.unwieldy / MEGABYTE
        ));
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_ports::exporting::scorm::{
        Completion, Reporting, ScormEdition, SnapshotLesson, SnapshotUnit,
    };

    fn written(sizes: &Sizes) -> Result<WrittenPackage, PackageError> {
        let lesson = SnapshotLesson {
            id: "les_one".to_owned(),
            name: "North".to_owned(),
            summary: String::new(),
            objectives: Vec::new(),
            content: "Text".to_owned(),
            duration_minutes: 1,
            language: None,
            activities: Vec::new(),
        };
        let unit = SnapshotUnit {
            id: "unt_one".to_owned(),
            name: "Start".to_owned(),
            description: String::new(),
            lessons: vec![lesson],
        };
        let snapshot = CourseSnapshot {
            cohort_id: "coh_one".to_owned(),
            edition: ScormEdition::V2004,
            service: None,
            accent_color: None,
            tutor: false,
            reporting: Reporting::default(),
            completion: Completion::default(),
            course_name: "Night sky".to_owned(),
            cohort_name: String::new(),
            language: "en".to_owned(),
            description: String::new(),
            units: vec![unit],
            assignments: Vec::new(),
            media: Vec::new(),
            unavailable: Vec::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        write_within(sizes, &snapshot, &folder.path().join("package.zip"))
    }

    #[test]
    fn a_large_package_is_written_and_named() {
        let sizes = Sizes {
            unwieldy: 1024,
            ..SIZES
        };
        let warnings = written(&sizes).unwrap().warnings;
        assert!(
            warnings.len() == 1 && warnings[0].starts_with("The package is 1 MB"),
            "{warnings:?}"
        );
        assert_eq!(written(&SIZES).unwrap().warnings, [""; 0]);
    }

    #[test]
    fn texts_count_towards_what_is_refused() {
        let sizes = Sizes {
            refused: 60_000,
            ..SIZES
        };
        let refused = written(&sizes);
        assert!(matches!(
            refused,
            Err(PackageError::TooLarge {
                limit_bytes: 60_000,
                ..
            })
        ));
    }
}
