//! Who sees what waits, and who does not: authors who ask; no learner, and nothing that is made for them.

use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use super::{BOTH, assert_has, now, published, told, wait};
use crate::media;
use crate::school::{School, app_on, assert_refused, done, key, list, quiz};

#[actix_web::test]
async fn lists_show_what_waits_to_authors_who_ask() {
    let (app, school) = published(Database::Sqlite).await;
    for (path, body) in school.changes() {
        wait(&app, &path, body).await;
    }
    for (path, body) in school.changes() {
        let collection = path.split('/').next().unwrap();
        let will = list(&app, &format!("{collection}?draft=true")).await;
        assert_has(&will[0], &body);
        assert_ne!(will[0], list(&app, collection).await[0]);
    }
}

/// Every way in which whoever learns, or what is made for them, could come by a text.
async fn seen_by_learners(app: &TestApp, school: &School, learner: &Caller) -> String {
    let mut seen = String::new();
    for path in [
        format!("/v1/lessons/{}?expand=html,activities,unit", school.lesson),
        format!("/v1/units/{}?expand=lessons.activities", school.unit),
        format!("/v1/activities/{}?expand=html", school.activity),
        format!("/v1/assignments/{}?expand=html,unit", school.assignment),
        "/v1/lessons?q=Chill".to_owned(),
        "/v1/lessons?expand=html".to_owned(),
        "/v1/units".to_owned(),
        "/v1/activities".to_owned(),
        "/v1/assignments".to_owned(),
    ] {
        let answer = app.call(learner, "GET", &path, None).await;
        assert_eq!(answer.status, 200, "{path} {}", answer.body);
        seen.push_str(&answer.body.to_string());
    }
    let message = Some(json!({"message": "What do I do at once?"}));
    let path = format!("/v1/lessons/{}/tutor", school.lesson);
    seen.push_str(
        &app.call(learner, "POST", &path, message)
            .await
            .body
            .to_string(),
    );
    for path in [
        "events?limit=100",
        "trash",
        "courses?q=Chill",
        "lessons?q=Chill",
    ] {
        seen.push_str(&json!(list(app, path).await).to_string());
    }
    let copy = app
        .post(&format!("/v1/courses/{}/clone", school.course), json!({}))
        .await;
    let not_copied = copy.body["not_copied"].as_array().unwrap();
    let waiting = json!({"object": "waiting_change", "field": null, "count": 5});
    assert!(not_copied.contains(&waiting), "{}", copy.body);
    seen.push_str(
        &now(
            app,
            &format!("courses/{}?expand=units.lessons.activities", copy.id()),
        )
        .await
        .to_string(),
    );
    seen.push_str(
        &json!(list(app, &format!("lessons/{}/versions", school.lesson)).await).to_string(),
    );
    seen
}

#[actix_web::test]
async fn learners_see_nothing_of_what_waits() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    for (path, body) in school.changes() {
        wait(&app, &path, body).await;
    }
    let seen = seen_by_learners(&app, &school, &learner).await;
    assert!(!seen.contains("Chill"), "{seen}");
    let readers = key(&app, &["read:lessons"]).await;
    for caller in [&learner, &readers] {
        for (path, _) in school.changes() {
            for path in [
                format!("/v1/{path}?draft=true"),
                format!("/v1/{}?draft=true", path.split('/').next().unwrap()),
            ] {
                let refused = app.call(caller, "GET", &path, None).await;
                assert_eq!(refused.status, 403, "{path} {}", refused.body);
            }
        }
        let path = format!("/v1/courses/{}/draft", school.course);
        assert_eq!(app.call(caller, "GET", &path, None).await.status, 403);
    }
}

#[actix_web::test]
async fn what_learners_will_notice_is_counted() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let learner = school.student_session(&app).await;
        let path = format!("/v1/lessons/{}/complete", school.lesson);
        app.call(&learner, "POST", &path, Some(json!({}))).await;
        let path = format!("/v1/activities/{}/attempts", school.activity);
        app.call(
            &learner,
            "POST",
            &path,
            Some(json!({"answers": {"q1": "a"}})),
        )
        .await;
        let work = school.hand_in(&app, "Cold.").await;
        for (path, body) in school.changes() {
            wait(&app, &path, body).await;
        }
        let one = |code: &str| json!({"code": code, "count": 1, "learners": 1});
        let before = ["cohorts_under_way", "completed_lessons", "tried_activities"];
        let notices = |last: &str| {
            json!(
                before
                    .iter()
                    .copied()
                    .chain([last])
                    .map(one)
                    .collect::<Vec<_>>()
            )
        };
        assert_eq!(
            school.draft(&app).await["notices"],
            notices("ungraded_work")
        );
        app.post(
            &format!("/v1/submissions/{work}/grade"),
            json!({"score": 1}),
        )
        .await;
        assert_eq!(school.draft(&app).await["notices"], notices("graded_work"));
    }
}

#[actix_web::test]
async fn what_waits_goes_to_the_trash_and_comes_back_with_what_it_waits_for() {
    for database in BOTH {
        let (app, school) = published(database).await;
        for (path, body) in school.changes() {
            wait(&app, &path, body).await;
        }
        app.delete(&format!("/v1/lessons/{}", school.lesson)).await;
        let left: Vec<Value> = told(&school.draft(&app).await)
            .iter()
            .map(|one| one["object"].clone())
            .collect();
        assert_eq!(json!(left), json!(["course", "unit", "assignment"]));
        let item = &list(&app, &format!("trash?object_id={}", school.lesson)).await[0]["id"];
        done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
        assert_eq!(told(&school.draft(&app).await).len(), 5);
        let lesson = now(&app, &format!("lessons/{}?draft=true", school.lesson)).await;
        assert_eq!(lesson["content"], "Chill it at once.");
    }
}

#[actix_web::test]
async fn a_quiz_that_waits_is_asked_as_it_was() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let mut other = quiz();
    other["questions"][0]["options"][0]["correct"] = json!(false);
    other["questions"][0]["options"][1]["correct"] = json!(true);
    wait(
        &app,
        &format!("activities/{}", school.activity),
        json!({"content": other}),
    )
    .await;
    let path = format!("/v1/activities/{}/attempts", school.activity);
    let answers = || Some(json!({"answers": {"q1": "a"}}));
    let tried = app.call(&learner, "POST", &path, answers()).await;
    assert_eq!(tried.body["percent"], json!(100), "{}", tried.body);
    school.publish_draft(&app, json!({})).await;
    let tried = app.call(&learner, "POST", &path, answers()).await;
    assert_eq!(tried.body["percent"], json!(0), "{}", tried.body);
}

#[actix_web::test]
async fn a_picture_that_a_waiting_text_shows_is_not_deleted() {
    for database in BOTH {
        let (app, school) = published(database).await;
        let picture = media::upload(&app, &app.owner, &media::picture("wait"), &[])
            .await
            .id();
        let lesson = format!("lessons/{}", school.lesson);
        let text = json!({"content": format!("![Ice](media:{picture})")});
        wait(&app, &lesson, text).await;
        let path = format!("/v1/media/{picture}");
        let refused = app.delete(&path).await;
        assert_refused(&refused, 409, "media_in_use", &school.lesson);
        app.delete(&format!("/v1/courses/{}/draft", school.course))
            .await;
        assert_eq!(app.delete(&path).await.status, 200);
    }
}
