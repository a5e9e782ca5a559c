//! What holds for every request: who gets in, what comes out.

use actix_web::http::header;
use actix_web::test::TestRequest;
use serde_json::json;
use support::app::{Answer, Caller, TestApp, request};

use crate::school::{School, key};

/// Checks an error: its status and code, its five members, and the headers that every answer carries.
#[track_caller]
pub fn assert_error(answer: &Answer, status: u16, code: &str, place: &str) {
    let told = (answer.status, answer.code());
    assert_eq!(told, (status, code), "{place} {}", answer.body);
    let error = answer.body["error"].as_object().unwrap();
    let mut members: Vec<&str> = error.keys().map(String::as_str).collect();
    members.sort_unstable();
    let expected = ["code", "fields", "message", "request_id", "type"];
    let overtaken = [
        "actor",
        "at",
        "code",
        "fields",
        "message",
        "request_id",
        "type",
    ];
    // Whoever was overtaken is told by whom and when.
    let may_be_overtaken = ["precondition_failed", "invalid_state_transition"].contains(&code);
    let is_well = members == expected || may_be_overtaken && members == overtaken;
    assert!(is_well, "{place} {members:?}");
    assert!(error["fields"].is_object(), "{place}");
    let id = answer.header("request-id");
    assert_eq!(id, error["request_id"].as_str(), "{place}");
    assert!(id.unwrap().starts_with("req_"), "{place}");
    let method = place.split(' ').next().unwrap_or_default();
    let reading = ["GET", "HEAD"].contains(&method);
    let cached = if reading {
        "private, no-cache"
    } else {
        "no-store"
    };
    let known = ["GET", "HEAD", "POST", "PATCH", "DELETE"].contains(&method);
    for (name, value) in [
        ("content-type", "application/json"),
        ("x-content-type-options", "nosniff"),
        ("vary", "Origin, Accept-Encoding"),
        ("access-control-allow-origin", "*"),
        ("referrer-policy", "no-referrer"),
        (
            "content-security-policy",
            "default-src 'none'; frame-ancestors 'none'",
        ),
        ("cache-control", cached),
    ] {
        if name != "cache-control" || known {
            assert_eq!(answer.header(name), Some(value), "{place} {name}");
        }
    }
}

#[track_caller]
fn assert_envelope(answer: &Answer, status: u16, code: &str) {
    assert_error(answer, status, code, "");
}

#[actix_web::test]
async fn unknown_paths_and_methods_answer_with_the_envelope() {
    let app = TestApp::start().await;
    for path in [
        "/",
        "/v1",
        "/v1/nothing",
        "/v1/courses/a/b/c",
        "/v2/courses",
        "/v1/%2e%2e/courses",
    ] {
        let answer = app.send(TestRequest::with_uri(path)).await;
        assert_envelope(&answer, 404, "unknown_route");
    }
    let nowhere = TestRequest::with_uri("/v1/nothing").method(actix_web::http::Method::OPTIONS);
    let answer = app.send(nowhere).await;
    assert_envelope(&answer, 404, "unknown_route");
    let answer = app.send(TestRequest::put().uri("/v1/courses")).await;
    assert_envelope(&answer, 405, "method_not_allowed");
    assert_eq!(answer.header("allow"), Some("POST, GET"));
}

#[actix_web::test]
async fn who_nearly_wrote_a_name_is_told_it() {
    let app = TestApp::start().await;
    let cases = [
        ("/v1/course", "Did you mean /v1/courses?"),
        (
            "/v1/courses?starting_after=x",
            "Did you mean startingAfter?",
        ),
        ("/v1/courses?state=draft", "Did you mean status?"),
    ];
    for (path, said) in cases {
        let answer = app.get(path).await;
        let message = answer.body["error"]["message"].as_str().unwrap();
        assert!(message.ends_with(said), "{path} {message}");
    }
    let strict = request(&app.owner, "POST", "/v1/courses")
        .insert_header(("prefer", "handling=strict"))
        .set_json(
            json!({"name": "A", "language": "en", "ai": {"instuctions": "x"}, "descripton": "y"}),
        );
    let answer = app.send(strict).await;
    assert_envelope(&answer, 400, "unknown_field");
    let fields = &answer.body["error"]["fields"];
    assert_eq!(
        fields["ai.instuctions"],
        "is not known; did you mean ai.instructions?"
    );
    assert_eq!(
        fields["descripton"],
        "is not known; did you mean description?"
    );
    // What nobody nearly wrote stays what it is.
    let answer = app.get("/v1/courses?zzz=1").await;
    assert_eq!(
        answer.body["error"]["message"],
        "There is no parameter zzz here."
    );
}

#[actix_web::test]
async fn a_key_in_authorization_is_told_where_it_belongs() {
    let app = TestApp::start().await;
    let bearer = TestRequest::with_uri("/v1/courses")
        .insert_header(("authorization", format!("Bearer {}", app.owner.key)));
    let answer = app.send(bearer).await;
    assert_envelope(&answer, 401, "missing_api_key");
    let message = answer.body["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("x-api-key") && message.contains("Authorization"),
        "{message}"
    );
    assert!(!answer.body.to_string().contains(&app.owner.key));
}

#[actix_web::test]
async fn problems_are_said_in_words() {
    let app = TestApp::start().await;
    let refused = app
        .post("/v1/courses", json!({"name": "A", "language": "not a tag"}))
        .await;
    let problem = refused.body["error"]["fields"]["language"]
        .as_str()
        .unwrap();
    assert_eq!(
        problem,
        "must be a language tag (BCP 47), such as en or pt-BR"
    );
    let refused = app.post("/v1/submissions", json!({
        "assignment_id": "asg_x", "user_id": "usr_x", "content": {"type": "text", "text": "x"},
    })).await;
    let problem = refused.body["error"]["fields"]["assignment_id"]
        .as_str()
        .unwrap();
    assert_eq!(problem, "names an assignment that does not exist");
}

#[actix_web::test]
async fn points_that_would_be_rounded_are_refused() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "x").await;
    let grade = format!("/v1/submissions/{id}/grade");
    let assignment = format!("/v1/assignments/{}", school.assignment);
    let criterion = |member: &str| json!({"rubric": {"criteria": [{"name": "A", member: 0.005}]}});
    let quiz = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "Q", "content": {"questions": [
        {"type": "true_false", "prompt": "Cold?", "answer": true, "points": 0.333}]}});
    let levels = json!({"rubric": {"criteria": [{"name": "A", "levels": [
        {"label": "no", "points": 0}, {"label": "yes", "points": 1.125}]}]}});
    let cases = [
        ("POST", grade.as_str(), json!({"score": 0.005}), "score"),
        (
            "POST",
            &grade,
            json!({"criteria": [{"criterion_id": "overall", "score": 33.333}]}),
            "criteria[0].score",
        ),
        (
            "PATCH",
            &assignment,
            json!({"max_score": 10.001}),
            "max_score",
        ),
        (
            "PATCH",
            &assignment,
            criterion("weight"),
            "rubric.criteria[0].weight",
        ),
        (
            "PATCH",
            &assignment,
            criterion("max_points"),
            "rubric.criteria[0].max_points",
        ),
        (
            "PATCH",
            &assignment,
            levels,
            "rubric.criteria[0].levels[1].points",
        ),
        (
            "POST",
            "/v1/activities",
            quiz,
            "content.questions[0].points",
        ),
    ];
    for (method, path, body, field) in cases {
        let refused = app.call(&app.owner, method, path, Some(body.clone())).await;
        crate::school::assert_refused(&refused, 400, "invalid_field", field);
        let problem = refused.body["error"]["fields"][field].as_str().unwrap();
        assert_eq!(problem, "must have at most two decimals", "{body}");
    }
    let graded = app.post(&grade, json!({"score": 0.01})).await;
    assert_eq!(
        (graded.status, &graded.body["score"]),
        (200, &json!(0.01)),
        "{}",
        graded.body
    );
}

#[actix_web::test]
async fn callers_are_told_why_their_key_does_not_open() {
    let app = TestApp::start().await;
    let with = |key: &str| {
        request(
            &Caller {
                key: key.to_owned(),
                platform: "main".into(),
            },
            "GET",
            "/v1/courses",
        )
    };
    let missing = app.send(TestRequest::with_uri("/v1/courses")).await;
    assert_envelope(&missing, 401, "missing_api_key");
    assert_eq!(
        missing.header("www-authenticate"),
        Some("ApiKey header=\"x-api-key\"")
    );
    assert_eq!(missing.body["error"]["type"], "authentication_error");
    let legacy = format!("{}-{}", app.owner.key, "0a".repeat(12));
    assert_envelope(&app.send(with(&legacy)).await, 401, "legacy_key_format");
    let unknown = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";
    for wrong in ["nonsense", unknown, ""] {
        assert_envelope(&app.send(with(wrong)).await, 401, "invalid_api_key");
    }
    let twice = with(&app.owner.key).append_header(("x-api-key", app.owner.key.as_str()));
    assert_envelope(&app.send(twice).await, 401, "invalid_api_key");
}

#[actix_web::test]
async fn a_platform_must_be_chosen_and_be_the_callers() {
    let app = TestApp::start().await;
    let other = app.another_workspace("other").await;
    let uuid = |answer: Answer| answer.body["data"][0]["uuid"].as_str().unwrap().to_owned();
    let mine = uuid(app.get("/v1/platforms").await);
    let theirs = uuid(app.call(&other, "GET", "/v1/platforms", None).await);
    let choose = |headers: Vec<(&'static str, String)>| {
        let mut request = TestRequest::with_uri("/v1/courses")
            .insert_header(("x-api-key", app.owner.key.as_str()));
        for header in headers {
            request = request.insert_header(header);
        }
        request
    };
    let code = |code: &str| ("X-Learning-Platform-Code", code.to_owned());
    let by_uuid = |uuid: &str| ("X-Learning-Platform-Uuid", uuid.to_owned());
    for good in [
        vec![code("MAIN")],
        vec![by_uuid(&mine)],
        vec![code("main"), by_uuid(&mine)],
    ] {
        assert_eq!(app.send(choose(good.clone())).await.status, 200, "{good:?}");
    }
    let cases = [
        (vec![], 400, "missing_platform"),
        (vec![code("no/slug")], 400, "invalid_platform_code"),
        (vec![by_uuid("xyz")], 400, "invalid_platform_uuid"),
        (vec![code("other")], 403, "platform_access_denied"),
        (vec![code("nowhere")], 403, "platform_access_denied"),
        (
            vec![code("main"), by_uuid(&theirs)],
            400,
            "platform_mismatch",
        ),
        (
            vec![code("main"), by_uuid(&"f".repeat(24))],
            400,
            "platform_mismatch",
        ),
    ];
    for (headers, status, error) in cases {
        assert_envelope(&app.send(choose(headers)).await, status, error);
    }
}

#[actix_web::test]
async fn bodies_that_are_no_json_objects_are_refused_by_kind() {
    let app = TestApp::start().await;
    let post = || request(&app.owner, "POST", "/v1/courses");
    let json = |text: &'static str| {
        post()
            .insert_header((header::CONTENT_TYPE, "application/json"))
            .set_payload(text)
    };
    assert_envelope(&app.send(json("{")).await, 400, "invalid_json");
    assert_envelope(&app.send(json("[1]")).await, 400, "invalid_body");
    assert_envelope(&app.send(json("\"x\"")).await, 400, "invalid_body");
    assert_envelope(&app.send(json("")).await, 400, "missing_field");
    let form = post()
        .insert_header((header::CONTENT_TYPE, "text/plain"))
        .set_payload("{}");
    assert_envelope(&app.send(form).await, 415, "unsupported_media_type");
    let utf16 = post().insert_header((header::CONTENT_TYPE, "application/json; charset=utf-16"));
    assert_envelope(
        &app.send(utf16.set_payload("{}")).await,
        415,
        "unsupported_media_type",
    );
    let large = post().set_payload(format!("{{\"name\":\"{}\"}}", "x".repeat(1_100_000)));
    assert_envelope(&app.send(large).await, 413, "payload_too_large");
    let deep = format!(
        "{{\"metadata\":{}1{}}}",
        "{\"a\":".repeat(70),
        "}".repeat(70)
    );
    assert_envelope(
        &app.send(post().set_payload(deep)).await,
        400,
        "invalid_json",
    );
    let utf8 = post().set_payload(&b"{\"name\":\"\xff\"}"[..]);
    assert_envelope(&app.send(utf8).await, 400, "invalid_json");
}

#[actix_web::test]
async fn unknown_members_are_named_and_under_strict_handling_refused() {
    let app = TestApp::start().await;
    let body = json!({"name": "A", "language": "en", "nmae": "B", "ai": {"instrctions": "x"}});
    let lenient = app.post("/v1/courses", body.clone()).await;
    assert_eq!(
        (lenient.status, lenient.header("x-ignored-fields")),
        (201, Some("ai.instrctions, nmae"))
    );
    let strict = request(&app.owner, "POST", "/v1/courses")
        .insert_header(("Prefer", "handling=strict"))
        .set_json(body);
    let refused = app.send(strict).await;
    assert_envelope(&refused, 400, "unknown_field");
    assert!(refused.body["error"]["fields"]["nmae"].is_string());
}

#[actix_web::test]
async fn ids_of_another_kind_or_form_are_not_there() {
    let app = TestApp::start().await;
    let long = "x".repeat(5_000);
    for id in [
        "unt_00000000000000000000000000",
        "crs_",
        "1",
        "CRS_00000000000000000000000000",
        &long,
    ] {
        let answer = app.get(&format!("/v1/courses/{id}")).await;
        assert_envelope(&answer, 404, "resource_missing");
    }
}

#[actix_web::test]
async fn preflight_is_answered_and_origins_can_be_narrowed() {
    let app = TestApp::start().await;
    let preflight = TestRequest::with_uri("/v1/courses")
        .method(actix_web::http::Method::OPTIONS)
        .insert_header(("Origin", "https://school.example"));
    let answer = app.send(preflight).await;
    assert_eq!(answer.status, 204);
    assert_eq!(
        answer.header("access-control-allow-methods"),
        Some("POST, GET, OPTIONS")
    );
    assert!(
        answer
            .header("access-control-allow-headers")
            .unwrap()
            .contains("x-api-key")
    );
}

#[actix_web::test]
async fn health_and_document_need_no_key() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz", "/v1/openapi.json", "/v1/content.css"] {
        let answer = app.send(TestRequest::with_uri(path)).await;
        assert_eq!(answer.status, 200, "{path}");
    }
}

/// Everything that a PATCH of a unit can say wrongly.
#[derive(Clone)]
struct Wrong {
    method: &'static str,
    path: String,
    key: Option<String>,
    platform: Option<&'static str>,
    media_type: &'static str,
    body: String,
    idempotency_key: &'static str,
}

impl Wrong {
    async fn send(&self, app: &TestApp) -> Answer {
        let mut sent = TestRequest::with_uri(&self.path)
            .method(self.method.parse().unwrap())
            .insert_header((header::CONTENT_TYPE, self.media_type))
            .insert_header(("idempotency-key", self.idempotency_key))
            .insert_header((header::IF_MATCH, "\"stale\""));
        if let Some(key) = &self.key {
            sent = sent.insert_header(("x-api-key", key.as_str()));
        }
        if let Some(platform) = self.platform {
            sent = sent.insert_header(("x-learning-platform-code", platform));
        }
        app.send(sent.set_payload(self.body.clone())).await
    }
}

/// Mends what answered, and nothing else.
type Mend<'a> = Box<dyn Fn(&mut Wrong) + 'a>;

#[actix_web::test]
async fn of_everything_that_is_wrong_the_first_in_order_answers() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let used = request(&app.owner, "PATCH", &format!("/v1/units/{}", school.unit))
        .insert_header(("idempotency-key", "used"));
    assert_eq!(app.send(used.set_json(json!({}))).await.status, 200);
    let narrow = key(&app, &["read:events"]).await.key;
    let never = format!("/v1/units/unt_{}", "0".repeat(26));
    let unit = format!("/v1/units/{}", school.unit);
    let mut all = Wrong {
        method: "PUT",
        path: "/v1/unitz/x".to_owned(),
        key: None,
        platform: None,
        media_type: "text/plain",
        body: format!("{{\"name\": \"{}\"", "x".repeat(1_100_000)),
        idempotency_key: "used",
    };
    let rungs: [(u16, &str, Mend<'_>); 12] = [
        (
            404,
            "unknown_route",
            Box::new(|all| all.path.clone_from(&never)),
        ),
        (
            405,
            "method_not_allowed",
            Box::new(|all| all.method = "PATCH"),
        ),
        (
            401,
            "missing_api_key",
            Box::new(|all| all.key = Some(narrow.clone())),
        ),
        (
            400,
            "missing_platform",
            Box::new(|all| all.platform = Some("nowhere")),
        ),
        (
            403,
            "platform_access_denied",
            Box::new(|all| all.platform = Some("main")),
        ),
        (
            403,
            "insufficient_scope",
            Box::new(|all| all.key = Some(app.owner.key.clone())),
        ),
        (
            415,
            "unsupported_media_type",
            Box::new(|all| all.media_type = "application/json"),
        ),
        (
            413,
            "payload_too_large",
            Box::new(|all| all.body = "{".to_owned()),
        ),
        (
            400,
            "invalid_json",
            Box::new(|all| all.body = r#"{"name": ""}"#.to_owned()),
        ),
        (
            400,
            "idempotency_key_reused",
            Box::new(|all| all.idempotency_key = "fresh"),
        ),
        (
            400,
            "invalid_field",
            Box::new(|all| all.body = r#"{"name": "N"}"#.to_owned()),
        ),
        (
            404,
            "resource_missing",
            Box::new(|all| all.path.clone_from(&unit)),
        ),
    ];
    for (status, code, mend) in rungs {
        assert_envelope(&all.send(&app).await, status, code);
        mend(&mut all);
    }
    assert_envelope(&all.send(&app).await, 412, "precondition_failed");
}

#[actix_web::test]
async fn what_a_body_refers_to_is_missed_before_a_state_is_in_the_way() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    app.patch(&path, json!({"max_attempts": 1})).await;
    school.hand_in(&app, "Cool it fast.").await;
    let mut again = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "cohort_id": format!("coh_{}", "0".repeat(26)),
    });
    let refused = app.post("/v1/submissions", again.clone()).await;
    assert_envelope(&refused, 404, "resource_missing");
    again["cohort_id"] = json!(null);
    let refused = app.post("/v1/submissions", again).await;
    assert_envelope(&refused, 409, "limit_reached");
}

#[actix_web::test]
async fn what_browsers_may_do_is_said_with_every_answer() {
    let app = TestApp::start().await;
    let course = json!({"name": "A", "language": "en"});
    let made = app.post("/v1/courses", course).await;
    let location = made.header("location").unwrap().to_owned();
    let read = app.get(&location).await;
    let tag = read.header("etag").unwrap().to_owned();
    let known = request(&app.owner, "GET", &location).insert_header((header::IF_NONE_MATCH, tag));
    let known = app.send(known).await;
    let options = TestRequest::with_uri("/v1/courses").method(actix_web::http::Method::OPTIONS);
    let options = app.send(options).await;
    let health = app.send(TestRequest::with_uri("/healthz")).await;
    let answers = [
        (made, 201),
        (read, 200),
        (known, 304),
        (options, 204),
        (health, 200),
    ];
    for (answer, status) in answers {
        assert_eq!(answer.status, status);
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            (
                "content-security-policy",
                "default-src 'none'; frame-ancestors 'none'",
            ),
        ] {
            assert_eq!(answer.header(name), Some(value), "{status} {name}");
        }
        // Only whoever is reached by https can say that they always will be.
        assert_eq!(answer.header("strict-transport-security"), None);
    }
    // A page brings its own policy.
    let page = app.send(TestRequest::with_uri("/docs")).await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'"), "{policy}");
}

#[actix_web::test]
async fn a_key_in_a_url_opens_nothing_and_is_not_repeated() {
    let app = TestApp::start().await;
    let key = app.owner.key.clone();
    for name in ["api_key", "apikey", "X-API-Key", "token"] {
        let path = format!("/v1/me?{name}={key}");
        for request in [
            TestRequest::with_uri(&path),
            request(&app.owner, "GET", &path),
        ] {
            let refused = app.send(request).await;
            assert_envelope(&refused, 400, "invalid_parameter");
            let told = refused.body.to_string();
            assert!(told.contains("x-api-key") && !told.contains(&key), "{told}");
        }
    }
    // A path that is not there stays so.
    let nowhere = TestRequest::with_uri("/v1/nowhere?api_key=x");
    assert_envelope(&app.send(nowhere).await, 404, "unknown_route");
}

#[actix_web::test]
async fn what_two_readers_could_read_differently_is_refused() {
    let app = TestApp::start().await;
    let post = |body: &'static str| request(&app.owner, "POST", "/v1/courses").set_payload(body);
    for body in [
        r#"{"name": "A", "language": "en", "name": "B"}"#,
        r#"{"name": "A", "language": "en", "metadata": {"k": 1, "\u006b": 2}}"#,
    ] {
        let refused = app.send(post(body)).await;
        assert_envelope(&refused, 400, "invalid_json");
        let told = refused.body["error"]["message"].as_str().unwrap();
        assert!(told.contains("stands twice"), "{told}");
    }
    let huge = app.send(post(
        r#"{"name": "A", "language": "en", "metadata": {"k": 1e400}}"#,
    ));
    assert_envelope(&huge.await, 400, "invalid_json");
    for kind in [
        "application/json; charset=utf-16",
        "application/json;charset = \"UTF-16LE\"",
        "application/json; charset=iso-8859-1",
        "text/json",
    ] {
        let body = post(r#"{"name": "A", "language": "en"}"#);
        let refused = app
            .send(body.insert_header((header::CONTENT_TYPE, kind)))
            .await;
        assert_envelope(&refused, 415, "unsupported_media_type");
    }
    for kind in [
        "application/json; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
    ] {
        let body = post(r#"{"name": "A", "language": "en"}"#);
        let taken = app
            .send(body.insert_header((header::CONTENT_TYPE, kind)))
            .await;
        assert_eq!(taken.status, 201, "{kind}");
    }
}
