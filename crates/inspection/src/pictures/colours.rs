//! Colours as every screen shows them.
//!
//! A photograph of a phone says by a profile what its numbers mean. Its numbers are changed to mean the same without one:
//! kept, the profile would be bytes of a stranger in every file of ours. What lies beyond sRGB becomes the nearest of it.

use image::{DynamicImage, ImageBuffer, Pixel, Rgb, Rgba};
use moxcms::{ColorProfile, DataColorSpace, Layout, Transform8BitExecutor, TransformOptions};

/// The longest profile that is followed; those of cameras and printers are smaller.
const MOST: usize = 4 * 1024 * 1024;

/// Takes a profile's meaning into the pixels. Nothing is changed, and false returned, where that cannot be.
pub fn flatten(pixels: &mut DynamicImage, profile: &[u8]) -> bool {
    if profile.len() > MOST {
        return false;
    }
    let Ok(from) = ColorProfile::new_from_slice(profile) else {
        return false;
    };
    // Greys are taken as they are: what is between two of them differs by little. Inks were changed to light before.
    if from.color_space != DataColorSpace::Rgb {
        return from.color_space == DataColorSpace::Gray;
    }
    if let Some(pixels) = pixels.as_mut_rgb8() {
        return change::<Rgb<u8>>(pixels, &from, Layout::Rgb);
    }
    let pixels = pixels.as_mut_rgba8();
    pixels.is_none_or(|pixels| change::<Rgba<u8>>(pixels, &from, Layout::Rgba))
}

fn change<P: Pixel<Subpixel = u8>>(
    pixels: &mut ImageBuffer<P, Vec<u8>>,
    from: &ColorProfile,
    layout: Layout,
) -> bool {
    let to = ColorProfile::new_srgb();
    let transform = from.create_transform_8bit(layout, &to, layout, TransformOptions::default());
    let row = usize::try_from(pixels.width()).unwrap_or_default();
    let row = row.saturating_mul(usize::from(P::CHANNEL_COUNT));
    transform.is_ok_and(|transform| by_rows(pixels, row, &*transform))
}

/// Row by row, so that no second picture lies in memory.
fn by_rows(pixels: &mut [u8], row: usize, transform: &Transform8BitExecutor) -> bool {
    let mut before = vec![0; row];
    pixels.chunks_exact_mut(row.max(1)).all(|row| {
        before.copy_from_slice(row);
        transform.transform(&before, row).is_ok()
    })
}
