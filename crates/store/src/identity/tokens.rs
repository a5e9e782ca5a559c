//! One-time login tokens in rows: everything but their secrets.

use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::tokens::LoginToken;
use lyceum_domain::ids::UserId;
use lyceum_domain::text::Email;
use lyceum_ports::identity::tokens::TokenRepository;

use crate::mapping::schema::login_tokens;
use crate::prelude::*;

row! {
    /// A token without the moment of its use: whoever gets one out has just used it.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = login_tokens)]
    struct TokenRow of LoginToken {
        hash: SecretHash,
        workspace_id: WorkspaceId,
        user_id: UserId,
        email: Email,
        issued_by: UserId,
        created_at: Timestamp,
        expires_at: Timestamp,
    }
}

impl TokenRepository for Session<'_> {
    fn insert(&mut self, token: &LoginToken) -> Result<(), StoreError> {
        let row = TokenRow::from(token);
        self.run(|conn| {
            diesel::insert_into(login_tokens::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn withdraw(&mut self, workspace: WorkspaceId, user: UserId) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(login_tokens::table)
                .filter(login_tokens::workspace_id.eq(workspace.to_string()))
                .filter(login_tokens::user_id.eq(user.to_string()))
                .filter(login_tokens::used_at.is_null())
                .execute(conn)
        })
        .map(drop)
    }

    fn redeem(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<LoginToken>, StoreError> {
        // Checked and used up in one statement: no two callers can both find it unused.
        let used = self.run(|conn| {
            diesel::update(login_tokens::table)
                .filter(login_tokens::hash.eq(hash.as_str()))
                .filter(login_tokens::used_at.is_null())
                .filter(login_tokens::expires_at.gt(Moment(now)))
                .set(login_tokens::used_at.eq(Moment(now)))
                .execute(conn)
        })?;
        if used == 0 {
            return Ok(None);
        }
        let row = self.run(|conn| {
            login_tokens::table
                .find(hash.as_str())
                .select(TokenRow::as_select())
                .first(conn)
        })?;
        LoginToken::try_from(row).map(Some)
    }

    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let expired: Vec<String> = self.run(|conn| {
            login_tokens::table
                .filter(login_tokens::expires_at.lt(Moment(oldest)))
                .order(login_tokens::expires_at.asc())
                .limit(limit.into())
                .select(login_tokens::hash)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(login_tokens::table)
                .filter(login_tokens::hash.eq_any(&expired))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }
}
