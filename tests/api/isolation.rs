//! What belongs to one workspace is not there for another: not in paths, bodies, filters or cursors.
//!
//! Driven by the route table and the document made from it, so that a new route is covered or fails.

use lyceum_api::routes;
use serde_json::{Map, Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, made};

/// Two workspaces; one has something of every kind.
struct Worlds {
    app: TestApp,
    /// What an id stands for in a path or a body, in the first workspace.
    theirs: Ids,
    /// The same in the second.
    mine: Ids,
    /// The owner of the second.
    stranger: Caller,
}

/// Ids by collection, such as `courses`.
struct Ids(Map<String, Value>);

impl Ids {
    /// The id of a thing of a collection.
    fn of(&self, collection: &str) -> &str {
        let id = self.0.get(collection).and_then(Value::as_str);
        assert!(
            id.is_some(),
            "make something of {collection} to test its routes"
        );
        id.unwrap_or_default()
    }

    /// The id that a member such as `course_id` takes.
    fn for_member(&self, member: &str) -> &str {
        self.of(match member {
            "course_id" | "object_id" => "courses",
            "unit_id" => "units",
            "lesson_id" => "lessons",
            "assignment_id" => "assignments",
            "cohort_id" => "cohorts",
            "user_id" => "users",
            other => other,
        })
    }

    /// A path of the route table with these ids in it.
    fn path(&self, path: &str) -> String {
        let collection = path.split('/').nth(2).unwrap_or_default();
        let mut filled = path.to_owned();
        if path.contains("{user_id}") {
            filled = filled.replace("{user_id}", self.of("users"));
        }
        if path.contains("{id}") || path.contains("{platform}") {
            let id = self.of(collection);
            filled = filled.replace("{id}", id).replace("{platform}", id);
        }
        filled
    }
}

/// Everything that a caller has in a workspace of theirs.
async fn world(app: &TestApp, caller: &Caller) -> Ids {
    let school = School::of(app, caller).await;
    let get = async |path: &str| app.call(caller, "GET", path, None).await.body;
    let post = async |path: &str, body: Value| {
        let answer = app.call(caller, "POST", path, Some(body)).await;
        assert!(
            (200..300).contains(&answer.status),
            "{path} {}",
            answer.body
        );
        answer.id()
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let place = format!("/v1/cohorts/{}/students", school.cohort);
    post(&place, json!({"user_id": school.student})).await;
    let submission = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": "Cool it fast."},
    });
    let submission = made(app, caller, "submissions", submission).await;
    let syllabus = format!("/v1/courses/{}/syllabus", school.course);
    let endpoint = json!({"url": "http://127.0.0.1:9/hook"});
    let key = json!({"name": "Spare", "scopes": ["read:courses"]});
    let ids = json!({
        "generations": post(&syllabus, json!({"brief": "Cooling", "hours": 1})).await,
        "scorm": post("/v1/scorm", json!({"cohort_id": school.cohort})).await,
        "webhook_endpoints": post("/v1/webhook_endpoints", endpoint).await,
        "api_keys": post("/v1/api_keys", key).await,
        "events": text(&get("/v1/events").await["data"][0]["id"]),
        "workspaces": text(&get("/v1/workspaces").await["data"][0]["id"]),
        "platforms": text(&get("/v1/platforms").await["data"][0]["uuid"]),
        "courses": school.course, "units": school.unit, "lessons": school.lesson,
        "activities": school.activity, "assignments": school.assignment,
        "cohorts": school.cohort, "users": school.student, "submissions": submission,
    });
    app.work().await;
    Ids(ids.as_object().unwrap().clone())
}

async fn worlds(database: Database) -> Worlds {
    let app = app_on(database).await;
    let stranger = app.another_workspace("other").await;
    Worlds {
        theirs: world(&app, &app.owner).await,
        mine: world(&app, &stranger).await,
        stranger,
        app,
    }
}

/// Ids of the right form that never were.
fn unknown(ids: &Ids) -> Ids {
    let never = |id: &Value| {
        let id = id.as_str().unwrap_or_default();
        let never = id
            .split_once('_')
            .map(|(prefix, _)| format!("{prefix}_{}", "0".repeat(26)));
        json!(never.unwrap_or_else(|| "f".repeat(24)))
    };
    Ids(ids
        .0
        .iter()
        .map(|(name, id)| (name.clone(), never(id)))
        .collect())
}

/// A body that the operation would take from somebody whose things these are.
fn body(operation: &str, ids: &Ids) -> Value {
    match operation {
        "moveUnit" | "moveLesson" | "moveActivity" => json!({"position": 0}),
        "generateActivities" => json!({"kind": "quiz"}),
        "gradeSubmission" => json!({"score": 1}),
        "enrollStudent" => json!({"user_id": ids.of("users")}),
        "configureAssignmentRubric" => json!({"criteria": [{"name": "Time"}]}),
        "createCohort" | "createUnit" => json!({"course_id": ids.of("courses"), "name": "N"}),
        "createLesson" => json!({"unit_id": ids.of("units"), "name": "N"}),
        "createActivity" => {
            json!({"lesson_id": ids.of("lessons"), "kind": "quiz", "name": "N"})
        }
        "createAssignment" => json!({"name": "N"}),
        "createScormPackage" => json!({"cohort_id": ids.of("cohorts")}),
        "createSubmission" => json!({
            "assignment_id": ids.of("assignments"), "user_id": ids.of("users"),
            "content": {"type": "text", "text": "T"},
        }),
        _ => json!({}),
    }
}

/// Status and body, without what differs from request to request.
fn told(mut answer: Answer) -> (u16, Value) {
    if answer.body["error"].is_object() {
        answer.body["error"]["request_id"] = json!("");
    }
    (answer.status, answer.body)
}

async fn call(worlds: &Worlds, method: &str, path: &str, body: Value) -> (u16, Value) {
    let body = (method != "GET").then_some(body);
    told(worlds.app.call(&worlds.stranger, method, path, body).await)
}

#[actix_web::test]
async fn things_of_another_workspace_are_not_there_on_any_path() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let (app, never) = (&worlds.app, unknown(&worlds.theirs));
        let mut tried = 0;
        for route in routes::all() {
            if !route.path.contains('{') {
                continue;
            }
            let place = format!("{database:?} {} {}", route.method, route.path);
            let theirs = worlds.theirs.path(route.path);
            let sent = body(route.operation, &worlds.mine);
            let foreign = call(&worlds, route.method, &theirs, sent.clone()).await;
            assert_eq!(foreign.0, 404, "{place} {}", foreign.1);
            let unknown = call(&worlds, route.method, &never.path(route.path), sent).await;
            assert_eq!(foreign, unknown, "{place}");
            tried += 1;
        }
        assert!(tried > 60, "{tried}");
        // Nothing of it had an effect; and the ids were the right ones.
        for route in routes::all() {
            if route.method == "GET" && route.path.contains('{') {
                let answer = app.get(&worlds.theirs.path(route.path)).await;
                assert_eq!(answer.status, 200, "{} {}", route.path, answer.body);
            }
        }
    }
}

#[actix_web::test]
async fn a_students_place_is_guarded_on_both_of_its_ids() {
    let worlds = worlds(Database::Sqlite).await;
    let never = unknown(&worlds.theirs);
    let path = |cohort: &Ids, user: &Ids| {
        let (cohort, user) = (cohort.of("cohorts"), user.of("users"));
        format!("/v1/cohorts/{cohort}/students/{user}")
    };
    for (foreign, unknown) in [
        (
            path(&worlds.mine, &worlds.theirs),
            path(&worlds.mine, &never),
        ),
        (
            path(&worlds.theirs, &worlds.mine),
            path(&never, &worlds.mine),
        ),
    ] {
        let foreign = call(&worlds, "DELETE", &foreign, json!({})).await;
        assert_eq!(foreign.0, 404, "{}", foreign.1);
        assert_eq!(foreign, call(&worlds, "DELETE", &unknown, json!({})).await);
    }
}

/// Members of the body of an operation that name other things.
fn references(document: &Value, operation: &Value) -> Vec<String> {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let members = &document["components"]["schemas"][name.unwrap_or_default()]["properties"];
    let names = members
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name);
    let is_reference = |name: &&String| name.ends_with("_id") && name.as_str() != "external_id";
    names.filter(is_reference).cloned().collect()
}

#[actix_web::test]
async fn bodies_cannot_name_things_of_another_workspace() {
    let worlds = worlds(Database::Sqlite).await;
    let document: Value = serde_json::from_str(&worlds.app.api.document).unwrap();
    let never = unknown(&worlds.theirs);
    let mut tried = 0;
    for route in routes::all() {
        let operation = &document["paths"][route.path][route.method.to_lowercase()];
        for member in references(&document, operation) {
            let path = worlds.mine.path(route.path);
            let naming = |ids: &Ids| {
                let mut sent = body(route.operation, &worlds.mine);
                sent[&member] = json!(ids.for_member(&member));
                sent
            };
            let foreign = call(&worlds, route.method, &path, naming(&worlds.theirs)).await;
            let place = format!("{} {} {member} {}", route.method, route.path, foreign.1);
            assert_eq!(foreign.0, 404, "{place}");
            assert!(foreign.1["error"]["fields"][&member].is_string(), "{place}");
            let unknown = call(&worlds, route.method, &path, naming(&never)).await;
            assert_eq!(foreign, unknown, "{place}");
            tried += 1;
        }
    }
    assert!(tried >= 13, "{tried}");
}

#[actix_web::test]
async fn filters_by_things_of_another_workspace_find_nothing() {
    let worlds = worlds(Database::Sqlite).await;
    let document: Value = serde_json::from_str(&worlds.app.api.document).unwrap();
    let mut tried = 0;
    for route in routes::all().iter().filter(|route| route.method == "GET") {
        let parameters = &document["paths"][route.path]["get"]["parameters"];
        for parameter in parameters.as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            if parameter["in"] != "query" || !name.ends_with("_id") {
                continue;
            }
            let path = worlds.mine.path(route.path);
            let query = format!("{path}?{name}={}", worlds.theirs.for_member(name));
            let (status, found) = call(&worlds, "GET", &query, json!({})).await;
            assert_eq!(
                (status, &found["data"]),
                (200, &json!([])),
                "{query} {found}"
            );
            let query = format!("{path}?{name}={}", worlds.mine.for_member(name));
            let (_, found) = call(&worlds, "GET", &query, json!({})).await;
            assert_eq!(found["object"], "list", "{query} {found}");
            tried += 1;
        }
    }
    assert!(tried >= 11, "{tried}");
}

#[actix_web::test]
async fn lists_hold_what_is_of_ones_own_workspace_alone() {
    let worlds = worlds(Database::Sqlite).await;
    let never = unknown(&worlds.theirs);
    for route in routes::all().iter().filter(|route| route.method == "GET") {
        let (status, list) = call(&worlds, "GET", &worlds.mine.path(route.path), json!({})).await;
        if list["object"] != "list" {
            continue;
        }
        assert_eq!(status, 200, "{} {list}", route.path);
        let text = list.to_string();
        for (kind, id) in &worlds.theirs.0 {
            let id = id.as_str().unwrap_or_default();
            assert!(!text.contains(id), "{} shows {kind} {id}", route.path);
        }
        let collection = route.path.rsplit('/').next().unwrap_or_default();
        if !worlds.theirs.0.contains_key(collection) || collection == "platforms" {
            continue;
        }
        // An id in place of a cursor says where to go on, and not whether it is there.
        let after = |ids: &Ids| format!("{}?startingAfter={}", route.path, ids.of(collection));
        let (status, foreign) = call(&worlds, "GET", &after(&worlds.theirs), json!({})).await;
        assert_eq!(
            (status, &foreign["object"]),
            (200, &json!("list")),
            "{} {foreign}",
            route.path
        );
        assert_eq!(call(&worlds, "GET", &after(&never), json!({})).await.0, 200);
    }
}

#[actix_web::test]
async fn a_cursor_of_another_workspace_is_none() {
    let worlds = worlds(Database::Sqlite).await;
    let page = worlds.app.get("/v1/events?limit=1").await.body;
    let cursor = page["next_cursor"].as_str().unwrap();
    let path = format!("/v1/events?limit=1&startingAfter={cursor}");
    assert_eq!(worlds.app.get(&path).await.status, 200);
    let (status, refused) = call(&worlds, "GET", &path, json!({})).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (400, &json!("invalid_cursor"))
    );
}
