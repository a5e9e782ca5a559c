//! Database addresses.

use std::path::PathBuf;

use thiserror::Error;

/// A database address that we can open.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL connection string.
    Postgres(String),
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address may carry a password.
        match self {
            Self::Sqlite(path) => write!(f, "Sqlite({})", path.display()),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

/// A database address that we cannot open.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidDatabaseUrl {
    /// Neither of the two schemes.
    #[error("a database address starts with sqlite:// or postgres://")]
    UnknownScheme,
    /// No file named.
    #[error("the database address names no file")]
    NoFile,
    /// Beside a SQLite file there is nothing.
    #[error(
        "only a database on PostgreSQL has a replica or a pooler, and its address starts with postgres:// too"
    )]
    NothingBeside,
    /// The bundled libpq cannot do TLS.
    #[error(
        "the database address demands TLS (sslmode), which this build cannot do; build with \
         --no-default-features --features postgres-tls to use the system's libpq"
    )]
    TlsNotBuilt,
}

/// The address of what stands beside a database on PostgreSQL: a replica, or a pooler.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl(String);

impl std::fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PostgresUrl(…)")
    }
}

impl PostgresUrl {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the address of something beside this database.
    ///
    /// # Errors
    /// [`InvalidDatabaseUrl`]
    pub fn parse(text: &str, database: &DatabaseUrl) -> Result<Self, InvalidDatabaseUrl> {
        match (database, DatabaseUrl::parse(text)?) {
            (DatabaseUrl::Postgres(_), DatabaseUrl::Postgres(url)) => Ok(Self(url)),
            _ => Err(InvalidDatabaseUrl::NothingBeside),
        }
    }
}

impl DatabaseUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// [`InvalidDatabaseUrl`]
    pub fn parse(text: &str) -> Result<Self, InvalidDatabaseUrl> {
        if let Some(path) = text.strip_prefix("sqlite://") {
            return if path.is_empty() {
                Err(InvalidDatabaseUrl::NoFile)
            } else {
                Ok(Self::Sqlite(PathBuf::from(path)))
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            if cfg!(not(feature = "postgres-tls")) && demands_tls(text) {
                return Err(InvalidDatabaseUrl::TlsNotBuilt);
            }
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(InvalidDatabaseUrl::UnknownScheme)
    }
}

fn demands_tls(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query
        .split('&')
        .filter_map(|pair| pair.strip_prefix("sslmode="))
        .any(|mode| matches!(mode, "require" | "verify-ca" | "verify-full"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_decides_and_nothing_else_is_guessed() {
        let file = DatabaseUrl::parse("sqlite://./data/lyceum.db").unwrap();
        assert_eq!(file, DatabaseUrl::Sqlite(PathBuf::from("./data/lyceum.db")));
        assert!(matches!(
            DatabaseUrl::parse("postgres://h/db"),
            Ok(DatabaseUrl::Postgres(_))
        ));
        assert_eq!(
            DatabaseUrl::parse("postgre://h/db"),
            Err(InvalidDatabaseUrl::UnknownScheme)
        );
        assert_eq!(
            DatabaseUrl::parse("lyceum.db"),
            Err(InvalidDatabaseUrl::UnknownScheme)
        );
        assert_eq!(
            DatabaseUrl::parse("sqlite://"),
            Err(InvalidDatabaseUrl::NoFile)
        );
    }

    #[cfg(not(feature = "postgres-tls"))]
    #[test]
    fn an_address_that_demands_tls_is_refused_with_advice() {
        let refused = DatabaseUrl::parse("postgres://h/db?sslmode=require").unwrap_err();
        assert!(refused.to_string().contains("postgres-tls"), "{refused}");
        assert!(DatabaseUrl::parse("postgres://h/db?sslmode=prefer").is_ok());
    }

    #[test]
    fn only_postgresql_has_anything_beside_it() {
        let (here, there) = ("sqlite://a.db", "postgres://h/db");
        let parse =
            |replica, database| PostgresUrl::parse(replica, &DatabaseUrl::parse(database).unwrap());
        assert!(parse("postgres://standby/db", there).is_ok());
        for (replica, database) in [(there, here), (here, there), (here, here)] {
            let refused = parse(replica, database);
            assert_eq!(refused, Err(InvalidDatabaseUrl::NothingBeside), "{replica}");
        }
        let guessed = parse("standby", there);
        assert_eq!(guessed, Err(InvalidDatabaseUrl::UnknownScheme));
    }

    #[test]
    fn a_password_is_never_shown() {
        let database = DatabaseUrl::parse("postgres://h/db").unwrap();
        let replica = PostgresUrl::parse("postgres://u:hush@h/db", &database).unwrap();
        assert!(!format!("{replica:?}").contains("hush"));
        let url = DatabaseUrl::parse("postgres://u:hush@h/db").unwrap();
        assert!(!format!("{url:?}").contains("hush"));
    }
}
