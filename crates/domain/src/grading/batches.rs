//! Batches: AI at work on many answers of an assignment at once, apart from what learners see until somebody says so.
//!
//! A regrade is previewed, committed and undone; a bulk grading asks for every answer that waits; a red team has attacks graded
//! that nobody handed in. What a batch is about are its items, each with a place that never changes.

use std::collections::BTreeMap;

use crate::authoring::rubric::Rubric;
use crate::grading::red_team::RedTeamReport;
use crate::grading::submissions::{BlindGrading, SubmissionStatus};
use crate::ids::{AssignmentId, BatchId, CohortId, SubmissionId, WorkspaceId};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{Stamp, Timestamp};

mod item;
mod summary;

pub use item::{BatchItem, FoundGrade, ItemFailure, ItemState, LeftBecause, Preview};
pub use summary::{ChangeSummary, Crossing, crossing};

words!(
    /// What a batch does.
    BatchKind {
        /// Grades again, and shows what would change before anything does.
        Regrade = "regrade",
        /// Asks AI for every answer that waits for a grade.
        Grading = "grading",
        /// Has attacks on the assignment's grader graded, apart from all records.
        RedTeam = "red_team",
    }
);

words!(
    /// Where a batch stands.
    BatchState {
        /// AI is at work on its items.
        Running = "running",
        /// A regrade was previewed, and nothing of it has landed.
        Ready = "ready",
        /// What was previewed lands.
        Committing = "committing",
        /// It has landed.
        Committed = "committed",
        /// What stood before is put back.
        Undoing = "undoing",
        /// What stood before stands again.
        Undone = "undone",
        /// All of it is done; a bulk grading or a red team has nothing to commit.
        Done = "done",
        /// Somebody stopped it: what was not begun is not done.
        Stopped = "stopped",
    }
);

impl BatchState {
    /// Whether a job tends it.
    pub const fn is_busy(self) -> bool {
        match self {
            Self::Running | Self::Committing | Self::Undoing => true,
            Self::Ready | Self::Committed | Self::Undone | Self::Done | Self::Stopped => false,
        }
    }
}

/// Which answers a batch is about; what is absent leaves nobody out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchSelection {
    /// Those whose AI grade is older than what grades now.
    pub only_stale: bool,
    /// Those in this state.
    pub status: Option<SubmissionStatus>,
    /// Those of this cohort.
    pub cohort_id: Option<CohortId>,
    /// These alone.
    pub submission_ids: Vec<SubmissionId>,
}

/// What of an answer decides whether it is selected.
#[derive(Debug, Clone, Copy)]
pub struct Selectable {
    /// Which.
    pub id: SubmissionId,
    /// Where it is.
    pub status: SubmissionStatus,
    /// In which cohort it was made.
    pub cohort_id: Option<CohortId>,
    /// Whether it is to be graded blind.
    pub blind: BlindGrading,
    /// Whether its AI grade is older than what grades now.
    pub is_stale: bool,
}

impl BatchSelection {
    /// Whether an answer is selected. What waits for a blind grade never is: a preview would show what AI says of it.
    pub fn takes(&self, one: &Selectable) -> bool {
        one.blind != BlindGrading::Awaited
            && one.status != SubmissionStatus::Draft
            && (!self.only_stale || one.is_stale)
            && self.status.is_none_or(|status| status == one.status)
            && (self.cohort_id.is_none() || self.cohort_id == one.cohort_id)
            && (self.submission_ids.is_empty() || self.submission_ids.contains(&one.id))
    }
}

/// What grades, as it was when the batch began.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGrader {
    /// The rubric; frozen, so that a preview is of one rubric.
    pub rubric: Rubric,
    /// The model asked for; empty means the provider's own.
    pub model: String,
    /// Whether that is the assignment's own, and not one that the batch names.
    pub is_usual: bool,
    /// The lowest confidence, in hundredths, with which anything goes out: what attacks are held against.
    pub min_confidence: u8,
}

impl BatchGrader {
    /// Whether both grade alike, however sure each has to be before anything goes out.
    pub fn grades_as(&self, other: &Self) -> bool {
        (&self.rubric, &self.model, self.is_usual) == (&other.rubric, &other.model, other.is_usual)
    }
}

/// A batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: BatchId,
    /// Whose answers it is about.
    pub assignment_id: AssignmentId,
    /// What it does.
    pub kind: BatchKind,
    /// Where it stands.
    pub state: BatchState,
    /// Which answers it is about.
    pub selection: BatchSelection,
    /// What grades.
    pub grader: BatchGrader,
    /// How many items it has; none while they are being collected.
    pub size: Option<u32>,
    /// Submissions whose grade of a person a commit may replace.
    pub replace: Vec<SubmissionId>,
    /// What a regrade would change, once it was previewed.
    pub summary: Option<ChangeSummary>,
    /// What came of the attacks.
    pub report: Option<RedTeamReport>,
    /// How many quarters of it have been told of.
    pub told: u8,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// How many items are in each state; what there is none of is not in it.
pub type ItemCounts = BTreeMap<ItemState, u64>;

impl Batch {
    /// The most answers that a batch is about: the newest.
    pub const MOST_ITEMS: u16 = 10_000;

    /// A batch that begins.
    pub fn new(
        (workspace_id, id, assignment_id): (WorkspaceId, BatchId, AssignmentId),
        kind: BatchKind,
        selection: BatchSelection,
        grader: BatchGrader,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            assignment_id,
            kind,
            state: BatchState::Running,
            selection,
            grader,
            size: None,
            replace: Vec::new(),
            summary: None,
            report: None,
            told: 0,
            stamp: Stamp::new(now),
        }
    }

    /// Its items were collected.
    pub fn collected(&mut self, size: u32, now: Timestamp) {
        self.size = Some(size);
        self.stamp.touch(now);
    }

    /// Whether another quarter of it is over since that was last told; noted, where it is. The last is told by its end.
    pub fn tells(&mut self, ended: u64, now: Timestamp) -> bool {
        let size = u64::from(self.size.unwrap_or_default());
        let quarters = (ended * 4).checked_div(size).unwrap_or_default().min(3);
        let quarters = u8::try_from(quarters).unwrap_or_default();
        if quarters <= self.told {
            return false;
        }
        self.told = quarters;
        self.stamp.touch(now);
        true
    }

    /// running → ready, where it is a regrade.
    pub fn previewed(&mut self, summary: ChangeSummary, now: Timestamp) {
        self.summary = Some(summary);
        self.go_to(BatchState::Ready, now);
    }

    /// running → done, where there is nothing to commit.
    pub fn done(&mut self, report: Option<RedTeamReport>, now: Timestamp) {
        self.report = report;
        self.go_to(BatchState::Done, now);
    }

    /// ready → committing; whether that changes anything: what lands, or has landed, is not landed again.
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn commit(
        &mut self,
        replace: Vec<SubmissionId>,
        now: Timestamp,
    ) -> Result<bool, InvalidTransition> {
        match self.state {
            BatchState::Ready => {
                self.replace = replace;
                self.go_to(BatchState::Committing, now);
                Ok(true)
            }
            BatchState::Committing | BatchState::Committed => Ok(false),
            BatchState::Running
            | BatchState::Undoing
            | BatchState::Undone
            | BatchState::Done
            | BatchState::Stopped => Err(self.cannot("be committed")),
        }
    }

    /// committing → committed
    pub fn committed(&mut self, now: Timestamp) {
        self.go_to(BatchState::Committed, now);
    }

    /// committed → undoing; whether that changes anything.
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn undo(&mut self, now: Timestamp) -> Result<bool, InvalidTransition> {
        match self.state {
            BatchState::Committed => {
                self.go_to(BatchState::Undoing, now);
                Ok(true)
            }
            BatchState::Undoing | BatchState::Undone => Ok(false),
            BatchState::Running
            | BatchState::Ready
            | BatchState::Committing
            | BatchState::Done
            | BatchState::Stopped => Err(self.cannot("be undone")),
        }
    }

    /// undoing → undone
    pub fn undone(&mut self, now: Timestamp) {
        self.go_to(BatchState::Undone, now);
    }

    /// Stops it: what was not begun is not done, and a preview is thrown away. Whether that changes anything.
    ///
    /// # Errors
    /// [`InvalidTransition`] once it lands, or is over.
    pub fn stop(&mut self, now: Timestamp) -> Result<bool, InvalidTransition> {
        match self.state {
            BatchState::Running | BatchState::Ready => {
                self.go_to(BatchState::Stopped, now);
                Ok(true)
            }
            BatchState::Stopped => Ok(false),
            BatchState::Committing
            | BatchState::Committed
            | BatchState::Undoing
            | BatchState::Undone
            | BatchState::Done => Err(self.cannot("be stopped")),
        }
    }

    fn go_to(&mut self, state: BatchState, now: Timestamp) {
        self.state = state;
        self.stamp.touch(now);
    }

    /// The refusal of beginning another one of its kind.
    pub const fn is_busy(&self) -> InvalidTransition {
        self.cannot("be joined by another one that asks for something else")
    }

    /// The refusal of landing what was previewed with another rubric or model than those that grade now.
    pub const fn is_outdated(&self) -> InvalidTransition {
        self.cannot(
            "be committed, because the rubric or the model has changed since: preview it again",
        )
    }

    const fn cannot(&self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "batch",
            from: self.state.as_str(),
            action,
        }
    }
}

#[cfg(test)]
mod tests;
