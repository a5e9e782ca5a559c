//! What goes out while a certificate is there, and what its audits make of it.

use super::declaration::{Declaration, Terms};
use super::gate::{Fate, Gate, Standing, Unheld};
use super::testing::{LookTaken, outcomes};
use crate::grading::release::bounds::Drawn;
use crate::grading::release::draw::{Arrivals, Seed};
use crate::grading::release::monitor::{Monitor, State};
use crate::grading::release::thresholds::{Tested, Verdict};
use crate::ids::SubmissionId;

/// A certificate and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    terms: Terms,
    grader_hash: String,
    /// Where it holds, and what was found there.
    pub tested: Tested,
    at_hand: Vec<SubmissionId>,
    drawn: Vec<SubmissionId>,
    monitor: Monitor,
    arrivals: Arrivals,
}

/// What an audit left behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditTaken {
    /// How many audits there were, with it.
    pub number: u32,
    /// How the certificate stands after it.
    pub state: State,
    /// What the newest draws say.
    pub window: Drawn,
    /// How much speaks for more disagreement than was promised; 100 revokes.
    pub evidence: f64,
}

impl Certificate {
    /// The certificate that a look earned; none where it earned none.
    pub fn issue(declaration: &Declaration, look: &LookTaken) -> Option<Self> {
        let Verdict::Certified(tested) = look.result.verdict else {
            return None;
        };
        let tests = outcomes(declaration, &look.tests);
        let above = tests
            .iter()
            .filter(|test| test.confidence >= tested.confidence);
        let history = above.map(|test| test.is_error);
        Some(Self {
            terms: declaration.terms,
            grader_hash: declaration.grader_hash.clone(),
            tested,
            at_hand: declaration
                .population
                .iter()
                .map(|one| one.submission_id)
                .collect(),
            drawn: look.tests.iter().map(|test| test.submission_id).collect(),
            monitor: Monitor::new(history, declaration.terms.promise(look.look)),
            arrivals: Arrivals::default(),
        })
    }

    /// How it stands.
    pub const fn state(&self) -> State {
        self.monitor.state()
    }

    /// What is known by its audits.
    pub const fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// What becomes of a grade, and the certificate after it. Only answers that came later are counted.
    #[must_use]
    pub fn meet(&self, grade: Unheld<'_>, seed: &Seed) -> (Fate, Self) {
        let mut next = self.clone();
        let mut gate = self.gate();
        let fate = gate.meet(grade, self.standing(grade.submission_id), seed);
        next.arrivals = gate.arrivals;
        (fate, next)
    }

    /// What of it decides at the door.
    pub fn gate(&self) -> Gate {
        Gate {
            terms: self.terms,
            grader_hash: self.grader_hash.clone(),
            threshold: self.tested.confidence,
            state: self.state(),
            arrivals: self.arrivals,
        }
    }

    fn standing(&self, id: SubmissionId) -> Standing {
        if self.drawn.contains(&id) {
            Standing::Drawn
        } else if self.at_hand.binary_search(&id).is_ok() {
            Standing::AtHand
        } else {
            Standing::Later
        }
    }

    /// The next audit, in the order in which they are graded.
    #[must_use]
    pub fn audited(&self, is_error: bool) -> (AuditTaken, Self) {
        let mut next = self.clone();
        let state = next.monitor.audit(is_error);
        let taken = AuditTaken {
            number: next.monitor.audits(),
            state,
            window: next.monitor.window(),
            evidence: next.monitor.evidence(),
        };
        (taken, next)
    }

    /// The certificate after the grader or the terms became others.
    #[must_use]
    pub fn lapsed(&self) -> Self {
        let mut next = self.clone();
        next.monitor.lapse();
        next
    }
}
