//! Submissions come in and are graded.

use serde_json::{Value, json};
use support::app::Caller;

use super::Story;
use super::authoring::Course;
use super::running::People;

const TEXT: &str =
    "We pour the soup into shallow pans so that it falls from 60 to 5 °C within four hours.";

/// With so many answers a promise of at most three in ten can be tried for.
const ENOUGH: usize = 10;
/// With so many graded examples the built-in grader is calibrated.
const EXAMPLES: usize = 5;

pub async fn tell(story: &mut Story, course: &Course, people: &People) {
    let of = |id: &str| json!({ "id": id });
    session(story).await;
    due_dates(story, course, people).await;
    let submission = json!({
        "assignment_id": course.assignment, "user_id": people.student, "cohort_id": people.cohort,
        "content": { "type": "text", "text": TEXT }, "metadata": { "source": "app" },
    });
    let submission = story
        .tell("createSubmission", json!({}), submission)
        .await
        .id();
    let change = json!({ "metadata": { "pages": 1 } });
    story
        .tell("updateSubmission", of(&submission), change)
        .await;
    story
        .tell("submitSubmission", of(&submission), Value::Null)
        .await;
    story
        .tell(
            "gradeSubmissionWithAi",
            of(&submission),
            json!({ "model": "builtin" }),
        )
        .await;
    story.app.work().await;
    story
        .ask(
            "retrieveSubmission",
            of(&submission),
            json!({ "expand": "assignment" }),
        )
        .await;
    let query = json!({ "assignment_id": course.assignment, "status": "graded" });
    story.ask("listSubmissions", json!({}), query).await;
    let grade = json!({ "score": 80, "feedback": "Good plan; say who checks it.", "reason": "Nobody is named." });
    story.tell("gradeSubmission", of(&submission), grade).await;
    story.ask("listGrades", of(&submission), json!({})).await;
    give_alike(story, course, &submission).await;
    regrade(story, course).await;
    story
        .tell("explainGrade", of(&submission), Value::Null)
        .await;
    story.app.work().await;
    story
        .tell("returnSubmission", of(&submission), Value::Null)
        .await;
    story
        .ask(
            "deleteSubmission",
            of(&submission),
            json!({ "force": true }),
        )
        .await;
    approve(story, course, people).await;
    tutor(story, course).await;
}

/// More time for one student, and taken back.
async fn due_dates(story: &mut Story, course: &Course, people: &People) {
    let assignment = json!({ "id": course.assignment });
    let later = json!({ "user_id": people.student, "due_at": "2026-12-08T17:00:00Z" });
    let later = story
        .tell("createDueOverride", assignment.clone(), later)
        .await
        .id();
    let of = || json!({ "id": later });
    story
        .ask(
            "listDueOverrides",
            assignment,
            json!({ "user_id": people.student }),
        )
        .await;
    story.ask("retrieveDueOverride", of(), json!({})).await;
    let change = json!({ "due_at": "2026-12-10T17:00:00Z" });
    story.tell("updateDueOverride", of(), change).await;
    story.ask("deleteDueOverride", of(), json!({})).await;
}

/// The same judgement for another student who said the same.
async fn give_alike(story: &mut Story, course: &Course, judged: &str) {
    let other = json!({ "email": "alan@school.example", "role": "student" });
    let other = story.app.post("/v1/users", other).await.id();
    let submission = json!({
        "assignment_id": course.assignment, "user_id": other,
        "content": { "type": "text", "text": TEXT },
    });
    let other = story.app.post("/v1/submissions", submission).await.id();
    let assignment = json!({ "id": course.assignment });
    story.ask("retrieveGroups", assignment, json!({})).await;
    let given = json!({ "submission_ids": [other], "preview": true });
    story
        .tell("gradeAlike", json!({ "id": judged }), given)
        .await;
}

/// A grade that a person has to let stand.
async fn approve(story: &mut Story, course: &Course, people: &People) {
    let configure = format!("/v1/assignments/{}/configure", course.assignment);
    story
        .app
        .patch(
            &configure,
            json!({ "human_review": "required", "release": { "max_disagreement": 30 } }),
        )
        .await;
    let submission = json!({
        "assignment_id": course.assignment, "user_id": people.student,
        "content": { "type": "text", "text": TEXT },
    });
    let submission = story.app.post("/v1/submissions", submission).await.id();
    story
        .app
        .post(&format!("/v1/submissions/{submission}/ai"), json!({}))
        .await;
    story.app.work().await;
    let of = || json!({ "id": submission });
    story.tell("blindSubmission", of(), Value::Null).await;
    let assignment = json!({ "id": course.assignment });
    story
        .ask("retrieveCalibration", assignment.clone(), json!({}))
        .await;
    story
        .ask("retrieveConsistency", assignment.clone(), json!({}))
        .await;
    story
        .ask("retrieveAssignmentStatistics", assignment, json!({}))
        .await;
    story.tell("revealSubmission", of(), Value::Null).await;
    story.tell("approveSubmission", of(), Value::Null).await;
    story.tell("reopenSubmission", of(), Value::Null).await;
    certify(story, course, &people.student).await;
}

/// Attacks on the grader, which a certificate asks for.
async fn attack(story: &mut Story, assignment: &Value) {
    story
        .tell("startRedTeam", assignment.clone(), Value::Null)
        .await;
    settle(story).await;
    story
        .ask("retrieveRedTeam", assignment.clone(), json!({}))
        .await;
}

/// Lets batches come to their end.
async fn settle(story: &mut Story) {
    for _ in 0..3 {
        story.app.work().await;
        story.app.clock.advance(2);
    }
}

/// A regrade from its preview to its undoing, and everything that waits graded at once.
async fn regrade(story: &mut Story, course: &Course) {
    let assignment = json!({ "id": course.assignment });
    let wanted = json!({ "only_stale": false, "filter": { "status": "graded" } });
    let batch = story
        .tell("startRegrade", assignment.clone(), wanted)
        .await
        .id();
    settle(story).await;
    let of = || json!({ "id": batch });
    story.ask("retrieveBatch", of(), json!({})).await;
    story.ask("listBatchItems", of(), json!({})).await;
    let replace = json!({ "replace": [] });
    story.tell("commitRegrade", of(), replace).await;
    settle(story).await;
    story.tell("undoRegrade", of(), Value::Null).await;
    settle(story).await;
    story
        .ask("listRegrades", assignment.clone(), json!({}))
        .await;
    story
        .tell("gradeAllWithAi", assignment.clone(), json!({}))
        .await;
    story
        .tell("stopBulkGrading", assignment.clone(), Value::Null)
        .await;
    story
        .ask("retrieveBulkGrading", assignment.clone(), json!({}))
        .await;
    let again = story
        .app
        .post(
            &format!("/v1/assignments/{}/regrades", course.assignment),
            json!({}),
        )
        .await
        .id();
    story
        .tell("stopBatch", json!({ "id": again }), Value::Null)
        .await;
}

/// A try for a certificate, given up at once.
async fn certify(story: &mut Story, course: &Course, student: &str) {
    let configure = format!("/v1/assignments/{}/configure", course.assignment);
    let asked = json!({ "human_review": "optional" });
    story.app.patch(&configure, asked).await;
    let assignment = format!("/v1/assignments/{}", course.assignment);
    let unlimited = json!({ "max_attempts": null });
    story.app.patch(&assignment, unlimited).await;
    let there = story.app.get(&assignment).await.body;
    let criteria = there["rubric"]["criteria"].as_array().unwrap().iter();
    let points = |one: &Value| json!({ "criterion_id": one["id"], "score": one["max_points"] });
    let best: Vec<Value> = criteria.map(points).collect();
    for n in 0..ENOUGH + EXAMPLES {
        let submission = json!({
            "assignment_id": course.assignment, "user_id": student,
            "content": { "type": "text", "text": TEXT }, "draft": false,
        });
        let id = story.app.post("/v1/submissions", submission).await.id();
        if n < EXAMPLES {
            let graded = json!({ "criteria": best });
            let place = format!("/v1/submissions/{id}/grade");
            story.app.post(&place, graded).await;
        }
    }
    let assignment = json!({ "id": course.assignment });
    attack(story, &assignment).await;
    story
        .tell(
            "tryForCertificate",
            assignment.clone(),
            json!({ "tests": 30 }),
        )
        .await;
    story
        .ask("retrieveCertificate", assignment.clone(), json!({}))
        .await;
    story
        .ask("retrieveCertificateRecords", assignment.clone(), json!({}))
        .await;
    story.tell("endCertificate", assignment, Value::Null).await;
}

/// A student's own way in.
async fn session(story: &mut Story) {
    let token = story
        .tell(
            "startToken",
            json!({}),
            json!({ "email": "ada@school.example" }),
        )
        .await;
    let nobody = Caller {
        key: String::new(),
        platform: story.app.owner.platform.clone(),
    };
    let body = json!({ "token": token.body["token"] });
    story
        .tell_as(&nobody, "finishToken", json!({}), json!({}), body)
        .await;
}

/// Somebody asks about a lesson.
async fn tutor(story: &mut Story, course: &Course) {
    let lessons = format!("/v1/lessons?course_id={}", course.id);
    let lessons = story.app.get(&lessons).await.body;
    let all = lessons["data"].as_array().unwrap();
    let lesson = all
        .iter()
        .find(|lesson| lesson["name"] == "The danger zone");
    let question = json!({ "message": "How fast must food be cooled?" });
    let lesson = json!({ "id": lesson.unwrap()["id"] });
    story.tell("askTutor", lesson.clone(), question).await;
    story
        .ask("listTutorReplies", lesson.clone(), json!({}))
        .await;
    story.tell("previewLesson", lesson, Value::Null).await;
    let activity = json!({ "id": course.activity });
    story.tell("previewActivity", activity, Value::Null).await;
    let text = json!({
        "text": "Food is cooled **fast**:\n\n<marquee>now</marquee>", "course_id": course.id,
    });
    story.tell("renderText", json!({}), text).await;
    let answer = json!({
        "text": TEXT, "ai_evaluator": { "model": "builtin" },
        "rubric": { "criteria": [{ "id": "time", "name": "Says how fast", "max_points": 10 }] },
    });
    let assignment = json!({ "id": course.assignment });
    story.tell("tryGrading", assignment, answer).await;
}
