//! Small translations that every row needs.

use std::fmt::Display;
use std::str::FromStr;

use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::{Id, Stamp, Timestamp, id::Identified};
use lyceum_ports::running::idempotency::ReplyKey;
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::store::StoreError;
use lyceum_ports::traces::TraceParent;
use serde_json::Value;

use crate::database::error::corrupt;
use crate::mapping::columns::{Json, Moment};

/// Reads an identifier.
pub fn id<K: Identified>(text: &str) -> Result<Id<K>, StoreError> {
    Id::from_str(text).map_err(|error| corrupt(format!("{} {text:?}: {error}", K::OBJECT)))
}

/// Reads an identifier that may be absent.
pub fn optional_id<K: Identified>(text: Option<&String>) -> Result<Option<Id<K>>, StoreError> {
    text.map(|text| id(text)).transpose()
}

/// Passes on what the domain reads, or says that storage holds what it must not.
pub fn read<T, E: Display>(parsed: Result<T, E>) -> Result<T, StoreError> {
    parsed.map_err(corrupt)
}

/// A stored whole number in the type that the domain uses.
pub fn number<T: TryFrom<i64>>(value: i64) -> Result<T, StoreError> {
    T::try_from(value).map_err(|_| corrupt(format!("number {value} out of range")))
}

/// A number of the domain as it is stored.
pub fn stored_number<T: TryInto<i64>>(value: T) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

/// A document that is an object.
pub fn object(json: Json) -> Result<JsonObject, StoreError> {
    if let Value::Object(map) = json.0 {
        return Ok(map);
    }
    Err(corrupt(format!("expected an object, found {}", json.0)))
}

/// A document that is a list of texts.
pub fn strings(json: Json) -> Result<Vec<String>, StoreError> {
    read(serde_json::from_value(json.0))
}

/// A document that is metadata.
pub fn metadata(json: Json) -> Result<Metadata, StoreError> {
    read(Metadata::parse(object(json)?))
}

/// A moment that may be absent.
pub fn moment(column: Option<Moment>) -> Option<Timestamp> {
    column.map(|moment| moment.0)
}

/// What caused a row. What cannot be read joins nothing, and keeps nothing from being done.
pub fn trace(column: Option<&str>) -> Option<TraceParent> {
    column.and_then(TraceParent::parse)
}

/// The stamp of a row.
pub const fn stamp(created_at: Moment, updated_at: Moment, version: i64) -> Stamp {
    Stamp {
        created_at: created_at.0,
        updated_at: updated_at.0,
        version,
    }
}

/// One changed row is success; none means that somebody was faster.
pub const fn one_row(count: usize) -> Result<(), StoreError> {
    if count == 1 {
        Ok(())
    } else {
        Err(StoreError::Stale)
    }
}

/// Nodes as they are stored.
pub fn node_ids(nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(|node| node.0.to_string()).collect()
}

/// The workspace of a key; empty on account level, because a part of a primary key cannot be absent.
pub fn stored_workspace(key: &ReplyKey) -> String {
    key.workspace_id
        .map(|workspace| workspace.to_string())
        .unwrap_or_default()
}
