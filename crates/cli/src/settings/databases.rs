//! Which database, which replica of it, and how many connections to them.

use std::num::NonZeroU32;

use anyhow::Context;
use clap::Args;
use lyceum_service::{Storage, usual_connections};
use lyceum_store::{DatabaseUrl, ReplicaUrl};

/// Settings of the database.
///
/// They hold passwords, so nothing shows them: there is no `Debug`.
#[derive(Clone, Args)]
pub struct DatabaseSettings {
    /// `sqlite://FILE` or `postgres://…`; SQLite in the data folder when absent.
    #[arg(
        long,
        env = "LYCEUM_DATABASE_URL",
        hide_env_values = true,
        global = true
    )]
    pub database_url: Option<String>,

    /// `postgres://…` of a standby of that database, which answers what callers read; none when absent.
    #[arg(
        long,
        env = "LYCEUM_DATABASE_REPLICA_URL",
        hide_env_values = true,
        global = true
    )]
    pub database_replica_url: Option<String>,

    /// Connections to PostgreSQL at most; with SQLite, readers that are kept open. Four per processor of this machine when absent.
    #[arg(long, env = "LYCEUM_DATABASE_CONNECTIONS", global = true)]
    pub database_connections: Option<NonZeroU32>,
}

impl DatabaseSettings {
    /// Most connections.
    pub fn connections(&self) -> NonZeroU32 {
        self.database_connections.unwrap_or_else(usual_connections)
    }

    /// The database, beside what else is kept there.
    ///
    /// # Errors
    /// If an address is none, or there cannot be such a replica.
    pub fn beside(&self, folders: Storage) -> anyhow::Result<Storage> {
        let parsed = self.database_url.as_deref().map(DatabaseUrl::parse);
        let storage = Storage {
            database: parsed.transpose().context("LYCEUM_DATABASE_URL")?,
            ..folders
        };
        let parse = |text| ReplicaUrl::parse(text, &storage.database());
        let parsed = self.database_replica_url.as_deref().map(parse);
        Ok(Storage {
            replica: parsed.transpose().context("LYCEUM_DATABASE_REPLICA_URL")?,
            ..storage
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;

    #[test]
    fn a_replica_is_refused_where_there_can_be_none() {
        let (standby, primary) = ("postgres://standby/l", "postgres://primary/l");
        let storage = |flags: &[&str]| {
            let settings = Settings::from_flags(flags.to_vec()).unwrap();
            settings.storage()
        };
        let replica = ["--database-replica-url", standby];
        let refused = storage(&replica).err().unwrap();
        let said = format!("{refused:#}");
        assert!(
            said.starts_with("LYCEUM_DATABASE_REPLICA_URL: only a database"),
            "{said}"
        );
        let storage = storage(&[&["--database-url", primary], &replica[..]].concat());
        assert!(storage.unwrap().replica.is_some());
    }
}
