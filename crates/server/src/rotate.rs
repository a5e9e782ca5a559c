//! `lyceum rotate-master-key`: another master key, under which everything that is sealed is sealed anew.
#![allow(
    clippy::print_stdout,
    reason = "commands print to the operator's terminal"
)]

use std::path::Path;

use anyhow::{Context, ensure};
use lyceum_store::{DataFolderLock, DatabaseUrl, rotation};

use crate::assemble::service_secret;
use crate::master_key;
use crate::settings::Settings;

/// What is done.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct RotateArguments {
    /// Make no new key: go on where an earlier rotation was cut off.
    #[arg(long)]
    reseal: bool,

    /// Every node is stopped; said where the database is PostgreSQL, which cannot tell.
    #[arg(long)]
    nodes_stopped: bool,
}

/// Exchanges the key.
///
/// # Errors
/// If a service is running, or there is no key, or something is sealed that no key of the file opens.
pub fn run(settings: &Settings, arguments: RotateArguments) -> anyhow::Result<()> {
    let url = settings.database()?;
    // A service that runs would not open what is sealed with a key that it has not read.
    let lock = stopped(&url, arguments.nodes_stopped)?;
    let file = settings.master_key_file();
    let keys = master_key::load(&file)?;
    let mut keys = keys.with_context(|| format!("there is no master key {}", file.display()))?;
    for purpose in ["download", "launch"] {
        service_secret(&url, &keys, purpose)?;
    }
    if !arguments.reseal {
        keys = master_key::exchange(&file, keys)?;
    }
    let count = rotation::reseal(&url, &keys.master_key())
        .context("not everything is sealed anew; mend it and go on with --reseal")?;
    drop(lock);
    println!(
        "{count} secrets are sealed with the new key, the first line of {}.",
        file.display()
    );
    println!("The lines below it open backups of before; take them out when there are none left.");
    Ok(())
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
