//! Connections to PostgreSQL: how they are made, how long they wait, and when they are thrown away.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::{Connection, SimpleConnection};
use diesel::{ConnectionError, PgConnection};

use crate::database::connection::AnyConnection;
use crate::running::metrics::StoreMetrics;

/// How libpq waits unless the address says otherwise: a host that does not answer is given up after 5 s, one that
/// has vanished after about 25 s of silence.
const PATIENCE: &[(&str, &str)] = &[
    ("connect_timeout", "5"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "20000"),
];

/// How the server waits, in milliseconds: no longer than a request may take (30 s), so that what nobody waits for any
/// more does not hold locks either; a node that stands still inside a transaction is cut off.
pub const SERVER_PATIENCE: &str = "SET statement_timeout = 25000; SET lock_timeout = 15000; \
                               SET idle_in_transaction_session_timeout = 30000";

/// Statements outside a transaction only read, and transactions that write say so.
pub const READS: &str = "SET default_transaction_read_only = on";

/// For how long a connection counts as good after it was. One that has waited for longer is asked: whatever is between
/// us and the server may have forgotten it.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// Notices would go to the operator's terminal, one per statement.
pub const QUIET: &str = "SET client_min_messages = warning";

/// A COMMIT is answered when it is on disk, also where the server's own setting does not wait; one that waits for
/// standbys as well stays.
const ON_DISK: &str = "SELECT set_config('synchronous_commit', 'on', false) \
                       WHERE current_setting('synchronous_commit') = 'off'";

/// Opens a connection of its own; statements on it may take their time, as migrations do.
pub fn connect(url: &str) -> Result<PgConnection, ConnectionError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "the store's own pools are where this belongs"
    )]
    let mut connection = PgConnection::establish(&with_patience(url))?;
    for setting in [QUIET, ON_DISK] {
        connection
            .batch_execute(setting)
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
    }
    Ok(connection)
}

/// The address with libpq's settings that it does not name itself.
fn with_patience(url: &str) -> String {
    let (_, query) = url.split_once('?').unwrap_or((url, ""));
    let is_named = |name: &str| {
        query
            .split('&')
            .any(|pair| pair.split('=').next() == Some(name))
    };
    let missing: Vec<String> = PATIENCE
        .iter()
        .filter(|(name, _)| !is_named(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if missing.is_empty() {
        return url.to_owned();
    }
    let join = match (url.contains('?'), query.is_empty()) {
        (false, _) => "?",
        (true, true) => "",
        (true, false) => "&",
    };
    format!("{url}{join}{}", missing.join("&"))
}

/// A connection of the pool.
pub struct Pooled {
    pub connection: AnyConnection,
    /// Set when it must not go to anybody else.
    pub is_broken: bool,
    /// When it was last known to be good.
    good_at: Instant,
    /// How many connections had been lost by then.
    losses: u64,
    /// Where it is noted how long its commits took.
    pub metrics: Option<StoreMetrics>,
}

/// Makes the pool's connections, and knows which of them to trust: all that were used a moment ago, as long as none is
/// lost, for the server that one is lost to may be lost to all.
pub struct Connections {
    url: String,
    losses: AtomicU64,
    metrics: Option<StoreMetrics>,
}

impl Connections {
    /// To the database of this address.
    pub fn to(url: &str, metrics: Option<StoreMetrics>) -> Self {
        Self {
            url: url.to_owned(),
            losses: AtomicU64::new(0),
            metrics,
        }
    }
}

impl r2d2::ManageConnection for Connections {
    type Connection = Pooled;
    type Error = diesel::r2d2::Error;

    fn connect(&self) -> Result<Pooled, Self::Error> {
        let losses = self.losses.load(Ordering::Relaxed);
        let mut connection = connect(&self.url).map_err(diesel::r2d2::Error::ConnectionError)?;
        for setting in [SERVER_PATIENCE, READS] {
            connection
                .batch_execute(setting)
                .map_err(diesel::r2d2::Error::QueryError)?;
        }
        Ok(Pooled {
            connection: AnyConnection::Postgres(connection.into()),
            is_broken: false,
            good_at: Instant::now(),
            losses,
            metrics: self.metrics.clone(),
        })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Self::Error> {
        let losses = self.losses.load(Ordering::Relaxed);
        if losses == pooled.losses && pooled.good_at.elapsed() < TRUSTED_FOR {
            return Ok(());
        }
        pooled
            .connection
            .batch_execute("SELECT 1")
            .map_err(diesel::r2d2::Error::QueryError)?;
        pooled.losses = losses;
        pooled.good_at = Instant::now();
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        if pooled.is_broken || std::thread::panicking() {
            self.losses.fetch_add(1, Ordering::Relaxed);
            return true;
        }
        pooled.good_at = Instant::now();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_the_patience_it_does_not_name() {
        let plain = with_patience("postgres://h/db");
        assert!(
            plain.starts_with("postgres://h/db?connect_timeout=5&keepalives_idle=10"),
            "{plain}"
        );
        let named = with_patience("postgres://h/db?connect_timeout=60&sslmode=prefer");
        assert!(
            named.starts_with("postgres://h/db?connect_timeout=60&sslmode=prefer&keep"),
            "{named}"
        );
        assert_eq!(named.matches("connect_timeout").count(), 1, "{named}");
    }
}
