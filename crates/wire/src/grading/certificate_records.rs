//! What a third party needs to make an assignment's certificates again, on the wire and read back.

use lyceum_domain::Invalid;
use lyceum_domain::grading::certificates::declaration::Releasable;
use lyceum_domain::grading::certificates::gate::Fate;
use lyceum_domain::grading::certificates::recomputing::{
    DeclarationFacts, ReleaseVerification, recompute, revealed_seeds,
};
use lyceum_domain::grading::certificates::records::{FORMAT, ReleaseRecord};
use lyceum_domain::grading::certificates::testing::{BlindTest, SealedPoints};
use lyceum_domain::grading::receipts::ChainHead;
use lyceum_domain::grading::release::draw::Seed;
use lyceum_domain::ids::{AssignmentId, CertificateId};
use lyceum_domain::points::Points;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// The chain of an assignment's certificates, with what is needed to make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CertificateRecordsView {
    /// Always `certificate_records`.
    pub object: String,
    /// What the records are written in: `lyceum-release-1`.
    pub format: String,
    /// Whose grades they are about.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// The newest record as it is noted apart from the chain, so that a cut-off end shows.
    pub head: HeadView,
    /// What happened, oldest first.
    pub records: Vec<ReleaseRecordView>,
    /// What was kept beside each `declared` record, in their order.
    pub declarations: Vec<DeclarationView>,
}

/// The newest record of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeadView {
    /// Its place; 0 where there is none yet.
    pub sequence: u32,
    /// Its hash; 64 zeros where there is none yet.
    pub hash: String,
}

/// A record of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReleaseRecordView {
    /// Its place, from 1.
    pub sequence: u32,
    /// Its canonical JSON, as it is hashed.
    pub content: String,
    /// SHA-256 of `content`, lower-case hex.
    pub hash: String,
}

/// What was kept beside a declaration. While drawn answers wait for blind grades it is null: how sure AI is of an answer says
/// much of its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeclarationView {
    /// The try that it is of.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Certificate>)]
    pub certificate_id: String,
    /// What was kept; null while it is not shown.
    #[schema(required)]
    pub kept: Option<KeptView>,
}

/// The answers that a declaration is about, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeptView {
    /// The answers that could go out when it was declared, by their ids.
    pub population: Vec<ReleasableView>,
    /// Those that were drawn or audited and graded blind, or given up.
    pub tests: Vec<BlindTestView>,
    /// Later answers that would go out, in the order in which they came.
    pub arrivals: Vec<ArrivalView>,
}

/// An answer that could go out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReleasableView {
    /// Which.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// How sure AI was, in whole hundredths.
    pub confidence: u8,
}

/// Both grades of an answer, points in whole hundredths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BlindTestView {
    /// Which.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// The best possible score.
    pub max_score: i64,
    /// What AI gave.
    pub ai: SealedPointsView,
    /// What the teacher gave without seeing it; null where nobody did, which counts as disagreement.
    #[schema(required)]
    pub teacher: Option<SealedPointsView>,
}

/// A grade as a test sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SealedPointsView {
    /// The score, in whole hundredths.
    pub points: i64,
    /// The hash of the receipt of its record.
    pub receipt: String,
}

/// A later answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArrivalView {
    /// Which.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// `goes_out`, `audited` or `waits`.
    #[schema(schema_with = shapes::word::<Fate>)]
    pub fate: String,
}

impl CertificateRecordsView {
    /// Shows a chain with what was kept beside it.
    pub fn new(
        assignment: AssignmentId,
        head: &ChainHead,
        records: &[ReleaseRecord],
        declarations: Vec<DeclarationView>,
    ) -> Self {
        Self {
            object: "certificate_records".to_owned(),
            format: FORMAT.to_owned(),
            assignment_id: assignment.to_string(),
            head: HeadView {
                sequence: head.sequence,
                hash: head.hash.clone(),
            },
            records: records.iter().map(ReleaseRecordView::from).collect(),
            declarations,
        }
    }

    /// Makes the chain again from nothing but what stands here.
    ///
    /// # Errors
    /// [`Invalid`] where it cannot be what a service said: another format, or a name or number that is none.
    pub fn recompute(&self) -> Result<ReleaseVerification, Invalid> {
        if self.format != FORMAT {
            return Err(Invalid::new("format", format!("is not {FORMAT}")));
        }
        let records: Vec<ReleaseRecord> = self.records.iter().map(ReleaseRecord::from).collect();
        let head = ChainHead {
            sequence: self.head.sequence,
            hash: self.head.hash.clone(),
        };
        let mut seeds = revealed_seeds(&records).into_iter();
        let kept = self.declarations.iter().map(|one| {
            let seed = seeds.next();
            let kept = one.kept.as_ref();
            kept.map(|kept| kept.facts(seed)).transpose()
        });
        let facts: Vec<Option<DeclarationFacts>> = kept.collect::<Result<_, _>>()?;
        Ok(recompute(&records, &head, &facts))
    }
}

impl From<&ReleaseRecord> for ReleaseRecordView {
    fn from(record: &ReleaseRecord) -> Self {
        Self {
            sequence: record.sequence,
            content: record.content.clone(),
            hash: record.hash.clone(),
        }
    }
}

impl From<&ReleaseRecordView> for ReleaseRecord {
    fn from(view: &ReleaseRecordView) -> Self {
        Self {
            sequence: view.sequence,
            content: view.content.clone(),
            hash: view.hash.clone(),
        }
    }
}

impl DeclarationView {
    /// Shows what was kept beside the declaration of a try, where it may be shown.
    pub fn new(certificate: CertificateId, kept: Option<&DeclarationFacts>) -> Self {
        Self {
            certificate_id: certificate.to_string(),
            kept: kept.map(KeptView::from),
        }
    }
}

impl From<&DeclarationFacts> for KeptView {
    fn from(facts: &DeclarationFacts) -> Self {
        let population = facts.population.iter().map(|one| ReleasableView {
            submission_id: one.submission_id.to_string(),
            confidence: one.confidence,
        });
        let arrivals = facts.arrivals.iter().map(|(id, fate)| ArrivalView {
            submission_id: id.to_string(),
            fate: fate.to_string(),
        });
        Self {
            population: population.collect(),
            tests: facts.tests.iter().map(BlindTestView::from).collect(),
            arrivals: arrivals.collect(),
        }
    }
}

impl KeptView {
    fn facts(&self, seed: Option<Seed>) -> Result<DeclarationFacts, Invalid> {
        let population = self.population.iter().map(|one| {
            Ok(Releasable {
                submission_id: id(&one.submission_id)?,
                confidence: one.confidence,
            })
        });
        let arrivals = self.arrivals.iter().map(|one| {
            let fate = Fate::parse(&one.fate);
            let fate = fate.map_err(|problem| Invalid::new("fate", problem.to_string()))?;
            Ok((id(&one.submission_id)?, fate))
        });
        Ok(DeclarationFacts {
            population: population.collect::<Result<_, Invalid>>()?,
            seed,
            tests: self
                .tests
                .iter()
                .map(BlindTest::try_from)
                .collect::<Result<_, _>>()?,
            arrivals: arrivals.collect::<Result<_, Invalid>>()?,
        })
    }
}

fn id<T: std::str::FromStr>(text: &str) -> Result<T, Invalid> {
    text.parse()
        .map_err(|_| Invalid::new("submission_id", format!("{text} is no id")))
}

impl From<&BlindTest> for BlindTestView {
    fn from(test: &BlindTest) -> Self {
        Self {
            submission_id: test.submission_id.to_string(),
            max_score: test.max_score.hundredths().into(),
            ai: (&test.ai).into(),
            teacher: test.teacher.as_ref().map(Into::into),
        }
    }
}

impl TryFrom<&BlindTestView> for BlindTest {
    type Error = Invalid;

    fn try_from(view: &BlindTestView) -> Result<Self, Invalid> {
        Ok(Self {
            submission_id: id(&view.submission_id)?,
            ai: (&view.ai).into(),
            teacher: view.teacher.as_ref().map(Into::into),
            max_score: Points::from_hundredths(view.max_score),
        })
    }
}

impl From<&SealedPoints> for SealedPointsView {
    fn from(sealed: &SealedPoints) -> Self {
        Self {
            points: sealed.points.hundredths().into(),
            receipt: sealed.receipt.clone(),
        }
    }
}

impl From<&SealedPointsView> for SealedPoints {
    fn from(view: &SealedPointsView) -> Self {
        Self {
            points: Points::from_hundredths(view.points),
            receipt: view.receipt.clone(),
        }
    }
}
