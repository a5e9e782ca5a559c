//! What every package keeps: its files, its bytes, its hashes, and what it refuses.

mod support;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lyceum_ports::exporting::scorm::{LiveService, PackageError, ScormEdition};
use serde_json::json;
use support::{activity, course, document_of, markup_of, try_write, write};

const EDITIONS: [ScormEdition; 3] = [
    ScormEdition::V1_2,
    ScormEdition::V2004,
    ScormEdition::V2004Fourth,
];

#[test]
fn the_same_course_gives_the_same_bytes() {
    for edition in EDITIONS {
        let (first, second) = (write(&course(edition)), write(&course(edition)));
        assert!(first.bytes == second.bytes);
        assert_eq!(first.written, second.written);
    }
}

#[test]
fn the_summary_describes_the_file() {
    use sha2::{Digest, Sha256};
    use std::fmt::Write as _;
    let package = write(&course(ScormEdition::V2004));
    let mut hash = String::new();
    for byte in Sha256::digest(&package.bytes) {
        write!(hash, "{byte:02x}").unwrap();
    }
    assert_eq!(package.written.sha256, hash);
    assert_eq!(
        package.written.size_bytes,
        u64::try_from(package.bytes.len()).unwrap()
    );
    assert_eq!(
        package.written.files,
        u64::try_from(package.names.len()).unwrap()
    );
}

#[test]
fn the_content_hash_knows_the_content_and_nothing_else() {
    let original = course(ScormEdition::V2004);
    let mut reissued = original.clone();
    reissued.service = Some(LiveService {
        runtime_base_url: "https://elsewhere.example".to_owned(),
        package_id: "scp_other".to_owned(),
        launch_key: "lk_other".to_owned(),
    });
    let mut edited = original.clone();
    edited.units[0].lessons[0].content.push_str(" More.");
    let hash = |snapshot| write(snapshot).written.content_hash;
    assert_eq!(hash(&original), hash(&reissued));
    assert_ne!(hash(&original), hash(&edited));
}

#[test]
fn names_are_plain_sorted_and_come_from_ids() {
    for edition in EDITIONS {
        let package = write(&course(edition));
        assert_eq!(package.names[0], "imsmanifest.xml");
        assert!(package.names[1..].is_sorted());
        let folded: BTreeSet<_> = package
            .names
            .iter()
            .map(|n| n.to_ascii_lowercase())
            .collect();
        assert_eq!(folded.len(), package.names.len());
        for name in &package.names {
            assert!(name.len() <= 180 && !name.ends_with('/'));
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c)),
                "{name}"
            );
        }
        assert!(package.files.contains_key("content/unt_one-les_one.js"));
        assert!(package.files.contains_key("content/asg_two.js"));
    }
}

#[test]
fn the_archive_is_plain() {
    let package = write(&course(ScormEdition::V2004));
    let mut at = 0;
    let number = |at: usize, length: usize| {
        package.bytes[at..at + length]
            .iter()
            .rev()
            .fold(0_usize, |sum, b| sum * 256 + usize::from(*b))
    };
    let mut entries = 0;
    while package.bytes[at..at + 4] == *b"PK\x03\x04" {
        assert_eq!(
            number(at + 6, 2) & 0b1001,
            0,
            "encrypted, or a data descriptor"
        );
        assert_eq!(number(at + 8, 2), 8, "deflate");
        assert_eq!(number(at + 10, 4), 0x0021_0000, "1980-01-01 00:00");
        assert_eq!(number(at + 28, 2), 0, "extra fields");
        at += 30 + number(at + 26, 2) + number(at + 18, 4);
        entries += 1;
    }
    assert_eq!(entries, package.names.len());
    assert!(
        !package.bytes.windows(4).any(|w| w == b"PK\x06\x06"),
        "zip64"
    );
}

#[test]
fn a_course_without_lessons_says_what_to_add() {
    let mut empty = course(ScormEdition::V1_2);
    empty.units[0].lessons.clear();
    let refused = try_write(&empty).err().unwrap();
    assert!(
        matches!(refused, PackageError::NothingToExport(m) if m.contains("add a unit and a lesson"))
    );
}

#[test]
fn an_existing_file_is_not_overwritten() {
    use lyceum_ports::exporting::scorm::PackageWriter;
    let file = tempfile::NamedTempFile::new().unwrap();
    let refused = lyceum_scorm::ScormWriter.write(&course(ScormEdition::V1_2), file.path());
    assert!(matches!(refused, Err(PackageError::Io(_))));
}

#[test]
fn ids_that_are_paths_or_twins_are_refused() {
    for bad in ["../../x", "a/b", "", "é", "les_ONE"] {
        let mut hostile = course(ScormEdition::V1_2);
        hostile.units[0].lessons[1].id = bad.to_owned();
        assert!(
            matches!(try_write(&hostile), Err(PackageError::Invalid(_))),
            "{bad:?}"
        );
    }
}

/// Quadratic work on these would take far longer, on any machine and however busy it is.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn depth_bombs_are_refused_quickly() {
    let bombs = [
        "<div>".repeat(50_000),
        ">".repeat(200_000),
        "* ".repeat(100_000) + "x",
    ];
    for bomb in bombs {
        let mut hostile = course(ScormEdition::V1_2);
        hostile.units[0].lessons[0].content = bomb;
        let start = Instant::now();
        assert!(matches!(try_write(&hostile), Err(PackageError::Invalid(_))));
        assert!(start.elapsed() < PATIENCE);
    }
}

#[test]
fn nothing_a_person_wrote_acts_in_the_package() {
    let attack =
        "</script><script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1))";
    let mut hostile = course(ScormEdition::V2004);
    hostile.description = attack.to_owned();
    hostile.course_name = attack.to_owned();
    hostile.assignments[0].instructions = attack.to_owned();
    hostile.units[0].lessons[0].content = attack.to_owned();
    hostile.units[0].lessons[0].activities = vec![activity(
        "act_one",
        "explainer",
        json!({"html": attack, "sections": [{"heading": attack, "body": attack, "html": attack}],
            "key_points": [attack], "glossary": [{"term": attack, "definition": attack}]}),
    )];
    let question = json!({"html": attack, "type": "cloze", "prompt": attack, "text": attack, "explanation": attack,
        "sample_answer": attack, "options": [{"text": attack, "feedback": attack, "html": attack}], "items": [attack],
        "pairs": [{"left": attack, "right": attack}], "blanks": [{"id": attack, "accepted_answers": [attack]}]});
    let card = json!({"front": attack, "back": attack, "hint": attack, "html": {"front": attack}});
    for (id, kind, content) in [
        ("act_2", "quiz", json!({"questions": [question]})),
        ("act_3", "flashcards", json!({"cards": [card]})),
        ("act_4", "reflection", json!({"prompt": attack})),
    ] {
        hostile.units[0].lessons[0]
            .activities
            .push(activity(id, kind, content));
    }
    let package = write(&hostile);
    let lesson = &package.files["content/unt_one-les_one.js"];
    let texts = markup_of(&document_of(lesson));
    // The lesson, a section, a key point, a term and its definition; of the question eight, of the card three; a reflection.
    assert_eq!(texts.len(), 17, "{texts:?}");
    for html in texts {
        for bad in ["<script", "<img", "onerror", "href"] {
            assert!(!html.contains(bad), "{html}");
        }
    }
    for (name, text) in package
        .files
        .iter()
        .filter(|(name, _)| name.starts_with("content/"))
    {
        assert!(!text.contains("</script"), "{name}");
        for html in markup_of(&document_of(text)) {
            assert!(
                !html.contains("onerror") && !html.contains("javascript:"),
                "{name}: {html}"
            );
        }
    }
    let page = &package.files["index.html"];
    assert!(!page.contains("<script>") && !page.contains("<img"));
}

#[test]
fn the_launch_page_runs_under_a_strict_policy() {
    for edition in EDITIONS {
        let package = write(&course(edition));
        let page = &package.files["index.html"];
        assert!(!page.contains("style=") && !page.contains("onload"));
        // The service, and nobody else.
        assert_eq!(page.matches("://").count(), 1);
        assert!(page.contains("connect-src 'self' https://lyceum.example; object-src 'none'"));
        for script in page.split("<script").skip(1) {
            assert!(script.starts_with(" defer src=\""), "{script}");
        }
        for reference in page
            .split("src=\"")
            .skip(1)
            .chain(page.split("href=\"").skip(1))
        {
            let name = reference.split('"').next().unwrap();
            assert!(package.files.contains_key(name), "{name}");
        }
    }
}

#[test]
fn a_package_without_a_service_may_reach_nobody() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.service = None;
    let package = write(&snapshot);
    assert!(package.files["index.html"].contains("connect-src 'self'; object-src"));
    assert!(package.files["content/service.js"].contains("null"));
}

#[test]
fn an_accent_colour_is_a_style_sheet_after_the_players() {
    let mut snapshot = course(ScormEdition::V2004);
    assert!(!write(&snapshot).files.contains_key("content/theme.css"));
    snapshot.accent_color = Some("#c2185b".to_owned());
    let package = write(&snapshot);
    assert!(package.files["content/theme.css"].contains("--accent: #c2185b;"));
    let page = &package.files["index.html"];
    assert!(page.find("player.").unwrap() < page.find("content/theme.css").unwrap());
    snapshot.accent_color = Some("red;}*{display:none".to_owned());
    assert!(!write(&snapshot).files.contains_key("content/theme.css"));
}

#[test]
fn the_player_does_nothing_that_an_lms_forbids() {
    let package = write(&course(ScormEdition::V2004));
    let (_, player) = package
        .files
        .iter()
        .find(|(n, _)| n.starts_with("assets/player.") && !n.contains(".css"))
        .unwrap();
    for banned in [
        "eval(",
        "new Function",
        "document.write",
        "alert(",
        "confirm(",
        "prompt(",
        "beforeunload",
        "\"unload\"",
        "document.cookie",
        "XMLHttpRequest",
        "<form",
        "_top",
        "window.open(",
    ] {
        assert!(!player.contains(banned), "{banned}");
    }
    // Open edX looks for these words to tell a package that reports from one that does not.
    for named in ["lesson_status", "completion_status", "progress_measure"] {
        assert!(player.contains(named), "{named}");
    }
    // One place talks to the service, and nothing talks to anybody else.
    assert_eq!(player.matches("fetch(").count(), 1);
    // Everything else stays inside the wrapper.
    assert_eq!(player.matches("window.lyceum").count(), 1);
}

#[test]
fn the_interface_speaks_the_courses_language_and_english() {
    for (tag, files, interface) in [
        ("ar-EG", vec!["ar", "en"], "lang=\"ar\" dir=\"rtl\""),
        ("en", vec!["en"], "lang=\"en\" dir=\"ltr\""),
        ("ja", vec!["en"], "lang=\"en\" dir=\"ltr\""),
        ("pt-BR", vec!["en", "pt"], "lang=\"pt\" dir=\"ltr\""),
    ] {
        let mut snapshot = course(ScormEdition::V2004);
        snapshot.language = tag.to_owned();
        let package = write(&snapshot);
        let carried: Vec<_> = package
            .names
            .iter()
            .filter_map(|n| n.strip_prefix("assets/i18n/"))
            .collect();
        let expected: Vec<_> = files.iter().map(|l| format!("{l}.js")).collect();
        assert_eq!(carried, expected);
        assert!(package.files["index.html"].contains(interface));
    }
}

#[test]
fn warnings_are_sentences_and_each_is_said_once() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons[0].content =
        "![](https://example.com/a.png) ![](https://example.com/a.png) ![b](https://example.com/b.png) [x](http://x.y)"
            .to_owned();
    let warnings = write(&snapshot).written.warnings;
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(
        warnings
            .iter()
            .all(|w| w.contains("\"North\"") && w.ends_with('.'))
    );
}

#[test]
fn a_lesson_does_not_say_its_name_twice() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons[0].content = "# North \n\n## Why\n\nText".to_owned();
    let package = write(&snapshot);
    let lesson = &package.files["content/unt_one-les_one.js"];
    assert!(
        lesson.contains("\"html\":\"<h2 dir=\\\"auto\\\">Why"),
        "{lesson}"
    );
}

#[test]
fn lines_are_counted_from_the_beginning_of_what_was_written() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons[0].content =
        "# North\n\nText\n\n<iframe src='x'></iframe>".to_owned();
    assert_eq!(
        write(&snapshot).written.warnings,
        ["In the lesson \"North\", line 5: the element <iframe> is not taken and was left out."]
    );
}
