//! The connection to PostgreSQL as diesel sees it: libpq's, one that waits only for what is read ([`Ahead`]), or what a pipeline has
//! brought ([`Replay`]).
//!
//! diesel lets others be connections only behind a feature whose name warns of changes; what such a connection must have is
//! all here, and none of it is ours to decide.

use std::any::Any;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use diesel::connection::{
    AnsiTransactionManager, CacheSize, Connection, ConnectionSealed, DefaultLoadingMode,
    Instrumentation, LoadConnection, MultiConnectionHelper, SimpleConnection,
};
use diesel::pg::{
    GetPgMetadataCache, Pg, PgConnection, PgMetadataCache, PgMetadataLookup, PgValue,
};
use diesel::query_builder::bind_collector::RawBytesBindCollector;
use diesel::query_builder::{Query, QueryFragment, QueryId};
use diesel::result::{ConnectionError, ConnectionResult, QueryResult};
use diesel::row::{Field, PartialRow, Row, RowIndex, RowSealed};
use tokio_postgres::Column;

use crate::database::ahead::Ahead;
use crate::database::replay::{Asked, Brought, BroughtRow, Lacks, Replay, Texts};

/// A connection to PostgreSQL.
pub enum PgLink {
    /// Of its own: asks, and waits for the answer.
    Libpq(Box<PgConnection>),
    /// The same, and waits only where the answer is read.
    Ahead(Box<Ahead>),
    /// Gives what was brought, and notes what was not.
    Replay(Box<Replay>),
}

impl From<PgConnection> for PgLink {
    fn from(connection: PgConnection) -> Self {
        Self::Libpq(Box::new(connection))
    }
}

impl PgLink {
    /// Says of what is sent from now on whether anybody reads its answer. Where that can be, what nobody reads is not waited for, and
    /// what comes of it shows with the next answer.
    pub fn reads(&mut self, is_read: bool) {
        if let Self::Ahead(ahead) = self {
            ahead.is_read(is_read);
        }
    }

    /// Ends a transaction: what came of statements whose answers nobody had read, and what came of this.
    pub fn end(&mut self, text: &str) -> (QueryResult<()>, QueryResult<()>) {
        match self {
            Self::Ahead(ahead) => ahead.end(text),
            Self::Libpq(_) | Self::Replay(_) => (Ok(()), self.batch_execute(text)),
        }
    }
}

impl SimpleConnection for PgLink {
    fn batch_execute(&mut self, text: &str) -> QueryResult<()> {
        match self {
            Self::Libpq(connection) => connection.batch_execute(text),
            Self::Ahead(ahead) => ahead.run(text),
            Self::Replay(replay) => Err(replay.gives_up()),
        }
    }
}

impl ConnectionSealed for PgLink {}

impl Connection for PgLink {
    type Backend = Pg;
    type TransactionManager = AnsiTransactionManager;

    fn establish(_: &str) -> ConnectionResult<Self> {
        Err(ConnectionError::BadConnection(
            "the pools make connections".to_owned(),
        ))
    }

    fn execute_returning_count<T>(&mut self, source: &T) -> QueryResult<usize>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        let values = match self {
            Self::Libpq(connection) => return connection.execute_returning_count(source),
            Self::Replay(replay) => return Err(replay.gives_up()),
            Self::Ahead(_) => self.values_of(source)?,
        };
        let changed = self.ahead()?.change(source, values)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    fn transaction_state(&mut self) -> &mut AnsiTransactionManager {
        match self {
            Self::Libpq(connection) => connection.transaction_state(),
            Self::Ahead(ahead) => &mut ahead.transaction,
            Self::Replay(replay) => &mut replay.transaction,
        }
    }

    fn instrumentation(&mut self) -> &mut dyn Instrumentation {
        match self {
            Self::Libpq(connection) => connection.instrumentation(),
            Self::Ahead(ahead) => &mut ahead.instrumentation,
            Self::Replay(replay) => &mut replay.instrumentation,
        }
    }

    fn set_instrumentation(&mut self, instrumentation: impl Instrumentation) {
        match self {
            Self::Libpq(connection) => connection.set_instrumentation(instrumentation),
            Self::Ahead(ahead) => ahead.instrumentation = Some(Box::new(instrumentation)),
            Self::Replay(replay) => replay.instrumentation = Some(Box::new(instrumentation)),
        }
    }

    fn set_prepared_statement_cache_size(&mut self, size: CacheSize) {
        if let Self::Libpq(connection) = self {
            connection.set_prepared_statement_cache_size(size);
        }
    }
}

/// What the derived connection over both databases forwards; the pools know better.
impl diesel::r2d2::R2D2Connection for PgLink {
    fn ping(&mut self) -> QueryResult<()> {
        self.batch_execute("SELECT 1")
    }

    fn is_broken(&mut self) -> bool {
        match self {
            Self::Libpq(connection) => connection.is_broken(),
            Self::Ahead(ahead) => ahead.is_broken(),
            Self::Replay(_) => true,
        }
    }
}

impl diesel::migration::MigrationConnection for PgLink {
    fn setup(&mut self) -> QueryResult<usize> {
        match self {
            Self::Libpq(connection) => connection.setup(),
            // Tables are made on libpq's.
            Self::Ahead(_) => Err(of_one_kind()),
            Self::Replay(replay) => Err(replay.gives_up()),
        }
    }
}

/// Ours are the built-in types, so nothing is ever looked up here.
impl GetPgMetadataCache for PgLink {
    fn get_metadata_cache(&mut self) -> &mut PgMetadataCache {
        match self {
            Self::Libpq(connection) => connection.get_metadata_cache(),
            Self::Ahead(ahead) => &mut ahead.types,
            Self::Replay(replay) => &mut replay.types,
        }
    }
}

type Lookup = dyn PgMetadataLookup + 'static;

impl MultiConnectionHelper for PgLink {
    fn to_any<'a>(lookup: &mut Lookup) -> &mut (dyn Any + 'a) {
        lookup.as_any()
    }

    /// libpq's connection looks up in its own name.
    fn from_any(lookup: &mut dyn Any) -> Option<&mut Lookup> {
        if lookup.is::<PgConnection>() {
            let found: &mut Lookup = lookup.downcast_mut::<PgConnection>()?;
            return Some(found);
        }
        let found: &mut Lookup = lookup.downcast_mut::<Self>()?;
        Some(found)
    }
}

type LibpqCursor<'conn, 'query> = <PgConnection as LoadConnection>::Cursor<'conn, 'query>;
/// It borrows from nothing.
type LibpqRow = <PgConnection as LoadConnection>::Row<'static, 'static>;
type LibpqField<'row> = <LibpqRow as Row<'static, Pg>>::Field<'row>;

impl LoadConnection<DefaultLoadingMode> for PgLink {
    type Cursor<'conn, 'query> = LinkCursor<'conn, 'query>;
    type Row<'conn, 'query> = LinkRow;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> QueryResult<LinkCursor<'conn, 'query>>
    where
        T: Query + QueryFragment<Pg> + QueryId + 'query,
        Pg: diesel::expression::QueryMetadata<T::SqlType>,
    {
        if let Self::Libpq(connection) = self {
            let cursor = LoadConnection::<DefaultLoadingMode>::load(&mut **connection, source)?;
            return Ok(LinkCursor::Libpq(cursor));
        }
        let values = self.values_of(&source)?;
        let rows = if let Self::Replay(replay) = self {
            let asked = Asked::of(replay, &source, values)?;
            replay.rows(asked)?
        } else {
            self.ahead()?.ask(&source, values)?
        };
        Ok(LinkCursor::Brought(rows.into_iter()))
    }
}

impl PgLink {
    /// Values find their types through the connection, as in diesel's own.
    fn values_of<T: QueryFragment<Pg>>(
        &mut self,
        source: &T,
    ) -> QueryResult<RawBytesBindCollector<Pg>> {
        let mut values = RawBytesBindCollector::<Pg>::new();
        source.collect_binds(&mut values, self, &Pg)?;
        Ok(values)
    }

    fn ahead(&mut self) -> QueryResult<&mut Ahead> {
        match self {
            Self::Ahead(ahead) => Ok(ahead),
            Self::Libpq(_) | Self::Replay(_) => Err(of_one_kind()),
        }
    }
}

/// What this asks first, if it is a steady query.
pub fn question<T>(
    texts: &Arc<Texts>,
    ask: impl FnOnce(&mut PgLink) -> QueryResult<T>,
) -> Option<Asked> {
    let mut link = PgLink::Replay(Box::new(Replay::of(Arc::clone(texts), None)));
    // There is no answer yet.
    drop(ask(&mut link));
    match link {
        PgLink::Replay(replay) => match replay.lacks() {
            Lacks::Answer(asked) => Some(asked),
            Lacks::Nothing | Lacks::Connection => None,
        },
        PgLink::Libpq(_) | PgLink::Ahead(_) => None,
    }
}

/// What this makes of the answer.
pub fn gathered<T>(
    texts: &Arc<Texts>,
    brought: Brought,
    ask: impl FnOnce(&mut PgLink) -> QueryResult<T>,
) -> QueryResult<T> {
    let mut link = PgLink::Replay(Box::new(Replay::of(Arc::clone(texts), Some(brought))));
    ask(&mut link)
}

fn of_one_kind() -> diesel::result::Error {
    diesel::result::Error::QueryBuilderError("a connection is of one kind".into())
}

/// The rows of an answer.
pub enum LinkCursor<'conn, 'query> {
    Libpq(LibpqCursor<'conn, 'query>),
    Brought(std::vec::IntoIter<BroughtRow>),
}

impl Iterator for LinkCursor<'_, '_> {
    type Item = QueryResult<LinkRow>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Libpq(cursor) => Some(cursor.next()?.map(LinkRow::Libpq)),
            Self::Brought(rows) => Some(Ok(LinkRow::Brought(rows.next()?))),
        }
    }
}

/// A row of an answer.
pub enum LinkRow {
    Libpq(LibpqRow),
    Brought(BroughtRow),
}

impl RowSealed for LinkRow {}

impl RowIndex<usize> for LinkRow {
    fn idx(&self, index: usize) -> Option<usize> {
        match self {
            Self::Libpq(row) => row.idx(index),
            Self::Brought(row) => (index < row.0.len()).then_some(index),
        }
    }
}

impl<'a> RowIndex<&'a str> for LinkRow {
    fn idx(&self, name: &'a str) -> Option<usize> {
        match self {
            Self::Libpq(row) => row.idx(name),
            Self::Brought(row) => row.0.columns().iter().position(|one| one.name() == name),
        }
    }
}

impl<'conn> Row<'conn, Pg> for LinkRow {
    type Field<'row>
        = LinkField<'row>
    where
        'conn: 'row,
        Self: 'row;
    type InnerPartialRow = Self;

    fn field_count(&self) -> usize {
        match self {
            Self::Libpq(row) => row.field_count(),
            Self::Brought(row) => row.0.len(),
        }
    }

    fn get<'row, I>(&'row self, index: I) -> Option<Self::Field<'row>>
    where
        'conn: 'row,
        Self: RowIndex<I>,
    {
        let index = self.idx(index)?;
        match self {
            Self::Libpq(row) => row.get(index).map(LinkField::Libpq),
            Self::Brought(row) => Some(LinkField::Brought(row, index)),
        }
    }

    fn partial_row(&self, range: Range<usize>) -> PartialRow<'_, Self> {
        PartialRow::new(self, range)
    }
}

/// A value of a row.
pub enum LinkField<'row> {
    Libpq(LibpqField<'row>),
    Brought(&'row BroughtRow, usize),
}

impl<'row> Field<'row, Pg> for LinkField<'row> {
    fn field_name(&self) -> Option<&str> {
        match self {
            Self::Libpq(field) => field.field_name(),
            Self::Brought(row, index) => row.0.columns().get(*index).map(Column::name),
        }
    }

    fn value(&self) -> Option<PgValue<'_>> {
        match self {
            Self::Libpq(field) => field.value(),
            Self::Brought(row, index) => Some(PgValue::new(row.bytes(*index)?, self)),
        }
    }
}

impl diesel::pg::TypeOidLookup for LinkField<'_> {
    fn lookup(&self) -> NonZeroU32 {
        let column = match self {
            Self::Brought(row, index) => row.0.columns().get(*index),
            // Its values know better, and ask nobody here.
            Self::Libpq(_) => None,
        };
        let oid = column.and_then(|column| NonZeroU32::new(column.type_().oid()));
        oid.unwrap_or(NonZeroU32::MIN)
    }
}
