//! The OpenAPI document: what is committed is what is served, and what it promises holds.

use std::collections::BTreeSet;

use lyceum_api::document::openapi;
use lyceum_api::routes;
use serde_json::{Map, Value, json};
use support::app::{TestApp, request};

use crate::examples::updating;
use crate::media;
use crate::school::School;
use crate::world::{passkey, session, sso_connection};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");

#[test]
fn the_committed_document_is_the_served_one() {
    let document = openapi::document(&routes::all()).unwrap();
    if updating() {
        let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
        std::fs::write(COMMITTED, text).unwrap();
        return;
    }
    let committed: Value =
        serde_json::from_str(&std::fs::read_to_string(COMMITTED).unwrap()).unwrap();
    assert!(
        committed == document,
        "docs/openapi.json is old: UPDATE_OPENAPI=1 writes it anew"
    );
}

#[test]
fn every_reference_leads_somewhere() {
    let document = openapi::document(&routes::all()).unwrap();
    let mut references = BTreeSet::new();
    gather(&document, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn gather(value: &Value, references: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            references.extend(
                members
                    .get("$ref")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            // What an example quotes is not part of the document.
            let own = members.iter().filter(|(name, _)| *name != "example");
            own.for_each(|(_, member)| gather(member, references));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| gather(entry, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Generators make of `null` as a default a member that must be there, and of an object of which nothing is said one
/// that must be empty.
#[test]
fn no_schema_misleads_a_generator() {
    let document = openapi::document(&routes::all()).unwrap();
    let mut schemas = Vec::new();
    gather_schemas(&document, "", &mut schemas);
    assert!(schemas.len() > 1000, "{}", schemas.len());
    for (place, schema) in schemas {
        assert_ne!(schema.get("default"), Some(&Value::Null), "{place}");
        let is_object = schema.get("type").is_some_and(|kind| kind == "object");
        let says_what = ["properties", "additionalProperties"].map(|key| schema.contains_key(key));
        assert!(!is_object || says_what.contains(&true), "{place}");
        let words = schema.get("enum").and_then(Value::as_array);
        let has_null = words.is_some_and(|words| words.contains(&Value::Null));
        assert!(!has_null, "{place}: many know no word that is null");
    }
}

/// Every union says how its shapes are told apart, and each shape allows just the word that leads to it.
#[test]
fn unions_are_told_apart_by_a_word() {
    let document = openapi::document(&routes::all()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut words = 0;
    for (name, union) in schemas {
        let Some(member) = union["discriminator"]["propertyName"].as_str() else {
            continue;
        };
        let mapping = union["discriminator"]["mapping"].as_object().unwrap();
        assert_eq!(
            mapping.len(),
            union["oneOf"].as_array().unwrap().len(),
            "{name}"
        );
        for (word, reference) in mapping {
            let shape = within(&document, reference);
            let required = shape["required"].as_array().unwrap();
            assert!(required.contains(&json!(member)), "{name} {word}");
            assert_eq!(shape["properties"][member]["enum"], json!([word]), "{name}");
            words += 1;
        }
    }
    for name in [
        "ActivityView",
        "CreateActivity",
        "SubmissionContent",
        "ContentInput",
        "EventView",
    ] {
        assert!(schemas[name]["discriminator"].is_object(), "{name}");
    }
    assert!(words > 70, "{words}");
}

/// Every schema, with where it is: what stands there by name, and what has a type.
fn gather_schemas<'v>(
    value: &'v Value,
    place: &str,
    schemas: &mut Vec<(String, &'v Map<String, Value>)>,
) {
    match value {
        Value::Object(members) => {
            let is_schema = ["/schema", "/items"].iter().any(|end| place.ends_with(end))
                || members.get("type").is_some_and(|kind| !kind.is_object());
            if is_schema {
                schemas.push((place.to_owned(), members));
            }
            let examples = ["example", "examples", "value"];
            for (name, member) in members {
                if !examples.contains(&name.as_str()) || place.ends_with("/properties") {
                    gather_schemas(member, &format!("{place}/{name}"), schemas);
                }
            }
        }
        Value::Array(entries) => entries
            .iter()
            .for_each(|entry| gather_schemas(entry, place, schemas)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn metadata_is_filtered_by_any_key() {
    let document = openapi::document(&routes::all()).unwrap();
    let parameters = document["paths"]["/v1/courses"]["get"]["parameters"].as_array();
    let metadata = parameters
        .unwrap()
        .iter()
        .find(|parameter| parameter["name"] == "metadata")
        .unwrap();
    assert_eq!(metadata["style"], "deepObject");
    let values = &metadata["schema"]["additionalProperties"];
    assert_eq!(values["type"], "string");
}

#[test]
fn the_handbook_lists_every_error_and_no_other() {
    let handbook = include_str!("../../docs/api.md");
    let section = handbook
        .split("## Errors")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let documented: BTreeSet<String> = rows
        .map(|row| {
            row.split('|')
                .take(4)
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let there: BTreeSet<String> = openapi::codes()
        .into_iter()
        .map(|(status, kind, code)| format!(" `{code}` {status} {kind}"))
        .collect();
    assert_eq!(documented, there);
}

#[actix_web::test]
async fn a_new_course_links_to_all_that_can_be_asked_about_it() {
    let app = TestApp::start().await;
    let document: Value = serde_json::from_slice(&app.api.document().unwrap()).unwrap();
    let links = &document["paths"]["/v1/courses"]["post"]["responses"]["201"]["links"];
    for operation in [
        "retrieveCourse",
        "updateCourse",
        "deleteCourse",
        "publishCourse",
    ] {
        let link = &links[operation];
        assert_eq!(link["operationId"], operation);
        assert_eq!(link["parameters"]["id"], "$response.body#/id");
    }
}

/// What a reference leads to.
fn within<'d>(document: &'d Value, reference: &Value) -> &'d Value {
    let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
    document.pointer(pointer).unwrap()
}

/// What changes can be asked of: the id of one of each collection.
#[allow(clippy::panic, reason = "a test that cannot go on has failed")]
async fn one_of_each(app: &TestApp) -> impl Fn(&str) -> String {
    let school = School::open(app).await;
    let submission = school.hand_in(app, "Cool it fast.").await;
    let package = app
        .post("/v1/scorm", json!({ "cohort_id": school.cohort }))
        .await
        .id();
    let endpoint = app
        .post(
            "/v1/webhook_endpoints",
            json!({ "url": "http://127.0.0.1:9/" }),
        )
        .await
        .id();
    let key = app
        .post(
            "/v1/api_keys",
            json!({ "name": "Spare", "scopes": ["read:courses"] }),
        )
        .await
        .id();
    let other_date = json!({ "cohort_id": school.cohort, "due_at": null });
    let other_date = app
        .post(
            &format!("/v1/assignments/{}/overrides", school.assignment),
            other_date,
        )
        .await
        .id();
    let connection = app.post("/v1/sso_connections", sso_connection()).await.id();
    let media = media::upload(app, &app.owner, &media::picture(""), &[])
        .await
        .id();
    let spare = json!({ "course_id": school.course, "name": "Spare" });
    let spare = app.post("/v1/cohorts", spare).await.id();
    app.call(&app.owner, "DELETE", &format!("/v1/cohorts/{spare}"), None)
        .await;
    let item = app.get(&format!("/v1/trash?object_id={spare}")).await.body["data"][0]["id"].clone();
    let media_upload = app
        .post("/v1/media_uploads", json!({"size_bytes": 3}))
        .await
        .id();
    let workspace = app.get("/v1/workspaces").await.body["data"][0]["id"].clone();
    let session = session(app, &json!("owner@main.example")).await;
    let passkey = passkey(app, &json!("owner@main.example")).await;
    move |path: &str| match path.split('/').nth(2).unwrap() {
        "courses" => school.course.clone(),
        "units" => school.unit.clone(),
        "lessons" => school.lesson.clone(),
        "activities" => school.activity.clone(),
        "assignments" => school.assignment.clone(),
        "cohorts" => school.cohort.clone(),
        "users" => school.student.clone(),
        "submissions" => submission.clone(),
        "scorm" => package.clone(),
        "media" => media.clone(),
        "media_uploads" => media_upload.clone(),
        "webhook_endpoints" => endpoint.clone(),
        "sso_connections" => connection.clone(),
        "overrides" => other_date.clone(),
        "api_keys" => key.clone(),
        "me" => String::new(),
        "passkeys" => passkey.clone(),
        "sessions" => session.clone(),
        "trash" => item.as_str().unwrap().to_owned(),
        "workspaces" => workspace.as_str().unwrap().to_owned(),
        other => panic!("say which of {other} to ask for"),
    }
}

#[actix_web::test]
async fn null_is_refused_just_where_the_document_has_none() {
    let app = TestApp::start().await;
    let id = one_of_each(&app).await;
    let document = openapi::document(&routes::all()).unwrap();
    let (mut taken, mut refused, mut otherwise) = (0, 0, Vec::new());
    for route in routes::all().iter().filter(|route| route.method == "PATCH") {
        let operation = &document["paths"][route.path]["patch"];
        let content = &operation["requestBody"]["content"];
        if content["application/offset+octet-stream"].is_object() {
            continue;
        }
        let body = &content["application/json"]["schema"]["$ref"];
        let schema = within(&document, body);
        let path = route.path.replace("{id}", &id(route.path));
        for (name, member) in schema["properties"].as_object().unwrap() {
            let kinds = member["type"].as_array().into_iter().flatten();
            let one_of = member["oneOf"].as_array().into_iter().flatten();
            let may_be_null = kinds
                .chain(one_of.map(|one| &one["type"]))
                .any(|kind| kind == "null");
            let answer = app.patch(&path, json!({ name.as_str(): null })).await;
            let is_refused =
                answer.status == 400 && !answer.body["error"]["fields"][name].is_null();
            if is_refused == may_be_null {
                otherwise.push(format!(
                    "{path} {name}: {} {}",
                    answer.status, answer.body["error"]
                ));
            }
            *(if is_refused { &mut refused } else { &mut taken }) += 1;
        }
    }
    assert!(otherwise.is_empty(), "{otherwise:#?}");
    assert!(
        taken > 30 && refused > 10,
        "{taken} taken, {refused} refused"
    );
}

#[actix_web::test]
async fn stale_tags_are_refused_wherever_if_match_is_documented() {
    let app = TestApp::start().await;
    let id = one_of_each(&app).await;
    let mut tried = 0;
    for route in routes::all().iter().filter(|route| route.is_conditional) {
        let path = route.path.replace("{id}", &id(route.path));
        let stale = request(&app.owner, route.method, &path).insert_header(("If-Match", "\"old\""));
        let body = if route.path.ends_with("/rubric") {
            json!({ "criteria": [{ "name": "Time" }] })
        } else if route.path.ends_with("/grade") {
            json!({ "score": 1 })
        } else {
            json!({})
        };
        let answer = app.send(stale.set_json(body)).await;
        assert_eq!(
            (answer.status, answer.code()),
            (412, "precondition_failed"),
            "{} {}",
            route.method,
            route.path
        );
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}

#[actix_web::test]
async fn the_browsable_reference_needs_nothing_from_outside() {
    let app = TestApp::start().await;
    let page = app.get("/docs").await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .contains("default-src 'none'")
    );
    let html = page.body.as_str().unwrap();
    assert!(
        !html.contains("http://") && !html.contains("https://"),
        "{html}"
    );
    let links = html.split('"').filter(|part| part.starts_with("/docs/"));
    let links: BTreeSet<&str> = links.collect();
    assert!(links.len() > 250, "{}", links.len());
    for link in [
        "/docs/reference.css",
        "/docs/reference.js",
        "/docs/courses",
        "/docs/createCourse",
    ] {
        assert!(links.contains(link), "{link}");
        assert_eq!(app.get(link).await.status, 200, "{link}");
    }
    let found = app.get("/docs?q=syllabus").await;
    assert!(
        found
            .body
            .as_str()
            .unwrap()
            .contains("/docs/generateSyllabus")
    );
    assert_eq!(app.get("/docs/nothing.js").await.code(), "resource_missing");
}
