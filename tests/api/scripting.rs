//! Markup that acts, wherever an author may write: it is kept as it was written, answered as JSON, and does nothing in
//! a package, in its preview and in what describes it.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::markup::{Element, elements};
use support::stores::Database;
use zip::ZipArchive;

use crate::school::{app_on, list, made};
use crate::scorm::{address, bytes, ready};

/// Elements that say how a text is meant, and no more.
const PLAIN: &str = "a abbr b bdi blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption \
                     figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp section small span strike \
                     strong sub summary sup table tbody td tfoot th thead tr u ul var wbr";
/// The only attributes that they carry.
const HARMLESS: &str = "href title rel target dir lang start colspan rowspan scope open";

fn vectors() -> Vec<String> {
    serde_json::from_str(include_str!("../data/hostile_markup.json")).unwrap()
}

/// A course that says all of it, in every place that takes a text.
async fn hostile_course(app: &TestApp) -> String {
    let make = async |path: &str, body: Value| made(app, &app.owner, path, body).await;
    let all = vectors();
    let name = "\"><img src=x onerror=alert(1)>]]>&'";
    let description = all.join("\n\n");
    let course = json!({"name": name, "language": "en", "description": description});
    let course = make("courses", course).await;
    let unit =
        json!({"course_id": course, "name": name, "description": name, "objectives": [name]});
    let unit = make("units", unit).await;
    for vector in &all {
        let visible = if vector.trim().is_empty() {
            name
        } else {
            vector.as_str()
        };
        let lesson = json!({
            "unit_id": unit, "name": visible, "summary": vector, "objectives": [visible],
            "content": format!("{vector}\n\nhttp and [a link](http://plain.example/)\n\n{vector}"),
        });
        let lesson = make("lessons", lesson).await;
        for (kind, content) in activities(vector) {
            let activity =
                json!({"lesson_id": lesson, "kind": kind, "name": visible, "content": content});
            make("activities", activity).await;
        }
        let criteria = json!([{"name": visible, "description": vector}]);
        let assignment = json!({
            "lesson_id": lesson, "name": visible, "instructions": vector, "rubric": {"criteria": criteria},
        });
        make("assignments", assignment).await;
    }
    let cohort = json!({"course_id": course, "name": name});
    make("cohorts", cohort).await
}

fn activities(vector: &str) -> [(&'static str, Value); 5] {
    [
        (
            "explainer",
            json!({
                "sections": [{"heading": vector, "body": vector, "html": vector}],
                "key_points": [vector], "glossary": [{"term": vector, "definition": vector}], "html": vector,
            }),
        ),
        (
            "quiz",
            json!({"questions": [
                {"type": "single_choice", "prompt": vector, "explanation": vector, "html": vector,
                 "options": [{"text": vector, "correct": true}, {"text": "b"}]},
                {"type": "open", "prompt": vector},
            ]}),
        ),
        (
            "flashcards",
            json!({"cards": [{"front": vector, "back": vector, "hint": vector}]}),
        ),
        (
            "podcast",
            json!({
                "language": "en", "speakers": [{"id": "s", "name": vector}],
                "segments": [{"title": vector, "turns": [{"speaker_id": "s", "text": vector}]}],
            }),
        ),
        ("reflection", json!({"prompt": vector})),
    ]
}

/// Every member that the player takes for markup.
fn markup<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "html" {
                    // Of an activity's parts it holds each text by its name.
                    let texts = member.as_object().into_iter().flatten();
                    let texts: Vec<&Value> = texts.map(|(_, text)| text).collect();
                    let texts = if texts.is_empty() {
                        vec![member]
                    } else {
                        texts
                    };
                    found.extend(texts.into_iter().map(|text| text.as_str().unwrap()));
                }
                markup(member, found);
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| markup(entry, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn assert_harmless(element: &Element, place: &str) {
    let known = PLAIN.split_whitespace().any(|name| name == element.name);
    assert!(known, "{place}: {element:?}");
    for (name, value) in &element.attributes {
        let known = HARMLESS.split_whitespace().any(|one| one == name);
        assert!(known, "{place}: {element:?}");
        if name == "href" {
            let schemes = ["https://", "http://", "mailto:"];
            assert!(
                schemes.iter().any(|scheme| value.starts_with(scheme)),
                "{place}: {element:?}"
            );
        }
    }
}

/// A page of ours has scripts and styles from files beside it, and nothing of an author's but text.
fn assert_only_ours(page: &str, place: &str) {
    for element in elements(page) {
        let text = format!("{place}: {element:?}");
        for forbidden in ["img", "svg", "object", "embed", "base", "form", "style"] {
            assert!(
                element.name != forbidden || place.contains("preview") && forbidden == "svg",
                "{text}"
            );
        }
        for (name, value) in &element.attributes {
            assert!(
                !name.starts_with("on") && name != "style" && name != "srcdoc",
                "{text}"
            );
            assert!(
                !value.trim_start().to_lowercase().starts_with("javascript:"),
                "{text}"
            );
        }
        if element.name == "script" {
            let source = element.attribute("src").unwrap();
            assert!(!source.contains("//"), "{text}");
        }
    }
}

/// The files of an archive, by name.
fn files(archive: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = archive.len();
    let read = |index: usize| {
        let mut file = archive.by_index(index).unwrap();
        let (mut bytes, name) = (Vec::new(), file.name().unwrap().into_owned());
        file.read_to_end(&mut bytes).unwrap();
        (name, String::from_utf8_lossy(&bytes).into_owned())
    };
    (0..count).map(read).collect()
}

#[actix_web::test]
async fn nothing_that_an_author_writes_acts_in_a_package_or_in_its_preview() {
    assert!(vectors().len() >= 60);
    let app = TestApp::start().await;
    let cohort = hostile_course(&app).await;
    for version in ["1.2", "2004"] {
        let package = ready(&app, json!({"cohort_id": cohort, "version": version})).await;
        let (status, archive) = bytes(&app, TestRequest::with_uri(&address(&package))).await;
        assert_eq!(status, 200);
        let files = files(archive);
        let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), files.len());
        let mut seen = 0;
        for (name, text) in &files {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
            assert!(
                name.chars().all(plain) && !name.contains("..") && !name.starts_with('/'),
                "{name}"
            );
            if name.starts_with("content/") && name.rsplit('.').next() == Some("js") {
                assert!(
                    text.starts_with("lyceumRegister(\"") && !text.contains("</"),
                    "{name}"
                );
                let (Some(from), Some(to)) = (text.find('{'), text.rfind('}')) else {
                    continue;
                };
                let document: Value = serde_json::from_str(text.get(from..=to).unwrap()).unwrap();
                let mut found = Vec::new();
                markup(&document, &mut found);
                for html in found {
                    let all = elements(html);
                    for element in &all {
                        assert_harmless(element, name);
                    }
                    seen += all.len();
                }
            }
        }
        // There is markup, and it was looked at.
        assert!(seen > 300, "{seen}");
        let page = &files
            .iter()
            .find(|(name, _)| name == "index.html")
            .unwrap()
            .1;
        assert!(
            page.contains("script-src 'self'") && !page.contains("unsafe-"),
            "{page}"
        );
        assert_only_ours(page, "index.html");
        let manifest = &files
            .iter()
            .find(|(name, _)| name == "imsmanifest.xml")
            .unwrap()
            .1;
        assert!(
            manifest.contains("&lt;img src=x onerror=alert(1)&gt;]]&gt;&amp;"),
            "{manifest}"
        );
        let preview = package["preview_url"].as_str().unwrap();
        let preview = preview.strip_prefix("http://lyceum.test").unwrap();
        let shown = app.send(TestRequest::with_uri(preview)).await;
        let page = shown.body.as_str().unwrap();
        assert!(page.contains("&lt;"), "no warning names a lesson");
        assert_only_ours(page, "the preview");
    }
}

#[actix_web::test]
async fn what_an_author_writes_is_read_back_as_it_was_and_only_ever_as_json() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        for vector in vectors() {
            let body = json!({
                "name": format!("x{vector}"), "language": "en", "description": vector,
                "metadata": {"text": vector},
            });
            let answer = app.post("/v1/courses", body).await;
            assert_eq!(answer.status, 201, "{vector} {}", answer.body);
            assert_eq!(answer.body["description"], vector);
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        }
        let read = list(&app, "courses?limit=100").await;
        for (course, vector) in read.iter().rev().zip(vectors()) {
            assert_eq!(course["name"], format!("x{vector}"));
            assert_eq!(course["metadata"]["text"], vector);
        }
        // What a refusal says of the request is JSON too.
        let refused = app
            .get("/v1/courses?%3Cscript%3Ealert(1)%3C/script%3E=1")
            .await;
        assert_eq!(refused.header("content-type"), Some("application/json"));
        assert_eq!((refused.status, refused.code()), (400, "unknown_parameter"));
    }
}
