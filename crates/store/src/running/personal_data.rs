//! What is kept of a person: found for them, and erased.
//!
//! Exports are made by the databases themselves, from the inventory; erasing is written out, statement by statement.

use diesel::sql_types::Text;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::ids::UserId;
use lyceum_domain::running::personal_data::{Erasure, TableErasure, TableRows};
use lyceum_ports::running::personal_data::{PersonTraces, PersonalDataRepository};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::mapping::documents;
use crate::mapping::schema::user_erasures;
use crate::prelude::*;

mod erase;
pub mod inventory;
mod searched;
mod subjects;

use inventory::{Column, Kind, TABLES, Table};
pub use subjects::marks_of;

#[derive(QueryableByName)]
struct Written {
    #[diesel(sql_type = Text)]
    body: String,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = user_erasures)]
struct ErasureRow {
    workspace_id: String,
    id: String,
    user_id: String,
    tables: Json,
    created_at: Moment,
}

/// What was done to a table, as it is kept.
#[derive(Serialize, Deserialize)]
struct TableDocument {
    table: String,
    erased: u64,
    kept: u64,
    why: String,
}

impl TryFrom<&Erasure> for ErasureRow {
    type Error = StoreError;

    fn try_from(erasure: &Erasure) -> Result<Self, StoreError> {
        let Erasure {
            workspace_id,
            id,
            user_id,
            tables,
            created_at,
        } = erasure;
        let tables = tables.iter().cloned().map(|done| TableDocument {
            table: done.table,
            erased: done.erased,
            kept: done.kept,
            why: done.why,
        });
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            user_id: user_id.to_string(),
            tables: documents::write(&tables.collect::<Vec<_>>())?,
            created_at: (*created_at).into(),
        })
    }
}

impl TryFrom<ErasureRow> for Erasure {
    type Error = StoreError;

    fn try_from(row: ErasureRow) -> Result<Self, StoreError> {
        let tables: Vec<TableDocument> = documents::read(row.tables)?;
        let tables = tables.into_iter().map(|done| TableErasure {
            table: done.table,
            erased: done.erased,
            kept: done.kept,
            why: done.why,
        });
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            user_id: rows::id(&row.user_id)?,
            tables: tables.collect(),
            created_at: row.created_at.0,
        })
    }
}

impl PersonalDataRepository for Session<'_> {
    fn export(&mut self, user: &User) -> Result<Vec<TableRows>, StoreError> {
        let mut found = Vec::new();
        for table in TABLES {
            found.push(TableRows {
                table: table.name,
                rows: self.rows_about(table, user)?,
            });
        }
        found.push(self.rows_in_trash(user)?);
        found.extend(self.searched_rows(user)?);
        Ok(found)
    }

    fn traces(&mut self, user: &User) -> Result<PersonTraces, StoreError> {
        Ok(PersonTraces {
            events: self.events_about(user, None)?,
            replies: self.replies_about(user, None)?,
        })
    }

    fn erase(
        &mut self,
        user: &User,
        submissions: &[SubmissionId],
        found: &PersonTraces,
        since: Timestamp,
    ) -> Result<Vec<TableErasure>, StoreError> {
        self.erase_about(user, submissions, found, since)
    }

    fn forget_person(&mut self, before: &User) -> Result<Vec<TableErasure>, StoreError> {
        self.forget(before)
    }

    fn insert_erasure(&mut self, erasure: &Erasure) -> Result<(), StoreError> {
        let row = ErasureRow::try_from(erasure)?;
        self.insert_absent(|conn| {
            diesel::insert_into(user_erasures::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn erasure(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
    ) -> Result<Option<Erasure>, StoreError> {
        let found = self.run(|conn| {
            user_erasures::table
                .filter(user_erasures::workspace_id.eq(workspace.to_string()))
                .filter(user_erasures::user_id.eq(user.to_string()))
                .select(ErasureRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Erasure::try_from).transpose()
    }
}

impl Session<'_> {
    fn rows_about(&mut self, table: &Table, user: &User) -> Result<Vec<Value>, StoreError> {
        let query = written(self.conn, table, user);
        let found = self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => diesel::sql_query(query).load::<Written>(conn),
            AnyConnection::Sqlite(conn) => diesel::sql_query(query).load::<Written>(conn),
        })?;
        let parsed =
            |row: Written| serde_json::from_str(&row.body).map_err(|e| corrupt(e.to_string()));
        found.into_iter().map(parsed).collect()
    }
}

/// A query that gives each row as a JSON object. What stands in it besides the inventory are ids, which are of our own
/// making and hold no character that SQL knows.
fn written(conn: &AnyConnection, table: &Table, user: &User) -> String {
    let ids = [
        ("{w}", user.workspace_id.to_string()),
        ("{u}", user.id.to_string()),
        ("{p}", user.person_id.to_string()),
    ];
    let mut about = table.about.to_owned();
    for (place, id) in ids {
        about = about.replace(place, &format!("'{id}'"));
    }
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|Column(name, kind)| format!("'{name}', {}", value(conn, name, *kind)))
        .collect();
    let is_dated = table
        .columns
        .iter()
        .any(|Column(name, _)| *name == "created_at");
    let order = if is_dated { " ORDER BY created_at" } else { "" };
    let (columns, name) = (columns.join(", "), table.name);
    match conn {
        AnyConnection::Postgres(_) => format!(
            "SELECT json_build_object({columns})::text AS body FROM {name} WHERE {about}{order}"
        ),
        AnyConnection::Sqlite(_) => {
            format!("SELECT json_object({columns}) AS body FROM {name} WHERE {about}{order}")
        }
    }
}

fn value(conn: &AnyConnection, name: &str, kind: Kind) -> String {
    match (conn, kind) {
        (AnyConnection::Postgres(_), Kind::Moment) => {
            format!("to_char({name} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")
        }
        (AnyConnection::Sqlite(_), Kind::Document) => format!("json({name})"),
        (AnyConnection::Sqlite(_), Kind::Bool) => {
            format!(
                "json(CASE WHEN {name} THEN 'true' WHEN NOT {name} THEN 'false' ELSE 'null' END)"
            )
        }
        (_, Kind::Plain | Kind::Document | Kind::Moment | Kind::Bool) => name.to_owned(),
    }
}

/// What an event, or a reply, shows of something that was erased.
fn stub(object: &Value) -> Value {
    json!({
        "id": object.get("id").cloned().unwrap_or_default(),
        "object": object.get("object").cloned().unwrap_or_default(),
        "erased": true,
    })
}
