//! Activities over HTTP.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;

use crate::school::{School, assert_refused, list, made, quiz};

#[actix_web::test]
async fn an_activity_is_created_with_every_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let body = json!({
        "lesson_id": school.lesson, "kind": "quiz", "name": "Check", "content": quiz(),
        "metadata": {"k": 1},
    });
    let made = app.post("/v1/activities", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/activities/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_activity", made.body);
}

#[actix_web::test]
async fn content_is_checked_against_its_kind() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let cases = [
        (
            "quiz",
            json!({"cards": []}),
            "missing_field",
            "content.questions",
        ),
        (
            "quiz",
            json!({"questions": [{"type": "quiz", "prompt": "?"}]}),
            "invalid_field",
            "content.questions[0].type",
        ),
        (
            "quiz",
            json!({"questions": [{"type": "open"}]}),
            "missing_field",
            "content.questions[0].prompt",
        ),
        (
            "flashcards",
            json!({"cards": [{"front": "F"}]}),
            "missing_field",
            "content.cards[0].back",
        ),
        (
            "explainer",
            json!({"sections": [5]}),
            "invalid_field",
            "content.sections[0]",
        ),
        (
            "podcast",
            json!({"speakers": [{"name": "A"}], "segments": {}}),
            "invalid_field",
            "content.segments",
        ),
        ("video", json!({"url": ""}), "invalid_field", "content.url"),
        (
            "reflection",
            json!({"min_words": 5}),
            "missing_field",
            "content.prompt",
        ),
        ("game", json!({}), "invalid_field", "kind"),
    ];
    for (kind, content, code, field) in cases {
        let body =
            json!({"lesson_id": school.lesson, "kind": kind, "name": "A", "content": content});
        assert_refused(&app.post("/v1/activities", body).await, 400, code, field);
    }
}

#[actix_web::test]
async fn every_problem_of_the_content_is_named_at_once() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let content = json!({"passing_percent": 200, "questions": [
        {"type": "true_false", "prompt": "?"},
        {"type": "single_choice", "prompt": "?", "options": [{"text": " "}, {"text": "B", "correct": true}]},
    ]});
    let new = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "A", "content": content});
    let made = app.post("/v1/activities", new).await;
    let path = format!("/v1/activities/{}", school.activity);
    let changed = app.patch(&path, json!({"content": content})).await;
    for refused in [made, changed] {
        assert_refused(&refused, 400, "missing_field", "content.passing_percent");
        let fields = refused.body["error"]["fields"].as_object().unwrap();
        let named: Vec<&String> = fields.keys().collect();
        assert_eq!(
            named,
            [
                "content.passing_percent",
                "content.questions[0].answer",
                "content.questions[1].options[0].text",
            ]
        );
    }
}

#[actix_web::test]
async fn questions_and_options_without_ids_are_given_some() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let content = json!({"questions": [{"type": "single_choice", "prompt": "?",
        "options": [{"text": "A", "correct": true}, {"text": "B"}]}]});
    let path = format!("/v1/activities/{}", school.activity);
    let changed = app.patch(&path, json!({"content": content})).await;
    let question = &changed.body["content"]["questions"][0];
    assert_eq!(question["id"], "q1", "{}", changed.body);
    assert_eq!(question["options"][1], json!({"id": "o2", "text": "B"}));
    assert_eq!(app.get(&path).await.body, changed.body);
}

#[actix_web::test]
async fn every_kind_can_be_created_empty_and_written_later() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for kind in [
        "quiz",
        "flashcards",
        "explainer",
        "podcast",
        "video",
        "reflection",
    ] {
        let body = json!({"lesson_id": school.lesson, "kind": kind, "name": kind});
        let made = app.post("/v1/activities", body).await;
        assert_eq!(
            (made.status, &made.body["content"]),
            (201, &json!({})),
            "{kind}"
        );
        let found = list(&app, &format!("activities?kind={kind}")).await;
        assert_eq!(found[0]["id"], json!(made.id()), "{kind}");
    }
}

#[actix_web::test]
async fn content_is_replaced_whole_and_the_kind_stays() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/activities/{}", school.activity);
    let content = json!({"questions": [], "shuffle": true});
    let patch = json!({"content": content, "kind": "video"});
    let changed = app.patch(&path, patch).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(
        (&changed.body["content"], &changed.body["kind"]),
        (&content, &json!("quiz"))
    );
    assert_eq!(changed.header("x-ignored-fields"), Some("kind"));
    let wrong = app
        .patch(&path, json!({"content": {"url": "https://x.example"}}))
        .await;
    assert_refused(&wrong, 400, "missing_field", "content.questions");
    assert_eq!(app.get(&path).await.body["content"], content);
}

#[actix_web::test]
async fn activities_move_within_their_lesson_and_to_another_of_the_course() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let other = json!({"unit_id": school.unit, "name": "Other"});
    let other = made(&app, &app.owner, "lessons", other).await;
    let second = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "Second"});
    let second = made(&app, &app.owner, "activities", second).await;
    let ids = async |lesson: &str| -> Vec<Value> {
        let activities = list(&app, &format!("activities?lesson_id={lesson}")).await;
        activities
            .iter()
            .map(|one| json!([one["id"], one["position"]]))
            .collect()
    };
    let path = format!("/v1/activities/{second}/move");
    app.post(&path, json!({"position": 0})).await;
    assert_eq!(
        ids(&school.lesson).await,
        [json!([second, 0]), json!([school.activity, 1])]
    );
    let moved = app
        .post(&path, json!({"position": 9, "lesson_id": other}))
        .await;
    assert_eq!(
        (moved.status, &moved.body["position"]),
        (200, &json!(0)),
        "{}",
        moved.body
    );
    assert_eq!(ids(&school.lesson).await, [json!([school.activity, 0])]);
    assert_eq!(ids(&other).await, [json!([second, 0])]);
    let course = json!({"name": "Elsewhere", "language": "en"});
    let course = made(&app, &app.owner, "courses", course).await;
    let unit = made(
        &app,
        &app.owner,
        "units",
        json!({"course_id": course, "name": "U"}),
    )
    .await;
    let lesson = made(
        &app,
        &app.owner,
        "lessons",
        json!({"unit_id": unit, "name": "L"}),
    )
    .await;
    let refused = app
        .post(&path, json!({"position": 0, "lesson_id": lesson}))
        .await;
    assert_refused(&refused, 400, "invalid_field", "lesson_id");
}

#[actix_web::test]
async fn a_deleted_activity_closes_its_gap() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let second = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "Second"});
    made(&app, &app.owner, "activities", second).await;
    let path = format!("/v1/activities/{}", school.activity);
    assert_eq!(
        app.delete(&path).await.body,
        json!({"deleted": true, "id": school.activity})
    );
    let left = list(&app, &format!("activities?lesson_id={}", school.lesson)).await;
    assert_eq!((left.len(), &left[0]["position"]), (1, &json!(0)));
}
