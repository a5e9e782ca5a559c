//! Members and roles by SCIM: who provisions, what they may, and what they may never.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, caller, events, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const USERS: &str = "/scim/v2/Users";

/// Whoever provisions a workspace, and a key of theirs.
struct Directory<'a> {
    app: &'a TestApp,
    key: String,
}

impl<'a> Directory<'a> {
    /// Of the first workspace.
    async fn of(app: &'a TestApp) -> Self {
        let account = json!({"kind": "service", "name": "Directory", "role": "admin"});
        let account = made(app, &app.owner, "users", account).await;
        let key = json!({"user_id": account, "scopes": ["scim"]});
        let key = app.post("/v1/api_keys", key).await;
        assert_eq!(key.status, 201, "{}", key.body);
        let key = key.body["api_key"].as_str().unwrap().to_owned();
        Self { app, key }
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        asked(self.app, &self.key, method, path, body).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, None).await;
        assert_eq!(answer.status, 200, "{path} {}", answer.body);
        answer.body
    }

    /// Lets somebody in; their id.
    async fn lets_in(&self, email: &str) -> String {
        let body = json!({"userName": email, "displayName": "Ada", "externalId": "A-1"});
        let made = self.ask("POST", USERS, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.body["id"].as_str().unwrap().to_owned()
    }

    async fn patch(&self, path: &str, operations: Value) -> Answer {
        let body = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": operations,
        });
        self.ask("PATCH", path, Some(body)).await
    }

    async fn found(&self, filter: &str) -> Vec<Value> {
        let filter = filter.replace(' ', "%20").replace('"', "%22");
        let list = self.get(&format!("{USERS}?filter={filter}")).await;
        list["Resources"].as_array().unwrap().clone()
    }
}

async fn asked(app: &TestApp, key: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
    let method = method.parse().unwrap();
    let request = actix_web::test::TestRequest::with_uri(path)
        .method(method)
        .insert_header(("authorization", format!("Bearer {key}")));
    let request = match body {
        Some(body) => request
            .insert_header(("content-type", "application/scim+json"))
            .set_payload(body.to_string()),
        None => request,
    };
    app.send(request).await
}

fn is_scim_error(answer: &Answer, status: u16, scim_type: &Value) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("application/scim+json"));
    assert_eq!(answer.body["status"], json!(status.to_string()));
    assert_eq!(&answer.body["scimType"], scim_type, "{}", answer.body);
    let schema = "urn:ietf:params:scim:api:messages:2.0:Error";
    assert_eq!(answer.body["schemas"], json!([schema]));
}

#[actix_web::test]
async fn a_key_for_it_opens_nothing_else_and_nothing_else_opens_it() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        assert_eq!(directory.get(USERS).await["totalResults"], 1);
        // Elsewhere it is nobody: where no scope is asked for, too.
        let elsewhere = caller(&json!(directory.key));
        for path in [
            "/v1/me",
            "/v1/platforms",
            "/v1/users",
            "/v1/courses",
            "/v1/api_keys",
        ] {
            let refused = app.call(&elsewhere, "GET", path, None).await;
            assert_eq!(refused.status, 403, "{path} {}", refused.body);
        }
        // Here nobody else is anybody.
        for (method, path) in lyceum_api::identity::scim::ROUTES {
            let path = path.replace("{id}", "usr_01h455vb4pex5vsknk084sn02q");
            let refused = asked(&app, &app.owner.key, method, &path, Some(json!({}))).await;
            is_scim_error(&refused, 403, &Value::Null);
            let stranger = asked(&app, "lyc_k", method, &path, Some(json!({}))).await;
            is_scim_error(&stranger, 401, &Value::Null);
            assert_eq!(stranger.header("www-authenticate"), Some("Bearer"));
            let by_header = app.call(&elsewhere, method, &path, Some(json!({}))).await;
            is_scim_error(&by_header, 401, &Value::Null);
        }
        // It ends as every key ends.
        let found = list(&app, "audit?action=key.created").await;
        let id = found[0]["subject"]["id"].as_str().unwrap().to_owned();
        app.post(&format!("/v1/api_keys/{id}/revoke"), json!({}))
            .await;
        let refused = directory.ask("GET", USERS, None).await;
        is_scim_error(&refused, 401, &Value::Null);
    }
}

#[actix_web::test]
async fn a_key_for_it_is_made_for_a_program_that_runs_the_platform_and_says_nothing_else() {
    let app = app_on(Database::Sqlite).await;
    let account = |role: &str| json!({"kind": "service", "name": "Directory", "role": role});
    let admin = made(&app, &app.owner, "users", account("admin")).await;
    let teacher = made(&app, &app.owner, "users", account("teacher")).await;
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    for (user, scopes, status) in [
        (json!(admin), json!(["scim", "read:courses"]), 400),
        (me, json!(["scim"]), 400),
        (Value::Null, json!(["scim"]), 400),
        (json!(teacher), json!(["scim"]), 403),
        (json!(admin), json!(["scim"]), 201),
    ] {
        let mut body = json!({"scopes": scopes});
        if !user.is_null() {
            body["user_id"] = user.clone();
        }
        let answer = app.post("/v1/api_keys", body).await;
        assert_eq!(answer.status, status, "{user} {scopes} {}", answer.body);
    }
    // Whoever may make keys and not members makes none that makes members.
    let narrow = crate::school::key(&app, &["write:keys"]).await;
    let body = json!({"user_id": admin, "scopes": ["scim"]});
    let refused = app.call(&narrow, "POST", "/v1/api_keys", Some(body)).await;
    assert_refused(&refused, 403, "scope_escalation", "scopes");
}

#[actix_web::test]
async fn members_are_let_in_found_changed_and_let_go() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        let id = directory.lets_in("Ada@School.example").await;
        let path = format!("{USERS}/{id}");
        let shown = directory.get(&path).await;
        assert_eq!(shown["userName"], "ada@school.example");
        assert_eq!(shown["active"], true);
        assert_eq!(shown["groups"][0]["value"], "student");
        assert_eq!(
            shown["meta"]["location"],
            json!(format!("http://lyceum.test{path}"))
        );
        // Twice is once, also where two ask at once.
        let body = json!({"userName": "ada@school.example"});
        let again = directory.ask("POST", USERS, Some(body)).await;
        is_scim_error(&again, 409, &json!("uniqueness"));
        for filter in [
            "userName eq \"ADA@school.example\"",
            "externalId eq \"A-1\" and active eq true",
            "displayName sw \"ad\" and not (emails.value co \"else\")",
        ] {
            let found = directory.found(filter).await;
            assert_eq!(found.len(), 1, "{filter}");
            assert_eq!(found[0], shown, "{filter}");
        }
        assert!(directory.found("userName eq \"x\"").await.is_empty());
        let refused = directory
            .ask("GET", &format!("{USERS}?filter=a%20gt%201"), None)
            .await;
        is_scim_error(&refused, 400, &json!("invalidFilter"));
        // As Entra says it, and as Okta does.
        let off = json!([{"op": "Replace", "path": "active", "value": "False"}]);
        assert_eq!(directory.patch(&path, off).await.body["active"], false);
        let on = json!([{"op": "replace", "value": {"active": true, "displayName": "Ada L"}}]);
        let on = directory.patch(&path, on).await;
        assert_eq!(
            (&on.body["active"], &on.body["displayName"]),
            (&json!(true), &json!("Ada L"))
        );
        let whole = json!({"userName": "ada@school.example", "displayName": "A", "active": true});
        let whole = directory.ask("PUT", &path, Some(whole)).await.body;
        assert_eq!(
            (&whole["displayName"], whole.get("externalId")),
            (&json!("A"), None)
        );
        let gone = directory.ask("DELETE", &path, None).await;
        assert_eq!((gone.status, gone.body), (204, Value::Null));
        let missing = directory.ask("GET", &path, None).await;
        is_scim_error(&missing, 404, &Value::Null);
        assert!(
            directory
                .found("userName eq \"ada@school.example\"")
                .await
                .is_empty()
        );
        // Whoever comes again has the membership that they had.
        assert_eq!(directory.lets_in("ada@school.example").await, id);
        let entry = list(&app, "audit?action=member.suspended").await;
        assert_eq!(entry[0]["actor"]["type"], "service", "{}", entry[0]);
        assert_eq!(entry[0]["actor"]["name"], "Directory");
        let event = &events(&app, "user.updated").await[0];
        assert_eq!(event["actor"]["name"], "Directory", "{event}");
    }
}

#[actix_web::test]
async fn whoever_is_let_go_is_out_at_once_and_nothing_of_theirs_is_lost() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        let school = School::open(&app).await;
        let session = school.student_session(&app).await;
        let work = school.hand_in(&app, "Cool the rice.").await;
        let see = async |by: &Caller| app.call(by, "GET", "/v1/submissions", None).await.status;
        assert_eq!(see(&session).await, 200);
        let path = format!("{USERS}/{}", school.student);
        for (method, body) in [
            (
                "PUT",
                Some(json!({"userName": crate::school::STUDENT, "active": false})),
            ),
            ("DELETE", None),
        ] {
            let done = directory.ask(method, &path, body).await;
            assert!(done.status < 300, "{}", done.body);
            assert!([401, 403].contains(&see(&session).await));
            let refused = app
                .post("/v1/tokens/start", json!({"email": crate::school::STUDENT}))
                .await;
            assert_eq!(refused.status, 404, "{}", refused.body);
            let kept = app.get(&format!("/v1/submissions/{work}")).await;
            assert_eq!(kept.status, 200, "{}", kept.body);
            let user = app.get(&format!("/v1/users/{}", school.student)).await.body;
            assert_eq!(user["active"], false);
        }
        assert_eq!(
            directory.lets_in(crate::school::STUDENT).await,
            school.student
        );
        // What let them in before does not: they come in anew.
        assert!([401, 403].contains(&see(&session).await));
        let again = crate::school::session(&app, crate::school::STUDENT).await;
        assert_eq!(see(&again).await, 200);
    }
}

#[actix_web::test]
async fn a_person_of_other_workspaces_stays_who_they_are() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        let home = app.another_workspace("home").await;
        let id = directory.lets_in("owner@home.example").await;
        let path = format!("{USERS}/{id}");
        // Nobody answers for them: their keys open nothing here before they accepted.
        let own = caller(&json!(home.key));
        let refused = app.call(&own, "GET", "/v1/courses", None).await;
        assert_eq!(refused.code(), "platform_access_denied");
        let key = json!({"user_id": id, "name": "Theirs"});
        let refused = app.post("/v1/api_keys", key).await;
        assert_eq!(refused.code(), "member_not_accepted", "{}", refused.body);
        // Nor is their address anybody's to change, by any road.
        let theirs = "mallory@school.example";
        for (method, body) in [
            ("PUT", json!({"userName": theirs})),
            (
                "PATCH",
                json!({"Operations": [{"op": "replace", "path": "userName", "value": theirs}]}),
            ),
            (
                "PATCH",
                json!({"Operations": [{"op": "add", "value": {"USERNAME": theirs}}]}),
            ),
        ] {
            let refused = directory.ask(method, &path, Some(body)).await;
            is_scim_error(&refused, 400, &json!("mutability"));
        }
        let emails =
            json!([{"op": "replace", "path": "emails[type eq \"work\"].value", "value": theirs}]);
        let kept = directory.patch(&path, emails).await.body;
        assert_eq!(kept["emails"][0]["value"], "owner@home.example");
        let named = json!([{"op": "replace", "path": "displayName", "value": "Here"}]);
        assert_eq!(directory.patch(&path, named).await.status, 200);
        directory.ask("DELETE", &path, None).await;
        // At home all is as it was.
        let there = app.call(&home, "GET", "/v1/users", None).await.body;
        let them = &there["data"][0];
        assert_eq!(them["email"], "owner@home.example");
        assert_ne!(them["name"], "Here");
        assert_eq!(
            app.call(&home, "GET", "/v1/courses", None).await.status,
            200
        );
    }
}

#[actix_web::test]
async fn roles_are_groups_and_owners_are_nobodys_to_make_or_unmake() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        let [ada, bob] = [
            directory.lets_in("ada@x.example").await,
            directory.lets_in("bob@x.example").await,
        ];
        let role = async |id: &str| app.get(&format!("/v1/users/{id}")).await.body["role"].clone();
        let listed = directory
            .get("/scim/v2/Groups?excludedAttributes=members")
            .await;
        let ids: Vec<&Value> = listed["Resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["id"])
            .collect();
        assert_eq!(ids, ["admin", "teacher", "student"]);
        assert!(listed["Resources"][0].get("members").is_none());
        let teacher = "/scim/v2/Groups/teacher";
        let both =
            json!([{"op": "Add", "path": "members", "value": [{"value": ada}, {"value": bob}]}]);
        let both = directory.patch(teacher, both).await;
        assert_eq!(
            both.body["members"].as_array().unwrap().len(),
            2,
            "{}",
            both.body
        );
        assert_eq!(
            (role(&ada).await, role(&bob).await),
            (json!("teacher"), json!("teacher"))
        );
        let one = json!([{"op": "remove", "path": format!("members[value eq \"{ada}\"]")}]);
        assert_eq!(directory.patch(teacher, one).await.status, 200);
        assert_eq!(
            (role(&ada).await, role(&bob).await),
            (json!("student"), json!("teacher"))
        );
        let whole = json!({"displayName": "teacher", "members": [{"value": ada}]});
        assert_eq!(directory.ask("PUT", teacher, Some(whole)).await.status, 200);
        assert_eq!(
            (role(&ada).await, role(&bob).await),
            (json!("teacher"), json!("student"))
        );
        let mine = "members.value eq \"".to_owned() + &ada + "\"";
        let mine = mine.replace(' ', "%20").replace('"', "%22");
        let mine = directory
            .get(&format!("/scim/v2/Groups?filter={mine}"))
            .await;
        assert_eq!(
            (&mine["totalResults"], &mine["Resources"][0]["id"]),
            (&json!(1), &json!("teacher"))
        );
        // Owners are in no group, and nothing brings them into one, out of their role, or out.
        let owner = app.get("/v1/me").await.body["user"]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let into = json!([{"op": "add", "path": "members", "value": [{"value": owner}]}]);
        let tries = [
            directory.patch(teacher, into).await,
            directory
                .ask("DELETE", &format!("{USERS}/{owner}"), None)
                .await,
            directory
                .patch(
                    &format!("{USERS}/{owner}"),
                    json!([{"op": "replace", "path": "active", "value": false}]),
                )
                .await,
            directory
                .patch(
                    &format!("{USERS}/{owner}"),
                    json!([{"op": "replace", "path": "displayName", "value": "X"}]),
                )
                .await,
        ];
        for refused in tries {
            is_scim_error(&refused, 403, &Value::Null);
        }
        assert_eq!(role(&owner).await, "owner");
        assert_eq!(
            directory
                .ask("GET", "/scim/v2/Groups/owner", None)
                .await
                .status,
            404
        );
        for (method, path) in [("POST", "/scim/v2/Groups"), ("DELETE", teacher)] {
            let refused = directory
                .ask(method, path, Some(json!({"displayName": "owner"})))
                .await;
            is_scim_error(&refused, 403, &Value::Null);
        }
        // A member of elsewhere is nobody here, and what was half done is not done.
        let half = json!([
            {"op": "add", "path": "members", "value": [{"value": bob}, {"value": "usr_01h455vb4pex5vsknk084sn02q"}]},
        ]);
        is_scim_error(&directory.patch(teacher, half).await, 404, &Value::Null);
        assert_eq!(role(&bob).await, "student");
    }
}

#[actix_web::test]
async fn lists_come_in_parts_with_what_is_wanted_of_each() {
    let app = app_on(Database::Sqlite).await;
    let directory = Directory::of(&app).await;
    for n in 1..=4 {
        directory.lets_in(&format!("n{n}@x.example")).await;
    }
    let part = directory
        .get(&format!("{USERS}?startIndex=2&count=2&attributes=userName"))
        .await;
    assert_eq!(part["totalResults"], 5);
    assert_eq!(
        (&part["startIndex"], &part["itemsPerPage"]),
        (&json!(2), &json!(2))
    );
    let names: Vec<&Value> = part["Resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["userName"])
        .collect();
    assert_eq!(names, ["n1@x.example", "n2@x.example"]);
    assert!(part["Resources"][0].get("active").is_none());
    // Programs, and who was erased, are none of them.
    let first = part["Resources"][0]["id"].as_str().unwrap().to_owned();
    app.post(
        &format!("/v1/users/{first}/erase"),
        json!({"confirm": first}),
    )
    .await;
    assert_eq!(directory.get(USERS).await["totalResults"], 4);
    assert_eq!(
        directory
            .ask("GET", &format!("{USERS}/{first}"), None)
            .await
            .status,
        404
    );
    let refused = directory
        .ask("GET", &format!("{USERS}?count=x"), None)
        .await;
    is_scim_error(&refused, 400, &json!("invalidValue"));
}

#[actix_web::test]
async fn what_is_no_message_is_refused_in_words_of_the_protocol() {
    let app = app_on(Database::Sqlite).await;
    let directory = Directory::of(&app).await;
    let id = directory.lets_in("ada@x.example").await;
    let path = format!("{USERS}/{id}");
    for (method, path, body, status, scim_type) in [
        ("POST", USERS, json!({}), 400, json!("invalidValue")),
        (
            "POST",
            USERS,
            json!({"userName": "no address"}),
            400,
            json!("invalidValue"),
        ),
        (
            "POST",
            USERS,
            json!({"userName": "x@erased.invalid"}),
            400,
            json!("invalidValue"),
        ),
        (
            "PATCH",
            path.as_str(),
            json!({}),
            400,
            json!("invalidSyntax"),
        ),
        (
            "PATCH",
            path.as_str(),
            json!({"Operations": [{"op": "remove", "path": "userName"}]}),
            400,
            json!("invalidValue"),
        ),
        ("GET", "/scim/v2/Nothing", Value::Null, 404, Value::Null),
        ("GET", "/scim/v2/Users/usr_x", Value::Null, 404, Value::Null),
        ("DELETE", "/scim/v2/Schemas", Value::Null, 405, Value::Null),
        ("POST", "/scim/v2/.search", json!({}), 501, Value::Null),
    ] {
        let answer = directory.ask(method, path, Some(body.clone())).await;
        is_scim_error(&answer, status, &scim_type);
    }
    let request = actix_web::test::TestRequest::with_uri(USERS)
        .method("POST".parse().unwrap())
        .insert_header(("authorization", format!("Bearer {}", directory.key)))
        .insert_header(("content-type", "text/plain"))
        .set_payload("{}");
    is_scim_error(&app.send(request).await, 415, &Value::Null);
    let request = actix_web::test::TestRequest::with_uri(USERS)
        .method("POST".parse().unwrap())
        .insert_header(("authorization", format!("Bearer {}", directory.key)))
        .set_payload("[1");
    is_scim_error(&app.send(request).await, 400, &json!("invalidSyntax"));
}

#[actix_web::test]
async fn of_many_who_let_the_same_person_in_at_once_one_does() {
    for database in BOTH {
        let app = app_on(database).await;
        let directory = Directory::of(&app).await;
        let body = json!({"userName": "ada@x.example"});
        let asks = (0..12).map(|_| directory.ask("POST", USERS, Some(body.clone())));
        let mut found: Vec<u16> = join_all(asks)
            .await
            .iter()
            .map(|answer| answer.status)
            .collect();
        found.sort_unstable();
        assert_eq!(found[0], 201);
        assert!(found[1..].iter().all(|status| *status == 409), "{found:?}");
        assert_eq!(
            directory.found("userName eq \"ada@x.example\"").await.len(),
            1
        );
    }
}
