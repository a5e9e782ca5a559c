//! Work on PostgreSQL that waits in no thread: it is run until it asks for something, and once more when that was brought.
//!
//! A read is a pure function of what it is told, and may be run as often as anybody likes. So it is run on a connection that has
//! nothing to give yet and notes the query; whoever runs it sends that, waits for the answer as everything else here waits, and
//! runs the work again, on a connection that gives the answer to that very query. What asks for a second thing, or for what is
//! not a steady query, goes to a connection of the pool.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use diesel::connection::{
    AnsiTransactionManager, Instrumentation, InstrumentationEvent, get_default_instrumentation,
};
use diesel::debug_query;
use diesel::pg::{Pg, PgMetadataCache, PgQueryBuilder};
use diesel::query_builder::bind_collector::RawBytesBindCollector;
use diesel::query_builder::{QueryBuilder, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

/// Most texts of which it is known that they lead on: there are fewer, unless something is wrong.
const KNOWN: usize = 1_000;

/// A query as it goes to the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What it says.
    pub text: Arc<str>,
    /// The types of its values.
    pub types: Vec<Type>,
    /// Its values, as PostgreSQL writes them.
    pub values: Vec<Option<Vec<u8>>>,
}

/// A query, and the rows that the server gave.
#[derive(Debug)]
pub struct Brought {
    /// To what.
    pub asked: Asked,
    /// The answer.
    pub rows: Vec<BroughtRow>,
}

/// A row that was brought.
#[derive(Debug)]
pub struct BroughtRow(pub tokio_postgres::Row);

/// What queries say whose type alone tells it; the texts are shared by all who ask the same.
pub struct Texts {
    /// Where they go, for who listens.
    url: String,
    known: RwLock<HashMap<TypeId, Option<Arc<str>>>>,
    /// Those after which something else was asked.
    leading_on: RwLock<HashSet<Arc<str>>>,
}

/// A connection that gives what was brought.
pub struct Replay {
    texts: Arc<Texts>,
    brought: Option<Brought>,
    lacks: Lacks,
    /// What diesel wants of a connection, and nothing here uses.
    pub transaction: AnsiTransactionManager,
    /// The same.
    pub instrumentation: Option<Box<dyn Instrumentation>>,
    /// The same.
    pub types: PgMetadataCache,
}

/// What a run of the work lacked.
#[derive(Debug, Default)]
pub enum Lacks {
    /// Nothing: it is done.
    #[default]
    Nothing,
    /// The answer to this.
    Answer(Asked),
    /// A connection.
    Connection,
}

impl Asked {
    /// What a query with these values asks; an error where it is none to be kept prepared, because its text depends on what a
    /// caller wrote.
    pub fn of<T: QueryFragment<Pg> + QueryId>(
        replay: &mut Replay,
        source: &T,
        collector: RawBytesBindCollector<Pg>,
    ) -> QueryResult<Self> {
        if replay.brought.is_none() {
            replay.texts.tell(source);
        }
        let text = replay.texts.text_of(source)?;
        let Some(text) = text else {
            return Err(replay.gives_up());
        };
        let types = collector.metadata.iter();
        let types = types.map(|metadata| metadata.oid().ok().and_then(Type::from_oid));
        // A type of somebody's own would have to be looked up.
        let Some(types) = types.collect() else {
            return Err(replay.gives_up());
        };
        Ok(Self {
            text,
            types,
            values: collector.binds,
        })
    }
}

impl Texts {
    /// Of queries to the database of this address.
    pub fn to(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            known: RwLock::default(),
            leading_on: RwLock::default(),
        }
    }

    /// Tells whoever listens to all connections what is asked, as diesel's own do.
    fn tell<T: QueryFragment<Pg>>(&self, source: &T) {
        if let Some(mut listener) = get_default_instrumentation() {
            let place = InstrumentationEvent::start_establish_connection(&self.url);
            listener.on_connection_event(place);
            let query = debug_query::<Pg, _>(source);
            listener.on_connection_event(InstrumentationEvent::start_query(&query));
        }
    }

    /// Whether whoever asked this went on to ask for more: so will this one.
    pub fn leads_on(&self, asked: &Asked) -> bool {
        let leading_on = self.leading_on.read();
        let leading_on = leading_on.unwrap_or_else(PoisonError::into_inner);
        leading_on.contains(&asked.text)
    }

    /// Notes that whoever asked this went on to ask for more.
    pub fn note_that_it_leads_on(&self, text: Arc<str>) {
        let leading_on = self.leading_on.write();
        let mut leading_on = leading_on.unwrap_or_else(PoisonError::into_inner);
        if leading_on.len() < KNOWN {
            leading_on.insert(text);
        }
    }

    /// What a query says, where it is one of a number, and not of a text that depends on what a caller wrote.
    ///
    /// # Errors
    /// Where diesel cannot spell it.
    pub fn text_of<T: QueryFragment<Pg> + QueryId>(
        &self,
        source: &T,
    ) -> QueryResult<Option<Arc<str>>> {
        let Some(id) = T::query_id() else {
            return steady(source);
        };
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = known.get(&id) {
            return Ok(text.clone());
        }
        drop(known);
        let text = steady(source)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(id, text.clone());
        Ok(text)
    }
}

fn steady<T: QueryFragment<Pg>>(source: &T) -> QueryResult<Option<Arc<str>>> {
    if source.is_safe_to_cache_prepared(&Pg)? {
        return spelled(source).map(Some);
    }
    Ok(None)
}

/// What a query says.
pub fn spelled<T: QueryFragment<Pg>>(source: &T) -> QueryResult<Arc<str>> {
    let mut text = PgQueryBuilder::default();
    source.to_sql(&mut text, &Pg)?;
    Ok(text.finish().into())
}

impl Replay {
    /// Gives what was brought, if anything was.
    pub fn of(texts: Arc<Texts>, brought: Option<Brought>) -> Self {
        Self {
            texts,
            brought,
            lacks: Lacks::Nothing,
            transaction: AnsiTransactionManager::default(),
            instrumentation: None,
            types: PgMetadataCache::new(),
        }
    }

    /// What the work lacked.
    pub fn lacks(self) -> Lacks {
        self.lacks
    }

    /// The rows of this answer, if it was brought.
    pub fn rows(&mut self, asked: Asked) -> QueryResult<Vec<BroughtRow>> {
        match (self.brought.take(), &self.lacks) {
            (Some(brought), Lacks::Nothing) if brought.asked == asked => Ok(brought.rows),
            (None, Lacks::Nothing) => {
                self.lacks = Lacks::Answer(asked);
                Err(unanswered())
            }
            _ => Err(self.gives_up()),
        }
    }

    /// Notes that this work needs a connection of its own.
    pub fn gives_up(&mut self) -> Error {
        self.lacks = Lacks::Connection;
        unanswered()
    }
}

/// What the work is told, which nobody hears: it is run again.
fn unanswered() -> Error {
    Error::QueryBuilderError("there is no answer yet".into())
}

/// A value as it came.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(
        _: &Type,
        bytes: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(bytes))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl BroughtRow {
    /// A value of the row, as PostgreSQL writes it; none where it is null.
    pub fn bytes(&self, index: usize) -> Option<&[u8]> {
        let value = self.0.try_get::<_, Option<Raw<'_>>>(index);
        value.ok().flatten().map(|Raw(bytes)| bytes)
    }
}

/// A value that diesel has written already.
#[derive(Debug)]
pub struct Value<'a>(pub &'a Option<Vec<u8>>);

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut bytes::BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let Some(bytes) = self.0 else {
            return Ok(IsNull::Yes);
        };
        out.extend_from_slice(bytes);
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
