//! `lyceum migrate`: the tables of this program, in a database that is new or older.

use lyceum_store::upkeep::diagnosis::diagnose;
use lyceum_store::upkeep::schema_version;
use serde_json::json;

use crate::settings::Settings;
use lyceum_service::Storage;
use lyceum_service::assemble::{assemble, now};
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::Progress;
use lyceum_terminal::say;

/// How it is told.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct MigrateArguments {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Brings the database up to date; says nothing but on request.
///
/// # Errors
/// If it cannot be opened or brought up to date.
pub async fn run(settings: &Settings, arguments: MigrateArguments) -> anyhow::Result<()> {
    let interruption = Interruption::listen()?;
    let own = settings.decided()?;
    let migrating = interruption.unless(move || {
        let waiting = Progress::waiting("bringing the database up to date");
        let before = version(&own.storage);
        assemble(&own)?;
        drop(waiting);
        Ok(before)
    });
    let before = migrating.await.map_err(|error| {
        telling(error, || {
            "the database takes back the step that was half done and keeps those before it; run it again".to_owned()
        })
    })?;
    if arguments.json {
        let built = schema_version::built();
        let is_changed = before.as_ref() != Some(&built);
        say!(
            "{}",
            json!({"from": before, "to": built, "changed": is_changed})
        );
    }
    Ok(())
}

/// The tables that are there; none where there is no database yet or nothing in it.
fn version(storage: &Storage) -> Option<String> {
    let found = diagnose(&storage.database(), None, now()).ok()?;
    Some(found.schema_version)
}
