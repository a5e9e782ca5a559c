//! Single files of what is tried: the same bytes as in a package, and media that nobody reads.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod support;

use lyceum_ports::exporting::scorm::{CoursePiece, PieceFacts, PieceFile, PieceMedium};
use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageWriter, ScormEdition};
use lyceum_scorm::ScormWriter;
use support::{course, write};

const LESSON: &str = "content/unt_one-les_one.js";

/// The first lesson of the course by itself.
fn piece() -> CoursePiece {
    let mut course = course(ScormEdition::V2004);
    course.units.truncate(1);
    course.units[0].lessons.truncate(1);
    course.assignments.clear();
    CoursePiece {
        course,
        only_step: None,
        media: Vec::new(),
    }
}

#[allow(clippy::panic, reason = "a test that cannot go on has failed")]
fn made(piece: &CoursePiece, name: &str) -> String {
    let file = ScormWriter.file(piece, name).unwrap();
    let Some(PieceFile::Made(bytes)) = file else {
        panic!("{name}: {file:?}")
    };
    String::from_utf8(bytes).unwrap()
}

fn content(course: &mut CourseSnapshot, text: &str) {
    text.clone_into(&mut course.units[0].lessons[0].content);
}

#[test]
fn what_is_tried_is_what_a_package_has() {
    let piece = piece();
    let package = write(&piece.course);
    for (name, text) in &package.files {
        if name != "imsmanifest.xml" {
            assert_eq!(&made(&piece, name), text, "{name}");
        }
    }
    for none in [
        "imsmanifest.xml",
        "content/../index.html",
        "media/x.png",
        "",
    ] {
        assert_eq!(ScormWriter.file(&piece, none).unwrap(), None, "{none}");
    }
}

#[test]
fn an_activity_is_the_one_step_of_what_is_tried_alone() {
    let mut piece = piece();
    let lesson = &mut piece.course.units[0].lessons[0];
    lesson.activities = vec![
        support::activity(
            "act_one",
            "reflection",
            serde_json::json!({"prompt": "Why?"}),
        ),
        support::activity(
            "act_two",
            "reflection",
            serde_json::json!({"prompt": "How?"}),
        ),
    ];
    piece.only_step = Some("act_two".to_owned());
    let outline = made(&piece, "content/course.js");
    assert!(outline.contains("act_two"));
    assert!(!outline.contains("act_one") && !outline.contains("\"id\":\"les_one\""));
}

#[test]
fn media_are_named_by_what_is_known_of_them_and_said_where_they_are() {
    let facts = |first: char, width| PieceFacts {
        sha256: first.to_string().repeat(64),
        size_bytes: 9,
        dimensions: Some((width, width)),
    };
    let mut piece = piece();
    piece.media = vec![PieceMedium {
        address: "media:med_one".to_owned(),
        media_type: "image/png".to_owned(),
        alt_text: Some("A pump".to_owned()),
        files: vec![facts('a', 800), facts('b', 400)],
    }];
    content(
        &mut piece.course,
        "![](media:med_one) ![Gone](media:med_two)",
    );
    let lesson = made(&piece, LESSON);
    let (full, small) = ("media/aaaaaaaaaaaaaaaa.png", "media/bbbbbbbbbbbbbbbb.png");
    assert!(lesson.contains(full) && lesson.contains(small), "{lesson}");
    assert!(
        lesson.contains("A pump") && lesson.contains("[Gone]"),
        "{lesson}"
    );
    for (name, number) in [(full, 0), (small, 1)] {
        let kept = PieceFile::Kept { medium: 0, number };
        assert_eq!(ScormWriter.file(&piece, name).unwrap(), Some(kept));
    }
}
