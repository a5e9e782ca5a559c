//! Two students of one cohort: neither reads, changes or detects anything of the other's, by any route and with either
//! kind of key.

use lyceum_api::routes;
use serde_json::{Map, Value, json};
use support::app::{Caller, TestApp};
use support::queries;
use support::stores::Database;

use crate::isolation::told;
use crate::school::{School, app_on, done, made, session};
use crate::world::{Ids, body};

/// What Bob says of himself, wherever he may say anything; nothing of it is Ada's to read.
const MARK: &str = "only-bob-knows";

/// A student, and what is theirs.
struct Student {
    caller: Caller,
    user: String,
    email: String,
    /// Handed in.
    submission: String,
    /// Not yet.
    draft: String,
    thread: String,
}

/// A school whose assignment may be handed in twice, with a question that is answered in words.
struct Class {
    app: TestApp,
    school: School,
    ada: Student,
    bob: Student,
}

async fn as_student(app: &TestApp, caller: &Caller, path: &str, body: Value) -> Value {
    let answer = app.call(caller, "POST", path, Some(body)).await;
    assert!(
        (200..300).contains(&answer.status),
        "{path} {}",
        answer.body
    );
    answer.body
}

impl Student {
    /// Enrolled, let in, and busy.
    async fn of(app: &TestApp, school: &School, name: &str, mark: &str) -> Self {
        let email = format!("{name}@class.example");
        let user =
            json!({"email": email, "name": mark, "external_id": mark, "metadata": {"of": mark}});
        let user = made(app, &app.owner, "users", user).await;
        let place = format!("/v1/cohorts/{}/students", school.cohort);
        let enrolled = app.post(&place, json!({"user_id": user})).await;
        assert_eq!(enrolled.status, 201, "{}", enrolled.body);
        let caller = session(app, &email).await;
        let text = json!({"type": "text", "text": format!("{mark} writes")});
        let work = |draft: bool| json!({"assignment_id": school.assignment, "draft": draft, "content": text});
        let submission = as_student(app, &caller, "/v1/submissions", work(false)).await;
        let draft = as_student(app, &caller, "/v1/submissions", work(true)).await;
        let attempts = format!("/v1/activities/{}/attempts", school.activity);
        let answers = json!({"answers": {"q2": format!("{mark} answers")}});
        as_student(app, &caller, &attempts, answers).await;
        let tutor = format!("/v1/lessons/{}/tutor", school.lesson);
        let message = json!({"message": format!("{mark} asks how cold it is")});
        let talk = as_student(app, &caller, &tutor, message).await;
        let grade = format!(
            "/v1/submissions/{}/grade",
            submission["id"].as_str().unwrap()
        );
        let graded = json!({"score": 50, "feedback": format!("{mark} is told"), "reason": mark});
        let graded = app.post(&grade, graded).await;
        assert_eq!(graded.status, 200, "{}", graded.body);
        let id = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            caller,
            user,
            email,
            submission: id(&submission["id"]),
            draft: id(&draft["id"]),
            thread: id(&talk["thread_id"]),
        }
    }
}

impl Class {
    async fn on(database: Database) -> Self {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let open = json!({"content": {"questions": [
            {"id": "q1", "type": "true_false", "prompt": "Cold?", "answer": true},
            {"id": "q2", "type": "open", "prompt": "Why?"},
        ]}});
        let activity = format!("/v1/activities/{}", school.activity);
        assert_eq!(app.patch(&activity, open).await.status, 200);
        done(&app, &format!("courses/{}/publish", school.course)).await;
        done(&app, &format!("cohorts/{}/start", school.cohort)).await;
        let ada = Student::of(&app, &school, "ada", "ada-herself").await;
        let bob = Student::of(&app, &school, "bob", MARK).await;
        let shared = format!("/v1/lessons/{}/complete", school.lesson);
        as_student(&app, &bob.caller, &shared, json!({})).await;
        Self {
            app,
            school,
            ada,
            bob,
        }
    }

    /// A path of the table about the class's things, and about this student's where it is about a student's.
    fn path(&self, path: &str, student: &Student, submission: &str) -> String {
        let collection = path.split('/').nth(2).unwrap_or_default();
        let id = match collection {
            "submissions" => submission,
            "users" => &student.user,
            "courses" => &self.school.course,
            "units" => &self.school.unit,
            "lessons" => &self.school.lesson,
            "activities" => &self.school.activity,
            "assignments" => &self.school.assignment,
            "cohorts" => &self.school.cohort,
            _ => "1",
        };
        let path = path.replace("{id}", id).replace("{user_id}", &student.user);
        path.replace("{platform}", "main")
            .replace("{file}", "reference.css")
            .replace("{ticket}", "1")
    }

    /// Everything a route takes that could name somebody else's.
    fn queries(&self) -> Vec<String> {
        let bob = &self.bob;
        vec![
            String::new(),
            format!("?user_id={}", bob.user),
            format!("?thread_id={}", bob.thread),
            format!("?object_id={}", bob.submission),
            format!("?subject_id={}", bob.submission),
            format!("?email={}", bob.email),
            format!("?q={MARK}"),
            format!("?metadata[of]={MARK}"),
            format!("?startingAfter={}", bob.submission),
            "?expand=user".to_owned(),
            "?expand=assignment,cohort".to_owned(),
            "?verify=true".to_owned(),
            "?limit=100".to_owned(),
        ]
    }
}

#[actix_web::test]
async fn no_route_shows_a_student_anything_of_another() {
    for database in [Database::Sqlite, Database::Postgres] {
        let class = Class::on(database).await;
        let mut answered = 0;
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let both = [&class.bob.submission, &class.bob.draft];
            let of_work = route.path.starts_with("/v1/submissions/");
            for submission in both.into_iter().take(if of_work { 2 } else { 1 }) {
                let path = class.path(route.path, &class.bob, submission);
                for query in class.queries() {
                    let path = format!("{path}{query}");
                    let answer = class.app.call(&class.ada.caller, "GET", &path, None).await;
                    let text = answer.body.to_string();
                    let foreign = [MARK, &class.bob.email, &class.bob.draft, &class.bob.thread];
                    for word in foreign {
                        // The reference says what was looked for, as the one who looks wrote it.
                        let is_search = route.path == "/docs" && query.starts_with("?q=");
                        let echoed = answer.status >= 400 || is_search;
                        assert!(
                            echoed || !text.contains(word),
                            "{path} shows {word}: {text}"
                        );
                    }
                    assert!(answer.status < 500, "{path} {text}");
                    answered += u32::from(answer.status == 200);
                }
            }
        }
        assert!(answered > 80, "hardly anything was shown: {answered}");
    }
}

/// A submission that never was.
fn never() -> String {
    format!("sub_{}", "0".repeat(26))
}

#[actix_web::test]
async fn another_students_work_is_not_there_and_costs_as_much_to_look_for() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let class = Class::on(database).await;
        let taken = || {
            let all = queries::taken(class.app.database_url()).into_iter();
            all.filter(|query| query.starts_with("SELECT ")).count()
        };
        let mut hidden = 0;
        for route in routes::all() {
            if !route.path.starts_with("/v1/submissions/{id}") {
                continue;
            }
            let content = json!({"content": {"type": "text", "text": "mine now"}});
            let others = Ids(Map::from_iter([("submissions".into(), json!(never()))]));
            for sent in [json!({}), content, body(route.operation, &others)] {
                let ask = async |submission: &str| {
                    // Who the caller is is known from here on, and need not be asked for the one and not for the other.
                    class
                        .app
                        .call(&class.ada.caller, "GET", "/v1/me", None)
                        .await;
                    taken();
                    let path = class.path(route.path, &class.bob, submission);
                    let sent = (route.method != "GET").then(|| sent.clone());
                    let answer = class
                        .app
                        .call(&class.ada.caller, route.method, &path, sent)
                        .await;
                    (told(answer), taken())
                };
                let nowhere = ask(&never()).await;
                // What students may not do at all is refused before anything is looked for.
                assert!(
                    [403, 404].contains(&nowhere.0.0),
                    "{} {}",
                    route.path,
                    nowhere.0.1
                );
                hidden += u32::from(nowhere.0.0 == 404);
                for submission in [&class.bob.submission, &class.bob.draft] {
                    let theirs = ask(submission).await;
                    assert_eq!(
                        theirs, nowhere,
                        "{database:?} {} {}",
                        route.method, route.path
                    );
                }
            }
        }
        assert!(hidden >= 12, "{hidden}");
        // And it is all as it was.
        for submission in [&class.bob.submission, &class.bob.draft] {
            let path = format!("/v1/submissions/{submission}");
            let kept = class.app.get(&path).await.body;
            assert_eq!(kept["content"]["text"], format!("{MARK} writes"), "{kept}");
        }
        let draft = class
            .app
            .get(&format!("/v1/submissions/{}", class.bob.draft))
            .await
            .body;
        assert_eq!(draft["status"], "draft");
    }
}

#[actix_web::test]
async fn nobody_does_anything_in_another_students_name() {
    let class = Class::on(Database::Sqlite).await;
    let bob = json!(class.bob.user);
    let school = &class.school;
    for (path, sent) in [
        (
            "/v1/submissions".to_owned(),
            json!({"assignment_id": school.assignment, "user_id": bob}),
        ),
        (
            format!("/v1/activities/{}/attempts", school.activity),
            json!({"answers": {}, "user_id": bob}),
        ),
        (
            format!("/v1/lessons/{}/complete", school.lesson),
            json!({"user_id": bob}),
        ),
    ] {
        let refused = class
            .app
            .call(&class.ada.caller, "POST", &path, Some(sent.clone()))
            .await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "not_own_resource"),
            "{path}"
        );
        // The same is told of somebody who is nobody.
        let mut nobody = sent;
        nobody["user_id"] = json!(format!("usr_{}", "0".repeat(26)));
        let unknown = class
            .app
            .call(&class.ada.caller, "POST", &path, Some(nobody))
            .await;
        assert_eq!(told(refused), told(unknown), "{path}");
    }
    let tutor = format!("/v1/lessons/{}/tutor", school.lesson);
    let ask = async |thread: &str| {
        let sent = json!({"message": "Go on?", "thread_id": thread});
        told(
            class
                .app
                .call(&class.ada.caller, "POST", &tutor, Some(sent))
                .await,
        )
    };
    let theirs = ask(&class.bob.thread).await;
    assert_eq!(theirs.0, 404, "{}", theirs.1);
    assert_eq!(theirs, ask(&format!("thr_{}", "0".repeat(26))).await);
}
