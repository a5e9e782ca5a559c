//! Certificates on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::grading::certificates::certification::{Certification, Issued};
use lyceum_domain::grading::certificates::gate::Fate;
use lyceum_domain::grading::certificates::ledger::{CertificateAnswer, Ledger};
use lyceum_domain::grading::certificates::standing::Certificate;
use lyceum_domain::grading::certificates::statement::statement;
use lyceum_domain::grading::release::monitor::Monitor;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::grading::ReleaseView;
use crate::common::{Command, Resource};
use crate::shapes;

/// So many answers to grade next are named at most, and so many of those that went out.
const MOST_NAMED: usize = 1_000;
/// The most tests that anybody may ask for.
const MOST_TESTS: i64 = 500;

/// A try for a certificate.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TryForCertificate {
    /// How many answers you want to grade for the first look; when absent, as few as bear one disagreement. Never fewer than
    /// prove the promise without one.
    #[schema(minimum = 1, maximum = 500)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<i64>,
}

/// The same, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedCertificate {
    /// How many answers the teacher wants to grade for the first look.
    pub tests: Option<u32>,
}

impl Command for TryForCertificate {
    type Of = AskedCertificate;

    fn command(self) -> Result<AskedCertificate, Invalid> {
        let checked = self.tests.map(|tests| {
            let fits = u32::try_from(tests).ok();
            fits.filter(|_| (1..=MOST_TESTS).contains(&tests))
                .ok_or_else(|| Invalid::new("tests", "must be between 1 and 500"))
        });
        Ok(AskedCertificate {
            tests: checked.transpose()?,
        })
    }
}

/// A try for a certificate, and the certificate if it earned one: what a teacher shows before AI's grades of an assignment go out
/// unseen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CertificateView {
    /// `crt_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Certificate>)]
    pub id: String,
    /// Always `certificate`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Certificate>)]
    pub object: String,
    /// Whose grades it is about.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// `grading` (AI grades anew what waits), `testing` (answers were drawn and wait for blind grades), `refused` (the look at them
    /// earned nothing), `valid`, `paused`, `revoked`, `lapsed` or `ended`. Grades go out while it is `valid`.
    #[schema(schema_with = shapes::word::<lyceum_domain::grading::certificates::certification::CertificationState>)]
    pub state: String,
    /// What it has to promise.
    pub terms: ReleaseView,
    /// How many looks the assignment has spent; each leaves less for the next.
    pub looks_spent: u32,
    /// How many answers it is about; null before they are drawn.
    #[schema(required)]
    pub at_hand: Option<u32>,
    /// The answers that were drawn for it.
    pub tests: TestsView,
    /// What the certificate says; null where none was earned.
    #[schema(required)]
    pub certified: Option<CertifiedView>,
    /// How its audits go.
    pub audits: AuditsView,
    /// What went out by it.
    pub released: ReleasedView,
    /// What that means, in words, in English; null where none was earned.
    #[schema(required)]
    pub statement: Option<String>,
    /// Why it ended, where it did without being revoked or lapsed: `too_few`, `given_up`, `replaced`, `grader_revoked` or
    /// `ai_budget_exceeded`.
    #[schema(schema_with = shapes::optional_word::<lyceum_domain::grading::certificates::certification::EndCause>, required)]
    pub ended_because: Option<String>,
    /// When it was asked for.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// Answers that were drawn by lot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TestsView {
    /// How many were drawn.
    pub drawn: usize,
    /// How many were graded blind, or given up.
    pub graded: usize,
    /// Submissions (`sub_…`) that wait for a blind grade, in the order of drawing.
    pub waiting: Vec<String>,
}

/// What a certificate says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CertifiedView {
    /// The lowest confidence that goes out, in hundredths: a rank, not a chance.
    pub threshold: u8,
    /// How many answers were drawn above it.
    pub tests: u32,
    /// On how many of them AI and teacher disagreed.
    pub disagreements: u32,
    /// How many of those at hand are above it.
    pub at_hand: u32,
    /// The highest share of disagreements among those at hand that nobody looked at.
    pub bound_at_hand: f64,
    /// The highest rate of disagreements of their source.
    pub bound_of_later: f64,
}

/// Later answers that are held and graded blind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditsView {
    /// How many later answers came that would go out.
    pub arrived: u32,
    /// How many audits were graded, or given up.
    pub graded: u32,
    /// Submissions (`sub_…`) that wait for a blind grade, oldest first.
    pub waiting: Vec<String>,
    /// How many of the newest draws are looked at.
    pub window: u32,
    /// On how many of them AI and teacher disagreed.
    pub disagreements: u32,
    /// How many audits in a row with a disagreement would pause it.
    pub to_pause: u32,
}

/// Grades that went out unseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReleasedView {
    /// How many.
    pub count: usize,
    /// Their submissions (`sub_…`), at most a thousand: after a pause or a revocation those to look at again.
    pub submissions: Vec<String>,
}

impl CertificateView {
    /// Shows a try with its answers.
    pub fn new(ledger: &Ledger) -> Self {
        let one = &ledger.certification;
        let declared = one.declared.as_ref();
        let issued = declared.and_then(|declared| declared.issued.as_ref());
        Self {
            id: one.id.to_string(),
            object: "certificate".to_owned(),
            assignment_id: one.assignment_id.to_string(),
            state: one.state.to_string(),
            terms: (&one.terms).into(),
            looks_spent: one.looks_spent,
            at_hand: declared.map(|declared| declared.size),
            tests: TestsView::new(ledger),
            certified: issued.map(Into::into),
            audits: AuditsView::new(ledger, issued),
            released: ReleasedView::new(ledger),
            statement: statement(one),
            ended_because: ended_because(one),
            created_at: one.stamp.created_at.to_string(),
            updated_at: one.stamp.updated_at.to_string(),
        }
    }
}

fn ended_because(one: &Certification) -> Option<String> {
    one.ended_because.map(|cause| cause.to_string())
}

fn named<'a>(answers: impl Iterator<Item = &'a CertificateAnswer>) -> Vec<String> {
    let ids = answers.map(|one| one.submission_id.to_string());
    ids.take(MOST_NAMED).collect()
}

impl TestsView {
    fn new(ledger: &Ledger) -> Self {
        let drawn = ledger.drawn();
        let waiting = drawn.iter().copied().filter(|one| one.is_awaited());
        Self {
            drawn: drawn.len(),
            graded: ledger.graded(),
            waiting: named(waiting),
        }
    }
}

impl AuditsView {
    fn new(ledger: &Ledger, issued: Option<&Issued>) -> Self {
        let audited = ledger
            .answers
            .iter()
            .filter(|one| one.fate == Some(Fate::Audited) && one.is_awaited());
        let mut waiting: Vec<&CertificateAnswer> = audited.collect();
        waiting.sort_by_key(|one| one.arrived);
        let certificate = issued.and_then(|_| ledger.certificate());
        let monitor = certificate.as_ref().map(Certificate::monitor);
        let window = monitor.map(Monitor::window).unwrap_or_default();
        Self {
            arrived: issued.map_or(0, |issued| issued.arrivals.arrived),
            graded: ledger.audits(),
            waiting: named(waiting.into_iter()),
            window: window.tests(),
            disagreements: window.errors(),
            to_pause: monitor.map_or(0, Monitor::errors_to_pause),
        }
    }
}

impl ReleasedView {
    fn new(ledger: &Ledger) -> Self {
        let went_out = ledger
            .answers
            .iter()
            .filter(|one| one.fate == Some(Fate::GoesOut));
        Self {
            count: went_out.clone().count(),
            submissions: named(went_out),
        }
    }
}

impl From<&Issued> for CertifiedView {
    fn from(issued: &Issued) -> Self {
        let rate = |parts: u32| f64::from(parts) / 1e6;
        Self {
            threshold: issued.threshold,
            tests: issued.tests,
            disagreements: issued.errors,
            at_hand: issued.at_hand,
            bound_at_hand: rate(issued.bound_at_hand),
            bound_of_later: rate(issued.bound_of_later),
        }
    }
}

impl Resource for CertificateView {
    const COLLECTION: &'static str = "certificates";

    fn id(&self) -> &str {
        &self.id
    }

    /// An assignment shows its newest.
    fn path(&self) -> String {
        format!("/assignments/{}/certificate", self.assignment_id)
    }
}
