//! Telling the other nodes of a PostgreSQL database that something was queued, and hearing it from them.
//!
//! One connection and one thread per node. What is told is told after the commit, many commits at once, so that no
//! request waits for it; what is lost, with a connection or a process, the workers' poll makes good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use diesel::PgConnection;
use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use lyceum_ports::running::nodes::NodeId;

use crate::database::postgres;
use crate::url::DatabaseUrl;

/// The name of the channel; it is the same for all nodes of a database, and of this database alone.
const CHANNEL: &str = "lyceum_queued";
/// How long something told waits at most before it is sent, and something received before it is heard.
const TICK: Duration = Duration::from_millis(50);
/// How long a lost connection is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// The two ways of a node's thread; it ends when this is dropped.
pub struct Notices {
    over: Arc<AtomicBool>,
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What the thread needs to know.
struct Post<R> {
    url: String,
    me: String,
    /// Raised by whoever queued something.
    to_tell: Arc<AtomicBool>,
    /// Rings for the workers of this node.
    ring: R,
    over: Arc<AtomicBool>,
}

impl Notices {
    /// Starts telling the others whenever `to_tell` is raised, and ringing whenever one of them tells; `None` on SQLite,
    /// where there are no others.
    ///
    /// # Errors
    /// If the thread cannot be started. A database that is away is waited for.
    pub fn open(
        url: &DatabaseUrl,
        me: NodeId,
        to_tell: Arc<AtomicBool>,
        ring: impl Fn() + Send + 'static,
    ) -> std::io::Result<Option<Self>> {
        let DatabaseUrl::Postgres(url) = url else {
            return Ok(None);
        };
        let over = Arc::new(AtomicBool::new(false));
        let post = Post {
            url: url.clone(),
            me: me.0.to_string(),
            to_tell,
            ring,
            over: Arc::clone(&over),
        };
        std::thread::Builder::new()
            .name("lyceum-notices".to_owned())
            .spawn(move || post.run())?;
        Ok(Some(Self { over }))
    }
}

impl<R: Fn()> Post<R> {
    fn run(&self) {
        while !self.is_over() {
            // Why there is no connection is told by everything else that needs the database.
            if let Ok(mut connection) = postgres::connect(&self.url) {
                drop(self.exchange(&mut connection));
            }
            if !self.is_over() {
                std::thread::sleep(PAUSE);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Tells and hears until the connection is lost or the node stops.
    fn exchange(&self, connection: &mut PgConnection) -> QueryResult<()> {
        connection.batch_execute(&format!("LISTEN {CHANNEL}"))?;
        // Something may have been told while nobody listened.
        (self.ring)();
        while !self.is_over() {
            if self.to_tell.swap(false, Ordering::Relaxed) {
                connection.batch_execute(&format!("NOTIFY {CHANNEL}, '{}'", self.me))?;
            }
            if self.was_told(connection)? {
                (self.ring)();
            }
            std::thread::sleep(TICK);
        }
        Ok(())
    }

    /// Whether another node has told anything since the last time.
    fn was_told(&self, connection: &mut PgConnection) -> QueryResult<bool> {
        let mut told = false;
        for notice in connection.notifications_iter() {
            told |= notice?.payload != self.me;
        }
        Ok(told)
    }
}
