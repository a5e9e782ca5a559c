//! GIF: frame by frame into a file of our own, with what they show and for how long. Palettes and indices stay what they were,
//! so that nothing gets larger or paler.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use gif::{ColorOutput, DecodeOptions, DecodingError, Encoder, EncodingError, MemoryLimit};
use image::DynamicImage;
use image::codecs::gif::GifDecoder;
use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::{Inspected, InspectionError};

use super::Decoded;
use super::decoding::{few_enough, undecoded};
use super::encoding::Written;
use crate::kept::as_it_came;
use crate::reading::{Looked, damaged, unread, unwritten};

/// How many times the pixels of the largest picture all frames may have together.
const MOST_MOVING: u64 = 4;

/// How many frames there may be; they take time even where they are small.
const MOST_FRAMES: u32 = 5_000;

type Decoder = gif::Decoder<File>;

/// What a GIF is.
pub enum Gif {
    /// It moves, and was written.
    Moving(Inspected),
    /// It is one picture like others.
    Still(Decoded),
}

/// Reads all frames, and writes those that move.
pub fn inspect(file: &Path, folder: &Path, most_pixels: u64) -> Looked<Gif> {
    let mut frames = open(file, most_pixels)?;
    let dimensions = (u32::from(frames.width()), u32::from(frames.height()));
    few_enough(
        u64::from(dimensions.0) * u64::from(dimensions.1),
        most_pixels,
    )?;
    let kept = folder.join("picture.gif");
    let count = write(&mut frames, &kept, most_pixels)?;
    match count {
        0 => Err(damaged("it has no picture")),
        1 => {
            std::fs::remove_file(&kept).map_err(|error| unwritten(&error))?;
            still(file).map(Gif::Still)
        }
        _ => Ok(Gif::Moving(Inspected {
            dimensions: Some(dimensions),
            ..as_it_came(MediaType::Gif, &kept)
        })),
    }
}

fn open(file: &Path, most_pixels: u64) -> Looked<Decoder> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.check_frame_consistency(true);
    if let Some(most) = std::num::NonZeroU64::new(most_pixels) {
        options.set_memory_limit(MemoryLimit::Bytes(most));
    }
    let source = File::open(file).map_err(|error| unread(&error))?;
    options.read_info(source).map_err(unread_frame)
}

/// Writes frame by frame, and says how many there were.
fn write(frames: &mut Decoder, kept: &Path, most_pixels: u64) -> Looked<u32> {
    let to = File::create(kept).map_err(|error| unwritten(&error))?;
    let palette = frames.global_palette().unwrap_or_default().to_vec();
    let (width, height) = (frames.width(), frames.height());
    let to = Encoder::new(BufWriter::new(to), width, height, &palette);
    let mut to = to.map_err(unwritten_frame)?;
    let most = most_pixels.saturating_mul(MOST_MOVING);
    let mut pixels = 0;
    let mut count = 0;
    while let Some(frame) = frames.next_frame_info().map_err(unread_frame)? {
        pixels += u64::from(frame.width) * u64::from(frame.height);
        few_enough(pixels, most)?;
        if count == MOST_FRAMES {
            return Err(damaged("it has too many frames"));
        }
        let mut frame = frame.clone();
        let mut indices = vec![0; frames.buffer_size()];
        frames
            .read_into_buffer(&mut indices)
            .map_err(unread_frame)?;
        frame.buffer = indices.into();
        frame.interlaced = false;
        if count == 0 {
            to.set_repeat(frames.repeat()).map_err(unwritten_frame)?;
        }
        to.write_frame(&frame).map_err(unwritten_frame)?;
        count += 1;
    }
    Ok(count)
}

/// A single frame is a picture with sharp edges, and as PNG it is smaller.
fn still(file: &Path) -> Looked<Decoded> {
    let source = File::open(file).map_err(|error| unread(&error))?;
    let decoder = GifDecoder::new(std::io::BufReader::new(source)).map_err(undecoded)?;
    let pixels = DynamicImage::from_decoder(decoder).map_err(undecoded)?;
    let is_seen = |pixel: &image::Rgba<u8>| pixel.0.last() == Some(&u8::MAX);
    let is_whole = pixels
        .as_rgba8()
        .is_some_and(|pixels| pixels.pixels().all(is_seen));
    let pixels = if is_whole {
        pixels.into_rgb8().into()
    } else {
        pixels
    };
    Ok(Decoded {
        pixels,
        written: Written::Png,
        notes: Vec::new(),
    })
}

fn unread_frame(error: DecodingError) -> InspectionError {
    let said = error.to_string();
    if let DecodingError::Io(error) = error {
        return unread(&error);
    }
    damaged(said)
}

fn unwritten_frame(error: EncodingError) -> InspectionError {
    let said = error.to_string();
    if let EncodingError::Io(error) = error {
        return unwritten(&error);
    }
    damaged(said)
}
