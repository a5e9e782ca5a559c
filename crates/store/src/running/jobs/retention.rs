//! Removing jobs that ended long ago, a few at a time.

use lyceum_domain::running::jobs::JobKind;

use super::{dead, done};
use crate::mapping::schema::jobs;
use crate::prelude::*;

impl Session<'_> {
    pub(super) fn forget_done_jobs(
        &mut self,
        after: &mut Option<WorkspaceId>,
        oldest: Timestamp,
        kept: u16,
        limit: u16,
    ) -> Result<Option<u64>, StoreError> {
        let behind = after.map(|workspace| workspace.to_string());
        let Some(workspace) = self.next_with_done_jobs(&behind.unwrap_or_default())? else {
            return Ok(None);
        };
        let mut forgotten = 0;
        for kind in JobKind::ALL {
            let left = usize::from(limit) - forgotten;
            forgotten += self.forget_done_of(&workspace, *kind, oldest, kept, left)?;
        }
        if forgotten < usize::from(limit) {
            *after = Some(rows::id(&workspace)?);
        }
        rows::number(rows::stored_number(forgotten)).map(Some)
    }

    pub(super) fn forget_dead_jobs(
        &mut self,
        oldest: Timestamp,
        limit: u16,
    ) -> Result<u64, StoreError> {
        // Written out and not bound, because the index is made for the word.
        let dead: Vec<String> = self.run(|conn| {
            jobs::table
                .filter(dead())
                .filter(jobs::updated_at.lt(Moment(oldest)))
                .order(jobs::updated_at.asc())
                .limit(limit.into())
                .select(jobs::id)
                .load(conn)
        })?;
        let forgotten = self.forget_jobs(&dead)?;
        rows::number(rows::stored_number(forgotten))
    }

    fn next_with_done_jobs(&mut self, behind: &str) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            jobs::table
                .filter(done())
                .filter(jobs::workspace_id.gt(behind))
                .order(jobs::workspace_id.asc())
                .select(jobs::workspace_id)
                .first(conn)
                .optional()
        })
    }

    /// Those that are older than the newest ones, which say how long the next will take.
    fn forget_done_of(
        &mut self,
        workspace: &str,
        kind: JobKind,
        oldest: Timestamp,
        kept: u16,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let last_kept: Option<Moment> = self.run(|conn| {
            jobs::table
                .filter(done())
                .filter(jobs::workspace_id.eq(workspace))
                .filter(jobs::kind.eq(kind.as_str()))
                .order(jobs::updated_at.desc())
                .offset(i64::from(kept.saturating_sub(1)))
                .select(jobs::updated_at)
                .first(conn)
                .optional()
        })?;
        let Some(last_kept) = last_kept else {
            return Ok(0);
        };
        let old: Vec<String> = self.run(|conn| {
            jobs::table
                .filter(done())
                .filter(jobs::workspace_id.eq(workspace))
                .filter(jobs::kind.eq(kind.as_str()))
                .filter(jobs::updated_at.lt(Moment(oldest.min(last_kept.0))))
                .order(jobs::updated_at.asc())
                .limit(rows::stored_number(limit))
                .select(jobs::id)
                .load(conn)
        })?;
        self.forget_jobs(&old)
    }

    fn forget_jobs(&mut self, ids: &[String]) -> Result<usize, StoreError> {
        if ids.is_empty() {
            return Ok(0);
        }
        self.run(|conn| {
            diesel::delete(jobs::table)
                .filter(jobs::id.eq_any(ids))
                .execute(conn)
        })
    }
}
