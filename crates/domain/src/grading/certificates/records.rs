//! The chain of what happened to an assignment's certificates: each record commits by hash to the one before it.
//!
//! Rates are whole parts per million, bounds rounded up; confidences and points are whole hundredths.

use std::num::NonZeroU32;

use serde_json::{Value, json};

use super::declaration::{Declaration, Releasable, Sample};
use super::standing::{AuditTaken, Certificate};
use super::testing::{BlindTest, LookTaken, outcomes};
use crate::authoring::rubric::canonical;
use crate::grading::receipts::ChainHead;
use crate::grading::release::DELTA;
use crate::grading::release::bounds::Drawn;
use crate::grading::release::thresholds::{Candidate, Tested};
use crate::grading::seals::hash_of;
use crate::ids::{AssignmentId, SubmissionId, WorkspaceId};
use crate::timestamp::Timestamp;
use crate::words::words;

/// Names the canonical form that a record's hash is taken of.
pub const FORMAT: &str = "lyceum-release-1";

words! {
    /// Why a certificate lapsed.
    LapseCause {
        /// Something that fixes a grade is another one.
        Grader = "grader",
        /// The promise, what counts as disagreement, the floor or the scope was changed.
        Terms = "terms",
    }
}

/// Something that happened to an assignment's certificates.
#[derive(Debug, Clone, PartialEq)]
pub enum ReleaseEntry {
    /// A promise was fixed, and what it is about.
    Declared(Declaration),
    /// Answers were drawn for a look.
    Drawn(Sample),
    /// All of them were graded blind, and this came of it.
    Looked(LookTaken, Declaration),
    /// There is a certificate.
    Issued(NonZeroU32, Tested),
    /// A later answer was graded blind.
    Audited(BlindTest, bool, AuditTaken),
    /// A person's answer was erased before its grade.
    Left(SubmissionId),
    /// Release stopped: the newest draws no longer prove the promise.
    Paused(Drawn),
    /// Release ended for this grader: disagreement is shown to be more than promised.
    Revoked(f64),
    /// Release ended, because something is not what was tested.
    Lapsed(LapseCause),
    /// Nothing more will be drawn with the seed, and here it is. How many of the drawn answers were graded says whether the
    /// look is spent.
    Ended {
        /// Its bytes, lower-case hex.
        seed: String,
        /// How many drawn answers were graded.
        graded: u32,
    },
}

impl ReleaseEntry {
    /// What it is called in a record.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Declared(_) => "declared",
            Self::Drawn(_) => "drawn",
            Self::Looked(..) => "looked",
            Self::Issued(..) => "issued",
            Self::Audited(..) => "audited",
            Self::Left(_) => "left",
            Self::Paused(_) => "paused",
            Self::Revoked(_) => "revoked",
            Self::Lapsed(_) => "lapsed",
            Self::Ended { .. } => "ended",
        }
    }

    /// What it says.
    pub fn details(&self) -> Value {
        match self {
            Self::Declared(declaration) => declared(declaration),
            Self::Drawn(sample) => drawn(sample),
            Self::Looked(look, declaration) => looked(look, declaration),
            Self::Issued(look, tested) => json!({"look": look, "threshold": step(tested)}),
            Self::Audited(test, is_error, audit) => audited(test, *is_error, audit),
            Self::Left(id) => json!({"submission_id": id.to_string()}),
            Self::Paused(window) => json!({"window": counts(*window)}),
            Self::Revoked(evidence) => json!({"evidence": millionths(*evidence)}),
            Self::Lapsed(cause) => json!({"cause": cause.as_str()}),
            Self::Ended { seed, graded } => json!({"seed": seed, "graded": graded}),
        }
    }
}

/// What follows from a look: its record, and the certificate if it earned one.
pub fn of_look(
    declaration: &Declaration,
    look: LookTaken,
) -> (Vec<ReleaseEntry>, Option<Certificate>) {
    let certificate = Certificate::issue(declaration, &look);
    let number = look.look;
    let mut entries = vec![ReleaseEntry::Looked(look, declaration.clone())];
    let issued = certificate.as_ref().map(|one| one.tested);
    entries.extend(issued.map(|tested| ReleaseEntry::Issued(number, tested)));
    (entries, certificate)
}

/// What follows from an audit: its record, and that of the stop if it stops release.
pub fn of_audit(
    certificate: &Certificate,
    declaration: &Declaration,
    test: BlindTest,
) -> (Vec<ReleaseEntry>, Certificate) {
    use crate::grading::release::monitor::State;

    let is_error = test.is_error(declaration.terms.disagreement);
    let (taken, next) = certificate.audited(is_error);
    let mut entries = vec![ReleaseEntry::Audited(test, is_error, taken)];
    if certificate.state() != taken.state {
        entries.extend(match taken.state {
            State::Paused => Some(ReleaseEntry::Paused(taken.window)),
            State::Revoked => Some(ReleaseEntry::Revoked(taken.evidence)),
            State::Valid | State::Lapsed => None,
        });
    }
    (entries, next)
}

/// A record of the chain as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseRecord {
    /// 1 for the first of the assignment, and so on without a gap.
    pub sequence: u32,
    /// Its canonical JSON.
    pub content: String,
    /// SHA-256 of that, lower-case hex.
    pub hash: String,
}

/// Whose chain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseChain {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignment.
    pub assignment_id: AssignmentId,
}

impl ReleaseChain {
    /// The record that follows `head`.
    #[must_use]
    pub fn record(self, head: &ChainHead, at: Timestamp, entry: &ReleaseEntry) -> ReleaseRecord {
        let sequence = head.sequence.saturating_add(1);
        let content = canonical(&json!({
            "format": FORMAT,
            "workspace_id": self.workspace_id.to_string(),
            "assignment_id": self.assignment_id.to_string(),
            "sequence": sequence,
            "previous": head.hash,
            "at": at.to_string(),
            "kind": entry.kind(),
            "details": entry.details(),
        }));
        ReleaseRecord {
            sequence,
            hash: hash_of(&content),
            content,
        }
    }
}

impl ReleaseRecord {
    /// What the next record follows.
    pub fn head(&self) -> ChainHead {
        ChainHead {
            sequence: self.sequence,
            hash: self.hash.clone(),
        }
    }
}

fn declared(declaration: &Declaration) -> Value {
    let Declaration {
        terms,
        grader_hash,
        red_team_hash,
        look,
        sizes,
        seed_hash,
        population,
    } = declaration;
    json!({
        "max_disagreement": terms.max_disagreement.parts(),
        "points_share": terms.disagreement.points_share,
        "pass_share": crate::grading::release::disagreement::PASS_SHARE,
        "floor": terms.floor,
        "scope": terms.scope.as_str(),
        "audit_share": terms.audit_share.parts(),
        "grader_hash": grader_hash,
        "red_team_hash": red_team_hash,
        "look": look,
        "looks": sizes,
        "seed_hash": seed_hash,
        "size": population.len(),
        "population_hash": hash_of(&canonical(&population_form(population))),
    })
}

fn population_form(population: &[Releasable]) -> Value {
    let pair = |one: &Releasable| json!([one.submission_id.to_string(), one.confidence]);
    population.iter().map(pair).collect()
}

fn drawn(sample: &Sample) -> Value {
    let step = |one: &Candidate| json!([one.confidence, one.tests, one.at_hand, one.most_errors]);
    let ids = sample.submission_ids.iter();
    json!({
        "look": sample.look,
        "delta": per_million(DELTA.of_look(sample.look).chance()),
        "submission_ids": ids.map(SubmissionId::to_string).collect::<Vec<_>>(),
        "grid": sample.grid.iter().map(step).collect::<Vec<_>>(),
    })
}

fn looked(look: &LookTaken, declaration: &Declaration) -> Value {
    json!({
        "look": look.look,
        "path": look.result.path.iter().map(step).collect::<Vec<_>>(),
        "tests_hash": hash_of(&canonical(&tests_form(declaration, &look.tests))),
        "outcome": look.outcome(),
    })
}

fn tests_form(declaration: &Declaration, tests: &[BlindTest]) -> Value {
    let outcomes = outcomes(declaration, tests).into_iter();
    let form = |(test, outcome): (&BlindTest, crate::grading::release::thresholds::Test)| {
        let teacher = test.teacher.as_ref().map(|grade| &grade.receipt);
        let id = test.submission_id.to_string();
        json!([
            id,
            outcome.confidence,
            test.ai.receipt,
            teacher,
            outcome.is_error
        ])
    };
    tests.iter().zip(outcomes).map(form).collect()
}

fn step(tested: &Tested) -> Value {
    json!({
        "confidence": tested.confidence,
        "tests": tested.drawn.tests(),
        "errors": tested.drawn.errors(),
        "at_hand": tested.at_hand,
        "bound_at_hand": per_million(tested.bound_at_hand),
        "bound_of_later": per_million(tested.bound_of_later),
        "holds": tested.holds,
    })
}

fn audited(test: &BlindTest, is_error: bool, audit: &AuditTaken) -> Value {
    json!({
        "number": audit.number,
        "submission_id": test.submission_id.to_string(),
        "ai": test.ai.receipt,
        "teacher": test.teacher.as_ref().map(|grade| &grade.receipt),
        "error": is_error,
        "state": audit.state.as_str(),
        "window": counts(audit.window),
        "evidence": millionths(audit.evidence),
    })
}

fn counts(drawn: Drawn) -> Value {
    json!({"tests": drawn.tests(), "errors": drawn.errors()})
}

/// A rate in whole parts per million, rounded up, but not for what the last digits of a float leave behind.
fn per_million(rate: f64) -> u64 {
    whole((rate * 1e6 - 1e-6).ceil())
}

fn millionths(number: f64) -> u64 {
    whole((number * 1e6).round())
}

/// The text of a rounded float has no fraction, so reading it back needs no cast.
fn whole(number: f64) -> u64 {
    format!("{:.0}", number.max(0.0))
        .parse()
        .unwrap_or(u64::MAX)
}
