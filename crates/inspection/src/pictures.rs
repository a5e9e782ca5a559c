//! Pictures: decoded to pixels, and written anew from them. Nothing else of what came goes on, neither what a camera noted
//! nor what somebody put behind the picture.

mod colours;
mod decoding;
mod encoding;
mod gifs;
pub mod jpeg;
mod palette;
mod shrinking;

use std::path::Path;

use image::DynamicImage;
use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::{Inspected, SmallerPicture};

use crate::kept::as_it_came;
use crate::reading::{Looked, Reading, unread, unsupported, unwritten};
use encoding::Written;

/// The longest file of a picture; decoders have it in memory.
const MOST_BYTES: u64 = 128_000_000;
/// The longer side of a picture that is kept of a photograph, in pixels.
const LONGEST_SIDE: u32 = 2560;
/// Widths of the smaller pictures.
const WIDTHS: [u32; 2] = [640, 1280];

/// How a picture is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
    /// GIF.
    Gif,
}

/// A picture as pixels, upright and in the colours of every screen.
struct Decoded {
    pixels: DynamicImage,
    /// How it is to be written anew.
    written: Written,
    notes: Vec<String>,
}

/// Decodes a picture and writes it anew, with smaller ones of the same.
pub fn inspect(
    kind: PictureKind,
    file: &Path,
    folder: &Path,
    most_pixels: u64,
) -> Looked<Inspected> {
    let length = Reading::open(file)?.length();
    if length > MOST_BYTES {
        let megabytes = MOST_BYTES / 1_000_000;
        return Err(unsupported(format!(
            "a picture of more than {megabytes} MB"
        )));
    }
    let decoded = match kind {
        PictureKind::Gif => match gifs::inspect(file, folder, most_pixels)? {
            gifs::Gif::Moving(inspected) => return Ok(inspected),
            gifs::Gif::Still(decoded) => decoded,
        },
        PictureKind::Jpeg | PictureKind::Png | PictureKind::Webp => {
            decoding::decode(kind, file, most_pixels)?
        }
    };
    write(decoded, folder)
}

fn write(decoded: Decoded, folder: &Path) -> Looked<Inspected> {
    let Decoded {
        pixels,
        written,
        notes,
    } = decoded;
    let media_type = written.media_type();
    let kept = folder.join("picture").with_extension(media_type.ending());
    encoding::write(&pixels, written, &kept)?;
    let size = std::fs::metadata(&kept).map_err(|error| unread(&error))?;
    let dimensions = (pixels.width(), pixels.height());
    let smaller = smaller(pixels, size.len(), folder)?;
    Ok(Inspected {
        dimensions: Some(dimensions),
        smaller,
        notes,
        ..as_it_came(media_type, &kept)
    })
}

/// The same picture in smaller ones, as far as that saves anything. Each is made of the larger one before it.
fn smaller(pixels: DynamicImage, size: u64, folder: &Path) -> Looked<Vec<SmallerPicture>> {
    let mut made = Vec::new();
    let mut larger = pixels;
    for width in WIDTHS.into_iter().rev() {
        if width >= larger.width() {
            continue;
        }
        larger = shrinking::to_width(larger, width);
        if !encoding::fits_webp(&larger) {
            continue;
        }
        let bytes = encoding::webp(&larger, encoding::SMALLER)?;
        if crate::reading::long(bytes.len()) >= size {
            continue;
        }
        let file = folder.join(format!("picture-{width}.webp"));
        std::fs::write(&file, &*bytes).map_err(|error| unwritten(&error))?;
        made.push(SmallerPicture {
            file,
            media_type: MediaType::Webp,
            width,
            height: larger.height(),
        });
    }
    made.reverse();
    Ok(made)
}
