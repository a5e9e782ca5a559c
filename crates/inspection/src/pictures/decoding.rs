//! From a file to pixels, within the memory that pixels may take.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, Limits};
use lyceum_ports::authoring::inspection::{InspectionError, Refusal};

use super::encoding::{Quality, Written};
use super::{Decoded, LONGEST_SIDE, PictureKind, colours, jpeg, shrinking};
use crate::reading::{Looked, Reading, damaged, unread};

/// What a decoder may take beside the pixels themselves.
const BESIDE: u64 = 64 * 1024 * 1024;

type Source = BufReader<File>;

/// Decodes a picture: sees to its size first, and to how it is held and what its colours mean at last.
pub fn decode(kind: PictureKind, file: &Path, most_pixels: u64) -> Looked<Decoded> {
    let mut notes = Vec::new();
    let written = match kind {
        PictureKind::Jpeg => {
            let came = jpeg::check(&mut Reading::open(file)?)?;
            Written::jpeg(came)
        }
        PictureKind::Webp => webp(file)?,
        PictureKind::Png | PictureKind::Gif => Written::Png,
    };
    let source = File::open(file).map_err(|error| unread(&error))?;
    let source = BufReader::new(source);
    let shot = match kind {
        PictureKind::Jpeg => shot(JpegDecoder::new(source).map_err(undecoded)?, most_pixels),
        PictureKind::Webp => {
            let decoder = WebPDecoder::new(source).map_err(undecoded)?;
            notes.extend(decoder.has_animation().then(still));
            shot(decoder, most_pixels)
        }
        PictureKind::Png | PictureKind::Gif => {
            let decoder = png(source, most_pixels)?;
            notes.extend(decoder.is_apng().map_err(undecoded)?.then(still));
            shot(decoder, most_pixels)
        }
    }?;
    Ok(shot.develop(written, notes))
}

/// How the file says that a picture is to be held, and its colours to be taken.
struct Shot {
    pixels: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
}

fn png(source: Source, most_pixels: u64) -> Looked<PngDecoder<Source>> {
    let decoder = PngDecoder::with_limits(source, limits(most_pixels));
    decoder.map_err(undecoded)
}

/// Pixels, once the header said how many there would be.
fn shot(mut decoder: impl ImageDecoder, most_pixels: u64) -> Looked<Shot> {
    let (width, height) = decoder.dimensions();
    few_enough(u64::from(width) * u64::from(height), most_pixels)?;
    decoder.set_limits(limits(most_pixels)).map_err(undecoded)?;
    // What a camera noted may be damaged without harm to the picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().unwrap_or_default();
    let pixels = DynamicImage::from_decoder(decoder).map_err(undecoded)?;
    Ok(Shot {
        pixels,
        orientation,
        profile,
    })
}

impl Shot {
    /// Smaller first where it is to be smaller, as everything after that takes memory by the pixel.
    fn develop(self, written: Written, mut notes: Vec<String>) -> Decoded {
        let mut pixels = eight_bits(self.pixels);
        if written.is_lossy() {
            let (smaller, had_more) = shrinking::to_longest_side(pixels, LONGEST_SIDE);
            pixels = smaller;
            notes.extend(had_more.then(|| {
                format!("The picture was made smaller: its longer side is {LONGEST_SIDE} pixels.")
            }));
        }
        if let Some(profile) = self.profile
            && !colours::flatten(&mut pixels, &profile)
        {
            let said =
                "The picture's colour profile could not be followed; its colours may differ.";
            notes.push(said.to_owned());
        }
        pixels.apply_orientation(self.orientation);
        Decoded {
            pixels,
            written,
            notes,
        }
    }
}

/// What every screen shows: eight bits for each colour.
fn eight_bits(pixels: DynamicImage) -> DynamicImage {
    let colours = pixels.color();
    match (colours.has_color(), colours.has_alpha()) {
        _ if colours.bytes_per_pixel() == colours.channel_count() => pixels,
        (_, true) => pixels.into_rgba8().into(),
        (true, false) => pixels.into_rgb8().into(),
        (false, false) => pixels.into_luma8().into(),
    }
}

/// Whether a WebP is all there, and how its pixels were written.
fn webp(file: &Path) -> Looked<Written> {
    let mut reading = Reading::open(file)?;
    reading.go_to(4)?;
    let length = u32::from_le_bytes(reading.take()?);
    if u64::from(length) + 8 > reading.length() {
        return Err(damaged("it ends too soon"));
    }
    reading.go_to(12)?;
    let mut chunk: [u8; 4] = reading.take()?;
    // An extended file says what is in it further on; what matters is whether any pixels were given up.
    while !matches!(&chunk, b"VP8 " | b"VP8L" | b"ANMF") {
        let length = u64::from(u32::from_le_bytes(reading.take()?));
        let next = reading.place()? + length + length % 2;
        reading.go_to(next)?;
        chunk = reading.take()?;
    }
    Ok(match &chunk {
        b"VP8L" => Written::Webp(Quality::Whole),
        _ => Written::lossy_webp(),
    })
}

/// Refuses a picture of too many pixels.
pub fn few_enough(pixels: u64, most: u64) -> Looked<()> {
    if pixels > most {
        return Err(Refusal::TooManyPixels { pixels, most }.into());
    }
    Ok(())
}

/// Eight bytes for each pixel, which is what the deepest take.
fn limits(most_pixels: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(most_pixels.saturating_mul(8).saturating_add(BESIDE));
    limits
}

fn still() -> String {
    "The picture moved; its first moment is kept. To keep it moving, save it as GIF or as a film."
        .to_owned()
}

/// What a decoder's failure means.
pub fn undecoded(error: ImageError) -> InspectionError {
    let said = error.to_string();
    if let ImageError::IoError(error) = error {
        return unread(&error);
    }
    damaged(said)
}
