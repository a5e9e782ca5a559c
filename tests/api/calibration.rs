//! How AI and the teacher agree, and which answers are to be graded next.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, done, key, list};

/// Answers from right to wrong, and what the teacher gives each of them of ten points.
const ANSWERS: [(&str, u16); 10] = [
    (
        "Cool the rice within two hours and store it below five degrees.",
        10,
    ),
    (
        "Store the rice below five degrees after you cool it within two hours.",
        10,
    ),
    (
        "Within two hours the rice must be cool, then below five degrees.",
        10,
    ),
    ("Cool the rice within two hours.", 6),
    ("Store it below five degrees.", 5),
    ("Put the rice in the fridge soon.", 4),
    ("Rice is eaten in many countries.", 0),
    ("I like soup more than rice.", 0),
    ("Wash your hands before you cook.", 0),
    ("Nobody told us about this.", 0),
];

fn rubric() -> Value {
    json!({"criteria": [{
        "id": "a", "name": "Cooling", "max_points": 10,
        "key_points": ["Cool the rice within two hours", "Store it below five degrees"],
    }]})
}

/// A school whose ten answers the built-in grader has graded, all of which wait.
async fn school(database: Database) -> (TestApp, School, Vec<String>) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let wanted = json!({"rubric": rubric(), "ai_evaluator": {"enabled": true}});
    school.configure(&app, wanted).await;
    let mut ids = Vec::new();
    for (text, _) in ANSWERS {
        ids.push(school.hand_in(&app, text).await);
    }
    app.work().await;
    (app, school, ids)
}

async fn calibration(app: &TestApp, school: &School) -> Value {
    let path = format!("/v1/assignments/{}/calibration", school.assignment);
    let answer = app.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn grade_blind(app: &TestApp, id: &str, points: u16) {
    done(app, &format!("submissions/{id}/blind")).await;
    let given = json!({"criteria": [{"criterion_id": "a", "score": points}]});
    let graded = app
        .post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
}

fn names(list: &Value) -> BTreeSet<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|name| name.as_str().unwrap()).collect()
}

#[actix_web::test]
async fn at_first_it_says_what_to_grade_and_that_nothing_is_known() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, school, ids) = school(database).await;
        let told = calibration(&app, &school).await;
        assert_eq!(
            (&told["examples"], &told["agreement"]),
            (&json!(0), &Value::Null)
        );
        let standing = json!({
            "decided": 0, "released": 0, "held": 10, "ungraded": 0,
            "held_because": told["standing"]["held_because"],
        });
        assert_eq!(told["standing"], standing);
        assert_eq!(told["standing"]["held_because"]["uncalibrated"], 10);
        let (next, all) = (
            names(&told["next"]),
            ids.iter().map(String::as_str).collect(),
        );
        assert_eq!(next.len(), 5);
        assert!(next.is_subset(&all), "{told}");
        assert_eq!(names(&told["drawn"]), all);
        assert_eq!(calibration(&app, &school).await, told, "the same each time");
    }
}

#[actix_web::test]
async fn the_built_in_grader_is_held_against_blind_grades_that_it_has_not_seen() {
    let (app, school, ids) = school(Database::Sqlite).await;
    for (id, (_, points)) in ids.iter().zip(ANSWERS) {
        grade_blind(&app, id, points).await;
    }
    let told = calibration(&app, &school).await;
    assert_eq!(
        (&told["examples"], &told["blind_grades"]),
        (&json!(10), &json!(10))
    );
    let agreement = &told["agreement"];
    assert_eq!(agreement["method"], "leave_one_out");
    assert_eq!(agreement["answers"], 10);
    for figure in [
        "exact",
        "within_tenth",
        "flips",
        "disagreements",
        "kappa",
        "mean_difference",
    ] {
        let figure = &agreement[figure];
        let [low, value, high] = ["low", "value", "high"].map(|end| figure[end].as_f64().unwrap());
        assert!(low <= value && value <= high && low < high, "{agreement}");
    }
    assert!(
        agreement["kappa"]["value"].as_f64().unwrap() > 0.5,
        "{agreement}"
    );
    assert_eq!(told["standing"]["decided"], 10);
    assert!(names(&told["next"]).is_empty() && names(&told["drawn"]).is_empty());
    // Had it seen each answer, it would say of each what the teacher says.
    assert!(
        agreement["exact"]["value"].as_f64().unwrap() < 1.0,
        "{agreement}"
    );
}

#[actix_web::test]
async fn only_blind_grades_are_tests_and_what_was_let_stand_is_no_example() {
    let (app, school, ids) = school(Database::Sqlite).await;
    done(&app, &format!("submissions/{}/approve", ids[0])).await;
    let seen = json!({"criteria": [{"criterion_id": "a", "score": 10}]});
    app.post(&format!("/v1/submissions/{}/grade", ids[1]), seen)
        .await;
    grade_blind(&app, &ids[2], 10).await;
    done(&app, &format!("submissions/{}/blind", ids[3])).await;
    // What was shown since can be no test any more.
    done(&app, &format!("submissions/{}/blind", ids[4])).await;
    done(&app, &format!("submissions/{}/reveal", ids[4])).await;
    let told = calibration(&app, &school).await;
    assert_eq!(
        (&told["examples"], &told["blind_grades"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(told["agreement"]["answers"], 1);
    assert_eq!(told["waiting_blind"], json!([ids[3]]));
    assert_eq!(
        (&told["standing"]["decided"], &told["standing"]["held"]),
        (&json!(3), &json!(6))
    );
    let open = names(&told["drawn"]);
    assert!(
        ids[..5].iter().all(|id| !open.contains(id.as_str())),
        "{told}"
    );
}

#[actix_web::test]
async fn a_language_model_is_held_against_what_it_said_and_is_not_called() {
    let says = |points| proposal(&[("overall", points, "rice")]);
    let script: Vec<Scripted> = vec![says(90), says(10)];
    let ai = ScriptedAi::remote(script);
    let app = TestApp::on(Database::Sqlite, ai.clone()).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    for (text, points) in [(ANSWERS[0].0, 90), (ANSWERS[3].0, 80)] {
        let id = school.hand_in(&app, text).await;
        done(&app, &format!("submissions/{id}/blind")).await;
        app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await;
        app.work().await;
        app.post(
            &format!("/v1/submissions/{id}/grade"),
            json!({"score": points}),
        )
        .await;
    }
    let calls = ai.graded().len();
    let agreement = calibration(&app, &school).await["agreement"].clone();
    assert_eq!(ai.graded().len(), calls);
    assert_eq!(
        (&agreement["method"], &agreement["answers"]),
        (&json!("as_graded"), &json!(2))
    );
    assert_eq!(
        (&agreement["exact"]["value"], &agreement["flips"]["value"]),
        (&json!(0.5), &json!(0.5))
    );
}

#[actix_web::test]
async fn it_is_nobodys_who_may_not_read_everybodys_work() {
    let (app, school, _) = school(Database::Sqlite).await;
    let path = format!("/v1/assignments/{}/calibration", school.assignment);
    let student = school.student_session(&app).await;
    assert_eq!(app.call(&student, "GET", &path, None).await.status, 403);
    let writer = key(&app, &["write:submissions", "write:courses"]).await;
    assert_eq!(app.call(&writer, "GET", &path, None).await.status, 403);
    let stranger = app
        .get("/v1/assignments/asg_01h455vb4pex5vsknk084sn02q/calibration")
        .await;
    assert_eq!(stranger.status, 404);
    assert_eq!(list(&app, "events?type=submission.reviewed").await.len(), 0);
}

/// What is said beforehand of a certificate, with `release` asked for.
async fn offer(app: &TestApp, school: &School) -> Value {
    calibration(app, school).await["offer"].clone()
}

#[actix_web::test]
async fn whether_a_certificate_is_worth_a_try_is_said_before_anybody_grades_for_one() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, school, ids) = school(database).await;
        assert_eq!(offer(&app, &school).await, Value::Null, "none is asked for");
        school.configure(&app, json!({"release": {}})).await;
        let told = offer(&app, &school).await;
        assert_eq!(
            (&told["at_hand"], &told["needed"], &told["missing"]),
            (&json!(10), &json!(16), &json!(6))
        );
        assert_eq!(
            (&told["examples"], &told["least_offered"]),
            (&json!(0), &Value::Null)
        );
        assert_eq!(
            told["tries"][0]["chance"],
            Value::Null,
            "nothing is known yet"
        );
        for (id, (_, points)) in ids.iter().zip(ANSWERS) {
            grade_blind(&app, id, points).await;
        }
        for _ in 0..30 {
            school.hand_in(&app, ANSWERS[0].0).await;
        }
        let told = offer(&app, &school).await;
        assert_eq!(
            (&told["at_hand"], &told["missing"]),
            (&json!(30), &json!(0))
        );
        let tries = told["tries"].as_array().unwrap();
        let chances: Vec<f64> = tries
            .iter()
            .map(|one| one["chance"].as_f64().unwrap())
            .collect();
        assert!(
            chances.iter().all(|chance| (0.0..=1.0).contains(chance)),
            "{told}"
        );
        let tests: Vec<u64> = tries
            .iter()
            .map(|one| one["tests"].as_u64().unwrap())
            .collect();
        assert!(tests.is_sorted() && tests.len() == 3, "{told}");
        assert!(
            (1..=10).contains(&told["examples"].as_u64().unwrap()),
            "{told}"
        );
    }
}

#[actix_web::test]
async fn examples_that_were_not_graded_blind_count_for_the_offer_as_if_ai_had_not_seen_them() {
    let (app, school, ids) = school(Database::Sqlite).await;
    school.configure(&app, json!({"release": {}})).await;
    for (id, (_, points)) in ids.iter().zip(ANSWERS) {
        let seen = json!({"criteria": [{"criterion_id": "a", "score": points}]});
        let path = format!("/v1/submissions/{id}/grade");
        assert_eq!(app.post(&path, seen).await.status, 200);
    }
    let told = calibration(&app, &school).await;
    assert_eq!(
        (&told["blind_grades"], &told["agreement"]),
        (&json!(0), &Value::Null)
    );
    assert!(told["offer"]["examples"].as_u64() > Some(0), "{told}");
}
