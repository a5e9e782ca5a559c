//! Rules for the archive itself.

use std::collections::BTreeSet;

use flate2::Crc;

use super::super::raw_zip::{RawEntry, RawZip};
use super::Fault;

/// 1980-01-01 00:00.
const TIME: u32 = 0x0021_0000;
const NAME_BYTES: usize = 180;
const STORED: [&str; 10] = [
    "png", "jpg", "gif", "webp", "avif", "mp3", "m4a", "ogg", "mp4", "webm",
];
/// What packages consist of; everything else is refused somewhere.
const KNOWN: [&str; 8] = ["xml", "xsd", "html", "js", "css", "wav", "vtt", "dtd"];

pub fn faults(zip: &RawZip) -> BTreeSet<Fault> {
    let mut faults: BTreeSet<Fault> = zip.entries.iter().flat_map(entry).collect();
    let names: Vec<&[u8]> = zip.entries.iter().map(|entry| &entry.name[..]).collect();
    let mut check = |wrong: bool, fault: Fault| {
        if wrong {
            faults.insert(fault);
        }
    };
    check(
        names.first() != Some(&&b"imsmanifest.xml"[..]),
        Fault::ManifestNotFirst,
    );
    check(
        !names.get(1..).unwrap_or_default().is_sorted(),
        Fault::NotSorted,
    );
    let folded: BTreeSet<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    check(folded.len() != names.len(), Fault::NameTwice);
    check(!zip.comment.is_empty(), Fault::ArchiveComment);
    faults
}

fn entry(entry: &RawEntry) -> Vec<Fault> {
    let name = String::from_utf8_lossy(&entry.name);
    let extension = name.rsplit('.').next().unwrap_or_default();
    let stored = STORED.contains(&extension);
    let mut crc = Crc::new();
    let content = entry.content();
    crc.update(&content);
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    let kind = entry.attributes >> 16 & 0o170_000;
    let rules = [
        (name.ends_with('/'), Fault::DirectoryEntry),
        (entry.flags & 8 != 0, Fault::DataDescriptor),
        (entry.flags & 1 != 0, Fault::Encrypted),
        (!entry.extra.is_empty(), Fault::ExtraField),
        (entry.time != TIME, Fault::EntryTime),
        (
            !entry.name.iter().all(plain) || entry.name.len() > NAME_BYTES,
            Fault::EntryName,
        ),
        (
            name.starts_with('/') || name.split('/').any(|part| part == ".."),
            Fault::PathEscape,
        ),
        (
            !KNOWN.contains(&extension) && !stored,
            Fault::ForbiddenExtension,
        ),
        (
            entry.method != if stored { 0 } else { 8 },
            Fault::Compression,
        ),
        (kind != 0o100_000, Fault::NotAFile),
        (crc.sum() != entry.crc, Fault::Checksum),
    ];
    rules
        .into_iter()
        .filter_map(|(wrong, fault)| wrong.then_some(fault))
        .collect()
}
