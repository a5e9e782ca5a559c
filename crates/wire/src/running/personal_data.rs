//! Exports and erasures of people on the wire.

use std::collections::BTreeMap;

use lyceum_domain::json::JsonObject;
use lyceum_domain::running::personal_data::{Erasure, TableErasure, TableRows};
use lyceum_domain::{Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource};
use crate::declared::view;
use crate::identity::users::UserView;
use crate::shapes;

/// Asks to erase somebody.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EraseUser {
    /// The id of the user once more, because it cannot be undone.
    #[schema(min_length = 1, max_length = 64)]
    pub confirm: String,
}

impl Command for EraseUser {
    type Of = String;

    fn command(self) -> Result<String, Invalid> {
        Ok(self.confirm)
    }
}

/// Everything that is kept of somebody in this workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UserExportView {
    /// Always `user_export`.
    pub object: String,
    /// Whose it is.
    pub user: UserView,
    /// How many rows there are, by table.
    pub tables: BTreeMap<String, u64>,
    /// The rows, by table: each an object of the columns that are kept, without secrets. Points are whole hundredths.
    pub data: FreeObject,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
}

impl UserExportView {
    /// Of what was found.
    pub fn new(user: UserView, found: Vec<TableRows>, now: Timestamp) -> Self {
        let count = |rows: &[Value]| u64::try_from(rows.len()).unwrap_or(u64::MAX);
        let tables = found
            .iter()
            .map(|table| (table.table.to_owned(), count(&table.rows)));
        let tables = tables.collect();
        let data = found
            .into_iter()
            .map(|table| (table.table.to_owned(), Value::Array(table.rows)));
        Self {
            object: "user_export".to_owned(),
            user,
            tables,
            data: FreeObject(data.collect::<JsonObject>()),
            created_at: now.to_string(),
        }
    }
}

view! {
    /// The receipt of an erasure.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct UserErasureView {
        /// `ers_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Erasure>)]
        pub id: String = erasure.id.to_string(),
        /// Always `user_erasure`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Erasure>)]
        pub object: String = "user_erasure".to_owned(),
        /// Who was erased; the id stays, and names nobody.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
        pub user_id: String = erasure.user_id.to_string(),
        /// What was done, by table.
        pub tables: Vec<TableErasureView> = erasure.tables.iter().map(TableErasureView::from).collect(),
        /// When.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = erasure.created_at.to_string(),
        /// The same.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = erasure.created_at.to_string(),
    }

    /// Of a receipt.
    pub fn new(erasure: &Erasure);
}

/// What an erasure did to a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableErasureView {
    /// The table.
    pub table: String,
    /// How many rows are gone, or lost everything that was the person's.
    pub erased: u64,
    /// How many stay.
    pub kept: u64,
    /// What was done, and why what stays may stay.
    pub why: String,
}

impl From<&TableErasure> for TableErasureView {
    fn from(done: &TableErasure) -> Self {
        Self {
            table: done.table.clone(),
            erased: done.erased,
            kept: done.kept,
            why: done.why.clone(),
        }
    }
}

impl Resource for UserErasureView {
    const COLLECTION: &'static str = "users";

    fn id(&self) -> &str {
        &self.id
    }
}
