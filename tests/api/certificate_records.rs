//! What is kept of certificates: given out so that a third party makes it again, and checked by `lyceum fsck`.

use lyceum_store::{DatabaseUrl, FsckScope, fsck};
use lyceum_wire::grading::certificate_records::CertificateRecordsView;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;
use support::tampering::tamper;

use crate::certificates::{
    BY_AI, CLASS, certificate, certified, grade, grade_drawn, hand_in, path, refused, revoked,
    school, tried, until_audited,
};
use crate::school::{School, key};

/// What a third party gets, and what they make of it: what does not hold, how many draws are sealed, how many tries are not shown.
pub async fn exported(app: &TestApp, school: &School) -> (Value, (Option<String>, usize, usize)) {
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

/// The rules about certificates that what is stored breaks.
pub fn broken(app: &TestApp) -> Vec<String> {
    let url = DatabaseUrl::parse(app.database_url()).unwrap();
    let scope = FsckScope {
        now: lyceum_domain::Timestamp::parse("2026-06-01T00:00:00Z").unwrap(),
        is_running: false,
    };
    let found = fsck(&url, scope, &mut |_, _| (), &mut |_| Ok(Vec::new())).unwrap();
    let checks = found.checks.into_iter();
    let checks = checks.filter(|check| check.id.starts_with("I15") && check.violations > 0);
    checks.map(|check| check.id).collect()
}

#[rstest]
#[actix_web::test]
async fn a_whole_life_agrees_with_its_chain_at_each_step(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let nothing = Vec::<String>::new();
    let (app, school, _) = school(database, CLASS).await;
    app.post(&path(&school), json!({})).await;
    assert_eq!(broken(&app), nothing, "asked for");
    app.post(&format!("{}/end", path(&school)), json!({})).await;
    assert_eq!(broken(&app), nothing, "given up before it was declared");
    tried(&app, &school, json!({"tests": 1})).await;
    assert_eq!(broken(&app), nothing, "drawn");
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "valid");
    assert_eq!(broken(&app), nothing, "issued");
    let waiting = until_audited(&app, &school, 2).await;
    assert_eq!(broken(&app), nothing, "audited");
    grade(&app, &waiting[0], BY_AI).await;
    grade(&app, &waiting[1], 0).await;
    assert_eq!(certificate(&app, &school).await["state"], "paused");
    assert_eq!(broken(&app), nothing, "paused");
    app.post(&format!("{}/end", path(&school)), json!({})).await;
    assert_eq!(broken(&app), nothing, "ended");
}

#[actix_web::test]
async fn so_does_one_that_was_refused_and_one_that_was_revoked() {
    assert_eq!(broken(&refused().await), Vec::<String>::new());
    let (app, school) = revoked().await;
    assert_eq!(broken(&app), Vec::<String>::new());
    let (_, found) = exported(&app, &school).await;
    assert_eq!(found, (None, 0, 0));
}

/// What somebody changes, in which table, and the rules that find it.
const CHANGES: [(&str, &str, &[&str]); 6] = [
    (
        "certificate_records",
        "DELETE FROM certificate_records WHERE sequence = 4",
        &["I15.certificate_head", "I15.certificate_state"],
    ),
    (
        "certificate_records",
        "UPDATE certificate_records SET hash = 'x' WHERE sequence = 4",
        &["I15.certificate_head"],
    ),
    (
        "certificates",
        "UPDATE certificates SET state = 'paused'",
        &["I15.certificate_state"],
    ),
    (
        "certificate_answers",
        "DELETE FROM certificate_answers \
         WHERE id = (SELECT max(id) FROM certificate_answers WHERE fate IS NOT NULL)",
        &["I15.certificate_counts"],
    ),
    (
        "certificate_answers",
        "UPDATE certificate_answers SET test = NULL WHERE place = 0",
        &["I15.drawn_without_test"],
    ),
    (
        "grades",
        "UPDATE grades SET reason = NULL",
        &["I15.released_without_grade"],
    ),
];

/// Puts a table back as it was kept.
fn as_it_was(database: Database, table: &str) -> String {
    let unbound = match database {
        Database::Sqlite => "",
        Database::Postgres => "SET session_replication_role = replica;",
    };
    format!(
        "{unbound} DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept"
    )
}

// One certificate for all of them: to earn one takes longer than to look at it.
#[rstest]
#[actix_web::test]
async fn whatever_no_longer_agrees_is_found(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, _, _) = certified(database).await;
    for (table, change, rules) in CHANGES {
        let keep = format!("CREATE TABLE kept AS SELECT * FROM {table}; {change}");
        tamper(app.database_url(), &keep);
        assert_eq!(broken(&app), rules, "{change}");
        tamper(app.database_url(), &as_it_was(database, table));
        assert_eq!(broken(&app), Vec::<String>::new(), "{change}, and back");
    }
}
