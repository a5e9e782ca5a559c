//! In which order a list is, and where a page of it begins.
//!
//! Every order ends with the id, so no two things share a place, and a page begins behind a place: the id, or what the list is
//! sorted by with the id. A cursor carries both, because the thing may be gone, or be called something else, when it is used.

use std::marker::PhantomData;

use diesel::RunQueryDsl;
use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate,
};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{OptionalExtension, QueryResult};
use diesel::sql_types::{BigInt, Bool, Text};
use lyceum_ports::page::{Keyset, PageRequest, SortBy, SortValue};
use lyceum_ports::store::StoreError;

use crate::database::connection::{AnyConnection, MultiBackend};
use crate::database::session::Session;
use crate::mapping::columns::{Instant, Moment};
use crate::mapping::conditions::Condition;
use crate::mapping::searching::narrowed;

/// In which order a table is listed.
#[derive(Debug, Clone)]
pub struct Sorting {
    table: &'static str,
    key: Option<Key>,
    is_descending: bool,
}

/// What comes before the id.
#[derive(Debug, Clone)]
enum Key {
    Text(String),
    /// A text that not all have; those without are no part of the order.
    TextOfSome(String),
    Moment(String),
    /// The same of a moment.
    MomentOfSome(String),
    /// The same of a number.
    NumberOfSome(String),
}

impl Key {
    fn sql(&self) -> &str {
        match self {
            Self::Text(sql)
            | Self::TextOfSome(sql)
            | Self::Moment(sql)
            | Self::MomentOfSome(sql)
            | Self::NumberOfSome(sql) => sql,
        }
    }

    /// That a row has it, where not all do.
    fn is_there(&self) -> Option<Condition> {
        match self {
            Self::Text(_) | Self::Moment(_) => None,
            Self::TextOfSome(sql) | Self::MomentOfSome(sql) | Self::NumberOfSome(sql) => {
                Some(Condition::steady(format!("{sql} IS NOT NULL")))
            }
        }
    }
}

impl Sorting {
    /// The order that a request asks for; newest first where it asks for none.
    pub fn of(conn: &AnyConnection, table: &'static str, page: &PageRequest) -> Self {
        let Some(sort) = page.sort else {
            return Self::newest_first(table);
        };
        let key = match sort.by {
            SortBy::Created => None,
            SortBy::Updated => Some(Key::Moment(format!("{table}.updated_at"))),
            SortBy::Graded => Some(Key::MomentOfSome(format!("{table}.graded_at"))),
            SortBy::Decided => Some(Key::TextOfSome(decided_of(conn, table))),
            SortBy::Score => Some(Key::NumberOfSome(format!("{table}.score"))),
            SortBy::Name => Some(Key::Text(name_of(conn, table))),
        };
        Self {
            table,
            key,
            is_descending: sort.is_descending,
        }
    }

    const fn newest_first(table: &'static str) -> Self {
        Self {
            table,
            key: None,
            is_descending: true,
        }
    }

    /// Whether ids alone say the order.
    pub const fn is_by_id(&self) -> bool {
        self.key.is_none()
    }

    /// For `ORDER BY`.
    pub fn order(&self) -> Order {
        let direction = if self.is_descending { "DESC" } else { "ASC" };
        let id = format!("{}.id {direction}", self.table);
        Order(match &self.key {
            Some(key) => format!("{} {direction}, {id}", key.sql()),
            None => id,
        })
    }

    /// The same order of so few rows that they are put in it as they are found. Where not every row is in the order, SQLite would
    /// rather look for them along all others that are: a `+` keeps it from an index.
    #[must_use]
    pub fn of_few(mut self, conn: &AnyConnection) -> Self {
        if let (
            AnyConnection::Sqlite(_),
            Some(Key::TextOfSome(sql) | Key::MomentOfSome(sql) | Key::NumberOfSome(sql)),
        ) = (conn, &mut self.key)
        {
            sql.insert(0, '+');
        }
        self
    }

    /// That a row is in the order at all, where not every one is.
    pub fn includes(&self) -> Option<Condition> {
        self.key.as_ref().and_then(Key::is_there)
    }

    /// That a row comes behind a place.
    ///
    /// # Errors
    /// Where the place has no value that this is sorted by.
    pub fn behind(&self, place: &Keyset) -> Result<Condition, StoreError> {
        self.compared(if self.is_descending { "<" } else { ">" }, place)
    }

    /// That a row comes before a place, or is there.
    ///
    /// # Errors
    /// Where the place has no value that this is sorted by.
    pub fn until(&self, place: &Keyset) -> Result<Condition, StoreError> {
        self.compared(if self.is_descending { ">=" } else { "<=" }, place)
    }

    fn compared(&self, operator: &str, place: &Keyset) -> Result<Condition, StoreError> {
        let (table, id) = (self.table, place.id.clone());
        let Some(key) = &self.key else {
            return Ok(Condition::steady(format!("{table}.id {operator} ")).then_text(id));
        };
        let valued = |condition: Condition| match (key, &place.value) {
            (Key::Text(_) | Key::TextOfSome(_), Some(SortValue::Text(text))) => {
                Ok(condition.then_text(text.clone()))
            }
            (Key::Moment(_) | Key::MomentOfSome(_), Some(SortValue::Moment(moment))) => {
                Ok(condition.then_moment((*moment).into()))
            }
            (Key::NumberOfSome(_), Some(SortValue::Number(number))) => {
                Ok(condition.then_whole(*number))
            }
            (
                Key::Text(_)
                | Key::TextOfSome(_)
                | Key::Moment(_)
                | Key::MomentOfSome(_)
                | Key::NumberOfSome(_),
                Some(SortValue::Text(_) | SortValue::Moment(_) | SortValue::Number(_)) | None,
            ) => Err(StoreError::Failed("a place of another order".into())),
        };
        // By a pair that begins with an expression SQLite follows no index: it is told the half that it can follow, too.
        let (sql, onward) = (key.sql(), operator.trim_end_matches('='));
        let half = valued(Condition::steady(format!("{sql} {onward}= ")))?;
        let pair = format!(" AND ({sql}, {table}.id) {operator} (");
        let pair = half.and(valued(Condition::steady(pair))?);
        Ok(pair.and_sql(", ").then_text(id).and_sql(")"))
    }

    /// Where a thing stands in the order; nothing where it is not there any more, or is no part of it.
    ///
    /// # Errors
    /// Those of storage.
    pub fn place_of(
        &self,
        session: &mut Session<'_>,
        workspace: &str,
        id: String,
    ) -> Result<Option<Keyset>, StoreError> {
        let Some(key) = &self.key else {
            return Ok(Some(Keyset::of_id(id)));
        };
        let table = self.table;
        let mut row = Condition::sql(format!(
            "SELECT {} FROM {table} WHERE {table}.workspace_id = ",
            key.sql()
        ))
        .then_text(workspace.to_owned())
        .and_sql(format!(" AND {table}.id = "))
        .then_text(id.clone());
        if let Some(is_there) = key.is_there() {
            row = row.and_sql(" AND ").and(is_there);
        }
        let value = match key {
            Key::Text(_) | Key::TextOfSome(_) => {
                let asked = Single::<Text>::of(row);
                let text = session.run(|conn| asked.get_result::<String>(conn).optional())?;
                text.map(SortValue::Text)
            }
            Key::NumberOfSome(_) => {
                let asked = Single::<BigInt>::of(row);
                let number = session.run(|conn| asked.get_result::<i64>(conn).optional())?;
                number.map(SortValue::Number)
            }
            Key::Moment(_) | Key::MomentOfSome(_) => {
                let asked = Single::<Instant>::of(row);
                let moment = session.run(|conn| asked.get_result::<Moment>(conn).optional())?;
                moment.map(|moment| SortValue::Moment(moment.0))
            }
        };
        Ok(value.map(|value| Keyset {
            value: Some(value),
            ..Keyset::of_id(id)
        }))
    }
}

/// When a person decided, as an index keeps it: of the document of a grade, where it stands as a text that sorts as moments do.
fn decided_of(conn: &AnyConnection, table: &str) -> String {
    match conn {
        AnyConnection::Postgres(_) => {
            format!("(({table}.grade ->> 'decided_at') COLLATE \"C\")")
        }
        AnyConnection::Sqlite(_) => format!("({table}.grade ->> 'decided_at')"),
    }
}

/// In which order a list by age is, and all that a request leaves of it: for lists that are a piece of one index.
///
/// # Errors
/// Where the request asks for another order.
pub fn paging(
    conn: &AnyConnection,
    table: &'static str,
    page: &PageRequest,
) -> Result<(Order, Vec<Condition>), StoreError> {
    let sorting = Sorting::of(conn, table, page);
    let mut conditions = narrowed(conn, table, page);
    conditions.extend(sorting.includes());
    if let Some(after) = &page.after {
        conditions.push(sorting.behind(after)?);
    }
    Ok((sorting.order(), conditions))
}

/// What something is called, as an index keeps it (`migrations`): PostgreSQL is told not to go by its locale.
fn name_of(conn: &AnyConnection, table: &str) -> String {
    let lowered = |column: &str| match conn {
        AnyConnection::Postgres(_) => format!("lower({column} COLLATE \"C\")"),
        AnyConnection::Sqlite(_) => format!("lower({column})"),
    };
    match table {
        "users" => lowered("coalesce(users.name, users.email)"),
        "enrollments" => format!(
            "(SELECT {} FROM users AS named WHERE named.workspace_id = enrollments.workspace_id \
             AND named.id = enrollments.user_id)",
            lowered("coalesce(named.name, named.email)")
        ),
        _ => lowered(&format!("{table}.name")),
    }
}

/// What stands behind `ORDER BY`: one of few texts, so what it is in may be kept prepared.
#[derive(Debug, Clone)]
pub struct Order(String);

impl Order {
    /// The same by another column than the id of the table.
    pub fn by(column: &str, page: &PageRequest) -> Self {
        let direction = if page.is_oldest_first() {
            "ASC"
        } else {
            "DESC"
        };
        Self(format!("{column} {direction}"))
    }

    /// The text.
    pub fn sql(&self) -> &str {
        &self.0
    }
}

/// Which way a column is compared to go on behind a place in it.
pub const fn onward(page: &PageRequest) -> &'static str {
    if page.is_oldest_first() { ">" } else { "<" }
}

impl Expression for Order {
    type SqlType = Bool;
}

impl<T> AppearsOnTable<T> for Order {}

impl<T> SelectableExpression<T> for Order {}

impl<G> ValidGrouping<G> for Order {
    type IsAggregate = is_aggregate::Never;
}

impl QueryId for Order {
    type QueryId = ();
    // Its text is not known from its type.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<MultiBackend> for Order {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, MultiBackend>) -> QueryResult<()> {
        out.push_sql(&self.0);
        Ok(())
    }
}

/// A statement that answers with one value of the type `ST`.
pub struct Single<ST>(Condition, PhantomData<fn() -> ST>);

impl<ST> Single<ST> {
    /// By its text.
    pub const fn of(statement: Condition) -> Self {
        Self(statement, PhantomData)
    }
}

impl<ST> Query for Single<ST> {
    type SqlType = ST;
}

impl<ST> QueryId for Single<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST> QueryFragment<MultiBackend> for Single<ST> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, MultiBackend>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }
}

impl<ST> RunQueryDsl<AnyConnection> for Single<ST> {}
