//! A pooler in front of the database, such as pgbouncer, that hands out the server's sessions for a transaction each.
//!
//! Everything that a service reads and writes goes through it. What needs a session of its own (migrations, LISTEN, commands) goes to
//! the database's own address.

use std::sync::Arc;
use std::thread;

use diesel::PgConnection;
use tokio_postgres::Config;

use super::connections::config_of;
use super::position::{Home, home};
use crate::database::ahead::Ahead;
use crate::database::link::PgLink;
use crate::database::replay::Texts;

const UNSAID: Unusable = "it does not say which database it leads to";

/// Why a pooler cannot be used.
type Unusable = &'static str;

/// Whether the pooler at this address can be used, and leads to the database of this connection.
pub fn check(url: &str, database: PgConnection) -> Result<(), Unusable> {
    let config = config_of(url).ok_or(
        "it is spoken to without TLS (sslmode=disable), and its address and the environment ask for nothing that only libpq can do",
    )?;
    // It is run by the thread that asks, which must not be one that runs anything else.
    let there = thread::scope(|scope| scope.spawn(|| home_behind(url, &config)).join());
    let there = there.unwrap_or(Err(UNSAID))?;
    let here = home(&mut PgLink::from(database));
    if there == here.map_err(|_| UNSAID)? {
        return Ok(());
    }
    Err("it leads to another database")
}

fn home_behind(url: &str, config: &Config) -> Result<Home, Unusable> {
    let connected = Ahead::connect(config, url, Arc::new(Texts::to(url)), "");
    let connected = connected.map_err(|_| "it cannot be reached")?;
    let mut link = PgLink::Ahead(Box::new(connected.preparing(false)));
    home(&mut link).map_err(|_| UNSAID)
}
