//! A try for a certificate with the answers it is about: what was drawn, graded, audited and released.

use super::certification::{Certification, CertificationState};
use super::declaration::{Declaration, Releasable, Sample};
use super::gate::Fate;
use super::recomputing::DeclarationFacts;
use super::standing::Certificate;
use super::testing::{BlindTest, LookTaken, SealedPoints, Ungraded, take_look};
use crate::grading::release::draw::Seed;
use crate::ids::SubmissionId;
use crate::points::Points;
use crate::timestamp::Timestamp;

/// An answer that a declaration is about, or that came after it.
#[derive(Debug, Clone, PartialEq)]
pub struct CertificateAnswer {
    /// Which.
    pub submission_id: SubmissionId,
    /// AI's confidence, in hundredths.
    pub confidence: u8,
    /// Its place in the order of drawing; none where it was not drawn for a look.
    pub place: Option<u32>,
    /// Its number among those that came later; none where it was at hand.
    pub arrived: Option<u32>,
    /// What became of AI's grade; none while it waits.
    pub fate: Option<Fate>,
    /// What AI gave, where it is to be graded blind, and what the teacher did.
    pub test: Option<TestSheet>,
    /// Its number among the audits, in the order in which they were graded.
    pub audit: Option<u32>,
    /// Whether its person was erased before it was graded.
    pub left: bool,
    /// When it was drawn, or came.
    pub at: Timestamp,
}

/// AI's grade of an answer that was drawn, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSheet {
    /// What AI had given when it was drawn.
    pub ai: SealedPoints,
    /// The best possible score.
    pub max_score: Points,
    /// The blind grade; none while it is waited for.
    pub grade: Option<BlindGrade>,
}

impl TestSheet {
    /// Whether nothing is known of what AI gave, because the answer was deleted before it was drawn: it is given up.
    pub fn is_of_nothing(&self) -> bool {
        self.ai == SealedPoints::unknown() && self.grade == Some(BlindGrade::GivenUp)
    }
}

/// What came of an answer that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlindGrade {
    /// The teacher gave so much without seeing what AI gave.
    Given(SealedPoints),
    /// Nobody graded it blind, and nobody will: that counts as disagreement.
    GivenUp,
}

impl CertificateAnswer {
    /// An answer at hand.
    pub const fn at_hand(one: Releasable, at: Timestamp) -> Self {
        Self {
            submission_id: one.submission_id,
            confidence: one.confidence,
            place: None,
            arrived: None,
            fate: None,
            test: None,
            audit: None,
            left: false,
            at,
        }
    }

    /// Whether it was graded blind, or given up.
    pub fn is_graded(&self) -> bool {
        self.test
            .as_ref()
            .is_some_and(|sheet| sheet.grade.is_some())
    }

    /// Whether a blind grade of it is waited for.
    pub fn is_awaited(&self) -> bool {
        !self.left
            && self
                .test
                .as_ref()
                .is_some_and(|sheet| sheet.grade.is_none())
    }

    fn blind_test(&self) -> Option<BlindTest> {
        let sheet = self.test.clone()?;
        Some(BlindTest {
            submission_id: self.submission_id,
            ai: sheet.ai,
            teacher: match sheet.grade? {
                BlindGrade::Given(points) => Some(points),
                BlindGrade::GivenUp => None,
            },
            max_score: sheet.max_score,
        })
    }
}

/// A try and its answers, by the ids of their submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// The try.
    pub certification: Certification,
    /// Its answers.
    pub answers: Vec<CertificateAnswer>,
}

impl Ledger {
    /// What was declared; none before.
    pub fn declaration(&self) -> Option<Declaration> {
        let declared = self.certification.declared.as_ref()?;
        Some(Declaration {
            terms: self.certification.promised(),
            grader_hash: declared.grader_hash.clone(),
            red_team_hash: None,
            look: std::num::NonZeroU32::MIN.saturating_add(self.certification.looks_before),
            sizes: declared.sizes.clone(),
            seed_hash: declared.seed_hash.clone(),
            population: self.population(),
        })
    }

    fn population(&self) -> Vec<Releasable> {
        let at_hand = self.answers.iter().filter(|one| one.arrived.is_none());
        let mut population: Vec<Releasable> = at_hand
            .map(|one| Releasable {
                submission_id: one.submission_id,
                confidence: one.confidence,
            })
            .collect();
        population.sort_unstable();
        population
    }

    /// Whose persons were erased before their answers were graded.
    pub fn left(&self) -> Vec<SubmissionId> {
        let left = self.answers.iter().filter(|one| one.left);
        left.map(|one| one.submission_id).collect()
    }

    /// The answers that were drawn for looks, in the order of drawing.
    pub fn drawn(&self) -> Vec<&CertificateAnswer> {
        let mut drawn: Vec<&CertificateAnswer> = self
            .answers
            .iter()
            .filter(|one| one.place.is_some())
            .collect();
        drawn.sort_unstable_by_key(|one| one.place);
        drawn
    }

    /// The sample that was drawn last.
    pub fn sample(&self) -> Option<Sample> {
        let declaration = self.declaration()?;
        let look = self.certification.declared.as_ref()?.look;
        let drawn = self.drawn().into_iter().map(|one| one.submission_id);
        Some(declaration.sample(look, drawn.collect(), &self.left()))
    }

    /// How many of the drawn answers have been graded, or given up.
    pub fn graded(&self) -> usize {
        let drawn = self.drawn().into_iter();
        drawn.filter(|one| one.is_graded()).count()
    }

    /// What was graded blind for looks.
    fn tests(&self) -> Vec<BlindTest> {
        let drawn = self.drawn().into_iter();
        drawn.filter_map(CertificateAnswer::blind_test).collect()
    }

    /// What the look at the newest sample finds; none before anything was declared.
    ///
    /// # Errors
    /// [`Ungraded`] while answers of it wait.
    pub fn look(&self) -> Option<Result<LookTaken, Ungraded>> {
        let (declaration, sample) = (self.declaration()?, self.sample()?);
        Some(take_look(
            &declaration,
            &sample,
            &self.tests(),
            &self.left(),
        ))
    }

    /// The certificate with all its audits; none where no look earned one.
    pub fn certificate(&self) -> Option<Certificate> {
        let declaration = self.declaration()?;
        let look = self.look()?.ok()?;
        let issued = Certificate::issue(&declaration, &look)?;
        let rule = declaration.terms.disagreement;
        let mut audits: Vec<(u32, BlindTest)> = self
            .answers
            .iter()
            .filter_map(|one| Some((one.audit?, one.blind_test()?)))
            .collect();
        audits.sort_unstable_by_key(|(number, _)| *number);
        let of = |certificate: Certificate, (_, test): (u32, BlindTest)| {
            certificate.audited(test.is_error(rule)).1
        };
        Some(audits.into_iter().fold(issued, of))
    }

    /// The blind grade of an answer, as a test.
    pub fn test_of(&self, id: SubmissionId) -> Option<BlindTest> {
        self.of(id)?.blind_test()
    }

    /// What is known of an answer.
    pub fn of(&self, id: SubmissionId) -> Option<&CertificateAnswer> {
        self.answers.iter().find(|one| one.submission_id == id)
    }

    /// How many audits were graded.
    pub fn audits(&self) -> u32 {
        let audits = self.answers.iter().filter_map(|one| one.audit);
        audits.max().unwrap_or(0)
    }

    /// What may be shown to somebody who does not see AI's grades of what waits for a blind one: nothing while drawn answers wait, since how
    /// sure AI is of an answer says much of its points.
    pub fn shown_facts(&self, seed: Option<Seed>) -> Option<DeclarationFacts> {
        let is_testing = self.certification.state == CertificationState::Testing;
        (!is_testing).then(|| self.facts(seed))
    }

    /// What somebody else needs to make it all again; the seed only after the end.
    pub fn facts(&self, seed: Option<Seed>) -> DeclarationFacts {
        let tests = self.answers.iter();
        let mut later: Vec<&CertificateAnswer> = self
            .answers
            .iter()
            .filter(|one| one.arrived.is_some())
            .collect();
        later.sort_unstable_by_key(|one| one.arrived);
        let arrivals = later
            .into_iter()
            .map(|one| (one.submission_id, one.fate.unwrap_or(Fate::Waits)));
        DeclarationFacts {
            population: self.population(),
            seed,
            tests: tests.filter_map(CertificateAnswer::blind_test).collect(),
            arrivals: arrivals.collect(),
        }
    }
}
