//! A zip archive to the byte, read and written without the library under test's opinion of what is right.

use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// An entry with its local header as it stands.
#[derive(Debug, Clone)]
pub struct RawEntry {
    pub name: Vec<u8>,
    pub flags: u16,
    pub method: u16,
    /// Time and date, as DOS counts them.
    pub time: u32,
    pub crc: u32,
    /// Bytes before they were compressed.
    pub size: u32,
    pub extra: Vec<u8>,
    /// Bytes as they lie in the archive.
    pub data: Vec<u8>,
    /// From the central directory: Unix mode in the upper half.
    pub attributes: u32,
}

/// An archive in its order.
#[derive(Debug, Clone)]
pub struct RawZip {
    pub entries: Vec<RawEntry>,
    pub comment: Vec<u8>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length]
        .iter()
        .rev()
        .fold(0, |sum, byte| sum * 256 + usize::from(*byte))
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::try_from(number(bytes, at, 2)).unwrap()
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::try_from(number(bytes, at, 4)).unwrap()
}

impl RawZip {
    pub fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .rposition(|window| window == b"PK\x05\x06")
            .unwrap();
        let mut at = number(bytes, end + 16, 4);
        let mut entries = Vec::new();
        for _ in 0..number(bytes, end + 10, 2) {
            assert_eq!(bytes[at..at + 4], *b"PK\x01\x02");
            let attributes = long(bytes, at + 38);
            let packed = number(bytes, at + 20, 4);
            entries.push(local(bytes, number(bytes, at + 42, 4), packed, attributes));
            at += 46
                + number(bytes, at + 28, 2)
                + number(bytes, at + 30, 2)
                + number(bytes, at + 32, 2);
        }
        Self {
            entries,
            comment: bytes[end + 22..].to_vec(),
        }
    }

    pub fn write(&self) -> Vec<u8> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let offset = u32::try_from(out.len()).unwrap();
            let described = entry.flags & 8 != 0;
            out.extend(b"PK\x03\x04\x14\0");
            out.extend(entry.header(described));
            out.extend(&entry.name);
            out.extend(&entry.extra);
            out.extend(&entry.data);
            if described {
                out.extend(b"PK\x07\x08");
                out.extend(entry.sums());
            }
            directory.extend(b"PK\x01\x02\x14\x03\x14\0");
            directory.extend(entry.header(false));
            directory.extend([0; 6]);
            directory.extend(entry.attributes.to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(&entry.name);
            directory.extend(&entry.extra);
        }
        let count = u16::try_from(self.entries.len()).unwrap().to_le_bytes();
        let start = u32::try_from(out.len()).unwrap();
        let length = u32::try_from(directory.len()).unwrap();
        out.extend(directory);
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend([count, count].concat());
        out.extend(length.to_le_bytes());
        out.extend(start.to_le_bytes());
        out.extend(u16::try_from(self.comment.len()).unwrap().to_le_bytes());
        out.extend(&self.comment);
        out
    }

    pub fn entry(&mut self, name: &str) -> &mut RawEntry {
        let found = self
            .entries
            .iter_mut()
            .find(|entry| entry.name == name.as_bytes());
        found.unwrap()
    }

    /// A file as text; none if it is not there.
    pub fn text(&self, name: &str) -> Option<String> {
        let found = self
            .entries
            .iter()
            .find(|entry| entry.name == name.as_bytes())?;
        String::from_utf8(found.content()).ok()
    }

    /// Replaces text in a file; it must be there.
    pub fn replace(&mut self, name: &str, from: &str, to: &str) {
        let text = self.text(name).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        self.entry(name).set(text.replacen(from, to, 1).as_bytes());
    }

    /// Adds a deflated file at the end.
    pub fn add(&mut self, name: &[u8], content: &[u8]) {
        let mut entry = self.entries.last().unwrap().clone();
        entry.name = name.to_vec();
        entry.method = 8;
        entry.set(content);
        self.entries.push(entry);
    }
}

/// The entry whose local header is at `at`.
fn local(bytes: &[u8], at: usize, packed: usize, attributes: u32) -> RawEntry {
    assert_eq!(bytes[at..at + 4], *b"PK\x03\x04");
    let name = at + 30;
    let extra = name + number(bytes, at + 26, 2);
    let data = extra + number(bytes, at + 28, 2);
    RawEntry {
        name: bytes[name..extra].to_vec(),
        flags: short(bytes, at + 6),
        method: short(bytes, at + 8),
        time: long(bytes, at + 10),
        crc: long(bytes, at + 14),
        size: long(bytes, at + 22),
        extra: bytes[extra..data].to_vec(),
        data: bytes[data..data + packed].to_vec(),
        attributes,
    }
}

impl RawEntry {
    /// What was compressed; whatever cannot be unpacked is nothing.
    pub fn content(&self) -> Vec<u8> {
        if self.method == 0 {
            return self.data.clone();
        }
        let mut content = Vec::new();
        let mut decoder = DeflateDecoder::new(&self.data[..]);
        decoder.read_to_end(&mut content).unwrap_or_default();
        content
    }

    pub fn set(&mut self, content: &[u8]) {
        let mut crc = Crc::new();
        crc.update(content);
        self.crc = crc.sum();
        self.size = u32::try_from(content.len()).unwrap();
        self.data = if self.method == 0 {
            content.to_vec()
        } else {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        };
    }

    fn sums(&self) -> Vec<u8> {
        let packed = u32::try_from(self.data.len()).unwrap();
        [self.crc, packed, self.size].map(u32::to_le_bytes).concat()
    }

    /// What both headers have in common, from the flags to the lengths of name and extra fields.
    fn header(&self, described: bool) -> Vec<u8> {
        let mut out = [self.flags, self.method].map(u16::to_le_bytes).concat();
        out.extend(self.time.to_le_bytes());
        out.extend(if described { vec![0; 12] } else { self.sums() });
        for part in [&self.name, &self.extra] {
            out.extend(u16::try_from(part.len()).unwrap().to_le_bytes());
        }
        out
    }
}
