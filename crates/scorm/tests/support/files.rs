//! The smallest files that are what they say.

pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
    bytes
}

/// Its size cannot be read.
pub fn jpeg() -> Vec<u8> {
    b"\xff\xd8\xff\xe0".to_vec()
}

pub fn mp3(frames: usize) -> Vec<u8> {
    b"\xff\xfb\x90\x00 sound".repeat(frames)
}

pub fn mp4() -> Vec<u8> {
    b"\0\0\0\x18ftypisom\0\0\0\0iso2mp41".to_vec()
}

pub fn vtt() -> Vec<u8> {
    b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".to_vec()
}
