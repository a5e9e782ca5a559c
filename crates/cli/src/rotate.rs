//! `lyceum rotate-master-key`: another master key, under which everything that is sealed is sealed anew.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, ensure};
use lyceum_store::running::rotation;
use lyceum_store::{DataFolderLock, DatabaseUrl, MasterKey};
use serde_json::json;

use crate::settings::Settings;
use lyceum_service::assemble::service_secret;
use lyceum_service::master_key;
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::{LongWork, Progress};
use lyceum_terminal::say;

/// What is done.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct RotateArguments {
    /// Make no new key: go on where an earlier rotation was cut off.
    #[arg(long)]
    reseal: bool,

    /// Every node is stopped; said where the database is PostgreSQL, which cannot tell.
    #[arg(long)]
    nodes_stopped: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Exchanges the key.
///
/// # Errors
/// If a service is running, or there is no key, or something is sealed that no key of the file opens.
pub async fn run(settings: &Settings, arguments: RotateArguments) -> anyhow::Result<()> {
    let storage = settings.storage()?;
    let url = storage.database();
    // A service that runs would not open what is sealed with a key that it has not read.
    let lock = stopped(&url, arguments.nodes_stopped)?;
    let file = storage.master_key_file();
    let keys = master_key::load(&file)?;
    let mut keys = keys.with_context(|| format!("there is no master key {}", file.display()))?;
    let interruption = Interruption::listen()?;
    for purpose in ["download", "draw", "launch"] {
        service_secret(&url, &keys, purpose)?;
    }
    interruption.check()?;
    if !arguments.reseal {
        keys = master_key::exchange(&file, keys)?;
    }
    let count = resealed(url, &keys.master_key(), &interruption).await?;
    drop(lock);
    tell(&file, count, arguments.json);
    Ok(())
}

/// How many secrets were sealed anew.
async fn resealed(
    url: DatabaseUrl,
    key: &MasterKey,
    interruption: &Interruption,
) -> anyhow::Result<u64> {
    let (key, inner) = (key.clone(), interruption.clone());
    let done = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&done);
    let sealing = interruption.unless(move || {
        let advice = "not everything is sealed anew; mend it and go on with --reseal";
        let all = rotation::to_reseal(&url, &key).context(advice)?;
        let work = LongWork::new(Progress::of(all, "sealing anew"), inner);
        let mut is_stopped = Ok(());
        let mut told = |more| {
            counted.fetch_add(more, Ordering::Relaxed);
            is_stopped = work.advance(more);
            if is_stopped.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let count = rotation::reseal(&url, &key, &mut told).context(advice)?;
        is_stopped?;
        Ok(count)
    });
    sealing.await.map_err(|error| {
        telling(error, || {
            let done = done.load(Ordering::Relaxed);
            format!(
                "the new key is in its place, and {done} secrets are sealed with it; the others still open with the \
                 key below it. Go on with `lyceum rotate-master-key --reseal`"
            )
        })
    })
}

fn tell(file: &Path, count: u64, as_json: bool) {
    if as_json {
        say!("{}", json!({"sealed": count, "master_key_file": file}));
        return;
    }
    say!(
        "{count} secrets are sealed with the new key, the first line of {}.",
        file.display()
    );
    say!("The lines below it open backups of before; take them out when there are none left.");
}

fn stopped(url: &DatabaseUrl, is_said: bool) -> anyhow::Result<Option<DataFolderLock>> {
    match url {
        DatabaseUrl::Sqlite(file) => {
            ensure!(file.exists(), "there is no database {}", file.display());
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            Ok(Some(DataFolderLock::take(
                folder.unwrap_or_else(|| Path::new(".")),
            )?))
        }
        DatabaseUrl::Postgres(_) => {
            ensure!(is_said, "stop every node, and say so with --nodes-stopped");
            Ok(None)
        }
    }
}
