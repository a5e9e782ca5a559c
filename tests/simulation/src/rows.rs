//! Looking at the tables from beside the service, and changing them behind its back for mutants.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use diesel::connection::{Connection, SimpleConnection};
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl, SqliteConnection};
use serde_json::Value;

/// A connection of its own.
pub struct Rows(Mutex<SqliteConnection>);

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    row: String,
}

impl Rows {
    /// Opens the file beside the store.
    pub fn open(path: &Path) -> Self {
        #[allow(
            clippy::disallowed_methods,
            reason = "an observer, outside the store on purpose"
        )]
        let connection = SqliteConnection::establish(&path.to_string_lossy()).unwrap();
        Self(Mutex::new(connection))
    }

    /// The rows of a query whose one column, `row`, is JSON.
    pub fn all(&self, query: &str) -> Vec<Value> {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rows: Vec<Row> = diesel::sql_query(query).load(&mut *connection).unwrap();
        rows.iter()
            .map(|row| serde_json::from_str(&row.row).unwrap())
            .collect()
    }

    /// The first row.
    pub fn first(&self, query: &str) -> Option<Value> {
        self.all(query).into_iter().next()
    }

    /// A count.
    pub fn count(&self, query: &str) -> u64 {
        let counted = self.first(&format!("SELECT json_array(({query})) AS row"));
        counted.unwrap()[0].as_u64().unwrap()
    }

    /// Changes something.
    pub fn execute(&self, statement: &str) {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connection.batch_execute(statement).unwrap();
    }
}
