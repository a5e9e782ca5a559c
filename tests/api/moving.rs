//! A workspace that moves to another database (`packaging/postgres/move-workspace.sh`) is there as it was here, and here no
//! more; where it cannot move, nothing has changed.

mod clusters;

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use lyceum_application::work;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::blobs::BlobKey;
use rstest::rstest;
use serde_json::json;
use support::app::{Caller, TestApp, request};
use support::tampering::tamper;

use crate::school::{STUDENT, made};
use clusters::{
    Clusters, SCRIPT, broken, connection, copy_files, counted, errors, everything, rows_of, script,
    texts, workspace_of,
};

const PATIENCE: Duration = Duration::from_mins(1);

#[actix_web::test]
async fn a_workspace_is_there_as_it_was_here_and_here_no_more() {
    let clusters = Clusters::start().await;
    let (from, to) = (&clusters.from, &clusters.to);
    let workspace = workspace_of(from, "school");
    let before = everything(from, &clusters).await;
    assert!(before.len() > 40, "{}", before.len());
    let lie = rows_of(from.database_url(), &workspace);
    assert!(lie.len() > 25, "{lie:?}");

    let files = clusters.move_school();

    assert!(copy_files(&clusters, &files).await > 0, "{files}");
    assert_eq!(rows_of(to.database_url(), &workspace), lie);
    for (had, has) in before.iter().zip(everything(to, &clusters).await) {
        assert_eq!(*had, has);
    }
    assert_eq!(broken(to), Vec::<String>::new());
    assert_eq!(
        rows_of(from.database_url(), &workspace),
        Vec::<String>::new()
    );
    assert_eq!(broken(from), Vec::<String>::new());
    let gone = from.call(&clusters.owner, "GET", "/v1/courses", None).await;
    assert_eq!(gone.code(), "platform_access_denied", "{}", gone.body);
}

#[actix_web::test]
async fn who_was_refused_meanwhile_is_let_in_once_it_has_come_back() {
    let clusters = Clusters::start().await;
    let asked = async |app: &TestApp| {
        let answer = app.call(&clusters.owner, "GET", "/v1/courses", None);
        answer.await.status
    };
    assert_eq!(asked(&clusters.from).await, 200);
    clusters.move_school();
    assert_eq!(asked(&clusters.from).await, 403);
    assert_eq!(asked(&clusters.to).await, 200);

    clusters.move_back();

    assert_eq!(asked(&clusters.from).await, 200);
    // Nobody but the key's owner is left there, and the key opened nothing else.
    assert_eq!(asked(&clusters.to).await, 401);
}

#[actix_web::test]
async fn a_person_who_is_known_there_stays_one_person() {
    let clusters = Clusters::start().await;
    let id = format!("SELECT id AS text FROM people WHERE email = '{STUDENT}'");
    let [here, there] =
        [&clusters.from, &clusters.to].map(|app| texts(app.database_url(), &id).remove(0));
    assert_ne!(here, there);
    let removed = format!("/v1/users/{}?force=true", clusters.ids.of("users"));
    let removed = clusters
        .from
        .call(&clusters.owner, "DELETE", &removed, None)
        .await;
    assert_eq!(removed.status, 200, "{}", removed.body);

    clusters.move_school();

    let url = clusters.to.database_url();
    let names_them = format!("row_to_json(row)::text LIKE '%{here}%'");
    assert_eq!(counted(url, "", &names_them), Vec::<String>::new());
    let in_trash = texts(
        url,
        &format!(
            "SELECT body->>'person_id' AS text FROM trash_rows WHERE body->>'person_id' = '{there}'"
        ),
    );
    assert_eq!(in_trash.len(), 1);
    let item = clusters
        .to
        .call(
            &clusters.owner,
            "GET",
            &format!("/v1/trash?object_id={}", clusters.ids.of("users")),
            None,
        )
        .await;
    let restore = format!(
        "/v1/trash/{}/restore",
        item.body["data"][0]["id"].as_str().unwrap()
    );
    let restored = clusters
        .to
        .call(&clusters.owner, "POST", &restore, Some(json!({})))
        .await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    assert_eq!(broken(&clusters.to), Vec::<String>::new());
}

#[actix_web::test]
async fn what_was_answered_is_answered_again_after_the_move() {
    let clusters = Clusters::start().await;
    let asked = || {
        request(&clusters.owner, "POST", "/v1/courses")
            .insert_header(("Idempotency-Key", "once"))
            .set_json(json!({"name": "Once", "language": "en"}))
    };
    let first = clusters.from.send(asked()).await;
    clusters.move_school();
    let again = clusters.to.send(asked()).await;
    assert_eq!((again.status, again.id()), (201, first.id()));
}

#[actix_web::test]
async fn what_was_to_be_done_is_done_there() {
    let clusters = Clusters::start().await;
    let ping = format!(
        "/v1/webhook_endpoints/{}/test",
        clusters.ids.of("webhook_endpoints")
    );
    let ping = clusters
        .from
        .call(&clusters.owner, "POST", &ping, Some(json!({})))
        .await;
    let course = made(
        &clusters.from,
        &clusters.owner,
        "courses",
        json!({"name": "Later", "language": "en"}),
    )
    .await;
    let syllabus = format!("/v1/courses/{course}/syllabus");
    let wanted = json!({"brief": "Later", "hours": 1});
    let generation = clusters
        .from
        .call(&clusters.owner, "POST", &syllabus, Some(wanted))
        .await;
    assert_eq!(
        (ping.status, generation.status),
        (202, 202),
        "{}{}",
        ping.body,
        generation.body
    );

    clusters.move_school();

    assert_eq!(
        clusters.from.deliver().await + clusters.from.work().await,
        0
    );
    assert!(clusters.to.work().await > 0);
    assert!(clusters.to.deliver().await > 0);
    let path = format!("/v1/generations/{}", generation.id());
    let done = clusters.to.call(&clusters.owner, "GET", &path, None).await;
    assert_eq!(done.body["status"], "ready", "{}", done.body);
}

#[actix_web::test]
async fn every_file_that_deleting_would_remove_is_named() {
    let clusters = Clusters::start().await;
    let find = |tx: &mut dyn lyceum_ports::store::Tx| {
        let code = PlatformCode::parse("school").unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        tx.unwanted_files().of_workspace(workspace)
    };
    let files = clusters.from.app.store.read(find).await.unwrap();
    let packages = files.packages.iter();
    let mut wanted: Vec<String> = packages.map(|id| format!("scorm/{id}.zip")).collect();
    let recordings = files.recordings.iter();
    wanted.extend(recordings.map(|name| format!("audio/{name}.wav")));
    for id in &files.media {
        let places = BlobKey::all_of_media(id.parse().unwrap()).into_iter();
        wanted.extend(places.map(|key| key.to_string()));
    }
    wanted.extend(files.keys);
    wanted.sort();
    wanted.dedup();
    assert!(!wanted.is_empty());
    let mut moving = script();
    moving.args([
        "--files",
        clusters.from.database_url(),
        clusters.ids.of("platforms"),
    ]);
    let named = String::from_utf8(moving.output().unwrap().stdout).unwrap();
    assert_eq!(named.lines().collect::<Vec<_>>(), wanted);
}

#[actix_web::test]
async fn a_key_that_was_revoked_in_one_place_does_not_come_back() {
    let clusters = Clusters::start().await;
    clusters.move_school();
    // The owner is in a workspace that stayed, too: their key opens both.
    let key = clusters.ids.of("api_keys");
    let query =
        format!("SELECT (revoked_at IS NULL)::text AS text FROM api_keys WHERE id = '{key}'");
    let is_live = |app: &TestApp| texts(app.database_url(), &query);
    assert_eq!(
        [is_live(&clusters.from), is_live(&clusters.to)],
        [["true"], ["true"]]
    );
    let path = format!("/v1/api_keys/{key}/revoke");
    let revoked = clusters
        .from
        .call_at_account(&clusters.owner.key, "POST", &path)
        .await;
    assert_eq!(revoked.status, 200, "{}", revoked.body);

    clusters.move_back();

    assert_eq!(is_live(&clusters.from), ["false"]);
    assert_eq!(is_live(&clusters.to), Vec::<String>::new());
}

#[actix_web::test]
async fn where_it_cannot_move_nothing_has_changed() {
    let clusters = Clusters::start().await;
    let there = clusters.to.database_url();
    tamper(
        there,
        "INSERT INTO service_secrets VALUES ('launch', 'another')",
    );
    assert!(clusters.refused().contains("different keys"));
    tamper(there, "DELETE FROM service_secrets");

    tamper(
        there,
        "UPDATE counters SET value = 1 WHERE name = 'platform_number'",
    );
    assert!(clusters.refused().contains("needs a range of its own"));
    tamper(
        there,
        "UPDATE counters SET value = 1000000 WHERE name = 'platform_number'",
    );

    tamper(
        there,
        "INSERT INTO __diesel_schema_migrations VALUES ('99991231')",
    );
    assert!(clusters.refused().contains("not of one version"));
    tamper(
        there,
        "DELETE FROM __diesel_schema_migrations WHERE version = '99991231'",
    );

    // The last of what is put there fails.
    tamper(
        there,
        "ALTER TABLE webhook_deliveries ADD CHECK (attempts < 0)",
    );
    assert!(clusters.refused().contains("webhook_deliveries"));
    tamper(
        there,
        "ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_attempts_check",
    );
    clusters.move_school();
}

#[actix_web::test]
async fn a_move_that_was_cut_off_between_both_commits_is_taken_back_and_done_again() {
    let clusters = Clusters::start().await;
    let (here, there) = (clusters.from.database_url(), clusters.to.database_url());
    let uuid = clusters.ids.of("platforms");
    let workspace = workspace_of(&clusters.from, "school");
    let lie = rows_of(here, &workspace);
    let stays = "CREATE RULE stays AS ON DELETE TO idempotency_replies DO INSTEAD SELECT 1 / 0";
    tamper(here, stays);
    assert!(!clusters.moving().output().unwrap().status.success());
    assert_eq!(rows_of(here, &workspace), lie);
    assert_eq!(rows_of(there, &workspace), lie);
    tamper(here, "DROP RULE stays ON idempotency_replies");
    assert!(clusters.refused().contains("is here already"));

    let back = |from, to| script().args(["--back", from, to, uuid]).output();
    assert!(back(here, there).unwrap().status.success());
    assert_eq!(rows_of(there, &workspace), Vec::<String>::new());
    assert_eq!(rows_of(here, &workspace), lie);
    clusters.move_school();
    // It is in one place now, and there is nothing to be taken back.
    assert!(!back(here, there).unwrap().status.success());
    assert_eq!(rows_of(there, &workspace), lie);
}

fn until(happened: impl Fn() -> bool) {
    let since = Instant::now();
    while !happened() {
        assert!(since.elapsed() < PATIENCE, "it does not happen");
        thread::sleep(Duration::from_millis(20));
    }
}

#[actix_web::test]
async fn until_its_work_has_ended_no_more_is_begun_and_that_of_others_goes_on() {
    let clusters = Clusters::start().await;
    let from = &clusters.from;
    let start = async |caller: &Caller| {
        let course = json!({"name": "Later", "language": "en"});
        let course = made(from, caller, "courses", course).await;
        let syllabus = format!("/v1/courses/{course}/syllabus");
        let wanted = Some(json!({"brief": "Later", "hours": 1}));
        let started = from.call(caller, "POST", &syllabus, wanted).await;
        format!("/v1/generations/{}", started.id())
    };
    let (theirs, others) = (start(&clusters.owner).await, start(&from.owner).await);
    let state = async |caller: &Caller, path: &str| {
        let answer = from.call(caller, "GET", path, None).await;
        answer.body["status"].as_str().unwrap().to_owned()
    };
    let url = from.database_url();
    let of_theirs = format!("WHERE workspace_id = '{}'", workspace_of(from, "school"));
    let busy = "UPDATE jobs SET state = 'running', lease_until = now() + interval '1 hour'";
    tamper(url, &format!("{busy} {of_theirs} AND state = 'done'"));
    let moving = clusters.moving().stdout(Stdio::null()).spawn().unwrap();
    let put_off =
        "kind = 'generate_syllabus' AND state = 'queued' AND run_at > now() + interval '1 year'";
    until(|| {
        texts(
            url,
            &format!("SELECT id AS text FROM jobs {of_theirs} AND {put_off}"),
        )
        .len()
            == 1
    });

    assert!(from.work().await > 0);

    assert_eq!(state(&from.owner, &others).await, "ready");
    assert_eq!(state(&clusters.owner, &theirs).await, "pending");
    tamper(
        url,
        &format!("UPDATE jobs SET state = 'done' {of_theirs} AND state = 'running'"),
    );
    assert!(moving.wait_with_output().unwrap().status.success());
    assert!(clusters.to.work().await > 0);
}

#[actix_web::test]
async fn what_does_not_move_goes_on_where_it_was() {
    let clusters = Clusters::start().await;
    let url = clusters.from.database_url();
    let due = "SELECT run_at::text || next_attempt_at::text AS text FROM jobs CROSS JOIN webhook_deliveries ORDER BY 1";
    let was = texts(url, due);
    assert!(!was.is_empty());
    let nowhere = format!("{}_nowhere", clusters.to.database_url());
    let mut moving = script();
    moving.args([url, nowhere.as_str(), clusters.ids.of("platforms")]);
    let output = moving.output().unwrap();
    assert!(!output.status.success());
    assert!(
        errors(&output).contains("goes on where it was"),
        "{}",
        errors(&output)
    );
    assert_eq!(texts(url, due), was);
}

#[actix_web::test]
async fn it_is_not_moved_while_its_work_is_going_on() {
    let clusters = Clusters::start().await;
    let busy = "UPDATE jobs SET state = 'running', lease_until = now() + interval '1 hour' WHERE workspace_id = $1";
    let workspace = workspace_of(&clusters.from, "school");
    let busy = busy.replace("$1", &format!("'{workspace}'"));
    tamper(clusters.from.database_url(), &busy);
    let output = clusters
        .moving()
        .env("MOVE_PATIENCE", "1")
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(
        errors(&output).contains("still going on"),
        "{}",
        errors(&output)
    );
    assert_eq!(
        rows_of(clusters.to.database_url(), &workspace),
        Vec::<String>::new()
    );
}

const INSERTED: &str = "INSERT INTO courses (workspace_id, id, name, language, description, hours, minutes_generated, status, \
    ai_instructions, ai_evaluator, tutor, metadata, created_at, updated_at, version) SELECT workspace_id, 'crs_late', 'Late', \
    language, description, hours, minutes_generated, status, ai_instructions, ai_evaluator, tutor, metadata, created_at, \
    updated_at, version FROM courses WHERE workspace_id = $workspace LIMIT 1";
const UPDATED: &str = "UPDATE courses SET name = 'Late' WHERE workspace_id = $workspace";

#[rstest]
#[case::a_row(INSERTED)]
#[case::a_change(UPDATED)]
#[actix_web::test]
async fn what_is_being_written_when_it_begins_is_waited_for_and_comes_along(#[case] late: &str) {
    let clusters = Clusters::start().await;
    let url = clusters.from.database_url();
    let workspace = workspace_of(&clusters.from, "school");
    let late = late.replace("$workspace", &format!("'{workspace}'"));
    let mut writer = connection(url);
    writer.batch_execute(&format!("BEGIN; {late}")).unwrap();
    let moving = clusters.moving().stdout(Stdio::null()).spawn().unwrap();
    let waiting = "SELECT 'waits' AS text FROM pg_locks JOIN pg_stat_activity USING (pid) \
                   WHERE NOT granted AND datname = current_database()";
    until(|| !texts(url, waiting).is_empty());
    writer.batch_execute("COMMIT").unwrap();
    assert!(moving.wait_with_output().unwrap().status.success());
    let late = "SELECT name AS text FROM courses WHERE name = 'Late'";
    assert_eq!(texts(clusters.to.database_url(), late), ["Late"]);
    assert_eq!(texts(url, late), Vec::<String>::new());
}

#[actix_web::test]
async fn a_job_that_was_at_work_when_it_moved_lands_there_once_its_lease_is_over() {
    let clusters = Clusters::start().await;
    let course = json!({"name": "Later", "language": "en"});
    let course = made(&clusters.from, &clusters.owner, "courses", course).await;
    let syllabus = format!("/v1/courses/{course}/syllabus");
    let wanted = Some(json!({"brief": "Later", "hours": 1}));
    let call = async |app: &TestApp, method: &str, path: &str, body| {
        app.call(&clusters.owner, method, path, body).await
    };
    let generation = call(&clusters.from, "POST", &syllabus, wanted).await.id();
    let claimed = work::claim(&clusters.from.app, JobLane::Ai, 10).await;
    let [job] = &claimed.unwrap()[..] else {
        panic!("one job is due");
    };

    clusters.move_school();

    // Whoever has it still ends it, and nothing comes of that.
    work::perform(&clusters.from.app, job).await.unwrap();
    let path = format!("/v1/generations/{generation}");
    let state = call(&clusters.to, "GET", &path, None).await.body;
    assert_eq!(state["status"], "pending", "{state}");
    assert_eq!(clusters.to.work().await, 0);
    clusters.to.clock.advance(120);
    assert!(clusters.to.work().await > 0);
    let state = call(&clusters.to, "GET", &path, None).await.body;
    assert_eq!(state["status"], "ready", "{state}");
}

#[test]
fn the_script_says_how_it_is_called() {
    let output = Command::new("sh").arg(SCRIPT).output().unwrap();
    assert_eq!(output.status.code(), Some(64));
    assert!(errors(&output).contains("FROM TO UUID"));
}
