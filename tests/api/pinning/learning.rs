//! What learners of a cohort do is about what they see: quizzes, work that is handed in, packages.

use serde_json::{Value, json};
use support::stores::Database;

use super::{BOTH, by_choice, change_all, cohort_path, seen_by, take, update_of};
use crate::school::{assert_refused, list, quiz};
use crate::{media, scorm};

#[actix_web::test]
async fn a_quiz_is_asked_and_scored_as_the_cohort_sees_it() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    let mut other = quiz();
    other["questions"][0]["options"][0]["correct"] = json!(false);
    other["questions"][0]["options"][1]["correct"] = json!(true);
    let path = format!("/v1/activities/{}", school.activity);
    app.patch(&path, json!({"content": other})).await;
    let attempts = format!("{path}/attempts");
    let answers = || json!({"answers": {"q1": "a"}});
    let tried = app.call(&learner, "POST", &attempts, Some(answers())).await;
    assert_eq!(tried.body["percent"], json!(100), "{}", tried.body);
    let mut told = answers();
    told["user_id"] = json!(school.student);
    let tried = app.post(&attempts, told).await;
    assert_eq!(tried.body["percent"], json!(100), "{}", tried.body);
    take(&app, &school, json!({})).await;
    let tried = app.call(&learner, "POST", &attempts, Some(answers())).await;
    assert_eq!(tried.body["percent"], json!(0), "{}", tried.body);
}

fn rubric(name: &str, points: u32) -> Value {
    json!({"criteria": [{"id": name.to_lowercase(), "name": name, "max_points": points}]})
}

/// What of a submission was judged.
async fn judged_by(app: &support::app::TestApp, submission: &str) -> Value {
    let submission = seen_by(app, &app.owner, &format!("submissions/{submission}")).await;
    submission["criteria"].clone()
}

#[actix_web::test]
async fn work_is_judged_by_the_task_that_its_learner_saw() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let assignment = format!("/v1/assignments/{}", school.assignment);
        let first = json!({"rubric": rubric("Cold", 10), "max_score": 10});
        app.patch(&assignment, first).await;
        take(&app, &school, json!({})).await;
        let second =
            json!({"rubric": rubric("Clean", 20), "max_score": 20, "instructions": "Clean it."});
        app.patch(&assignment, second).await;
        let work = json!({
            "assignment_id": school.assignment, "draft": false,
            "content": {"type": "text", "text": "I keep it cold."},
        });
        let work = app
            .call(&learner, "POST", "/v1/submissions", Some(work))
            .await;
        assert_eq!(work.status, 201, "{}", work.body);
        let id = work.id();
        let sees = seen_by(&app, &app.owner, &format!("submissions/{id}")).await;
        assert_eq!(sees["max_score"], json!(10), "{sees}");
        // The version that it names says what the learner saw.
        let number = &sees["assignment_version"];
        let path = format!("assignments/{}/versions", school.assignment);
        let versions = list(&app, &path).await;
        let version = versions.iter().find(|one| one["number"] == *number);
        let version = version.unwrap()["id"].as_str().unwrap();
        let version = seen_by(&app, &app.owner, &format!("versions/{version}")).await;
        assert_eq!(version["content"]["max_score"], json!(10), "{version}");
        let asked = app
            .post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        app.work().await;
        let by_ai = seen_by(&app, &app.owner, &format!("submissions/{id}")).await;
        assert_eq!(by_ai["ai_status"], "ready", "{by_ai}");
        assert_eq!(judged_by(&app, &id).await[0]["name"], "Cold");
        let other = school.hand_in(&app, "It is clean.").await;
        let criterion = &judged_by(&app, &id).await[0]["criterion_id"];
        let grade = json!({"criteria": [{"criterion_id": criterion, "score": 4}]});
        let graded = app
            .post(&format!("/v1/submissions/{other}/grade"), grade)
            .await;
        assert_eq!(graded.status, 200, "{}", graded.body);
        assert_eq!(graded.body["score"], json!(4));
    }
}

/// Whoever judges work reads the task that it answers, also beside work that answers another.
#[actix_web::test]
async fn work_is_shown_with_the_task_that_its_learner_saw() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let other = super::somebody_else(&app, &school).await;
        let changed = json!({"instructions": "Clean it."});
        let path = format!("/v1/assignments/{}", school.assignment);
        app.patch(&path, changed).await;
        let work = json!({
            "assignment_id": school.assignment, "draft": false,
            "content": {"type": "text", "text": "So I do."},
        });
        for caller in [&learner, &other] {
            let handed_in = app
                .call(caller, "POST", "/v1/submissions", Some(work.clone()))
                .await;
            assert_eq!(handed_in.status, 201, "{}", handed_in.body);
        }
        let path = "submissions?expand=assignment.html,user";
        let shown = seen_by(&app, &app.owner, path).await;
        for one in shown["data"].as_array().unwrap() {
            let task = &one["assignment"];
            let is_theirs = one["user"]["email"] == crate::school::STUDENT;
            assert_eq!(task["instructions"] == "Clean it.", !is_theirs, "{one}");
            let html = task["html"]["instructions"].as_str().unwrap();
            assert_eq!(html.contains("Clean"), !is_theirs, "{html}");
            let alone = format!(
                "submissions/{}?expand=assignment.html,user",
                one["id"].as_str().unwrap()
            );
            assert_eq!(seen_by(&app, &app.owner, &alone).await["assignment"], *task);
        }
    }
}

/// What was said of an answer to one task is not given to an answer to another.
#[actix_web::test]
async fn a_judgement_is_not_given_to_work_that_answers_another_task() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    let other = super::somebody_else(&app, &school).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    app.patch(&path, json!({"instructions": "Clean it."})).await;
    let work = json!({
        "assignment_id": school.assignment, "draft": false,
        "content": {"type": "text", "text": "So I do."},
    });
    let mut ids = Vec::new();
    for caller in [&other, &learner] {
        let handed_in = app
            .call(caller, "POST", "/v1/submissions", Some(work.clone()))
            .await;
        ids.push(handed_in.id());
    }
    let grade = format!("/v1/submissions/{}/grade", ids[0]);
    assert_eq!(app.post(&grade, json!({"score": 5})).await.status, 200);
    let give = format!("/v1/submissions/{}/alike", ids[0]);
    let asked = json!({"submission_ids": [ids[1]]});
    let given = app.post(&give, asked.clone()).await.body;
    assert_eq!(
        given["members"][0]["left_because"], "other_assignment",
        "{given}"
    );
    take(&app, &school, json!({})).await;
    let given = app.post(&give, asked).await.body;
    assert_eq!(given["members"][0]["left_because"], Value::Null, "{given}");
}

/// Nobody chooses what they are judged by: a cohort of others is named in vain.
#[actix_web::test]
async fn a_cohort_that_one_is_not_in_is_named_in_vain() {
    let (app, school, _) = by_choice(Database::Sqlite).await;
    let other = super::somebody_else(&app, &school).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    app.patch(&path, json!({"max_score": 50})).await;
    let work = json!({
        "assignment_id": school.assignment, "cohort_id": school.cohort, "draft": false,
        "content": {"type": "text", "text": "So I do."},
    });
    let work = app
        .call(&other, "POST", "/v1/submissions", Some(work))
        .await;
    assert_eq!(work.status, 201, "{}", work.body);
    assert_eq!(work.body["max_score"], json!(50), "{}", work.body);
}

/// Whoever has more time reads the same text.
#[actix_web::test]
async fn due_dates_reach_a_cohort_at_once() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    let path = format!("assignments/{}", school.assignment);
    let later = json!({
        "due_at": "2030-01-01T00:00:00.000Z", "late_policy": {"percent_per_day": 10},
        "instructions": "New.",
    });
    let changed = app.patch(&format!("/v1/{path}"), later.clone()).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let sees = seen_by(&app, &learner, &path).await;
    assert_eq!(sees["due_at"], later["due_at"]);
    assert_eq!(sees["late_policy"]["percent_per_day"], json!(10));
    assert_ne!(sees["instructions"], "New.");
    let update = update_of(&app, &school).await;
    assert_eq!(update["changes"][0]["fields"], json!(["instructions"]));
}

#[actix_web::test]
async fn whom_an_update_reaches_is_counted() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        app.call(
            &learner,
            "POST",
            &format!("{path}/complete"),
            Some(json!({})),
        )
        .await;
        app.patch(&path, json!({"summary": "Short."})).await;
        // Somebody elsewhere is done with it too.
        let other = super::somebody_else(&app, &school).await;
        app.call(&other, "POST", &format!("{path}/complete"), Some(json!({})))
            .await;
        let notices = update_of(&app, &school).await["notices"].clone();
        let one = json!([{"code": "completed_lessons", "count": 1, "learners": 1}]);
        assert_eq!(notices, one);
    }
}

#[actix_web::test]
async fn a_picture_that_a_pinned_text_shows_is_not_deleted() {
    for database in BOTH {
        let (app, school, _) = by_choice(database).await;
        let picture = media::picture("pinned");
        let picture = media::upload(&app, &app.owner, &picture, &[]).await.id();
        let lesson = format!("/v1/lessons/{}", school.lesson);
        let shows = json!({"content": format!("![Ice](media:{picture})")});
        app.patch(&lesson, shows).await;
        take(&app, &school, json!({})).await;
        app.patch(&lesson, json!({"content": "No picture."})).await;
        let path = format!("/v1/media/{picture}");
        let refused = app.delete(&path).await;
        assert_refused(&refused, 409, "media_in_use", &school.lesson);
        take(&app, &school, json!({})).await;
        assert_eq!(app.delete(&path).await.status, 200);
        assert_eq!(app.get(&cohort_path(&school)).await.status, 200);
    }
}

/// A package is of what the cohort sees, whenever it is made.
#[actix_web::test]
async fn packages_say_what_the_cohort_sees() {
    let (app, school, _) = by_choice(Database::Sqlite).await;
    let hash = async || {
        let package = scorm::ready(&app, json!({"cohort_id": school.cohort})).await;
        package["content_hash"].clone()
    };
    let before = hash().await;
    assert!(before.is_string(), "{before}");
    change_all(&app, &school).await;
    assert_eq!(hash().await, before);
    take(&app, &school, json!({})).await;
    assert_ne!(hash().await, before);
}
