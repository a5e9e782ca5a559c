//! The book of grades: how a course is weighed, where learners stand by it, and the same as files.

use std::io::Cursor;

use calamine::{Data, DataType, Reader, Xlsx};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, key, made};
use crate::scorm::bytes;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// A cohort that is under way, and whose student has handed in and answered.
struct Class {
    app: TestApp,
    school: School,
    learner: Caller,
}

impl Class {
    async fn open(database: Database) -> Self {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let learner = school.student_session(&app).await;
        Self {
            app,
            school,
            learner,
        }
    }

    fn path(&self) -> String {
        format!("/v1/cohorts/{}/gradebook", self.school.cohort)
    }

    async fn book(&self, query: &str) -> Value {
        let answer = self.app.get(&format!("{}{query}", self.path())).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// The first student's row.
    async fn row(&self) -> Value {
        self.book("").await["data"][0].clone()
    }

    /// What the first student has at the assignment: state, points, attempt.
    async fn essay(&self) -> Value {
        let row = self.row().await;
        let cells = row["cells"].as_array().unwrap();
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell["item_id"] == json!(self.school.assignment));
        let cell = cell.unwrap();
        json!([cell["state"], cell["points"], cell["attempt"]])
    }

    async fn weigh(&self, gradebook: Value) -> Answer {
        let path = format!("/v1/courses/{}", self.school.course);
        let body = json!({ "gradebook": gradebook });
        self.app.patch(&path, body).await
    }

    async fn answer_quiz(&self, answer: &str) {
        let path = format!("/v1/activities/{}/attempts", self.school.activity);
        let body = json!({"answers": {"q1": answer}});
        let answered = self
            .app
            .call(&self.learner, "POST", &path, Some(body))
            .await;
        assert_eq!(answered.status, 201, "{}", answered.body);
    }

    async fn grade(&self, submission: &str, score: f64) {
        let path = format!("/v1/submissions/{submission}/grade");
        let graded = self.app.post(&path, json!({"score": score})).await;
        assert_eq!(graded.status, 200, "{}", graded.body);
    }

    async fn enrol(&self, email: &str, name: &str) -> String {
        let place = format!("/v1/cohorts/{}/students", self.school.cohort);
        let body = json!({"email": email, "name": name});
        let answer = self.app.post(&place, body).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.body["user_id"].as_str().unwrap().to_owned()
    }

    /// The book in a file of this kind: its answer and its bytes.
    async fn file(&self, extension: &str) -> (Answer, Vec<u8>) {
        let asked = || {
            let path = format!("{}.{extension}", self.path());
            request(&self.app.owner, "GET", &path)
        };
        let (_, bytes) = bytes(&self.app, asked()).await;
        (self.app.send(asked()).await, bytes)
    }
}

fn group(id: &str, weight: u8, items: &[&str]) -> Value {
    json!({
        "id": id, "name": id.to_uppercase(), "weight": weight, "drop_lowest": 0, "attempt": "best", "items": items,
    })
}

#[rstest]
#[actix_web::test]
async fn how_a_course_is_weighed_is_said_replaced_cleared_and_copied(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let class = Class::open(database).await;
    let (app, school) = (&class.app, &class.school);
    let path = format!("/v1/courses/{}", school.course);
    let nothing = json!({"groups": [], "missing": "ignored"});
    assert_eq!(app.get(&path).await.body["gradebook"], nothing);
    let gone = "asg_00000000000000000000000009";
    let items = [school.assignment.as_str(), school.activity.as_str(), gone];
    let scheme = json!({"groups": [group("all", 70, &items)], "missing": "zero"});
    let changed = class.weigh(scheme.clone()).await;
    assert_eq!((changed.status, &changed.body["gradebook"]), (200, &scheme));
    assert_eq!(app.get(&path).await.body["gradebook"], scheme);
    // The copy is weighed by its own tasks; what has no copy is left out.
    let copy = app.post(&format!("{path}/clone"), json!({})).await;
    assert_eq!(copy.status, 201, "{}", copy.body);
    let copied = app.get(&format!("/v1/courses/{}", copy.id())).await.body;
    let copied = copied["gradebook"]["groups"][0]["items"]
        .as_array()
        .unwrap();
    assert_eq!(copied.len(), 2, "{copied:?}");
    let assignments = format!("/v1/assignments?course_id={}", copy.id());
    let theirs = app.get(&assignments).await.body["data"][0]["id"].clone();
    assert_eq!(copied[0], theirs);
    assert_eq!(class.weigh(Value::Null).await.body["gradebook"], nothing);
    for (wrong, field) in [
        (json!({"missing": "luck"}), "gradebook.missing"),
        (
            json!({"groups": [group("a", 70, &[]), group("b", 40, &[])]}),
            "gradebook.groups",
        ),
        (
            json!({"groups": [group("a", 10, &[&school.course])]}),
            "gradebook.groups[0].items[0]",
        ),
        (
            json!({"groups": [group("a", 10, &[gone]), group("b", 10, &[gone])]}),
            "gradebook.groups[1].items[0]",
        ),
    ] {
        let refused = class.weigh(wrong).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn a_book_shows_what_counts_of_each_task_in_each_group_and_in_all() {
    for database in BOTH {
        let class = Class::open(database).await;
        let school = &class.school;
        let (quiz, essay) = (school.activity.as_str(), school.assignment.as_str());
        let book = class.book("").await;
        let columns = book["columns"].as_array().unwrap();
        let told: Vec<Value> = columns
            .iter()
            .map(|one| {
                json!([
                    one["id"],
                    one["object"],
                    one["name"],
                    one["points"],
                    one["group"]
                ])
            })
            .collect();
        // The quiz is of a lesson, the assignment of its unit.
        assert_eq!(
            json!(told),
            json!([
                [quiz, "activity", "Check", 1, null],
                [essay, "assignment", "Plan", 100, null]
            ])
        );
        assert_eq!(
            (&book["columns_total"], &book["columns_after"]),
            (&json!(2), &json!(""))
        );
        assert_eq!(class.essay().await, json!(["not_handed_in", null, null]));
        assert_eq!(class.row().await["total"], Value::Null);
        class.answer_quiz("b").await;
        class.app.clock.advance(60);
        class.answer_quiz("a").await;
        let first = school.hand_in(&class.app, "Cool it.").await;
        assert_eq!(
            class.essay().await,
            json!(["waits_for_a_grade", null, null])
        );
        class.grade(&first, 80.5).await;
        assert_eq!(class.essay().await, json!(["graded", 80.5, 1]));
        let row = class.row().await;
        // All together: 81.5 of 101 points.
        assert_eq!(row["total"], json!(80.69), "{row}");
        let other = json!({
            "id": null, "weight": 100, "points": 81.5, "possible": 101, "percent": 80.69,
            "counted": 2, "dropped": 0, "counting": "counted",
        });
        assert_eq!(row["groups"], json!([other]));
        assert_eq!(row["cells"][1]["submission_id"], json!(first));
        assert_eq!(row["cells"][0]["submission_id"], Value::Null);
        let groups = json!([group("quizzes", 60, &[quiz]), group("essays", 40, &[essay])]);
        let weighed = class.weigh(json!({ "groups": groups })).await;
        assert_eq!(weighed.status, 200, "{}", weighed.body);
        // 60 % of all, 40 % of 80.5 %.
        assert_eq!(class.row().await["total"], json!(92.2));
        // The better of two counts.
        let second = school.hand_in(&class.app, "Cool it sooner.").await;
        class.grade(&second, 70.0).await;
        assert_eq!(class.essay().await, json!(["graded", 80.5, 1]));
        let mut latest = group("essays", 40, &[essay]);
        latest["attempt"] = json!("latest");
        class.weigh(json!({"groups": [latest]})).await;
        assert_eq!(class.essay().await, json!(["graded", 70, 2]));
    }
}

#[actix_web::test]
async fn a_grade_that_a_person_is_still_to_look_at_counts_nothing() {
    for database in BOTH {
        let class = Class::open(database).await;
        let school = &class.school;
        school
            .configure(&class.app, json!({"human_review": "required"}))
            .await;
        let id = school.hand_in(&class.app, "Keep it cold.").await;
        let path = format!("/v1/submissions/{id}/ai");
        let asked = class.app.post(&path, json!({})).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        class.app.work().await;
        let held = class.app.get(&format!("/v1/submissions/{id}")).await.body;
        assert_eq!(held["status"], "in_review", "{held}");
        assert_eq!(
            class.essay().await,
            json!(["waits_for_a_grade", null, null])
        );
        done(&class.app, &format!("submissions/{id}/approve")).await;
        let approved = class.essay().await;
        assert_eq!((&approved[0], &approved[2]), (&json!("graded"), &json!(1)));
    }
}

#[actix_web::test]
async fn what_is_missing_counts_as_the_course_says_and_as_it_was_due_for_whom() {
    for database in BOTH {
        let class = Class::open(database).await;
        let (app, school) = (&class.app, &class.school);
        let eve = class.enrol("eve@school.example", "Eve").await;
        let assignment = format!("/v1/assignments/{}", school.assignment);
        let due = |hours: i64| {
            let now = app.app.clock.now().unix_millis();
            lyceum_domain::Timestamp::from_unix_millis(now + hours * 3_600_000).to_string()
        };
        let changed = app.patch(&assignment, json!({"due_at": due(-1)})).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        assert_eq!(class.essay().await[0], "not_handed_in");
        class.weigh(json!({"missing": "zero"})).await;
        let states = async || -> Vec<(Value, Value)> {
            let book = class.book("?sort=name").await;
            let rows = book["data"].as_array().unwrap().iter();
            rows.map(|row| (row["cells"][1]["state"].clone(), row["total"].clone()))
                .collect()
        };
        let zero = (json!("missing_counts_as_zero"), json!(0));
        assert_eq!(states().await, [zero.clone(), zero.clone()]);
        // Eve has more time, and then the whole cohort.
        let overrides = format!("assignments/{}/overrides", school.assignment);
        let more = json!({"user_id": eve, "due_at": due(1)});
        made(app, &app.owner, &overrides, more).await;
        let open = (json!("not_handed_in"), Value::Null);
        assert_eq!(states().await, [zero, open.clone()]);
        let more = json!({"cohort_id": school.cohort, "due_at": due(2)});
        made(app, &app.owner, &overrides, more).await;
        assert_eq!(states().await, [open.clone(), open]);
        assert_eq!(class.book("").await["columns"][1]["due_at"], json!(due(2)));
    }
}

#[actix_web::test]
async fn what_was_handed_in_elsewhere_counts_there() {
    for database in BOTH {
        let class = Class::open(database).await;
        let (app, school) = (&class.app, &class.school);
        let again = json!({"course_id": school.course, "name": "Again"});
        let again = made(app, &app.owner, "cohorts", again).await;
        let place = format!("cohorts/{again}/students");
        made(app, &app.owner, &place, json!({"user_id": school.student})).await;
        let hand_in = async |cohort: Value, score: f64| {
            let body = json!({
                "assignment_id": school.assignment, "user_id": school.student, "cohort_id": cohort,
                "content": {"type": "text", "text": "Cool it."}, "draft": false,
            });
            let id = made(app, &app.owner, "submissions", body).await;
            class.grade(&id, score).await;
        };
        hand_in(json!(again), 90.0).await;
        assert_eq!(class.essay().await, json!(["not_handed_in", null, null]));
        hand_in(Value::Null, 50.0).await;
        assert_eq!(class.essay().await, json!(["graded", 50, 2]));
        let there = app
            .get(&format!("/v1/cohorts/{again}/gradebook"))
            .await
            .body;
        assert_eq!(there["data"][0]["cells"][1]["points"], json!(90));
    }
}

#[actix_web::test]
async fn a_book_is_paged_both_ways() {
    for database in BOTH {
        let class = Class::open(database).await;
        let (app, school) = (&class.app, &class.school);
        for n in 0..4 {
            class
                .enrol(&format!("s{n}@school.example"), &format!("S{n}"))
                .await;
            let more = json!({"unit_id": school.unit, "name": format!("Task {n}")});
            made(app, &app.owner, "assignments", more).await;
        }
        let whole = class.book("?sort=name").await;
        let all = whole["columns"].as_array().unwrap();
        assert_eq!(all.len(), 6);
        let (mut rows, mut after) = (Vec::new(), String::new());
        loop {
            let mut columns = String::new();
            let mut cells: Vec<Vec<Value>> = Vec::new();
            let page = loop {
                // What is beside does not change where a page of students begins.
                let query = format!("?sort=name&limit=2&columns=4{after}{columns}");
                let page = class.book(&query).await;
                let shown = page["columns"].as_array().unwrap().clone();
                for (at, row) in page["data"].as_array().unwrap().iter().enumerate() {
                    let of_row = row["cells"].as_array().unwrap().clone();
                    let ids: Vec<&Value> = of_row.iter().map(|cell| &cell["item_id"]).collect();
                    let columns: Vec<&Value> = shown.iter().map(|one| &one["id"]).collect();
                    assert_eq!(ids, columns);
                    cells.resize(cells.len().max(at + 1), Vec::new());
                    cells[at].extend(of_row);
                }
                match page["columns_after"].as_str().unwrap() {
                    "" => break page,
                    more => columns = format!("&columns_after={more}"),
                }
            };
            for (row, cells) in page["data"].as_array().unwrap().iter().zip(cells) {
                let mut row = row.clone();
                row["cells"] = json!(cells);
                rows.push(row);
            }
            if page["has_more"] == json!(false) {
                break;
            }
            after = format!("&startingAfter={}", page["next_cursor"].as_str().unwrap());
        }
        assert_eq!(json!(rows), whole["data"]);
        let found = class.book("?q=s3").await;
        assert_eq!(found["data"].as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn what_cannot_be_a_page_of_it_is_refused() {
    let class = Class::open(Database::Sqlite).await;
    let gone = "columns_after=asg_00000000000000000000000009";
    for (query, code, field) in [
        ("columns=0", "invalid_parameter", "columns"),
        ("columns=101", "invalid_parameter", "columns"),
        ("columns=some", "invalid_parameter", "columns"),
        ("columns_after=x", "invalid_parameter", "columns_after"),
        (gone, "invalid_field", "columns_after"),
        ("sort=score", "invalid_parameter", "sort"),
    ] {
        let refused = class.app.get(&format!("{}?{query}", class.path())).await;
        assert_refused(&refused, 400, code, field);
    }
}

#[actix_web::test]
async fn a_cohort_that_is_updated_by_choice_is_weighed_by_what_it_sees() {
    for database in BOTH {
        let class = Class::open(database).await;
        let (app, school) = (&class.app, &class.school);
        let cohort = format!("/v1/cohorts/{}", school.cohort);
        let manual = app.patch(&cohort, json!({"updates": "manual"})).await;
        assert_eq!(manual.status, 200, "{}", manual.body);
        let assignment = format!("/v1/assignments/{}", school.assignment);
        let changed = json!({"name": "Another", "max_score": 10});
        assert_eq!(app.patch(&assignment, changed).await.status, 200);
        let column = class.book("").await["columns"][1].clone();
        assert_eq!(
            (&column["name"], &column["points"]),
            (&json!("Plan"), &json!(100))
        );
        done(app, &format!("cohorts/{}/update", school.cohort)).await;
        let column = class.book("").await["columns"][1].clone();
        assert_eq!(
            (&column["name"], &column["points"]),
            (&json!("Another"), &json!(10))
        );
    }
}

/// The lines of a file, with what they are separated by taken out.
fn lines(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
    let records = reader.records().map(|record| record.unwrap());
    records
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

#[actix_web::test]
async fn the_files_have_what_the_pages_have() {
    for database in BOTH {
        let class = Class::open(database).await;
        let school = &class.school;
        class
            .enrol("eve@school.example", "=HYPERLINK(\"x\"), Eve")
            .await;
        let id = school.hand_in(&class.app, "Cool it.").await;
        class.grade(&id, 80.25).await;
        class.answer_quiz("a").await;
        let essays = json!({"groups": [group("essays", 40, &[&school.assignment])]});
        class.weigh(essays).await;
        let (answer, bytes) = class.file("csv").await;
        assert_eq!(answer.status, 200);
        let name = format!("attachment; filename=\"grades-{}.csv\"", school.cohort);
        assert_eq!(answer.header("content-disposition"), Some(name.as_str()));
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("\r\n"), "{text}");
        let told = lines(&text);
        let expected = [
            vec![
                "name",
                "email",
                "external_id",
                "status",
                "Check",
                "Plan",
                "ESSAYS %",
                "in no group %",
                "total %",
            ],
            vec!["best possible", "", "", "", "1", "100", "100", "100", "100"],
            vec![
                "'=HYPERLINK(\"x\"), Eve",
                "eve@school.example",
                "",
                "active",
                "",
                "",
                "",
                "",
                "",
            ],
            vec![
                "Ada",
                "ada@school.example",
                "",
                "active",
                "1",
                "80.25",
                "80.25",
                "100",
                "92.10",
            ],
        ];
        assert_eq!(told, expected);
        let (answer, bytes) = class.file("xlsx").await;
        assert_eq!(answer.status, 200);
        let mut workbook = Xlsx::new(Cursor::new(bytes)).unwrap();
        let sheet = workbook.worksheet_range("Grades").unwrap();
        let shown = |cell: &Data| match cell.get_float() {
            Some(number) if number.fract() == 0.0 => format!("{number:.0}"),
            Some(number) => format!("{number:.2}"),
            None => cell.to_string(),
        };
        let told: Vec<Vec<String>> = sheet
            .rows()
            .map(|row| row.iter().map(shown).collect())
            .collect();
        let mut expected = lines(&text);
        // A string is never a formula there.
        expected[2][0].remove(0);
        assert_eq!(told, expected);
        assert!(workbook.worksheet_formula("Grades").unwrap().is_empty());
    }
}

#[actix_web::test]
async fn whoever_may_not_read_grades_and_names_gets_no_book() {
    let class = Class::open(Database::Sqlite).await;
    let stranger = class.app.another_workspace("elsewhere").await;
    for path in ["gradebook", "gradebook.csv", "gradebook.xlsx"] {
        let path = format!("/v1/cohorts/{}/{path}", class.school.cohort);
        let asked = async |caller: &Caller| class.app.call(caller, "GET", &path, None).await;
        for scopes in [&["read:students"][..], &["read:submissions"]] {
            let caller = key(&class.app, scopes).await;
            assert_eq!(asked(&caller).await.status, 403, "{path} {scopes:?}");
        }
        assert_eq!(asked(&class.learner).await.status, 403, "{path}");
        assert_eq!(asked(&stranger).await.status, 404, "{path}");
        let nobody = Caller {
            key: "lyc_kx".to_owned(),
            ..class.learner.clone()
        };
        assert_eq!(asked(&nobody).await.status, 401, "{path}");
    }
}

#[actix_web::test]
async fn two_hundred_who_look_while_grades_land_each_see_a_book_of_one_moment() {
    let class = Class::open(Database::Postgres).await;
    let school = &class.school;
    let id = school.hand_in(&class.app, "Cool it.").await;
    class.answer_quiz("b").await;
    class.grade(&id, 10.0).await;
    let looks = (0..200).map(async |n: u32| {
        if n.is_multiple_of(20) {
            class.grade(&id, f64::from(n) / 2.0).await;
        }
        let row = class.row().await;
        let (points, total) = (&row["cells"][1]["points"], &row["groups"][0]["points"]);
        assert_eq!(points, total, "{row}");
    });
    join_all(looks).await;
}
