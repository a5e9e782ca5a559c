//! Pictures: pixels go on, and nothing else does.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::{InspectionError, Refusal};

use super::making::{self, encoded, photo};
use super::{Desk, holds, kept, refused};
use crate::Settings;
use crate::pictures::jpeg;
use crate::reading::Reading;

fn decoded(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory(bytes).unwrap()
}

/// Whether the corner that is red in our photographs is here.
fn is_red(picture: &DynamicImage, x: u32, y: u32) -> bool {
    let [red, green, blue] = picture.to_rgb8().get_pixel(x, y).0;
    red > 180 && green < 80 && blue < 80
}

#[tokio::test]
async fn a_photo_is_upright_and_says_nothing_of_where_it_was_made() {
    let came = making::with_exif(&making::jpeg(80, 40));
    let came = making::with_segment(&came, 0xFE, b"made by somebody");
    assert!(holds(&came, "GPS-SECRET-PLACE"));
    let (inspected, kept) = kept(&came).await;
    assert_eq!(inspected.media_type, MediaType::Jpeg);
    assert_eq!(inspected.dimensions, Some((40, 80)));
    assert!(inspected.notes.is_empty(), "{:?}", inspected.notes);
    for gone in ["GPS-SECRET-PLACE", "Exif", "somebody"] {
        assert!(!holds(&kept, gone), "{gone}");
    }
    let picture = decoded(&kept);
    assert!(is_red(&picture, 37, 2), "turned a quarter to the right");
    assert!(!is_red(&picture, 2, 2));
}

#[tokio::test]
async fn every_kind_of_picture_is_kept_as_what_it_was() {
    for (format, media_type) in [
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::WebP, MediaType::Webp),
    ] {
        let (inspected, kept) = kept(&encoded(&photo(64, 48), format)).await;
        assert_eq!(inspected.media_type, media_type);
        assert_eq!(inspected.dimensions, Some((64, 48)));
        assert_eq!(decoded(&kept).width(), 64);
        assert!(is_red(&decoded(&kept), 3, 3));
    }
}

#[tokio::test]
async fn pictures_without_loss_keep_every_pixel() {
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        for picture in [photo(50, 30), making::transparent(60)] {
            let (_, kept) = kept(&encoded(&picture, format)).await;
            let same = decoded(&kept).to_rgba8() == picture.to_rgba8();
            assert!(same || format == ImageFormat::WebP, "{format:?}");
            // What is transparent has no colour that anybody sees.
            let seen = |picture: &DynamicImage| {
                let picture = picture.to_rgba8();
                let seen = picture.pixels().copied();
                seen.filter(|pixel| pixel.0[3] > 0).collect::<Vec<_>>()
            };
            assert_eq!(seen(&decoded(&kept)), seen(&picture), "{format:?}");
        }
    }
}

#[tokio::test]
async fn smaller_pictures_are_smaller_in_pixels_and_bytes() {
    let desk = Desk::with(&making::jpeg(1300, 650));
    let inspected = desk.look().await.unwrap();
    assert_eq!(inspected.dimensions, Some((1300, 650)));
    let sizes: Vec<_> = inspected
        .smaller
        .iter()
        .map(|smaller| (smaller.width, smaller.height, smaller.media_type))
        .collect();
    let webp = MediaType::Webp;
    assert_eq!(sizes, [(640, 320, webp), (1280, 640, webp)]);
    let mut smallest = std::fs::metadata(&inspected.file).unwrap().len();
    for smaller in inspected.smaller.iter().rev() {
        let bytes = std::fs::read(&smaller.file).unwrap();
        assert!(crate::reading::long(bytes.len()) < smallest);
        smallest = crate::reading::long(bytes.len());
        let picture = decoded(&bytes);
        assert_eq!(
            (picture.width(), picture.height()),
            (smaller.width, smaller.height)
        );
        assert!(is_red(&picture, 5, 5));
    }
}

#[tokio::test]
async fn a_photo_is_written_no_better_than_it_came() {
    for (came, least, most) in [(95, 87, 88), (80, 79, 81), (30, 69, 70)] {
        let mut bytes = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut bytes, came);
        photo(40, 40).write_with_encoder(encoder).unwrap();
        let desk = Desk::with(&kept(&bytes).await.1);
        let written = jpeg::check(&mut Reading::open(&desk.came()).unwrap()).unwrap();
        assert!((least..=most).contains(&written.unwrap()), "{written:?}");
    }
}

#[tokio::test]
async fn smaller_pictures_that_save_nothing_are_not_made() {
    let plain: DynamicImage = RgbImage::from_pixel(700, 700, Rgb([9, 9, 9])).into();
    let (inspected, _) = kept(&encoded(&plain, ImageFormat::Png)).await;
    for smaller in &inspected.smaller {
        assert!(smaller.width < 700);
    }
    let (inspected, _) = kept(&making::png(300, 200)).await;
    assert_eq!(inspected.smaller, []);
}

#[tokio::test]
async fn a_very_long_picture_has_no_smaller_one_and_is_kept() {
    let long: DynamicImage = RgbImage::from_pixel(641, 16_500, Rgb([9, 9, 9])).into();
    let (inspected, _) = kept(&encoded(&long, ImageFormat::Png)).await;
    assert_eq!(inspected.dimensions, Some((641, 16_500)));
    assert_eq!(inspected.smaller, []);
}

#[tokio::test]
async fn what_is_transparent_stays_so_and_edges_have_no_shadow() {
    let desk = Desk::with(&encoded(&making::transparent(900), ImageFormat::Png));
    let inspected = desk.look().await.unwrap();
    let kept = decoded(&std::fs::read(&inspected.file).unwrap());
    assert_eq!(kept.to_rgba8().get_pixel(0, 0).0[3], 0);
    let smaller = inspected.smaller.first().expect("a smaller one");
    let smaller = decoded(&std::fs::read(&smaller.file).unwrap()).to_rgba8();
    assert_eq!(smaller.get_pixel(0, 0).0[3], 0);
    assert_eq!(smaller.get_pixel(320, 320).0[3], 255);
    for pixel in smaller.pixels().filter(|pixel| pixel.0[3] > 100) {
        assert!(pixel.0[0] > 190, "{pixel:?}");
    }
}

#[tokio::test]
async fn a_very_large_photo_is_made_smaller_and_says_so() {
    let (inspected, kept) = kept(&making::jpeg(3000, 30)).await;
    assert_eq!(inspected.dimensions, Some((2560, 26)));
    assert_eq!(decoded(&kept).width(), 2560);
    assert_eq!(inspected.notes.len(), 1);
    let (inspected, _) = super::kept(&making::png(3000, 30)).await;
    assert_eq!(inspected.dimensions, Some((3000, 30)));
    assert_eq!(inspected.notes.len(), 0);
}

#[tokio::test]
async fn colours_are_those_of_the_profile_and_the_profile_is_gone() {
    let red: DynamicImage = RgbImage::from_pixel(4, 4, Rgb([200, 60, 60])).into();
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let (inspected, kept) = kept(&making::png_with_profile(&red, profile)).await;
    assert!(inspected.notes.is_empty());
    assert!(!holds(&kept, "iCCP"));
    let [more_red, less_green, _] = decoded(&kept).to_rgb8().get_pixel(0, 0).0;
    assert!(more_red > 205 && less_green < 55, "{more_red} {less_green}");
    let (inspected, _) = super::kept(&making::png_with_profile(&red, vec![7; 300])).await;
    assert_eq!(inspected.notes.len(), 1);
}

#[tokio::test]
async fn too_many_pixels_are_refused_by_the_header_alone() {
    // There are no pixels behind it: whoever looked for them would find it damaged.
    let refusal = refused(&making::png_of(
        8001,
        8000,
        &making::png_chunk(b"IDAT", b"x"),
    ))
    .await;
    let (pixels, most) = (64_008_000, 64_000_000);
    assert_eq!(refusal, Refusal::TooManyPixels { pixels, most });
    let huge = making::png_of(2_000_000_000, 2_000_000_000, &[]);
    assert_ne!(refused(&huge).await.code(), "unsupported_type");
    let settings = || Settings {
        most_pixels: 100,
        ..Settings::default()
    };
    for bytes in [making::jpeg(11, 10), making::png(11, 10), making::gif(2)] {
        let refused = Desk::with(&bytes).look_with(settings()).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("100 are the most"), "{refused}");
    }
}

#[tokio::test]
async fn frames_count_together() {
    let settings = Settings {
        most_pixels: 200,
        ..Settings::default()
    };
    let look = |frames| {
        let settings = settings.clone();
        async move { Desk::with(&making::gif(frames)).look_with(settings).await }
    };
    assert!(look(4).await.is_ok());
    assert!(look(5).await.is_err());
}

#[tokio::test]
async fn more_data_than_the_header_says_is_not_unpacked() {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..64 {
        packed.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let end = making::png_chunk(b"IEND", b"");
    let data = making::png_chunk(b"IDAT", &packed);
    let bomb = making::png_of(2, 2, &[data, end].concat());
    // Whether it is taken or not: what is kept is as small as it looks.
    if let Ok(inspected) = Desk::with(&bomb).look().await {
        assert_eq!(inspected.dimensions, Some((2, 2)));
    }
    let words = [b"Comment\0\0".as_slice(), &packed].concat();
    let (inspected, kept) = kept(&making::with_chunk(&making::png(4, 4), b"zTXt", &words)).await;
    assert_eq!(inspected.dimensions, Some((4, 4)));
    assert!(kept.len() < 1000);
}

#[tokio::test]
async fn half_a_picture_is_none() {
    let gif = making::gif(3);
    let webp = encoded(&photo(90, 90), ImageFormat::WebP);
    for bytes in [making::jpeg(90, 90), making::png(90, 90), webp, gif] {
        for part in [bytes.len() / 2, bytes.len() * 9 / 10, 20] {
            let refusal = refused(&bytes[..part]).await;
            assert_eq!(refusal.code(), "damaged", "{part} of {}", bytes.len());
        }
    }
    let jpeg = making::jpeg(90, 90);
    assert_eq!(refused(&jpeg[..jpeg.len() - 2]).await.code(), "damaged");
}

#[tokio::test]
async fn what_is_hidden_in_or_behind_a_picture_is_gone() {
    const PAYLOAD: &str = "PK\x03\x04<html><script>alert(1)</script>";
    let behind = |bytes: Vec<u8>| [bytes, PAYLOAD.into()].concat();
    let words = format!("Comment\0{PAYLOAD}");
    let extra = making::with_segment(&making::jpeg(30, 30), 0xEF, PAYLOAD.as_bytes());
    for bytes in [
        behind(making::jpeg(30, 30)),
        behind(making::png(30, 30)),
        behind(encoded(&photo(30, 30), ImageFormat::WebP)),
        behind(making::gif(1)),
        behind(making::gif(2)),
        extra,
        making::with_chunk(&making::png(30, 30), b"tEXt", words.as_bytes()),
        making::with_chunk(&making::png(30, 30), b"prIv", PAYLOAD.as_bytes()),
    ] {
        let (inspected, kept) = kept(&bytes).await;
        assert!(holds(&bytes, "alert(1)"));
        assert!(!holds(&kept, "alert(1)"), "{:?}", inspected.media_type);
        assert!(!holds(&kept, "PK\x03\x04"));
    }
}

#[tokio::test]
async fn few_colours_are_kept_by_number_and_every_pixel_is_what_it_was() {
    for colours in [1_u32, 2, 3, 4, 5, 16, 17, 256, 257] {
        let pixel = |x: u32, y: u32| {
            let number = (x + y * 37) % colours;
            let [low, high, ..] = number.to_le_bytes();
            Rgba([low, high, 7, if number == 1 { 90 } else { 255 }])
        };
        let picture: DynamicImage = RgbaImage::from_fn(37, 11, pixel).into();
        let (_, kept) = kept(&encoded(&picture, ImageFormat::Png)).await;
        assert_eq!(holds(&kept, "PLTE"), colours <= 256, "{colours}");
        assert_eq!(decoded(&kept).to_rgba8(), picture.to_rgba8(), "{colours}");
    }
}

#[tokio::test]
async fn black_and_white_takes_a_bit_for_each_pixel() {
    let page = |x: u32, y: u32| image::Luma([if (x * y).is_multiple_of(7) { 0 } else { 255 }]);
    let page: DynamicImage = image::GrayImage::from_fn(64, 64, page).into();
    let (_, kept) = kept(&encoded(&page, ImageFormat::Png)).await;
    assert!(holds(&kept, "PLTE"));
    assert_eq!(decoded(&kept).to_luma8(), page.to_luma8());
}

#[tokio::test]
async fn a_gif_goes_on_moving() {
    let (inspected, kept) = kept(&making::gif(3)).await;
    assert_eq!(inspected.media_type, MediaType::Gif);
    assert_eq!(inspected.dimensions, Some((20, 10)));
    let mut frames = gif::Decoder::new(kept.as_slice()).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = frames.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [7, 8, 9]);
    assert_eq!(frames.repeat(), gif::Repeat::Infinite);
}

#[tokio::test]
async fn a_gif_that_does_not_move_is_a_picture_like_others() {
    let desk = Desk::with(&making::gif(1));
    let inspected = desk.look().await.unwrap();
    assert_eq!(inspected.media_type, MediaType::Png);
    assert_eq!(std::fs::read_dir(desk.made()).unwrap().count(), 1);
}

#[tokio::test]
async fn of_a_png_that_moves_the_first_moment_is_kept() {
    let control = [0, 0, 0, 1, 0, 0, 0, 0];
    let moving = making::with_chunk(&making::png(8, 8), b"acTL", &control);
    let (inspected, _) = kept(&moving).await;
    assert_eq!(inspected.notes.len(), 1, "{:?}", inspected.notes);
}

#[tokio::test]
async fn deep_colours_become_those_of_screens() {
    let deep = DynamicImage::from(photo(9, 9).to_rgb16());
    let (_, kept) = kept(&encoded(&deep, ImageFormat::Png)).await;
    assert_eq!(decoded(&kept).color(), image::ColorType::Rgb8);
    let grey = DynamicImage::from(photo(90, 90).to_luma8());
    let (_, kept) = super::kept(&encoded(&grey, ImageFormat::Png)).await;
    assert_eq!(decoded(&kept).color(), image::ColorType::L8);
}

#[tokio::test]
async fn without_a_folder_it_is_tried_again_later() {
    for bytes in [making::jpeg(9, 9), making::gif(2), making::SVG.into()] {
        let desk = Desk::with(&bytes);
        std::fs::remove_dir(desk.made()).unwrap();
        let looked = desk.look().await;
        assert!(
            matches!(looked, Err(InspectionError::Unavailable(_))),
            "{looked:?}"
        );
        std::fs::remove_file(desk.came()).unwrap();
        let looked = desk.look().await;
        assert!(
            matches!(looked, Err(InspectionError::Unavailable(_))),
            "{looked:?}"
        );
    }
}
