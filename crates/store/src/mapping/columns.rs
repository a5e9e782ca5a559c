//! Column types that the two databases spell differently: [`Instant`] and [`Document`].
//!
//! `Instant` is `timestamptz` on PostgreSQL and RFC 3339 text in UTC on SQLite, which sorts as it reads.
//! `Document` is `jsonb` on PostgreSQL and text on SQLite.

use std::io::Write;

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::Pg;
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, HasSqlType, SqlOrd, SqlType, Text};
use diesel::sqlite::Sqlite;
use lyceum_domain::Timestamp;
use lyceum_domain::json::JsonObject;
use serde_json::Value;

use crate::database::connection::MultiBackend;

/// A moment.
#[derive(Debug, Clone, Copy, SqlType, QueryId)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
#[diesel(sqlite_type(name = "Text"))]
pub struct Instant;

// Both spellings sort by time, so the latest of many moments can be asked for.
impl SqlOrd for Instant {}

/// A JSON document.
#[derive(Debug, Clone, Copy, SqlType, QueryId)]
#[diesel(postgres_type(oid = 3802, array_oid = 3807))]
#[diesel(sqlite_type(name = "Text"))]
pub struct Document;

/// The value of an [`Instant`] column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Instant)]
pub struct Moment(pub Timestamp);

/// The value of a [`Document`] column.
#[derive(Debug, Clone, PartialEq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Document)]
pub struct Json(pub Value);

impl Json {
    pub fn object(map: &JsonObject) -> Self {
        Self(Value::Object(map.clone()))
    }

    pub fn strings(texts: &[String]) -> Self {
        Self(texts.iter().cloned().map(Value::String).collect())
    }
}

impl From<Timestamp> for Moment {
    fn from(moment: Timestamp) -> Self {
        Self(moment)
    }
}

// PostgreSQL counts microseconds since 2000-01-01T00:00:00Z.
const POSTGRES_EPOCH_MILLIS: i64 = 946_684_800_000;

impl FromSql<Instant, Pg> for Moment {
    fn from_sql(bytes: <Pg as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let micros = <i64 as FromSql<BigInt, Pg>>::from_sql(bytes)?;
        Ok(Self(Timestamp::from_unix_millis(
            micros.div_euclid(1000) + POSTGRES_EPOCH_MILLIS,
        )))
    }
}

impl ToSql<Instant, Pg> for Moment {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let micros = (self.0.unix_millis() - POSTGRES_EPOCH_MILLIS) * 1000;
        out.write_all(&micros.to_be_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Instant, Sqlite> for Moment {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let text = <String as FromSql<Text, Sqlite>>::from_sql(value)?;
        Ok(Self(Timestamp::parse(&text)?))
    }
}

impl ToSql<Instant, Sqlite> for Moment {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<Document, Pg> for Json {
    fn from_sql(bytes: <Pg as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        // jsonb travels as a version byte, always 1, and the text.
        match bytes.as_bytes() {
            [1, text @ ..] => Ok(Self(serde_json::from_slice(text)?)),
            _ => Err("unknown jsonb version".into()),
        }
    }
}

impl ToSql<Document, Pg> for Json {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[1])?;
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

impl FromSql<Document, Sqlite> for Json {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let text = <String as FromSql<Text, Sqlite>>::from_sql(value)?;
        Ok(Self(serde_json::from_str(&text)?))
    }
}

impl ToSql<Document, Sqlite> for Json {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

// What the everyday connection needs to know about a column type: which of its two sides to ask.
impl HasSqlType<Instant> for MultiBackend {
    fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
        Self::lookup_sql_type::<Instant>(lookup)
    }
}

impl HasSqlType<Document> for MultiBackend {
    fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
        Self::lookup_sql_type::<Document>(lookup)
    }
}

impl FromSql<Instant, MultiBackend> for Moment {
    fn from_sql(bytes: <MultiBackend as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        bytes.from_sql::<Self, Instant>()
    }
}

impl ToSql<Instant, MultiBackend> for Moment {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, MultiBackend>) -> serialize::Result {
        out.set_value((Instant, self));
        Ok(IsNull::No)
    }
}

impl FromSql<Document, MultiBackend> for Json {
    fn from_sql(bytes: <MultiBackend as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        bytes.from_sql::<Self, Document>()
    }
}

impl ToSql<Document, MultiBackend> for Json {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, MultiBackend>) -> serialize::Result {
        out.set_value((Document, self));
        Ok(IsNull::No)
    }
}
