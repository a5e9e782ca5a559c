//! The lists of whoever reviews: by course, by why to look, by who graded, when, and how well; and what learners must not learn by them.

use std::collections::BTreeSet;
use std::sync::Arc;

use lyceum_domain::grading::grades::REVIEW_REASONS;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, done, key, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const QUOTE: &str = "store it below";

/// A school whose AI answers in turn with these scores, each of which waits for a person.
async fn school(database: Database, scores: &[u16]) -> (TestApp, School) {
    let answers = scores
        .iter()
        .map(|score| proposal(&[("overall", *score, QUOTE)]));
    let provider: Arc<dyn AiProvider> = ScriptedAi::new(answers.collect::<Vec<_>>());
    let app = TestApp::on(database, provider).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    (app, school)
}

/// Hands a text in, a minute after the last thing.
async fn hand_in(app: &TestApp, school: &School, n: u8) -> String {
    app.clock.advance(60);
    school
        .hand_in(app, &format!("Text {n}: {QUOTE} 5 °C."))
        .await
}

/// Has AI grade it, a minute later.
async fn graded_by_ai(app: &TestApp, id: &str) {
    app.clock.advance(60);
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

async fn graded_by_person(app: &TestApp, id: &str, score: u16) {
    app.clock.advance(60);
    let path = format!("/v1/submissions/{id}/grade");
    let graded = app.post(&path, json!({"score": score})).await;
    assert_eq!(graded.status, 200, "{}", graded.body);
}

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = answer.body["data"].as_array().unwrap().iter();
    data.map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

/// What a caller finds, in this order, whole and page by page.
async fn found(app: &TestApp, caller: &Caller, query: &str) -> Vec<String> {
    let get = async |more: &str| {
        let path = format!("/v1/submissions?{query}{more}");
        app.call(caller, "GET", &path, None).await
    };
    let whole = ids(&get("&limit=100").await);
    let (mut paged, mut after) = (Vec::new(), String::new());
    loop {
        let page = get(&format!("&limit=1{after}")).await;
        paged.extend(ids(&page));
        if page.body["has_more"] == false {
            break;
        }
        let cursor = page.body["next_cursor"].as_str().unwrap();
        after = format!("&startingAfter={cursor}");
    }
    assert_eq!(paged, whole, "{query}");
    whole
}

/// Four texts of one course, of which AI graded the first and the third and a person the second, and one of another: what a person said
/// of the third is that AI's grade stands.
async fn reviewed(database: Database) -> (TestApp, School, [String; 5]) {
    let (app, school) = school(database, &[73, 91]).await;
    let [one, two, three, four] = [
        hand_in(&app, &school, 1).await,
        hand_in(&app, &school, 2).await,
        hand_in(&app, &school, 3).await,
        hand_in(&app, &school, 4).await,
    ];
    graded_by_ai(&app, &one).await;
    graded_by_person(&app, &two, 40).await;
    graded_by_ai(&app, &three).await;
    app.clock.advance(60);
    done(&app, &format!("submissions/{three}/approve")).await;
    let other = json!({"name": "Knives", "language": "en"});
    let other = made(&app, &app.owner, "courses", other).await;
    let assignment = json!({"course_id": other, "name": "Sharpen"});
    let assignment = made(&app, &app.owner, "assignments", assignment).await;
    let body = json!({
        "assignment_id": assignment, "user_id": school.student, "draft": false,
        "content": {"type": "text", "text": "On a stone."},
    });
    let five = made(&app, &app.owner, "submissions", body).await;
    (app, school, [one, two, three, four, five])
}

#[actix_web::test]
async fn a_submission_is_of_the_course_of_its_assignment_and_found_by_it() {
    for database in BOTH {
        let (app, school, [one, two, three, four, five]) = reviewed(database).await;
        let owner = &app.owner;
        let all = found(&app, owner, &format!("course_id={}", school.course)).await;
        assert_eq!(all, [&four, &three, &two, &one].map(String::clone));
        let of_five = app.get(&format!("/v1/submissions/{five}")).await.body;
        let other = of_five["course_id"].as_str().unwrap();
        assert_ne!(other, school.course);
        assert_eq!(
            found(&app, owner, &format!("course_id={other}")).await,
            [five]
        );
        let both = format!("course_id={other}&assignment_id={}", school.assignment);
        let graded = format!("course_id={}&status=graded&sort=graded_at", school.course);
        assert_eq!(found(&app, owner, &both).await, [""; 0]);
        assert_eq!(found(&app, owner, &graded).await, [two, three]);
        for unknown in ["nonsense", "crs_00000000000000000000000000"] {
            let query = format!("course_id={unknown}");
            assert_eq!(found(&app, owner, &query).await, [""; 0]);
        }
    }
}

#[actix_web::test]
async fn it_is_found_by_every_reason_to_look_and_by_no_other() {
    for database in BOTH {
        let (app, _, [one, ..]) = reviewed(database).await;
        let all = list(&app, "submissions?limit=100").await;
        let why = |submission: &Value| -> BTreeSet<String> {
            let reasons = submission["review_reasons"].as_array().unwrap().iter();
            reasons
                .map(|one| one.as_str().unwrap().to_owned())
                .collect()
        };
        let mut met = 0;
        for reason in REVIEW_REASONS {
            let expected = all.iter().filter(|one| why(one).contains(*reason));
            let expected: Vec<&str> = expected.map(|one| one["id"].as_str().unwrap()).collect();
            let query = format!("review_reason={reason}");
            assert_eq!(found(&app, &app.owner, &query).await, expected, "{reason}");
            let open = found(&app, &app.owner, &format!("{query}&review_status=open")).await;
            let is_open = expected.contains(&one.as_str());
            assert_eq!(
                open,
                is_open.then(|| one.clone()).into_iter().collect::<Vec<_>>()
            );
            met += expected.len();
        }
        let said: usize = all.iter().map(|one| why(one).len()).sum();
        assert!(said >= 2, "{said}");
        assert_eq!(met, said, "a reason that nobody can ask for");
    }
}

#[actix_web::test]
async fn it_is_found_by_who_graded_and_who_decided() {
    for database in BOTH {
        let (app, _, [one, two, three, ..]) = reviewed(database).await;
        let owner = &app.owner;
        let by_ai = [three.clone(), one.clone()];
        assert_eq!(found(&app, owner, "graded_by=ai").await, by_ai);
        assert_eq!(found(&app, owner, "graded_by=human").await, [two.as_str()]);
        let history = list(&app, &format!("submissions/{two}/grades")).await;
        let teacher = history[0]["actor"]["id"].as_str().unwrap();
        let theirs = format!("grader_id={teacher}");
        let decided = [three.clone(), two.clone()];
        assert_eq!(found(&app, owner, &theirs).await, decided);
        let let_stand = format!("{theirs}&graded_by=ai&review_status=done");
        assert_eq!(found(&app, owner, &let_stand).await, [three.as_str()]);
        for nobody in ["nonsense", "usr_00000000000000000000000000"] {
            let query = format!("grader_id={nobody}");
            assert_eq!(found(&app, owner, &query).await, [""; 0]);
        }
        // Each says so itself, by name where that is asked for.
        let told = list(&app, "submissions?expand=grader&limit=100").await;
        let name = app.get(&format!("/v1/users/{teacher}")).await.body["name"].clone();
        for submission in &told {
            let is_theirs = decided.iter().any(|id| *id == submission["id"]);
            let expected = is_theirs.then_some((json!(teacher), name.clone()));
            let (id, grader) = (&submission["grader_id"], &submission["grader"]);
            let said = (!id.is_null()).then(|| (id.clone(), grader["name"].clone()));
            assert_eq!(said, expected, "{submission}");
        }
        // What is taken back was decided by nobody.
        done(&app, &format!("submissions/{three}/reopen")).await;
        let again = app.get(&format!("/v1/submissions/{three}")).await.body;
        assert_eq!(again["grader_id"], Value::Null, "{again}");
        assert_eq!(found(&app, owner, &theirs).await, [two.as_str()]);
        assert_eq!(found(&app, owner, "graded_by=ai").await, by_ai);
    }
}

#[actix_web::test]
async fn it_is_found_and_put_in_order_by_when_its_grade_was_given_and_by_what_counts() {
    for database in BOTH {
        let (app, school, [one, two, three, ..]) = reviewed(database).await;
        let owner = &app.owner;
        let at = async |id: &str| {
            let body = app.get(&format!("/v1/submissions/{id}")).await.body;
            body["graded_at"].as_str().unwrap().to_owned()
        };
        let (second, third) = (at(&two).await, at(&three).await);
        for (query, expected) in [
            ("sort=graded_at".to_owned(), vec![&one, &two, &three]),
            ("sort=-graded_at".to_owned(), vec![&three, &two, &one]),
            ("sort=score".to_owned(), vec![&two, &one, &three]),
            ("sort=-score".to_owned(), vec![&three, &one, &two]),
            (format!("graded_after={second}"), vec![&three, &two]),
            (format!("graded_before={second}"), vec![&one]),
            (
                format!("graded_after={second}&graded_before={third}"),
                vec![&two],
            ),
            (
                format!("sort=graded_at&graded_after={second}"),
                vec![&two, &three],
            ),
            (
                format!("sort=-graded_at&graded_before={third}"),
                vec![&two, &one],
            ),
            (
                format!("sort=-score&graded_before={third}&graded_by=ai"),
                vec![&one],
            ),
            (
                format!("sort=-graded_at&assignment_id={}", school.assignment),
                vec![&three, &two, &one],
            ),
            (
                format!("sort=-graded_at&user_id={}&graded_by=human", school.student),
                vec![&two],
            ),
            (
                "sort=-graded_at&review_status=done".to_owned(),
                vec![&three, &two],
            ),
            // What nobody decided is in no order of decisions.
            ("sort=-decided_at".to_owned(), vec![&three, &two]),
            ("sort=decided_at".to_owned(), vec![&two, &three]),
            (
                format!("sort=-decided_at&course_id={}&graded_by=ai", school.course),
                vec![&three],
            ),
        ] {
            assert_eq!(
                found(&app, owner, &query).await,
                expected.into_iter().cloned().collect::<Vec<_>>(),
                "{query}"
            );
        }
        // An order goes on behind an id, too, but not behind what is not in it.
        let behind = async |id: &str| {
            let path = format!("/v1/submissions?sort=score&startingAfter={id}");
            ids(&app.get(&path).await)
        };
        assert_eq!(behind(&two).await, [one.as_str(), three.as_str()]);
        let ungraded = hand_in(&app, &school, 9).await;
        assert_eq!(behind(&ungraded).await, [""; 0]);
        // A grade that is given anew moves it.
        graded_by_person(&app, &one, 95).await;
        assert_eq!(found(&app, owner, "sort=-graded_at").await[0], one);
        assert_eq!(found(&app, owner, "sort=-score").await[0], one);
    }
}

#[actix_web::test]
async fn what_counts_of_late_work_is_what_it_is_put_in_order_by() {
    let (app, school) = school(Database::Sqlite, &[]).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let in_time = hand_in(&app, &school, 1).await;
    let due = json!({"due_at": "2026-11-21T06:57:00Z", "late_policy": {"percent_per_day": 50}});
    assert_eq!(app.patch(&path, due).await.status, 200);
    app.clock.advance(3_600);
    let late = hand_in(&app, &school, 2).await;
    graded_by_person(&app, &in_time, 60).await;
    graded_by_person(&app, &late, 90).await;
    let seen = app.get(&format!("/v1/submissions/{late}")).await.body;
    assert_eq!(
        (&seen["score"], &seen["earned_score"]),
        (&json!(40), &json!(90))
    );
    assert_eq!(
        found(&app, &app.owner, "sort=score").await,
        [late.clone(), in_time.clone()]
    );
    // A milder policy reaches it, and the order.
    let milder = json!({"late_policy": {"percent_per_day": 10}});
    assert_eq!(app.patch(&path, milder).await.status, 200);
    app.work().await;
    assert_eq!(found(&app, &app.owner, "sort=score").await, [in_time, late]);
}

#[actix_web::test]
async fn words_and_moments_that_are_none_are_refused() {
    let app = TestApp::start().await;
    for (query, name) in [
        ("review_reason=something_new", "review_reason"),
        ("review_reason=", "review_reason"),
        ("graded_by=person", "graded_by"),
        ("graded_by=AI", "graded_by"),
        ("graded_after=yesterday", "graded_after"),
        ("graded_before=2026-11-21", "graded_before"),
        ("grader_id=", "grader_id"),
        ("course_id=a&course_id=b", "course_id"),
        ("sort=graded_by", "sort"),
        ("sort=updated_at", "sort"),
    ] {
        let refused = app.get(&format!("/v1/submissions?{query}")).await;
        assert_refused(&refused, 400, "invalid_parameter", name);
    }
    let refused = app.get("/v1/courses?sort=score").await;
    assert_refused(&refused, 400, "invalid_parameter", "sort");
}

#[actix_web::test]
async fn a_learner_learns_by_no_list_of_a_grade_that_waits() {
    for database in BOTH {
        let (app, school) = school(database, &[73, 91]).await;
        let learner = school.student_session(&app).await;
        let waits = hand_in(&app, &school, 1).await;
        let out = hand_in(&app, &school, 2).await;
        let bare = hand_in(&app, &school, 3).await;
        for id in [&waits, &out] {
            graded_by_ai(&app, id).await;
        }
        let held = app.get(&format!("/v1/submissions/{waits}")).await.body;
        done(&app, &format!("submissions/{out}/approve")).await;
        let history = list(&app, &format!("submissions/{out}/grades")).await;
        let teacher = history[0]["actor"]["id"].as_str().unwrap();
        let reason = held["review_reasons"][0].as_str().unwrap();
        let since = held["graded_at"].as_str().unwrap();
        let all = [bare.clone(), out.clone(), waits.clone()];
        let of_course = format!("course_id={}", school.course);
        assert_eq!(found(&app, &learner, &of_course).await, all);
        for query in [
            "graded_by=ai".to_owned(),
            format!("graded_after={since}"),
            "graded_before=2030-01-01T00:00:00Z".to_owned(),
            "sort=graded_at".to_owned(),
            "sort=-graded_at".to_owned(),
            "sort=score".to_owned(),
            "sort=-score".to_owned(),
            format!("sort=-score&user_id={}", school.student),
            format!("graded_by=ai&{of_course}&ai_status=ready"),
        ] {
            assert_eq!(
                found(&app, &learner, &query).await,
                [out.as_str()],
                "{query}"
            );
            assert_eq!(found(&app, &app.owner, &query).await.len(), 2, "{query}");
        }
        for query in [
            "graded_by=ai&status=in_review".to_owned(),
            "graded_by=human".to_owned(),
            format!("review_reason={reason}"),
            format!("grader_id={teacher}"),
            "sort=-decided_at".to_owned(),
        ] {
            assert_eq!(found(&app, &learner, &query).await, [""; 0], "{query}");
        }
        let path = format!("/v1/submissions/{out}?expand=assignment");
        let shown = app.call(&learner, "GET", &path, None).await.body;
        assert_eq!(shown["grader_id"], Value::Null, "{shown}");
        // Nor by what comes behind it, or behind somebody else's.
        let other = json!({"email": "bo@school.example", "name": "Bo"});
        let other = made(&app, &app.owner, "users", other).await;
        let body = json!({
            "assignment_id": school.assignment, "user_id": other, "draft": false,
            "content": {"type": "text", "text": "Cool it."},
        });
        let theirs = made(&app, &app.owner, "submissions", body).await;
        graded_by_person(&app, &theirs, 5).await;
        for hidden in [&waits, &theirs] {
            for sort in ["score", "-score", "graded_at", "-graded_at"] {
                let path = format!("/v1/submissions?sort={sort}&startingAfter={hidden}");
                let behind = app.call(&learner, "GET", &path, None).await;
                assert_eq!(ids(&behind), [""; 0], "{path}");
            }
        }
        done(&app, &format!("submissions/{waits}/approve")).await;
        assert_eq!(found(&app, &learner, "sort=score").await, [waits, out]);
    }
}

#[actix_web::test]
async fn whoever_grades_blind_learns_by_no_list_what_ai_says() {
    for database in BOTH {
        let (app, school) = school(database, &[73]).await;
        let id = hand_in(&app, &school, 1).await;
        done(&app, &format!("submissions/{id}/blind")).await;
        graded_by_ai(&app, &id).await;
        let mut queries = vec![
            "graded_by=ai".to_owned(),
            "sort=score".to_owned(),
            "sort=-graded_at".to_owned(),
            "graded_after=2020-01-01T00:00:00Z".to_owned(),
            "graded_before=2030-01-01T00:00:00Z".to_owned(),
        ];
        let reasons = REVIEW_REASONS.iter();
        queries.extend(reasons.map(|reason| format!("review_reason={reason}")));
        for query in &queries {
            assert_eq!(found(&app, &app.owner, query).await, [""; 0], "{query}");
        }
        let shown = done(&app, &format!("submissions/{id}/reveal")).await.body;
        assert_ne!(shown["review_reasons"], json!([]));
        let mut told = 0;
        for query in &queries {
            told += found(&app, &app.owner, query).await.len();
        }
        assert!(told >= 6, "{told}");
    }
}

#[actix_web::test]
async fn no_list_of_another_workspace_tells_of_it() {
    let (app, school, [one, ..]) = reviewed(Database::Sqlite).await;
    let stranger = app.another_workspace("other").await;
    for query in [
        format!("course_id={}", school.course),
        "graded_by=ai".to_owned(),
        "sort=-score".to_owned(),
        format!("sort=score&startingAfter={one}"),
    ] {
        let path = format!("/v1/submissions?{query}");
        let told = app.call(&stranger, "GET", &path, None).await;
        assert_eq!(ids(&told), [""; 0], "{query}");
    }
    // Whoever may read submissions and no students finds by the id of a grader what each history tells.
    let narrow = key(&app, &["read:submissions"]).await;
    let history = format!("/v1/submissions/{one}/grades");
    assert_eq!(app.call(&narrow, "GET", &history, None).await.status, 200);
    assert_eq!(found(&app, &narrow, "graded_by=human").await.len(), 1);
}

#[test]
fn the_handbook_names_every_reason_to_look() {
    let handbook =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/ai.md")).unwrap();
    let (_, table) = handbook.split_once("| Reason | Meaning |").unwrap();
    let rows = table
        .lines()
        .take_while(|line| line.is_empty() || line.contains('|'));
    let named: BTreeSet<&str> = rows
        .filter_map(|row| row.strip_prefix("| `"))
        .flat_map(|row| {
            let first = row.split(" |").next().unwrap_or_default();
            first.split(", ").map(|word| word.trim_matches('`'))
        })
        .collect();
    assert_eq!(named, REVIEW_REASONS.iter().copied().collect());
}
