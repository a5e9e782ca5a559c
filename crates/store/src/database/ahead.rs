//! A connection to PostgreSQL of its own that waits for nothing but what is read.
//!
//! What begins a transaction, and a row that is only put there, goes out with the next statement whose answer somebody needs: one
//! packet and one trip for all of them. Where one of them failed, whoever asked next is told so,
//! and whoever asked nothing more is told by the COMMIT; the transaction is over in either case, and nothing of it was kept.
//!
//! It belongs to one thread at a time, which runs it: there is no other that would have to be woken.

use std::collections::HashMap;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use diesel::connection::{
    AnsiTransactionManager, Instrumentation, InstrumentationEvent, get_default_instrumentation,
};
use diesel::debug_query;
use diesel::pg::{Pg, PgMetadataCache};
use diesel::query_builder::bind_collector::RawBytesBindCollector;
use diesel::query_builder::{QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use futures_util::{TryStreamExt, pin_mut};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Config, NoTls, RowStream, Statement};

use crate::database::replay::{BroughtRow, Texts, Value, spelled};
use crate::database::server_errors::{closed, diesel_error};

/// Most statements that are kept prepared: there are fewer texts than this, unless something is wrong.
const PREPARED: usize = 1_000;

/// Most that goes out with one statement: whoever puts more there waits for those, and needs no room for them all.
const MOST_UNREAD: usize = 64;

/// What a statement gave.
#[derive(Default)]
struct Given {
    /// Its rows.
    rows: Vec<BroughtRow>,
    /// How many it changed.
    changed: u64,
}

type Outcome<T> = Result<T, tokio_postgres::Error>;
/// A statement, which goes out when it is looked at for the first time; nothing else happens then.
type Unread = Pin<Box<dyn Future<Output = Outcome<()>> + Send>>;

/// A connection.
pub struct Ahead {
    /// What it is run by; there until it is dropped.
    runtime: Option<Runtime>,
    client: Arc<Client>,
    prepared: HashMap<Arc<str>, Statement>,
    texts: Arc<Texts>,
    /// What goes out with the next statement.
    unread: Vec<Unread>,
    /// Whether anybody reads the answer of what is sent now.
    is_read: bool,
    /// How long an answer is waited for, where not for as long as the connection is there.
    silence: Option<Duration>,
    /// Whether statements are kept prepared.
    prepares: bool,
    /// What diesel wants of a connection.
    pub transaction: AnsiTransactionManager,
    /// The same.
    pub instrumentation: Option<Box<dyn Instrumentation>>,
    /// The same.
    pub types: PgMetadataCache,
}

/// A statement with its values, ready to go.
struct Ready {
    text: Arc<str>,
    /// Whether it is one of a number, which are worth preparing.
    is_steady: bool,
    types: Vec<Type>,
    values: Vec<Option<Vec<u8>>>,
}

impl Ahead {
    /// Connects, and says these settings.
    ///
    /// # Errors
    /// Where nobody is there, or does not let us in.
    pub fn connect(
        config: &Config,
        url: &str,
        texts: Arc<Texts>,
        settings: &str,
    ) -> QueryResult<Self> {
        let mut instrumentation = get_default_instrumentation();
        if let Some(listener) = &mut instrumentation {
            listener.on_connection_event(InstrumentationEvent::start_establish_connection(url));
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| closed(error.to_string()))?;
        let client = runtime.block_on(async {
            let (client, connection) = config.connect(NoTls).await?;
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection to the database has ended");
                }
            });
            client.batch_execute(settings).await?;
            Ok(client)
        });
        Ok(Self {
            runtime: Some(runtime),
            client: Arc::new(client.map_err(|error| diesel_error(&error))?),
            prepared: HashMap::new(),
            texts,
            unread: Vec::new(),
            is_read: true,
            silence: None,
            prepares: true,
            transaction: AnsiTransactionManager::default(),
            instrumentation,
            types: PgMetadataCache::new(),
        })
    }

    /// The same, where an answer is waited for no longer than this.
    pub const fn waiting(mut self, silence: Option<Duration>) -> Self {
        self.silence = silence;
        self
    }

    /// The same, where statements are kept prepared, or are not.
    pub const fn preparing(mut self, prepares: bool) -> Self {
        self.prepares = prepares;
        self
    }

    /// Says of what is sent from now on whether anybody reads its answer.
    pub fn is_read(&mut self, is_read: bool) {
        self.is_read = is_read;
    }

    /// Whether nobody answers here any more.
    pub fn is_broken(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs statements without values.
    pub fn run(&mut self, text: &str) -> QueryResult<()> {
        let sent = self.batch(text);
        if !self.is_read {
            self.unread.push(Box::pin(sent));
            return Ok(());
        }
        let (unread, outcome) = self.settle(sent);
        unread.and(outcome)
    }

    /// Ends a transaction. What came of the statements before whose answers were not taken, and what came of this: where one
    /// of them failed, PostgreSQL rolls back and says so nowhere else.
    pub fn end(&mut self, text: &str) -> (QueryResult<()>, QueryResult<()>) {
        // Whatever became of who said otherwise.
        self.is_read = true;
        let sent = self.batch(text);
        self.settle(sent)
    }

    /// Runs a statement that changes something, and says how many rows; where nobody reads that, it is taken later, and here it is as if
    /// it had changed one.
    pub fn change<T>(&mut self, source: &T, values: RawBytesBindCollector<Pg>) -> QueryResult<u64>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        let (statement, ready) = self.made_ready(source, values)?;
        let sent = self.sent(statement, ready);
        if self.is_read || self.unread.len() >= MOST_UNREAD {
            return self.given(sent).map(|given| given.changed);
        }
        self.unread
            .push(Box::pin(async move { sent.await.map(drop) }));
        Ok(1)
    }

    /// Runs a statement whose rows are read.
    pub fn ask<T>(
        &mut self,
        source: &T,
        values: RawBytesBindCollector<Pg>,
    ) -> QueryResult<Vec<BroughtRow>>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        let (statement, ready) = self.made_ready(source, values)?;
        let sent = self.sent(statement, ready);
        self.given(sent).map(|given| given.rows)
    }

    fn given(&mut self, sent: impl Future<Output = Outcome<Given>>) -> QueryResult<Given> {
        let (unread, outcome) = self.settle(sent);
        unread?;
        outcome
    }

    /// A statement, told to whoever listens, and prepared if it is one of a number.
    fn made_ready<T>(
        &mut self,
        source: &T,
        values: RawBytesBindCollector<Pg>,
    ) -> QueryResult<(Option<Statement>, Ready)>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        if let Some(listener) = &mut self.instrumentation {
            let query = debug_query::<Pg, _>(source);
            listener.on_connection_event(InstrumentationEvent::start_query(&query));
        }
        let ready = self.ready(source, values)?;
        if !ready.is_steady || !self.prepares {
            return Ok((None, ready));
        }
        let statement = self.prepared(&ready)?;
        Ok((Some(statement), ready))
    }

    fn ready<T>(&self, source: &T, values: RawBytesBindCollector<Pg>) -> QueryResult<Ready>
    where
        T: QueryFragment<Pg> + QueryId,
    {
        let steady = self.texts.text_of(source)?;
        let is_steady = steady.is_some();
        let text = steady.map_or_else(|| spelled(source), Ok)?;
        let types = values.metadata.iter();
        let types = types.map(|metadata| metadata.oid().ok().and_then(Type::from_oid));
        let unknown = || Error::QueryBuilderError("a value of a type that is not built in".into());
        Ok(Ready {
            text,
            is_steady,
            types: types.collect::<Option<_>>().ok_or_else(unknown)?,
            values: values.binds,
        })
    }

    fn prepared(&mut self, ready: &Ready) -> QueryResult<Statement> {
        if let Some(known) = self.prepared.get(&ready.text) {
            return Ok(known.clone());
        }
        let (client, text) = (Arc::clone(&self.client), Arc::clone(&ready.text));
        let types = ready.types.clone();
        let preparing = async move { client.prepare_typed(&text, &types).await };
        let (unread, statement) = self.settle(preparing);
        unread?;
        let statement = statement?;
        if self.prepared.len() >= PREPARED {
            self.prepared.clear();
        }
        self.prepared
            .insert(Arc::clone(&ready.text), statement.clone());
        Ok(statement)
    }

    fn sent(
        &self,
        statement: Option<Statement>,
        ready: Ready,
    ) -> impl Future<Output = Outcome<Given>> + Send + use<> {
        let client = Arc::clone(&self.client);
        async move {
            let values = ready.values.iter().map(Value);
            let rows = if let Some(statement) = statement {
                client.query_raw(&statement, values).await?
            } else {
                let typed = values.zip(ready.types);
                client.query_typed_raw(&ready.text, typed).await?
            };
            taken(rows).await
        }
    }

    fn batch(&self, text: &str) -> impl Future<Output = Outcome<()>> + Send + use<> {
        let (client, text) = (Arc::clone(&self.client), text.to_owned());
        async move { client.batch_execute(&text).await }
    }

    /// Sends what nobody reads and this, and waits for all of it. The first error of those before is theirs: the others only say that
    /// there was one.
    fn settle<T>(
        &mut self,
        statement: impl Future<Output = Outcome<T>>,
    ) -> (QueryResult<()>, QueryResult<T>) {
        let unread = std::mem::take(&mut self.unread);
        let Some(runtime) = &self.runtime else {
            return (Ok(()), Err(closed("the connection was dropped".to_owned())));
        };
        let answer = async {
            let sent = all_sent(unread).await;
            // Both are looked at before either is waited for: so the statement is sent, behind the others.
            tokio::join!(biased; all_taken(sent), statement)
        };
        let answered = runtime.block_on(async {
            match self.silence {
                Some(silence) => timeout(silence, answer).await.ok(),
                None => Some(answer.await),
            }
        });
        let Some((before, outcome)) = answered else {
            return (Ok(()), Err(closed("nobody answers".to_owned())));
        };
        let said = |error| diesel_error(&error);
        (before.map_err(said), outcome.map_err(said))
    }
}

/// Looks at each once, in their order.
async fn all_sent(mut unread: Vec<Unread>) -> Vec<Unread> {
    for one in &mut unread {
        let looked = poll_fn(|context| Poll::Ready(one.as_mut().poll(context))).await;
        if let Poll::Ready(outcome) = looked {
            *one = Box::pin(ready(outcome));
        }
    }
    unread
}

async fn all_taken(sent: Vec<Unread>) -> Outcome<()> {
    let mut outcome = Ok(());
    for one in sent {
        let answer = one.await;
        outcome = outcome.and(answer);
    }
    outcome
}

async fn taken(rows: RowStream) -> Outcome<Given> {
    pin_mut!(rows);
    let mut given = Given::default();
    while let Some(row) = rows.try_next().await? {
        given.rows.push(BroughtRow(row));
    }
    given.changed = rows.rows_affected().unwrap_or(0);
    Ok(given)
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // Nothing of it waits for anything that would have to end first, and whoever drops it may not be one who may wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
