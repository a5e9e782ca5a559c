//! Statements in words, for what looks at every table and not at one.

use diesel::prelude::*;
use lyceum_ports::store::StoreError;

use crate::database::connection::AnyConnection;
use crate::database::error::store_error;

/// The rows that a statement gives.
pub(crate) fn load<Row>(
    connection: &mut AnyConnection,
    statement: String,
) -> Result<Vec<Row>, StoreError>
where
    Row: QueryableByName<diesel::pg::Pg> + QueryableByName<diesel::sqlite::Sqlite> + 'static,
{
    let query = diesel::sql_query(statement);
    match connection {
        AnyConnection::Postgres(connection) => query.load(connection),
        AnyConnection::Sqlite(connection) => query.load(connection),
    }
    .map_err(store_error)
}
