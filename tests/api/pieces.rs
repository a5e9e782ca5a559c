//! What AI made as a proposal, piece by piece: accepted, changed, discarded, and never over anybody's text unasked.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, events, key, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const BRIEF: &str = "Cool rice in shallow trays within ninety minutes. An ice bath is a sink full of ice and water. \
    Stir the pot every ten minutes, and write the temperature down. Reheat once only, to above 75 degrees.";

async fn school(database: Database) -> (TestApp, School) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    (app, school)
}

/// Has something drafted for a person to decide about; the generation, once it is there.
async fn proposed(app: &TestApp, path: &str, mut body: Value) -> Value {
    body["review"] = json!(true);
    let asked = app.post(&format!("/v1/{path}"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    let ended = app.get(&format!("/v1/generations/{}", asked.id())).await;
    assert_eq!(ended.body["status"], "ready", "{}", ended.body);
    assert_eq!(ended.body["review"], true);
    ended.body
}

/// The pieces of a generation, in order.
async fn pieces(app: &TestApp, generation: &Value) -> Vec<Value> {
    let id = generation["id"].as_str().unwrap();
    list(app, &format!("generations/{id}/pieces?limit=100")).await
}

async fn piece(app: &TestApp, piece: &Value) -> Value {
    let id = piece["id"].as_str().unwrap();
    let found = app.get(&format!("/v1/pieces/{id}")).await;
    assert_eq!(found.status, 200, "{}", found.body);
    found.body
}

async fn act(app: &TestApp, piece: &Value, action: &str, body: Value) -> Answer {
    let id = piece["id"].as_str().unwrap();
    app.post(&format!("/v1/pieces/{id}/{action}"), body).await
}

async fn acted(app: &TestApp, piece: &Value, action: &str, body: Value) -> Value {
    let answer = act(app, piece, action, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn thing(app: &TestApp, collection: &str, id: &Value) -> Value {
    let id = id.as_str().unwrap();
    app.get(&format!("/v1/{collection}/{id}")).await.body
}

/// The one piece of a lesson that has another text proposed.
async fn of_lesson(app: &TestApp, school: &School) -> Value {
    let path = format!("lessons/{}/generate", school.lesson);
    let generation = proposed(app, &path, json!({"brief": BRIEF})).await;
    let mut all = pieces(app, &generation).await;
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn of_kind<'a>(pieces: &'a [Value], kind: &str) -> Vec<&'a Value> {
    pieces.iter().filter(|one| one["kind"] == kind).collect()
}

async fn count(app: &TestApp, path: &str) -> usize {
    list(app, &format!("{path}&limit=100")).await.len()
}

#[actix_web::test]
async fn what_is_reviewed_changes_nothing_until_it_is_accepted() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("courses/{}/syllabus", school.course);
        let asked = json!({"brief": BRIEF, "hours": 2, "content": "full"});
        let generation = proposed(&app, &path, asked).await;
        let units = format!("units?course_id={}", school.course);
        assert_eq!(
            count(&app, &units).await,
            1,
            "nothing of the course changed"
        );
        let all = pieces(&app, &generation).await;
        assert_eq!(generation["result"]["pieces"], json!(all.len()));
        assert_eq!(generation["result"]["units"], 0);
        let places: Vec<u64> = all
            .iter()
            .map(|one| one["position"].as_u64().unwrap())
            .collect();
        assert_eq!(
            places,
            (0..u64::try_from(all.len()).unwrap()).collect::<Vec<_>>()
        );
        assert_eq!(all[0]["kind"], "unit");
        assert_eq!(
            all[0]["place"]["parent"],
            json!({"object": "course", "id": school.course})
        );
        assert_eq!(
            all[0]["place"]["after"],
            json!({"object": "unit", "id": school.unit})
        );
        assert_eq!(all[1]["parent_piece_id"], all[0]["id"]);
        assert!(
            all.iter()
                .all(|one| one["proposal"].is_null() && one["before"].is_null())
        );
        let lesson = piece(&app, of_kind(&all, "lesson")[0]).await;
        assert!(!lesson["proposal"]["content"].as_str().unwrap().is_empty());
        assert_eq!(lesson["provenance"]["origin"], "ai");
        assert_eq!(lesson["provenance"]["generation_id"], generation["id"]);
        assert!(events(&app, "lesson.created").await.len() <= 1);
        // Pages of it hang together.
        let id = generation["id"].as_str().unwrap();
        let first = app
            .get(&format!("/v1/generations/{id}/pieces?limit=2"))
            .await
            .body;
        let cursor = first["next_cursor"].as_str().unwrap();
        let next = app
            .get(&format!(
                "/v1/generations/{id}/pieces?limit=1&startingAfter={cursor}"
            ))
            .await;
        assert_eq!(next.body["data"][0]["id"], all[2]["id"]);
    }
}

#[actix_web::test]
async fn what_is_below_is_accepted_with_what_it_is_in_and_stands_as_it_was_drafted() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("courses/{}/syllabus", school.course);
        let generation = proposed(&app, &path, json!({"brief": BRIEF, "hours": 8})).await;
        let all = pieces(&app, &generation).await;
        let lessons = of_kind(&all, "lesson");
        let unit = lessons[0]["parent_piece_id"].clone();
        let siblings: Vec<&Value> = lessons
            .iter()
            .copied()
            .filter(|one| one["parent_piece_id"] == unit)
            .collect();
        assert!(siblings.len() > 1, "{all:#?}");
        // From the last to the first.
        for lesson in siblings.iter().rev() {
            let landed = acted(&app, lesson, "accept", json!({})).await;
            assert_eq!(landed["status"], "accepted");
            assert_eq!(landed["decided_by"]["type"], "person");
            assert!(landed["decided_at"].is_string());
        }
        let parent = piece(&app, &json!({"id": unit})).await;
        assert_eq!(parent["status"], "accepted");
        let parent = parent["result"]["id"].as_str().unwrap().to_owned();
        let there = list(&app, &format!("lessons?limit=100&unit_id={parent}")).await;
        let names: Vec<&Value> = there.iter().map(|one| &one["name"]).collect();
        let drafted: Vec<&Value> = siblings.iter().map(|one| &one["name"]).collect();
        assert_eq!(names, drafted);
        assert_eq!(there[0]["provenance"]["origin"], "ai");
        let created = events(&app, "unit.created").await;
        assert_eq!(created[0]["data"]["object"]["id"], json!(parent));
        // What is still open in it lands together.
        let unit = json!({ "id": unit });
        acted(&app, &unit, "accept", json!({"below": true})).await;
        let left = pieces(&app, &generation).await;
        let inside = |one: &&Value| one["parent_piece_id"] == unit["id"];
        assert!(
            left.iter()
                .filter(inside)
                .all(|one| one["status"] == "accepted")
        );
        let assignments = count(&app, &format!("assignments?unit_id={parent}")).await;
        assert_eq!(
            assignments,
            of_kind(&left, "assignment")
                .iter()
                .filter(|one| inside(one))
                .count()
        );
    }
}

#[actix_web::test]
async fn a_persons_text_is_proposed_beside_and_kept_as_a_version() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let one = of_lesson(&app, &school).await;
        assert_eq!(
            one["target"],
            json!({"object": "lesson", "id": school.lesson})
        );
        assert_eq!(one["place"], Value::Null);
        let whole = piece(&app, &one).await;
        assert_eq!(whole["before"]["content"], "Keep it cold.");
        assert_eq!(whole["proposal"]["name"], "The danger zone");
        let path = format!("/v1/lessons/{}", school.lesson);
        assert_eq!(app.get(&path).await.body["content"], "Keep it cold.");
        let landed = acted(&app, &one, "accept", json!({})).await;
        assert_eq!(landed["result"], landed["target"]);
        let lesson = app.get(&path).await.body;
        assert_eq!(lesson["content"], whole["proposal"]["content"]);
        assert_eq!(lesson["provenance"]["origin"], "ai");
        let kept = list(&app, &format!("lessons/{}/versions", school.lesson)).await;
        let kept = thing(&app, "versions", &kept[0]["id"]).await;
        assert_eq!(kept["content"]["content"], "Keep it cold.");
        assert_eq!(events(&app, "lesson.updated").await.len(), 1);
    }
}

#[actix_web::test]
async fn a_text_that_was_begun_a_moment_ago_is_kept_as_a_version_too() {
    let (app, school) = school(Database::Sqlite).await;
    let path = format!("/v1/lessons/{}", school.lesson);
    app.patch(&path, json!({"content": "Just written."})).await;
    let one = of_lesson(&app, &school).await;
    acted(&app, &one, "accept", json!({})).await;
    let kept = list(&app, &format!("lessons/{}/versions", school.lesson)).await;
    let kept = thing(&app, "versions", &kept[0]["id"]).await;
    assert_eq!(kept["content"]["content"], "Just written.");
}

#[actix_web::test]
async fn what_a_person_changes_of_it_is_checked_and_lands_as_theirs() {
    let (app, school) = school(Database::Sqlite).await;
    let one = of_lesson(&app, &school).await;
    let refused = act(&app, &one, "accept", json!({"lesson": {"name": ""}})).await;
    assert_refused(&refused, 400, "invalid_field", "lesson.name");
    let refused = act(&app, &one, "accept", json!({"unit": {"name": "U"}})).await;
    assert_refused(&refused, 400, "invalid_field", "unit");
    let edits = json!({"lesson": {"name": "Cooling", "content": "Cool it."}});
    acted(&app, &one, "accept", edits).await;
    let lesson = app
        .get(&format!("/v1/lessons/{}", school.lesson))
        .await
        .body;
    assert_eq!(
        (&lesson["name"], &lesson["content"]),
        (&json!("Cooling"), &json!("Cool it."))
    );
    assert_eq!(lesson["provenance"]["origin"], "ai_edited");
    let path = format!("activities/{}/generate", school.activity);
    app.patch(
        &format!("/v1/lessons/{}", school.lesson),
        json!({"content": BRIEF}),
    )
    .await;
    let generation = proposed(&app, &path, json!({})).await;
    let quiz = pieces(&app, &generation).await.remove(0);
    let broken = json!({"activity": {"content": {"questions": [{"type": "riddle"}]}}});
    let refused = act(&app, &quiz, "accept", broken).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    let fields = refused.body["error"]["fields"].as_object().unwrap();
    assert!(
        fields
            .keys()
            .all(|field| field.starts_with("activity.content.")),
        "{fields:?}"
    );
    let still = app
        .get(&format!("/v1/activities/{}", school.activity))
        .await
        .body;
    assert_eq!(still["content"]["questions"][0]["id"], "q1");
}

#[actix_web::test]
async fn over_what_changed_meanwhile_nothing_lands_unless_it_was_seen() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let one = of_lesson(&app, &school).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        // To be moved or marked is not to be another text.
        app.patch(&path, json!({"metadata": {"k": 1}})).await;
        app.clock.advance(60);
        let changed = app.patch(&path, json!({"content": "Better."})).await.body;
        let refused = act(&app, &one, "accept", json!({})).await;
        assert_refused(&refused, 412, "precondition_failed", "");
        let error = &refused.body["error"];
        assert_eq!(error["actor"]["type"], "person", "{error}");
        assert_eq!(error["at"], changed["updated_at"]);
        let old = json!({"seen_updated_at": "2020-01-01T00:00:00Z"});
        assert_eq!(act(&app, &one, "accept", old).await.status, 412);
        let seen = json!({"seen_updated_at": changed["updated_at"]});
        acted(&app, &one, "accept", seen).await;
        assert_ne!(app.get(&path).await.body["content"], "Better.");
    }
}

#[actix_web::test]
async fn what_learners_have_used_is_written_anew_by_force_alone() {
    let (app, school) = school(Database::Sqlite).await;
    let attempts = format!("/v1/activities/{}/attempts", school.activity);
    let tried = json!({"user_id": school.student, "answers": {"q1": "a"}});
    assert_eq!(app.post(&attempts, tried).await.status, 201);
    app.patch(
        &format!("/v1/lessons/{}", school.lesson),
        json!({"content": BRIEF}),
    )
    .await;
    let path = format!("activities/{}/generate", school.activity);
    let generation = proposed(&app, &path, json!({})).await;
    let one = pieces(&app, &generation).await.remove(0);
    assert_refused(
        &act(&app, &one, "accept", json!({})).await,
        409,
        "in_use",
        "attempts",
    );
    acted(&app, &one, "accept?force=true", json!({})).await;
    let quiz = app
        .get(&format!("/v1/activities/{}", school.activity))
        .await
        .body;
    assert_eq!(
        (&quiz["name"], &quiz["provenance"]["origin"]),
        (&json!("Check"), &json!("ai"))
    );
}

#[actix_web::test]
async fn what_is_discarded_comes_back_with_what_went_with_it() {
    let (app, school) = school(Database::Sqlite).await;
    let path = format!("courses/{}/syllabus", school.course);
    let generation = proposed(&app, &path, json!({"brief": BRIEF, "hours": 4})).await;
    let all = pieces(&app, &generation).await;
    let (unit, lessons) = (&all[0], of_kind(&all, "lesson"));
    let lesson = lessons[0];
    acted(&app, lesson, "discard", json!({})).await;
    app.clock.advance(5);
    let gone = acted(&app, unit, "discard", json!({})).await;
    assert_eq!(gone["status"], "discarded");
    acted(&app, unit, "discard", json!({})).await;
    let refused = act(&app, lesson, "accept", json!({})).await;
    assert_refused(&refused, 409, "invalid_state_transition", "");
    acted(&app, unit, "reopen", json!({})).await;
    let back = pieces(&app, &generation).await;
    let open = back
        .iter()
        .filter(|one| one["status"] == "proposed")
        .count();
    // What was discarded before stays so, with what is in it.
    assert!(open > 1 && open < back.len(), "{back:#?}");
    assert_eq!(piece(&app, lesson).await["status"], "discarded");
    // What is proposed again brings back what it is in.
    acted(&app, unit, "discard", json!({})).await;
    acted(&app, lesson, "reopen", json!({})).await;
    assert_eq!(piece(&app, unit).await["status"], "proposed");
    acted(&app, lesson, "accept", json!({})).await;
    let refused = act(&app, lesson, "discard", json!({})).await;
    assert_refused(&refused, 409, "invalid_state_transition", "");
    let refused = act(&app, lesson, "reopen", json!({})).await;
    assert_refused(&refused, 409, "invalid_state_transition", "");
}

#[actix_web::test]
async fn of_two_hundred_who_accept_at_once_one_thing_comes() {
    for database in BOTH {
        let (app, school) = school(database).await;
        app.patch(
            &format!("/v1/lessons/{}", school.lesson),
            json!({"content": BRIEF}),
        )
        .await;
        let path = format!("lessons/{}/activities/generate", school.lesson);
        let generation = proposed(&app, &path, json!({"kind": "explainer", "count": 2})).await;
        let all = pieces(&app, &generation).await;
        let many = (0..200).map(|n| act(&app, &all[n % 2], "accept", json!({})));
        let answers = join_all(many).await;
        for answer in &answers {
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
        let activities = format!("activities?lesson_id={}", school.lesson);
        assert_eq!(count(&app, &activities).await, 3, "{database:?}");
        // Whoever changes it too late is told.
        let late = json!({"activity": {"name": "Mine"}});
        let refused = act(&app, &all[0], "accept", late).await;
        assert_refused(&refused, 409, "invalid_state_transition", "");
    }
}

#[actix_web::test]
async fn pieces_go_with_what_they_are_for_and_come_back() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let one = of_lesson(&app, &school).await;
        let path = format!("courses/{}/syllabus", school.course);
        let generation = proposed(&app, &path, json!({"brief": BRIEF, "hours": 1})).await;
        let before = pieces(&app, &generation).await;
        let gone = app.delete(&format!("/v1/courses/{}", school.course)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let missing = act(&app, &one, "accept", json!({})).await;
        assert_refused(&missing, 404, "resource_missing", "");
        assert!(pieces(&app, &generation).await.is_empty());
        let items = list(&app, &format!("trash?object_id={}", school.course)).await;
        let item = items[0]["id"].as_str().unwrap();
        let back = app
            .post(&format!("/v1/trash/{item}/restore"), json!({}))
            .await;
        assert_eq!(back.status, 200, "{}", back.body);
        assert_eq!(pieces(&app, &generation).await, before);
        acted(&app, &one, "accept", json!({})).await;
    }
}

#[actix_web::test]
async fn what_comes_below_something_that_was_deleted_says_so() {
    let (app, school) = school(Database::Sqlite).await;
    let path = format!("courses/{}/syllabus", school.course);
    let generation = proposed(&app, &path, json!({"brief": BRIEF, "hours": 1})).await;
    let all = pieces(&app, &generation).await;
    let unit = acted(&app, &all[0], "accept", json!({})).await;
    let unit = unit["result"]["id"].as_str().unwrap();
    app.delete(&format!("/v1/units/{unit}")).await;
    let lesson = of_kind(&all, "lesson")[0];
    assert_refused(
        &act(&app, lesson, "accept", json!({})).await,
        409,
        "not_editable",
        "",
    );
}

#[actix_web::test]
async fn what_lands_by_itself_has_no_pieces_and_replacing_is_not_reviewed() {
    let (app, school) = school(Database::Sqlite).await;
    let path = format!("/v1/courses/{}/syllabus", school.course);
    let body = json!({"brief": BRIEF, "mode": "replace", "review": true});
    assert_refused(&app.post(&path, body).await, 400, "invalid_field", "mode");
    let asked = app.post(&path, json!({"brief": BRIEF, "hours": 1})).await;
    app.work().await;
    let ended = app
        .get(&format!("/v1/generations/{}", asked.id()))
        .await
        .body;
    assert_eq!(ended["review"], false);
    assert_eq!(ended["result"]["pieces"], Value::Null);
    assert!(pieces(&app, &ended).await.is_empty());
}

#[actix_web::test]
async fn accepting_takes_the_right_to_write_and_what_it_replaces_the_right_to_read() {
    let (app, school) = school(Database::Sqlite).await;
    let one = of_lesson(&app, &school).await;
    let path = format!("/v1/pieces/{}", one["id"].as_str().unwrap());
    let drafting = key(&app, &["ai:generate"]).await;
    let refused = app.call(&drafting, "GET", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "");
    let accept = format!("{path}/accept");
    let refused = app.call(&drafting, "POST", &accept, Some(json!({}))).await;
    assert_refused(&refused, 403, "insufficient_scope", "");
    let generation = one["generation_id"].as_str().unwrap();
    let listed = format!("/v1/generations/{generation}/pieces");
    let seen = app.call(&drafting, "GET", &listed, None).await;
    assert_eq!(seen.status, 200, "{}", seen.body);
    let stranger: Caller = app.another_workspace("other").await;
    for action in ["accept", "discard", "reopen"] {
        let place = format!("{path}/{action}");
        let missing = app.call(&stranger, "POST", &place, Some(json!({}))).await;
        assert_eq!(missing.status, 404, "{}", missing.body);
    }
    let lesson = app
        .get(&format!("/v1/lessons/{}", school.lesson))
        .await
        .body;
    assert_eq!(lesson["content"], "Keep it cold.");
    // A copy of the course has no proposals of its own.
    let copied = app
        .post(&format!("/v1/courses/{}/clone", school.course), json!({}))
        .await;
    assert_eq!(copied.status, 201, "{}", copied.body);
    assert_eq!(list(&app, "generations").await.len(), 1);
    let unit = json!({"unit_id": school.unit, "name": "Another"});
    made(&app, &app.owner, "lessons", unit).await;
}
