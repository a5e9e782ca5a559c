//! Passkeys, and what devices were asked, in rows.

use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::passkeys::{Ceremony, Passkey};
use lyceum_domain::ids::{PasskeyId, PersonId, UserId};
use lyceum_domain::text::Name;
use lyceum_ports::identity::passkeys::PasskeyRepository;

use crate::mapping::schema::{passkey_ceremonies, passkeys};
use crate::prelude::*;

row! {
    /// A passkey as it is stored.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = passkeys, primary_key(id), treat_none_as_null = true)]
    struct PasskeyRow of Passkey {
        id: PasskeyId,
        person_id: PersonId,
        workspace_id: Option<WorkspaceId>,
        user_id: Option<UserId>,
        credential_id: String,
        name: Name,
        credential: String,
        last_used_at: Option<Timestamp>,
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

row! {
    /// What a device was asked.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = passkey_ceremonies)]
    struct CeremonyRow of Ceremony {
        hash: SecretHash,
        person_id: Option<PersonId>,
        browser: SecretHash,
        state: String,
        expires_at: Timestamp,
    }
}

impl PasskeyRepository for Session<'_> {
    fn insert(&mut self, passkey: &Passkey) -> Result<(), StoreError> {
        let row = PasskeyRow::from(passkey);
        self.run(|conn| {
            diesel::insert_into(passkeys::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(&mut self, id: PasskeyId) -> Result<Option<Passkey>, StoreError> {
        let found = self.run(|conn| {
            passkeys::table
                .find(id.to_string())
                .select(PasskeyRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Passkey::try_from).transpose()
    }

    fn with_credential(&mut self, credential: &str) -> Result<Option<Passkey>, StoreError> {
        let found = self.run(|conn| {
            passkeys::table
                .filter(passkeys::credential_id.eq(credential))
                .select(PasskeyRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Passkey::try_from).transpose()
    }

    fn update(&mut self, passkey: &Passkey) -> Result<(), StoreError> {
        let row = PasskeyRow::from(passkey);
        self.change(&row.id, |conn| {
            diesel::update(passkeys::table)
                .filter(passkeys::id.eq(&row.id))
                .filter(passkeys::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, id: PasskeyId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(passkeys::table)
                .filter(passkeys::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        page: &PageRequest,
    ) -> Result<Page<Passkey>, StoreError> {
        let (order, conditions) = paging(self.conn, "passkeys", page)?;
        let mut query = passkeys::table
            .filter(passkeys::person_id.eq(person.to_string()))
            .select(PasskeyRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        if let Some(workspace) = only_of {
            query = query.filter(passkeys::workspace_id.eq(workspace.to_string()));
        }
        let found = self.run(|conn| query.load::<PasskeyRow>(conn))?;
        let read = found.into_iter().map(Passkey::try_from);
        let read = read.collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(read, page.limit, |passkey| {
            Keyset::of_id(passkey.id.to_string())
        }))
    }

    fn delete_of_member(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(passkeys::table)
                .filter(passkeys::workspace_id.eq(workspace.to_string()))
                .filter(passkeys::user_id.eq(member.to_string()))
                .execute(conn)
        })
        .map(drop)
    }

    fn ask(&mut self, ceremony: &Ceremony) -> Result<(), StoreError> {
        let row = CeremonyRow::from(ceremony);
        if let Some(person) = &row.person_id {
            self.run(|conn| {
                diesel::delete(passkey_ceremonies::table)
                    .filter(passkey_ceremonies::person_id.eq(person))
                    .execute(conn)
            })?;
        }
        self.run(|conn| {
            diesel::insert_into(passkey_ceremonies::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn answered(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<Ceremony>, StoreError> {
        let found = self.run(|conn| {
            passkey_ceremonies::table
                .find(hash.as_str())
                .filter(passkey_ceremonies::expires_at.gt(Moment(now)))
                .select(CeremonyRow::as_select())
                .first(conn)
                .optional()
        })?;
        let taken = self.run(|conn| {
            diesel::delete(passkey_ceremonies::table)
                .filter(passkey_ceremonies::hash.eq(hash.as_str()))
                .execute(conn)
        })?;
        // Two may have found it; one has taken it out.
        let found = found.filter(|_| taken == 1);
        found.map(Ceremony::try_from).transpose()
    }

    fn forget_unanswered(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let over: Vec<String> = self.run(|conn| {
            passkey_ceremonies::table
                .filter(passkey_ceremonies::expires_at.lt(Moment(oldest)))
                .order(passkey_ceremonies::expires_at.asc())
                .limit(limit.into())
                .select(passkey_ceremonies::hash)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(passkey_ceremonies::table)
                .filter(passkey_ceremonies::hash.eq_any(&over))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }
}
