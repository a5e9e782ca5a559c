//! One try for a certificate, from the moment the examples are frozen to its end.

use std::num::NonZeroU32;

use super::declaration::{Declaration, Sample, Terms};
use super::gate::Gate;
use crate::authoring::release_terms::ReleaseTerms;
use crate::grading::receipts::ChainHead;
use crate::grading::release::draw::Arrivals;
use crate::grading::release::monitor::State;
use crate::grading::release::thresholds::Tested;
use crate::ids::{AssignmentId, CertificateId, WorkspaceId};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{Stamp, Timestamp};

words! {
    /// Where a try for a certificate stands.
    CertificationState {
        /// AI grades anew what waits, by the frozen examples.
        Grading = "grading",
        /// Answers were drawn and wait for grades that are given blind.
        Testing = "testing",
        /// The look at them earned nothing; a further one may.
        Refused = "refused",
        /// There is a certificate, and grades go out by it.
        Valid = "valid",
        /// The newest audits no longer prove it: nothing goes out.
        Paused = "paused",
        /// Disagreement is shown to be more than promised. This grader gets none here again.
        Revoked = "revoked",
        /// What was tested is no longer what grades.
        Lapsed = "lapsed",
        /// It was given up, or could not begin.
        Ended = "ended",
    }
}

words! {
    /// Why a try ended without being revoked or lapsed.
    EndCause {
        /// There are not enough answers for any promise like this.
        TooFew = "too_few",
        /// A person gave it up.
        GivenUp = "given_up",
        /// Another try took its place.
        Replaced = "replaced",
        /// This grader was revoked here before.
        GraderRevoked = "grader_revoked",
        /// No money is left to have AI grade what waits.
        AiBudgetExceeded = "ai_budget_exceeded",
    }
}

/// One try.
#[derive(Debug, Clone, PartialEq)]
pub struct Certification {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: CertificateId,
    /// Whose grades it is about.
    pub assignment_id: AssignmentId,
    /// Where it stands.
    pub state: CertificationState,
    /// What it has to promise.
    pub terms: ReleaseTerms,
    /// How many answers the teacher wants to grade for the first look, where a number was given.
    pub tests: Option<u32>,
    /// Examples are those that were graded until then.
    pub frozen_at: Timestamp,
    /// How many looks the assignment had spent when it began.
    pub looks_before: u32,
    /// How many it has spent with it. Who has seen a grade of a sample has spent its look.
    pub looks_spent: u32,
    /// The newest record of the assignment's chain, noted apart from it so that a cut-off end shows.
    pub head: ChainHead,
    /// What was declared, once every answer was graded by the same grader.
    pub declared: Option<Declared>,
    /// Why it ended.
    pub ended_because: Option<EndCause>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// What a declaration fixed, without the answers it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// SHA-256 of everything that fixes a grade.
    pub grader_hash: String,
    /// How many answers are drawn for its looks, growing.
    pub sizes: Vec<u32>,
    /// SHA-256 of the sealed seed.
    pub seed_hash: String,
    /// How many answers were at hand.
    pub size: u32,
    /// The number of the look that was drawn last, in the life of the assignment.
    pub look: NonZeroU32,
    /// The certificate, where a look earned one.
    pub issued: Option<Issued>,
}

/// What a certificate says, and how far it has come. Rates are whole parts per million, rounded up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The lowest confidence that goes out, in hundredths.
    pub threshold: u8,
    /// How many answers were drawn above it.
    pub tests: u32,
    /// On how many of them AI and teacher disagreed.
    pub errors: u32,
    /// How many of those at hand are above it.
    pub at_hand: u32,
    /// The highest share of disagreements among those at hand that nobody looked at.
    pub bound_at_hand: u32,
    /// The highest rate of disagreements of their source.
    pub bound_of_later: u32,
    /// How many later answers came that would go out.
    pub arrivals: Arrivals,
}

impl Certification {
    /// A try that begins: from now on no grade of a person becomes an example.
    pub fn new(
        (workspace_id, id, assignment_id): (WorkspaceId, CertificateId, AssignmentId),
        terms: ReleaseTerms,
        tests: Option<u32>,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            assignment_id,
            state: CertificationState::Grading,
            terms,
            tests,
            frozen_at: now,
            looks_before: 0,
            looks_spent: 0,
            head: ChainHead::default(),
            declared: None,
            ended_because: None,
            stamp: Stamp::new(now),
        }
    }

    /// The same, after another of the assignment: looks are spent for good, and the chain goes on.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        self.looks_before = before.looks_spent;
        self.looks_spent = before.looks_spent;
        self.head = before.head.clone();
        self
    }

    /// Notes the newest record of the chain.
    pub fn note(&mut self, head: ChainHead, now: Timestamp) {
        self.head = head;
        self.stamp.touch(now);
    }

    /// Whether the grader is frozen for it.
    pub const fn is_open(&self) -> bool {
        match self.state {
            CertificationState::Grading
            | CertificationState::Testing
            | CertificationState::Refused
            | CertificationState::Valid
            | CertificationState::Paused => true,
            CertificationState::Revoked
            | CertificationState::Lapsed
            | CertificationState::Ended => false,
        }
    }

    /// What is asked for, as the statistics take it.
    pub fn promised(&self) -> Terms {
        Terms::from(&self.terms)
    }

    /// What of it decides where grades land; none while there is no certificate.
    pub fn gate(&self) -> Option<Gate> {
        let declared = self.declared.as_ref()?;
        let issued = declared.issued.as_ref()?;
        let state = match self.state {
            CertificationState::Valid => State::Valid,
            CertificationState::Paused => State::Paused,
            CertificationState::Grading
            | CertificationState::Testing
            | CertificationState::Refused
            | CertificationState::Revoked
            | CertificationState::Lapsed
            | CertificationState::Ended => return None,
        };
        Some(Gate {
            terms: self.promised(),
            grader_hash: declared.grader_hash.clone(),
            threshold: issued.threshold,
            state,
            arrivals: issued.arrivals,
        })
    }

    /// The answers are fixed, and the first sample is drawn.
    pub fn declare(&mut self, declaration: &Declaration, now: Timestamp) {
        self.declared = Some(Declared {
            grader_hash: declaration.grader_hash.clone(),
            sizes: declaration.sizes.clone(),
            seed_hash: declaration.seed_hash.clone(),
            size: u32::try_from(declaration.population.len()).unwrap_or(u32::MAX),
            look: declaration.look,
            issued: None,
        });
        self.go_to(CertificationState::Testing, now);
    }

    /// A further sample is drawn.
    pub fn draw(&mut self, sample: &Sample, now: Timestamp) {
        if let Some(declared) = &mut self.declared {
            declared.look = sample.look;
        }
        self.go_to(CertificationState::Testing, now);
    }

    /// A look was taken: it earned a certificate, or did not.
    pub fn looked(&mut self, tested: Option<Tested>, now: Timestamp) {
        self.looks_spent = self.newest_look();
        let state = match tested {
            Some(_) => CertificationState::Valid,
            None => CertificationState::Refused,
        };
        if let (Some(declared), Some(tested)) = (&mut self.declared, tested) {
            declared.issued = Some(Issued {
                threshold: tested.confidence,
                tests: tested.drawn.tests(),
                errors: tested.drawn.errors(),
                at_hand: tested.at_hand,
                bound_at_hand: parts_per_million(tested.bound_at_hand),
                bound_of_later: parts_per_million(tested.bound_of_later),
                arrivals: Arrivals::default(),
            });
        }
        self.go_to(state, now);
    }

    /// Later answers came.
    pub fn count(&mut self, arrivals: Arrivals, now: Timestamp) {
        let declared = self.declared.as_mut();
        if let Some(issued) = declared.and_then(|declared| declared.issued.as_mut()) {
            issued.arrivals = arrivals;
            self.stamp.touch(now);
        }
    }

    /// It stands as its audits say.
    pub fn stand(&mut self, state: State, now: Timestamp) {
        self.go_to(
            match state {
                State::Valid => CertificationState::Valid,
                State::Paused => CertificationState::Paused,
                State::Revoked => CertificationState::Revoked,
                State::Lapsed => CertificationState::Lapsed,
            },
            now,
        );
    }

    /// What was tested is no longer what grades, or what is asked for; `graded` of the drawn answers were graded.
    pub fn lapse(&mut self, graded: usize, now: Timestamp) {
        self.spend(graded);
        self.go_to(CertificationState::Lapsed, now);
    }

    /// It ends; `graded` of the drawn answers were graded.
    pub fn end(&mut self, cause: EndCause, graded: usize, now: Timestamp) {
        self.spend(graded);
        self.ended_because = Some(cause);
        self.go_to(CertificationState::Ended, now);
    }

    fn spend(&mut self, graded: usize) {
        if self.state == CertificationState::Testing && graded > 0 {
            self.looks_spent = self.newest_look();
        }
    }

    fn newest_look(&self) -> u32 {
        let declared = self.declared.as_ref();
        declared.map_or(self.looks_before, |declared| declared.look.get())
    }

    fn go_to(&mut self, state: CertificationState, now: Timestamp) {
        self.state = state;
        self.stamp.touch(now);
    }

    /// The refusal of what this state has no move for.
    pub const fn cannot(&self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "certificate",
            from: self.state.as_str(),
            action,
        }
    }
}

/// Rounded up, but not for what the last digits of a float leave behind.
fn parts_per_million(rate: f64) -> u32 {
    let parts = (rate * 1e6 - 1e-6).ceil().clamp(0.0, 1e6);
    // The text of a rounded float has no fraction, so reading it back needs no cast.
    format!("{parts:.0}").parse().unwrap_or(1_000_000)
}
