//! What a file is by its bytes; that all of these are called `came.png` plays no part.

use super::{making, refused};

#[tokio::test]
async fn others_are_refused_with_what_to_do_instead() {
    let heic = making::boxed(b"ftyp", b"heic\0\0\0\0mif1heic");
    let film = making::boxed(b"ftyp", b"qt  \0\0\0\0qt  ");
    let matroska = making::element(
        b"\x1A\x45\xDF\xA3",
        &making::element(b"\x42\x82", b"matroska"),
    );
    for (bytes, said) in [
        (heic.as_slice(), "save it as JPEG"),
        (&making::boxed(b"ftyp", b"avif\0\0\0\0"), "AVIF"),
        (&film, "save it as MP4"),
        (&matroska, "MKV"),
        (b"II*\0\x08\0\0\0", "TIFF"),
        (b"BM\0\0\0\0", "BMP"),
        (b"PK\x03\x04\x14\0", "ZIP"),
        (b"<!DOCTYPE html><p>x", "HTML"),
        (b"  <HTML><svg/>", "HTML"),
        (b"<script>alert(1)</script>", "HTML"),
        (b"<?xml version='1.0'?><rss/>", "markup"),
        (b"\x7FELF\x02\x01", "a program"),
        (b"MZ\x90\0", "a program"),
        (b"#!/bin/sh\n", "a program"),
        (b"RIFF\0\0\0\0AVI LIST", "AVI"),
        (b"fLaC\0\0\0\"", "FLAC"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "PDF"),
        ("Just words, süß.".as_bytes(), "plain text"),
        (b"WEBVTTX\n", "plain text"),
        (b"\x01\x02\x03\x04\0\0", "nothing that we know"),
        (b"\xFF\xFB\x90\x00", "nothing that we know"),
    ] {
        let refusal = refused(bytes).await;
        assert_eq!(refusal.code(), "unsupported_type", "{refusal}");
        assert!(refusal.to_string().contains(said), "{refusal}");
    }
}

#[tokio::test]
async fn an_empty_file_is_damaged() {
    assert_eq!(refused(b"").await.code(), "damaged");
}

#[tokio::test]
async fn beginnings_alone_are_damaged() {
    for bytes in [
        b"\xFF\xD8\xFF".as_slice(),
        b"\x89PNG\r\n\x1A\n",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBP",
        b"RIFF\0\0\0\0WAVE",
        b"\0\0\0\x18ftypisom",
        b"\x1A\x45\xDF\xA3",
        b"OggS",
        b"ID3",
        b"%PDF-",
        b"WEBVTT",
        b"<svg",
    ] {
        assert_eq!(refused(bytes).await.code(), "damaged", "{bytes:?}");
    }
}
