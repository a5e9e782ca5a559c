//! What is known of a medium besides its bytes, as far as the snapshot says so.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use lyceum_ports::exporting::scorm::PieceMedium;
use lyceum_ports::exporting::scorm::{PackageError, SnapshotMedia, SnapshotPicture};

use super::item::{Item, Source, examine};
use super::kind::Role;

/// What an element may need that shows it.
#[derive(Debug, Default)]
pub struct Known {
    /// What it shows: absent where nobody said, empty where it only decorates.
    pub alt_text: Option<String>,
    /// Whether it is to be heard and not seen: one container holds both.
    pub is_sound: bool,
    /// Width and height, where the bytes do not say so.
    pub dimensions: Option<(usize, usize)>,
    /// Names of the same picture with its widths, from small to large.
    pub smaller: Vec<(String, usize)>,
}

impl Known {
    /// What the snapshot says, but for the smaller pictures.
    pub fn of(media: &SnapshotMedia) -> Self {
        Self {
            alt_text: media.alt_text.clone(),
            is_sound: media.media_type.starts_with("audio/"),
            dimensions: media.dimensions.and_then(pixels),
            smaller: Vec::new(),
        }
    }

    /// What is known of a medium that stays where it is kept, whose file is this, but for the smaller pictures.
    pub fn of_kept(medium: &PieceMedium, item: &Item) -> Self {
        let facts = medium.files.first();
        Self {
            alt_text: medium.alt_text.clone(),
            is_sound: medium.media_type.starts_with("audio/"),
            dimensions: item
                .dimensions
                .or_else(|| facts.and_then(|facts| facts.dimensions).and_then(pixels)),
            smaller: Vec::new(),
        }
    }

    /// The same with a smaller picture, if it is of use beside what is there.
    #[must_use]
    pub fn with_smaller(mut self, item: &Item) -> Self {
        let limit = self.dimensions.map(|(width, _)| width);
        let width = item.dimensions.map(|(width, _)| width);
        let is_new = |width: &usize| self.smaller.iter().all(|(_, known)| known != width);
        let width =
            width.filter(|width| limit.is_some_and(|limit| *width < limit) && is_new(width));
        if let Some(width) = width {
            self.smaller.push((item.name.clone(), width));
        }
        self
    }
}

/// The smaller pictures that are of use beside `full`, by width; none of what is no picture.
///
/// # Errors
/// A file that is there and cannot be read.
pub fn smaller(media: &SnapshotMedia, full: &Item) -> Result<BTreeMap<usize, Item>, PackageError> {
    let mut found = BTreeMap::new();
    let Some((limit, _)) = full.dimensions.filter(|_| full.kind.serves(Role::Picture)) else {
        return Ok(found);
    };
    for smaller in &media.smaller {
        let sized = picture(smaller)?;
        if let Some((width, item)) = sized.filter(|(width, _)| *width < limit) {
            found.entry(width).or_insert(item);
        }
    }
    Ok(found)
}

/// The picture with its width; nothing of a file that is none or is not there.
fn picture(smaller: &SnapshotPicture) -> Result<Option<(usize, Item)>, PackageError> {
    let item = match examine(Source::File(smaller.file.clone()), "") {
        Ok(item) => item.filter(|item| item.kind.serves(Role::Picture)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    Ok(item.and_then(|item| {
        let (width, _) = item.dimensions.or(pixels(smaller.dimensions))?;
        Some((width, item))
    }))
}

fn pixels((width, height): (u32, u32)) -> Option<(usize, usize)> {
    let pixels = usize::try_from(width)
        .ok()
        .zip(usize::try_from(height).ok());
    pixels.filter(|(width, height)| *width > 0 && *height > 0)
}
