//! Whatever the bytes are, looking at them ends in a word about them.

use std::sync::LazyLock;

use image::ImageFormat;
use lyceum_ports::authoring::inspection::InspectionError;
use proptest::prelude::*;
use tokio::runtime::{Builder, Runtime};

use super::Desk;
use super::making::{self, encoded, photo};
use crate::Settings;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().enable_all().build().unwrap());

/// One of each kind.
fn whole() -> Vec<Vec<u8>> {
    vec![
        making::with_exif(&making::jpeg(24, 17)),
        making::png(24, 17),
        making::png_with_profile(
            &photo(9, 9),
            moxcms::ColorProfile::new_display_p3().encode().unwrap(),
        ),
        encoded(&photo(24, 17), ImageFormat::WebP),
        making::gif(3),
        making::SVG.into(),
        making::mp4(),
        making::webm(true),
        making::webm(false),
        making::ogg(),
        making::wav(),
        making::mp3(5),
        making::VTT.into(),
        making::pdf(),
    ]
}

/// Looks at it without anything that would catch a panic: that of the work itself ends as a refusal.
fn ends_in_a_word(bytes: &[u8]) {
    let settings = Settings {
        most_pixels: 1_000_000,
        ..Settings::default()
    };
    let looked = RUNTIME.block_on(Desk::with(bytes).look_with(settings));
    if let Err(InspectionError::Unavailable(said)) = looked {
        panic!("{said}");
    }
}

#[test]
fn every_kind_is_taken_as_it_is() {
    for bytes in whole() {
        let looked = RUNTIME.block_on(Desk::with(&bytes).look());
        assert!(looked.is_ok(), "{looked:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_end_in_a_word(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        ends_in_a_word(&bytes);
    }

    #[test]
    fn random_bytes_behind_a_beginning_end_in_a_word(
        kind in 0_usize..14,
        begun in 4_usize..60,
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let whole = whole().swap_remove(kind);
        ends_in_a_word(&[&whole[..begun.min(whole.len())], bytes.as_slice()].concat());
    }

    #[test]
    fn changed_files_end_in_a_word(
        kind in 0_usize..14,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<Option<prop::sample::Index>>(),
    ) {
        let mut bytes = whole().swap_remove(kind);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len()));
        }
        ends_in_a_word(&bytes);
    }
}
