//! Media of the library, `media:med_…`: what stands in their places, and what is said of those that are not there.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod support;

use std::fs;
use std::path::PathBuf;

use lyceum_ports::exporting::media::MediaProblem;
use lyceum_ports::exporting::scorm::{
    CourseSnapshot, PackageWriter, ScormEdition, SnapshotMedia, SnapshotPicture,
};
use lyceum_scorm::ScormWriter;
use rstest::rstest;
use serde_json::{Value, json};
use support::files::{mp3, mp4, png, vtt};
use support::{Package, activity, course, document_of, write};
use tempfile::TempDir;

const LESSON: &str = "content/unt_one-les_one.js";
const DRAWING: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'><path d='M0 0h4'/></svg>";

/// The files of one test.
struct Shelf(TempDir);

impl Shelf {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let file = self.0.path().join(name);
        fs::write(&file, bytes).unwrap();
        file
    }

    /// A medium `media:med_<name>` with these bytes.
    fn medium(&self, name: &str, media_type: &str, bytes: &[u8]) -> SnapshotMedia {
        SnapshotMedia {
            address: format!("media:med_{name}"),
            file: self.file(name, bytes),
            media_type: media_type.to_owned(),
            ..SnapshotMedia::default()
        }
    }

    /// A picture of 1600 pixels with smaller ones, as the library keeps them.
    fn picture(&self, alt_text: Option<&str>) -> SnapshotMedia {
        let smaller = [(320, 240), (800, 600)].map(|(width, height)| SnapshotPicture {
            file: self.file(&format!("pump-{width}"), &png(width, height)),
            dimensions: (width, height),
        });
        SnapshotMedia {
            alt_text: alt_text.map(str::to_owned),
            dimensions: Some((1600, 1200)),
            smaller: smaller.to_vec(),
            ..self.medium("pump", "image/png", &png(1600, 1200))
        }
    }
}

/// A course of one lesson with this text and these media.
fn with(text: &str, media: Vec<SnapshotMedia>) -> CourseSnapshot {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons.truncate(1);
    text.clone_into(&mut snapshot.units[0].lessons[0].content);
    snapshot.media = media;
    snapshot
}

fn document(package: &Package) -> Value {
    document_of(&package.files[LESSON])
}

fn html(package: &Package) -> String {
    document(package)["html"].as_str().unwrap().to_owned()
}

fn carried(package: &Package) -> Vec<&str> {
    let names = package.names.iter().map(String::as_str);
    names.filter(|name| name.starts_with("media/")).collect()
}

/// The only file with this extension.
fn named(package: &Package, extension: &str) -> String {
    let found: Vec<&str> = carried(package)
        .into_iter()
        .filter(|name| name.ends_with(extension))
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].to_owned()
}

#[test]
fn media_are_asked_for_wherever_a_text_names_them() {
    let mut snapshot = with(
        "![a](media:med_a) [b](media:med_b) <a href='media:med_c'>c</a> <media:med_d> media:med_no `![x](media:med_no)` \
         ![again](media:med_a)",
        Vec::new(),
    );
    snapshot.units[0].lessons[0].activities = vec![
        activity("act_1", "podcast", json!({"audio": {"url": "media:med_e"}})),
        activity(
            "act_2",
            "video",
            json!({"url": "media:med_f", "captions": [{"url": "media:med_g"}]}),
        ),
        activity(
            "act_3",
            "flashcards",
            json!({"cards": [{"front": "[h](media:med_h)", "back": "![i](media:med_i)"}]}),
        ),
        activity(
            "act_4",
            "quiz",
            json!({"questions": [{"type": "single_choice", "prompt": "?", "options": [{"text": "[no](media:med_no)"}]}]}),
        ),
    ];
    let wanted: Vec<String> = ('a'..='i').map(|id| format!("media:med_{id}")).collect();
    assert_eq!(ScormWriter.media(&snapshot), wanted);
}

#[test]
fn a_picture_of_the_library_comes_in_the_size_that_is_needed() {
    let shelf = Shelf::new();
    let package = write(&with(
        "![A pump](media:med_pump)",
        vec![shelf.picture(Some("Of the library"))],
    ));
    let shown = html(&package);
    let files = carried(&package);
    assert_eq!(files.len(), 3, "{files:?}");
    let (_, sources) = shown.split_once(" srcset=\"").unwrap();
    let (sources, behind) = sources.split_once('"').unwrap();
    let sources: Vec<(&str, &str)> = sources
        .split(", ")
        .map(|source| source.split_once(' ').unwrap())
        .collect();
    let widths: Vec<&str> = sources.iter().map(|(_, width)| *width).collect();
    assert_eq!(widths, ["320w", "800w", "1600w"]);
    assert!(sources.iter().all(|(name, _)| files.contains(name)));
    let largest = sources[2].0;
    assert!(
        shown.starts_with(&format!(
            "<p><img src=\"{largest}\" alt=\"A pump\" width=\"1600\" height=\"1200\" srcset="
        )),
        "{shown}"
    );
    assert_eq!(
        behind.trim_end(),
        " sizes=\"(max-width: 46rem) 100vw, 46rem\" loading=\"lazy\" decoding=\"async\"></p>"
    );
    for name in files {
        let listed = format!("<file href=\"{name}\"/>");
        assert!(package.manifest().contains(&listed));
    }
    assert_eq!(package.written.warnings, [""; 0]);
}

#[rstest]
#[case::said_here("![A pump](media:med_pump)", Some("Another"), "A pump", false)]
#[case::said_there(
    "![ ](media:med_pump)",
    Some("A pump & its \"valve\""),
    "A pump &amp; its &quot;valve&quot;",
    false
)]
#[case::only_decorates("![](media:med_pump)", Some(""), "", false)]
#[case::said_nowhere("![](media:med_pump)", None, "", true)]
fn a_picture_is_described_here_or_in_the_library(
    #[case] text: &str,
    #[case] alt_text: Option<&str>,
    #[case] alt: &str,
    #[case] warns: bool,
) {
    let shelf = Shelf::new();
    let package = write(&with(text, vec![shelf.picture(alt_text)]));
    let shown = html(&package);
    assert!(shown.contains(&format!(" alt=\"{alt}\" ")), "{shown}");
    let missing = "A picture in the lesson \"North\" has no description (media:med_pump): people who cannot see it learn \
                   nothing of it.";
    let warnings: &[&str] = if warns { &[missing] } else { &[] };
    assert_eq!(package.written.warnings, warnings);
}

#[test]
fn smaller_pictures_that_are_none_stay_outside() {
    let shelf = Shelf::new();
    let mut picture = shelf.picture(Some("A pump"));
    picture.smaller = [
        ("large", png(1600, 1200)),
        ("page", b"<html>".to_vec()),
        ("sound", mp3(3)),
    ]
    .map(|(name, bytes)| SnapshotPicture {
        file: shelf.file(name, &bytes),
        dimensions: (10, 10),
    })
    .to_vec();
    picture.smaller.push(SnapshotPicture::default());
    let package = write(&with("![A](media:med_pump)", vec![picture]));
    assert_eq!(carried(&package).len(), 1);
    assert!(!html(&package).contains("srcset"));
}

#[test]
fn recordings_and_films_are_played_where_they_stand() {
    let shelf = Shelf::new();
    let mut film = shelf.medium("film", "video/mp4", &mp4());
    film.dimensions = Some((1280, 720));
    film.alt_text = Some("How it turns".to_owned());
    let text = "![Say \"ah\"](media:med_talk)\n\n![](media:med_film) and ![Twice](media:med_tune)";
    let mut second = mp4();
    second.push(0);
    let media = vec![
        shelf.medium("talk", "audio/mpeg", &mp3(9)),
        film,
        shelf.medium("tune", "audio/mp4", &second),
    ];
    let package = write(&with(text, media));
    let shown = html(&package);
    let talk = named(&package, ".mp3");
    assert!(
        shown.contains(&format!(
            "<p><audio controls preload=\"metadata\" src=\"{talk}\" aria-label=\"Say &quot;ah&quot;\"></audio></p>"
        )),
        "{shown}"
    );
    assert!(
        shown.contains("<video controls playsinline preload=\"metadata\" src=\"media/")
            && shown
                .contains(" aria-label=\"How it turns\" width=\"1280\" height=\"720\"></video>"),
        "{shown}"
    );
    // One container holds both; the library knows which.
    assert!(shown.contains("aria-label=\"Twice\"></audio>"), "{shown}");
    assert_eq!(package.written.warnings, [""; 0]);
}

#[test]
fn a_recording_without_a_name_is_named_in_the_warnings() {
    let shelf = Shelf::new();
    let media = vec![shelf.medium("talk", "audio/mpeg", &mp3(9))];
    let package = write(&with("![](media:med_talk)", media));
    assert_eq!(
        package.written.warnings,
        [
            "A recording, film or document in the lesson \"North\" has no name (media:med_talk): write what it is between the \
             brackets of ![…]."
        ]
    );
}

#[test]
fn links_to_media_lead_to_files_of_the_package() {
    let shelf = Shelf::new();
    let media = vec![
        shelf.medium("sheet", "application/pdf", b"%PDF-1.7\n"),
        shelf.medium("talk", "audio/mpeg", &mp3(9)),
        shelf.medium("words", "text/vtt", &vtt()),
    ];
    let text = "[The *sheet*](media:med_sheet), <a href='media:med_talk' title='t'>talk</a>, [words](media:med_words), \
                ![Handout <1>](media:med_sheet)";
    let package = write(&with(text, media));
    let shown = html(&package);
    let (sheet, talk) = (named(&package, ".pdf"), named(&package, ".mp3"));
    let about = "target=\"_blank\" rel=\"noopener noreferrer\"";
    for link in [
        format!("<a href=\"{sheet}\" {about}>The <em>sheet</em></a>"),
        format!("<a href=\"{sheet}\" {about}>Handout &lt;1&gt;</a>"),
        format!("href=\"{talk}\""),
        format!("href=\"{}\"", named(&package, ".vtt")),
    ] {
        assert!(shown.contains(&link), "{link} in {shown}");
    }
    assert!(!shown.contains("media:"), "{shown}");
    assert_eq!(package.written.warnings, [""; 0]);
}

#[test]
fn media_that_are_not_there_leave_their_words_and_a_warning() {
    let mut snapshot = with(
        "![A map](media:med_none) [see *it*](media:med_none) ![](media:med_large)\n\n[no](media:)",
        Vec::new(),
    );
    snapshot.unavailable = vec![("media:med_large".to_owned(), MediaProblem::TooLarge)];
    let package = write(&snapshot);
    assert_eq!(
        html(&package).lines().next().unwrap(),
        "<p dir=\"auto\">[A map] see <em>it</em> </p>"
    );
    let nothing = "the media library has nothing of this id that is ready.";
    let mut warnings = package.written.warnings;
    warnings.sort();
    assert_eq!(
        warnings,
        [
            format!(
                "A link in the lesson \"North\" was left out and its words stay (media:med_none): {nothing}"
            ),
            "A picture without a description in the lesson \"North\" was left out (media:med_large): its file is too large."
                .to_owned(),
            "In the lesson \"North\", line 3: the address media: is not linked to: links lead to https:, http:, mailto: and \
             media of the library alone."
                .to_owned(),
            format!(
                "The picture \"A map\" in the lesson \"North\" was left out (media:med_none): {nothing}"
            ),
        ]
    );
}

#[test]
fn only_the_library_has_drawings() {
    let shelf = Shelf::new();
    let mut drawing = shelf.medium("drawing", "image/svg+xml", DRAWING);
    drawing.dimensions = Some((400, 300));
    let stranger = SnapshotMedia {
        address: "https://x/drawing.svg".to_owned(),
        ..drawing.clone()
    };
    let text = "![Ours](media:med_drawing) ![Theirs](https://x/drawing.svg)";
    let package = write(&with(text, vec![drawing, stranger]));
    let shown = html(&package);
    let name = named(&package, ".svg");
    assert!(
        shown.contains(&format!(
            "<img src=\"{name}\" alt=\"Ours\" width=\"400\" height=\"300\" loading"
        )),
        "{shown}"
    );
    assert!(shown.contains("[Theirs]"), "{shown}");
}

#[test]
fn what_is_chosen_from_has_pictures_and_plays_nothing() {
    let shelf = Shelf::new();
    let media = vec![
        shelf.picture(Some("A pump")),
        shelf.medium("talk", "audio/mpeg", &mp3(9)),
    ];
    let mut snapshot = with("", media);
    let options = json!([{"text": "![](media:med_pump)", "correct": true}, {"text": "![A talk](media:med_talk)"}]);
    let quiz = json!({"questions": [{"type": "single_choice", "prompt": "![A talk](media:med_talk)", "options": options}]});
    snapshot.units[0].lessons[0].activities = vec![activity("act_one", "quiz", quiz)];
    let package = write(&snapshot);
    let question = document(&package)["activities"]["act_one"]["questions"][0].take();
    let prompt = question["html"]["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("<audio controls"), "{prompt}");
    let picture = question["options"][0]["html"]["text"].as_str().unwrap();
    assert!(picture.contains("alt=\"A pump\""), "{picture}");
    assert_eq!(question["options"][0]["text"], "A pump");
    assert_eq!(question["options"][1]["html"]["text"], "[A talk]");
    assert_eq!(package.written.warnings.len(), 1);
    assert!(package.written.warnings[0].ends_with(
        "(media:med_talk): only pictures can stand where something is chosen or filled in."
    ));
}

#[test]
fn podcasts_films_and_captions_may_be_of_the_library() {
    let shelf = Shelf::new();
    let media = vec![
        shelf.medium("talk", "audio/mpeg", &mp3(9)),
        shelf.medium("film", "video/mp4", &mp4()),
        shelf.medium("words", "text/vtt", &vtt()),
    ];
    let mut snapshot = with("", media);
    snapshot.units[0].lessons[0].activities = vec![
        activity(
            "act_1",
            "podcast",
            json!({"audio": {"url": "media:med_talk"}}),
        ),
        activity(
            "act_2",
            "video",
            json!({"url": "media:med_film", "captions": [{"url": "media:med_words", "language": "en"}]}),
        ),
        activity("act_3", "video", json!({"url": "media:med_none"})),
    ];
    let package = write(&snapshot);
    let activities = document(&package)["activities"].take();
    assert_eq!(
        activities["act_1"]["audio"],
        json!({"src": named(&package, ".mp3"), "type": "audio/mpeg"})
    );
    assert_eq!(activities["act_2"]["src"], named(&package, ".mp4"));
    assert_eq!(
        activities["act_2"]["captions"][0]["src"],
        named(&package, ".vtt")
    );
    assert_eq!(activities["act_3"], json!({"captions": []}));
    assert_eq!(
        package.written.warnings,
        [
            "The film of the activity \"Check\" (media:med_none) is not in the package, as the media library has nothing of \
             this id that is ready: it is left out."
        ]
    );
}

#[test]
fn the_same_library_makes_the_same_archive() {
    let archive = || {
        let shelf = Shelf::new();
        write(&with("![A](media:med_pump)", vec![shelf.picture(None)])).bytes
    };
    assert_eq!(archive(), archive());
    let without = |picture: SnapshotMedia| {
        write(&with("![A](media:med_pump)", vec![picture]))
            .written
            .content_hash
    };
    let shelf = Shelf::new();
    let mut alone = shelf.picture(None);
    alone.smaller.clear();
    assert_ne!(without(alone), without(shelf.picture(None)));
}
