//! Which database, which replica of it, and how many connections to them.

use std::num::NonZeroU32;

use anyhow::Context;
use clap::Args;
use lyceum_service::{Storage, usual_connections};
use lyceum_store::{DatabaseUrl, PostgresUrl};

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

    /// `postgres://…` of a pooler in transaction mode in front of that database, which everything goes through that needs no
    /// session of its own; none when absent.
    #[arg(
        long,
        env = "LYCEUM_DATABASE_POOLER_URL",
        hide_env_values = true,
        global = true
    )]
    pub database_pooler_url: Option<String>,

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
        let beside = |named: &Option<String>, setting: &'static str| {
            let named = named.as_deref();
            let parsed = named.map(|text| PostgresUrl::parse(text, &storage.database()));
            parsed.transpose().context(setting)
        };
        Ok(Storage {
            pooler: beside(&self.database_pooler_url, "LYCEUM_DATABASE_POOLER_URL")?,
            replica: beside(&self.database_replica_url, "LYCEUM_DATABASE_REPLICA_URL")?,
            ..storage
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;

    #[test]
    fn a_replica_and_a_pooler_are_refused_where_there_can_be_none() {
        let (standby, primary) = ("postgres://standby/l", "postgres://primary/l");
        let storage = |flags: &[&str]| {
            let settings = Settings::from_flags(flags.to_vec()).unwrap();
            settings.storage()
        };
        for (flag, setting) in [
            ("--database-replica-url", "LYCEUM_DATABASE_REPLICA_URL"),
            ("--database-pooler-url", "LYCEUM_DATABASE_POOLER_URL"),
        ] {
            let refused = storage(&[flag, standby]).err().unwrap();
            let said = format!("{refused:#}");
            let wanted = format!("{setting}: only a database on PostgreSQL");
            assert!(said.starts_with(&wanted), "{said}");
        }
        let both = [
            "--database-replica-url",
            standby,
            "--database-pooler-url",
            standby,
        ];
        let storage = storage(&[&["--database-url", primary], &both[..]].concat());
        let storage = storage.unwrap();
        assert!(storage.replica.is_some() && storage.pooler.is_some());
    }
}
