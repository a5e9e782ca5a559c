//! API keys in rows: everything but their secrets.

use lyceum_domain::identity::addresses::{AllowedAddresses, Network};
use lyceum_domain::identity::keys::{ApiKey, KeyKind, KeyLookup, SecretHash};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::identity::sign_in::{SignInMethod, SignedIn};
use lyceum_domain::ids::ApiKeyId;
use lyceum_domain::ids::PersonId;
use lyceum_domain::ids::ScormPackageId;
use lyceum_domain::ids::UserId;
use lyceum_domain::text::Name;
use lyceum_ports::identity::keys::KeyRepository;

use crate::mapping::schema::api_keys;
use crate::mapping::stored::kept_as_accepted_text;
use crate::prelude::*;

row! {
    /// A key as it is stored; callers are read with theirs.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = api_keys, primary_key(id), treat_none_as_null = true)]
    pub struct KeyRow of ApiKey {
        id: ApiKeyId,
        person_id: PersonId,
        workspace_id: Option<WorkspaceId>,
        user_id: Option<UserId>,
        made_by: Option<UserId>,
        made_in: Option<WorkspaceId>,
        issued_by: Option<ApiKeyId>,
        package_id: Option<ScormPackageId>,
        kind: KeyKind,
        name: Name,
        lookup: KeyLookup,
        hash: SecretHash,
        scopes: ScopeSet,
        allowed_addresses: AllowedAddresses,
        expires_at: Option<Timestamp>,
        revoked_at: Option<Timestamp>,
        last_used_at: Option<Timestamp>,
        last_used_from: Option<Network>,
        ..signed_in: (signed_in_by: Option<String>, signed_in_at: Option<Moment>),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(KeyKind, SignInMethod);
kept_as_accepted_text!(KeyLookup, SecretHash);

impl Stored for Option<SignedIn> {
    type Columns = (Option<String>, Option<Moment>);

    fn columns(&self) -> Self::Columns {
        let method = self.map(|signed_in| signed_in.method.columns());
        (method, self.map(|signed_in| Moment(signed_in.at)))
    }

    fn read((method, at): Self::Columns) -> Result<Self, StoreError> {
        match (method, rows::moment(at)) {
            (None, None) => Ok(None),
            (Some(method), Some(at)) => Ok(Some(SignedIn {
                method: Stored::read(method)?,
                at,
            })),
            _ => Err(corrupt("a way of signing in without its moment")),
        }
    }
}

impl Stored for ScopeSet {
    type Columns = String;

    fn columns(&self) -> String {
        let scopes: Vec<&str> = self.iter().map(Scope::as_str).collect();
        scopes.join(" ")
    }

    fn read(scopes: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(scopes.split_whitespace()))
    }
}

/// Which of a person's keys.
#[derive(Debug, Clone, Copy)]
enum Only {
    /// All of a kind.
    All,
    /// Those that open this platform alone.
    OfPlatform(WorkspaceId),
    /// Those that live at this moment, of this platform alone or of any.
    LiveAt(Timestamp, Option<WorkspaceId>),
    /// Those that live at this moment and were told to this platform when they began.
    ToldTo(Timestamp, WorkspaceId),
}

impl Stored for Network {
    type Columns = String;

    fn columns(&self) -> String {
        self.to_string()
    }

    fn read(network: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(&network).map_err(|wrong| wrong.0))
    }
}

impl Stored for AllowedAddresses {
    type Columns = String;

    fn columns(&self) -> String {
        let networks: Vec<String> = self.iter().map(|network| network.to_string()).collect();
        networks.join(" ")
    }

    fn read(networks: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(
            "allowed_addresses",
            networks.split_whitespace(),
        ))
    }
}

impl Session<'_> {
    /// Ends every key of these kinds that opens this platform alone for the person.
    fn end_all(
        &mut self,
        (workspace, person): (WorkspaceId, PersonId),
        kinds: &[KeyKind],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let at = Moment(at);
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        self.run(|conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::person_id.eq(person.to_string()))
                .filter(api_keys::workspace_id.eq(workspace.to_string()))
                .filter(api_keys::kind.eq_any(&kinds))
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

    /// A page of the person's keys of this kind, newest first.
    fn page_of(
        &mut self,
        (person, kind): (PersonId, KeyKind),
        only: Only,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        let (order, conditions) = paging(self.conn, "api_keys", page)?;
        let mut query = api_keys::table
            .filter(api_keys::person_id.eq(person.to_string()))
            .filter(api_keys::kind.eq(kind.as_str()))
            .select(KeyRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        match only {
            Only::All => {}
            Only::OfPlatform(workspace) => {
                query = query.filter(api_keys::workspace_id.eq(workspace.to_string()));
            }
            Only::LiveAt(now, platform) => {
                let lasts = api_keys::expires_at.gt(Moment(now)).assume_not_null();
                query = query.filter(api_keys::revoked_at.is_null().and(lasts));
                if let Some(workspace) = platform {
                    query = query.filter(api_keys::workspace_id.eq(workspace.to_string()));
                }
            }
            Only::ToldTo(now, workspace) => {
                let lasts = api_keys::expires_at.gt(Moment(now)).assume_not_null();
                query = query
                    .filter(api_keys::revoked_at.is_null().and(lasts))
                    .filter(api_keys::made_in.eq(workspace.to_string()));
            }
        }
        let found = self.run(|conn| query.load::<KeyRow>(conn))?;
        let keys = found
            .into_iter()
            .map(ApiKey::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(keys, page.limit, |key| {
            Keyset::of_id(key.id.to_string())
        }))
    }

    /// Ends these keys: a new version of each, so that nobody who read one before can bring it back to life.
    fn revoke_all(&mut self, ids: &[String], at: Moment) -> Result<u64, StoreError> {
        if ids.is_empty() {
            return Ok(0);
        }
        let revoked = self.run(|conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::id.eq_any(ids))
                .set((
                    api_keys::revoked_at.eq(at),
                    api_keys::updated_at.eq(at),
                    api_keys::version.eq(api_keys::version + 1),
                ))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(revoked))
    }
}

impl KeyRepository for Session<'_> {
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let row = KeyRow::from(key);
        self.put_row(|conn| {
            let insert = diesel::insert_into(api_keys::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        let found = self.run(|conn| {
            let found = api_keys::table.find(id.to_string());
            let row = on_either!(conn, found.select(KeyRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(ApiKey::try_from).transpose()
    }

    fn with_lookup(&mut self, lookup: &KeyLookup) -> Result<Option<ApiKey>, StoreError> {
        let found = self.run(|conn| {
            api_keys::table
                .filter(api_keys::lookup.eq(lookup.as_str()))
                .select(KeyRow::as_select())
                .first(conn)
                .optional()
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

    fn page(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        let only = only_of.map_or(Only::All, Only::OfPlatform);
        self.page_of((person, KeyKind::Standard), only, page)
    }

    fn renew(&mut self, id: ApiKeyId, now: Timestamp, ends: Timestamp) -> Result<(), StoreError> {
        let renewing = |session: &mut Self| {
            session.run(|conn| {
                diesel::update(api_keys::table)
                    .filter(api_keys::id.eq(id.to_string()))
                    .filter(api_keys::kind.eq(KeyKind::Web.as_str()))
                    .filter(api_keys::revoked_at.is_null())
                    .filter(api_keys::expires_at.gt(Moment(now)))
                    .filter(api_keys::expires_at.lt(Moment(ends)))
                    .set(api_keys::expires_at.eq(Moment(ends)))
                    .execute(conn)
            })
        };
        self.contend(|| Line::at(id), renewing).map(drop)
    }

    fn web_sessions(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        self.page_of((person, KeyKind::Web), Only::LiveAt(now, only_of), page)
    }

    fn web_sessions_told_to(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        self.page_of((person, KeyKind::Web), Only::ToldTo(now, workspace), page)
    }

    fn note_use(
        &mut self,
        id: ApiKeyId,
        at: Timestamp,
        from: Option<Network>,
        unless_after: Timestamp,
    ) -> Result<(), StoreError> {
        let is_due = api_keys::last_used_at
            .is_null()
            .or(api_keys::last_used_at.le(Moment(unless_after)));
        let noting = |session: &mut Self| {
            session.run(|conn| {
                diesel::update(api_keys::table)
                    .filter(api_keys::id.eq(id.to_string()))
                    .filter(is_due)
                    .set((
                        api_keys::last_used_at.eq(Moment(at)),
                        api_keys::last_used_from.eq(from.map(|from| from.to_string())),
                    ))
                    .execute(conn)
            })
        };
        self.contend(|| Line::at(id), noting).map(drop)
    }

    fn forget_sessions(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        // One kind after the other, because each is found in the order of an index.
        let mut expired: Vec<String> = Vec::new();
        for kind in [KeyKind::Session, KeyKind::Web] {
            let room = i64::from(limit) - rows::stored_number(expired.len());
            let found: Vec<String> = self.run(|conn| {
                api_keys::table
                    .filter(api_keys::kind.eq(kind.as_str()))
                    .filter(api_keys::expires_at.lt(Moment(oldest)).assume_not_null())
                    .order(api_keys::expires_at.asc())
                    .limit(room)
                    .select(api_keys::id)
                    .load(conn)
            })?;
            expired.extend(found);
        }
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
        self.revoke_all(&surplus, at).map(drop)
    }

    fn end_member_keys(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_all((workspace, person), &[KeyKind::Standard, KeyKind::Web], at)
    }

    fn end_bound_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_all((workspace, person), &[KeyKind::Web], at)
    }

    fn end_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_all((workspace, person), &[KeyKind::Session], at)
    }
}
