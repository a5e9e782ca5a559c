//! `lyceum fsck`: a school where everything happened passes; whatever is tampered with is found, and nothing else.

use std::fs;
use std::path::Path;

use lyceum_client::Client;
use lyceum_wire::authoring::media::CreateMedia;
use lyceum_wire::drafting::generations::StartSyllabus;
use lyceum_wire::identity::tokens::{FinishToken, StartToken};
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use support::postgres;
use support::stores::Database;
use support::tampering::tamper;

use crate::service::{SOON, Service, place};
use crate::webhooks::graded;

/// A school in which all that leaves traces has happened, on a service that has stopped, and where its data is.
async fn school(database: Database) -> (Service, String) {
    let url = match database {
        Database::Sqlite => None,
        Database::Postgres => Some(postgres::cluster().create_database()),
    };
    let launch = Launch::new()
        .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
        .env("LYCEUM_WEBHOOK_SCHEDULE", "0,3600");
    let launch = match &url {
        Some(url) => launch.env("LYCEUM_DATABASE_URL", url),
        None => place(launch, Database::Sqlite),
    };
    let mut service = Service::start(launch);
    live(&service.client()).await;
    assert!(service.process.terminate().success());
    let file = service.process.data_dir().join("lyceum.db");
    let url = url.unwrap_or_else(|| format!("sqlite://{}", file.display()));
    (service, url)
}

async fn made(client: &Client, path: &str, new: Value) -> String {
    let made: Value = client.post(path, &new).await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

async fn live(client: &Client) {
    // Nobody listens there; what is told is tried again in an hour.
    let endpoint = json!({"url": "http://127.0.0.1:9/", "enabled_events": ["*"]});
    made(client, "/v1/webhook_endpoints", endpoint).await;
    let submission = graded(client).await;
    let graded: Value = client
        .get(&format!("/v1/submissions/{submission}"))
        .await
        .unwrap();
    let another = json!({"assignment_id": graded["assignment_id"], "user_id": graded["user_id"], "draft": true, "content": {"type": "text", "text": "Not yet."}});
    made(client, "/v1/submissions", another).await;
    let course = made(
        client,
        "/v1/courses",
        json!({"name": "Storing", "language": "en"}),
    )
    .await;
    let unit = made(
        client,
        "/v1/units",
        json!({"course_id": course, "name": "Cold"}),
    )
    .await;
    let lesson = json!({"unit_id": unit, "name": "Ice", "content": "Ice is cold."});
    made(client, "/v1/lessons", lesson.clone()).await;
    let lesson = made(client, "/v1/lessons", lesson).await;
    let thoughts = json!({"lesson_id": lesson, "kind": "reflection", "name": "Yours", "content": {"prompt": "Why?"}});
    made(client, "/v1/activities", thoughts).await;
    let drafted = made(
        client,
        "/v1/courses",
        json!({"name": "Drafted", "language": "en"}),
    )
    .await;
    let brief = StartSyllabus {
        brief: Some("Keeping food cold".to_owned()),
        ..StartSyllabus::default()
    };
    let drafting = client
        .courses()
        .generate_syllabus(&drafted, &brief)
        .await
        .unwrap();
    client
        .generations()
        .wait(&drafting.id)
        .within(SOON)
        .await
        .unwrap();
    client.courses().publish(&course).await.unwrap();
    let cohort = made(
        client,
        "/v1/cohorts",
        json!({"course_id": course, "name": "Spring"}),
    )
    .await;
    client.cohorts().start(&cohort).await.unwrap();
    let student = json!({"user_id": graded["user_id"]});
    made(client, &format!("/v1/cohorts/{cohort}/students"), student).await;
    let package = made(client, "/v1/scorm", json!({"cohort_id": cohort})).await;
    client.scorm().wait(&package).within(SOON).await.unwrap();
    let drawing = tempfile::NamedTempFile::new().unwrap();
    let shapes = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"9\" height=\"9\"/></svg>";
    fs::write(drawing.path(), shapes).unwrap();
    let (library, said) = (client.media(), CreateMedia::default());
    let media = library.upload(drawing.path(), &said).await.unwrap().id;
    library.wait(&media).within(SOON).await.unwrap();
    let token = client
        .tokens()
        .start(&StartToken {
            email: "student@example.org".to_owned(),
        })
        .await
        .unwrap();
    client
        .tokens()
        .finish(&FinishToken {
            token: token.token.clone(),
        })
        .await
        .unwrap();
    let spare = made(
        client,
        "/v1/courses",
        json!({"name": "Spare", "language": "en"}),
    )
    .await;
    let unit = json!({"course_id": spare, "name": "Spare"});
    let unit = made(client, "/v1/units", unit).await;
    made(
        client,
        "/v1/lessons",
        json!({"unit_id": unit, "name": "Spare"}),
    )
    .await;
    client.courses().delete(&spare).await.unwrap();
    // What happened before it came is none of its business.
    let late = json!({"url": "http://127.0.0.1:9/late", "enabled_events": ["course.*"]});
    made(client, "/v1/webhook_endpoints", late).await;
}

/// A copy of the school, so that what is broken in one stays whole in the next.
fn copy(url: &str, folder: &Path, name: &str) -> String {
    let Some(file) = url.strip_prefix("sqlite://") else {
        return postgres::cluster().copy_database(url);
    };
    let copied = folder.join(format!("{name}.db"));
    for ending in ["", "-wal"] {
        let from = format!("{file}{ending}");
        if Path::new(&from).exists() {
            fs::copy(from, format!("{}{ending}", copied.display())).unwrap();
        }
    }
    format!("sqlite://{}", copied.display())
}

/// How the check ended, and the ids of what it found.
fn found(service: &Service, url: &str) -> (Option<i32>, Vec<String>) {
    let output = service
        .process
        .run(&["fsck", "--json", "--database-url", url]);
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let told: Value =
        serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed} {complaint}"));
    let checks = told["checks"].as_array().unwrap().iter();
    let broken = checks.filter(|check| check["violations"] != 0);
    let ids: Vec<String> = broken
        .map(|check| format!("{} {}", check["id"].as_str().unwrap(), check["examples"]))
        .collect();
    assert_eq!(told["clean"], ids.is_empty());
    (output.status.code(), ids)
}

/// A record beside the others, older than all of them and without a receipt; `columns` of it are as said.
fn beside(columns: &[(&str, &str)]) -> String {
    let names = [
        "workspace_id",
        "id",
        "submission_id",
        "run",
        "status",
        "score",
        "max_score",
        "rubric_hash",
        "criteria",
        "feedback",
        "grader",
        "reason",
        "created_at",
        "rubric",
        "assignment_id",
    ];
    let values = names.map(|name| {
        let usual = match name {
            "id" => "'grd_0' || substr(id, 6, 1) || '0' || substr(id, 8)",
            "status" => "'superseded'",
            "run" => "0",
            "rubric" => "NULL",
            other => other,
        };
        let said = columns.iter().find(|(column, _)| *column == name);
        said.map_or(usual, |(_, value)| *value)
    });
    format!(
        "INSERT INTO grades ({}) SELECT {} FROM grades",
        names.join(", "),
        values.join(", ")
    )
}

/// A try for a certificate that was never made: where it stands, the number of its newest record, and what it declared.
fn certificate(state: &str, head: u32, declared: &str) -> String {
    let document = format!(
        "{{\"terms\":{{}},\"frozen_at\":\"2026-01-01T00:00:00.000Z\",\"looks_before\":0,\"looks_spent\":0,\
         \"head_sequence\":{head},\"head_hash\":\"\",\"declared\":{declared}}}"
    );
    format!(
        "INSERT INTO certificates (workspace_id, id, assignment_id, state, document, created_at, updated_at, version) \
         SELECT workspace_id, 'crt_x', assignment_id, '{state}', '{document}', created_at, updated_at, 1 \
         FROM submissions WHERE ai_status = 'ready'"
    )
}

/// The same with an answer: its place among the drawn, and what became of AI's grade.
fn certificate_answer(place: &str, fate: &str) -> String {
    format!(
        "{}; INSERT INTO certificate_answers (workspace_id, id, certificate_id, submission_id, confidence, place, fate, gone, at) \
         SELECT workspace_id, 'answer', 'crt_x', id, 80, {place}, {fate}, false, created_at FROM submissions WHERE ai_status = 'ready'",
        certificate("grading", 0, "null")
    )
}

/// What breaks each rule, on both databases.
fn everywhere() -> Vec<(&'static str, String)> {
    let fixed = [
        (
            "I5.job_abandoned",
            "UPDATE jobs SET kind = 'remove_archive', state = 'running', lease_until = '2020-01-01T00:00:00.000Z' WHERE kind = 'export_scorm'",
        ),
        (
            "I6.pending_without_job",
            "UPDATE submissions SET ai_status = 'pending', ai = '{\"pending\":{\"estimated_ready_at\":\"2030-01-01T00:00:00.000Z\"}}' WHERE ai_status = 'ready'",
        ),
        (
            "I6.graded_with_job",
            "UPDATE jobs SET state = 'queued' WHERE kind = 'grade_submission'",
        ),
        (
            "I6.generation_without_job",
            "UPDATE generations SET status = 'pending'",
        ),
        (
            "I6.generation_done_with_job",
            "UPDATE jobs SET state = 'queued' WHERE kind = 'generate_syllabus'",
        ),
        (
            "I6.package_without_job",
            "UPDATE scorm_packages SET status = 'pending'",
        ),
        (
            "I6.package_done_with_job",
            "UPDATE jobs SET state = 'queued' WHERE kind = 'export_scorm'",
        ),
        (
            "I6.job_in_no_state",
            "UPDATE jobs SET state = 'lost' WHERE kind = 'export_scorm'",
        ),
        (
            "I7.ready_without_grade",
            "UPDATE submissions SET run = 2 WHERE ai_status = 'ready'",
        ),
        (
            "I10.standing_grade_out_of_bounds",
            "UPDATE submissions SET grade = '{\"score\":1000000,\"feedback\":\"\",\"by\":\"human\",\"at\":\"2026-01-01T00:00:00.000Z\",\"criteria\":[]}' WHERE ai_status IS NULL",
        ),
        ("I10.history_broken", "UPDATE grades SET answer = '{}'"),
        (
            "I8.grade_without_one_event",
            "DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM events WHERE kind = 'submission.graded'); DELETE FROM events WHERE kind = 'submission.graded'",
        ),
        (
            "I8.event_without_grade",
            "INSERT INTO events (workspace_id, id, kind, object_id, body, created_at) SELECT workspace_id, 'evt_copy', kind, object_id, body, '2020-01-01T00:00:00.000Z' FROM events WHERE kind = 'submission.graded'",
        ),
        (
            "I8.failure_without_event",
            "UPDATE submissions SET ai_status = 'error' WHERE ai_status IS NULL",
        ),
        (
            "I8.generation_without_event",
            "DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM events WHERE kind = 'generation.ready'); DELETE FROM events WHERE kind = 'generation.ready'",
        ),
        (
            "I8.package_without_event",
            "DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM events WHERE kind = 'scorm.ready'); DELETE FROM events WHERE kind = 'scorm.ready'",
        ),
        (
            "I8.media_without_event",
            "DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM events WHERE kind = 'media_file.ready'); DELETE FROM events WHERE kind = 'media_file.ready'",
        ),
        (
            "I6.media_without_job",
            "UPDATE media_files SET status = 'pending'",
        ),
        (
            "I9.event_without_delivery",
            "DELETE FROM webhook_deliveries; UPDATE events SET created_at = '2090-01-01T00:00:00.000Z' WHERE kind = 'course.published'",
        ),
        (
            "I9.delivered_in_two_rows",
            "DROP INDEX webhook_deliveries_once; INSERT INTO webhook_deliveries (workspace_id, id, event_id, endpoint_id, status, attempts, next_attempt_at, lease_until, last_status, last_error, created_at, updated_at, version) SELECT workspace_id, 'whd_copy', event_id, endpoint_id, status, attempts, next_attempt_at, lease_until, last_status, last_error, created_at, updated_at, version FROM webhook_deliveries LIMIT 1",
        ),
        (
            "I9.delivery_never_due",
            "UPDATE webhook_deliveries SET next_attempt_at = NULL",
        ),
        (
            "I3.idempotency_key_twice",
            "CREATE TABLE copied AS SELECT * FROM idempotency_replies; DROP TABLE idempotency_replies; ALTER TABLE copied RENAME TO idempotency_replies; INSERT INTO idempotency_replies (person_id, workspace_id, key, fingerprint, reply, created_at) VALUES ('p', 'w', 'k', 'f', 'r', '2026-01-01T00:00:00.000Z'), ('p', 'w', 'k', 'f', 'r', '2026-01-01T00:00:00.000Z')",
        ),
        ("I11.session_without_token", "DELETE FROM login_tokens"),
        (
            "I11.token_used_out_of_time",
            "UPDATE login_tokens SET expires_at = created_at",
        ),
        (
            "I11.session_of_nobody",
            "INSERT INTO people (id, email, created_at) VALUES ('per_x', 'x@example.org', '2020-01-01T00:00:00.000Z'); UPDATE api_keys SET person_id = 'per_x', created_at = '2020-01-01T00:00:00.000Z' WHERE kind = 'session'",
        ),
        (
            "I13.lesson_in_another_course",
            "UPDATE lessons SET course_id = (SELECT min(id) FROM courses WHERE id <> lessons.course_id) WHERE id NOT IN (SELECT lesson_id FROM activities)",
        ),
        (
            "I13.activity_in_another_course",
            "UPDATE activities SET course_id = (SELECT min(id) FROM courses WHERE id <> activities.course_id) WHERE course_id = (SELECT min(course_id) FROM cohorts)",
        ),
        (
            "I13.submission_in_another_course",
            "UPDATE submissions SET course_id = (SELECT min(id) FROM courses WHERE id <> submissions.course_id)",
        ),
        (
            "I13.course_shown_otherwise",
            "UPDATE courses SET shown_cohorts = '' WHERE id IN (SELECT course_id FROM cohorts)",
        ),
        (
            "I13.job_in_another_workspace",
            "INSERT INTO workspaces (id, platform_number, platform_uuid, name, status, metadata, created_at, updated_at, version) SELECT 'wsp_other', 99, 'other', name, status, metadata, created_at, updated_at, version FROM workspaces; UPDATE jobs SET workspace_id = 'wsp_other' WHERE kind = 'grade_submission'",
        ),
        (
            "I14.trash_not_whole",
            "DELETE FROM trash_rows WHERE part = 'lessons'",
        ),
        (
            "I14.trash_without_its_thing",
            "UPDATE trash SET object_id = 'crs_gone'",
        ),
        (
            "I14.trash_row_unreadable",
            "UPDATE trash_rows SET body = '{}' WHERE part = 'lessons'",
        ),
        (
            "I14.deleted_and_there",
            "INSERT INTO courses (workspace_id, id, name, language, description, hours, minutes_generated, status, ai_instructions, ai_evaluator, tutor, metadata, created_at, updated_at, version) SELECT workspace_id, (SELECT object_id FROM trash), name, language, description, hours, minutes_generated, status, ai_instructions, ai_evaluator, tutor, metadata, created_at, updated_at, version FROM courses LIMIT 1",
        ),
        (
            "I1.file_missing",
            "UPDATE scorm_packages SET origin_id = 'scp_0' || substr(origin_id, 6, 1) || '0' || substr(origin_id, 8)",
        ),
    ];
    let mut cases: Vec<_> = fixed.map(|(id, sql)| (id, sql.to_owned())).into();
    cases.extend([
        ("I15.certificate_head", certificate("grading", 1, "null")),
        ("I15.certificate_state", certificate("testing", 0, "null")),
        ("I15.certificate_counts", certificate("ended", 0, "{\"size\":3}")),
        ("I15.drawn_without_test", certificate_answer("0", "NULL")),
        ("I15.released_without_grade", certificate_answer("NULL", "'goes_out'")),
        ("I7.run_graded_twice", format!("DROP INDEX grades_run; {}", beside(&[("run", "run")]))),
        ("I7.run_not_asked_for", beside(&[("run", "9")])),
        ("I7.grade_of_another_assignment", beside(&[("assignment_id", "'asg_gone'")])),
        ("I10.grade_out_of_bounds", beside(&[("score", "max_score + 1")])),
        ("I10.criterion_out_of_bounds", beside(&[("criteria", "'[{\"criterion_id\":\"c1\",\"name\":\"x\",\"score\":900,\"max_score\":1,\"rationale\":\"\",\"evidence\":[]}]'")])),
        ("I10.sum_differs", beside(&[("rubric", "rubric"), ("score", "CASE score WHEN 0 THEN 1 ELSE 0 END")])),
        ("I10.unreadable", beside(&[("grader", "'{}'")])),
    ]);
    cases
}

/// What breaks those rules that the two databases have of their own, or spell differently.
fn here(database: Database) -> Vec<(&'static str, String)> {
    let cases = match database {
        Database::Sqlite => vec![
            (
                "I1.file_damaged",
                "UPDATE scorm_packages SET file = json_set(file, '$.sha256', '00') WHERE file IS NOT NULL",
            ),
            (
                "I6.explanation_without_job",
                "UPDATE submissions SET ai = json_set(ai, '$.explanation_awaited', 'x') WHERE ai_status = 'ready'",
            ),
            (
                "I13.dangling_reference",
                "UPDATE enrollments SET user_id = 'usr_gone'",
            ),
            (
                "I13.damaged",
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'domain TEXT', 'domain TEXT NOT NULL') WHERE name = 'workspaces'",
            ),
        ],
        Database::Postgres => vec![
            (
                "I1.file_damaged",
                "UPDATE scorm_packages SET file = jsonb_set(file, '{sha256}', '\"00\"') WHERE file IS NOT NULL",
            ),
            (
                "I6.explanation_without_job",
                "UPDATE submissions SET ai = ai || '{\"explanation_awaited\": \"x\"}' WHERE ai_status = 'ready'",
            ),
            (
                "I13.dangling_reference",
                "SET session_replication_role = replica; UPDATE enrollments SET user_id = 'usr_gone'",
            ),
            (
                "I13.unchecked_reference",
                "ALTER TABLE enrollments DISABLE TRIGGER ALL",
            ),
        ],
    };
    cases
        .into_iter()
        .map(|(id, sql)| (id, sql.to_owned()))
        .collect()
}

/// Every rule that the command knows on this database.
fn rules(service: &Service, url: &str) -> Vec<String> {
    let output = service
        .process
        .run(&["fsck", "--json", "--database-url", url]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = told["checks"].as_array().unwrap().iter();
    checks
        .map(|check| check["id"].as_str().unwrap().to_owned())
        .collect()
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_whole_school_passes_and_every_rule_that_is_broken_is_found_and_no_other(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (service, url) = school(database).await;
    assert_eq!(found(&service, &url), (Some(0), Vec::new()));
    let folder = service.process.data_dir();
    let mut cases = everywhere();
    cases.extend(here(database));
    let mut wrong = Vec::new();
    for (rule, statements) in &cases {
        let copied = copy(&url, folder, rule);
        tamper(&copied, statements);
        let (code, ids) = found(&service, &copied);
        let only = matches!(ids.as_slice(), [one] if one.split(' ').next() == Some(rule));
        if code != Some(1) || !only {
            wrong.push(format!("{rule}: exit {code:?}, {ids:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let untried = rules(&service, &url)
        .into_iter()
        .filter(|rule| !cases.iter().any(|(tried, _)| tried == rule));
    assert_eq!(untried.collect::<Vec<_>>(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_runs_beside_the_service_and_fails_differently_where_it_cannot_look() {
    let service = Service::on(Database::Sqlite);
    graded(&service.client()).await;
    let beside = service.process.run(&["fsck"]);
    let printed = String::from_utf8(beside.stdout).unwrap();
    assert_eq!(beside.status.code(), Some(0), "{printed}");
    assert!(printed.contains("0 of them found something"), "{printed}");
    let nowhere = service.process.data_dir().join("nowhere");
    let missing = service
        .process
        .run(&["fsck", "--data-dir", nowhere.to_str().unwrap()]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(!nowhere.exists(), "a check makes nothing");
    let file = service.process.data_dir().join("lyceum.db");
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')";
    tamper(&format!("sqlite://{}", file.display()), newer);
    let newer = service.process.run(&["fsck"]);
    assert_eq!(newer.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&newer.stderr).contains("29990101000000"));
}
