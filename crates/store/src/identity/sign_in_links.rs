//! Links that let people in, in rows: everything but their secrets.

use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::SignInLink;
use lyceum_domain::ids::PersonId;
use lyceum_domain::text::Email;
use lyceum_ports::identity::sign_in_links::SignInLinkRepository;

use crate::mapping::schema::sign_in_links;
use crate::prelude::*;

row! {
    /// A link without the moment of its use.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sign_in_links)]
    struct SignInLinkRow of SignInLink {
        hash: SecretHash,
        person_id: Option<PersonId>,
        email: Email,
        browser: Option<SecretHash>,
        method: SignInMethod,
        created_at: Timestamp,
        expires_at: Timestamp,
    }
}

impl SignInLinkRepository for Session<'_> {
    fn insert(&mut self, link: &SignInLink) -> Result<(), StoreError> {
        let row = SignInLinkRow::from(link);
        self.run(|conn| {
            diesel::insert_into(sign_in_links::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<SignInLink>, StoreError> {
        let found = self.run(|conn| {
            sign_in_links::table
                .find(hash.as_str())
                .filter(sign_in_links::used_at.is_null())
                .filter(sign_in_links::expires_at.gt(Moment(now)))
                .select(SignInLinkRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(SignInLink::try_from).transpose()
    }

    fn redeem(&mut self, hash: &SecretHash, now: Timestamp) -> Result<bool, StoreError> {
        // Checked and used up in one statement: no two callers can both find it unused.
        let used = self.run(|conn| {
            diesel::update(sign_in_links::table)
                .filter(sign_in_links::hash.eq(hash.as_str()))
                .filter(sign_in_links::used_at.is_null())
                .filter(sign_in_links::expires_at.gt(Moment(now)))
                .set(sign_in_links::used_at.eq(Moment(now)))
                .execute(conn)
        })?;
        Ok(used == 1)
    }

    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let expired: Vec<String> = self.run(|conn| {
            sign_in_links::table
                .filter(sign_in_links::expires_at.lt(Moment(oldest)))
                .order(sign_in_links::expires_at.asc())
                .limit(limit.into())
                .select(sign_in_links::hash)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(sign_in_links::table)
                .filter(sign_in_links::hash.eq_any(&expired))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }
}
