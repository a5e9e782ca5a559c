//! Looking at a package in the browser: who may, what is answered, and what never is.

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};

use crate::school::{School, assert_refused, done, key, session};
use crate::world::ticket;

/// A package that can be looked at.
async fn ready(app: &TestApp, school: &School, version: &str) -> Value {
    let body = json!({"cohort_id": school.cohort, "version": version});
    let asked = app.post("/v1/scorm", body).await;
    assert_eq!(asked.body["preview_url"], Value::Null, "{}", asked.body);
    app.work().await;
    let package = app.get(&format!("/v1/scorm/{}", asked.id())).await.body;
    assert_eq!(package["status"], "ready", "{package}");
    package
}

fn id(package: &Value) -> &str {
    package["id"].as_str().unwrap()
}

/// Path and query of the page.
fn page(package: &Value) -> String {
    let url = package["preview_url"].as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

/// Where a file of the preview is.
pub fn file_of(package: &Value, file: &str) -> String {
    let ticket = ticket(package);
    format!("/v1/scorm/{}/preview/{ticket}/{file}", id(package))
}

async fn open(app: &TestApp, path: &str) -> Answer {
    app.send(TestRequest::with_uri(path)).await
}

fn text(answer: &Answer) -> &str {
    answer.body.as_str().unwrap_or_default()
}

#[actix_web::test]
async fn a_signed_address_opens_a_page_that_refers_to_files_under_the_same_ticket() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for version in ["1.2", "2004"] {
        let package = ready(&app, &school, version).await;
        let page = open(&app, &page(&package)).await;
        assert_eq!(page.status, 200, "{}", page.body);
        assert_eq!(
            page.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(text(&page).contains(&format!("data-version=\"{version}\"")));
        let ticket = ticket(&package);
        let referred: Vec<&str> = text(&page)
            .split('"')
            .filter(|part| part.starts_with("preview/"))
            .collect();
        assert_eq!(referred.len(), 4, "{referred:?}");
        for address in referred {
            assert!(address.contains(&ticket), "{address}");
            if !address.ends_with("/package/") {
                let file = open(&app, &format!("/v1/scorm/{}/{address}", id(&package))).await;
                assert_eq!(file.status, 200, "{address}");
            }
        }
    }
}

#[actix_web::test]
async fn nothing_runs_inline_and_nothing_leaves() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let page = open(&app, &page(&package)).await;
    for inline in [
        "<script>", "<style", "style=", "onclick", "{ticket}", "{id}",
    ] {
        assert!(!text(&page).contains(inline), "{inline}");
    }
    let of_page = page.header("content-security-policy").unwrap();
    let frame = open(&app, &file_of(&package, "package/index.html")).await;
    let of_frame = frame.header("content-security-policy").unwrap();
    for policy in [of_page, of_frame] {
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
    }
    assert!(!of_frame.contains("connect-src"), "the package asks nobody");
    for answer in [&page, &frame] {
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    }
}

#[actix_web::test]
async fn files_of_the_archive_are_answered_as_what_they_are() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let script = |page: &Answer| {
        let (_, rest) = text(page).split_once("src=\"assets/player.").unwrap();
        format!("package/assets/player.{}", rest.split('"').next().unwrap())
    };
    let launch = open(&app, &file_of(&package, "package/index.html")).await;
    let files = [
        ("package/index.html", "text/html; charset=utf-8"),
        ("package/imsmanifest.xml", "application/xml"),
        ("package/imscp_v1p1.xsd", "application/xml"),
        (
            "package/content/course.js",
            "text/javascript; charset=utf-8",
        ),
        (&script(&launch), "text/javascript; charset=utf-8"),
        ("page/page.css", "text/css; charset=utf-8"),
        ("page/icon.svg", "image/svg+xml"),
    ];
    for (file, kind) in files {
        let answer = open(&app, &file_of(&package, file)).await;
        assert_eq!(answer.status, 200, "{file} {}", answer.body);
        assert_eq!(answer.header("content-type"), Some(kind), "{file}");
        assert!(!text(&answer).is_empty(), "{file}");
    }
    let course = open(&app, &file_of(&package, "package/content/course.js")).await;
    assert!(text(&course).starts_with("lyceumRegister(\"course\""));
}

#[actix_web::test]
async fn nobody_is_let_in_at_the_live_service_from_a_preview() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let service = open(&app, &file_of(&package, "package/content/service.js")).await;
    let nothing = "lyceumRegister(\"service\",\"service\",null);\n";
    assert_eq!((service.status, text(&service)), (200, nothing));
}

#[actix_web::test]
async fn what_is_not_in_the_archive_is_not_there() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let files = [
        "",
        "package",
        "package/",
        "package/content",
        "package/content/",
        "package/nothing.js",
        "package//index.html",
        "package/./index.html",
        "package/content/../index.html",
        "package/../page/page.css",
        "package/../../../download",
        "package/%2e%2e/%2e%2e/index.html",
        "package/..%2f..%2fetc%2fpasswd",
        "package//etc/passwd",
        "package/index.html%00.png",
        "page/nothing.js",
        "page/../package/index.html",
        "page/page.html",
        "elsewhere/index.html",
    ];
    for file in files {
        let answer = open(&app, &file_of(&package, file)).await;
        assert_eq!(answer.status, 404, "{file} {}", answer.body);
    }
}

#[actix_web::test]
async fn a_signature_opens_one_package_for_an_hour() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let other = ready(&app, &school, "1.2").await;
    let (page, file) = (page(&package), file_of(&package, "package/index.html"));
    let (expires, signature) = ticket(&package)
        .split_once('-')
        .map(|(expires, signature)| (expires.to_owned(), signature.to_owned()))
        .unwrap();
    let later = (expires.parse::<i64>().unwrap() + 1).to_string();
    // A download's signature is another: neither address can be made of the other.
    let download = package["download_url"].as_str().unwrap();
    let foreign = download.rsplit_once('=').unwrap().1;
    for address in [&page, &file] {
        for wrong in [
            address.replace(&signature, &"0".repeat(64)),
            address.replace(&signature, "xyz"),
            address.replace(&signature, foreign),
            address.replace(&expires, &later),
            address.replace(id(&package), id(&other)),
            address.replace(id(&package), "nonsense"),
        ] {
            let refused = open(&app, &wrong).await;
            assert_refused(&refused, 403, "link_expired", "");
        }
    }
    let cut = [
        file.replace(&ticket(&package), "nonsense"),
        page.split("&signature").next().unwrap().to_owned(),
        page.replace(&signature, ""),
        page.replace(&expires, "soon"),
    ];
    for cut in cut {
        assert_refused(&open(&app, &cut).await, 403, "link_expired", "");
    }
    app.clock.advance(60 * 60);
    for address in [&page, &file] {
        assert_eq!(open(&app, address).await.status, 200);
    }
    app.clock.advance(1);
    for address in [&page, &file] {
        let expired = open(&app, address).await;
        assert_refused(&expired, 403, "link_expired", "");
    }
}

#[actix_web::test]
async fn without_signature_the_page_takes_a_key_that_reads_courses() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let path = format!("/v1/scorm/{}/preview", id(&package));
    let page = app.send(request(&app.owner, "GET", &path)).await;
    assert_eq!(page.status, 200, "{}", page.body);
    // Its files are under a ticket, because a page sends no key for them.
    let (_, rest) = text(&page).split_once("data-files=\"").unwrap();
    let files = rest.split('"').next().unwrap();
    let launch = format!("/v1/scorm/{}/{files}index.html", id(&package));
    assert_eq!(open(&app, &launch).await.status, 200);
    assert_refused(&open(&app, &path).await, 401, "missing_api_key", "");
    let narrow = key(&app, &["read:students"]).await;
    let refused = app.call(&narrow, "GET", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
    let student = session(&app, crate::school::STUDENT).await;
    assert_eq!(app.call(&student, "GET", &path, None).await.status, 403);
    let other = app.another_workspace("other").await;
    let foreign = app.call(&other, "GET", &path, None).await;
    assert_refused(&foreign, 404, "resource_missing", "");
}

#[actix_web::test]
async fn a_package_that_is_revoked_or_deleted_is_no_longer_shown() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let revoked = ready(&app, &school, "2004").await;
    let view = done(&app, &format!("scorm/{}/revoke", id(&revoked))).await;
    assert_eq!(view.body["preview_url"], Value::Null);
    let deleted = ready(&app, &school, "1.2").await;
    app.delete(&format!("/v1/scorm/{}", id(&deleted))).await;
    for package in [revoked, deleted] {
        let own = format!("/v1/scorm/{}/preview", id(&package));
        let addresses = [page(&package), file_of(&package, "package/index.html")];
        for address in addresses {
            let gone = open(&app, &address).await;
            assert_refused(&gone, 404, "resource_missing", "");
        }
        assert_refused(&app.get(&own).await, 404, "resource_missing", "");
    }
}

#[actix_web::test]
async fn a_file_is_sent_in_part_and_not_again() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, &school, "2004").await;
    let path = file_of(&package, "package/index.html");
    let whole = open(&app, &path).await;
    let tag = whole.header("etag").unwrap();
    let known = TestRequest::with_uri(&path).insert_header(("If-None-Match", tag));
    let known = app.send(known).await;
    assert_eq!(known.status, 304);
    // What it says of itself takes the place of what was said with the file.
    let policy = |answer: &Answer| {
        let policy = answer.header("content-security-policy");
        policy.map(str::to_owned)
    };
    assert_eq!(policy(&known), policy(&whole));
    let range = |range: &'static str| TestRequest::with_uri(&path).insert_header(("Range", range));
    let part = app.send(range("bytes=2-8")).await;
    assert_eq!((part.status, text(&part)), (206, "DOCTYPE"));
    let said = format!("bytes 2-8/{}", text(&whole).len());
    assert_eq!(part.header("content-range"), Some(said.as_str()));
    for all in ["bytes=999999-", "bytes=5-2", "lines=1-2", "bytes=0-1,3-4"] {
        let answer = app.send(range(all)).await;
        assert_eq!((answer.status, &answer.body), (200, &whole.body), "{all}");
    }
}

#[actix_web::test]
async fn what_a_teacher_should_know_is_on_the_page_as_text() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}", school.lesson);
    let content = "![<b>Mill</b> & co](https://example.org/mill.png)";
    app.patch(&path, json!({"content": content})).await;
    let body = json!({"cohort_id": school.cohort});
    let asked = app.post("/v1/scorm", body).await;
    app.work().await;
    let package = app.get(&format!("/v1/scorm/{}", asked.id())).await.body;
    let warnings = package["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty(), "{package}");
    let page = open(&app, &page(&package)).await;
    let shown = text(&page).matches("<li dir=\"auto\">").count();
    assert_eq!(shown, warnings.len());
    assert!(!text(&page).contains("<b>"), "{}", page.body);
}
