//! Making pictures smaller.

use image::imageops::FilterType;
use image::{DynamicImage, RgbaImage};

/// The most pixels that are made by the finer way.
const FINE: u64 = 8_000_000;

/// At most so many pixels on the longer side; and whether it had more.
pub fn to_longest_side(pixels: DynamicImage, most: u32) -> (DynamicImage, bool) {
    let longest = pixels.width().max(pixels.height());
    if longest <= most {
        return (pixels, false);
    }
    let side = |length: u32| scaled(length, most, longest);
    let (width, height) = (side(pixels.width()), side(pixels.height()));
    (to(pixels, width, height), true)
}

/// So many pixels from side to side.
pub fn to_width(pixels: DynamicImage, width: u32) -> DynamicImage {
    let height = scaled(pixels.height(), width, pixels.width());
    to(pixels, width, height)
}

/// A length in another scale, rounded, and never nothing.
fn scaled(length: u32, to: u32, from: u32) -> u32 {
    let (length, to, from) = (u64::from(length), u64::from(to), u64::from(from));
    let scaled = (length * to + from / 2).checked_div(from);
    u32::try_from(scaled.unwrap_or_default()).map_or(1, |scaled| scaled.max(1))
}

/// First to twice the size by the mean of what falls together, which takes no memory, and from there by a filter that keeps
/// edges, which takes sixteen bytes a pixel, and so not for what is very long.
fn to(pixels: DynamicImage, width: u32, height: u32) -> DynamicImage {
    let pixels = weighted(pixels);
    if u64::from(width) * u64::from(height) > FINE {
        return unweighted(pixels.thumbnail_exact(width, height));
    }
    let (across, down) = (width.saturating_mul(2), height.saturating_mul(2));
    let near = if pixels.width() > across && pixels.height() > down {
        pixels.thumbnail_exact(across, down)
    } else {
        pixels
    };
    unweighted(near.resize_exact(width, height, FilterType::CatmullRom))
}

/// Colours by how much is seen of them: what is transparent has a colour too, often black, and would be mixed into edges.
fn weighted(pixels: DynamicImage) -> DynamicImage {
    mapped(pixels, |colour, seen| (colour * seen + 127) / 255)
}

fn unweighted(pixels: DynamicImage) -> DynamicImage {
    mapped(pixels, |colour, seen| {
        (colour * 255 + seen / 2).checked_div(seen).unwrap_or(0)
    })
}

/// Colours changed by how much is seen of them, where there is anything transparent.
fn mapped(pixels: DynamicImage, change: impl Fn(u32, u32) -> u32) -> DynamicImage {
    if !pixels.color().has_alpha() {
        return pixels;
    }
    let mut pixels: RgbaImage = pixels.into_rgba8();
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, seen] = pixel.0;
        let change = |colour: u8| {
            let changed = change(u32::from(colour), u32::from(seen));
            u8::try_from(changed).unwrap_or(u8::MAX)
        };
        pixel.0 = [change(red), change(green), change(blue), seen];
    }
    pixels.into()
}
