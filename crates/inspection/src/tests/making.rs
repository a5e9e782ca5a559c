//! Files, assembled byte by byte.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// Something like a photograph: no two pixels alike, and neighbours much alike. Its upper left corner is red.
pub fn photo(width: u32, height: u32) -> DynamicImage {
    let mut noise = 1_u32;
    let pixel = |x: u32, y: u32| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let wave = |at: u32| u8::try_from((at * 255 / (width + height)) & 0xFF).unwrap();
        if x < width / 4 && y < height / 4 {
            return Rgb([230, 20, 20]);
        }
        let grain = u8::try_from(noise >> 28).unwrap();
        Rgb([wave(x) / 2 + grain, wave(y) / 2 + grain, wave(x + y) / 2])
    };
    RgbImage::from_fn(width, height, pixel).into()
}

/// A circle upon nothing, of many kinds of red.
pub fn transparent(size: u32) -> DynamicImage {
    let pixel = |x: u32, y: u32| {
        let away = |at: u32| at.abs_diff(size / 2).pow(2);
        let is_in = away(x) + away(y) < (size / 3).pow(2);
        if is_in {
            let little = |number: u32| u8::try_from(number % 60).unwrap();
            Rgba([255, little(x * 7 + y * 13), little(x * y), 255])
        } else {
            Rgba([0, 0, 0, 0])
        }
    };
    RgbaImage::from_fn(size, size, pixel).into()
}

pub fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    photo(width, height).write_with_encoder(encoder).unwrap();
    bytes
}

pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&photo(width, height), ImageFormat::Png)
}

pub fn png_with_profile(picture: &DynamicImage, profile: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(profile).unwrap();
    picture.write_with_encoder(encoder).unwrap();
    bytes
}

/// What a phone notes: how it was held (6: on its right side), and where.
pub fn exif() -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    tiff.extend(2_u16.to_le_bytes());
    tiff.extend(b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0");
    tiff.extend(b"\x25\x88\x04\0\x01\0\0\0\x26\0\0\0");
    tiff.extend([0; 4]);
    // The map of where it was, with what it is measured by.
    tiff.extend(1_u16.to_le_bytes());
    tiff.extend(b"\x12\0\x02\0\x10\0\0\0\x38\0\0\0\0\0\0\0");
    tiff.extend(b"GPS-SECRET-PLACE");
    tiff
}

/// A JPEG with further segments right behind its beginning.
pub fn with_segment(jpeg: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, marker];
    let length = u16::try_from(body.len() + 2).unwrap();
    bytes.extend(length.to_be_bytes());
    bytes.extend(body);
    bytes.extend(&jpeg[2..]);
    bytes
}

pub fn with_exif(jpeg: &[u8]) -> Vec<u8> {
    with_segment(jpeg, 0xE1, &[b"Exif\0\0".as_slice(), &exif()].concat())
}

pub fn png_chunk(name: &[u8], body: &[u8]) -> Vec<u8> {
    let named = [name, body].concat();
    let length = u32::try_from(body.len()).unwrap();
    let check = crc32fast::hash(&named);
    [
        &length.to_be_bytes(),
        named.as_slice(),
        &check.to_be_bytes(),
    ]
    .concat()
}

/// A PNG of this size in its header, with this behind it.
pub fn png_of(width: u32, height: u32, rest: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let begins = b"\x89PNG\r\n\x1A\n";
    [begins, png_chunk(b"IHDR", &header).as_slice(), rest].concat()
}

/// A PNG with a chunk right behind its header.
pub fn with_chunk(png: &[u8], name: &[u8], body: &[u8]) -> Vec<u8> {
    [&png[..33], &png_chunk(name, body), &png[33..]].concat()
}

/// A GIF of so many frames, with a comment.
pub fn gif(frames: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let palette = [255, 0, 0, 0, 0, 255];
    let mut encoder = gif::Encoder::new(&mut bytes, 20, 10, &palette).unwrap();
    encoder.set_repeat(gif::Repeat::Infinite).unwrap();
    let comment = gif::AnyExtension(0xFE);
    encoder
        .write_raw_extension(comment, &[b"<script>alert(1)</script>"])
        .unwrap();
    for number in 0..frames {
        let frame = gif::Frame {
            width: 20,
            height: 10,
            delay: 7 + number,
            buffer: vec![u8::from(number % 2 == 1); 200].into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    drop(encoder);
    bytes
}

pub fn boxed(kind: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 8).unwrap();
    [&length.to_be_bytes(), kind, body].concat()
}

fn track(handler: &[u8], codec: &[u8], across: u32, width: u32, height: u32) -> Vec<u8> {
    let mut header = vec![0; 40];
    header.extend(across.to_be_bytes());
    header.extend([0; 12]);
    header.extend(across.to_be_bytes());
    header.extend([0; 16]);
    header.extend((width << 16).to_be_bytes());
    header.extend((height << 16).to_be_bytes());
    let reference = boxed(b"hdlr", &[&[0; 8], handler, &[0; 12]].concat());
    let entry = boxed(codec, &[0; 16]);
    let described = boxed(
        b"stsd",
        &[&[0, 0, 0, 0, 0, 0, 0, 1], entry.as_slice()].concat(),
    );
    let inside = boxed(b"minf", &boxed(b"stbl", &described));
    let media = boxed(b"mdia", &[reference, inside].concat());
    boxed(b"trak", &[boxed(b"tkhd", &header), media].concat())
}

/// An MP4 of 12.5 seconds with these tracks, its content at the end.
pub fn mp4_of(brand: &[u8], tracks: &[(&[u8], &[u8], u32)]) -> Vec<u8> {
    let mut time = vec![0; 12];
    time.extend(600_u32.to_be_bytes());
    time.extend(7500_u32.to_be_bytes());
    time.extend([0; 80]);
    let tracks = tracks
        .iter()
        .flat_map(|(handler, codec, across)| track(handler, codec, *across, 640, 360));
    let tracks: Vec<u8> = tracks.collect();
    let place = boxed(b"udta", &boxed(b"\xA9xyz", b"\0\x12\x15\xC7+52.5+013.4/"));
    let index = [boxed(b"mvhd", &time), tracks, place].concat();
    let named = [brand, &[0, 0, 2, 0], b"isom"].concat();
    [
        boxed(b"ftyp", &named),
        boxed(b"moov", &index),
        boxed(b"mdat", &[7; 500]),
    ]
    .concat()
}

pub fn mp4() -> Vec<u8> {
    mp4_of(
        b"isom",
        &[(b"vide", b"avc1", 1 << 16), (b"soun", b"mp4a", 1 << 16)],
    )
}

pub fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap() | 0x1000_0000;
    [id, &length.to_be_bytes(), body].concat()
}

/// A `WebM` of 2.5 seconds, or one whose recorder did not know.
pub fn webm(knows: bool) -> Vec<u8> {
    let header = element(b"\x1A\x45\xDF\xA3", &element(b"\x42\x82", b"webm"));
    let mut info = element(b"\x2A\xD7\xB1", &1_000_000_u32.to_be_bytes());
    if knows {
        info.extend(element(b"\x44\x89", &2500_f32.to_be_bytes()));
    }
    let info = element(b"\x15\x49\xA9\x66", &info);
    let size = [
        element(b"\xB0", &320_u16.to_be_bytes()),
        element(b"\xBA", &240_u16.to_be_bytes()),
    ];
    let entry = [
        element(b"\x83", &[1]),
        element(b"\x86", b"V_VP9"),
        element(b"\xE0", &size.concat()),
    ];
    let tracks = element(b"\x16\x54\xAE\x6B", &element(b"\xAE", &entry.concat()));
    let block = element(
        b"\xA3",
        &[&[0x81, 0x01, 0xF4, 0], [9; 80].as_slice()].concat(),
    );
    let blocks = [element(b"\xE7", &2000_u16.to_be_bytes()), block].concat();
    if knows {
        let cluster = element(b"\x1F\x43\xB6\x75", &blocks);
        let segment = element(b"\x18\x53\x80\x67", &[info, tracks, cluster].concat());
        return [header, segment].concat();
    }
    let unknown = [0x01, 255, 255, 255, 255, 255, 255, 255];
    [
        header,
        [b"\x18\x53\x80\x67".as_slice(), &unknown].concat(),
        info,
        tracks,
        [b"\x1F\x43\xB6\x75".as_slice(), &unknown].concat(),
        blocks,
    ]
    .concat()
}

fn page(flags: u8, samples: i64, body: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(flags);
    page.extend(samples.to_le_bytes());
    page.extend(1_u32.to_le_bytes());
    page.extend([0; 8]);
    page.push(1);
    page.push(u8::try_from(body.len()).unwrap());
    page.extend(body);
    page
}

/// Three seconds of Opus.
pub fn ogg() -> Vec<u8> {
    let head = b"OpusHead\x01\x01\x38\x01\x80\xBB\0\0\0\0\0";
    let end = page(4, 48_000 * 3 + 312, &[5; 100]);
    [page(2, 0, head), page(0, -1, &[5; 100]), end].concat()
}

/// A second and a half of silence.
pub fn wav() -> Vec<u8> {
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(12_036_u32.to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x40\x1F\0\0\x01\0\x08\0data");
    bytes.extend(12_000_u32.to_le_bytes());
    bytes.extend([128; 12_000]);
    bytes
}

/// Frames of 26 milliseconds, with a tag before them.
pub fn mp3(frames: usize) -> Vec<u8> {
    let mut frame = b"\xFF\xFB\x90\x00".to_vec();
    frame.resize(417, 0);
    let mut bytes = b"ID3\x04\0\0\0\0\0\x0ATIT2\0\0\0\0\0\0".to_vec();
    bytes.truncate(20);
    bytes.extend(frame.repeat(frames));
    bytes
}

pub fn pdf() -> Vec<u8> {
    b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n".to_vec()
}

pub const VTT: &str =
    "WEBVTT\n\n1\n00:01.000 --> 00:02.500 line:0\nHello\n\n01:00:00.000 --> 01:00:01.000\nBye\n";

pub const SVG: &str = r##"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100"><defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><rect id="r" width="10" height="10" fill="url(#a)" style="stroke:blue"/><use href="#r" x="20"/><text x="1" y="2">1 &lt; 2 &amp; &#65;</text></svg>"##;
