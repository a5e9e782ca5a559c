//! API keys in rows: everything but their secrets.

use diesel::prelude::*;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::{ApiKey, KeyKind, KeyLookup, SecretHash};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::ids::{ApiKeyId, PersonId, WorkspaceId};
use lyceum_domain::text::Name;
use lyceum_ports::identity::keys::KeyRepository;
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::store::{Line, StoreError};

use crate::database::connection::on_either;
use crate::database::session::Session;
use crate::mapping::columns::Moment;
use crate::mapping::conditions::narrowing;
use crate::mapping::rows;
use crate::mapping::schema::api_keys;

/// A key as it is stored; callers are read with theirs.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = api_keys, primary_key(id), treat_none_as_null = true)]
pub struct KeyRow {
    id: String,
    person_id: String,
    workspace_id: Option<String>,
    issued_by: Option<String>,
    package_id: Option<String>,
    kind: String,
    name: String,
    lookup: String,
    hash: String,
    scopes: String,
    expires_at: Option<Moment>,
    revoked_at: Option<Moment>,
    last_used_at: Option<Moment>,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
    made_in: Option<String>,
}

impl From<&ApiKey> for KeyRow {
    fn from(key: &ApiKey) -> Self {
        let ApiKey {
            id,
            person_id,
            workspace_id,
            made_in,
            issued_by,
            package_id,
            kind,
            name,
            lookup,
            hash,
            scopes,
            expires_at,
            revoked_at,
            last_used_at,
            stamp,
        } = key;
        let scopes: Vec<&str> = scopes.iter().map(Scope::as_str).collect();
        Self {
            id: id.to_string(),
            person_id: person_id.to_string(),
            workspace_id: workspace_id.map(|id| id.to_string()),
            issued_by: issued_by.map(|id| id.to_string()),
            package_id: package_id.map(|id| id.to_string()),
            kind: kind.to_string(),
            name: name.to_string(),
            lookup: lookup.as_str().to_owned(),
            hash: hash.as_str().to_owned(),
            scopes: scopes.join(" "),
            expires_at: expires_at.map(Moment),
            revoked_at: revoked_at.map(Moment),
            last_used_at: last_used_at.map(Moment),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
            made_in: made_in.map(|id| id.to_string()),
        }
    }
}

impl TryFrom<KeyRow> for ApiKey {
    type Error = StoreError;

    fn try_from(row: KeyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: rows::id(&row.id)?,
            person_id: rows::id(&row.person_id)?,
            workspace_id: rows::optional_id(row.workspace_id.as_ref())?,
            made_in: rows::optional_id(row.made_in.as_ref())?,
            issued_by: rows::optional_id(row.issued_by.as_ref())?,
            package_id: rows::optional_id(row.package_id.as_ref())?,
            kind: rows::read(KeyKind::parse(&row.kind))?,
            name: rows::read(Name::parse(row.name))?,
            lookup: KeyLookup::from_stored(row.lookup),
            hash: SecretHash::from_stored(row.hash),
            scopes: rows::read(ScopeSet::parse(row.scopes.split_whitespace()))?,
            expires_at: rows::moment(row.expires_at),
            revoked_at: rows::moment(row.revoked_at),
            last_used_at: rows::moment(row.last_used_at),
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

impl KeyRepository for Session<'_> {
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let row = KeyRow::from(key);
        self.run(|conn| {
            let insert = diesel::insert_into(api_keys::table).values(&row);
            on_either!(conn, insert.execute(conn))
        })
        .map(drop)
    }

    fn find(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        let found = self.run(|conn| {
            let found = api_keys::table.find(id.to_string());
            let row = on_either!(conn, found.select(KeyRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(ApiKey::try_from).transpose()
    }

    fn update(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let row = KeyRow::from(key);
        self.change(&row.id, |conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::id.eq(&row.id))
                .filter(api_keys::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, id: ApiKeyId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(api_keys::table)
                .filter(api_keys::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(&mut self, person: PersonId, page: &PageRequest) -> Result<Page<ApiKey>, StoreError> {
        let mut query = api_keys::table
            .filter(api_keys::person_id.eq(person.to_string()))
            .filter(api_keys::kind.eq(KeyKind::Standard.as_str()))
            .select(KeyRow::as_select())
            .order(api_keys::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in narrowing(self.conn, "api_keys", page) {
            query = query.filter(condition);
        }
        if let Some(after) = &page.after {
            query = query.filter(api_keys::id.lt(after.id.clone()));
        }
        let found = self.run(|conn| query.load::<KeyRow>(conn))?;
        let keys = found
            .into_iter()
            .map(ApiKey::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(keys, page.limit, |key| Keyset {
            position: None,
            id: key.id.to_string(),
        }))
    }

    fn note_use(&mut self, id: ApiKeyId, at: Timestamp) -> Result<(), StoreError> {
        let noting = |session: &mut Self| {
            session.run(|conn| {
                diesel::update(api_keys::table)
                    .filter(api_keys::id.eq(id.to_string()))
                    .set(api_keys::last_used_at.eq(Moment(at)))
                    .execute(conn)
            })
        };
        self.contend(|| Line::at(id), noting).map(drop)
    }

    fn forget_sessions(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let expired: Vec<String> = self.run(|conn| {
            api_keys::table
                .filter(api_keys::kind.eq(KeyKind::Session.as_str()))
                .filter(api_keys::expires_at.lt(Moment(oldest)).assume_not_null())
                .order(api_keys::expires_at.asc())
                .limit(limit.into())
                .select(api_keys::id)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(api_keys::table)
                .filter(api_keys::id.eq_any(&expired))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }

    fn end_oldest_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        kept: u16,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let at = Moment(at);
        let live: Vec<String> = self.run(|conn| {
            api_keys::table
                .filter(api_keys::person_id.eq(person.to_string()))
                .filter(api_keys::workspace_id.eq(workspace.to_string()))
                .filter(api_keys::kind.eq(KeyKind::Session.as_str()))
                .filter(api_keys::revoked_at.is_null())
                .filter(api_keys::expires_at.gt(at))
                .order(api_keys::id.desc())
                .select(api_keys::id)
                .load(conn)
        })?;
        let surplus: Vec<String> = live.into_iter().skip(kept.into()).collect();
        if surplus.is_empty() {
            return Ok(());
        }
        self.run(|conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::id.eq_any(surplus))
                .set((
                    api_keys::revoked_at.eq(at),
                    api_keys::updated_at.eq(at),
                    api_keys::version.eq(api_keys::version + 1),
                ))
                .execute(conn)
        })
        .map(drop)
    }

    fn end_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let at = Moment(at);
        self.run(|conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::person_id.eq(person.to_string()))
                .filter(api_keys::workspace_id.eq(workspace.to_string()))
                .filter(api_keys::kind.eq(KeyKind::Session.as_str()))
                .filter(api_keys::revoked_at.is_null())
                // A new version, so that nobody who read the key before can bring it back to life.
                .set((
                    api_keys::revoked_at.eq(at),
                    api_keys::updated_at.eq(at),
                    api_keys::version.eq(api_keys::version + 1),
                ))
                .execute(conn)
        })
        .map(drop)
    }
}
