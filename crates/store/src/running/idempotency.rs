//! Remembered replies in rows, encrypted.

use lyceum_ports::running::idempotency::{IdempotencyRepository, RememberedReply, ReplyKey};

use crate::mapping::schema::idempotency_replies;
use crate::mapping::vault::Vault;
use crate::prelude::*;
use crate::running::personal_data::marks_of;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = idempotency_replies, primary_key(person_id, workspace_id, key))]
struct ReplyRow {
    person_id: String,
    workspace_id: String,
    key: String,
    fingerprint: String,
    reply: String,
    created_at: Moment,
    /// Whom it may tell of.
    subjects: Option<String>,
}

impl ReplyRow {
    fn sealed(key: &ReplyKey, reply: &RememberedReply, vault: &Vault) -> Result<Self, StoreError> {
        let ReplyKey {
            person_id,
            workspace_id: _,
            key: text,
        } = key;
        let RememberedReply {
            fingerprint,
            reply,
            created_at,
        } = reply;
        Ok(Self {
            person_id: person_id.to_string(),
            workspace_id: rows::stored_workspace(key),
            key: text.clone(),
            fingerprint: fingerprint.clone(),
            reply: vault.seal(reply)?,
            created_at: (*created_at).into(),
            subjects: Some(marks_of(reply, text)),
        })
    }

    fn opened(self, vault: &Vault) -> Result<RememberedReply, StoreError> {
        Ok(RememberedReply {
            fingerprint: self.fingerprint,
            reply: vault.open(&self.reply)?,
            created_at: self.created_at.0,
        })
    }
}

impl IdempotencyRepository for Session<'_> {
    fn find(
        &mut self,
        key: &ReplyKey,
        oldest: Timestamp,
    ) -> Result<Option<RememberedReply>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            let found = idempotency_replies::table
                .find((
                    key.person_id.to_string(),
                    rows::stored_workspace(key),
                    &key.key,
                ))
                .filter(idempotency_replies::created_at.ge(Moment(oldest)));
            let row = on_either!(conn, found.select(ReplyRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(|row| row.opened(vault)).transpose()
    }

    fn remember(&mut self, key: &ReplyKey, reply: &RememberedReply) -> Result<(), StoreError> {
        let row = ReplyRow::sealed(key, reply, self.vault)?;
        // What stands there is too old to count, or `find` would have given it.
        self.put_row(|conn| match conn {
            AnyConnection::Sqlite(conn) => {
                let put = diesel::replace_into(idempotency_replies::table).values(&row);
                CachedByText(put).execute(conn)
            }
            // The same request sent twice at once: the database has the later one run again, and then it finds the reply.
            AnyConnection::Postgres(conn) => {
                let put = diesel::insert_into(idempotency_replies::table)
                    .values(&row)
                    .on_conflict((
                        idempotency_replies::person_id,
                        idempotency_replies::workspace_id,
                        idempotency_replies::key,
                    ))
                    .do_update()
                    .set(&row);
                CachedByText(put).execute(conn)
            }
        })
    }

    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        // Keys have no column of their own to be named by, so the batch ends with a moment.
        let last: Option<Moment> = self.run(|conn| {
            idempotency_replies::table
                .filter(idempotency_replies::created_at.lt(Moment(oldest)))
                .order(idempotency_replies::created_at.asc())
                .offset(i64::from(limit.saturating_sub(1)))
                .select(idempotency_replies::created_at)
                .first(conn)
                .optional()
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(idempotency_replies::table)
                .filter(idempotency_replies::created_at.lt(Moment(oldest)))
                .filter(idempotency_replies::created_at.le(last.unwrap_or(Moment(oldest))))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }
}
