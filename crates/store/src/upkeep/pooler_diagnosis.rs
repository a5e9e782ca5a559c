//! What an operator asks of a pooler: whether a service would take it.

use crate::database::postgres::{connect, pooler};
use crate::url::{DatabaseUrl, PostgresUrl};

/// Looks at a pooler in front of this database as each start does; nothing is changed.
///
/// # Errors
/// Why it cannot be used, as the end of a sentence about it.
pub fn diagnose_pooler(database: &DatabaseUrl, at: &PostgresUrl) -> Result<(), &'static str> {
    const UNTOLD: &str = "the database itself does not answer, so where it leads cannot be told";
    let DatabaseUrl::Postgres(url) = database else {
        return Err(UNTOLD);
    };
    let connection = connect(url).map_err(|_| UNTOLD)?;
    pooler::check(at.as_str(), connection)
}
