//! The trash: what is deleted is out of sight, and comes back as it was.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::{join, join_all};
use lyceum_api::state::{Api, ApiSettings};
use lyceum_application::running::retention;
use lyceum_domain::ids::ScormPackageId;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use std::sync::Arc;
use support::app::{Answer, Caller, TestApp};
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{STUDENT, School, app_on, assert_refused, events, key, list, made, session};
use crate::scorm::ready;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const DAY: i64 = 24 * 3_600;

#[track_caller]
fn good(answer: Answer) -> Answer {
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    answer
}

/// The newest thing in the trash.
async fn newest(app: &TestApp) -> Value {
    list(app, "trash").await.swap_remove(0)
}

/// Deletes something, by force if it is in use; what the trash says of it.
async fn put(app: &TestApp, path: &str) -> Value {
    let path = format!("/v1/{path}");
    let mut answer = app.delete(&path).await;
    if ["in_use", "course_in_use"].contains(&answer.code()) {
        answer = app.delete(&format!("{path}?force=true")).await;
    }
    good(answer);
    newest(app).await
}

fn place(item: &Value) -> String {
    format!("/v1/trash/{}", item["id"].as_str().unwrap())
}

async fn restore(app: &TestApp, item: &Value) -> Answer {
    app.post(&format!("{}/restore", place(item)), json!({}))
        .await
}

/// A course in use: somebody learned in it, handed in and was graded, and a package of it was made.
struct Used {
    app: TestApp,
    school: School,
    submission: String,
    package: String,
    session: Caller,
}

async fn used(database: Database) -> Used {
    let ai: Arc<dyn AiProvider> = ScriptedAi::remote([proposal(&[("overall", 40, "Reheat once")])]);
    let app = TestApp::on(database, ai).await;
    let school = School::open(&app).await;
    let session = school.student_session(&app).await;
    let submission = school.hand_in(&app, "Cool the rice. Reheat once.").await;
    good(
        app.post(&format!("/v1/submissions/{submission}/ai"), json!({}))
            .await,
    );
    app.work().await;
    let given = json!({"score": 55, "reason": "Too strict", "feedback": "Good"});
    good(
        app.post(&format!("/v1/submissions/{submission}/grade"), given)
            .await,
    );
    let learn = async |path: String, body: Value| {
        good(app.call(&session, "POST", &path, Some(body)).await);
    };
    let (activity, lesson) = (&school.activity, &school.lesson);
    learn(
        format!("/v1/activities/{activity}/attempts"),
        json!({"answers": {"q1": "a"}}),
    )
    .await;
    learn(format!("/v1/lessons/{lesson}/complete"), json!({})).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    Used {
        package: package["id"].as_str().unwrap().to_owned(),
        submission,
        session,
        school,
        app,
    }
}

impl Used {
    /// Everything that can be looked at of the course and what hangs on it.
    async fn seen(&self) -> BTreeMap<String, Value> {
        let school = &self.school;
        let mut seen = BTreeMap::new();
        for path in [
            format!("courses/{}", school.course),
            format!("units/{}", school.unit),
            format!("lessons/{}", school.lesson),
            format!("activities/{}", school.activity),
            format!("activities/{}/attempts", school.activity),
            format!("assignments/{}", school.assignment),
            format!("cohorts/{}", school.cohort),
            format!("cohorts/{}/students", school.cohort),
            format!("cohorts/{}/progress", school.cohort),
            format!("submissions/{}", self.submission),
            format!("submissions/{}/grades", self.submission),
            format!("scorm/{}", self.package),
            "courses".to_owned(),
            "units".to_owned(),
            "lessons".to_owned(),
            "submissions".to_owned(),
        ] {
            let answer = self.app.get(&format!("/v1/{path}")).await;
            seen.insert(path, json!([answer.status, answer.body]));
        }
        seen
    }

    async fn download(&self) -> u16 {
        let path = format!("/v1/scorm/{}/download", self.package);
        self.app.get(&path).await.status
    }
}

#[actix_web::test]
async fn a_course_in_use_goes_whole_and_comes_back_as_it_was() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        let before = used.seen().await;
        assert_eq!(used.download().await, 200);
        let course = format!("courses/{}", used.school.course);
        let item = put(app, &course).await;
        let counts = json!({
            "courses": 1, "units": 1, "lessons": 1, "activities": 1, "assignments": 1, "cohorts": 1,
            "enrollments": 1, "submissions": 1, "grades": 2, "attempts": 1, "lesson_completions": 1,
            "scorm_packages": 1,
        });
        assert_eq!(item["counts"], counts, "{item}");
        let what = json!({"object": "course", "id": used.school.course, "name": "Food"});
        assert_eq!(item["what"], what);
        let me = app.get("/v1/me").await.body;
        assert_eq!(item["deleted_by"], me["user"]["id"]);
        assert_eq!(item["restorable_until"], "2026-12-21T06:55:00.000Z");
        for (path, seen) in used.seen().await {
            let gone = seen[0] == 404 || seen[1]["data"] == json!([]);
            assert!(gone, "{path} {seen}");
        }
        assert_eq!(used.download().await, 404);
        // The file stays where it is, for whoever brings it back.
        app.work().await;
        good(restore(app, &item).await);
        assert_eq!(used.seen().await, before, "{database:?}");
        assert_eq!(used.download().await, 200);
        assert_eq!(list(app, "trash").await, Vec::<Value>::new());
        let mine = app.call(&used.session, "GET", "/v1/lessons", None).await;
        assert_eq!(mine.body["data"][0]["id"], json!(used.school.lesson));
        let verified = &before[&format!("submissions/{}/grades", used.submission)];
        assert_eq!(verified[1]["data"].as_array().map(Vec::len), Some(2));
    }
}

#[actix_web::test]
async fn every_thing_that_goes_and_comes_back_is_told_and_noted() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        let school = &used.school;
        let item = put(app, &format!("courses/{}", school.course)).await;
        good(restore(app, &item).await);
        let enrollment = &list(app, &format!("cohorts/{}/students", school.cohort)).await[0];
        for (object, id) in [
            ("course", json!(school.course)),
            ("unit", json!(school.unit)),
            ("lesson", json!(school.lesson)),
            ("activity", json!(school.activity)),
            ("assignment", json!(school.assignment)),
            ("cohort", json!(school.cohort)),
            ("enrollment", enrollment["id"].clone()),
            ("submission", json!(used.submission)),
        ] {
            for what in ["deleted", "restored"] {
                let told = events(app, &format!("{object}.{what}")).await;
                assert_eq!(told.len(), 1, "{object}.{what}");
                assert_eq!(told[0]["data"]["object"]["id"], id, "{object}.{what}");
            }
        }
        let deleted = &list(app, "audit?action=object.deleted").await[0];
        let subject = json!({"object": "course", "id": school.course});
        assert_eq!(deleted["subject"], subject);
        assert_eq!(deleted["old"]["trash_id"], item["id"]);
        assert_eq!(deleted["old"]["counts"]["grades"], 2);
        let restored = &list(app, "audit?action=object.restored").await[0];
        assert_eq!(restored["new"], deleted["old"]);
        assert_eq!(restored["subject"], subject);
    }
}

#[actix_web::test]
async fn whatever_is_deleted_comes_back_under_its_id() {
    for database in BOTH {
        let used = used(database).await;
        let (app, school) = (&used.app, &used.school);
        let before = used.seen().await;
        let student = format!("cohorts/{}/students/{}", school.cohort, school.student);
        for (path, object) in [
            (format!("submissions/{}", used.submission), "submission"),
            (format!("scorm/{}", used.package), "scorm_package"),
            (student, "enrollment"),
            (format!("activities/{}", school.activity), "activity"),
            (format!("assignments/{}", school.assignment), "assignment"),
            (format!("lessons/{}", school.lesson), "lesson"),
            (format!("units/{}", school.unit), "unit"),
            (format!("cohorts/{}", school.cohort), "cohort"),
            (format!("users/{}", school.student), "user"),
        ] {
            let item = put(app, &path).await;
            assert_eq!(item["what"]["object"], object, "{item}");
            assert_ne!(used.seen().await, before, "{object}");
            good(restore(app, &item).await);
            let mut after = used.seen().await;
            if matches!(object, "user" | "enrollment") {
                // Taking the place again is a change of the cohort.
                let path = format!("cohorts/{}", school.cohort);
                let was = before[&path][1]["updated_at"].clone();
                after.get_mut(&path).unwrap()[1]["updated_at"] = was;
            }
            assert_eq!(after, before, "{database:?} {object}");
        }
        // Whoever came back signs in anew.
        let mine = app.call(&used.session, "GET", "/v1/lessons", None).await;
        assert_eq!(mine.status, 401, "{}", mine.body);
        let again = session(app, STUDENT).await;
        let mine = app.call(&again, "GET", "/v1/lessons", None).await;
        assert_eq!(mine.body["data"][0]["id"], json!(school.lesson));
    }
}

#[actix_web::test]
async fn it_stands_among_its_siblings_where_it_stood() {
    for database in BOTH {
        let app = app_on(database).await;
        let course = json!({"name": "C", "language": "en"});
        let course = made(&app, &app.owner, "courses", course).await;
        let names = async || -> Vec<String> {
            let units = list(&app, &format!("units?course_id={course}")).await;
            let units = units.iter().enumerate();
            units
                .map(|(at, unit)| {
                    assert_eq!(unit["position"], json!(at), "{unit}");
                    unit["name"].as_str().unwrap().to_owned()
                })
                .collect()
        };
        let mut ids = Vec::new();
        for name in ["A", "B", "C"] {
            let unit = json!({"course_id": course, "name": name});
            ids.push(made(&app, &app.owner, "units", unit).await);
        }
        let second = put(&app, &format!("units/{}", ids[1])).await;
        assert_eq!(names().await, ["A", "C"]);
        good(restore(&app, &second).await);
        assert_eq!(names().await, ["A", "B", "C"]);
        // Where there are fewer by then it stands at the end.
        let last = put(&app, &format!("units/{}", ids[2])).await;
        put(&app, &format!("units/{}", ids[0])).await;
        good(restore(&app, &last).await);
        assert_eq!(names().await, ["B", "C"]);
    }
}

#[actix_web::test]
async fn what_hangs_on_something_that_is_gone_says_on_what() {
    for database in BOTH {
        let used = used(database).await;
        let (app, school) = (&used.app, &used.school);
        let activity = put(app, &format!("activities/{}", school.activity)).await;
        let lesson = put(app, &format!("lessons/{}", school.lesson)).await;
        let refused = restore(app, &activity).await;
        assert_refused(&refused, 409, "not_restorable", "lesson_id");
        let said = refused.body["error"]["fields"]["lesson_id"]
            .as_str()
            .unwrap();
        assert!(said.contains(&school.lesson), "{said}");
        assert!(said.contains(lesson["id"].as_str().unwrap()), "{said}");
        good(restore(app, &lesson).await);
        good(restore(app, &activity).await);
        // Work of somebody who was removed comes back after them.
        let course = put(app, &format!("courses/{}", school.course)).await;
        let member = put(app, &format!("users/{}", school.student)).await;
        let refused = restore(app, &course).await;
        assert_refused(&refused, 409, "not_restorable", "user_id");
        let kept = app.delete(&place(&member)).await;
        let field = course["id"].as_str().unwrap();
        assert_refused(&kept, 409, "work_in_trash", field);
        good(restore(app, &member).await);
        good(restore(app, &course).await);
    }
}

#[actix_web::test]
async fn a_place_that_was_taken_meanwhile_is_named() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let first = school.hand_in(&app, "One").await;
        let first = put(&app, &format!("submissions/{first}")).await;
        let second = school.hand_in(&app, "Two").await;
        let refused = restore(&app, &first).await;
        assert_refused(&refused, 409, "not_restorable", "assignment_id");
        good(
            app.delete(&format!("/v1/submissions/{second}?force=true"))
                .await,
        );
        good(restore(&app, &first).await);
        let found = list(&app, "submissions").await;
        assert_eq!(found[0]["content"]["text"], "One");

        let member = put(&app, &format!("users/{}", school.student)).await;
        made(&app, &app.owner, "users", json!({"email": STUDENT})).await;
        let refused = restore(&app, &member).await;
        assert_refused(&refused, 409, "not_restorable", "email");
    }
}

#[actix_web::test]
async fn a_place_in_a_full_cohort_is_not_taken_again() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let cohort = format!("/v1/cohorts/{}", school.cohort);
        good(app.patch(&cohort, json!({"capacity": 1})).await);
        let students = format!("{cohort}/students");
        let count = async || app.get(&cohort).await.body["student_count"].clone();
        good(
            app.post(&students, json!({"user_id": school.student}))
                .await,
        );
        let path = format!("cohorts/{}/students/{}", school.cohort, school.student);
        let item = put(&app, &path).await;
        assert_eq!(item["what"]["name"], "Ada");
        assert_eq!(count().await, 0);
        let other = good(app.post(&students, json!({"email": "b@c.example"})).await);
        let refused = restore(&app, &item).await;
        assert_refused(&refused, 409, "limit_reached", "");
        assert_eq!(count().await, 1);
        let other = other.body["user_id"].as_str().unwrap();
        good(app.delete(&format!("{students}/{other}")).await);
        good(restore(&app, &item).await);
        assert_eq!(count().await, 1);
    }
}

#[actix_web::test]
async fn nobody_reaches_in_the_trash_what_was_out_of_their_reach() {
    for database in BOTH {
        let used = used(database).await;
        let (app, school) = (&used.app, &used.school);
        let author = key(app, &["write:courses"]).await;
        let grader = key(app, &["write:grades"]).await;
        let registrar = key(app, &["write:students"]).await;
        let item = put(app, &format!("courses/{}", school.course)).await;
        for (method, path) in [
            ("POST", format!("{}/restore", place(&item))),
            ("DELETE", place(&item)),
        ] {
            for (caller, lacks) in [(&author, "write:grades"), (&grader, "write:courses")] {
                let refused = app.call(caller, method, &path, Some(json!({}))).await;
                assert_refused(&refused, 403, "insufficient_scope", "scope");
                assert_eq!(refused.body["error"]["fields"]["scope"], lacks);
            }
        }
        let listed = async |caller: &Caller| {
            let found = app.call(caller, "GET", "/v1/trash", None).await;
            found.body["data"].as_array().unwrap().len()
        };
        assert_eq!(listed(&author).await, 1);
        assert_eq!(listed(&registrar).await, 0);
        let seen = app.call(&registrar, "GET", &place(&item), None).await;
        assert_refused(&seen, 403, "insufficient_scope", "scope");
        good(restore(app, &item).await);
        // What holds no graded work takes no more than deleting it took.
        let lesson = json!({"unit_id": school.unit, "name": "Spare"});
        let lesson = made(app, &app.owner, "lessons", lesson).await;
        let spare = put(app, &format!("lessons/{lesson}")).await;
        let back = format!("{}/restore", place(&spare));
        good(app.call(&author, "POST", &back, Some(json!({}))).await);
    }
}

#[actix_web::test]
async fn nobody_brings_back_or_destroys_a_member_above_themselves() {
    for database in BOTH {
        let app = app_on(database).await;
        let teacher = app.another_workspace("teacher").await;
        let here = json!({"email": "owner@teacher.example", "role": "teacher"});
        made(&app, &app.owner, "users", here).await;
        app.accept_everything(&teacher.key).await;
        let teacher = Caller {
            platform: "main".to_owned(),
            ..teacher
        };
        let admin = json!({"email": "admin@school.example", "role": "admin"});
        let admin = made(&app, &app.owner, "users", admin).await;
        let item = put(&app, &format!("users/{admin}")).await;
        for (method, path) in [
            ("POST", format!("{}/restore", place(&item))),
            ("DELETE", place(&item)),
        ] {
            let refused = app.call(&teacher, method, &path, Some(json!({}))).await;
            assert_refused(&refused, 403, "insufficient_role", "");
        }
        assert_eq!(list(&app, "trash").await.len(), 1);
        let gone = app.get(&format!("/v1/users/{admin}")).await;
        assert_eq!(gone.status, 404);
    }
}

async fn archive_is_stored(used: &Used) -> bool {
    let origin: ScormPackageId = used.package.parse().unwrap();
    let key = BlobKey::parse(&format!("scorm/{origin}.zip")).unwrap();
    used.app.app.blobs.read(&key, None).await.is_ok()
}

#[actix_web::test]
async fn after_its_time_it_is_gone_for_good_with_its_files() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        let item = put(app, &format!("courses/{}", used.school.course)).await;
        app.clock.advance(30 * DAY - 1);
        retention::sweep(&app.app).await.unwrap();
        app.work().await;
        assert!(archive_is_stored(&used).await);
        assert_eq!(app.get(&place(&item)).await.status, 200);
        app.clock.advance(1);
        // Even before it is swept.
        assert_eq!(restore(app, &item).await.status, 404);
        assert_eq!(list(app, "trash").await, Vec::<Value>::new());
        retention::sweep(&app.app).await.unwrap();
        app.work().await;
        assert!(!archive_is_stored(&used).await);
        let noted = &list(app, "audit?action=object.destroyed").await[0];
        assert_eq!(noted["actor"]["kind"], "system", "{noted}");
        assert_eq!(noted["old"]["counts"]["submissions"], 1);
        app.clock.advance(DAY);
        assert_eq!(retention::sweep(&app.app).await.unwrap(), 0);
    }
}

#[actix_web::test]
async fn what_is_destroyed_is_gone_for_good_and_what_it_shares_stays() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        // The second package shares the archive of the first.
        let second = ready(app, json!({"cohort_id": used.school.cohort})).await;
        let second = second["id"].as_str().unwrap();
        let first = put(app, &format!("scorm/{}", used.package)).await;
        good(app.delete(&place(&first)).await);
        app.work().await;
        assert!(archive_is_stored(&used).await, "the other one has it");
        let second = put(app, &format!("scorm/{second}")).await;
        app.work().await;
        assert!(archive_is_stored(&used).await, "it may come back");
        let gone = good(app.delete(&place(&second)).await);
        assert_eq!(gone.body, json!({"deleted": true, "id": second["id"]}));
        app.work().await;
        assert!(!archive_is_stored(&used).await);
        assert_eq!(restore(app, &second).await.status, 404);
        assert_eq!(app.delete(&place(&second)).await.status, 404);
        let noted = list(app, "audit?action=object.destroyed").await;
        assert_eq!(noted.len(), 2);
        assert_eq!(noted[0]["subject"]["object"], "scorm_package");
    }
}

#[actix_web::test]
async fn work_that_was_under_way_waits_and_goes_on() {
    for database in BOTH {
        let ai: Arc<dyn AiProvider> =
            ScriptedAi::remote([proposal(&[("overall", 40, "Reheat once")])]);
        let app = TestApp::on(database, ai).await;
        let school = School::open(&app).await;
        let id = school.hand_in(&app, "Cool the rice. Reheat once.").await;
        let path = format!("/v1/submissions/{id}");
        good(app.post(&format!("{path}/ai"), json!({})).await);
        let item = put(&app, &format!("submissions/{id}")).await;
        assert_eq!(app.work().await, 0, "nothing is paid for what was deleted");
        app.clock.advance(10 * DAY);
        good(restore(&app, &item).await);
        assert_eq!(app.get(&path).await.body["ai_status"], "pending");
        app.work().await;
        let graded = app.get(&path).await.body;
        assert_eq!(graded["ai_status"], "ready", "{graded}");
        assert_eq!(events(&app, "submission.graded").await.len(), 1);
    }
}

#[actix_web::test]
async fn drafting_for_what_is_deleted_is_called_off() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let brief = json!({"brief": "Cooling", "hours": 1});
        let path = format!("/v1/courses/{}/syllabus", school.course);
        let generation = good(app.post(&path, brief).await).id();
        let item = put(&app, &format!("courses/{}", school.course)).await;
        app.work().await;
        let ended = app.get(&format!("/v1/generations/{generation}")).await.body;
        assert_eq!(ended["status"], "canceled", "{ended}");
        good(restore(&app, &item).await);
        let units = list(&app, &format!("units?course_id={}", school.course)).await;
        assert_eq!(units.len(), 1, "nothing was drafted meanwhile");
    }
}

#[actix_web::test]
async fn whoever_is_erased_is_erased_in_the_trash_too() {
    for database in BOTH {
        let used = used(database).await;
        let (app, school) = (&used.app, &used.school);
        let other = json!({"email": "other@school.example"});
        let other = made(app, &app.owner, "users", other).await;
        let theirs = json!({
            "assignment_id": school.assignment, "user_id": other,
            "content": {"type": "text", "text": "Theirs"}, "draft": false,
        });
        let theirs = made(app, &app.owner, "submissions", theirs).await;
        let item = put(app, &format!("courses/{}", school.course)).await;
        let user = format!("/v1/users/{}", school.student);
        let export = good(app.post(&format!("{user}/export"), json!({})).await).body;
        let rows = export["data"]["trash_rows"].as_array().unwrap();
        let texts: Vec<&Value> = rows.iter().map(|row| &row["row"]["content"]).collect();
        assert!(
            texts.contains(&&json!("Cool the rice. Reheat once.")),
            "{texts:?}"
        );
        assert!(!export.to_string().contains("Theirs"));
        let sure = json!({"confirm": school.student});
        let receipt = good(app.post(&format!("{user}/erase"), sure).await).body;
        let lines = receipt["tables"].as_array().unwrap();
        let line = lines.iter().find(|line| line["table"] == "trash_rows");
        assert!(line.unwrap()["erased"].as_u64().unwrap() >= 5, "{receipt}");
        good(restore(app, &item).await);
        let left = list(app, "submissions").await;
        assert_eq!(left.len(), 1);
        assert_eq!(left[0]["id"], json!(theirs));
        let cohort = app
            .get(&format!("/v1/cohorts/{}", school.cohort))
            .await
            .body;
        assert_eq!(cohort["student_count"], 0, "{cohort}");
        let told = list(
            app,
            &format!("events?object_id={}&limit=100", used.submission),
        )
        .await;
        assert!(
            !json!(told).to_string().contains("Cool the rice"),
            "{told:?}"
        );
    }
}

#[actix_web::test]
async fn a_workspace_that_goes_takes_the_files_in_its_trash_along() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        put(app, &format!("courses/{}", used.school.course)).await;
        let workspace = list(app, "workspaces").await[0]["id"].clone();
        let path = format!("/v1/workspaces/{}", workspace.as_str().unwrap());
        let gone = app.delete(&path).await;
        let gone = if gone.code() == "in_use" {
            app.delete(&format!("{path}?force=true")).await
        } else {
            gone
        };
        good(gone);
        retention::sweep(&app.app).await.unwrap();
        assert!(!archive_is_stored(&used).await);
    }
}

#[actix_web::test]
async fn of_many_who_delete_restore_or_destroy_at_once_one_does() {
    for database in BOTH {
        let used = used(database).await;
        let app = &used.app;
        let path = format!("/v1/courses/{}?force=true", used.school.course);
        let before = used.seen().await;
        let tally = |answers: Vec<Answer>, code: u16| {
            let done = answers.iter().filter(|one| one.status == 200).count();
            let told: Vec<u16> = answers.iter().map(|one| one.status).collect();
            assert_eq!(done, 1, "{database:?} {told:?}");
            assert!(told.iter().all(|one| [200, code].contains(one)), "{told:?}");
        };
        tally(join_all((0..8).map(|_| app.delete(&path))).await, 404);
        let item = newest(app).await;
        assert_eq!(list(app, "trash").await.len(), 1);
        tally(join_all((0..8).map(|_| restore(app, &item))).await, 404);
        assert_eq!(used.seen().await, before);
        good(app.delete(&path).await);
        let item = newest(app).await;
        let at = place(&item);
        let (back, gone) = join(restore(app, &item), app.delete(&at)).await;
        tally(vec![back, gone], 404);
    }
}

#[actix_web::test]
async fn work_that_is_handed_in_while_its_assignment_goes_is_in_the_trash_or_was_refused() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let path = format!("/v1/courses/{}?force=true", school.course);
        let mut kept = Vec::new();
        for round in 0..4 {
            let mut students = Vec::new();
            for n in 0..6 {
                let email = json!({"email": format!("s{round}-{n}@school.example")});
                students.push(made(&app, &app.owner, "users", email).await);
            }
            let hand_in = |student: String| {
                let work = json!({
                    "assignment_id": school.assignment, "user_id": student,
                    "content": {"type": "text", "text": "T"}, "draft": false,
                });
                app.post("/v1/submissions", work)
            };
            let handing = join_all(students.into_iter().map(hand_in));
            let (gone, handed) = join(app.delete(&path), handing).await;
            good(gone);
            for answer in handed {
                match answer.status {
                    201 => kept.push(answer.id()),
                    status => assert!([404, 409].contains(&status), "{}", answer.body),
                }
            }
            let item = newest(&app).await;
            good(restore(&app, &item).await);
            for id in &kept {
                let there = app.get(&format!("/v1/submissions/{id}")).await;
                assert_eq!(there.status, 200, "{database:?} {id}");
            }
        }
    }
}

#[actix_web::test]
async fn the_trash_is_listed_by_what_was_deleted_and_by_whom() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    put(&app, &format!("activities/{}", school.activity)).await;
    put(&app, &format!("cohorts/{}", school.cohort)).await;
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    let me = me.as_str().unwrap();
    for (query, count) in [
        ("object=cohort".to_owned(), 1),
        ("object=unit".to_owned(), 0),
        (format!("object_id={}", school.activity), 1),
        (format!("deleted_by={me}"), 2),
        (format!("deleted_by={}", school.student), 0),
        ("deleted_by=nobody".to_owned(), 0),
        ("limit=1".to_owned(), 1),
    ] {
        let found = list(&app, &format!("trash?{query}")).await;
        assert_eq!(found.len(), count, "{query}");
    }
    let refused = app.get("/v1/trash?object=key").await;
    assert_refused(&refused, 400, "invalid_parameter", "object");
}

#[actix_web::test]
async fn a_setting_says_how_long_it_can_come_back() {
    let mut app = app_on(Database::Sqlite).await;
    let mut settings = lyceum_application::Settings::clone(&app.app.settings);
    settings.trash_kept = Duration::from_hours(24);
    app.app.settings = Arc::new(settings);
    app.api = Arc::new(Api::new(app.app.clone(), ApiSettings::default()).unwrap());
    let school = School::open(&app).await;
    let item = put(&app, &format!("courses/{}", school.course)).await;
    assert_eq!(item["restorable_until"], "2026-11-22T06:55:00.000Z");
}
