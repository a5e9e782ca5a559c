//! Texts that nobody has saved, as they would be shown.

use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::media;
use crate::school::{School, app_on, assert_refused, key, list};

async fn render(app: &TestApp, body: Value) -> Answer {
    app.post("/v1/texts/render", body).await
}

fn html(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[rstest]
#[actix_web::test]
async fn a_text_is_shown_as_it_would_be_once_it_is_saved(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let medium = media::ready(&app, "own").await;
    let text = format!(
        "# Ice\n\n> [!NOTE]\n> Cool *fast*, $x^2$.\n\n![A pump](media:{})\n\n<iframe></iframe>",
        medium["id"].as_str().unwrap()
    );
    let before = list(&app, "events?limit=1").await;
    let shown = render(&app, json!({"text": text, "lesson_id": school.lesson})).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert_eq!(shown.body["object"], "rendered_text");
    assert_eq!(shown.body["warnings"][0]["line"], 8);
    assert_eq!(list(&app, "events?limit=1").await, before);
    let path = format!("/v1/lessons/{}", school.lesson);
    let saved = app.patch(&path, json!({ "content": text })).await;
    assert_eq!(
        shown.body["warnings"][0]["message"],
        saved.body["warnings"][0]["message"]
    );
    let saved = app.get(&format!("{path}?expand=html")).await.body;
    assert_eq!(html(&shown.body["html"]), html(&saved["html"]["content"]));
}

#[actix_web::test]
async fn the_words_of_ours_are_in_the_language_of_the_lesson_or_the_course() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let note = "> [!NOTE]\n> x";
    let course = format!("/v1/courses/{}", school.course);
    app.patch(&course, json!({"language": "de"})).await;
    for (place, word) in [
        (json!({"text": note}), "Note"),
        (json!({"text": note, "course_id": school.course}), "Hinweis"),
        (json!({"text": note, "lesson_id": school.lesson}), "Hinweis"),
    ] {
        let shown = render(&app, place).await.body;
        assert!(html(&shown["html"]).contains(word), "{shown}");
    }
    let lesson = format!("/v1/lessons/{}", school.lesson);
    app.patch(&lesson, json!({"language": "es"})).await;
    let both = json!({"text": note, "lesson_id": school.lesson, "course_id": school.course});
    let shown = render(&app, both).await.body;
    assert!(html(&shown["html"]).contains("Nota"), "{shown}");
}

#[actix_web::test]
async fn media_of_another_workspace_are_not_shown() {
    let app = TestApp::start().await;
    let stranger = app.another_workspace("other").await;
    let medium = media::ready(&app, "own").await;
    let text = format!("![A pump](media:{})", medium["id"].as_str().unwrap());
    let body = Some(json!({ "text": text }));
    let shown = app
        .call(&stranger, "POST", "/v1/texts/render", body)
        .await
        .body;
    let html = html(&shown["html"]);
    assert!(
        html.contains("[A pump]") && !html.contains("signature"),
        "{html}"
    );
    assert_eq!(shown["warnings"].as_array().unwrap().len(), 1, "{shown}");
}

#[actix_web::test]
async fn learners_and_other_keys_have_nothing_rendered_and_long_texts_are_refused() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let narrow = key(&app, &["read:lessons", "ai:generate"]).await;
    for caller in [&learner, &narrow] {
        let body = Some(json!({"text": "x"}));
        let refused = app.call(caller, "POST", "/v1/texts/render", body).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
    for scope in ["read:courses", "write:courses"] {
        let caller = key(&app, &[scope]).await;
        let body = Some(json!({"text": "x"}));
        let shown = app.call(&caller, "POST", "/v1/texts/render", body).await;
        assert_eq!(shown.status, 200, "{scope} {}", shown.body);
    }
    let long = render(&app, json!({"text": "x".repeat(100_001)})).await;
    assert_refused(&long, 400, "invalid_field", "text");
    let deep = render(&app, json!({"text": ">".repeat(90_000)})).await;
    assert_eq!(deep.status, 200, "{}", deep.body);
    assert!(html(&deep.body["html"]).starts_with("<pre>"));
}
