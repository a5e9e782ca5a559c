//! Texts as whoever reads them sees them: `expand=html`, and what is said to whoever writes what cannot be shown.

use std::sync::Arc;

use actix_web::test::TestRequest;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::generation_steps::{read, with};
use crate::media::{picture, ready, upload};
use crate::school::{School, app_on, assert_refused, made};

const NOWHERE: &str = "med_00000000000000000000000001";

async fn lesson(app: &TestApp, school: &School, content: &str) -> Answer {
    let body = json!({"unit_id": school.unit, "name": "Ice", "content": content});
    let made = app.post("/v1/lessons", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made
}

/// Place, line and message of each warning.
fn told(answer: &Answer) -> Vec<(String, Value, String)> {
    let warnings = answer.body["warnings"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let word = |of: &Value| of.as_str().unwrap().to_owned();
    warnings
        .iter()
        .map(|one| {
            (
                word(&one["field"]),
                one["line"].clone(),
                word(&one["message"]),
            )
        })
        .collect()
}

async fn html(app: &TestApp, path: &str) -> Value {
    let shown = app.get(&format!("{path}?expand=html")).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    shown.body["html"].clone()
}

#[rstest]
#[actix_web::test]
async fn what_a_text_loses_is_told_to_whoever_writes_it_and_is_no_part_of_the_lesson(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let content = format!(
        "One\n\n<iframe src=\"https://x.example\"></iframe>\n\n$\\nosuch$\n\n![A pot](media:{NOWHERE})"
    );
    let made = lesson(&app, &school, &content).await;
    let found = told(&made);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found[0],
        (
            "content".to_owned(),
            json!(3),
            "the element <iframe> is not taken and was left out".to_owned()
        )
    );
    assert!(
        found[1].1 == 5
            && found[1]
                .2
                .starts_with("a formula is shown as it was written"),
        "{found:?}"
    );
    assert!(
        found[2].1.is_null() && found[2].2.contains(NOWHERE),
        "{found:?}"
    );

    let path = format!("/v1/lessons/{}", made.id());
    let shown = app.get(&path).await;
    assert!(shown.body.get("warnings").is_none(), "{}", shown.body);
    // The tag of what was written is that of what is read, so the next change is let through.
    assert_eq!(shown.header("etag"), made.header("etag"));
    let change = request(&app.owner, "PATCH", &path)
        .insert_header(("if-match", made.header("etag").unwrap()))
        .set_json(json!({"name": "Cold"}));
    let changed = app.send(change).await;
    assert_eq!(
        (changed.status, told(&changed).len()),
        (200, 3),
        "{}",
        changed.body
    );

    let mended = app
        .patch(&path, json!({"content": "All *well*, and 3 < 5."}))
        .await;
    assert!(mended.body.get("warnings").is_none(), "{}", mended.body);
    assert_eq!(app.get(&path).await.body, mended.body);
}

#[actix_web::test]
async fn a_write_that_is_sent_again_is_warned_of_again() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let send = || async {
        let body = json!({"unit_id": school.unit, "name": "Ice", "content": "<form>x</form>"});
        let once = request(&app.owner, "POST", "/v1/lessons")
            .insert_header(("idempotency-key", "once"))
            .set_json(body);
        app.send(once).await
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!((first.status, told(&first).len()), (201, 1));
    assert_eq!(first.body, second.body);
}

#[actix_web::test]
async fn texts_of_activities_assignments_and_courses_are_named_by_their_places() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let quiz = json!({"questions": [
        {"type": "true_false", "prompt": "<blink>a</blink>", "answer": true},
        {"type": "single_choice", "prompt": "b", "options": [
            {"text": "[c](https://x.example)", "correct": true}, {"text": "d", "feedback": "![](https://x.example/y.png)"}]},
    ]});
    let body =
        json!({"lesson_id": school.lesson, "kind": "quiz", "name": "Check", "content": quiz});
    let made = app.post("/v1/activities", body).await;
    let fields: Vec<String> = told(&made).into_iter().map(|(field, ..)| field).collect();
    assert_eq!(
        fields,
        [
            "content.questions[0].prompt",
            "content.questions[1].options[0].text",
            "content.questions[1].options[1].feedback"
        ],
        "{}",
        made.body
    );
    let rubric = json!({"criteria": [{"name": "Facts", "max_points": 5, "description": "<iframe></iframe>"}]});
    let path = format!("/v1/assignments/{}", school.assignment);
    let changed = app
        .patch(
            &path,
            json!({"instructions": "<object></object>", "rubric": rubric}),
        )
        .await;
    let fields: Vec<String> = told(&changed)
        .into_iter()
        .map(|(field, ..)| field)
        .collect();
    assert_eq!(
        fields,
        ["instructions", "rubric.criteria[0].description"],
        "{}",
        changed.body
    );
    let path = format!("/v1/courses/{}", school.course);
    let changed = app
        .patch(&path, json!({"description": "[x](javascript:alert(1))"}))
        .await;
    assert_eq!(told(&changed)[0].0, "description", "{}", changed.body);
}

#[actix_web::test]
async fn a_picture_is_described_here_or_in_the_library_or_somebody_is_told() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let medium = ready(&app, "a").await["id"].as_str().unwrap().to_owned();
    let undescribed = lesson(&app, &school, &format!("![](media:{medium})")).await;
    let found = told(&undescribed);
    assert!(
        found.len() == 1 && found[0].2.contains("has no description"),
        "{found:?}"
    );
    assert!(told(&lesson(&app, &school, &format!("![A pot](media:{medium})")).await).is_empty());
    app.patch(&format!("/v1/media/{medium}"), json!({"alt_text": ""}))
        .await;
    assert!(told(&lesson(&app, &school, &format!("![](media:{medium})")).await).is_empty());
}

#[rstest]
#[actix_web::test]
async fn texts_are_shown_as_html_with_media_that_load(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let medium = ready(&app, "a").await;
    let id = medium["id"].as_str().unwrap();
    let content = format!(
        "# Zone\n\n$x^2$ <script>alert(1)</script>\n\n![A pot](media:{id}) [the sheet](media:{id})\n\n| a |\n|---|\n| 1 |\n\n> [!NOTE]\n> Cold.\n\nمرحبا ![Far](https://x.example/y.png)"
    );
    let made = lesson(&app, &school, &content).await;
    let shown = html(&app, &format!("/v1/lessons/{}", made.id())).await;
    let shown = shown["content"].as_str().unwrap();
    for part in [
        "<h2 dir=\"auto\">Zone</h2>",
        "<math",
        "<table",
        ">Note<",
        "alt=\"A pot\" width=\"1\" height=\"1\"",
        "<img src=\"https://x.example/y.png\" alt=\"Far\"",
    ] {
        assert!(shown.contains(part), "{part} {shown}");
    }
    assert!(
        !shown.contains("script") && !shown.contains("media:"),
        "{shown}"
    );
    // Whoever has the page needs no key to see its pictures.
    for before in ["<img src=\"", "<a href=\""] {
        let address = shown
            .split(before)
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap();
        let address = address
            .replace("&amp;", "&")
            .replace("http://lyceum.test", "");
        let loaded = app.send(TestRequest::get().uri(&address)).await;
        assert_eq!(loaded.status, 200, "{address} {}", loaded.body);
    }
}

#[actix_web::test]
async fn activities_assignments_and_whole_courses_are_shown_too() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let quiz = json!({"questions": [
        {"id": "q1", "type": "cloze", "prompt": "*Fill*", "text": "Below {{a}} °C, **always**", "blanks": [{"id": "a", "accepted_answers": ["5"]}]},
        {"id": "q2", "type": "matching", "prompt": "Match", "pairs": [{"left": "$a$", "right": "**b**"}, {"left": "c", "right": "d"}]},
    ]});
    let path = format!("/v1/activities/{}", school.activity);
    app.patch(&path, json!({"content": quiz})).await;
    let shown = html(&app, &path).await;
    assert_eq!(shown["content.questions[0].prompt"], "<em>Fill</em>");
    let cloze = shown["content.questions[0].text"].as_str().unwrap();
    assert!(
        cloze.contains("{{a}}") && cloze.contains("<strong>always</strong>"),
        "{cloze}"
    );
    assert_eq!(shown["content.questions[1].pairs[0].right"], "b");
    let assignment = format!("/v1/assignments/{}", school.assignment);
    app.patch(&assignment, json!({"instructions": "Write **it**."}))
        .await;
    assert_eq!(
        html(&app, &assignment).await["instructions"],
        "<p dir=\"auto\">Write <strong>it</strong>.</p>\n"
    );
    let course = app
        .get(&format!(
            "/v1/courses/{}?expand=html,units.lessons.html,units.lessons.activities.html",
            school.course
        ))
        .await;
    let of_lesson = &course.body["units"][0]["lessons"][0];
    assert_eq!(
        of_lesson["html"]["content"], "<p dir=\"auto\">Keep it cold.</p>\n",
        "{}",
        course.body
    );
    assert_eq!(of_lesson["activities"][0]["html"], shown);
    assert_eq!(course.body["html"], json!({"description": ""}));
    let listed = app
        .get(&format!("/v1/lessons?unit_id={}&expand=html", school.unit))
        .await;
    assert_eq!(listed.body["data"][0]["html"], of_lesson["html"]);
}

#[rstest]
#[actix_web::test]
async fn words_that_no_author_wrote_are_in_the_language_of_the_text(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let course = format!("/v1/courses/{}", school.course);
    app.patch(&course, json!({"language": "fr"})).await;
    let text = "> [!NOTE]\n> x\n\n- [x] y\n\nz[^1]\n\n[^1]: w";
    let path = format!("/v1/lessons/{}", lesson(&app, &school, text).await.id());
    let name = "<p class=\"callout-name\" dir=\"auto\">";
    let shown = html(&app, &path).await["content"].to_string();
    let french = json!(format!("{name}Remarque</p>")).to_string();
    assert!(shown.contains(french.trim_matches('"')), "{shown}");
    app.patch(&path, json!({"language": "de-AT"})).await;
    let shown = html(&app, &path).await["content"].to_string();
    for word in ["Hinweis", "Erledigt", "Fußnoten", "Zurück zum Text"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    // An activity has its lesson's, and an assignment its course's.
    let activity = json!({"lesson_id": path.rsplit('/').next(), "kind": "reflection", "name": "Think",
        "content": {"prompt": text}});
    let activity = made(&app, &app.owner, "activities", activity).await;
    let shown = html(&app, &format!("/v1/activities/{activity}")).await;
    assert!(shown.to_string().contains("Hinweis"), "{shown}");
    let assignment = format!("/v1/assignments/{}", school.assignment);
    app.patch(&assignment, json!({"instructions": text})).await;
    let shown = html(&app, &assignment).await;
    assert!(shown.to_string().contains("Remarque"), "{shown}");
}

#[actix_web::test]
async fn a_learner_is_shown_the_texts_they_may_read_and_no_others() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let quiz = json!({"questions": [{"id": "q1", "type": "single_choice", "prompt": "Which?", "explanation": "Because **a**.",
        "options": [{"text": "a", "correct": true, "feedback": "Right"}, {"text": "b"}]}]});
    let path = format!("/v1/activities/{}", school.activity);
    app.patch(&path, json!({"content": quiz})).await;
    let teacher = html(&app, &path).await;
    assert!(
        teacher.get("content.questions[0].explanation").is_some(),
        "{teacher}"
    );
    let learner = school.student_session(&app).await;
    let shown = app
        .call(&learner, "GET", &format!("{path}?expand=html"), None)
        .await;
    let fields: Vec<&String> = shown.body["html"].as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        [
            "content.questions[0].options[0].text",
            "content.questions[0].options[1].text",
            "content.questions[0].prompt"
        ],
        "{}",
        shown.body
    );
}

#[actix_web::test]
async fn another_workspaces_medium_leaves_its_description() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let other = app.another_workspace("other").await;
    let theirs = upload(&app, &other, &picture("theirs"), &[]).await;
    app.work().await;
    let made = lesson(&app, &school, &format!("![A pot](media:{})", theirs.id())).await;
    assert!(
        told(&made)[0].2.contains("there is no such medium"),
        "{}",
        made.body
    );
    let shown = html(&app, &format!("/v1/lessons/{}", made.id())).await;
    assert_eq!(shown["content"], "<p>[A pot]</p>\n");
}

#[actix_web::test]
async fn a_picture_that_is_not_shown_is_named_in_few_words() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let inline = format!("![](data:image/png;base64,{})", "A".repeat(5_000));
    for (content, why) in [
        ("![A map](map.png)", "begin with https:"),
        ("![A map](http://x.example/map.png)", "begin with https:"),
        (inline.as_str(), "has no description"),
    ] {
        let found = told(&lesson(&app, &school, content).await);
        assert!(
            found.iter().any(|one| one.2.contains(why)),
            "{content} {found:?}"
        );
        assert!(found.iter().all(|one| one.2.len() < 400), "{found:?}");
    }
    let pairs = json!([{"left": "a", "right": "![b](https://x.example/b.png)"}, {"left": "c", "right": "d"}]);
    let quiz = json!({"questions": [{"type": "matching", "prompt": "?", "pairs": pairs}]});
    let path = format!("/v1/activities/{}", school.activity);
    let found = told(&app.patch(&path, json!({"content": quiz})).await);
    assert!(
        found.len() == 1 && found[0].2.contains("words alone"),
        "{found:?}"
    );
}

#[actix_web::test]
async fn html_is_for_reading_and_has_an_end() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}?expand=html", school.lesson);
    assert_refused(
        &app.patch(&path, json!({"name": "x"})).await,
        400,
        "invalid_expand",
        "",
    );
    assert_refused(
        &app.get(&format!("/v1/units/{}?expand=html", school.unit))
            .await,
        400,
        "invalid_expand",
        "",
    );
    let long = "a\n\n".repeat(30_000);
    for _ in 0..4 {
        lesson(&app, &school, &long).await;
    }
    let all = app
        .get(&format!("/v1/lessons?unit_id={}&expand=html", school.unit))
        .await;
    assert_refused(&all, 400, "too_large_to_expand", "");
    let message = all.body["error"]["message"].as_str().unwrap();
    assert!(message.contains("lessons/{id}"), "{message}");
}

#[actix_web::test]
async fn a_text_that_nests_too_deep_is_shown_as_it_was_written() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let made = lesson(&app, &school, &">".repeat(3_000)).await;
    assert!(told(&made)[0].2.contains("200 levels"), "{}", made.body);
    let shown = html(&app, &format!("/v1/lessons/{}", made.id())).await;
    let shown = shown["content"].as_str().unwrap();
    assert!(shown.starts_with("<pre>&gt;&gt;"), "{shown}");
}

#[actix_web::test]
async fn what_a_drafted_text_loses_is_told_with_the_draft() {
    let ai = ScriptedAi::model(vec![Scripted::Itself]);
    ai.writes("Cold.\n\n<iframe src=\"x\"></iframe>");
    let app = with(&(Arc::clone(&ai)), Database::Sqlite).await;
    let school = School::open(&app).await;
    let empty = json!({"unit_id": school.unit, "name": "Ice"});
    let lesson = made(&app, &app.owner, "lessons", empty).await;
    let asked = app
        .post(&format!("/v1/lessons/{lesson}/generate"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    let ready = read(&app, &asked.id()).await;
    let warnings = ready["result"]["warnings"].to_string();
    assert!(
        warnings.contains("content, line 3: the element <iframe> is not taken"),
        "{ready}"
    );
}

#[actix_web::test]
async fn the_style_of_what_is_shown_is_there_for_every_page_and_sent_once() {
    let app = TestApp::start().await;
    let style = app.send(TestRequest::with_uri("/v1/content.css")).await;
    assert_eq!(style.status, 200, "{}", style.body);
    assert_eq!(
        style.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    let rules = style.body.as_str().unwrap();
    for rule in [".callout", "code .k", ".footnotes", "math["] {
        assert!(rules.contains(rule), "{rule}");
    }
    let tag = style.header("etag").unwrap();
    let again = TestRequest::with_uri("/v1/content.css").insert_header(("if-none-match", tag));
    let again = app.send(again).await;
    assert_eq!((again.status, again.header("etag")), (304, Some(tag)));
    let other = TestRequest::with_uri("/v1/content.css").insert_header(("if-none-match", "\"x\""));
    assert_eq!(app.send(other).await.status, 200);
}
