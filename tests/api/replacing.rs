//! A draft that takes the place of what is there: what people made and learners used stays, and is named.

use lyceum_domain::identity::scopes::Scope;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;
use support::tampering::tamper;

use crate::school::{STUDENT, app_on, done, events, key, list, made, session};

const BRIEF: &str = "Food safety for kitchen staff: cooling, storing, reheating, allergens, knives, cleaning, pests.";

/// A course of which AI drafted everything.
struct Drafted {
    app: TestApp,
    course: String,
    /// Those of the first draft, in order.
    units: Vec<String>,
}

impl Drafted {
    async fn on(database: Database) -> Self {
        let app = app_on(database).await;
        let course = json!({"name": "Food", "language": "en", "description": BRIEF});
        let course = made(&app, &app.owner, "courses", course).await;
        let mut drafted = Self {
            app,
            course,
            units: Vec::new(),
        };
        drafted.draft(&drafted.app.owner, "append").await;
        drafted.units = ids(&drafted.list("units").await);
        assert!(drafted.units.len() >= 6, "{:?}", drafted.units);
        drafted
    }

    /// Has the course drafted by somebody; the generation once it is over.
    async fn draft(&self, by: &Caller, mode: &str) -> Value {
        let path = format!("/v1/courses/{}/syllabus", self.course);
        let body = json!({"mode": mode, "hours": 24, "model": "builtin"});
        let asked = self.app.call(by, "POST", &path, Some(body)).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        self.app.work().await;
        let path = format!("/v1/generations/{}", asked.id());
        let ended = self.app.get(&path).await.body;
        assert_eq!(ended["status"], "ready", "{ended}");
        ended
    }

    async fn list(&self, things: &str) -> Vec<Value> {
        list(
            &self.app,
            &format!("{things}?limit=100&course_id={}", self.course),
        )
        .await
    }

    /// The lessons of the `n`-th unit of the first draft.
    async fn lessons(&self, n: usize) -> Vec<String> {
        ids(&list(
            &self.app,
            &format!("lessons?limit=100&unit_id={}", self.units[n]),
        )
        .await)
    }

    async fn assignment(&self, n: usize) -> String {
        ids(&list(&self.app, &format!("assignments?unit_id={}", self.units[n])).await)
            .swap_remove(0)
    }

    async fn patch(&self, thing: &str, body: Value) {
        let changed = self.app.patch(&format!("/v1/{thing}"), body).await;
        assert_eq!(changed.status, 200, "{thing} {}", changed.body);
    }

    async fn is_there(&self, thing: &str) -> bool {
        let status = self.app.get(&format!("/v1/{thing}")).await.status;
        assert!([200, 404].contains(&status), "{thing} {status}");
        status == 200
    }

    /// Publishes the course and lets a learner in.
    async fn learner(&self) -> Caller {
        let app = &self.app;
        done(app, &format!("courses/{}/publish", self.course)).await;
        let cohort = json!({"course_id": self.course, "name": "Spring"});
        let cohort = made(app, &app.owner, "cohorts", cohort).await;
        done(app, &format!("cohorts/{cohort}/start")).await;
        let student = json!({"email": STUDENT});
        made(
            app,
            &app.owner,
            &format!("cohorts/{cohort}/students"),
            student,
        )
        .await;
        session(app, STUDENT).await
    }
}

fn ids(things: &[Value]) -> Vec<String> {
    let ids = things
        .iter()
        .map(|one| one["id"].as_str().unwrap().to_owned());
    ids.collect()
}

/// The reason for which something was kept, and the counts.
fn kept<'a>(ended: &'a Value, id: &str) -> Option<(&'a str, &'a Value)> {
    let all = ended["result"]["kept"].as_array().unwrap();
    let one = all.iter().find(|one| one["id"] == id)?;
    Some((one["reason"].as_str().unwrap(), &one["counts"]))
}

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// Every scope that could let AI replace and learners lose, and none to destroy grades.
fn author() -> Vec<&'static str> {
    let scopes = [Scope::WriteCourses, Scope::AiGenerate];
    scopes.into_iter().map(Scope::as_str).collect()
}

#[actix_web::test]
async fn what_learners_used_stays_and_is_named_with_counts() {
    for database in BOTH {
        let drafted = Drafted::on(database).await;
        let (app, learner) = (&drafted.app, drafted.learner().await);
        let finished = drafted.lessons(0).await.swap_remove(0);
        let path = format!("/v1/lessons/{finished}/complete");
        let answer = app.call(&learner, "POST", &path, Some(json!({}))).await;
        assert!(answer.status < 300, "{}", answer.body);
        let task = drafted.assignment(1).await;
        let text = json!({
            "assignment_id": task, "draft": false, "content": {"type": "text", "text": "Cold."},
        });
        let work = made(app, &learner, "submissions", text).await;
        done_with(
            app,
            &format!("submissions/{work}/grade"),
            json!({"score": 70}),
        )
        .await;
        let sealed = list(app, &format!("submissions/{work}/grades")).await;
        let by = key(app, &author()).await;

        let ended = drafted.draft(&by, "replace").await;

        let (first, second) = (&drafted.units[0], &drafted.units[1]);
        let completed = json!({"completions": 1});
        let graded = json!({"submissions": 1, "grades": 1});
        for (id, counts) in [
            (first, &completed),
            (&finished, &completed),
            (second, &graded),
            (&task, &graded),
        ] {
            assert_eq!(kept(&ended, id), Some(("in_use", counts)), "{ended}");
        }
        assert_eq!(ended["result"]["kept_count"], json!(4), "{ended}");
        assert_eq!(
            list(app, &format!("submissions/{work}/grades")).await,
            sealed
        );
        let own = format!("/v1/submissions/{work}");
        let own = app.call(&learner, "GET", &own, None).await;
        assert_eq!(own.body["score"], json!(70));
        // Of these units only what was used; of the others nothing.
        assert_eq!(drafted.lessons(0).await, [finished]);
        assert_eq!(drafted.lessons(1).await, Vec::<String>::new());
        for unit in &drafted.units[2..] {
            assert!(!drafted.is_there(&format!("units/{unit}")).await, "{unit}");
        }
        let units = drafted.list("units").await;
        let positions: Vec<&Value> = units.iter().map(|unit| &unit["position"]).collect();
        let expected: Vec<Value> = (0..units.len()).map(|n| json!(n)).collect();
        assert_eq!(positions, expected.iter().collect::<Vec<_>>());
        assert_eq!(
            json!([units[0]["id"], units[1]["id"]]),
            json!([first, second])
        );
        let gone = events(app, "unit.deleted").await;
        assert_eq!(gone.len(), drafted.units.len() - 2);
        assert_eq!(
            ended["result"]["replaced"]["units"],
            json!(drafted.units.len() - 2)
        );
        let ended = drafted.draft(&by, "replace").await;
        assert_eq!(ended["result"]["kept_count"], json!(4), "again the same");
    }
}

async fn done_with(app: &TestApp, action: &str, body: Value) {
    let answer = app.post(&format!("/v1/{action}"), body).await;
    assert!(answer.status < 300, "{action} {}", answer.body);
}

#[actix_web::test]
async fn what_a_person_made_or_changed_stays_and_is_named() {
    for database in BOTH {
        let drafted = Drafted::on(database).await;
        let app = &drafted.app;
        let [named, reworded, regraded, retested, filled, tasked] = [0, 1, 2, 3, 4, 5];
        let unit = |n: usize| drafted.units[n].clone();
        drafted
            .patch(&format!("units/{}", unit(named)), json!({"name": "Mine"}))
            .await;
        let lesson = drafted.lessons(reworded).await.swap_remove(0);
        drafted
            .patch(&format!("lessons/{lesson}"), json!({"content": "By hand."}))
            .await;
        let task = drafted.assignment(regraded).await;
        let criteria = json!({"criteria": [{"name": "Cold"}]});
        drafted
            .patch(&format!("assignments/{task}/configure/rubric"), criteria)
            .await;
        let mut quizzed = None;
        for id in drafted.lessons(retested).await {
            let activities = list(app, &format!("activities?lesson_id={id}")).await;
            if let Some(activity) = activities.first() {
                quizzed = Some((id, activity["id"].as_str().unwrap().to_owned()));
            }
        }
        let (quizzed, activity) = quizzed.unwrap();
        drafted
            .patch(&format!("activities/{activity}"), json!({"name": "Mine"}))
            .await;
        let own_lesson = json!({"unit_id": unit(filled), "name": "Own"});
        let own_lesson = made(app, &app.owner, "lessons", own_lesson).await;
        let own_task = json!({"unit_id": unit(tasked), "name": "Own"});
        let own_task = made(app, &app.owner, "assignments", own_task).await;
        let loose = json!({"course_id": drafted.course, "name": "Exam"});
        let loose = made(app, &app.owner, "assignments", loose).await;

        let ended = drafted.draft(&app.owner, "replace").await;

        for id in [
            &unit(named),
            &unit(reworded),
            &lesson,
            &unit(regraded),
            &task,
            &unit(retested),
            &quizzed,
            &unit(filled),
            &own_lesson,
            &unit(tasked),
            &own_task,
        ] {
            assert_eq!(
                kept(&ended, id),
                Some(("edited", &json!({}))),
                "{id} {ended}"
            );
        }
        assert_eq!(ended["result"]["kept_count"], json!(11), "{ended}");
        for thing in [
            format!("activities/{activity}"),
            format!("assignments/{own_task}"),
            format!("assignments/{loose}"),
            format!("lessons/{own_lesson}"),
        ] {
            assert!(drafted.is_there(&thing).await, "{thing}");
        }
        let text = app.get(&format!("/v1/lessons/{lesson}")).await.body;
        assert_eq!(text["content"], "By hand.");
        assert_eq!(drafted.lessons(reworded).await, [lesson]);
        assert_eq!(drafted.lessons(tasked).await, Vec::<String>::new());
    }
}

#[actix_web::test]
async fn whoever_begins_while_it_is_drafted_loses_nothing() {
    let drafted = Drafted::on(Database::Sqlite).await;
    let (app, learner) = (&drafted.app, drafted.learner().await);
    let path = format!("/v1/courses/{}/syllabus", drafted.course);
    let asked = app.post(&path, json!({"mode": "replace"})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let lesson = drafted.lessons(2).await.swap_remove(0);
    let complete = format!("/v1/lessons/{lesson}/complete");
    let answer = app.call(&learner, "POST", &complete, Some(json!({}))).await;
    assert!(answer.status < 300, "{}", answer.body);
    app.work().await;
    let ended = app
        .get(&format!("/v1/generations/{}", asked.id()))
        .await
        .body;
    assert_eq!(
        kept(&ended, &lesson),
        Some(("in_use", &json!({"completions": 1})))
    );
    assert!(drafted.is_there(&format!("lessons/{lesson}")).await);
}

/// Who made an assignment was not always noted: what a migration finds out of it is AI's, and no more.
#[actix_web::test]
async fn what_was_drafted_before_it_was_noted_is_known_and_copies_are_a_persons() {
    let up = [
        include_str!("../../migrations/sqlite/20261123101001_note_who_made_assignments/up.sql"),
        include_str!("../../migrations/postgres/20261123101001_note_who_made_assignments/up.sql"),
    ];
    for (database, up) in BOTH.into_iter().zip(up) {
        let mut drafted = Drafted::on(database).await;
        let path = format!("/v1/courses/{}/clone", drafted.course);
        let copy = drafted.app.post(&path, json!({"name": "Copy"})).await.id();
        let own = json!({"unit_id": drafted.units[0], "name": "Own"});
        let own = made(&drafted.app, &drafted.app.owner, "assignments", own).await;
        drafted.app.clock.advance(1);
        let url = drafted.app.database_url().to_owned();
        let before = "UPDATE assignments SET origin = 'human', model = NULL, generation_id = NULL;";
        let (_, noting) = up.split_once("UPDATE").unwrap();
        // As it was before: nobody knows, and what a person made came later.
        tamper(&url, before);
        tamper(&url, &later(&own, database));
        tamper(&url, &format!("UPDATE{noting}"));
        let owner = drafted.app.owner.clone();
        let ended = drafted.draft(&owner, "replace").await;
        assert_eq!(ended["result"]["kept_count"], json!(2), "{ended}");
        assert!(kept(&ended, &own).is_some(), "{ended}");
        drafted.course = copy;
        let units = drafted.list("units").await.len();
        let ended = drafted.draft(&owner, "replace").await;
        let kept_units = ended["result"]["kept"].as_array().unwrap().iter();
        let kept_units = kept_units.filter(|one| one["object"] == "unit").count();
        assert_eq!(kept_units, units, "{ended}");
    }
}

/// The clock of these tests stands: a person's assignment is made after the unit that it is in.
fn later(id: &str, database: Database) -> String {
    let later = match database {
        Database::Sqlite => "'2027-01-01T00:00:00.000Z'",
        Database::Postgres => "created_at + interval '1 second'",
    };
    format!("UPDATE assignments SET created_at = {later} WHERE id = '{id}';")
}
