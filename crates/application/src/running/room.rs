//! How much room learners and workspaces take, and that nobody takes more than is theirs.
//!
//! A learner's works and answers are summed up when something is added to them: by an index, and of one learner. What a
//! workspace keeps is measured now and then, beside everything else, and kept in a row that nobody who writes ever
//! touches; in between a node adds what it was sent since. Where that comes to more than there may be, it is measured
//! again before long: drafts that were written over, and what was deleted, no longer count then.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lyceum_domain::ids::UserId;
pub use lyceum_ports::running::storage_use::StorageUse;

use crate::app::App;
use crate::error::Quota;
use crate::prelude::*;

/// How old a measure may grow.
const MEASURED_EVERY: Duration = Duration::from_hours(1);
/// How old it is at least before it is taken again because a workspace seems to be full.
const AGAIN_AFTER: Duration = Duration::from_mins(1);
/// What is sent stands in the thing itself, in the events of it and in the answer that is remembered.
const TIMES: u64 = 4;
/// The least that a change writes.
const LEAST: u64 = 4 << 10;
/// Most workspaces that are looked up at once to be measured.
const AT_ONCE: u16 = 64;
/// A body that says nothing: whoever ends, revokes or restores something needs no more.
const NOTHING: usize = 2;

/// What a node knows of how much workspaces keep; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Room(Arc<Mutex<HashMap<WorkspaceId, KnownUse>>>);

#[derive(Debug, Clone, Copy)]
struct KnownUse {
    measured: Option<StorageUse>,
    /// What this node was sent since.
    since: u64,
}

impl KnownUse {
    fn bytes(&self) -> u64 {
        let measured = self.measured.map_or(0, |measured| measured.bytes);
        measured.saturating_add(self.since)
    }
}

impl Room {
    fn known(&self) -> MutexGuard<'_, HashMap<WorkspaceId, KnownUse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what a workspace was sent to keep, if it fits.
    ///
    /// # Errors
    /// [`Conflict::QuotaExceeded`]
    pub fn take(
        &self,
        workspace: WorkspaceId,
        limit: Option<u64>,
        sent: usize,
    ) -> Result<(), Error> {
        let Some(limit) = limit.filter(|_| sent > NOTHING) else {
            return Ok(());
        };
        let mut known = self.known();
        let known = known.entry(workspace).or_insert(KnownUse {
            measured: None,
            since: 0,
        });
        let used = known.bytes();
        if used >= limit {
            let quota = Quota::Workspace;
            return Err(Conflict::QuotaExceeded { quota, used, limit }.into());
        }
        let sent = u64::try_from(sent).unwrap_or(u64::MAX);
        known.since = known
            .since
            .saturating_add(sent.saturating_mul(TIMES).max(LEAST));
        Ok(())
    }

    /// Takes over what was measured, here or elsewhere, where it is newer.
    fn renew(&self, measured: Vec<StorageUse>) {
        let mut known = self.known();
        let there: HashSet<WorkspaceId> = measured.iter().map(|one| one.workspace_id).collect();
        for one in measured {
            let entry = known.entry(one.workspace_id).or_insert(KnownUse {
                measured: None,
                since: 0,
            });
            if entry.measured != Some(one) {
                *entry = KnownUse {
                    measured: Some(one),
                    since: 0,
                };
            }
        }
        // Workspaces that are gone are no longer kept in mind; those that are new are, until they are measured.
        known.retain(|id, one| there.contains(id) || one.measured.is_none());
    }

    /// Those that seem to be full by what was sent since they were measured.
    fn in_doubt(&self, limit: Option<u64>, now: Timestamp) -> Vec<WorkspaceId> {
        let Some(limit) = limit else {
            return Vec::new();
        };
        let known = self.known();
        let doubted = known.iter().filter(|(_, one)| {
            let is_old = one
                .measured
                .is_none_or(|measured| measured.measured_at.plus(AGAIN_AFTER) <= now);
            one.bytes() >= limit && is_old
        });
        doubted.map(|(id, _)| *id).collect()
    }

    /// Bytes that all workspaces keep together, as they were measured; and how many of them are full.
    pub fn totals(&self, limit: Option<u64>) -> (u64, u64) {
        let known = self.known();
        let bytes = known
            .values()
            .map(KnownUse::bytes)
            .fold(0, u64::saturating_add);
        let full = known
            .values()
            .filter(|one| limit.is_some_and(|limit| one.bytes() >= limit));
        (bytes, u64::try_from(full.count()).unwrap_or(u64::MAX))
    }
}

/// Refuses what does not fit into the room of a learner any more, whoever adds it.
///
/// # Errors
/// [`Conflict::QuotaExceeded`]
pub fn check_learner(
    tx: &mut dyn Tx,
    ctx: &Context,
    learner: UserId,
    more: usize,
) -> Result<(), Error> {
    let Some(limit) = ctx.settings.spending.learner_bytes else {
        return Ok(());
    };
    if more == 0 {
        return Ok(());
    }
    let used = tx.storage_use().of_learner(ctx.workspace_id(), learner)?;
    let more = u64::try_from(more).unwrap_or(u64::MAX);
    if used.saturating_add(more) > limit {
        let quota = Quota::Learner;
        return Err(Conflict::QuotaExceeded { quota, used, limit }.into());
    }
    Ok(())
}

/// Workspaces that are to be measured now: those that nobody has for an hour, and those that seem to be full.
pub async fn due(app: &App) -> Result<Vec<WorkspaceId>, Error> {
    let now = app.clock.now();
    let since = now.minus(MEASURED_EVERY);
    let mut due = app
        .room
        .in_doubt(app.settings.spending.workspace_bytes, now);
    let stale = app
        .store
        .read_at_length(move |tx| Ok::<_, Error>(tx.storage_use().stale(since, AT_ONCE)?));
    for id in stale.await? {
        if !due.contains(&id) {
            due.push(id);
        }
    }
    Ok(due)
}

/// Measures a workspace, beside everything else.
pub async fn measure(app: &App, workspace: WorkspaceId) -> Result<(), Error> {
    let measuring = app
        .store
        .read_at_length(move |tx| Ok::<_, Error>(tx.storage_use().measure(workspace)?));
    let measured = StorageUse {
        workspace_id: workspace,
        bytes: measuring.await?,
        measured_at: app.clock.now(),
    };
    app.store
        .conclude(move |tx| {
            // It may have been deleted meanwhile.
            match tx.workspaces().find(workspace)? {
                Some(_) => Ok(tx.storage_use().keep(&measured)?),
                None => Ok::<_, Error>(()),
            }
        })
        .await
}

/// Takes over what was measured, on whatever node.
pub async fn renew(app: &App) -> Result<(), Error> {
    let measured = app
        .store
        .read_at_length(|tx| Ok::<_, Error>(tx.storage_use().all()?))
        .await?;
    app.room.renew(measured);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::visibility::tests::{id, now};

    fn measured(bytes: u64, at: Timestamp) -> StorageUse {
        StorageUse {
            workspace_id: id(1),
            bytes,
            measured_at: at,
        }
    }

    fn is_full(room: &Room, limit: u64) -> bool {
        let taken = room.take(id(1), Some(limit), 100);
        matches!(
            taken,
            Err(Error::Conflict(Conflict::QuotaExceeded {
                quota: Quota::Workspace,
                ..
            }))
        )
    }

    #[test]
    fn what_was_sent_since_the_last_measure_counts_until_the_next() {
        let room = Room::default();
        room.renew(vec![measured(1_000, now())]);
        assert!(!is_full(&room, 6_000));
        assert!(!is_full(&room, 6_000));
        assert!(is_full(&room, 6_000), "twice the least was added");
        assert_eq!(room.totals(Some(6_000)), (1_000 + 2 * LEAST, 1));
        let later = now().plus(AGAIN_AFTER);
        assert_eq!(room.in_doubt(Some(6_000), now()), []);
        assert_eq!(room.in_doubt(Some(6_000), later), [id(1)]);
        room.renew(vec![measured(1_000, now())]);
        assert!(is_full(&room, 6_000), "the same measure says nothing new");
        room.renew(vec![measured(1_000, later)]);
        assert!(!is_full(&room, 6_000));
    }

    #[test]
    fn who_sends_nothing_to_be_kept_is_never_refused_and_without_a_limit_nobody_is() {
        let room = Room::default();
        room.renew(vec![measured(9_000, now())]);
        assert!(is_full(&room, 6_000));
        assert!(room.take(id(1), Some(6_000), NOTHING).is_ok());
        assert!(room.take(id(1), None, 1 << 30).is_ok());
        assert!(room.take(id(2), Some(6_000), 100).is_ok(), "another's room");
    }

    #[test]
    fn workspaces_that_are_gone_are_not_kept_in_mind() {
        let room = Room::default();
        room.renew(vec![measured(9_000, now())]);
        room.renew(Vec::new());
        assert_eq!(room.totals(None), (0, 0));
    }
}
