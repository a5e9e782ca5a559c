//! Background jobs: rows, written with the change that wants them.

mod moves;

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::jobs::{Job, JobKind, JobLane, KindBacklog};
use uuid::Uuid;

use crate::error::StoreError;
use crate::running::nodes::{Lease, NodeId};
use crate::traces::TraceParent;

pub use moves::{JobMove, JobState};

/// A job in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedJob {
    /// Its identifier.
    pub id: Uuid,
    /// The tenant it works for.
    pub workspace_id: WorkspaceId,
    /// What is to be done.
    pub task: Job,
    /// Which attempt this is: 1 for the first. It fences: only the newest attempt may settle the job.
    pub attempt: u32,
    /// In how many attempts an AI provider was asked in vain.
    pub tries: u32,
    /// After how many attempts it is given up.
    pub max_attempts: u32,
    /// When it is due.
    pub run_at: Timestamp,
    /// When it was first taken up; `None` before that.
    pub begun_at: Option<Timestamp>,
    /// What caused it, where that is traced.
    pub trace: Option<TraceParent>,
}

impl QueuedJob {
    /// How long a claim lasts without a heartbeat.
    pub const LEASE: Duration = Duration::from_mins(1);

    /// How many attempts may end without a word, which is to say with the process that made them.
    pub const LOST_ATTEMPTS: u32 = 5;
    /// How long after it was first taken up a job goes on asking a provider that is not there.
    pub const PATIENCE: Duration = Duration::from_mins(15);

    /// So often a provider is asked before a job is given up, if that is possible within [`Self::LONGEST_PATIENCE`].
    pub const LEAST_TRIES: u32 = 3;
    /// How long a job waits to be let through at all.
    pub const LONGEST_PATIENCE: Duration = Duration::from_hours(1);

    /// When the patience of a job ends that has asked so often in vain: later, where it was hardly let through.
    pub fn deadline(&self, tries: u32) -> Timestamp {
        let patience = if tries < Self::LEAST_TRIES {
            Self::LONGEST_PATIENCE
        } else {
            Self::PATIENCE
        };
        self.begun_at.unwrap_or(self.run_at).plus(patience)
    }

    /// Whether there will be no attempt after this one.
    pub const fn is_last_attempt(&self) -> bool {
        self.attempt >= self.max_attempts
    }
}

/// What of a lane is due and what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneBacklog {
    /// The lane.
    pub lane: JobLane,
    /// How many jobs are due and not taken up.
    pub due: u64,
    /// Since when the first of them is.
    pub due_since: Option<Timestamp>,
    /// How many run.
    pub running: u64,
}

/// What is to be done in the background, in all workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobBacklog {
    /// Every lane.
    pub lanes: Vec<LaneBacklog>,
    /// How many jobs were given up.
    pub dead: u64,
}

/// Where jobs are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait JobRepository {
    /// Adds a job to the queue.
    fn enqueue(&mut self, job: &QueuedJob, now: Timestamp) -> Result<(), StoreError>;
    /// How long a workspace's newest `limit` jobs of a kind took, from being queued to being done.
    fn recent_durations(
        &mut self,
        workspace: WorkspaceId,
        kind: JobKind,
        limit: u16,
    ) -> Result<Vec<Duration>, StoreError>;
    /// Takes up to `limit` jobs of a lane, raising their attempt: those whose lease ran out, and then those that are
    /// due, by turns. Of the workspaces that wait, who has least running comes first and then who comes behind `turn`,
    /// which is moved on; of one workspace the longest waiting come first, and no more than [`JobLane::share`] run.
    fn claim(
        &mut self,
        lane: JobLane,
        lease: &Lease,
        turn: &mut Option<WorkspaceId>,
        limit: u16,
    ) -> Result<Vec<QueuedJob>, StoreError>;
    /// Extends the lease; false if another attempt has taken the job.
    fn extend(&mut self, job: &QueuedJob, lease_until: Timestamp) -> Result<bool, StoreError>;
    /// Ends the job; false, and nothing changed, if another attempt has taken it.
    fn finish(&mut self, job: &QueuedJob, now: Timestamp) -> Result<bool, StoreError>;
    /// Puts the job back, to be tried again at this moment, having asked so often in vain, with [`QueuedJob::LOST_ATTEMPTS`] more attempts than it has had: who
    /// asks for another is alive. False if another attempt has taken it.
    fn retry(
        &mut self,
        job: &QueuedJob,
        again: (Timestamp, u32),
        error: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Gives the job up for good; false if another attempt has taken it.
    fn bury(&mut self, job: &QueuedJob, error: &str, now: Timestamp) -> Result<bool, StoreError>;
    /// Ends every lease now: for the start of a process when no other can be alive.
    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError>;
    /// Ends the leases of these nodes now, because they are gone; how many those were.
    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError>;
    /// Puts back what a node that stops still holds, due now. The attempt was broken off and not lost: one more is
    /// granted. How many jobs those were.
    fn put_back(&mut self, node: NodeId, now: Timestamp) -> Result<u64, StoreError>;
    /// Removes up to `limit` jobs of the first workspace behind `after` that were done before `oldest`, but of each kind
    /// none of the `kept` newest, and moves `after` on when nothing is left to remove there. How many those were; `None`
    /// behind the last workspace.
    fn forget_done(
        &mut self,
        after: &mut Option<WorkspaceId>,
        oldest: Timestamp,
        kept: u16,
        limit: u16,
    ) -> Result<Option<u64>, StoreError>;
    /// Removes up to `limit` jobs that were given up before `oldest`; how many those were.
    fn forget_dead(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
    /// What is due or runs, lane by lane, and how many jobs were given up and not yet forgotten.
    fn backlog(&mut self, now: Timestamp) -> Result<JobBacklog, StoreError>;
    /// What is due, waits or runs of one workspace, kind by kind; kinds of which there is nothing are left out, and so are those that this
    /// version does not know.
    fn backlog_of(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<Vec<KindBacklog>, StoreError>;
    /// Puts right up to `limit` of what was written by a clock that was ahead of `now`: who waits, waits as long as was
    /// meant when it was written, and no lease lasts longer than `lease`. How many those were.
    fn set_right(&mut self, now: Timestamp, lease: Duration, limit: u16)
    -> Result<u64, StoreError>;
    /// When the next job or lease is due, if any is waiting.
    fn next_due(&mut self) -> Result<Option<Timestamp>, StoreError>;
}
