//! Several things of a course are moved together: all of them or none, and the places of all others stay without gaps.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// A course with two units, of which the first has lessons `A` to `E` and the second `x` to `z`.
struct Course {
    app: TestApp,
    id: String,
    units: [String; 2],
}

impl Course {
    async fn open(database: Database) -> Self {
        let app = app_on(database).await;
        let course = json!({"name": "Cooling", "language": "en"});
        let id = made(&app, &app.owner, "courses", course).await;
        let mut units = [const { String::new() }; 2];
        for (unit, names) in units.iter_mut().zip(["ABCDE", "xyz"]) {
            let new = json!({"course_id": id, "name": names});
            *unit = made(&app, &app.owner, "units", new).await;
            for name in names.chars() {
                let new = json!({"unit_id": unit, "name": name.to_string()});
                made(&app, &app.owner, "lessons", new).await;
            }
        }
        Self { app, id, units }
    }

    async fn lessons(&self, unit: usize) -> Vec<Value> {
        let path = format!("lessons?unit_id={}&limit=100", self.units[unit]);
        list(&self.app, &path).await
    }

    /// The names of a unit's lessons in order, whose places must be 0, 1, 2 ….
    async fn names(&self, unit: usize) -> String {
        let lessons = self.lessons(unit).await;
        for (place, lesson) in lessons.iter().enumerate() {
            assert_eq!(lesson["position"], place, "{lessons:#?}");
        }
        let names = lessons.iter().filter_map(|lesson| lesson["name"].as_str());
        names.collect()
    }

    async fn ids(&self, names: &str) -> Vec<Value> {
        let mut all = self.lessons(0).await;
        all.extend(self.lessons(1).await);
        let found = names.chars().map(|name| {
            let lesson = all.iter().find(|one| one["name"] == name.to_string());
            lesson.unwrap()["id"].clone()
        });
        found.collect()
    }

    async fn ask(&self, body: Value) -> Answer {
        let path = format!("/v1/courses/{}/move", self.id);
        self.app.post(&path, body).await
    }

    async fn move_lessons(&self, names: &str, unit: usize, position: usize) -> Answer {
        let ids = self.ids(names).await;
        let body = json!({"ids": ids, "parent_id": self.units[unit], "position": position});
        self.ask(body).await
    }
}

#[actix_web::test]
async fn lessons_stand_side_by_side_in_the_order_in_which_they_were_named() {
    for database in BOTH {
        let course = Course::open(database).await;
        for (names, unit, position, first, second) in [
            ("EA", 0, 1, "BEACD", "xyz"),
            ("BD", 0, 99, "EACBD", "xyz"),
            // From both units, in between.
            ("zC", 1, 1, "EABD", "xzCy"),
            // All of a unit: its order.
            ("ABDE", 0, 0, "ABDE", "xzCy"),
            ("C", 0, 2, "ABCDE", "xzy"),
            ("ABCDE", 1, 0, "", "ABCDExzy"),
        ] {
            let moved = course.move_lessons(names, unit, position).await;
            assert_eq!(moved.status, 200, "{}", moved.body);
            assert_eq!(moved.body["course_id"], *course.id);
            let told = moved.body["moved"].as_array().unwrap();
            let now = course.lessons(unit).await;
            for (one, id) in told.iter().zip(course.ids(names).await) {
                let lesson = now.iter().find(|lesson| lesson["id"] == id).unwrap();
                let place = json!({
                    "id": id, "parent_id": course.units[unit], "position": lesson["position"],
                });
                assert_eq!(one, &place);
            }
            assert_eq!(told.len(), names.len());
            let names = [course.names(0).await, course.names(1).await];
            assert_eq!(names, [first, second]);
        }
    }
}

#[actix_web::test]
async fn what_stands_so_already_leaves_no_trace_and_what_moves_one_event_each() {
    let course = Course::open(Database::Sqlite).await;
    let count = async || {
        list(&course.app, "events?type=lesson.updated&limit=100")
            .await
            .len()
    };
    let same = course.move_lessons("BC", 0, 1).await;
    assert_eq!(
        (same.status, &same.body["moved"][1]["position"]),
        (200, &json!(2))
    );
    assert_eq!(count().await, 0);
    assert_eq!(course.move_lessons("DE", 0, 0).await.status, 200);
    assert_eq!(count().await, 2);
}

#[actix_web::test]
async fn units_and_activities_are_moved_so_too_and_assignments_follow_their_lesson() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let new = json!({"course_id": school.course, "name": "Second"});
        let second = made(&app, &app.owner, "units", new).await;
        let path = format!("/v1/courses/{}/move", school.course);
        let turned = app
            .post(&path, json!({"ids": [second, school.unit], "position": 0}))
            .await;
        assert_eq!(turned.status, 200, "{}", turned.body);
        assert_eq!(turned.body["moved"][0]["parent_id"], *school.course);
        let units = list(&app, &format!("units?course_id={}", school.course)).await;
        assert_eq!(units[0]["id"], *second);
        let work = json!({"lesson_id": school.lesson, "name": "Essay"});
        let work = made(&app, &app.owner, "assignments", work).await;
        let body = json!({"ids": [school.lesson], "parent_id": second, "position": 0});
        assert_eq!(app.post(&path, body).await.status, 200);
        let work = app.get(&format!("/v1/assignments/{work}")).await;
        assert_eq!(work.body["unit_id"], *second);
        let new = json!({"unit_id": second, "name": "Other"});
        let other = made(&app, &app.owner, "lessons", new).await;
        // The lesson of the first is meant where none is named.
        let body = json!({"ids": [school.activity], "position": 3});
        assert_eq!(
            app.post(&path, body).await.body["moved"][0]["parent_id"],
            *school.lesson
        );
        let body = json!({"ids": [school.activity], "parent_id": other, "position": 3});
        assert_eq!(app.post(&path, body).await.body["moved"][0]["position"], 0);
        let moved = app
            .get(&format!("/v1/activities/{}", school.activity))
            .await;
        assert_eq!(moved.body["lesson_id"], *other);
    }
}

#[actix_web::test]
async fn what_is_not_of_the_course_moves_nothing() {
    let course = Course::open(Database::Sqlite).await;
    let school = School::open(&course.app).await;
    let own = course.ids("A").await.remove(0);
    for (ids, parent, field) in [
        (json!([own, school.lesson]), &course.units[1], "ids"),
        (json!([own]), &school.unit, "parent_id"),
        (json!([own, course.units[0]]), &course.units[1], "ids"),
        (json!([own, own]), &course.units[1], "ids"),
        (json!([]), &course.units[1], "ids"),
    ] {
        let body = json!({"ids": ids, "parent_id": parent, "position": 0});
        let refused = course.ask(body).await;
        assert!(
            (400..404).contains(&refused.status) || refused.status == 404,
            "{}",
            refused.body
        );
        assert!(
            refused.body["error"]["fields"][field].is_string(),
            "{}",
            refused.body
        );
        assert_eq!(course.names(0).await, "ABCDE");
    }
    let body = json!({"ids": [own], "position": 0});
    let elsewhere = course
        .app
        .post("/v1/courses/crs_00000000000000000000000000/move", body)
        .await;
    assert_refused(&elsewhere, 404, "resource_missing", "");
}

#[actix_web::test]
async fn forty_who_move_at_once_leave_no_gap_and_nobody_is_refused() {
    let course = Course::open(Database::Postgres).await;
    let (ac, zx) = (course.ids("AC").await, course.ids("zx").await);
    let asks = (0..40).map(|n| {
        let (ids, unit) = if n % 2 == 0 {
            (&ac, n / 2 % 2)
        } else {
            (&zx, n / 3 % 2)
        };
        let body = json!({"ids": ids, "parent_id": course.units[unit], "position": n % 5});
        course.ask(body)
    });
    for answer in join_all(asks).await {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let mut names: Vec<char> = (course.names(0).await + &course.names(1).await)
        .chars()
        .collect();
    names.sort_unstable();
    assert_eq!(names.iter().collect::<String>(), "ABCDExyz");
}
