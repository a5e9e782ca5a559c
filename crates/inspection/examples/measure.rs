//! How long looking at a large file takes, and how much memory: `measure make FOLDER` makes some, `measure look FILE` looks at
//! one, in a process of its own, as the highest use of memory is a process's.
//!
//! ```sh
//! cargo run --release -p lyceum-inspection --example measure -- make large
//! cargo run --release -p lyceum-inspection --example measure -- look large/photo.jpg
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use image::{DynamicImage, Rgb, RgbImage};
use lyceum_inspection::{Inspector, Settings};
use lyceum_ports::authoring::inspection::MediaInspector;

type Done<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", folder] => make(Path::new(folder)),
        ["look", file] => look(Path::new(file)).await,
        _ => Err("measure make FOLDER, or measure look FILE".into()),
    }
}

fn make(folder: &Path) -> Done<()> {
    std::fs::create_dir_all(folder)?;
    photo(4000, 3000).save(folder.join("photo.jpg"))?;
    photo(4000, 3000).save(folder.join("photo.png"))?;
    photo(8660, 5773).save(folder.join("large.png"))?;
    photo(9000, 7000).save(folder.join("large.jpg"))?;
    photo(8660, 5773).save(folder.join("large.webp"))?;
    let deep = DynamicImage::from(RgbImage::new(8000, 8000)).into_rgba16();
    deep.save(folder.join("deep.png"))?;
    film(&folder.join("film.mp4"))
}

/// Slopes, edges and grain.
fn photo(width: u32, height: u32) -> RgbImage {
    let mut noise = 1_u32;
    RgbImage::from_fn(width, height, |x, y| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let slope = |at: u32, length: u32| at * 200 / length;
        let edge = if (x / 97 + y / 61) % 7 == 0 { 40 } else { 0 };
        let value = |base: u32| u8::try_from(base + edge + (noise >> 29)).unwrap_or(u8::MAX);
        Rgb([
            value(slope(x, width)),
            value(slope(y, height)),
            value(slope(x + y, width + height)),
        ])
    })
}

/// A gibibyte of content behind an index of one track, on a disk that takes holes.
fn film(file: &Path) -> Done<()> {
    let part = |kind: &[u8], body: &[u8]| {
        let length = u32::try_from(body.len() + 8).unwrap_or_default();
        [&length.to_be_bytes(), kind, body].concat()
    };
    let time = [
        &[0; 12],
        [0, 0, 3, 0xE8, 0, 0x36, 0xEE, 0x80].as_slice(),
        &[0; 80],
    ]
    .concat();
    let handler = part(b"hdlr", &[&[0; 8], b"vide".as_slice(), &[0; 12]].concat());
    let track = part(b"trak", &part(b"mdia", &handler));
    let index = [part(b"mvhd", &time), track].concat();
    let content: u64 = 1 << 30;
    let mut to = File::create(file)?;
    to.write_all(&part(b"ftyp", b"isom\0\0\x02\0isom"))?;
    to.write_all(&u32::try_from(content + 8)?.to_be_bytes())?;
    to.write_all(b"mdat")?;
    to.seek(SeekFrom::Current(i64::try_from(content)?))?;
    to.write_all(&part(b"moov", &index))?;
    Ok(())
}

async fn look(file: &Path) -> Done<()> {
    let folder = file.with_extension("made");
    std::fs::create_dir_all(&folder)?;
    let begun = Instant::now();
    let looked = Inspector::new(Settings::default())
        .inspect(file, &folder)
        .await;
    let took = begun.elapsed();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM"));
    let memory = memory.unwrap_or("no word about memory").to_owned();
    let mut to = std::io::stdout();
    writeln!(to, "{}: {took:.2?}, {memory}", file.display())?;
    writeln!(to, "{looked:#?}")?;
    for made in looked.into_iter().flat_map(|looked| {
        let smaller = looked.smaller.into_iter().map(|smaller| smaller.file);
        std::iter::once(looked.file).chain(smaller)
    }) {
        writeln!(to, "{} {}", made.display(), made.metadata()?.len())?;
    }
    Ok(())
}
