//! Pictures, recordings and captions: which are asked for, how they travel, and what is said of those that do not.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod support;

use std::fs;
use std::path::Path;

use lyceum_ports::exporting::scorm::{
    CourseSnapshot, PackageError, PackageWriter, ScormEdition, SnapshotMedia,
};
use lyceum_scorm::ScormWriter;
use rstest::rstest;
use serde_json::{Value, json};
use support::files::{jpeg, mp3, mp4, png, vtt};
use support::{Package, activity, course, try_write, write};
use tempfile::TempDir;

const LESSON: &str = "content/unt_one-les_one.js";

/// A course of one lesson with this text and these files at these addresses.
fn with(text: &str, folder: &TempDir, files: &[(&str, Vec<u8>)]) -> CourseSnapshot {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons.truncate(1);
    text.clone_into(&mut snapshot.units[0].lessons[0].content);
    for (number, (address, bytes)) in files.iter().enumerate() {
        let file = folder.path().join(number.to_string());
        fs::write(&file, bytes).unwrap();
        snapshot.media.push(media(address, &file));
    }
    snapshot
}

fn media(address: &str, file: &Path) -> SnapshotMedia {
    SnapshotMedia {
        address: address.to_owned(),
        file: file.to_owned(),
        media_type: "application/octet-stream".to_owned(),
        ..SnapshotMedia::default()
    }
}

fn activities(snapshot: &mut CourseSnapshot, kind: &str, content: Value) {
    snapshot.units[0].lessons[0].activities = vec![activity("act_one", kind, content)];
}

/// What the package registers under a file's name.
fn document(package: &Package) -> Value {
    let call = package.files[LESSON].trim();
    let call = call.strip_prefix("lyceumRegister(").unwrap();
    let list = format!("[{}]", call.strip_suffix(");").unwrap());
    serde_json::from_str::<Value>(&list).unwrap()[2].take()
}

fn html(package: &Package) -> String {
    document(package)["html"].as_str().unwrap().to_owned()
}

fn carried(package: &Package) -> Vec<&str> {
    let names = package.names.iter().map(String::as_str);
    names.filter(|name| name.starts_with("media/")).collect()
}

#[test]
fn every_address_is_asked_for_once_in_the_order_of_the_texts() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.description = "![a](https://x/a.png) ![again](https://x/a.png)".to_owned();
    let lesson = &mut snapshot.units[0].lessons[0];
    lesson.content = "<p><IMG alt='b' SRC='https://x/b?c=1&amp;d=é'></p>\n\n![d](data:image/png;base64,aGk=) \
                      `![no](https://x/code.png)` ![r][ref] ![](/relative.gif)\n\n[ref]: https://x/ref.webp"
        .to_owned();
    lesson.activities = vec![
        activity(
            "act_1",
            "explainer",
            json!({"sections": [{"body": "![e](https://x/e.png)",
            "visual": {"url": "https://x/visual.png", "alt": "V"}}, {"body": "", "visual": "in words"}]}),
        ),
        activity(
            "act_2",
            "podcast",
            json!({"audio": {"status": "ready", "url": "https://x/talk"}}),
        ),
        activity(
            "act_3",
            "video",
            json!({"url": "https://x/f.MP4?t=1", "captions": [{"url": "https://x/f.vtt"}]}),
        ),
        activity(
            "act_4",
            "video",
            json!({"url": "https://x/watch?v=1", "captions": [{"url": "https://x/no.vtt"}]}),
        ),
    ];
    lesson.activities.push(activity(
        "act_5",
        "quiz",
        json!({"questions": [{"type": "single_choice", "prompt": "![q](https://x/q.png)",
            "options": [{"text": "![o](https://x/o.png)"}]}]}),
    ));
    snapshot.assignments[1].instructions = "![z](https://x/z.png)".to_owned();
    assert_eq!(
        ScormWriter.media(&snapshot),
        [
            "https://x/a.png",
            "https://x/b?c=1&d=é",
            "https://x/ref.webp",
            "/relative.gif",
            "https://x/e.png",
            "https://x/visual.png",
            "https://x/talk",
            "https://x/f.MP4?t=1",
            "https://x/f.vtt",
            "https://x/q.png",
            "https://x/o.png",
            "https://x/z.png",
        ]
    );
}

#[test]
fn a_picture_of_a_question_travels_as_one_of_a_lesson() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("", &folder, &[("https://x/a.png", png(640, 480))]);
    let content = json!({"questions": [{"type": "single_choice", "prompt": "![A map](https://x/a.png)\n\nWhere?",
        "options": [{"text": "![](https://x/a.png)", "correct": true}, {"text": "![B](https://x/b.png)"}]}]});
    activities(&mut snapshot, "quiz", content);
    let package = write(&snapshot);
    let [name] = carried(&package)[..] else {
        panic!("{:?}", package.names)
    };
    let question = document(&package)["activities"]["act_one"]["questions"][0].take();
    let picture = format!("<img src=\"{name}\" alt=\"A map\" width=\"640\" height=\"480\"");
    let prompt = question["html"]["prompt"].as_str().unwrap();
    assert!(prompt.starts_with(&format!("<p>{picture}")), "{prompt}");
    assert_eq!(question["prompt"], "A map Where?");
    assert_eq!(question["options"][1]["html"]["text"], "[B]");
    let warnings = package.written.warnings;
    assert!(
        warnings[0].starts_with(
            "A picture in the activity \"Check\", question 1, option 1 has no description"
        ) && warnings[1].starts_with(
            "The picture \"B\" in the activity \"Check\", question 1, option 2 was left out"
        ),
        "{warnings:?}"
    );
}

#[test]
fn a_picture_travels_under_its_fingerprint_and_with_its_size() {
    let folder = TempDir::new().unwrap();
    let text = "![A \"map\"](https://x/a.svg) and <img src='https://x/a.svg' alt='again' onerror=x width=9>";
    let snapshot = with(text, &folder, &[("https://x/a.svg", png(640, 480))]);
    let package = write(&snapshot);
    let [name] = carried(&package)[..] else {
        panic!("{:?}", package.names)
    };
    let digits = name.strip_prefix("media/").unwrap().strip_suffix(".png");
    assert_eq!(digits.unwrap().len(), 16);
    assert!(
        package
            .manifest()
            .contains(&format!("<file href=\"{name}\"/>"))
    );
    let shown = html(&package);
    let element = |alt: &str| {
        format!(
            "<img src=\"{name}\" alt=\"{alt}\" width=\"640\" height=\"480\" loading=\"lazy\" decoding=\"async\">"
        )
    };
    assert!(shown.contains(&element("A &quot;map&quot;")), "{shown}");
    assert!(shown.contains(&element("again")), "{shown}");
    let told = |attribute: &str| {
        format!(
            "In the lesson \"North\", line 1: the attribute {attribute} of <img> is not taken and was left out."
        )
    };
    assert_eq!(package.written.warnings, [told("onerror"), told("width")]);
}

#[test]
fn a_picture_within_the_text_travels_as_a_file() {
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(png(3, 2));
    let folder = TempDir::new().unwrap();
    let package = write(&with(
        &format!("![dots](data:image/png;base64,{encoded})"),
        &folder,
        &[],
    ));
    assert_eq!(carried(&package).len(), 1);
    let shown = html(&package);
    assert!(
        shown.contains("width=\"3\" height=\"2\"") && !shown.contains("data:"),
        "{shown}"
    );
}

#[test]
fn the_same_file_at_two_addresses_travels_once() {
    let folder = TempDir::new().unwrap();
    let files = [("https://x/a", png(1, 1)), ("https://x/b", png(1, 1))];
    let package = write(&with(
        "![a](https://x/a) ![b](https://x/b)",
        &folder,
        &files,
    ));
    assert_eq!(carried(&package).len(), 1);
    assert_eq!(html(&package).matches("<img").count(), 2);
}

#[test]
fn what_no_text_refers_to_stays_outside() {
    let folder = TempDir::new().unwrap();
    let package = write(&with("Text", &folder, &[("https://x/a", png(1, 1))]));
    assert_eq!(carried(&package), [""; 0]);
}

#[rstest]
#[case::markup(b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>".to_vec())]
#[case::page(b"<!doctype html><script>x()</script>".to_vec())]
#[case::sound(mp3(10))]
#[case::nothing(Vec::new())]
fn what_is_no_picture_is_left_out_and_named(#[case] bytes: Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let package = write(&with(
        "![A map](https://x/a.png)",
        &folder,
        &[("https://x/a.png", bytes)],
    ));
    assert_eq!(carried(&package), [""; 0]);
    assert!(html(&package).contains("[A map]"));
    let warnings = package.written.warnings;
    assert_eq!(
        warnings,
        [
            "The picture \"A map\" in the lesson \"North\" was left out (https://x/a.png): it is not a PNG, JPEG, GIF, \
             WebP or AVIF file."
        ]
    );
}

#[test]
fn what_could_not_be_had_is_named() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("![A map](https://x/a.png)", &folder, &[]);
    snapshot
        .media
        .push(media("https://x/a.png", Path::new("/nowhere/at/all")));
    let package = write(&snapshot);
    assert!(html(&package).contains("[A map]"));
    assert!(
        package.written.warnings[0]
            .ends_with("was left out (https://x/a.png): its file could not be had.")
    );
}

#[test]
fn a_picture_without_a_description_is_carried_and_named() {
    let folder = TempDir::new().unwrap();
    let package = write(&with(
        "![](https://x/a.png)",
        &folder,
        &[("https://x/a.png", jpeg())],
    ));
    assert_eq!(carried(&package).len(), 1);
    let warnings = package.written.warnings;
    assert!(
        warnings.len() == 1 && warnings[0].contains("has no description (https://x/a.png)"),
        "{warnings:?}"
    );
}

#[test]
fn an_address_cannot_leave_its_attribute() {
    let folder = TempDir::new().unwrap();
    let address = "https://x/a\"><script>alert(1)</script>";
    let text = "![<b onclick=x>\"'&](<https://x/a\"\\>\\<script\\>alert(1)\\</script\\>>) \
                <img src='media/../../x' alt='\"><script>'> <img src=media/0123456789abcdef.png alt=y>";
    let package = write(&with(text, &folder, &[(address, png(1, 1))]));
    let shown = html(&package);
    let sources: Vec<_> = shown.split("src=\"").skip(1).collect();
    assert_eq!(sources.len(), 1, "{shown}");
    assert!(sources[0].starts_with(&format!("{}\"", carried(&package)[0])));
    let elements = shown.split('<').skip(1);
    for element in elements {
        assert!(
            element.starts_with("p>") || element.starts_with("/p>") || element.starts_with("img "),
            "{shown}"
        );
    }
}

#[test]
fn a_recording_is_played_from_the_package() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("", &folder, &[("https://x/talk", mp3(100))]);
    activities(
        &mut snapshot,
        "podcast",
        json!({"audio": {"status": "ready", "url": "https://x/talk", "src": "x", "duration_ms": 5}}),
    );
    let package = write(&snapshot);
    assert_eq!(
        document(&package)["activities"]["act_one"]["audio"],
        json!({"status": "ready", "src": carried(&package)[0], "type": "audio/mpeg", "duration_ms": 5})
    );
}

#[test]
fn a_film_is_played_from_the_package_with_its_captions() {
    let folder = TempDir::new().unwrap();
    let files = [
        ("https://x/f.mp4", mp4()),
        ("https://x/en.vtt", vtt()),
        ("https://x/es.srt", b"1\n00:00:01,000".to_vec()),
    ];
    let mut snapshot = with("", &folder, &files);
    let captions = json!([
        {"language": "en", "label": "English", "url": "https://x/en.vtt"},
        {"language": "es", "url": "https://x/es.srt"}, {"language": "de", "url": "https://x/de.vtt"}, 7]);
    activities(
        &mut snapshot,
        "video",
        json!({"url": "https://x/f.mp4", "captions": captions}),
    );
    let package = write(&snapshot);
    let film = &document(&package)["activities"]["act_one"];
    let [first, second] = carried(&package)[..] else {
        panic!("{:?}", package.names)
    };
    let (film_name, captions_name) = if Path::new(first).extension().unwrap() == "mp4" {
        (first, second)
    } else {
        (second, first)
    };
    assert_eq!(
        *film,
        json!({"src": film_name, "type": "video/mp4", "captions": [
            {"language": "en", "label": "English", "src": captions_name, "type": "text/vtt"}]})
    );
    let warnings = package.written.warnings;
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].contains("(https://x/es.srt)") && warnings[0].contains("not a WebVTT file")
    );
    assert!(warnings[1].contains("(https://x/de.vtt)") && warnings[1].contains("could not be had"));
}

#[test]
fn a_recording_that_could_not_be_had_stays_a_link() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("", &folder, &[]);
    activities(
        &mut snapshot,
        "podcast",
        json!({"audio": {"url": "https://x/talk", "src": "https://x/other"}}),
    );
    let package = write(&snapshot);
    assert_eq!(
        document(&package)["activities"]["act_one"]["audio"],
        json!({"url": "https://x/talk"})
    );
    assert!(package.written.warnings[0].contains("opens in a new tab"));
}

#[test]
fn a_page_with_a_film_on_it_is_a_link_without_a_warning() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("", &folder, &[]);
    activities(
        &mut snapshot,
        "video",
        json!({"url": "https://x/watch?v=1", "src": "x"}),
    );
    let package = write(&snapshot);
    let film = &document(&package)["activities"]["act_one"];
    assert_eq!(*film, json!({"url": "https://x/watch?v=1", "captions": []}));
    assert_eq!(package.written.warnings, [""; 0]);
}

#[test]
fn a_drawn_explanation_is_a_figure() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("", &folder, &[("https://x/v.png", png(4, 4))]);
    let section = |url: &str| json!({"body": "Text", "visual": {"url": url, "description": "A lamp", "caption": "<1>"}});
    activities(
        &mut snapshot,
        "explainer",
        json!({"sections": [section("https://x/v.png"), section("https://x/none.png")]}),
    );
    let package = write(&snapshot);
    let sections = &document(&package)["activities"]["act_one"]["sections"];
    let shown = sections[0]["html"].as_str().unwrap();
    assert!(
        shown.contains("<figure><img src=\"media/") && shown.contains("alt=\"A lamp\""),
        "{shown}"
    );
    assert!(shown.contains("<figcaption>&lt;1&gt;</figcaption></figure>"));
    assert_eq!(sections[0].get("visual"), None);
    assert_eq!(sections[1]["html"], "<p dir=\"auto\">Text</p>\n");
    assert_eq!(
        sections[1]["visual"],
        json!({"description": "A lamp", "caption": "<1>"})
    );
}

#[test]
fn media_are_stored_and_texts_deflated() {
    let folder = TempDir::new().unwrap();
    let files = [("https://x/a.png", png(1, 1))];
    let package = write(&with("![a](https://x/a.png)", &folder, &files));
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(&package.bytes[..])).unwrap();
    for index in 0..zip.len() {
        let entry = zip.by_index(index).unwrap();
        let media = entry.name().unwrap().starts_with("media/");
        let expected = if media {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        assert_eq!(entry.compression(), expected, "{}", entry.name().unwrap());
    }
}

#[test]
fn the_content_hash_knows_the_media() {
    let hash = |bytes: Vec<u8>| {
        let folder = TempDir::new().unwrap();
        let snapshot = with("![a](https://x/a)", &folder, &[("https://x/a", bytes)]);
        write(&snapshot).written.content_hash
    };
    assert_eq!(hash(png(1, 1)), hash(png(1, 1)));
    assert_ne!(hash(png(1, 1)), hash(png(1, 2)));
}

#[test]
fn more_than_a_package_may_have_is_refused_before_it_is_read() {
    let folder = TempDir::new().unwrap();
    let mut snapshot = with("![a](https://x/a)", &folder, &[("https://x/a", mp4())]);
    let film = fs::File::options()
        .write(true)
        .open(&snapshot.media[0].file);
    film.unwrap().set_len(2 * 1024 * 1024 * 1024 + 1).unwrap();
    snapshot.units[0].lessons[0].activities.clear();
    let refused = try_write(&snapshot).err().unwrap();
    assert!(matches!(refused, PackageError::TooLarge { .. }));
    let said = refused.to_string();
    assert!(
        said.contains("2049 MB") && said.contains("2048 MB"),
        "{said}"
    );
}
