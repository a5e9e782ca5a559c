//! Recordings, films, captions and documents: what they say of themselves, and that they are all there.

use lyceum_domain::authoring::media::MediaType;

use super::making::{self, boxed};
use super::{Desk, kept, refused};

#[tokio::test]
async fn what_plays_is_kept_as_it_came_with_how_long_it_is() {
    let film = Some((640, 360));
    let sound = making::mp4_of(b"isom", &[(b"soun", b"mp4a", 1)]);
    let book: [(&[u8], &[u8], u32); 2] = [(b"soun", b"mp4a", 1), (b"vide", b"jpeg", 1)];
    for (bytes, media_type, dimensions, duration) in [
        (making::mp4(), MediaType::Mp4, film, 12_500),
        (sound, MediaType::M4a, None, 12_500),
        (making::mp4_of(b"M4A ", &book), MediaType::M4a, None, 12_500),
        (making::webm(true), MediaType::Webm, Some((320, 240)), 2500),
        (making::webm(false), MediaType::Webm, Some((320, 240)), 2500),
        (making::ogg(), MediaType::Ogg, None, 3000),
        (making::wav(), MediaType::Wav, None, 1500),
        (making::mp3(100), MediaType::Mp3, None, 2612),
    ] {
        let (inspected, kept) = kept(&bytes).await;
        assert_eq!(inspected.media_type, media_type);
        assert_eq!(inspected.dimensions, dimensions, "{media_type:?}");
        assert_eq!(inspected.duration_ms, Some(duration), "{media_type:?}");
        assert_eq!(kept, bytes);
        assert!(inspected.smaller.is_empty());
    }
}

#[tokio::test]
async fn the_file_itself_is_named() {
    let desk = Desk::with(&making::mp4());
    assert_eq!(desk.look().await.unwrap().file, desk.came());
}

#[tokio::test]
async fn half_a_recording_is_none() {
    for bytes in [
        making::mp4(),
        making::webm(true),
        making::ogg(),
        making::wav(),
    ] {
        for part in [bytes.len() - 1, bytes.len() - 60, bytes.len() / 2] {
            let refusal = refused(&bytes[..part]).await;
            assert_eq!(refusal.code(), "damaged", "{part} of {}", bytes.len());
        }
    }
}

#[tokio::test]
async fn an_mp3_that_ends_in_a_frame_says_so_and_one_that_goes_on_otherwise_is_damaged() {
    let whole = making::mp3(10);
    let (inspected, _) = kept(&whole[..whole.len() - 5]).await;
    assert_eq!(inspected.notes.len(), 1);
    let behind = [whole.clone(), vec![1; 200_000]].concat();
    assert_eq!(refused(&behind).await.code(), "damaged");
    let tagged = [whole, b"TAG".to_vec(), vec![0; 125]].concat();
    assert!(kept(&tagged).await.0.notes.is_empty());
}

#[tokio::test]
async fn lengths_are_not_believed() {
    let part = |length: u32, kind: &[u8]| [&length.to_be_bytes(), kind].concat();
    let named = boxed(b"ftyp", b"isom\0\0\0\0");
    for rest in [
        part(7, b"moov"),
        part(u32::MAX, b"moov"),
        [part(1, b"moov"), vec![0xFF; 8]].concat(),
        [part(1, b"moov"), vec![0; 8]].concat(),
        boxed(b"moov", &part(100, b"trak")),
        boxed(b"moov", &boxed(b"trak", &boxed(b"tkhd", &[0; 4]))),
        boxed(b"moov", &boxed(b"mvhd", &[1])),
        Vec::new(),
    ] {
        let bytes = [named.clone(), rest].concat();
        assert_eq!(refused(&bytes).await.code(), "damaged");
    }
    let mut deep = boxed(b"minf", b"");
    for _ in 0..20_000 {
        let length = u32::try_from(deep.len() + 8).unwrap();
        deep.splice(0..0, [&length.to_be_bytes(), b"minf".as_slice()].concat());
    }
    let deep = boxed(b"moov", &boxed(b"trak", &boxed(b"mdia", &deep)));
    let deep = [named.clone(), deep].concat();
    assert_eq!(refused(&deep).await.code(), "damaged");
    let many = [named, boxed(b"free", b"").repeat(200_001)].concat();
    assert_eq!(refused(&many).await.code(), "damaged");
}

#[tokio::test]
async fn what_browsers_seldom_play_is_said() {
    for (codec, named) in [
        (b"hvc1", "HEVC"),
        (b"apcn", "ProRes"),
        (b"encv", "protected"),
        (b"zzzz", "zzzz"),
    ] {
        let film = making::mp4_of(b"isom", &[(b"vide", codec, 1)]);
        let notes = kept(&film).await.0.notes.join(" ");
        assert!(notes.contains(named), "{notes}");
    }
}

#[tokio::test]
async fn a_film_held_upright_is_upright_and_says_that_it_knows_where() {
    let film = making::mp4_of(b"isom", &[(b"vide", b"avc1", 0)]);
    let (inspected, _) = kept(&film).await;
    assert_eq!(inspected.dimensions, Some((360, 640)));
    assert!(inspected.notes[0].contains("where it was recorded"));
}

#[tokio::test]
async fn captions_have_times() {
    let (inspected, _) = kept(making::VTT.as_bytes()).await;
    assert_eq!(inspected.media_type, MediaType::Vtt);
    assert_eq!(
        kept(format!("\u{FEFF}{}", making::VTT).as_bytes())
            .await
            .0
            .notes,
        [""; 0]
    );
    for wrong in [
        "WEBVTT\n",
        "WEBVTT\n\n00:02.000 --> 00:01.000\nx\n",
        "WEBVTT\n\n00:02 --> 00:03\nx\n",
        "WEBVTT\n\n00:61.000 --> 01:02.000\nx\n",
        "WEBVTT\n\n99999999999999999999:00:00.000 --> 1:00:00.000\n",
        "WEBVTT\n\n-->\n",
    ] {
        assert_eq!(refused(wrong.as_bytes()).await.code(), "damaged", "{wrong}");
    }
    assert_eq!(refused(b"WEBVTT\n\n\xFF").await.code(), "damaged");
    let long = making::VTT.repeat(30_000);
    assert_eq!(refused(long.as_bytes()).await.code(), "unsupported_type");
}

#[tokio::test]
async fn documents_end_and_say_what_they_ask_for() {
    let (inspected, _) = kept(&making::pdf()).await;
    assert_eq!(inspected.media_type, MediaType::Pdf);
    assert_eq!(inspected.notes, [""; 0]);
    let whole = making::pdf();
    assert_eq!(refused(&whole[..whole.len() - 8]).await.code(), "damaged");
    // Wherever it stands, also where two pieces meet.
    for before in [10, 65_530, 200_000] {
        let script = b"<</S/JavaScript/JS(x)>>".to_vec();
        let pad = vec![b' '; before];
        let asking = [b"%PDF-1.4 ".to_vec(), pad, script, b"%%EOF".to_vec()].concat();
        assert_eq!(kept(&asking).await.0.notes.len(), 1, "{before}");
    }
}
