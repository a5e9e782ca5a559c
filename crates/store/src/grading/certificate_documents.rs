//! What a try for a certificate fixed and found, and what a blind grade was held against, as documents.
//!
//! Points are whole hundredths, rates whole parts per million.

use std::num::NonZeroU32;

use lyceum_domain::grading::certificates::certification::{
    Certification, Declared, EndCause, Issued,
};
use lyceum_domain::grading::certificates::ledger::{BlindGrade, TestSheet};
use lyceum_domain::grading::certificates::testing::SealedPoints;
use lyceum_domain::grading::receipts::ChainHead;
use lyceum_domain::grading::release::draw::Arrivals;
use lyceum_domain::points::Points;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::authoring::release_terms;
use crate::prelude::*;

/// What of a try is no column.
#[derive(Serialize, Deserialize)]
pub struct CertificationDocument {
    terms: Value,
    tests: Option<u32>,
    frozen_at: String,
    looks_before: u32,
    looks_spent: u32,
    head_sequence: u32,
    head_hash: String,
    declared: Option<DeclaredDocument>,
    ended_because: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct DeclaredDocument {
    grader_hash: String,
    sizes: Vec<u32>,
    seed_hash: String,
    size: u32,
    look: NonZeroU32,
    issued: Option<IssuedDocument>,
}

#[derive(Serialize, Deserialize)]
struct IssuedDocument {
    threshold: u8,
    tests: u32,
    errors: u32,
    at_hand: u32,
    bound_at_hand: u32,
    bound_of_later: u32,
    arrived: u32,
    since_audit: u32,
}

impl From<&Certification> for CertificationDocument {
    fn from(one: &Certification) -> Self {
        Self {
            terms: release_terms::document(one.terms),
            tests: one.tests,
            frozen_at: one.frozen_at.to_string(),
            looks_before: one.looks_before,
            looks_spent: one.looks_spent,
            head_sequence: one.head.sequence,
            head_hash: one.head.hash.clone(),
            declared: one.declared.as_ref().map(DeclaredDocument::from),
            ended_because: one.ended_because.map(|cause| cause.to_string()),
        }
    }
}

impl CertificationDocument {
    /// Puts what it says into a try.
    pub fn fill(self, to: &mut Certification) -> Result<(), StoreError> {
        let cause = self.ended_because.as_deref().map(EndCause::parse);
        to.terms = release_terms::read(&self.terms)?;
        to.tests = self.tests;
        to.frozen_at = rows::read(Timestamp::parse(&self.frozen_at))?;
        to.looks_before = self.looks_before;
        to.looks_spent = self.looks_spent;
        to.head = ChainHead {
            sequence: self.head_sequence,
            hash: self.head_hash,
        };
        to.declared = self.declared.map(Declared::from);
        to.ended_because = rows::read(cause.transpose())?;
        Ok(())
    }
}

impl From<&Declared> for DeclaredDocument {
    fn from(declared: &Declared) -> Self {
        Self {
            grader_hash: declared.grader_hash.clone(),
            sizes: declared.sizes.clone(),
            seed_hash: declared.seed_hash.clone(),
            size: declared.size,
            look: declared.look,
            issued: declared.issued.as_ref().map(IssuedDocument::from),
        }
    }
}

impl From<DeclaredDocument> for Declared {
    fn from(document: DeclaredDocument) -> Self {
        Self {
            grader_hash: document.grader_hash,
            sizes: document.sizes,
            seed_hash: document.seed_hash,
            size: document.size,
            look: document.look,
            issued: document.issued.map(Issued::from),
        }
    }
}

impl From<&Issued> for IssuedDocument {
    fn from(issued: &Issued) -> Self {
        Self {
            threshold: issued.threshold,
            tests: issued.tests,
            errors: issued.errors,
            at_hand: issued.at_hand,
            bound_at_hand: issued.bound_at_hand,
            bound_of_later: issued.bound_of_later,
            arrived: issued.arrivals.arrived,
            since_audit: issued.arrivals.since_audit,
        }
    }
}

impl From<IssuedDocument> for Issued {
    fn from(document: IssuedDocument) -> Self {
        Self {
            threshold: document.threshold,
            tests: document.tests,
            errors: document.errors,
            at_hand: document.at_hand,
            bound_at_hand: document.bound_at_hand,
            bound_of_later: document.bound_of_later,
            arrivals: Arrivals {
                arrived: document.arrived,
                since_audit: document.since_audit,
            },
        }
    }
}

/// AI's grade of an answer that was drawn, and what came of it.
#[derive(Serialize, Deserialize)]
pub struct TestDocument {
    ai: SealedDocument,
    max_score: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    teacher: Option<SealedDocument>,
    #[serde(default)]
    given_up: bool,
}

#[derive(Serialize, Deserialize)]
struct SealedDocument {
    points: i64,
    receipt: String,
}

impl From<&TestSheet> for TestDocument {
    fn from(sheet: &TestSheet) -> Self {
        let teacher = match &sheet.grade {
            Some(BlindGrade::Given(points)) => Some(points.into()),
            Some(BlindGrade::GivenUp) | None => None,
        };
        Self {
            ai: (&sheet.ai).into(),
            max_score: sheet.max_score.hundredths().into(),
            teacher,
            given_up: sheet.grade == Some(BlindGrade::GivenUp),
        }
    }
}

impl From<TestDocument> for TestSheet {
    fn from(document: TestDocument) -> Self {
        let teacher = document.teacher.map(SealedPoints::from);
        let given_up = document.given_up.then_some(BlindGrade::GivenUp);
        Self {
            ai: document.ai.into(),
            max_score: Points::from_hundredths(document.max_score),
            grade: teacher.map(BlindGrade::Given).or(given_up),
        }
    }
}

impl From<&SealedPoints> for SealedDocument {
    fn from(sealed: &SealedPoints) -> Self {
        Self {
            points: sealed.points.hundredths().into(),
            receipt: sealed.receipt.clone(),
        }
    }
}

impl From<SealedDocument> for SealedPoints {
    fn from(document: SealedDocument) -> Self {
        Self {
            points: Points::from_hundredths(document.points),
            receipt: document.receipt,
        }
    }
}
