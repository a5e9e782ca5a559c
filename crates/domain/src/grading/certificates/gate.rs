//! Who may pass: what becomes of a grade that nothing else holds, by the certificate that is in force.

use super::declaration::{ReleaseScope, Terms};
use crate::grading::release::draw::{Arrivals, Seed};
use crate::grading::release::monitor::State;
use crate::ids::SubmissionId;
use crate::words::words;

words! {
    /// What becomes of a grade that nothing else holds.
    Fate {
        /// It goes out unseen.
        GoesOut = "goes_out",
        /// It is held and graded blind.
        Audited = "audited",
        /// It waits for a person.
        Waits = "waits",
    }
}

/// An AI grade of which nothing says that it has to wait.
#[derive(Debug, Clone, Copy)]
pub struct Unheld<'a> {
    /// Which answer.
    pub submission_id: SubmissionId,
    /// AI's confidence, in hundredths.
    pub confidence: u8,
    /// SHA-256 of everything that fixed the grade.
    pub grader_hash: &'a str,
}

/// Where an answer stands to a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It was at hand, and not drawn.
    AtHand,
    /// It was drawn for a test.
    Drawn,
    /// It came later.
    Later,
}

/// What of a certificate decides at the door: as little as one row holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// What was promised.
    pub terms: Terms,
    /// SHA-256 of everything that fixes a grade.
    pub grader_hash: String,
    /// The lowest confidence that goes out, in hundredths.
    pub threshold: u8,
    /// How the certificate stands.
    pub state: State,
    /// How many later answers came that would go out.
    pub arrivals: Arrivals,
}

impl Arrivals {
    /// What became of the one that came last.
    pub fn went(&mut self, fate: Fate) {
        self.since_audit = match fate {
            Fate::GoesOut => self.since_audit.saturating_add(1),
            Fate::Audited => 0,
            Fate::Waits => self.since_audit,
        };
    }
}

impl Gate {
    /// What becomes of a grade. Only answers that came later are counted.
    pub fn meet(&mut self, grade: Unheld<'_>, standing: Standing, seed: &Seed) -> Fate {
        if !self.covers(grade, standing) {
            return Fate::Waits;
        }
        if standing == Standing::AtHand {
            return self.unless_paused();
        }
        self.arrivals.arrived = self.arrivals.arrived.saturating_add(1);
        let id = grade.submission_id.to_string();
        let is_drawn = seed.is_audited(&id, self.arrivals, self.terms.audit_share);
        // While it is paused nothing goes out; the lots go on being drawn, since only these may count.
        let fate = if is_drawn {
            Fate::Audited
        } else {
            self.unless_paused()
        };
        self.arrivals.went(fate);
        fate
    }

    fn unless_paused(&self) -> Fate {
        match self.state {
            State::Valid => Fate::GoesOut,
            State::Paused | State::Revoked | State::Lapsed => Fate::Waits,
        }
    }

    fn covers(&self, grade: Unheld<'_>, standing: Standing) -> bool {
        let is_about_it = match standing {
            Standing::AtHand => true,
            Standing::Drawn => false,
            Standing::Later => self.terms.scope == ReleaseScope::All,
        };
        matches!(self.state, State::Valid | State::Paused)
            && grade.grader_hash == self.grader_hash
            && grade.confidence >= self.threshold
            && is_about_it
    }
}
