//! Digests in rows.

use lyceum_domain::ids::UserId;
use lyceum_domain::notifying::digests::Digest;
use lyceum_domain::notifying::local_time::LocalDate;
use lyceum_ports::notifying::digests::DigestRepository;

use crate::mapping::schema::digests;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = digests, primary_key(workspace_id, user_id), treat_none_as_null = true)]
    struct DigestRow of Digest {
        workspace_id: WorkspaceId,
        user_id: UserId,
        next_at: Option<Timestamp>,
        last_on: Option<LocalDate>,
    }
}

kept_as_text!(LocalDate);

impl DigestRepository for Session<'_> {
    fn find(&mut self, workspace: WorkspaceId, user: UserId) -> Result<Option<Digest>, StoreError> {
        let found = self.run(|conn| {
            let found = digests::table.find((workspace.to_string(), user.to_string()));
            let row = on_either!(conn, found.select(DigestRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Digest::try_from).transpose()
    }

    fn put(&mut self, digest: &Digest) -> Result<(), StoreError> {
        let row = DigestRow::from(digest);
        let changed = self.run(|conn| {
            let query = diesel::update(digests::table)
                .filter(digests::workspace_id.eq(&row.workspace_id))
                .filter(digests::user_id.eq(&row.user_id))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        if changed == 1 {
            return Ok(());
        }
        // Two browsers of one person may ask at once for the first time: the later one is run again, and then finds it.
        self.insert_absent(|conn| {
            diesel::insert_into(digests::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn due(&mut self, now: Timestamp, limit: u16) -> Result<Vec<Digest>, StoreError> {
        let found = self.run(|conn| {
            let query = digests::table
                .filter(digests::next_at.is_not_null())
                .filter(digests::next_at.le(Moment(now)))
                .order(digests::next_at.asc())
                .limit(limit.into());
            on_either!(
                conn,
                CachedByText(query.select(DigestRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(Digest::try_from).collect()
    }

    fn move_on(&mut self, from: Timestamp, to: &Digest) -> Result<bool, StoreError> {
        let row = DigestRow::from(to);
        let moved = self.run(|conn| {
            let query = diesel::update(digests::table)
                .filter(digests::workspace_id.eq(&row.workspace_id))
                .filter(digests::user_id.eq(&row.user_id))
                .filter(digests::next_at.eq(Moment(from)))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        Ok(moved == 1)
    }
}
