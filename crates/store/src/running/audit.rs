//! The audit trail in rows: added and read. Triggers refuse every other change (see the migration).

use diesel::prelude::*;
use lyceum_domain::ids::{ApiKeyId, AuditEntryId, UserId, WorkspaceId};
use lyceum_domain::running::audit::{
    AuditAction, AuditActor, AuditEntry, AuditSubject, AuditedChange,
};
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::running::audit::{AuditFilter, AuditRepository};
use lyceum_ports::store::StoreError;

use crate::database::connection::on_either;
use crate::database::error::corrupt;
use crate::database::session::Session;
use crate::mapping::columns::{Json, Moment};
use crate::mapping::conditions::narrowing;
use crate::mapping::rows;
use crate::mapping::schema::audit_entries;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = audit_entries)]
struct EntryRow {
    workspace_id: String,
    id: String,
    actor: String,
    user_id: Option<String>,
    api_key_id: Option<String>,
    request_id: Option<String>,
    action: String,
    subject_object: String,
    subject_id: String,
    old: Json,
    new: Json,
    created_at: Moment,
}

impl From<&AuditEntry> for EntryRow {
    fn from(entry: &AuditEntry) -> Self {
        let AuditEntry {
            workspace_id,
            id,
            created_at,
            actor,
            request_id,
            action,
            subject:
                AuditSubject {
                    object,
                    id: subject_id,
                },
            change: AuditedChange { old, new },
        } = entry;
        let (user_id, api_key_id) = match actor {
            AuditActor::User {
                user_id,
                api_key_id,
            } => (Some(user_id.to_string()), Some(api_key_id.to_string())),
            AuditActor::Visitor | AuditActor::System => (None, None),
        };
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            actor: actor.word().to_owned(),
            user_id,
            api_key_id,
            request_id: request_id.clone(),
            action: action.to_string(),
            subject_object: object.clone(),
            subject_id: subject_id.clone(),
            old: Json::object(old),
            new: Json::object(new),
            created_at: (*created_at).into(),
        }
    }
}

impl TryFrom<EntryRow> for AuditEntry {
    type Error = StoreError;

    fn try_from(row: EntryRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            created_at: row.created_at.0,
            actor: actor(&row)?,
            request_id: row.request_id,
            action: rows::read(AuditAction::parse(&row.action))?,
            subject: AuditSubject {
                object: row.subject_object,
                id: row.subject_id,
            },
            change: AuditedChange {
                old: rows::object(row.old)?,
                new: rows::object(row.new)?,
            },
        })
    }
}

fn actor(row: &EntryRow) -> Result<AuditActor, StoreError> {
    match (row.actor.as_str(), &row.user_id, &row.api_key_id) {
        ("user", Some(user), Some(key)) => Ok(AuditActor::User {
            user_id: rows::id(user)?,
            api_key_id: rows::id(key)?,
        }),
        ("visitor", None, None) => Ok(AuditActor::Visitor),
        ("system", None, None) => Ok(AuditActor::System),
        (word, ..) => Err(corrupt(format!("audit entry by {word:?}"))),
    }
}

impl AuditRepository for Session<'_> {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        let row = EntryRow::from(entry);
        self.run(|conn| {
            let insert = diesel::insert_into(audit_entries::table).values(&row);
            on_either!(conn, insert.execute(conn))
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: AuditEntryId,
    ) -> Result<Option<AuditEntry>, StoreError> {
        let found = self.run(|conn| {
            let found = audit_entries::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(EntryRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(AuditEntry::try_from).transpose()
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError> {
        let mut query = audit_entries::table
            .filter(audit_entries::workspace_id.eq(workspace.to_string()))
            .select(EntryRow::as_select())
            .order(audit_entries::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in narrowing(self.conn, "audit_entries", page) {
            query = query.filter(condition);
        }
        if let Some(after) = &page.after {
            query = query.filter(audit_entries::id.lt(after.id.clone()));
        }
        if let Some(action) = filter.action {
            query = query.filter(audit_entries::action.eq(action.as_str()));
        }
        if let Some(actor) = &filter.actor {
            // By what the words look like: of alternatives the databases make a walk over the workspace.
            query = if actor.parse::<UserId>().is_ok() {
                query.filter(audit_entries::user_id.eq(actor.clone()))
            } else if actor.parse::<ApiKeyId>().is_ok() {
                query.filter(audit_entries::api_key_id.eq(actor.clone()))
            } else {
                query.filter(audit_entries::actor.eq(actor.clone()))
            };
        }
        if let Some(object) = &filter.subject_object {
            query = query.filter(audit_entries::subject_object.eq(object.clone()));
        }
        if let Some(subject) = &filter.subject_id {
            query = query.filter(audit_entries::subject_id.eq(subject.clone()));
        }
        let found = self.run(|conn| query.load::<EntryRow>(conn))?;
        let entries = found
            .into_iter()
            .map(AuditEntry::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(entries, page.limit, |entry| Keyset {
            position: None,
            id: entry.id.to_string(),
        }))
    }
}
