//! What is somebody's in the trash: found for them, and erased.

use std::collections::BTreeMap;

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{PersonId, TrashItemId};
use lyceum_domain::running::personal_data::TableRows;
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashPart};
use lyceum_ports::running::trash::TrashRepository;
use serde_json::{Map, Value, json};

use crate::mapping::schema::{trash, trash_rows};
use crate::prelude::*;
use crate::running::personal_data::inventory::{Column, Kind, TABLES};

impl Session<'_> {
    pub(super) fn erase_in_trash(&mut self, user: &User) -> Result<u64, StoreError> {
        let (workspace, id) = (user.workspace_id.to_string(), user.id.to_string());
        let touched: Vec<String> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(&workspace))
                .filter(trash_rows::user_id.eq(&id))
                .select(trash_rows::trash_id)
                .distinct()
                .order(trash_rows::trash_id)
                .load(conn)
        })?;
        let gone = self.run(|conn| {
            diesel::delete(trash_rows::table)
                .filter(trash_rows::workspace_id.eq(&workspace))
                .filter(trash_rows::user_id.eq(&id))
                .execute(conn)
        })?;
        for item in touched {
            let item: TrashItemId = rows::id(&item)?;
            let Some(item) = TrashRepository::find(self, user.workspace_id, item)? else {
                continue;
            };
            self.shrink(&item)?;
        }
        Ok(u64::try_from(gone).unwrap_or(u64::MAX))
    }

    /// An item that was somebody's own thing goes with it; another comes back without what was theirs.
    fn shrink(&mut self, item: &TrashItem) -> Result<(), StoreError> {
        let left = self.counted(item)?;
        let root: Option<String> = self.run(|conn| {
            trash_rows::table
                .find((
                    item.workspace_id.to_string(),
                    item.id.to_string(),
                    item.kind.part().as_str(),
                    item.object_id.clone(),
                ))
                .select(trash_rows::id)
                .first(conn)
                .optional()
        })?;
        match root {
            Some(_) => self.count_anew(item, &left),
            None => self.forget(item),
        }
    }

    fn counted(&mut self, item: &TrashItem) -> Result<TrashCounts, StoreError> {
        let found: Vec<(String, i64)> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash_rows::trash_id.eq(item.id.to_string()))
                .group_by(trash_rows::part)
                .select((trash_rows::part, diesel::dsl::count_star()))
                .load(conn)
        })?;
        let found = found.into_iter();
        found
            .map(|(part, count)| Ok((rows::read(TrashPart::parse(&part))?, rows::number(count)?)))
            .collect()
    }

    /// Submissions of somebody's that are in the trash.
    pub fn submissions_in_trash(&mut self, user: &User) -> Result<Vec<String>, StoreError> {
        self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(user.workspace_id.to_string()))
                .filter(trash_rows::user_id.eq(user.id.to_string()))
                .filter(trash_rows::part.eq(TrashPart::Submissions.as_str()))
                .select(trash_rows::id)
                .load(conn)
        })
    }

    /// Whether a membership of this person may still come back somewhere.
    pub fn membership_in_trash(&mut self, person: PersonId) -> Result<bool, StoreError> {
        let found: Option<String> = self.run(|conn| {
            trash::table
                .filter(trash::person_id.eq(person.to_string()))
                .select(trash::id)
                .first(conn)
                .optional()
        })?;
        Ok(found.is_some())
    }

    /// What is somebody's in the trash, with the columns that an export shows of each table.
    pub fn rows_in_trash(&mut self, user: &User) -> Result<TableRows, StoreError> {
        let found: Vec<(String, String, Json)> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(user.workspace_id.to_string()))
                .filter(trash_rows::user_id.eq(user.id.to_string()))
                .order((trash_rows::part, trash_rows::id))
                .select((trash_rows::trash_id, trash_rows::part, trash_rows::body))
                .load(conn)
        })?;
        let shown: BTreeMap<&str, &[Column]> = TABLES
            .iter()
            .map(|table| (table.name, table.columns))
            .collect();
        let rows = found.into_iter().filter_map(|(item, part, Json(body))| {
            let columns = shown.get(part.as_str())?;
            Some(json!({ "trash_id": item, "table": part, "row": row(columns, &body) }))
        });
        Ok(TableRows {
            table: "trash_rows",
            rows: rows.collect(),
        })
    }
}

/// A row as exports show it, from what the database wrote of it.
fn row(columns: &[Column], body: &Value) -> Value {
    let members = columns.iter().map(|Column(name, kind)| {
        let value = body.get(*name).cloned().unwrap_or_default();
        ((*name).to_owned(), shown(*kind, value))
    });
    Value::Object(members.collect::<Map<_, _>>())
}

/// SQLite keeps documents as texts and yes and no as numbers; PostgreSQL writes moments with their offset.
fn shown(kind: Kind, value: Value) -> Value {
    match (kind, value) {
        (Kind::Document, Value::String(text)) => {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        (Kind::Moment, Value::String(text)) => {
            Timestamp::parse(&text).map_or(Value::String(text), |moment| json!(moment.to_string()))
        }
        (Kind::Bool, Value::Number(number)) => json!(number.as_i64() == Some(1)),
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_shown_the_same_whichever_database_wrote_it() {
        let columns = [
            Column("at", Kind::Moment),
            Column("late", Kind::Bool),
            Column("metadata", Kind::Document),
            Column("none", Kind::Plain),
        ];
        let sqlite = json!({
            "at": "2026-11-21T06:55:00.123Z", "late": 1, "metadata": "{\"a\":1}", "secret": "x",
        });
        let postgres = json!({
            "at": "2026-11-21T06:55:00.123+00:00", "late": true, "metadata": {"a": 1}, "secret": "x",
        });
        let wanted = json!({
            "at": "2026-11-21T06:55:00.123Z", "late": true, "metadata": {"a": 1}, "none": null,
        });
        assert_eq!(row(&columns, &sqlite), wanted);
        assert_eq!(row(&columns, &postgres), wanted);
    }
}
