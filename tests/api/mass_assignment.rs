//! What the service alone decides cannot be sent: not where a thing is made, and not where it is changed.

use lyceum_api::http::route::Route;
use lyceum_api::routes;
use serde_json::{Map, Value, json};
use support::stores::Database;

use crate::world::{Ids, Worlds, body, worlds};

/// Members that are nobody's to set anywhere, and what somebody would like them to be.
fn coveted(worlds: &Worlds) -> Map<String, Value> {
    let wanted = json!({
        "id": "crs_00000000000000000000000000", "object": "owner", "created_at": "2001-01-01T00:00:00.000Z",
        "updated_at": "2001-01-01T00:00:00.000Z", "version_number": 99, "is_admin": true, "admin": true,
        "workspace_id": worlds.theirs.of("workspaces"), "person_id": worlds.theirs.of("users"),
        "platform": {"uuid": worlds.theirs.of("platforms")}, "scope": ["read:*", "write:*", "ai:*"],
        "ai_status": "ready", "ai_score": 100, "graded_by": "human", "graded_at": "2001-01-01T00:00:00.000Z",
        "review_status": "approved", "late": false, "submitted_at": "2001-01-01T00:00:00.000Z",
        "hash": "00", "secret": "whsec_AAAA", "lookup": "kAAAAAAA", "revoked_at": "2001-01-01T00:00:00.000Z", "last_used_at": "2001-01-01T00:00:00.000Z",
        "student_count": -5, "lesson_count": -5, "provenance": {"origin": "import"},
    });
    wanted.as_object().cloned().unwrap()
}

/// The members that an operation reads.
fn taken(document: &Value, route: &Route) -> Vec<String> {
    let operation = &document["paths"][route.path][route.method.to_lowercase()];
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let members = &document["components"]["schemas"][name.unwrap_or_default()]["properties"];
    members
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

/// A good body with everything on top of it that the operation does not read.
fn greedy(worlds: &Worlds, document: &Value, route: &Route) -> (Value, Vec<String>) {
    let mut sent = body(route.operation, &worlds.mine);
    if route.operation == "createAssignment" {
        sent["course_id"] = json!(worlds.mine.of("courses"));
    }
    let reads = taken(document, route);
    let more = coveted(worlds).into_iter();
    let more: Map<String, Value> = more.filter(|(name, _)| !reads.contains(name)).collect();
    let names = more.keys().cloned().collect();
    sent.as_object_mut().unwrap().extend(more);
    (sent, names)
}

/// What no answer may have taken over.
fn assert_not_granted(worlds: &Worlds, answer: &Value, place: &str) {
    let text = answer.to_string();
    for (kind, id) in &worlds.theirs.0 {
        let id = id.as_str().unwrap();
        assert!(!text.contains(id), "{place} took {kind} {id}: {text}");
    }
    for wanted in [
        "2001-01-01",
        "crs_00000000000000000000000000",
        "whsec_AAAA",
        "kAAAAAAA",
        "import",
    ] {
        assert!(!text.contains(wanted), "{place} took {wanted}: {text}");
    }
    let same = |name: &str, wanted: Value| !answer[name].is_null() && answer[name] == wanted;
    assert!(
        !same("ai_status", json!("ready")) && !same("graded_by", json!("human")),
        "{place} {text}"
    );
    assert!(
        !same("student_count", json!(-5)) && !same("lesson_count", json!(-5)),
        "{place} {text}"
    );
    assert!(!same("object", json!("owner")), "{place} {text}");
}

#[actix_web::test]
async fn what_is_the_services_to_decide_is_ignored_and_named_on_every_route() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
        let mut tried = 0;
        for route in routes::all() {
            let open =
                route.path.starts_with("/v1/tokens/finish") || route.path.ends_with("/sessions");
            if !["POST", "PATCH"].contains(&route.method) || open || route.path.contains("/rubric")
            {
                continue;
            }
            // Grading and what follows it says truly who did it.
            let grades = [
                "gradeSubmission",
                "gradeAlike",
                "approveSubmission",
                "returnSubmission",
            ];
            if grades.contains(&route.operation) {
                continue;
            }
            let place = format!("{database:?} {} {}", route.method, route.path);
            let (sent, names) = greedy(&worlds, &document, &route);
            let path = worlds.mine.path(route.path);
            let answer = worlds
                .app
                .call(&worlds.stranger, route.method, &path, Some(sent))
                .await;
            assert!(answer.status < 500, "{place} {}", answer.body);
            if answer.status >= 300 {
                continue;
            }
            assert_not_granted(&worlds, &answer.body, &place);
            let ignored = answer.header("x-ignored-fields").unwrap_or_default();
            for name in names {
                assert!(
                    ignored.split(", ").any(|one| one == name),
                    "{place} took {name}: {ignored}"
                );
            }
            tried += 1;
        }
        assert!(tried > 35, "{tried}");
    }
}

#[actix_web::test]
async fn a_change_of_nothing_but_what_is_not_ones_own_changes_nothing() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
        let mut tried = 0;
        for route in routes::all() {
            // Bytes of a file name nothing.
            if route.method != "PATCH" || !route.path.ends_with("/{id}") || route.is_tus {
                continue;
            }
            let path = worlds.mine.path(route.path);
            let before = worlds
                .app
                .call(&worlds.stranger, "GET", &path, None)
                .await
                .body;
            let reads = taken(&document, &route);
            let mut sent = coveted(&worlds);
            // Whatever is shown and not read, turned into something else.
            for (name, value) in before.as_object().unwrap() {
                let other = match value {
                    Value::Number(_) => json!(77),
                    Value::Bool(is) => json!(!is),
                    Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                        json!("something else")
                    }
                };
                sent.insert(name.clone(), other);
            }
            sent.retain(|name, _| !reads.contains(name));
            let sent = Value::Object(sent);
            let changed = worlds
                .app
                .call(&worlds.stranger, "PATCH", &path, Some(sent))
                .await;
            assert!(
                [200, 409].contains(&changed.status),
                "{path} {}",
                changed.body
            );
            let after = worlds
                .app
                .call(&worlds.stranger, "GET", &path, None)
                .await
                .body;
            assert_eq!(after, before, "{database:?} {path}");
            tried += 1;
        }
        assert!(tried >= 9, "{tried}");
    }
}

#[actix_web::test]
async fn nothing_moves_to_another_workspace_by_a_change() {
    let worlds = worlds(Database::Sqlite).await;
    let (mine, theirs): (&Ids, &Ids) = (&worlds.mine, &worlds.theirs);
    for (collection, member) in [
        ("cohorts", "course_id"),
        ("units", "course_id"),
        ("lessons", "unit_id"),
        ("lessons", "course_id"),
        ("activities", "lesson_id"),
        ("assignments", "course_id"),
        ("submissions", "assignment_id"),
        ("submissions", "user_id"),
        ("submissions", "cohort_id"),
    ] {
        let path = format!("/v1/{collection}/{}", mine.of(collection));
        let before = worlds
            .app
            .call(&worlds.stranger, "GET", &path, None)
            .await
            .body;
        let sent = json!({member: theirs.for_member(member)});
        let answer = worlds
            .app
            .call(&worlds.stranger, "PATCH", &path, Some(sent))
            .await;
        let refused = answer.status == 404 || answer.status == 409;
        let ignored = answer.header("x-ignored-fields") == Some(member);
        assert!(
            refused || ignored,
            "{path} {member} {} {}",
            answer.status,
            answer.body
        );
        let after = worlds
            .app
            .call(&worlds.stranger, "GET", &path, None)
            .await
            .body;
        assert_eq!(after, before, "{path} {member}");
    }
}
