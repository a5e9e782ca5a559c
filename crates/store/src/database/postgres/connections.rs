//! Connections to PostgreSQL: how they are made, how long they wait, and when they are thrown away.
//!
//! Where an address asks for what only libpq can do (TLS, passwords from a file, services), the pool's connections are libpq's; everywhere
//! else they are ours, which do not wait for what nobody reads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::{Connection, SimpleConnection};
use diesel::{ConnectionError, PgConnection, QueryResult};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::plans::{self, Plans};
use crate::database::ahead::Ahead;
use crate::database::connection::AnyConnection;
use crate::database::link::PgLink;
use crate::database::replay::Texts;
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

/// The same of a standby: what holds locks there is the replaying of the log, and the primary answers sooner than that ends.
pub const STANDBY_PATIENCE: &str = "SET statement_timeout = 10000; SET lock_timeout = 1000; \
                                    SET idle_in_transaction_session_timeout = 30000";

/// Statements outside a transaction only read, and transactions that write say so.
pub const READS: &str = "SET default_transaction_read_only = on";

/// For how long a connection counts as good after it was. One that has waited for longer is asked: whatever is between
/// us and the server may have forgotten it.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// For how many transactions of a connection a plan is kept: planning what it uses takes about as long as one of them.
const PLANNED_ANEW: u32 = 1_024;

/// For how long a session of the server's is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sessions {
    /// For as long as a connection is there.
    Own,
    /// For a transaction: a pooler hands them out, and nothing that is said to one is known to the next. So nothing is kept prepared,
    /// and what else would be said once, each transaction says.
    Shared,
}

impl Sessions {
    /// What is said once to a session of our own that waits like this.
    fn settings(self, patience: &'static str) -> String {
        match self {
            Self::Own => [QUIET, ON_DISK, patience, READS].join("; "),
            Self::Shared => String::new(),
        }
    }

    /// What follows the BEGIN of a transaction.
    const fn opening(self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Shared => {
                "; SET LOCAL client_min_messages = warning; SET LOCAL statement_timeout = 25000; \
                 SET LOCAL lock_timeout = 15000; SET LOCAL idle_in_transaction_session_timeout = 30000"
            }
        }
    }

    /// What precedes the COMMIT of one that wrote. It is asked then, for nothing may be asked before the isolation of a transaction is
    /// decided.
    pub const fn closing(self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Shared => {
                "SELECT set_config('synchronous_commit', 'on', true) \
                 WHERE current_setting('synchronous_commit') = 'off'; "
            }
        }
    }
}

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

/// What tells libpq, beside the address, where and how to connect (<https://www.postgresql.org/docs/current/libpq-envars.html>).
const ENVIRONMENT: &[&str] = &[
    "PGCHANNELBINDING",
    "PGCLIENTENCODING",
    "PGDATABASE",
    "PGGSSENCMODE",
    "PGHOST",
    "PGHOSTADDR",
    "PGOPTIONS",
    "PGPASSFILE",
    "PGPASSWORD",
    "PGPORT",
    "PGREQUIREAUTH",
    "PGREQUIREPEER",
    "PGSERVICE",
    "PGSERVICEFILE",
    "PGSSLMODE",
    "PGTARGETSESSIONATTRS",
    "PGUSER",
];

/// What this address says to a client without TLS; nothing where a connection might have to be, or to become, one with it, and nothing
/// where libpq is told more than the address.
pub fn config_of(url: &str) -> Option<Config> {
    config_unless(url, |name| std::env::var_os(name).is_some())
}

fn config_unless(url: &str, is_set: impl Fn(&str) -> bool) -> Option<Config> {
    if ENVIRONMENT.iter().any(|name| is_set(name)) {
        tracing::info!(
            "the environment says how to connect to the database, and libpq alone reads that"
        );
        return None;
    }
    let mut config: Config = url
        .parse()
        .inspect_err(
            |error| tracing::info!(%error, "libpq alone understands this address of the database"),
        )
        .ok()?;
    // In thousandths for libpq, in whole ones for the other.
    if is_named(url, "tcp_user_timeout") {
        return None;
    }
    let is_local = |host: &Host| matches!(host, Host::Unix(_));
    let is_plain = cfg!(not(feature = "postgres-tls"))
        || config.get_ssl_mode() == SslMode::Disable
        || config.get_hosts().iter().all(is_local);
    config
        .ssl_mode(SslMode::Disable)
        .keepalives_retries(3)
        .tcp_user_timeout(Duration::from_secs(20));
    if !is_named(url, "connect_timeout") {
        config.connect_timeout(Duration::from_secs(5));
    }
    if !is_named(url, "keepalives_idle") {
        config.keepalives_idle(Duration::from_secs(10));
    }
    if !is_named(url, "keepalives_interval") {
        config.keepalives_interval(Duration::from_secs(5));
    }
    is_plain.then_some(config)
}

/// Whether the address sets this.
fn is_named(url: &str, name: &str) -> bool {
    let (_, query) = url.split_once('?').unwrap_or((url, ""));
    query
        .split('&')
        .any(|pair| pair.split('=').next() == Some(name))
}

/// The address with libpq's settings that it does not name itself.
fn with_patience(url: &str) -> String {
    let (_, query) = url.split_once('?').unwrap_or((url, ""));
    let missing: Vec<String> = PATIENCE
        .iter()
        .filter(|(name, _)| !is_named(url, name))
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

impl Pooled {
    /// What begins a transaction, of which this says the kind.
    pub fn begin(&self, kind: &str) -> String {
        format!("BEGIN {kind}{}", self.sessions.opening())
    }

    /// Nobody waits for it: it goes out with what comes first.
    fn plan_anew_if_due(&mut self) -> QueryResult<()> {
        // In others' sessions nothing is prepared.
        if self.sessions == Sessions::Shared || !self.plans.are_due() {
            return Ok(());
        }
        self.connection
            .unread(|link| link.batch_execute(plans::ANEW))
    }
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
    /// For how long its session is ours.
    pub sessions: Sessions,
    /// How old the plans of its session are.
    plans: Plans,
    /// Where it is noted how long its commits took.
    pub metrics: Option<StoreMetrics>,
}

/// Makes the pool's connections, and knows which of them to trust: all that were used a moment ago, as long as none is
/// lost, for the server that one is lost to may be lost to all.
pub struct Connections {
    url: String,
    /// What ours are made by, where they can be had.
    config: Option<Config>,
    /// What is asked on them.
    texts: Arc<Texts>,
    /// How the server waits.
    patience: &'static str,
    /// How long we wait for an answer, where not for as long as the connection is there.
    silence: Option<Duration>,
    sessions: Sessions,
    losses: AtomicU64,
    metrics: Option<StoreMetrics>,
}

impl Connections {
    /// To the database of this address, and by this where it says enough.
    pub fn to(
        url: &str,
        config: Option<Config>,
        texts: Arc<Texts>,
        metrics: Option<StoreMetrics>,
    ) -> Self {
        Self {
            url: url.to_owned(),
            config,
            texts,
            patience: SERVER_PATIENCE,
            silence: None,
            sessions: Sessions::Own,
            losses: AtomicU64::new(0),
            metrics,
        }
    }

    /// The same, where the server waits otherwise, and we wait no longer than this for an answer.
    pub const fn waiting(mut self, patience: &'static str, silence: Duration) -> Self {
        self.patience = patience;
        self.silence = Some(silence);
        self
    }

    /// The same, where sessions are ours for so long.
    pub const fn with(mut self, sessions: Sessions) -> Self {
        self.sessions = sessions;
        self
    }

    fn link(&self) -> Result<PgLink, diesel::r2d2::Error> {
        if let Some(config) = &self.config {
            let settings = self.sessions.settings(self.patience);
            match Ahead::connect(config, &self.url, Arc::clone(&self.texts), &settings) {
                Ok(ahead) => {
                    let prepares = self.sessions == Sessions::Own;
                    let ahead = ahead.waiting(self.silence).preparing(prepares);
                    return Ok(PgLink::Ahead(Box::new(ahead)));
                }
                // libpq's would prepare what the next session does not know.
                Err(error) if self.sessions == Sessions::Shared => {
                    return Err(diesel::r2d2::Error::QueryError(error));
                }
                // libpq may know a password that the address does not say, or it says what is wrong.
                Err(error) => tracing::debug!(%error, "trying libpq"),
            }
        }
        let mut connection = connect(&self.url).map_err(diesel::r2d2::Error::ConnectionError)?;
        for setting in [self.patience, READS] {
            connection
                .batch_execute(setting)
                .map_err(diesel::r2d2::Error::QueryError)?;
        }
        Ok(connection.into())
    }
}

impl r2d2::ManageConnection for Connections {
    type Connection = Pooled;
    type Error = diesel::r2d2::Error;

    fn connect(&self) -> Result<Pooled, Self::Error> {
        let losses = self.losses.load(Ordering::Relaxed);
        Ok(Pooled {
            connection: AnyConnection::Postgres(self.link()?),
            is_broken: false,
            good_at: Instant::now(),
            losses,
            sessions: self.sessions,
            plans: Plans::renewed_every(PLANNED_ANEW),
            metrics: self.metrics.clone(),
        })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Self::Error> {
        let losses = self.losses.load(Ordering::Relaxed);
        if losses != pooled.losses || pooled.good_at.elapsed() >= TRUSTED_FOR {
            pooled
                .connection
                .batch_execute("SELECT 1")
                .map_err(diesel::r2d2::Error::QueryError)?;
            pooled.losses = losses;
            pooled.good_at = Instant::now();
        }
        pooled
            .plan_anew_if_due()
            .map_err(diesel::r2d2::Error::QueryError)
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

    #[test]
    fn an_address_that_asks_for_what_a_pipeline_cannot_do_has_none() {
        for unknown in [
            "postgres://h/db?sslrootcert=/etc/ca.pem",
            "postgres://h/db?keepalives_count=3",
            "postgres://h/db?tcp_user_timeout=20000",
            "not an address",
        ] {
            assert!(config_of(unknown).is_none(), "{unknown}");
        }
    }

    #[test]
    fn a_pipeline_is_without_tls_only_where_nothing_else_would_have_it() {
        let may_be_plain = |url: &str| config_of(url).is_some();
        assert!(may_be_plain("postgres://u@h/db?sslmode=disable"));
        assert!(may_be_plain("postgres:///db?host=/run/postgresql"));
        let is_built_without = cfg!(not(feature = "postgres-tls"));
        assert_eq!(may_be_plain("postgres://u@h/db"), is_built_without);
        let config = config_of("postgres://u@h/db?sslmode=disable").unwrap();
        assert_eq!(config.get_ssl_mode(), SslMode::Disable);
    }

    #[test]
    fn how_long_a_connection_waits_is_what_the_address_says() {
        let seconds = |url: &str| {
            let config = config_of(url).unwrap();
            let connect = config.get_connect_timeout().unwrap().as_secs();
            (connect, config.get_keepalives_idle().as_secs())
        };
        let plain = "postgres://u@h/db?sslmode=disable";
        assert_eq!(seconds(plain), (5, 10));
        let named = format!("{plain}&connect_timeout=60&keepalives_idle=7");
        assert_eq!(seconds(&named), (60, 7));
    }

    #[test]
    fn what_the_environment_says_is_left_to_libpq() {
        let url = "postgres://u@h/db?sslmode=disable";
        assert!(config_unless(url, |name| name == "PGDATA").is_some());
        assert!(config_unless(url, |name| name == "PGPASSWORD").is_none());
    }
}
