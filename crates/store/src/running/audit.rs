//! The audit trail in rows: added and read. Triggers refuse every other change (see the migration).

use lyceum_domain::ids::ApiKeyId;
use lyceum_domain::ids::AuditEntryId;
use lyceum_domain::ids::UserId;
use lyceum_domain::running::audit::{
    AuditAction, AuditActor, AuditEntry, AuditSubject, AuditedChange,
};
use lyceum_ports::running::audit::{AuditFilter, AuditRepository};

use crate::mapping::schema::audit_entries;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = audit_entries)]
    struct EntryRow of AuditEntry {
        workspace_id: WorkspaceId,
        id: AuditEntryId,
        request_id: Option<String>,
        action: AuditAction,
        created_at: Timestamp,
        ..actor: (actor: String, user_id: Option<String>, api_key_id: Option<String>),
        ..subject: (subject_object: String, subject_id: String),
        ..change: (old: Json, new: Json),
    }
}

kept_as_text!(AuditAction);

impl Stored for AuditActor {
    type Columns = (String, Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        let word = self.word().to_owned();
        match self {
            Self::User {
                user_id,
                api_key_id,
            }
            | Self::Service {
                user_id,
                api_key_id,
            } => (word, Some(user_id.columns()), Some(api_key_id.columns())),
            Self::Visitor | Self::System => (word, None, None),
        }
    }

    fn read((word, user, key): Self::Columns) -> Result<Self, StoreError> {
        match (word.as_str(), user, key) {
            ("user", Some(user), Some(key)) => Ok(Self::User {
                user_id: Stored::read(user)?,
                api_key_id: Stored::read(key)?,
            }),
            ("service", Some(user), Some(key)) => Ok(Self::Service {
                user_id: Stored::read(user)?,
                api_key_id: Stored::read(key)?,
            }),
            ("visitor", None, None) => Ok(Self::Visitor),
            ("system", None, None) => Ok(Self::System),
            (word, ..) => Err(corrupt(format!("audit entry by {word:?}"))),
        }
    }
}

impl Stored for AuditSubject {
    type Columns = (String, String);

    fn columns(&self) -> Self::Columns {
        (self.object.clone(), self.id.clone())
    }

    fn read((object, id): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self { object, id })
    }
}

impl Stored for AuditedChange {
    type Columns = (Json, Json);

    fn columns(&self) -> Self::Columns {
        (self.old.columns(), self.new.columns())
    }

    fn read((old, new): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            old: Stored::read(old)?,
            new: Stored::read(new)?,
        })
    }
}

impl AuditRepository for Session<'_> {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        let row = EntryRow::from(entry);
        self.put_row(|conn| {
            let insert = diesel::insert_into(audit_entries::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
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
        let user = filter.actor.as_ref();
        let user = user.filter(|actor| actor.parse::<UserId>().is_ok());
        let walk = Walk::<ids::AuditEntry>::over("audit_entries", workspace, page)
            .along("subject_id", filter.subject_id.as_ref())
            .along("user_id", user)
            .sifting(filter.actor.is_some() && user.is_none())
            .sifting(filter.action.is_some())
            .sifting(filter.subject_object.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = audit_entries::table
                .filter(audit_entries::workspace_id.eq(workspace.to_string()))
                .select(EntryRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(action) = filter.action {
                query = query.filter(audit_entries::action.eq(action.as_str()));
            }
            if let Some(actor) = &filter.actor {
                // By what the words look like: of alternatives the databases make a walk over the workspace.
                query = if user.is_some() {
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
            let found = session.run(|conn| query.load::<EntryRow>(conn))?;
            let entries = found
                .into_iter()
                .map(AuditEntry::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(entries, |entry| entry.id.to_string()))
        })
    }
}
