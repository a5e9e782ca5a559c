//! Trying lessons and activities before anybody gets them: who may, what is played, and what it reaches.

use actix_web::test::TestRequest;
use rstest::rstest;
use serde_json::json;
use support::app::{Answer, TestApp, request};
use support::stores::Database;

use crate::media;
use crate::school::{School, app_on, assert_refused, key, list};
use crate::scorm::bytes;

async fn open(app: &TestApp, path: &str) -> Answer {
    app.send(TestRequest::with_uri(path)).await
}

fn text(answer: &Answer) -> &str {
    answer.body.as_str().unwrap_or_default()
}

/// Path and query of the page that plays this, such as `lessons/les_…`.
pub async fn page_of(app: &TestApp, thing: &str) -> String {
    let made = app.post(&format!("/v1/{thing}/preview"), json!({})).await;
    assert_eq!(made.status, 200, "{}", made.body);
    assert_eq!(made.body["object"], "preview");
    let url = made.body["url"].as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

/// Where a file of what is played is, by what the page refers to.
async fn file_of(app: &TestApp, page: &str, file: &str) -> String {
    let shown = open(app, page).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    let (_, behind) = text(&shown).split_once("src=\"preview/").unwrap();
    let (ticket, _) = behind.split_once('/').unwrap();
    let (place, _) = page.split_once('?').unwrap();
    format!("{place}/{ticket}/{file}")
}

async fn played(app: &TestApp, page: &str, file: &str) -> Answer {
    open(app, &file_of(app, page, &format!("package/{file}")).await).await
}

/// The file in which a lesson's content is.
fn content(school: &School) -> String {
    format!("content/{}-{}.js", school.unit, school.lesson)
}

#[rstest]
#[actix_web::test]
async fn a_lesson_is_played_as_it_is_saved_with_the_player_of_packages(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let page = page_of(&app, &format!("lessons/{}", school.lesson)).await;
    let launch = played(&app, &page, "index.html").await;
    assert_eq!(launch.status, 200, "{}", launch.body);
    let outline = played(&app, &page, "content/course.js").await;
    let outline = text(&outline);
    assert!(outline.contains(&school.lesson) && outline.contains(&school.activity));
    assert!(!outline.contains(&school.assignment), "{outline}");
    let before = played(&app, &page, &content(&school)).await;
    assert!(text(&before).contains("Keep it cold."), "{}", before.body);
    // The same address shows what is saved since.
    let path = format!("/v1/lessons/{}", school.lesson);
    app.patch(&path, json!({"content": "Keep it *hot*."})).await;
    let after = played(&app, &page, &content(&school)).await;
    assert!(text(&after).contains("<em>hot"), "{}", after.body);
    // Every file that the launch page refers to is there.
    let script = text(&launch).split("src=\"").skip(1);
    for file in script.filter_map(|part| part.split('"').next()) {
        let answer = played(&app, &page, file).await;
        assert_eq!(answer.status, 200, "{file}");
        assert_eq!(
            answer.header("content-type"),
            Some("text/javascript; charset=utf-8")
        );
    }
    let none = played(&app, &page, "imsmanifest.xml").await;
    assert_refused(&none, 404, "resource_missing", "");
}

#[actix_web::test]
async fn an_activity_is_played_alone_and_from_its_first_page() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let other = json!({"lesson_id": school.lesson, "kind": "reflection", "name": "Think", "content": {"prompt": "Why?"}});
    let other = app.post("/v1/activities", other).await.id();
    let page = page_of(&app, &format!("activities/{}", school.activity)).await;
    let outline = played(&app, &page, "content/course.js").await;
    let lesson_step = format!("\"id\":\"{}\"", school.lesson);
    assert!(text(&outline).contains(&school.activity));
    assert!(!text(&outline).contains(&other) && !text(&outline).contains(&lesson_step));
    let content = played(&app, &page, &content(&school)).await;
    assert!(text(&content).contains("How cold?") && !text(&content).contains("Keep it cold."));
    let lms = played(&app, &page, "content/service.js").await;
    let begins = format!("\"cmi.location\": \"{}\"", school.activity);
    assert!(text(&lms).contains(&begins), "{}", lms.body);
}

#[actix_web::test]
async fn what_is_tried_runs_by_itself_reaches_nobody_and_says_so() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}", school.lesson);
    app.patch(&path, json!({"name": "<script>{ticket}</script>"}))
        .await;
    let page = page_of(&app, &format!("lessons/{}", school.lesson)).await;
    let shown = open(&app, &page).await;
    assert!(text(&shown).contains("nothing is kept"));
    assert!(text(&shown).contains("&lt;script&gt;{ticket}&lt;/script&gt;"));
    assert!(!text(&shown).contains(&app.owner.key));
    let of_page = shown.header("content-security-policy").unwrap();
    assert!(of_page.ends_with("frame-ancestors 'self'"), "{of_page}");
    let launch = played(&app, &page, "index.html").await;
    let of_frame = launch.header("content-security-policy").unwrap();
    let (_, sandbox) = of_frame.split_once("; sandbox ").unwrap();
    assert!(!sandbox.contains("same-origin") && !sandbox.contains("top-navigation"));
    for policy in [of_page, of_frame] {
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"));
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
    }
    assert!(!of_frame.contains("connect-src"), "it asks nobody");
    for answer in [&shown, &launch] {
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    let events = list(&app, "events?limit=1").await;
    page_of(&app, &format!("lessons/{}", school.lesson)).await;
    assert_eq!(list(&app, "events?limit=1").await, events);
}

#[rstest]
#[actix_web::test]
async fn media_of_the_library_are_played_from_where_they_are_kept_and_nobody_elses(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let medium = media::ready(&app, "own").await;
    let stranger = app.another_workspace("other").await;
    let foreign = media::upload(&app, &stranger, &media::picture("foreign"), &[]).await;
    app.work().await;
    let written = format!(
        "![A pump](media:{}) ![Theirs](media:{})",
        medium["id"].as_str().unwrap(),
        foreign.id()
    );
    let path = format!("/v1/lessons/{}", school.lesson);
    app.patch(&path, json!({"content": written})).await;
    let page = page_of(&app, &format!("lessons/{}", school.lesson)).await;
    let lesson = played(&app, &page, &content(&school)).await;
    assert_eq!(text(&lesson).matches("<img").count(), 1, "{}", lesson.body);
    let (_, behind) = text(&lesson).split_once("src=\\\"media/").unwrap();
    let (name, _) = behind.split_once('\\').unwrap();
    let file = file_of(&app, &page, &format!("package/media/{name}")).await;
    let shown = bytes(&app, TestRequest::with_uri(&file)).await;
    assert_eq!(shown.0, 200);
    assert_eq!(shown.1.first_chunk(), Some(b"\x89PNG"));
    let unknown = file_of(&app, &page, "package/media/0000000000000000.png").await;
    assert_refused(&open(&app, &unknown).await, 404, "resource_missing", "");
}

#[actix_web::test]
async fn an_address_opens_what_it_was_made_for_and_that_for_a_while() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let page = page_of(&app, &format!("lessons/{}", school.lesson)).await;
    let file = file_of(&app, &page, "package/index.html").await;
    let other = app.another_workspace("other").await;
    let theirs = School::of(&app, &other).await;
    let elsewhere = |path: &str| path.replace(&school.lesson, &theirs.lesson);
    let (place, _) = page.split_once('?').unwrap();
    let as_activity = page.replace(
        &format!("lessons/{}", school.lesson),
        &format!("activities/{}", school.activity),
    );
    for wrong in [
        place.to_owned(),
        page.replace("signature=", "signature=0"),
        page.replace("expires=1", "expires=2"),
        elsewhere(&page),
        elsewhere(&file),
        as_activity,
        file.replace("/preview/", "/preview/x"),
        format!("{place}/x/package/index.html"),
    ] {
        assert_refused(&open(&app, &wrong).await, 403, "link_expired", "");
    }
    assert_eq!(open(&app, &file).await.status, 200);
    app.clock.advance(30 * 60 + 1);
    for late in [&page, &file] {
        assert_refused(&open(&app, late).await, 403, "link_expired", "");
    }
    // What was deleted is not played any more.
    let page = page_of(&app, &format!("lessons/{}", school.lesson)).await;
    app.delete(&format!("/v1/lessons/{}", school.lesson)).await;
    assert_refused(&open(&app, &page).await, 404, "resource_missing", "");
}

#[actix_web::test]
async fn learners_and_narrow_keys_are_given_no_address() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let narrow = key(&app, &["read:lessons", "write:students"]).await;
    let stranger = app.another_workspace("other").await;
    for thing in [
        format!("lessons/{}", school.lesson),
        format!("activities/{}", school.activity),
    ] {
        let path = format!("/v1/{thing}/preview");
        for caller in [&learner, &narrow] {
            let refused = app.send(request(caller, "POST", &path)).await;
            assert_refused(&refused, 403, "insufficient_scope", "scope");
        }
        let nowhere = app.send(request(&stranger, "POST", &path)).await;
        assert_refused(&nowhere, 404, "resource_missing", "");
    }
}
