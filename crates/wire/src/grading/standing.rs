//! Where the students of a cohort stand on the wire, and by which rules they fall behind.

use lyceum_domain::Timestamp;
use lyceum_domain::grading::gradebook::{
    BehindRule, BehindRules, BehindSign, LearnerStanding, expected_percent,
};
use lyceum_domain::identity::users::User;
use lyceum_domain::ids;
use lyceum_domain::learning::cohorts::Cohort;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::grading::gradebook::PercentNumber;
use crate::lists::List;
use crate::points::PointsNumber;
use crate::shapes;

/// So many overdue tasks are named.
const MOST_NAMED: usize = 10;

/// By what a student falls behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BehindSignView {
    /// The rule.
    #[schema(schema_with = shapes::word::<BehindRule>)]
    pub rule: String,
    /// What was found: overdue tasks, days, per cent, or percentage points behind the share of their time that is over.
    pub value: PointsNumber,
    /// From where on that is a sign; of `low_total`, below which.
    pub limit: u16,
}

impl From<&BehindSign> for BehindSignView {
    fn from(sign: &BehindSign) -> Self {
        Self {
            rule: sign.rule.to_string(),
            value: PointsNumber(sign.value),
            limit: sign.limit,
        }
    }
}

/// Where a student stands in a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearnerStandingView {
    /// The id of the enrolment: `enr_…`
    #[schema(schema_with = shapes::id_of::<ids::Enrollment>)]
    pub id: String,
    /// Always `standing`.
    pub object: String,
    /// The student.
    #[schema(schema_with = shapes::id_of::<ids::User>)]
    pub user_id: String,
    /// Their name; null where they have none.
    #[schema(required)]
    pub name: Option<String>,
    /// Their address.
    pub email: String,
    /// `active`, `completed` or `withdrawn`.
    #[schema(schema_with = shapes::word::<lyceum_domain::learning::enrollments::EnrollmentStatus>)]
    pub status: String,
    /// Whole per cent of the lessons that are done.
    pub percent: u8,
    /// Whether the course is done by its rule.
    pub completed: bool,
    /// Their total in the book of grades; null where nothing counts yet.
    #[schema(required)]
    pub total: Option<PercentNumber>,
    /// How many tasks have a grade.
    pub graded: usize,
    /// How many tasks were due for them, since they were enrolled, and were not handed in.
    pub overdue: usize,
    /// Those tasks, in the order of the course, ten at most.
    pub overdue_items: Vec<String>,
    /// When they last did a lesson, tried an activity or handed something in; null before the first time.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub last_activity_at: Option<String>,
    /// By which rules they fall behind.
    pub signs: Vec<BehindSignView>,
    /// When they were enrolled.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
}

impl LearnerStandingView {
    /// Shows where a student stands.
    pub fn new(user: &User, standing: &LearnerStanding, signs: &[BehindSign]) -> Self {
        let (progress, book) = (&standing.progress, &standing.book);
        let overdue = standing.overdue().take(MOST_NAMED);
        Self {
            id: progress.enrollment.id.to_string(),
            object: "standing".to_owned(),
            user_id: user.id.to_string(),
            name: user.name.as_ref().map(ToString::to_string),
            email: user.email.to_string(),
            status: progress.enrollment.status.to_string(),
            percent: progress.percent(),
            completed: progress.is_completed(),
            total: book.total.map(PercentNumber),
            graded: standing.graded(),
            overdue: standing.overdue().count(),
            overdue_items: overdue.map(|item| item.to_string()).collect(),
            last_activity_at: standing.last_activity_at().map(|at| at.to_string()),
            signs: signs.iter().map(Into::into).collect(),
            created_at: progress.enrollment.stamp.created_at.to_string(),
        }
    }
}

/// The rules that were gone by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BehindRulesView {
    /// So many overdue tasks.
    pub overdue: u16,
    /// So many days without anything done.
    pub inactive_days: u16,
    /// A total below so many per cent.
    pub low_total: u16,
    /// So many percentage points behind the calendar.
    pub pace: u16,
}

impl From<BehindRules> for BehindRulesView {
    fn from(rules: BehindRules) -> Self {
        let BehindRules {
            overdue,
            inactive_days,
            low_total,
            pace,
        } = rules;
        Self {
            overdue,
            inactive_days,
            low_total,
            pace,
        }
    }
}

/// What is said beside the students.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearnerStandingHead {
    /// The rules that were gone by.
    pub rules: BehindRulesView,
    /// How many whole per cent of the cohort's time are over; null unless it runs, and begins and ends at some time.
    #[schema(required)]
    pub expected_percent: Option<u8>,
}

impl LearnerStandingHead {
    /// Of a cohort.
    pub fn new(rules: BehindRules, cohort: &Cohort, now: Timestamp) -> Self {
        Self {
            rules: rules.into(),
            expected_percent: expected_percent(cohort, now),
        }
    }
}

/// A page of a cohort's students, and where they stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnerStandingList {
    /// The students.
    #[serde(flatten)]
    pub list: List<LearnerStandingView>,
    /// What is said beside them.
    #[serde(flatten)]
    pub head: LearnerStandingHead,
}
