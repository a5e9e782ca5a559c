//! Queries that are kept compiled although diesel would compile them anew each time.
//!
//! diesel keeps a query compiled only if its type alone tells its text: not an update, whose changes may differ, not a
//! list of values, whose length may, and nothing that is written as text. Ours have few texts each, and compiling takes
//! longer than most of them do. What a caller's words shape, such as the narrowing of a list, does not belong here: what
//! was compiled is kept as long as its connection.

use std::cell::Cell;

use diesel::backend::Backend;
use diesel::internal::derives::multiconnection::AstPassHelper;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::{RunQueryDsl, sql_query};

use crate::database::connection::{AnyConnection, on_either};

/// A query of a few texts, kept compiled by its text.
#[derive(Debug, Clone, Copy)]
pub struct CachedByText<Q>(pub Q);

impl<Q> QueryId for CachedByText<Q> {
    type QueryId = ();
    // By its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for CachedByText<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        // diesel walks a query to spell it, to bind its values, to show these, and to ask whether it may be kept: the
        // last is what the query itself must not answer. The trait that tells walks apart is that of its own
        // connection over several databases.
        let spells = Cell::new(false);
        let mut pass = pass.cast_database::<DB>(
            |binds| binds,
            |text| {
                spells.set(true);
                text
            },
            |database| database,
            |types| types,
        );
        if spells.get() || pass.bind_collector().is_some() || pass.debug_binds().is_some() {
            return self.0.walk_ast(pass);
        }
        Ok(())
    }
}

impl<Q: Query> Query for CachedByText<Q> {
    type SqlType = Q::SqlType;
}

impl<Q, Conn> RunQueryDsl<Conn> for CachedByText<Q> {}

/// Runs a command without values, such as the beginning of a transaction.
pub fn command(connection: &mut AnyConnection, text: &'static str) -> QueryResult<()> {
    let command = CachedByText(sql_query(text));
    on_either!(connection, command.execute(connection)).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use diesel::connection::{Connection, InstrumentationEvent};
    use diesel::prelude::*;

    use super::*;
    use crate::mapping::schema::counters;

    /// What a connection has kept compiled.
    type Kept = Arc<Mutex<Vec<String>>>;

    fn watched(folder: &tempfile::TempDir) -> (diesel::SqliteConnection, Kept) {
        let file = folder.path().join("lyceum.db");
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        crate::upkeep::migrate::sqlite(&mut connection).unwrap();
        let kept = Kept::default();
        diesel::insert_into(counters::table)
            .values((counters::name.eq("pages"), counters::value.eq(1)))
            .execute(&mut connection)
            .unwrap();
        let note = Arc::clone(&kept);
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::CacheQuery { sql, .. } = event {
                note.lock().unwrap().push(sql.to_owned());
            }
        });
        (connection, kept)
    }

    /// How many updates are kept after two of the same text.
    fn kept_of_updates(is_steady: bool) -> usize {
        let folder = tempfile::TempDir::new().unwrap();
        let (mut connection, kept) = watched(&folder);
        for value in [7, 8] {
            let update = diesel::update(counters::table).set(counters::value.eq(value));
            let changed = if is_steady {
                CachedByText(update).execute(&mut connection)
            } else {
                update.execute(&mut connection)
            };
            assert!(changed.unwrap() > 0);
        }
        let kept = kept.lock().unwrap().len();
        // Whatever is kept, values are bound anew.
        let values: Vec<i64> = counters::table
            .select(counters::value)
            .distinct()
            .load(&mut connection)
            .unwrap();
        assert_eq!(values, [8]);
        kept
    }

    #[test]
    fn an_update_is_kept_compiled_if_it_is_said_to_be_steady() {
        assert_eq!([kept_of_updates(false), kept_of_updates(true)], [0, 1]);
    }

    #[test]
    fn lists_of_the_same_length_are_one_query() {
        let folder = tempfile::TempDir::new().unwrap();
        let (mut connection, kept) = watched(&folder);
        let mut found = |names: &[&str]| -> usize {
            let query = counters::table
                .filter(counters::name.eq_any(names.to_vec()))
                .select(counters::name);
            let names: Vec<String> = CachedByText(query).load(&mut connection).unwrap();
            names.len()
        };
        assert_eq!(
            [found(&["pages", "x"]), found(&["x", "y"]), found(&["x"])],
            [1, 0, 0]
        );
        assert_eq!(kept.lock().unwrap().len(), 2);
    }
}
