//! It runs for a cohort, and leaves as a package.

use lyceum_application::exporting::scorm_learners::launch_key;
use serde_json::{Value, json};
use support::app::Caller;

use super::Story;
use super::authoring::Course;

/// Who takes part.
pub struct People {
    pub cohort: String,
    pub student: String,
}

pub async fn tell(story: &mut Story, course: &Course) -> People {
    let of = |id: &str| json!({ "id": id });
    let student = json!({
        "email": "ada@school.example", "name": "Ada Lovelace", "role": "student", "language": "en",
        "external_id": "emp-1042", "metadata": { "team": "morning" },
    });
    let student = story.tell("createUser", json!({}), student).await.id();
    story.ask("retrieveUser", of(&student), json!({})).await;
    story
        .ask(
            "listUsers",
            json!({}),
            json!({ "role": "student", "q": "ada" }),
        )
        .await;
    story
        .tell(
            "updateUser",
            of(&student),
            json!({ "metadata": { "team": "evening" } }),
        )
        .await;

    let cohort = json!({
        "course_id": course.id, "name": "Winter 2026", "timezone": "Europe/Madrid", "capacity": 30,
        "starts_at": "2026-12-01T08:00:00Z", "ends_at": "2027-01-31T18:00:00Z",
    });
    let cohort = story.tell("createCohort", json!({}), cohort).await.id();
    story
        .ask("retrieveCohort", of(&cohort), json!({ "expand": "course" }))
        .await;
    story
        .ask(
            "listCohorts",
            json!({}),
            json!({ "course_id": course.id, "status": "draft" }),
        )
        .await;
    story
        .tell("updateCohort", of(&cohort), json!({ "capacity": 40 }))
        .await;
    story.tell("startCohort", of(&cohort), Value::Null).await;
    story
        .tell("enrollStudent", of(&cohort), json!({ "user_id": student }))
        .await;
    story
        .ask("listCohortStudents", of(&cohort), json!({}))
        .await;
    updating(story, course, &cohort).await;
    packages(story, &cohort).await;
    learning(story, course, &cohort, &student).await;
    People { cohort, student }
}

/// What changes of the course reaches the cohort by choice.
async fn updating(story: &mut Story, course: &Course, cohort: &str) {
    let of = || json!({ "id": cohort });
    let path = format!("/v1/cohorts/{cohort}");
    let manual = json!({ "updates": "manual" });
    assert_eq!(story.app.patch(&path, manual).await.status, 200);
    let lesson = format!("/v1/lessons/{}", course.lesson);
    let text = "Bacteria double every 20 minutes between 5 and 60 °C. Cool food from 60 to 10 °C within two hours.";
    let changed = story.app.patch(&lesson, json!({ "content": text })).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    story.ask("retrieveCohortUpdate", of(), json!({})).await;
    let update = story.app.get(&format!("{path}/update")).await;
    let seen = json!({ "revision": update.body["revision"] });
    story.tell("takeCohortUpdate", of(), seen).await;
}

/// The student learns.
async fn learning(story: &mut Story, course: &Course, cohort: &str, student: &str) {
    let of = |id: &str| json!({ "id": id });
    let done = json!({ "user_id": student, "cohort_id": cohort });
    story.tell("completeLesson", of(&course.lesson), done).await;
    let answers = json!({ "user_id": student, "answers": { "q1": "a" } });
    story
        .tell("createAttempt", of(&course.activity), answers)
        .await;
    let query = json!({ "user_id": student });
    story.ask("listAttempts", of(&course.activity), query).await;
    story
        .ask(
            "retrieveActivityStatistics",
            of(&course.activity),
            json!({}),
        )
        .await;
    story.ask("listCohortProgress", of(cohort), json!({})).await;
    story.ask("listGradebook", of(cohort), json!({})).await;
    story.ask("listCohortStanding", of(cohort), json!({})).await;
    story.ask("listUserProgress", of(student), json!({})).await;
}

async fn packages(story: &mut Story, cohort: &str) {
    let of = |id: &str| json!({ "id": id });
    let wanted = json!({ "cohort_id": cohort, "version": "1.2", "runtime_base_url": "https://learn.example.com",
        "allowed_origins": ["https://moodle.example"], "launch_expires_at": "2027-06-30T16:00:00Z", "max_learners": 200 });
    let package = story
        .tell("createScormPackage", json!({}), wanted)
        .await
        .id();
    story.app.work().await;
    story
        .ask("retrieveScormPackage", of(&package), json!({}))
        .await;
    story
        .ask("listScormPackages", json!({}), json!({ "status": "ready" }))
        .await;
    launch(story, &package).await;
    story
        .ask("listScormSessions", of(&package), json!({}))
        .await;
    story
        .tell("revokeScormPackage", of(&package), Value::Null)
        .await;
    story
        .tell("deleteScormPackage", of(&package), Value::Null)
        .await;
}

/// Somebody opens the package in their LMS.
async fn launch(story: &mut Story, package: &str) {
    let key = launch_key(&story.app.app.settings, package.parse().unwrap());
    let nobody = Caller {
        key: String::new(),
        platform: story.app.owner.platform.clone(),
    };
    let body = json!({
        "launch_key": key.unwrap().reveal(),
        "learner": { "id": "jdoe", "name": "Doe, Jane" },
        "lms": { "version": "1.2", "origin": "https://moodle.example", "title": "Campus" },
        "proof": null, "nonce": "3Vq0rJm1c9PzXwT5uE7yBg",
    });
    story
        .tell_as(
            &nobody,
            "createScormSession",
            json!({ "id": package }),
            json!({}),
            body,
        )
        .await;
}

/// The cohort ends and goes.
pub async fn end(story: &mut Story, _: &Course, people: &People) {
    let of = |id: &str| json!({ "id": id });
    let place = json!({ "id": people.cohort, "user_id": people.student });
    story.tell("withdrawStudent", place, Value::Null).await;
    story
        .tell("endCohort", of(&people.cohort), Value::Null)
        .await;
    story
        .tell("reopenCohort", of(&people.cohort), Value::Null)
        .await;
    story
        .app
        .post(&format!("/v1/cohorts/{}/end", people.cohort), json!({}))
        .await;
    story
        .tell("archiveCohort", of(&people.cohort), Value::Null)
        .await;
    story
        .ask("deleteCohort", of(&people.cohort), json!({ "force": true }))
        .await;
    story
        .ask("deleteUser", of(&people.student), json!({ "force": true }))
        .await;
}
