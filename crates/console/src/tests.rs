use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use actix_web::body::to_bytes;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, rt};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

/// Most bytes of what one view takes, unpacked: who opens Studio by a telephone waits for each of them.
const MOST_BYTES: usize = 150_000;
/// Most bytes of the first view as they travel, packed, with the words of whatever language.
const MOST_PACKED: usize = 60_000;

fn asked_beside(bucket: Option<&str>, request: TestRequest) -> ServiceResponse {
    rt::System::new().block_on(async {
        let pages = |config: &mut ServiceConfig| configure(config, bucket);
        let app = init_service(App::new().configure(pages)).await;
        call_service(&app, request.to_request()).await
    })
}

fn asked(request: TestRequest) -> ServiceResponse {
    asked_beside(None, request)
}

fn get(path: &str) -> ServiceResponse {
    asked(TestRequest::get().uri(path))
}

fn value(response: &ServiceResponse, name: HeaderName) -> String {
    let value = response.headers().get(name).unwrap();
    value.to_str().unwrap().to_owned()
}

#[test]
fn every_file_of_the_folder_is_served_and_no_other() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    let there: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
    assert_eq!(there, listed);
}

#[test]
fn a_browser_at_the_address_itself_is_led_to_studio_and_a_program_is_not() {
    let browser = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let led = asked(TestRequest::get().uri("/").insert_header(browser));
    assert_eq!(led.status(), StatusCode::SEE_OTHER);
    assert_eq!(value(&led, header::LOCATION), "/studio");
    assert_eq!(value(&led, header::VARY), "Accept");
    // Whoever is led somewhere else later is not kept from it.
    assert_eq!(value(&led, header::CACHE_CONTROL), "no-cache");
    let policy = value(&led, header::CONTENT_SECURITY_POLICY);
    assert_eq!(policy, Policy::of(None).0);
    for program in [
        TestRequest::get().uri("/"),
        TestRequest::get().uri("/").insert_header(("accept", "*/*")),
        TestRequest::post().uri("/").insert_header(browser),
    ] {
        assert_eq!(asked(program).status(), StatusCode::NOT_FOUND);
    }
}

#[test]
fn links_that_were_sent_lead_on() {
    for (former, place) in [
        ("/console", "/studio"),
        ("/console/", "/studio/"),
        ("/console/app.js", "/studio/app.js"),
        ("/console?from=mail", "/studio?from=mail"),
        ("/console/..%2Fv1", "/studio/..%2Fv1"),
    ] {
        let led = get(former);
        assert_eq!(led.status(), StatusCode::PERMANENT_REDIRECT, "{former}");
        assert_eq!(value(&led, header::LOCATION), place);
        let policy = value(&led, header::CONTENT_SECURITY_POLICY);
        assert_eq!(policy, Policy::of(None).0);
    }
    let written = asked(TestRequest::post().uri("/console"));
    assert_ne!(written.status(), StatusCode::PERMANENT_REDIRECT);
    // Other words that begin alike are nobody's.
    assert_eq!(get("/consoles").status(), StatusCode::NOT_FOUND);
}

fn text(name: &str) -> &'static str {
    let file = FILES.iter().find(|file| file.name == name).unwrap();
    std::str::from_utf8(file.body).unwrap()
}

/// What stands between two marks, each time.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let behind = text.split(start).skip(1);
    behind.filter_map(move |rest| rest.split(end).next())
}

/// A file and all that cannot do without.
fn with_imports(name: &'static str, found: &mut BTreeSet<&'static str>) {
    if found.insert(name) {
        for import in between(text(name), " from \"./", "\";") {
            with_imports(import, found);
        }
    }
}

/// What is there before any view, and whatever is shown.
fn frame() -> BTreeSet<&'static str> {
    let mut frame = BTreeSet::from([PAGE, "icon.svg"]);
    for file in between(text(PAGE), "/studio/", "\"") {
        with_imports(file, &mut frame);
    }
    frame
}

fn packed(name: &str) -> usize {
    let mut packer = GzEncoder::new(Vec::new(), Compression::new(6));
    packer.write_all(text(name).as_bytes()).unwrap();
    packer.finish().unwrap().len()
}

#[test]
fn the_first_view_travels_light() {
    let names = FILES
        .iter()
        .filter_map(|file| file.name.strip_suffix(".js"));
    let languages: Vec<&str> = names.filter(|name| name.len() == 2).collect();
    assert!(languages.contains(&"en"), "{languages:?}");
    for language in languages {
        for (view, words) in [("overview.js", ""), ("sign_in.js", "door_")] {
            let mut files = frame();
            with_imports(view, &mut files);
            let mut all: BTreeSet<String> = files.into_iter().map(str::to_owned).collect();
            all.extend(["en", language].map(|tag| format!("{words}{tag}.js")));
            all.insert(format!("{language}.js"));
            let bytes: usize = all.iter().map(|name| packed(name)).sum();
            assert!(bytes <= MOST_PACKED, "{language}, {view}: {bytes} bytes");
            assert!(bytes > 20_000, "{language}, {view}: {all:?}");
        }
    }
}

#[test]
fn no_view_is_heavy() {
    let frame = frame();
    let views: Vec<&str> = between(text("app.js"), "import(\"./", "\")").collect();
    assert_eq!(views.len(), 37, "{views:?}");
    for view in views {
        let mut files = frame.clone();
        with_imports(view, &mut files);
        let bytes: usize = files.iter().map(|name| text(name).len()).sum();
        assert!(bytes <= MOST_BYTES, "{view}: {bytes} bytes of {files:?}");
        assert!(bytes > 50_000, "{view}: the imports were not found");
    }
}

#[test]
fn the_page_is_there_with_and_without_a_slash() {
    for path in ["/studio", "/studio/", "/studio/index.html"] {
        let response = get(path);
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let kind = value(&response, header::CONTENT_TYPE);
        assert_eq!(kind, "text/html; charset=utf-8");
        let body = rt::System::new().block_on(to_bytes(response.into_body()));
        let body = body.map_err(drop).unwrap();
        assert!(body.starts_with(b"<!doctype html>"));
    }
}

#[test]
fn files_have_their_types() {
    let types = [
        ("app.js", "text/javascript; charset=utf-8"),
        ("base.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ];
    for (name, kind) in types {
        let response = get(&format!("/studio/{name}"));
        assert_eq!(value(&response, header::CONTENT_TYPE), kind);
    }
}

#[test]
fn every_answer_says_what_browsers_may_do() {
    for path in ["/studio", "/studio/app.js", "/studio/nothing.js"] {
        let response = get(path);
        let policy = value(&response, header::CONTENT_SECURITY_POLICY);
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(value(&response, header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(value(&response, header::REFERRER_POLICY), "no-referrer");
        assert_eq!(value(&response, header::CACHE_CONTROL), "no-cache");
    }
}

#[test]
fn who_has_a_file_is_told_so() {
    let response = get("/studio/app.js");
    let tag = value(&response, header::ETAG);
    let again = |list: String| {
        let request = TestRequest::get().uri("/studio/app.js");
        asked(request.insert_header((header::IF_NONE_MATCH, list)))
    };
    for list in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
        let response = again(list);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(value(&response, header::ETAG), tag);
    }
    assert_eq!(again("\"other\"".to_owned()).status(), StatusCode::OK);
    assert_ne!(value(&get("/studio/api.js"), header::ETAG), tag);
}

#[test]
fn what_is_not_there_is_not_found_and_nothing_can_be_written() {
    for path in ["/studio/nothing.js", "/studio/..%2FCargo.toml"] {
        assert_eq!(get(path).status(), StatusCode::NOT_FOUND, "{path}");
    }
    let written = asked(TestRequest::post().uri("/studio/app.js"));
    assert_ne!(written.status(), StatusCode::OK);
}

#[test]
fn nothing_is_inline_and_nothing_comes_from_outside() {
    for file in FILES {
        let text = std::str::from_utf8(file.body).unwrap();
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ] {
            assert!(!text.contains(forbidden), "{} has {forbidden}", file.name);
        }
        if file.name == PAGE {
            assert!(!text.contains("style="), "a style in the page");
            assert!(!text.contains("<script>"), "a script in the page");
        }
        if file.name != "icon.svg" {
            assert!(!text.contains("src=\"http"), "{}", file.name);
            assert!(!text.contains("url(http"), "{}", file.name);
        }
    }
}

/// What a policy says of one kind of thing.
fn sources(policy: &str, directive: &str) -> String {
    let mut parts = policy.split(';').map(str::trim);
    let of_it = parts.find_map(|part| part.strip_prefix(directive)?.strip_prefix(' '));
    of_it.unwrap_or_default().to_owned()
}

#[test]
fn pictures_and_recordings_come_from_the_bucket_too_where_it_hands_them_out_and_nothing_else_does()
{
    let policy = |bucket| {
        let page = asked_beside(bucket, TestRequest::get().uri("/studio"));
        value(&page, header::CONTENT_SECURITY_POLICY)
    };
    let (alone, beside) = (policy(None), policy(Some("https://files.example.org")));
    assert_eq!(sources(&alone, "img-src"), "'self' data: blob:");
    assert_eq!(sources(&alone, "media-src"), "'self'");
    assert_eq!(sources(&alone, "frame-src"), "'self'");
    let with_bucket = "'self' data: blob: https://files.example.org";
    assert_eq!(sources(&beside, "img-src"), with_bucket);
    let with_bucket = "'self' https://files.example.org";
    assert_eq!(sources(&beside, "media-src"), with_bucket);
    assert_eq!(beside.replace(" https://files.example.org", ""), alone);
}
