//! Nobody can tell whether what they asked for is in another workspace or nowhere: not by the answer, not by its
//! headers, and not by the time it takes, because the service does the same work for both.

use lyceum_api::http::route::Route;
use lyceum_api::routes;
use serde_json::{Value, json};
use support::app::{Answer, request};
use support::queries;
use support::stores::Database;

use crate::isolation::{names_a_thing, references, told};
use crate::world::{Ids, Worlds, body, naming, unknown, worlds};

/// The service's own work on a request, without the values it was done with.
fn work(worlds: &Worlds) -> Vec<String> {
    let taken = queries::taken(worlds.app.database_url()).into_iter();
    taken
        // The use of a key is noted beside the request, and at most once a minute.
        .filter(|query| !query.contains("last_used_at\" ="))
        .filter(|query| !query.contains("`last_used_at` ="))
        .map(|query| {
            query
                .split(" -- binds")
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

const CODE: &str = "X-Learning-Platform-Code";
const UUID: &str = "X-Learning-Platform-Uuid";

/// One way to ask: headers beside the usual ones, and what is sent.
struct Way {
    headers: &'static [(&'static str, &'static str)],
    sent: Value,
}

/// A good request, an empty and a bad one, and conditions that hold for what is there or for nothing.
fn ways(route: &Route, worlds: &Worlds) -> Vec<Way> {
    let good = || body(route.operation, &worlds.mine);
    let way = |headers, sent| Way { headers, sent };
    vec![
        way(&[], good()),
        way(&[], json!({})),
        way(&[], json!({"name": 7, "score": "x", "metadata": []})),
        way(&[("If-Match", "*")], good()),
        way(
            &[("If-Match", "\"00000000000000000000000000000000\"")],
            good(),
        ),
        way(&[("If-None-Match", "*")], good()),
        way(&[("Idempotency-Key", "the-same-for-all")], good()),
        way(&[("Prefer", "handling=strict")], good()),
    ]
}

async fn ask(worlds: &Worlds, route: &Route, path: &str, way: &Way) -> (Answer, Vec<String>) {
    // Whether they are asked after depends on what was written since they came last, and not on what they ask for.
    let came = request(&worlds.stranger, "GET", "/v1/me");
    assert_eq!(worlds.app.send(came).await.status, 200);
    let mut asked = request(&worlds.stranger, route.method, path);
    for (name, value) in way.headers {
        asked = asked.insert_header((*name, *value));
    }
    if route.method != "GET" {
        asked = asked.set_json(&way.sent);
    }
    work(worlds);
    let answer = worlds.app.send(asked).await;
    (answer, work(worlds))
}

/// What an answer gives away: all of it but the id of the request.
fn seen(answer: Answer) -> (u16, Value, Vec<(String, String)>) {
    let mut headers = answer.headers.clone();
    headers.retain(|(name, _)| name != "request-id" && name != "etag");
    headers.sort();
    let (status, body) = told(answer);
    (status, body, headers)
}

#[actix_web::test]
async fn what_is_elsewhere_takes_the_same_work_and_gives_the_same_answer_as_what_never_was() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let never = unknown(&worlds.theirs);
        // Conditions and refusals are the same above either database.
        let most = if database == Database::Sqlite { 8 } else { 1 };
        let mut tried = 0;
        for route in routes::all().into_iter().filter(names_a_thing) {
            for (number, way) in ways(&route, &worlds).iter().take(most).enumerate() {
                let place = format!("{database:?} {} {} {number}", route.method, route.path);
                let theirs = ask(&worlds, &route, &worlds.theirs.path(route.path), way).await;
                let nowhere = ask(&worlds, &route, &never.path(route.path), way).await;
                assert_eq!(theirs.1, nowhere.1, "{place}");
                assert_eq!(seen(theirs.0), seen(nowhere.0), "{place}");
                tried += 1;
            }
        }
        assert!(tried > 60 * most, "{tried}");
    }
}

#[actix_web::test]
async fn what_a_body_names_elsewhere_takes_the_same_work_as_what_never_was() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
        let never = unknown(&worlds.theirs);
        let mut tried = 0;
        for route in routes::all() {
            let operation = &document["paths"][route.path][route.method.to_lowercase()];
            for member in references(&document, operation) {
                let naming = |whose: &Ids| Way {
                    headers: &[],
                    sent: naming(route.operation, &member, &worlds.mine, whose),
                };
                let place = format!("{database:?} {} {} {member}", route.method, route.path);
                let path = worlds.mine.path(route.path);
                let theirs = ask(&worlds, &route, &path, &naming(&worlds.theirs)).await;
                let nowhere = ask(&worlds, &route, &path, &naming(&never)).await;
                assert_eq!(theirs.1, nowhere.1, "{place}");
                assert_eq!(seen(theirs.0), seen(nowhere.0), "{place}");
                tried += 1;
            }
        }
        assert!(tried >= 13, "{tried}");
    }
}

#[actix_web::test]
async fn platforms_of_others_and_platforms_that_never_were_are_refused_alike() {
    let worlds = worlds(Database::Sqlite).await;
    let ask = async |headers: &[(&str, &str)]| {
        let mut asked = actix_web::test::TestRequest::with_uri("/v1/courses")
            .insert_header(("x-api-key", worlds.stranger.key.as_str()));
        for (name, value) in headers {
            asked = asked.append_header((*name, *value));
        }
        told(worlds.app.send(asked).await)
    };
    let (theirs, mine) = (worlds.theirs.of("platforms"), worlds.mine.of("platforms"));
    let never = "f".repeat(24);
    assert_eq!(ask(&[(UUID, mine), (CODE, "other")]).await.0, 200);
    let refused = |asked: &(u16, Value)| (asked.0, asked.1["error"]["code"].clone());
    let foreign = ask(&[(UUID, theirs)]).await;
    assert_eq!(refused(&foreign), (403, json!("platform_access_denied")));
    assert_eq!(foreign, ask(&[(UUID, &never)]).await);
    assert_eq!(foreign, ask(&[(CODE, "main")]).await);
    assert_eq!(foreign, ask(&[(CODE, "never-was")]).await);
    // Both must be one workspace; which of them is somebody's is not told.
    let mismatch = ask(&[(UUID, mine), (CODE, "main")]).await;
    assert_eq!(refused(&mismatch), (400, json!("platform_mismatch")));
    assert_eq!(mismatch, ask(&[(UUID, mine), (CODE, "never-was")]).await);
    assert_eq!(mismatch, ask(&[(UUID, theirs), (CODE, "other")]).await);
    assert_eq!(mismatch, ask(&[(UUID, &never), (CODE, "other")]).await);
    assert_eq!(mismatch, ask(&[(UUID, &never), (CODE, "main")]).await);
    assert_eq!(mismatch, ask(&[(UUID, &never), (CODE, "never-was")]).await);
    assert_eq!(mismatch, ask(&[(UUID, theirs), (CODE, "never-was")]).await);
    // A header that stands twice is no choice, whichever comes first.
    for twice in [["other", "main"], ["main", "other"]] {
        let asked = ask(&[(CODE, twice[0]), (CODE, twice[1])]).await;
        assert!((400..=403).contains(&asked.0), "{twice:?} {}", asked.1);
    }
}

#[actix_web::test]
async fn an_address_that_is_known_elsewhere_is_treated_like_one_of_nobody() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let cohort = worlds.mine.of("cohorts");
        let (known, nobody) = ("owner@main.example", "nobody@main.example");
        for (method, path) in [
            ("POST", "/v1/tokens/start".to_owned()),
            ("GET", "/v1/users?email={}".to_owned()),
            ("POST", format!("/v1/cohorts/{cohort}/students")),
            ("POST", "/v1/users".to_owned()),
        ] {
            let route = routes::all()
                .into_iter()
                .find(|route| route.method == method)
                .unwrap();
            let ask = async |email: &str| {
                let way = Way {
                    headers: &[],
                    sent: json!({"email": email}),
                };
                let path = path.replace("{}", email);
                let (answer, work) = ask(&worlds, &route, &path, &way).await;
                // Who was let in by the test before is sent away again, to be a stranger to the next.
                let user = answer.body["user_id"]
                    .as_str()
                    .or(answer.body["id"].as_str());
                if let Some(user) = user {
                    let gone = format!("/v1/users/{user}");
                    let gone = worlds
                        .app
                        .call(&worlds.stranger, "DELETE", &gone, None)
                        .await;
                    assert_eq!(gone.status, 200, "{}", gone.body);
                }
                (answer, work)
            };
            // The first who asks finds a cold cache.
            ask("first@main.example").await;
            let (of_known, of_nobody) = (ask(known).await, ask(nobody).await);
            let place = format!("{database:?} {method} {path}");
            assert_eq!(of_known.1, of_nobody.1, "{place}");
            assert_eq!(of_known.0.status, of_nobody.0.status, "{place}");
            let shape = |answer: &Answer| {
                let members = answer.body.as_object().unwrap().iter();
                members
                    .map(|(name, value)| (name.clone(), value.is_null()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(shape(&of_known.0), shape(&of_nobody.0), "{place}");
        }
    }
}
