//! One item of a batch: an answer, or an attack, and what came of it.

use crate::Timestamp;
use crate::grading::grades::{GradeSource, Grader, Judgement};
use crate::grading::red_team::AttackTechnique;
use crate::grading::submissions::SubmissionSnapshot;
use crate::ids::{BatchId, SubmissionId};
use crate::points::Points;
use crate::words::words;

words!(
    /// Where an item stands.
    ItemState {
        /// Nobody was asked yet.
        Waiting = "waiting",
        /// AI is asked.
        Asked = "asked",
        /// AI graded it.
        Graded = "graded",
        /// AI could not.
        Failed = "failed",
        /// What was previewed landed.
        Landed = "landed",
        /// It was left as it is, for a reason that is named.
        Left = "left",
        /// What stood before stands again.
        Undone = "undone",
        /// It landed, and what stood before was not put back, for a reason that is named.
        Kept = "kept",
    }
);

impl ItemState {
    /// Whether AI has nothing more to do for it.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Waiting | Self::Asked => false,
            Self::Graded | Self::Failed | Self::Landed | Self::Left | Self::Undone | Self::Kept => {
                true
            }
        }
    }
}

words!(
    /// Why what was previewed did not land, or what stood before was not put back.
    LeftBecause {
        /// Somebody graded it, AI did, or it moved on, since it was previewed.
        Changed = "changed",
        /// A person decided about it, and the commit does not name it.
        Decided = "decided_by_person",
        /// It was given back to the student.
        Returned = "returned",
        /// It waits for a grade that is given blind.
        Blind = "awaits_blind_grade",
        /// AI is grading it.
        Pending = "ai_pending",
        /// It is gone, or in the trash.
        Gone = "gone",
    }
);

/// The grade that stood when the batch looked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundGrade {
    /// Its points, if there was one.
    pub score: Option<Points>,
    /// Who gave it.
    pub by: Option<GradeSource>,
    /// Whether a person had the last word.
    pub decided: bool,
    /// The best possible.
    pub max_score: Points,
    /// The newest receipt of its history; empty before there is one.
    pub receipt: String,
}

/// What AI said of it, kept apart from all records.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The judgement.
    pub judgement: Judgement,
    /// For the student.
    pub feedback: String,
    /// Who judged, and with what.
    pub grader: Grader,
    /// SHA-256 of everything that fixed the grade but the text.
    pub grader_hash: String,
    /// When that was read, before AI was asked.
    pub read_at: Timestamp,
    /// What the model answered, word for word, where one was asked.
    pub answer: Option<String>,
    /// Names the question, where its answer may be taken over later.
    pub result_key: Option<String>,
    /// Whether it would wait for a person, were it an answer that somebody handed in and a certificate in force; how sure AI is of it
    /// left aside.
    pub is_held: bool,
}

/// Why AI could not grade it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemFailure {
    /// Such as `ai_provider_error`.
    pub code: String,
    /// For a person.
    pub message: String,
}

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchItem {
    /// Of which batch.
    pub batch_id: BatchId,
    /// Its place, from 0.
    pub place: u32,
    /// The answer it is about; none of an attack.
    pub submission_id: Option<SubmissionId>,
    /// Where it stands.
    pub state: ItemState,
    /// What an attack tries; none of an answer, and of a clean text.
    pub technique: Option<AttackTechnique>,
    /// The place, in the batch, of the clean text that an attack is made over.
    pub base: Option<u32>,
    /// What is graded where nobody handed it in.
    pub text: Option<String>,
    /// What stood when it was previewed.
    pub found: Option<FoundGrade>,
    /// What AI said.
    pub preview: Option<Preview>,
    /// Why it said nothing.
    pub failure: Option<ItemFailure>,
    /// Why it was left alone.
    pub left: Option<LeftBecause>,
    /// What stood before it landed.
    pub before: Option<Box<SubmissionSnapshot>>,
    /// The receipt of the record that landed.
    pub landed: Option<String>,
}

impl BatchItem {
    /// Of an answer.
    pub const fn of_submission(batch_id: BatchId, place: u32, submission: SubmissionId) -> Self {
        Self::new(batch_id, place, Some(submission))
    }

    /// Of a text that nobody handed in.
    pub fn of_text(batch_id: BatchId, place: u32, text: String) -> Self {
        Self {
            text: Some(text),
            ..Self::new(batch_id, place, None)
        }
    }

    const fn new(batch_id: BatchId, place: u32, submission_id: Option<SubmissionId>) -> Self {
        Self {
            batch_id,
            place,
            submission_id,
            state: ItemState::Waiting,
            technique: None,
            base: None,
            text: None,
            found: None,
            preview: None,
            failure: None,
            left: None,
            before: None,
            landed: None,
        }
    }

    /// AI is asked about it.
    pub fn ask(&mut self) {
        self.state = ItemState::Asked;
    }

    /// AI graded it.
    pub fn graded(&mut self, found: Option<FoundGrade>, preview: Preview) {
        self.state = ItemState::Graded;
        self.found = found;
        self.preview = Some(preview);
    }

    /// AI graded it where everybody sees it: there is nothing to keep here.
    pub fn graded_in_place(&mut self) {
        self.state = ItemState::Graded;
    }

    /// AI could not.
    pub fn fail(&mut self, code: &str, message: &str) {
        self.state = ItemState::Failed;
        self.failure = Some(ItemFailure {
            code: code.to_owned(),
            message: message.to_owned(),
        });
    }

    /// What was previewed landed.
    pub fn land(&mut self, before: SubmissionSnapshot, receipt: String) {
        self.state = ItemState::Landed;
        self.before = Some(Box::new(before));
        self.landed = Some(receipt);
    }

    /// It is left as it is: what was previewed does not land, or what landed is not taken back.
    pub fn leave(&mut self, because: LeftBecause) {
        self.state = if self.state == ItemState::Landed {
            ItemState::Kept
        } else {
            ItemState::Left
        };
        self.left = Some(because);
    }

    /// What stood before stands again.
    pub fn undo(&mut self) {
        self.state = ItemState::Undone;
        self.before = None;
    }

    /// What AI gave.
    pub fn score(&self) -> Option<Points> {
        self.preview.as_ref().map(|preview| preview.judgement.score)
    }
}
