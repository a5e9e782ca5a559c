//! Single files of a package that nobody writes: what is played while its author is still at it.
//!
//! Each is made by what makes it for an archive, so what is tried is what learners get. Media are not read: what they are was found
//! out when they came.

use lyceum_ports::exporting::scorm::PackageError;
use lyceum_ports::exporting::scorm::{CoursePiece, PieceFile};

use crate::entries::{Body, Entries};
use crate::media::{Item, Library, Source};
use crate::rendering::Rendering;
use crate::{check, course, references};

/// The file of this name; none where an archive would have none. The manifest is for systems that take packages in, and is none.
pub fn file(piece: &CoursePiece, name: &str) -> Result<Option<PieceFile>, PackageError> {
    check::exportable(&piece.course)?;
    let media = Library::of_kept(&piece.media, references::of(&piece.course))?;
    let entries = Entries::of(&piece.course, &media);
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        return Ok(None);
    };
    let mut rendering = Rendering::new(&media);
    let text = match &entry.body {
        Body::Media(item) => return Ok(medium(item)),
        Body::Course => {
            course::outline_of(&piece.course, piece.only_step.as_deref(), &mut rendering)?
        }
        Body::Schema(_)
        | Body::Asset(_)
        | Body::Launch { .. }
        | Body::Service
        | Body::Lesson(_)
        | Body::Assignment(_) => entry.text(&piece.course, &mut rendering)?,
    };
    Ok(Some(PieceFile::Made(text.into_bytes())))
}

fn medium(item: &Item) -> Option<PieceFile> {
    match &item.source {
        Source::Kept { medium, number } => Some(PieceFile::Kept {
            medium: *medium,
            number: *number,
        }),
        Source::Bytes(bytes) => Some(PieceFile::Made(bytes.clone())),
        Source::File(_) => None,
    }
}
