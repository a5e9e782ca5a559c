//! Connections to identity providers in rows, their secrets encrypted; who is on the way to one, and who came back.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::{KeyKind, SecretHash};
use lyceum_domain::identity::sso_connections::{
    AssignedDomain, ClientSecret, EmailDomain, Issuer, MappedRole, ProviderWord, RoleMap,
    SsoConnection,
};
use lyceum_domain::identity::sso_sign_in::{ConsolePlace, SsoIdentity, SsoSession, SsoSignIn};
use lyceum_domain::identity::users::Role;
use lyceum_domain::ids::{ApiKeyId, PersonId, SsoConnectionId};
use lyceum_ports::identity::sso::{SessionsOf, SsoRepository};
use serde_json::{Value, json};

use crate::mapping::schema::{
    api_keys, passkeys, sso_connections, sso_domains, sso_identities, sso_sessions, sso_sign_ins,
};
use crate::mapping::vault::Vault;
use crate::prelude::*;

kept_as_text!(ConsolePlace, EmailDomain, Issuer, ProviderWord);

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = sso_connections, primary_key(workspace_id, id), treat_none_as_null = true)]
struct ConnectionRow {
    workspace_id: String,
    id: String,
    name: String,
    issuer: String,
    client_id: String,
    client_secret: String,
    role_claim: Option<String>,
    roles: Json,
    default_role: String,
    greatest_role: String,
    just_in_time: bool,
    trusts_addresses: bool,
    enabled: bool,
    last_signed_in_at: Option<Moment>,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl ConnectionRow {
    fn sealed(connection: &SsoConnection, vault: &Vault) -> Result<Self, StoreError> {
        let roles = connection.roles.as_slice().iter();
        let roles =
            roles.map(|one| json!({ "value": one.value.as_str(), "role": one.role.as_str() }));
        let stamp = &connection.stamp;
        Ok(Self {
            workspace_id: connection.workspace_id.to_string(),
            id: connection.id.to_string(),
            name: connection.name.to_string(),
            issuer: connection.issuer.to_string(),
            client_id: connection.client_id.to_string(),
            client_secret: vault.seal(connection.client_secret.reveal())?,
            role_claim: connection.role_claim.as_ref().map(ToString::to_string),
            roles: Json(roles.collect()),
            default_role: connection.default_role.to_string(),
            greatest_role: connection.greatest_role.to_string(),
            just_in_time: connection.just_in_time,
            trusts_addresses: connection.trusts_addresses,
            enabled: connection.enabled,
            last_signed_in_at: connection.last_signed_in_at.map(Moment),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        })
    }

    fn opened(self, vault: &Vault) -> Result<SsoConnection, StoreError> {
        let role_claim = self.role_claim.as_deref().map(ProviderWord::parse);
        Ok(SsoConnection {
            workspace_id: rows::id(&self.workspace_id)?,
            id: rows::id(&self.id)?,
            name: Stored::read(self.name)?,
            issuer: rows::read(Issuer::parse(&self.issuer))?,
            client_id: rows::read(ProviderWord::parse(&self.client_id))?,
            client_secret: ClientSecret::from_stored(vault.open(&self.client_secret)?),
            role_claim: role_claim.map(rows::read).transpose()?,
            roles: roles(&self.roles)?,
            default_role: rows::read(Role::parse(&self.default_role))?,
            greatest_role: rows::read(Role::parse(&self.greatest_role))?,
            just_in_time: self.just_in_time,
            trusts_addresses: self.trusts_addresses,
            enabled: self.enabled,
            last_signed_in_at: rows::moment(self.last_signed_in_at),
            stamp: rows::stamp(self.created_at, self.updated_at, self.version),
        })
    }
}

fn roles(stored: &Json) -> Result<RoleMap, StoreError> {
    let entries = stored.0.as_array().into_iter().flatten();
    let text = |entry: &Value, name: &str| {
        let text = entry.get(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let mapped = entries.map(|entry| {
        Ok(MappedRole {
            value: rows::read(ProviderWord::parse(&text(entry, "value")))?,
            role: rows::read(Role::parse(&text(entry, "role")))?,
        })
    });
    rows::read(RoleMap::parse(mapped.collect::<Result<_, StoreError>>()?))
}

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sso_domains)]
    struct DomainRow of AssignedDomain {
        domain: EmailDomain,
        workspace_id: WorkspaceId,
        connection_id: Option<SsoConnectionId>,
        created_at: Timestamp,
    }
}

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sso_sign_ins)]
    struct SignInRow of SsoSignIn {
        hash: SecretHash,
        workspace_id: WorkspaceId,
        connection_id: SsoConnectionId,
        browser: SecretHash,
        place: ConsolePlace,
        fresh: bool,
        created_at: Timestamp,
        expires_at: Timestamp,
    }
}

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sso_identities)]
    struct IdentityRow of SsoIdentity {
        workspace_id: WorkspaceId,
        connection_id: SsoConnectionId,
        subject: ProviderWord,
        person_id: PersonId,
        created_at: Timestamp,
    }
}

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sso_sessions)]
    struct SessionRow of SsoSession {
        workspace_id: WorkspaceId,
        connection_id: SsoConnectionId,
        key_id: ApiKeyId,
        subject: ProviderWord,
        sid: Option<ProviderWord>,
        created_at: Timestamp,
    }
}

impl SsoRepository for Session<'_> {
    fn insert(&mut self, connection: &SsoConnection) -> Result<(), StoreError> {
        let row = ConnectionRow::sealed(connection, self.vault)?;
        self.run(|conn| {
            diesel::insert_into(sso_connections::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: SsoConnectionId,
    ) -> Result<Option<SsoConnection>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            sso_connections::table
                .find((workspace.to_string(), id.to_string()))
                .select(ConnectionRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(|row| row.opened(vault)).transpose()
    }

    fn anywhere(&mut self, id: SsoConnectionId) -> Result<Option<SsoConnection>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            sso_connections::table
                .filter(sso_connections::id.eq(id.to_string()))
                .select(ConnectionRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(|row| row.opened(vault)).transpose()
    }

    fn update(&mut self, connection: &SsoConnection) -> Result<(), StoreError> {
        let row = ConnectionRow::sealed(connection, self.vault)?;
        self.change(&row.id, |conn| {
            diesel::update(sso_connections::table)
                .filter(sso_connections::workspace_id.eq(&row.workspace_id))
                .filter(sso_connections::id.eq(&row.id))
                .filter(sso_connections::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: SsoConnectionId) -> Result<bool, StoreError> {
        self.run(|conn| {
            diesel::update(sso_domains::table)
                .filter(sso_domains::workspace_id.eq(workspace.to_string()))
                .filter(sso_domains::connection_id.eq(id.to_string()))
                .set(sso_domains::connection_id.eq(None::<String>))
                .execute(conn)
        })?;
        let deleted = self.run(|conn| {
            diesel::delete(sso_connections::table)
                .filter(sso_connections::workspace_id.eq(workspace.to_string()))
                .filter(sso_connections::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        page: &PageRequest,
    ) -> Result<Page<SsoConnection>, StoreError> {
        let vault = self.vault;
        let (order, conditions) = paging(self.conn, "sso_connections", page)?;
        let mut query = sso_connections::table
            .filter(sso_connections::workspace_id.eq(workspace.to_string()))
            .select(ConnectionRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        let found = self.run(|conn| query.load::<ConnectionRow>(conn))?;
        let found = found.into_iter().map(|row| row.opened(vault));
        let connections = found.collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(connections, page.limit, |connection| {
            Keyset::of_id(connection.id.to_string())
        }))
    }

    fn hold(&mut self, workspace: WorkspaceId, id: SsoConnectionId) -> Result<(), StoreError> {
        // Written, not only locked: see `hold` of workspaces.
        let writing = |session: &mut Self| {
            session.run(|conn| {
                diesel::update(sso_connections::table)
                    .filter(sso_connections::workspace_id.eq(workspace.to_string()))
                    .filter(sso_connections::id.eq(id.to_string()))
                    .set(sso_connections::enabled.eq(sso_connections::enabled))
                    .execute(conn)
            })
        };
        self.contend(|| Line::at(id), writing).map(drop)
    }

    fn note_use(
        &mut self,
        workspace: WorkspaceId,
        id: SsoConnectionId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::update(sso_connections::table)
                .filter(sso_connections::workspace_id.eq(workspace.to_string()))
                .filter(sso_connections::id.eq(id.to_string()))
                .set(sso_connections::last_signed_in_at.eq(Moment(now)))
                .execute(conn)
        })
        .map(drop)
    }

    fn assign_domain(&mut self, domain: &AssignedDomain) -> Result<(), StoreError> {
        let row = DomainRow::from(domain);
        self.run(|conn| {
            diesel::insert_into(sso_domains::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn unassign_domain(&mut self, domain: &EmailDomain) -> Result<bool, StoreError> {
        let deleted = self
            .run(|conn| diesel::delete(sso_domains::table.find(domain.as_str())).execute(conn))?;
        Ok(deleted == 1)
    }

    fn domain(&mut self, domain: &EmailDomain) -> Result<Option<AssignedDomain>, StoreError> {
        let found = self.run(|conn| {
            sso_domains::table
                .find(domain.as_str())
                .select(DomainRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(AssignedDomain::try_from).transpose()
    }

    fn is_offered(&mut self) -> Result<bool, StoreError> {
        let any: Option<String> = self.run(|conn| {
            sso_domains::table
                .filter(sso_domains::connection_id.is_not_null())
                .select(sso_domains::domain)
                .first(conn)
                .optional()
        })?;
        Ok(any.is_some())
    }

    fn domains(
        &mut self,
        workspace: Option<WorkspaceId>,
    ) -> Result<Vec<AssignedDomain>, StoreError> {
        let mut query = sso_domains::table
            .select(DomainRow::as_select())
            .order(sso_domains::domain.asc())
            .into_boxed();
        if let Some(workspace) = workspace {
            query = query.filter(sso_domains::workspace_id.eq(workspace.to_string()));
        }
        let found = self.run(|conn| query.load::<DomainRow>(conn))?;
        found.into_iter().map(AssignedDomain::try_from).collect()
    }

    fn connect_domain(
        &mut self,
        domain: &EmailDomain,
        connection: Option<SsoConnectionId>,
    ) -> Result<(), StoreError> {
        let connection = connection.map(|id| id.to_string());
        self.run(|conn| {
            diesel::update(sso_domains::table.find(domain.as_str()))
                .set(sso_domains::connection_id.eq(connection))
                .execute(conn)
        })
        .map(drop)
    }

    fn begin(&mut self, sign_in: &SsoSignIn) -> Result<(), StoreError> {
        let row = SignInRow::from(sign_in);
        self.run(|conn| {
            diesel::insert_into(sso_sign_ins::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn waiting(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<SsoSignIn>, StoreError> {
        let found = self.run(|conn| {
            sso_sign_ins::table
                .find(hash.as_str())
                .filter(sso_sign_ins::expires_at.gt(Moment(now)))
                .select(SignInRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(SsoSignIn::try_from).transpose()
    }

    fn take(&mut self, hash: &SecretHash) -> Result<bool, StoreError> {
        let taken =
            self.run(|conn| diesel::delete(sso_sign_ins::table.find(hash.as_str())).execute(conn))?;
        Ok(taken == 1)
    }

    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let expired: Vec<String> = self.run(|conn| {
            sso_sign_ins::table
                .filter(sso_sign_ins::expires_at.lt(Moment(oldest)))
                .order(sso_sign_ins::expires_at.asc())
                .limit(limit.into())
                .select(sso_sign_ins::hash)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(sso_sign_ins::table)
                .filter(sso_sign_ins::hash.eq_any(&expired))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }

    fn identity(
        &mut self,
        workspace: WorkspaceId,
        connection: SsoConnectionId,
        subject: &str,
    ) -> Result<Option<SsoIdentity>, StoreError> {
        let key = (workspace.to_string(), connection.to_string(), subject);
        let found = self.run(|conn| {
            sso_identities::table
                .find(key)
                .select(IdentityRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(SsoIdentity::try_from).transpose()
    }

    fn link(&mut self, identity: &SsoIdentity) -> Result<(), StoreError> {
        let row = IdentityRow::from(identity);
        self.run(|conn| {
            diesel::insert_into(sso_identities::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn note_session(&mut self, session: &SsoSession) -> Result<(), StoreError> {
        let row = SessionRow::from(session);
        self.run(|conn| {
            diesel::insert_into(sso_sessions::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn sessions(
        &mut self,
        workspace: WorkspaceId,
        connection: SsoConnectionId,
        of: &SessionsOf,
    ) -> Result<Vec<SsoSession>, StoreError> {
        let mut query = sso_sessions::table
            .filter(sso_sessions::workspace_id.eq(workspace.to_string()))
            .filter(sso_sessions::connection_id.eq(connection.to_string()))
            .select(SessionRow::as_select())
            .order(sso_sessions::key_id.asc())
            .into_boxed();
        match of {
            SessionsOf::Everybody => {}
            SessionsOf::Subject(subject) => {
                query = query.filter(sso_sessions::subject.eq(subject.clone()));
            }
            SessionsOf::Sid(sid) => {
                query = query.filter(sso_sessions::sid.eq(sid.clone()));
            }
        }
        let found = self.run(|conn| query.load::<SessionRow>(conn))?;
        found.into_iter().map(SsoSession::try_from).collect()
    }

    fn has_own_keys(&mut self, person: PersonId) -> Result<bool, StoreError> {
        let own = [KeyKind::Standard.as_str(), KeyKind::Web.as_str()];
        let found: Option<String> = self.run(|conn| {
            api_keys::table
                .filter(api_keys::person_id.eq(person.to_string()))
                .filter(api_keys::kind.eq_any(own))
                // Of one workspace alone are those that were made for them there, and sessions that its provider began.
                .filter(api_keys::workspace_id.is_null())
                .select(api_keys::id)
                .first(conn)
                .optional()
        })?;
        if found.is_some() {
            return Ok(true);
        }
        let passkey: Option<String> = self.run(|conn| {
            passkeys::table
                .filter(passkeys::person_id.eq(person.to_string()))
                .filter(passkeys::workspace_id.is_null())
                .select(passkeys::id)
                .first(conn)
                .optional()
        })?;
        Ok(passkey.is_some())
    }
}
