//! What is kept of certificates, given out so that a third party makes it again.

use lyceum_wire::grading::certificate_records::CertificateRecordsView;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::certificates::{
    BY_AI, CLASS, certified, grade, grade_drawn, hand_in, path, school, tried, until_audited,
};
use crate::school::{School, key};

/// What a third party gets, and what they make of it: what does not hold, how many draws are sealed, how many tries are not shown.
async fn exported(app: &TestApp, school: &School) -> (Value, (Option<String>, usize, usize)) {
    let answer = app.get(&format!("{}/records", path(school))).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let shown: CertificateRecordsView = serde_json::from_value(answer.body.clone()).unwrap();
    let found = shown.recompute().unwrap();
    let broken = found.first_broken.map(|(_, why)| why.to_string());
    (answer.body, (broken, found.sealed_draws, found.withheld))
}

#[rstest]
#[actix_web::test]
async fn a_third_party_makes_it_again_from_what_it_is_given(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, _) = certified(database).await;
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 1, 0), "the seed is a secret yet");
    assert_eq!(shown["records"].as_array().unwrap().len(), 4);
    let kept = &shown["declarations"][0]["kept"];
    assert_eq!(kept["population"].as_array().unwrap().len(), CLASS);
    hand_in(&app, &school, 12).await;
    let waiting = until_audited(&app, &school, 1).await;
    grade(&app, &waiting[0], 0).await;
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 1, 0));
    assert!(!shown.to_string().contains("\\\"seed\\\""), "{shown}");
    app.post(&format!("{}/end", path(&school)), json!({})).await;
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 0, 0), "the end shows the seed");
    assert!(shown.to_string().contains("\\\"seed\\\""), "{shown}");
    let mut changed = shown.clone();
    changed["declarations"][0]["kept"]["tests"][0]["ai"]["points"] = json!(0);
    let changed: CertificateRecordsView = serde_json::from_value(changed).unwrap();
    let found = changed.recompute().unwrap().first_broken;
    assert_eq!(
        found.map(|(_, why)| why.to_string()).as_deref(),
        Some("look_changed")
    );
}

#[actix_web::test]
async fn what_waits_for_a_blind_grade_is_in_no_records_that_are_given_out() {
    let (app, school, _) = school(Database::Sqlite, CLASS).await;
    tried(&app, &school, json!({"tests": 1})).await;
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 0, 1));
    assert_eq!(shown["declarations"][0]["kept"], Value::Null);
    grade_drawn(&app, &school, BY_AI).await;
    let waiting = until_audited(&app, &school, 1).await;
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 1, 0));
    let kept = &shown["declarations"][0]["kept"];
    let is_told = |list: &str| kept[list].to_string().contains(&waiting[0]);
    assert!(!is_told("tests") && !is_told("population"), "{kept}");
    assert!(
        is_told("arrivals"),
        "that it is held is seen anyway: {kept}"
    );
}

#[actix_web::test]
async fn records_are_for_those_who_may_read_every_answer() {
    let (app, school, _) = school(Database::Sqlite, 1).await;
    let place = format!("{}/records", path(&school));
    assert_eq!(app.get(&place).await.status, 404, "nobody tried");
    let student = school.student_session(&app).await;
    let others = app.another_workspace("others").await;
    let blank = key(&app, &["read:courses"]).await;
    for (caller, status) in [(&student, 403), (&blank, 403), (&others, 404)] {
        let asked = app.call(caller, "GET", &place, None).await;
        assert_eq!(asked.status, status, "{}", asked.body);
    }
}
