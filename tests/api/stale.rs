//! Stale grades: what AI gave before what it grades by changed, and only that.

use futures_util::future::join;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::scripted_ai::ScriptedAi;
use support::stores::Database;

use crate::certificates;
use crate::school::{
    STUDENT, School, app_of_any_model, assert_refused, done, key, list, made, session,
};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const TEXT: &str = "Cool the rice within two hours.";

fn rubric(name: &str) -> Value {
    json!({"criteria": [{"id": "a", "name": name, "max_points": 10}]})
}

/// A school and so many texts that AI has graded, a second apart.
async fn graded(database: Database, count: usize) -> (TestApp, School, Vec<String>) {
    let app = app_of_any_model(database).await;
    let school = School::open(&app).await;
    school.configure(&app, json!({"rubric": rubric("A")})).await;
    let mut ids = Vec::new();
    for n in 0..count {
        let id = school.hand_in(&app, &format!("{TEXT} {n}")).await;
        ask_ai(&app, &id).await;
        ids.push(id);
    }
    (app, school, ids)
}

async fn ask_ai(app: &TestApp, id: &str) {
    app.clock.advance(1);
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    app.clock.advance(1);
}

/// A person's grade, a second later.
async fn give(app: &TestApp, id: &str, score: u16) {
    app.clock.advance(1);
    let path = format!("/v1/submissions/{id}/grade");
    let graded = app.post(&path, json!({"score": score})).await;
    assert_eq!(graded.status, 200, "{}", graded.body);
}

async fn change(app: &TestApp, path: &str, body: Value) {
    app.clock.advance(1);
    let changed = app.patch(path, body).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
}

async fn read(app: &TestApp, id: &str) -> Value {
    let answer = app.get(&format!("/v1/submissions/{id}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// What a submission says of its grade; null where it says nothing.
async fn stale(app: &TestApp, id: &str) -> Value {
    read(app, id).await["stale"].clone()
}

fn assignment(school: &School) -> String {
    format!("/v1/assignments/{}", school.assignment)
}

/// The ids of those that are stale, or are not.
async fn found(app: &TestApp, school: &School, stale: bool) -> Vec<String> {
    let path = format!(
        "submissions?assignment_id={}&stale={stale}",
        school.assignment
    );
    let found = list(app, &path).await;
    for one in &found {
        assert_eq!(one["stale"], stale, "{one}");
    }
    let ids = found.iter().map(|one| one["id"].as_str().unwrap());
    ids.map(str::to_owned).collect()
}

#[actix_web::test]
async fn what_the_assignment_or_the_course_changes_makes_grades_stale_and_ai_anew_fresh() {
    for database in BOTH {
        let (app, school, ids) = graded(database, 1).await;
        let id = &ids[0];
        assert_eq!(stale(&app, id).await, false);
        let (assignment, course) = (
            assignment(&school),
            format!("/v1/courses/{}", school.course),
        );
        let changes = [
            (&assignment, json!({"rubric": rubric("B")})),
            (&assignment, json!({"ai_evaluator": {"model": "builtin"}})),
            (&assignment, json!({"instructions": "Two sentences."})),
            (&assignment, json!({"feedback": {"tone": "demanding"}})),
            (&course, json!({"ai": {"instructions": "Be strict."}})),
            (&course, json!({"language": "de"})),
        ];
        for (path, body) in changes {
            change(&app, path, body.clone()).await;
            assert_eq!(stale(&app, id).await, true, "{body}");
            ask_ai(&app, id).await;
            assert_eq!(stale(&app, id).await, false, "{body}");
            // The same again changes nothing.
            change(&app, path, body.clone()).await;
            assert_eq!(stale(&app, id).await, false, "{body}");
        }
        let others = [
            (
                &assignment,
                json!({"human_review": "required", "due_at": null}),
            ),
            (&course, json!({"description": "About food."})),
            // The assignment has its own.
            (
                &course,
                json!({"ai": {"evaluator": {"rubric": rubric("C")}}}),
            ),
        ];
        for (path, body) in others {
            change(&app, path, body.clone()).await;
            assert_eq!(stale(&app, id).await, false, "{body}");
        }
    }
}

#[actix_web::test]
async fn a_rubric_of_the_course_counts_where_the_assignment_has_none() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    change(&app, &assignment(&school), json!({"rubric": null})).await;
    ask_ai(&app, &ids[0]).await;
    assert_eq!(stale(&app, &ids[0]).await, false);
    let evaluator = json!({"ai": {"evaluator": {"rubric": rubric("C")}}});
    change(&app, &format!("/v1/courses/{}", school.course), evaluator).await;
    assert_eq!(stale(&app, &ids[0]).await, true);
}

#[actix_web::test]
async fn an_example_that_is_given_changed_or_taken_back_makes_the_others_stale() {
    for database in BOTH {
        let (app, school, ids) = graded(database, 3).await;
        let [first, second, third] = [&ids[0], &ids[1], &ids[2]];
        give(&app, first, 8).await;
        assert_eq!(found(&app, &school, true).await, [third.as_str(), second]);
        // A person decided about it: it is no grade of AI's to be stale.
        assert_eq!(stale(&app, first).await, Value::Null);
        ask_ai(&app, second).await;
        assert_eq!(found(&app, &school, true).await, [third.as_str()]);
        assert_eq!(found(&app, &school, false).await, [second.as_str()]);
        give(&app, first, 4).await;
        assert_eq!(stale(&app, second).await, true);
        for taken_back in [first, third] {
            if taken_back == third {
                give(&app, third, 5).await;
            }
            ask_ai(&app, second).await;
            assert_eq!(stale(&app, second).await, false);
            app.clock.advance(1);
            done(&app, &format!("submissions/{taken_back}/reopen")).await;
            assert_eq!(stale(&app, second).await, true);
        }
        // What stands again is the person's first grade, and AI's of before all of this.
        assert_eq!(stale(&app, first).await, Value::Null);
        assert_eq!(stale(&app, third).await, true);
    }
}

#[actix_web::test]
async fn letting_stand_is_no_example_and_what_is_let_stand_is_not_stale() {
    for database in BOTH {
        let (app, school, ids) = graded(database, 2).await;
        change(
            &app,
            &assignment(&school),
            json!({"human_review": "required"}),
        )
        .await;
        for id in &ids {
            ask_ai(&app, id).await;
        }
        app.clock.advance(1);
        done(&app, &format!("submissions/{}/approve", ids[0])).await;
        assert_eq!(stale(&app, &ids[1]).await, false);
        app.clock.advance(1);
        done(&app, &format!("submissions/{}/reopen", ids[0])).await;
        assert_eq!(stale(&app, &ids[1]).await, false);
        done(&app, &format!("submissions/{}/approve", ids[0])).await;
        change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
        assert_eq!(stale(&app, &ids[0]).await, Value::Null);
        assert_eq!(found(&app, &school, true).await, [ids[1].as_str()]);
        assert!(found(&app, &school, false).await.is_empty());
    }
}

#[actix_web::test]
async fn an_example_that_is_deleted_or_restored_makes_the_others_stale() {
    for database in BOTH {
        let (app, _, ids) = graded(database, 3).await;
        give(&app, &ids[0], 8).await;
        ask_ai(&app, &ids[1]).await;
        // Of what no person graded there was nothing to learn.
        app.clock.advance(1);
        let path = format!("/v1/submissions/{}?force=true", ids[2]);
        assert_eq!(app.delete(&path).await.status, 200);
        assert_eq!(stale(&app, &ids[1]).await, false);
        app.clock.advance(1);
        let path = format!("/v1/submissions/{}?force=true", ids[0]);
        assert_eq!(app.delete(&path).await.status, 200);
        assert_eq!(stale(&app, &ids[1]).await, true);
        ask_ai(&app, &ids[1]).await;
        assert_eq!(stale(&app, &ids[1]).await, false);
        let items = list(&app, &format!("trash?object_id={}", ids[0])).await;
        let item = items[0]["id"].as_str().unwrap();
        app.clock.advance(1);
        let restored = app
            .post(&format!("/v1/trash/{item}/restore"), json!({}))
            .await;
        assert_eq!(restored.status, 200, "{}", restored.body);
        assert_eq!(stale(&app, &ids[1]).await, true);
    }
}

#[actix_web::test]
async fn an_example_of_somebody_who_is_erased_or_deleted_is_gone() {
    for by in ["erase", "delete"] {
        let (app, school, ids) = graded(Database::Sqlite, 1).await;
        let other = json!({"email": "bo@school.example", "name": "Bo"});
        let other = made(&app, &app.owner, "users", other).await;
        let body = json!({
            "assignment_id": school.assignment, "user_id": other, "draft": false,
            "content": {"type": "text", "text": "Cool it at once."},
        });
        let example = made(&app, &app.owner, "submissions", body).await;
        give(&app, &example, 8).await;
        ask_ai(&app, &ids[0]).await;
        assert_eq!(stale(&app, &ids[0]).await, false);
        app.clock.advance(1);
        let gone = if by == "erase" {
            let path = format!("/v1/users/{other}/erase");
            app.post(&path, json!({"confirm": other})).await
        } else {
            let path = format!("/v1/users/{other}?force=true");
            app.delete(&path).await
        };
        assert!((200..300).contains(&gone.status), "{by} {}", gone.body);
        assert_eq!(stale(&app, &ids[0]).await, true, "{by}");
    }
}

/// One text that was graded by the example of another, a certificate that is tried for since, and a third that a person graded
/// since: the address of the certificate.
async fn frozen(database: Database) -> (TestApp, Vec<String>, String) {
    let (app, school, ids) = graded(database, 3).await;
    give(&app, &ids[0], 8).await;
    let release = json!({"human_review": "optional", "release": {"max_disagreement": 30}});
    change(&app, &assignment(&school), release).await;
    for n in 0..12 {
        school.hand_in(&app, &format!("{TEXT} {n}")).await;
    }
    certificates::attacked(&app, &school).await;
    ask_ai(&app, &ids[1]).await;
    let path = format!("{}/certificate", assignment(&school));
    let asked = app.post(&path, json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    give(&app, &ids[2], 3).await;
    assert_eq!(app.get(&path).await.body["state"], "grading");
    assert_eq!(stale(&app, &ids[1]).await, false);
    (app, ids, path)
}

#[actix_web::test]
async fn while_a_certificate_is_open_no_example_is_new_but_one_can_be_lost() {
    for database in BOTH {
        let (app, ids, _) = frozen(database).await;
        // The example is graded anew: the new grade is none, and the old one is no more.
        give(&app, &ids[0], 9).await;
        assert_eq!(stale(&app, &ids[1]).await, true);
    }
}

#[actix_web::test]
async fn what_was_given_while_a_certificate_was_open_is_an_example_when_it_ends() {
    for database in BOTH {
        let (app, ids, path) = frozen(database).await;
        app.clock.advance(1);
        let ended = app.post(&format!("{path}/end"), json!({})).await;
        assert_eq!(ended.status, 200, "{}", ended.body);
        assert_eq!(stale(&app, &ids[1]).await, true);
    }
}

#[actix_web::test]
async fn what_changes_while_ai_is_asked_is_not_in_its_grade() {
    for database in BOTH {
        let ai = ScriptedAi::remote([]);
        let app = TestApp::on(database, ai.clone()).await;
        let school = School::open(&app).await;
        let id = school.hand_in(&app, TEXT).await;
        let path = format!("/v1/submissions/{id}/ai");
        assert_eq!(app.post(&path, json!({})).await.status, 202);
        ai.fall_silent_after(Some(0));
        let changing = async {
            ai.fell_silent().await;
            change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
            app.clock.advance(1);
            ai.fall_silent_after(None);
            ai.wake_up();
        };
        join(app.work(), changing).await;
        let told = read(&app, &id).await;
        assert_eq!(told["ai_status"], "ready", "{told}");
        assert_eq!(told["stale"], true, "{told}");
        ask_ai(&app, &id).await;
        assert_eq!(stale(&app, &id).await, false);
    }
}

#[actix_web::test]
async fn lists_say_it_of_each_and_go_on_page_by_page() {
    for database in BOTH {
        let (app, school, ids) = graded(database, 5).await;
        change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
        ask_ai(&app, &ids[2]).await;
        let all = list(&app, "submissions").await;
        let told: Vec<&Value> = all.iter().map(|one| &one["stale"]).collect();
        assert_eq!(
            told,
            [
                &json!(true),
                &json!(true),
                &json!(false),
                &json!(true),
                &json!(true)
            ]
        );
        let path = format!(
            "/v1/submissions?assignment_id={}&stale=true&limit=3",
            school.assignment
        );
        let first = app.get(&path).await.body;
        assert_eq!(first["has_more"], true, "{first}");
        let next = first["next_cursor"].as_str().unwrap();
        let second = app.get(&format!("{path}&startingAfter={next}")).await.body;
        let pages = [&first, &second].map(|page| page["data"].as_array().unwrap().len());
        assert_eq!((pages, &second["has_more"]), ([3, 1], &json!(false)));
    }
}

#[actix_web::test]
async fn it_is_asked_of_one_assignment_and_nothing_of_another_is_stale() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    let other = json!({"course_id": school.course, "name": "Other"});
    let other = made(&app, &app.owner, "assignments", other).await;
    change(
        &app,
        &format!("/v1/assignments/{other}"),
        json!({"instructions": "New."}),
    )
    .await;
    assert_eq!(stale(&app, &ids[0]).await, false);
    assert!(found(&app, &school, true).await.is_empty());
    assert_refused(
        &app.get("/v1/submissions?stale=true").await,
        400,
        "invalid_field",
        "stale",
    );
    let path = format!("{}?stale=maybe", "/v1/submissions");
    assert_eq!(app.get(&path).await.status, 400);
    // Another workspace finds nothing, whatever it names.
    change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
    let stranger = app.another_workspace("strangers").await;
    let path = format!(
        "/v1/submissions?assignment_id={}&stale=true",
        school.assignment
    );
    let theirs = app.call(&stranger, "GET", &path, None).await;
    assert_eq!((theirs.status, &theirs.body["data"]), (200, &json!([])));
    assert_eq!(found(&app, &school, true).await, ids);
}

async fn asked(app: &TestApp, caller: &Caller, path: &str) -> Value {
    let answer = app.call(caller, "GET", path, None).await;
    assert_eq!(answer.status, 200, "{path} {}", answer.body);
    answer.body
}

#[actix_web::test]
async fn learners_and_events_are_told_nothing_of_it() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
    assert_eq!(stale(&app, &ids[0]).await, true);
    school.student_session(&app).await;
    let student = session(&app, STUDENT).await;
    let one = asked(&app, &student, &format!("/v1/submissions/{}", ids[0])).await;
    assert!(one.get("stale").is_none(), "{one}");
    let listed = asked(&app, &student, "/v1/submissions").await;
    assert!(listed["data"][0].get("stale").is_none(), "{listed}");
    for stale in [true, false] {
        let path = format!(
            "/v1/submissions?assignment_id={}&stale={stale}",
            school.assignment
        );
        assert_eq!(asked(&app, &student, &path).await["data"], json!([]));
    }
    let told = list(&app, "events?limit=100").await;
    assert!(!json!(told).to_string().contains("\"stale\""));
    let reader = key(&app, &["read:submissions"]).await;
    let one = asked(&app, &reader, &format!("/v1/submissions/{}", ids[0])).await;
    assert_eq!(one["stale"], true);
}

#[actix_web::test]
async fn what_waits_for_a_blind_grade_says_nothing_of_it() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    change(
        &app,
        &assignment(&school),
        json!({"human_review": "required"}),
    )
    .await;
    ask_ai(&app, &ids[0]).await;
    change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
    done(&app, &format!("submissions/{}/blind", ids[0])).await;
    assert_eq!(stale(&app, &ids[0]).await, Value::Null);
    assert!(found(&app, &school, true).await.is_empty());
    done(&app, &format!("submissions/{}/reveal", ids[0])).await;
    assert_eq!(stale(&app, &ids[0]).await, true);
}

#[actix_web::test]
async fn an_answer_to_a_change_has_the_tag_that_a_get_has() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    change(&app, &assignment(&school), json!({"rubric": rubric("B")})).await;
    let path = format!("/v1/submissions/{}", ids[0]);
    let noted = app.patch(&path, json!({"metadata": {"note": "a"}})).await;
    assert_eq!(noted.body, read(&app, &ids[0]).await);
}
