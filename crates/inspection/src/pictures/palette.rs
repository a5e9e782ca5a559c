//! Pictures of few colours. A diagram or a screen often has a few dozen, and takes a third of the room if a pixel is the number
//! of its colour; most that come are written like that, and are to be no larger when they are kept.

use std::collections::HashMap;
use std::io::Write;

use image::{DynamicImage, GenericImageView};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// Colours, and for each pixel the number of its own.
pub struct Palette {
    colours: Vec<[u8; 4]>,
    pixels: Vec<u8>,
    size: (u32, u32),
}

impl Palette {
    /// That of a picture, if it has few enough colours. Many greys are as small without.
    pub fn of(picture: &DynamicImage) -> Option<Self> {
        let most = if picture.color().has_color() { 256 } else { 16 };
        let mut numbers: HashMap<[u8; 4], u8> = HashMap::new();
        let mut colours = Vec::new();
        let (width, height) = picture.dimensions();
        let count = u64::from(width) * u64::from(height);
        let mut pixels = Vec::with_capacity(usize::try_from(count).ok()?);
        // Neighbours are often alike, and need not be looked up again.
        let mut last = ([0; 4], None);
        for (_, _, pixel) in picture.pixels() {
            let number = match last {
                (colour, Some(number)) if colour == pixel.0 => number,
                _ => number(pixel.0, &mut colours, &mut numbers)?,
            };
            if colours.len() > most {
                return None;
            }
            last = (pixel.0, Some(number));
            pixels.push(number);
        }
        Some(Self {
            colours,
            pixels,
            size: (width, height),
        })
    }

    /// Writes it as a PNG.
    pub fn write(&self, to: impl Write) -> Result<(), EncodingError> {
        let (width, height) = self.size;
        let (depth, bits) = match self.colours.len() {
            0..=2 => (BitDepth::One, 1),
            3..=4 => (BitDepth::Two, 2),
            5..=16 => (BitDepth::Four, 4),
            _ => (BitDepth::Eight, 8),
        };
        let mut encoder = Encoder::new(to, width, height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(depth);
        encoder.set_compression(Compression::Balanced);
        // Numbers of colours are no slope that could be foretold.
        encoder.set_filter(Filter::NoFilter);
        let colours = self.colours.iter();
        encoder.set_palette(
            colours
                .clone()
                .flat_map(|[red, green, blue, _]| [*red, *green, *blue])
                .collect::<Vec<_>>(),
        );
        let seen: Vec<u8> = colours.map(|[_, _, _, seen]| *seen).collect();
        if seen.iter().any(|seen| *seen < u8::MAX) {
            encoder.set_trns(seen);
        }
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        for row in self.pixels.chunks(width.max(1)) {
            rows.write_all(&packed(row, bits))?;
        }
        rows.finish()
    }
}

/// The number of a colour, which it may get now, unless there are too many.
fn number(
    colour: [u8; 4],
    colours: &mut Vec<[u8; 4]>,
    numbers: &mut HashMap<[u8; 4], u8>,
) -> Option<u8> {
    if let Some(number) = numbers.get(&colour) {
        return Some(*number);
    }
    // The two hundred and fifty-seventh does not fit.
    let number = u8::try_from(colours.len()).ok()?;
    colours.push(colour);
    numbers.insert(colour, number);
    Some(number)
}

/// Numbers of so many bits, side by side, the first one at the large end.
fn packed(row: &[u8], bits: usize) -> Vec<u8> {
    let byte = |numbers: &[u8]| {
        let places = (1..=numbers.len()).map(|nth| 8 - bits * nth);
        let shifts = numbers.iter().zip(places);
        shifts.fold(0, |byte, (number, place)| byte | number << place)
    };
    row.chunks(8 / bits).map(byte).collect()
}
