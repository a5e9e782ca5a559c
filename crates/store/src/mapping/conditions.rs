//! Conditions that hold for every table alike, and those that the two databases spell differently.
//!
//! diesel's own expressions say the rest; what stands here is text with bound values, never with a caller's words
//! in it.

use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate,
};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Double, Text};
use lyceum_ports::page::{Bound, MetadataMember, PageRequest};
use serde_json::Value;

use crate::database::connection::{AnyConnection, MultiBackend, containing};
use crate::mapping::columns::{Document, Instant, Json, Moment};

/// A condition on a row: SQL, with values in its places.
#[derive(Debug, Clone)]
pub struct Condition {
    parts: Vec<Part>,
    /// Whether its text is one of few, so that what it is in may be kept prepared.
    is_steady: bool,
}

#[derive(Debug, Clone)]
enum Part {
    Sql(String),
    Text(String),
    Moment(Moment),
    Document(Json),
    Whole(i64),
    Float(f64),
}

impl Condition {
    /// Text with nothing of a caller's in it.
    pub fn sql(text: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Sql(text.into())],
            is_steady: false,
        }
    }

    /// The same of a text that is one of few.
    pub fn steady(text: impl Into<String>) -> Self {
        Self {
            is_steady: true,
            ..Self::sql(text)
        }
    }

    /// Whether its text is one of few.
    pub const fn is_steady(&self) -> bool {
        self.is_steady
    }

    fn then(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// More of the same.
    pub fn and_sql(self, text: impl Into<String>) -> Self {
        self.then(Part::Sql(text.into()))
    }

    /// A value, as text.
    pub fn then_text(self, value: String) -> Self {
        self.then(Part::Text(value))
    }

    /// A value, as a moment.
    pub fn then_moment(self, value: Moment) -> Self {
        self.then(Part::Moment(value))
    }

    /// A value, as a whole number.
    pub fn then_whole(self, value: i64) -> Self {
        self.then(Part::Whole(value))
    }

    /// A value, as a document.
    pub fn then_document(self, value: Json) -> Self {
        self.then(Part::Document(value))
    }

    /// Another behind it.
    pub fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self.is_steady &= other.is_steady;
        self
    }
}

impl Expression for Condition {
    type SqlType = Bool;
}

impl<T> AppearsOnTable<T> for Condition {}

impl<T> SelectableExpression<T> for Condition {}

impl<G> ValidGrouping<G> for Condition {
    type IsAggregate = is_aggregate::Never;
}

impl QueryId for Condition {
    type QueryId = ();
    // Its text is not known from its type.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<MultiBackend> for Condition {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, MultiBackend>) -> QueryResult<()> {
        if !self.is_steady {
            out.unsafe_to_cache_prepared();
        }
        for part in &self.parts {
            match part {
                Part::Sql(text) => out.push_sql(text),
                Part::Text(text) => out.push_bind_param::<Text, _>(text)?,
                Part::Moment(moment) => out.push_bind_param::<Instant, _>(moment)?,
                Part::Document(json) => out.push_bind_param::<Document, _>(json)?,
                Part::Whole(number) => out.push_bind_param::<BigInt, _>(number)?,
                Part::Float(number) => out.push_bind_param::<Double, _>(number)?,
            }
        }
        Ok(())
    }
}

/// What a page request leaves of a table, as conditions that must all hold.
pub fn narrowing(conn: &AnyConnection, table: &str, page: &PageRequest) -> Vec<Condition> {
    let created = page.narrowed.created.iter().map(|(bound, moment)| {
        let operator = match bound {
            Bound::AtOrAfter => ">=",
            Bound::After => ">",
            Bound::AtOrBefore => "<=",
            Bound::Before => "<",
        };
        Condition::sql(format!("{table}.created_at {operator} "))
            .then(Part::Moment((*moment).into()))
    });
    let metadata = page.narrowed.metadata.iter().map(|member| match conn {
        AnyConnection::Postgres(_) => in_jsonb(table, member),
        AnyConnection::Sqlite(_) => in_text(table, member),
    });
    created.chain(metadata).collect()
}

/// `metadata -> key = value`, which compares values and not how they are written.
fn in_jsonb(table: &str, member: &MetadataMember) -> Condition {
    let mut condition = Condition::sql(format!("({table}.metadata -> "))
        .then(Part::Text(member.key.clone()))
        .and_sql(") IN (")
        .then(Part::Document(Json(Value::String(member.text.clone()))));
    if let Some(scalar) = &member.scalar {
        condition = condition
            .and_sql(", ")
            .then(Part::Document(Json(scalar.clone())));
    }
    condition.and_sql(")")
}

/// The members one by one: a path such as `$.key` cannot name every key.
fn in_text(table: &str, member: &MetadataMember) -> Condition {
    let mut condition = Condition::sql(format!(
        "EXISTS (SELECT 1 FROM json_each({table}.metadata) AS member WHERE member.key = "
    ))
    .then(Part::Text(member.key.clone()))
    .and_sql(" AND (member.type = 'text' AND member.atom = ")
    .then(Part::Text(member.text.clone()));
    condition = match &member.scalar {
        Some(Value::Null) => condition.and_sql(" OR member.type = 'null'"),
        Some(Value::Bool(value)) => condition
            .and_sql(" OR member.type = ")
            .then(Part::Text(value.to_string())),
        Some(Value::Number(number)) => condition
            .and_sql(" OR member.type IN ('integer', 'real') AND member.atom = ")
            .then(number.as_i64().map_or_else(
                || Part::Float(number.as_f64().unwrap_or(f64::NAN)),
                Part::Whole,
            )),
        Some(Value::String(_) | Value::Array(_) | Value::Object(_)) | None => condition,
    };
    condition.and_sql("))")
}

/// That a column has `text` in it, whatever the case of its ASCII letters.
///
/// PostgreSQL lowers other letters too, by the rules of its locale, and would then not find them: it is told
/// not to.
pub fn has(conn: &AnyConnection, column: &str, text: &str) -> Condition {
    let lowered = match conn {
        AnyConnection::Postgres(_) => format!("lower({column} COLLATE \"C\")"),
        AnyConnection::Sqlite(_) => format!("lower({column})"),
    };
    Condition::sql(format!("{lowered} LIKE "))
        .then(Part::Text(containing(text)))
        .and_sql(" ESCAPE '\\'")
}
