//! Writing pixels down: as what they came, or as WebP.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageError};
use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::InspectionError;
use png::EncodingError;
use webp::{Encoder, WebPMemory};

use super::palette::Palette;
use crate::reading::{Looked, damaged, unwritten};

/// How well a photograph is written anew at best, of 100: no difference is seen beside what came.
const BEST: u8 = 88;
/// And at least, however it came.
const LEAST: u8 = 70;
/// How well a WebP is, whose own quality does not stand in it.
const KEPT_WEBP: f32 = 85.0;
/// How well a smaller one is written.
pub const SMALLER: Quality = Quality::Of(78.0);
/// The most pixels that libwebp writes one by one: it takes thirty bytes for each, and seconds. For more there is a writer that
/// takes none, and packs less.
const MOST_PACKED: u64 = 8_000_000;
/// The longest side that WebP knows.
const MOST_WEBP: u32 = 16_383;

/// How well a WebP is to be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Pixel for pixel.
    Whole,
    /// So much of 100.
    Of(f32),
}

/// How a picture is written anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Written {
    /// As a JPEG, so well.
    Jpeg(u8),
    /// As a PNG.
    Png,
    /// As a WebP.
    Webp(Quality),
}

impl Written {
    /// A JPEG, no better than it came: that would take bytes, and show nothing more.
    pub fn jpeg(came: Option<u8>) -> Self {
        Self::Jpeg(came.unwrap_or(BEST).clamp(LEAST, BEST))
    }

    /// A WebP that was not written pixel for pixel.
    pub const fn lossy_webp() -> Self {
        Self::Webp(Quality::Of(KEPT_WEBP))
    }

    /// Whether pixels may be given up for size: a photograph's, and not those of a drawing with sharp edges.
    pub const fn is_lossy(self) -> bool {
        matches!(self, Self::Jpeg(_) | Self::Webp(Quality::Of(_)))
    }

    /// What comes of it.
    pub const fn media_type(self) -> MediaType {
        match self {
            Self::Jpeg(_) => MediaType::Jpeg,
            Self::Png => MediaType::Png,
            Self::Webp(_) => MediaType::Webp,
        }
    }
}

/// Writes a picture into a file.
pub fn write(pixels: &DynamicImage, written: Written, file: &Path) -> Looked<()> {
    let to = File::create(file).map_err(|error| unwritten(&error))?;
    let mut to = BufWriter::new(to);
    match written {
        Written::Jpeg(quality) => pixels
            .write_with_encoder(JpegEncoder::new_with_quality(&mut to, quality))
            .map_err(unencoded)?,
        Written::Png => png(pixels, &mut to)?,
        Written::Webp(Quality::Whole) if is_large(pixels) => pixels
            .write_with_encoder(WebPEncoder::new_lossless(&mut to))
            .map_err(unencoded)?,
        Written::Webp(quality) => {
            let bytes = webp(pixels, quality)?;
            to.write_all(&bytes).map_err(|error| unwritten(&error))?;
        }
    }
    to.flush().map_err(|error| unwritten(&error))
}

fn png(pixels: &DynamicImage, to: &mut impl Write) -> Looked<()> {
    if let Some(palette) = Palette::of(pixels) {
        return palette.write(to).map_err(unnumbered);
    }
    let encoder = PngEncoder::new_with_quality(to, CompressionType::Default, FilterType::Adaptive);
    pixels.write_with_encoder(encoder).map_err(unencoded)
}

fn is_large(pixels: &DynamicImage) -> bool {
    u64::from(pixels.width()) * u64::from(pixels.height()) > MOST_PACKED
}

/// Whether a picture can be a WebP at all.
pub fn fits_webp(pixels: &DynamicImage) -> bool {
    pixels.width().max(pixels.height()) <= MOST_WEBP
}

/// A picture as WebP.
pub fn webp(pixels: &DynamicImage, asked: Quality) -> Looked<WebPMemory> {
    let (width, height) = (pixels.width(), pixels.height());
    if !fits_webp(pixels) {
        return Err(damaged("it is too long for a WebP"));
    }
    let (is_whole, quality) = match asked {
        Quality::Whole => (true, 75.0),
        Quality::Of(quality) => (false, quality),
    };
    let written = if let Some(pixels) = pixels.as_rgb8() {
        Encoder::from_rgb(pixels, width, height).encode_simple(is_whole, quality)
    } else if let Some(pixels) = pixels.as_rgba8() {
        Encoder::from_rgba(pixels, width, height).encode_simple(is_whole, quality)
    } else if pixels.color().has_alpha() {
        return webp(&pixels.to_rgba8().into(), asked);
    } else {
        return webp(&pixels.to_rgb8().into(), asked);
    };
    written.map_err(|error| {
        InspectionError::Unavailable(format!("The picture could not be written: {error:?}."))
    })
}

fn unencoded(error: ImageError) -> InspectionError {
    let said = error.to_string();
    if let ImageError::IoError(error) = error {
        return unwritten(&error);
    }
    damaged(said)
}

fn unnumbered(error: EncodingError) -> InspectionError {
    let said = error.to_string();
    if let EncodingError::IoError(error) = error {
        return unwritten(&error);
    }
    damaged(said)
}
