//! Two services with a database each, the script that moves a workspace between them, and what lies where.

use std::process::{Command, Output, Stdio};

use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use futures_util::StreamExt;
use lyceum_api::routes;
use lyceum_ports::blobs::{BlobError, BlobKey};
use lyceum_store::{DatabaseUrl, FsckScope, fsck};
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::postgres;
use support::stores::Database;
use support::tampering::tamper;

use crate::isolation::{names_a_thing, told};
use crate::school::{STUDENT, app_on, made};
use crate::world::{Ids, world};

pub const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../packaging/postgres/move-workspace.sh"
);

/// Two services, each with a database of its own. On the first is a school with something of every kind; on the second is one of
/// its students already, under another id.
pub struct Clusters {
    pub from: TestApp,
    pub to: TestApp,
    pub owner: Caller,
    pub ids: Ids,
}

impl Clusters {
    pub async fn start() -> Self {
        let (from, to) = (
            app_on(Database::Postgres).await,
            app_on(Database::Postgres).await,
        );
        let owner = from.another_workspace("school").await;
        let ids = world(&from, &owner).await;
        made(&to, &to.owner, "users", json!({"email": STUDENT})).await;
        // As `docs/sharding.md` has each cluster count from another million.
        tamper(
            to.database_url(),
            "UPDATE counters SET value = 1000000 WHERE name = 'platform_number'",
        );
        Self {
            from,
            to,
            owner,
            ids,
        }
    }

    pub fn moving(&self) -> Command {
        self.between(&self.from, &self.to)
    }

    fn between(&self, from: &TestApp, to: &TestApp) -> Command {
        let mut script = script();
        script.args([from.database_url(), to.database_url()]);
        script.arg(self.ids.of("platforms"));
        script
    }

    /// Moves the school; what was printed.
    pub fn move_school(&self) -> String {
        done(self.moving())
    }

    /// Moves it back.
    pub fn move_back(&self) {
        done(self.between(&self.to, &self.from));
    }

    /// Tries to, and is refused; why.
    pub fn refused(&self) -> String {
        let before = [&self.from, &self.to].map(|app| rows(app.database_url()));
        let output = self.moving().output().unwrap();
        assert!(!output.status.success());
        let after = [&self.from, &self.to].map(|app| rows(app.database_url()));
        assert_eq!(before, after);
        errors(&output)
    }
}

/// The script, to be given its arguments.
pub fn script() -> Command {
    let mut script = postgres::bare("sh");
    let programs = postgres::programs();
    let path = std::env::var("PATH").unwrap();
    script.env("PATH", format!("{}:{path}", programs.display()));
    script.arg(SCRIPT).stdin(Stdio::null());
    script
}

fn done(mut script: Command) -> String {
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[derive(QueryableByName)]
struct Text {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

#[allow(
    clippy::disallowed_methods,
    reason = "a connection beside the store's, to see what is there"
)]
pub fn connection(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap()
}

pub fn texts(url: &str, query: &str) -> Vec<String> {
    let found: Vec<Text> = diesel::sql_query(query).load(&mut connection(url)).unwrap();
    found.into_iter().map(|found| found.text).collect()
}

/// What a condition selects from each table that has any of it, and how much that is.
pub fn counted(url: &str, with_column: &str, condition: &str) -> Vec<String> {
    let tables = format!(
        "SELECT table_name::text AS text FROM information_schema.tables WHERE table_schema = 'public' \
         AND table_type = 'BASE TABLE' AND (table_name, '{with_column}') IN \
         (SELECT table_name, CASE '{with_column}' WHEN '' THEN '' ELSE column_name END FROM information_schema.columns) \
         ORDER BY 1"
    );
    let mut counted = Vec::new();
    for table in texts(url, &tables) {
        let count = format!("SELECT count(*)::text AS text FROM {table} AS row WHERE {condition}");
        let count = texts(url, &count).remove(0);
        if count != "0" {
            counted.push(format!("{table} {count}"));
        }
    }
    counted
}

pub fn rows(url: &str) -> Vec<String> {
    counted(url, "", "true")
}

/// How many rows of a workspace each table has.
pub fn rows_of(url: &str, workspace: &str) -> Vec<String> {
    counted(
        url,
        "workspace_id",
        &format!("workspace_id = '{workspace}'"),
    )
}

pub fn workspace_of(app: &TestApp, code: &str) -> String {
    let query = format!("SELECT id AS text FROM workspaces WHERE platform_code = '{code}'");
    texts(app.database_url(), &query).remove(0)
}

/// The promises that what is stored breaks.
pub fn broken(app: &TestApp) -> Vec<String> {
    let url = DatabaseUrl::parse(app.database_url()).unwrap();
    let scope = FsckScope {
        now: app.app.clock.now(),
        is_running: false,
    };
    let found = fsck(&url, scope, &mut |_, _| (), &mut |_| Ok(Vec::new())).unwrap();
    let checks = found.checks.into_iter();
    let broken = checks.filter(|check| check.violations > 0);
    broken
        .map(|check| format!("{} {:?}", check.id, check.examples))
        .collect()
}

/// What the school's owner reads: every thing and every list of things.
pub async fn everything(app: &TestApp, clusters: &Clusters) -> Vec<(&'static str, u16, Value)> {
    let of_account = [
        "me",
        "platforms",
        "workspaces",
        "invitations",
        "api_keys",
        "passkeys",
        "openapi.json",
    ];
    let mut read = Vec::new();
    for route in routes::all() {
        let collection = route.path.split('/').nth(2).unwrap_or_default();
        let is_list = route.path.starts_with("/v1/") && !route.path.contains('{');
        let is_ours = !of_account.contains(&collection) && (is_list || names_a_thing(&route));
        if route.method == "GET" && is_ours {
            let path = clusters.ids.path(route.path);
            let answer = app.call(&clusters.owner, "GET", &path, None).await;
            let (status, body) = told(answer);
            read.push((route.path, status, body));
        }
    }
    read
}

/// Copies what was printed from one file storage to the other; how many files were there.
pub async fn copy_files(clusters: &Clusters, keys: &str) -> usize {
    let mut copied = 0;
    for key in keys.lines() {
        let key = BlobKey::parse(key).unwrap();
        let mut stream = match clusters.from.app.blobs.read(&key, None).await {
            Err(BlobError::NotFound) => continue,
            read => read.unwrap(),
        };
        let mut bytes = Vec::new();
        while let Some(part) = stream.next().await {
            bytes.extend(part.unwrap());
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        clusters
            .to
            .app
            .blobs
            .put_file(&key, file.path())
            .await
            .unwrap();
        copied += 1;
    }
    copied
}
