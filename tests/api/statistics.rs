//! What a task tells: how its points are spread, and what its criteria and questions say.

use std::sync::Arc;

use lyceum_domain::Timestamp;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::environment::Clock;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, key, made};

/// Two criteria of ten points each.
fn rubric() -> Value {
    let criterion = |id: &str| json!({"id": id, "name": id.to_uppercase(), "max_points": 10});
    json!({"rubric": {"criteria": [criterion("time"), criterion("place")]}, "human_review": "off"})
}

/// A learner of a number.
async fn learner(app: &TestApp, n: usize) -> String {
    let body =
        json!({"email": format!("learner{n}@school.example"), "name": format!("Learner {n}")});
    made(app, &app.owner, "users", body).await
}

/// Hands in for a learner and grades it at both criteria; the submission's id.
async fn graded(app: &TestApp, school: &School, user: &str, (time, place): (u32, u32)) -> String {
    let body = json!({
        "assignment_id": school.assignment, "user_id": user, "draft": false,
        "content": {"type": "text", "text": "Cool it fast."},
    });
    let submission = made(app, &app.owner, "submissions", body).await;
    let criteria = json!({"criteria": [
        {"criterion_id": "time", "score": time}, {"criterion_id": "place", "score": place},
    ]});
    let path = format!("/v1/submissions/{submission}/grade");
    let answer = app.post(&path, criteria).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    submission
}

async fn statistics(app: &TestApp, of: &str, query: &str) -> Value {
    let answer = app.get(&format!("/v1/{of}/statistics{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[rstest]
#[actix_web::test]
async fn an_assignment_tells_how_its_points_are_spread_and_what_its_criteria_say(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    school.configure(&app, rubric()).await;
    let place = format!("assignments/{}", school.assignment);
    let nobody = statistics(&app, &place, "").await;
    assert_eq!(
        (&nobody["learners"], &nobody["distribution"]),
        (&json!(0), &Value::Null)
    );
    // Who is good at the one is good at the other.
    let mut users = Vec::new();
    for n in 0..10_u32 {
        let user = learner(&app, usize::try_from(n).unwrap()).await;
        graded(&app, &school, &user, (n, n)).await;
        users.push(user);
    }
    // A better attempt counts, and one that nobody has graded does not.
    graded(&app, &school, &users[0], (10, 10)).await;
    school.hand_in(&app, "Not graded yet.").await;

    let told = statistics(&app, &place, "").await;

    assert_eq!(told["item_id"], json!(school.assignment));
    assert_eq!(
        (&told["attempt"], &told["is_complete"]),
        (&json!("best"), &json!(true))
    );
    assert_eq!(told["learners"], 11);
    let spread = &told["distribution"];
    assert_eq!(
        *spread,
        json!({
            "learners": 10, "min": 10, "lower_quartile": 32.5, "median": 55, "upper_quartile": 77.5, "max": 100, "mean": 55,
            "bins": [0, 1, 1, 1, 1, 1, 1, 1, 1, 2],
        })
    );
    let of_part = |id: &str| {
        json!({
            "id": id, "name": id.to_uppercase(), "max_score": 10, "learners": 10, "difficulty": 0.55, "discrimination": 1.0,
        })
    };
    assert_eq!(told["parts"], json!([of_part("time"), of_part("place")]));
    // Only of a cohort.
    let enrolling = format!("/v1/cohorts/{}/students", school.cohort);
    assert_eq!(
        app.post(&format!("/v1/courses/{}/publish", school.course), json!({}))
            .await
            .status,
        200
    );
    assert_eq!(
        app.post(&enrolling, json!({"user_id": users[4]}))
            .await
            .status,
        201
    );
    let here = statistics(&app, &place, &format!("?cohort_id={}", school.cohort)).await;
    assert_eq!(
        (&here["cohort_id"], &here["learners"]),
        (&json!(school.cohort), &json!(1))
    );
    assert_eq!(here["distribution"]["mean"], 40);
    assert_eq!(
        here["parts"][0]["discrimination"],
        Value::Null,
        "of one learner nothing is told"
    );
}

#[rstest]
#[actix_web::test]
async fn an_assignment_tells_how_long_learners_waited_for_a_grade_that_they_see(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    school.configure(&app, rubric()).await;
    let place = format!("assignments/{}", school.assignment);
    assert_eq!(
        statistics(&app, &place, "").await["time_to_feedback"],
        Value::Null
    );
    for (n, hours) in [(1, 1), (2, 30), (3, 500)] {
        let user = learner(&app, n).await;
        let body = json!({
            "assignment_id": school.assignment, "user_id": user, "draft": false,
            "content": {"type": "text", "text": "Cool it fast."},
        });
        let submission = made(&app, &app.owner, "submissions", body).await;
        app.clock.advance(hours * 3_600);
        let path = format!("/v1/submissions/{submission}/grade");
        let answer = app.post(&path, json!({"score": 50})).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(
            answer.body["decided_at"],
            json!(app.clock.now().to_string())
        );
    }
    // Nobody has seen a grade of this.
    school.hand_in(&app, "Not graded yet.").await;
    let told = statistics(&app, &place, "").await["time_to_feedback"].clone();
    let spread = [
        (json!(3_600), 1),
        (json!(86_400), 0),
        (json!(172_800), 1),
        (json!(259_200), 0),
        (json!(604_800), 0),
        (json!(1_209_600), 0),
        (Value::Null, 1),
    ];
    let spread = spread.map(|(most, grades)| json!({"up_to_seconds": most, "grades": grades}));
    let expected = json!({
        "grades": 3, "median_seconds": 108_000, "ninth_decile_seconds": 1_800_000, "longest_seconds": 1_800_000,
        "spread": spread,
    });
    assert_eq!(told, expected);
}

#[rstest]
#[actix_web::test]
async fn an_assignment_tells_what_members_made_of_grades_of_ai(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let answers = [60, 80, 90].map(|score| proposal(&[("overall", score, "store it below")]));
    let provider: Arc<dyn AiProvider> = ScriptedAi::new(answers.to_vec());
    let app = TestApp::on(database, provider).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    let mut work = Vec::new();
    for n in 0..3 {
        let user = learner(&app, n).await;
        let body = json!({
            "assignment_id": school.assignment, "user_id": user, "draft": false,
            "content": {"type": "text", "text": format!("Text {n}: store it below 5 °C.")},
        });
        let submission = made(&app, &app.owner, "submissions", body).await;
        let path = format!("/v1/submissions/{submission}");
        let asked = app.post(&format!("{path}/ai"), json!({})).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        app.work().await;
        work.push(path);
    }
    let place = format!("assignments/{}", school.assignment);
    let decisions = async || statistics(&app, &place, "").await["decisions"].clone();
    assert_eq!(decisions().await, json!([]), "nobody has decided");
    let decided = async |at: usize, how: &str, body: Value| {
        let answer = app.post(&format!("{}/{how}", work[at]), body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    };
    decided(0, "approve", json!({})).await;
    decided(1, "grade", json!({"score": 90})).await;
    let first = monday_before(app.clock.now());
    // In the week after next, and nothing between them.
    app.clock.advance(14 * 24 * 3_600);
    decided(2, "grade", json!({"score": 40})).await;
    // What a person graded alone is no decision about a grade of AI.
    let alone = school.hand_in(&app, "Graded by a person.").await;
    let path = format!("/v1/submissions/{alone}/grade");
    assert_eq!(app.post(&path, json!({"score": 9})).await.status, 200);

    let week = |begins: &Timestamp, decided: [usize; 3], difference: f64| {
        let [decisions, same, near] = decided;
        json!({
            "begins_at": begins.to_string(), "decisions": decisions, "same": same, "within_tenth": near,
            "mean_difference": difference,
        })
    };
    let later = monday_before(app.clock.now());
    let expected = json!([week(&first, [2, 1, 2], -0.05), week(&later, [1, 0, 0], 0.5)]);
    assert_eq!(decisions().await, expected);
    // What is taken back was decided by nobody.
    decided(2, "reopen", json!({})).await;
    assert_eq!(decisions().await, json!([week(&first, [2, 1, 2], -0.05)]));
}

/// Counted day by day.
fn monday_before(moment: Timestamp) -> Timestamp {
    let day = 24 * 3_600 * 1_000;
    let monday = Timestamp::from_unix_millis(4 * day);
    let mut begins = monday;
    while begins.unix_millis() + 7 * day <= moment.unix_millis() {
        begins = Timestamp::from_unix_millis(begins.unix_millis() + 7 * day);
    }
    begins
}

#[rstest]
#[actix_web::test]
async fn a_quiz_tells_what_its_questions_say(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    let place = format!("activities/{}", school.activity);
    let attempts = format!("/v1/{place}/attempts");
    for (n, answer) in ["a", "b", "b", "b"].into_iter().enumerate() {
        let user = learner(&app, n).await;
        let tried = app
            .post(
                &attempts,
                json!({"user_id": user, "answers": {"q1": answer}}),
            )
            .await;
        assert_eq!(tried.status, 201, "{}", tried.body);
    }
    let told = statistics(&app, &place, "").await;
    assert_eq!(
        (&told["learners"], &told["max_score"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(told["distribution"]["mean"], 0.25);
    assert_eq!(
        told["parts"],
        json!([{
            "id": "q1", "name": "How cold?", "max_score": 1, "learners": 4, "difficulty": 0.25, "discrimination": null,
        }])
    );
    let mine = json!({"user_id": school.student, "answers": {"q1": "a"}});
    assert_eq!(app.post(&attempts, mine).await.status, 201);
    let here = statistics(&app, &place, &format!("?cohort_id={}", school.cohort)).await;
    assert_eq!(
        (&here["learners"], &here["distribution"]["mean"]),
        (&json!(1), &json!(1))
    );
}

#[actix_web::test]
async fn what_waits_for_a_blind_grade_or_a_look_is_not_told() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    let submission = school.hand_in(&app, "Cool the rice fast.").await;
    let place = format!("/v1/submissions/{submission}");
    assert_eq!(
        app.post(&format!("{place}/ai"), json!({})).await.status,
        202
    );
    app.work().await;
    assert_eq!(app.get(&place).await.body["status"], "in_review");
    let of = format!("assignments/{}", school.assignment);
    let held = statistics(&app, &of, "").await;
    assert_eq!(
        (&held["learners"], &held["distribution"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(held["parts"][0]["learners"], 0);
    assert_eq!(
        app.post(&format!("{place}/approve"), json!({}))
            .await
            .status,
        200
    );
    let out = statistics(&app, &of, "").await;
    assert_eq!(out["distribution"]["learners"], 1);
    // What the built-in engine left to people says nothing of its criterion.
    assert_eq!(out["parts"][0]["learners"], 0, "{out}");
}

#[actix_web::test]
async fn what_is_no_task_and_who_takes_another_course_is_refused() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let other = json!({"name": "Drinks", "language": "en"});
    let other = made(&app, &app.owner, "courses", other).await;
    let cohort = json!({"course_id": other, "name": "Autumn"});
    let cohort = made(&app, &app.owner, "cohorts", cohort).await;
    let cards = json!({"lesson_id": school.lesson, "kind": "flashcards", "name": "Cards"});
    let cards = made(&app, &app.owner, "activities", cards).await;
    let assignment = format!("/v1/assignments/{}/statistics", school.assignment);
    let elsewhere = app.get(&format!("{assignment}?cohort_id={cohort}")).await;
    assert_refused(&elsewhere, 400, "invalid_field", "cohort_id");
    let unknown = app
        .get(&format!("{assignment}?cohort_id=coh_nothing"))
        .await;
    assert_refused(&unknown, 400, "invalid_field", "cohort_id");
    let cards = app.get(&format!("/v1/activities/{cards}/statistics")).await;
    assert_refused(&cards, 404, "resource_missing", "");
    let learner = school.student_session(&app).await;
    let refused = app.call(&learner, "GET", &assignment, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "");
    let narrow = key(&app, &["read:submissions"]).await;
    assert_eq!(
        app.call(&narrow, "GET", &assignment, None).await.status,
        200
    );
    let stranger = app.another_workspace("other").await;
    let unseen = app.call(&stranger, "GET", &assignment, None).await;
    assert_refused(&unseen, 404, "resource_missing", "");
}
