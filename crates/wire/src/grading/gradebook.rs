//! The book of grades on the wire: a row for each learner, a cell for each task.

use lyceum_domain::authoring::courses::gradebook::{GradebookScheme, GradedItem};
use lyceum_domain::grading::gradebook::{
    Cell, CellState, GroupCounting, GroupStanding, HandedIn, LearnerBook, Percent,
};
use lyceum_domain::identity::users::User;
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_domain::points::Points;
use lyceum_domain::text::Name;
use lyceum_domain::{Timestamp, ids};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::authoring::courses::gradebook::GradebookView;
use crate::lists::List;
use crate::points::{DECIMALS, PointsNumber};
use crate::shapes;

/// Per cent to two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PercentNumber(pub Percent);

impl Serialize for PercentNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PercentNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PointsNumber(number) = PointsNumber::deserialize(deserializer)?;
        let percent = Percent::from_hundredths(number.hundredths());
        percent
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("must be between 0 and 100"))
    }
}

impl PartialSchema for PercentNumber {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(100))
            .description(Some("Per cent, to two decimals, rounded half up."))
            .extensions(Some(ExtensionsBuilder::new().add(DECIMALS, 2).build()))
            .into()
    }
}

impl ToSchema for PercentNumber {}

/// Points of several tasks together, in hundredths: as many as they come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointsSum(pub i64);

impl Serialize for PointsSum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return (self.0 / 100).serialize(serializer);
        }
        let (whole, rest) = (self.0 / 100, (self.0 % 100).abs());
        let number: Number = format!("{whole}.{rest:02}")
            .parse()
            .map_err(serde::ser::Error::custom)?;
        Value::Number(number).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PointsSum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let hundredths = format!("{:.0}", number * 100.0);
        hundredths
            .parse()
            .map(Self)
            .map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for PointsSum {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .description(Some("Points of several tasks together, to two decimals."))
            .extensions(Some(ExtensionsBuilder::new().add(DECIMALS, 2).build()))
            .into()
    }
}

impl ToSchema for PointsSum {}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradebookColumnView {
    /// `asg_…`, or `act_…` of a scored quiz.
    pub id: String,
    /// `assignment` or `activity`.
    pub object: String,
    /// What it is called.
    pub name: String,
    /// The id of the group that it is in; null where it is in none.
    #[schema(required)]
    pub group: Option<String>,
    /// Best possible points; of a quiz that asks some of its questions only, what they come to on average.
    pub points: PointsNumber,
    /// When it is due for the cohort; null for never.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub due_at: Option<String>,
}

impl GradebookColumnView {
    /// Shows a task.
    pub fn new(
        (item, name): (GradedItem, &Name),
        group: Option<&str>,
        points: Points,
        due_at: Option<Timestamp>,
    ) -> Self {
        Self {
            id: item.to_string(),
            object: object_of(item).to_owned(),
            name: name.to_string(),
            group: group.map(str::to_owned),
            points: PointsNumber(points),
            due_at: due_at.map(|at| at.to_string()),
        }
    }
}

const fn object_of(item: GradedItem) -> &'static str {
    match item {
        GradedItem::Assignment(_) => "assignment",
        GradedItem::Activity(_) => "activity",
    }
}

/// Where a learner stands at a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradebookCellView {
    /// The task.
    pub item_id: String,
    /// Where they stand.
    #[schema(schema_with = shapes::word::<CellState>)]
    pub state: String,
    /// The points that count, or would if the task were not dropped; null where there are none yet.
    #[schema(required)]
    pub points: Option<PointsNumber>,
    /// The same as a share of the best possible points; null also where nothing is possible.
    #[schema(required)]
    pub percent: Option<PercentNumber>,
    /// The number of the attempt that counts; null where none does yet.
    #[schema(required)]
    pub attempt: Option<u32>,
    /// The submission that counts, else the newest; null where nothing was handed in, and of quizzes.
    #[schema(required)]
    pub submission_id: Option<String>,
    /// Whether something of theirs has no grade yet, be it another attempt than the one that counts.
    pub awaits_grade: bool,
    /// Whether the task is left out of its group, because the group is better without it.
    pub dropped: bool,
    /// Whether that submission came late.
    pub late: bool,
}

impl GradebookCellView {
    /// Shows a cell; `work` is what was handed in at this task, of which the one that counts is found.
    pub fn new(cell: &Cell, work: &[&HandedIn]) -> Self {
        let counting = work.iter().find(|one| Some(one.attempt) == cell.attempt);
        let shown = counting.or_else(|| work.iter().max_by_key(|one| one.attempt));
        Self {
            item_id: cell.item.to_string(),
            state: cell.state.to_string(),
            points: cell.points.map(PointsNumber),
            percent: cell.percent.map(PercentNumber),
            attempt: cell.attempt,
            submission_id: shown.map(|one| one.id.to_string()),
            awaits_grade: cell.awaits_grade,
            dropped: cell.dropped,
            late: shown.is_some_and(|one| one.late),
        }
    }
}

/// Where a learner stands in a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradebookGroupView {
    /// The id of the group; null for what is in no group.
    #[schema(required)]
    pub id: Option<String>,
    /// What it weighs, in per cent.
    pub weight: u8,
    /// Points of what counts and is not dropped.
    pub points: PointsSum,
    /// Best possible points of the same.
    pub possible: PointsSum,
    /// The one over the other; null where nothing counts.
    #[schema(required)]
    pub percent: Option<PercentNumber>,
    /// How many tasks count.
    pub counted: usize,
    /// How many are dropped.
    pub dropped: usize,
    /// Whether it is in the total, or why it is not.
    #[schema(schema_with = shapes::word::<GroupCounting>)]
    pub counting: String,
}

impl From<&GroupStanding> for GradebookGroupView {
    fn from(standing: &GroupStanding) -> Self {
        Self {
            id: standing.group.clone(),
            weight: standing.weight,
            points: PointsSum(standing.tally.reached()),
            possible: PointsSum(standing.tally.possible()),
            percent: standing.percent().map(PercentNumber),
            counted: standing.counted,
            dropped: standing.dropped,
            counting: standing.counting().to_string(),
        }
    }
}

/// Where a learner stands in the course of a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradebookRowView {
    /// The id of the enrolment: `enr_…`
    #[schema(schema_with = shapes::id_of::<ids::Enrollment>)]
    pub id: String,
    /// Always `gradebook_row`.
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
    /// The mean of the groups by their weights, over all tasks of the course; null where nothing counts yet.
    #[schema(required)]
    pub total: Option<PercentNumber>,
    /// Where they stand in each group, over all tasks; behind them what is in no group, where there is anything.
    pub groups: Vec<GradebookGroupView>,
    /// Where they stand at each task on the page.
    pub cells: Vec<GradebookCellView>,
    /// When they were enrolled.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
}

impl GradebookRowView {
    /// Shows a learner with the cells that are on the page.
    pub fn new(
        enrollment: &Enrollment,
        user: &User,
        book: &LearnerBook,
        cells: Vec<GradebookCellView>,
    ) -> Self {
        Self {
            id: enrollment.id.to_string(),
            object: "gradebook_row".to_owned(),
            user_id: user.id.to_string(),
            name: user.name.as_ref().map(ToString::to_string),
            email: user.email.to_string(),
            status: enrollment.status.to_string(),
            total: book.total.map(PercentNumber),
            groups: book.groups.iter().map(Into::into).collect(),
            cells,
            created_at: enrollment.stamp.created_at.to_string(),
        }
    }
}

/// What stands above the rows of a book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradebookHead {
    /// The course of the cohort.
    #[schema(schema_with = shapes::id_of::<ids::Course>)]
    pub course_id: String,
    /// How the course is weighed.
    pub scheme: GradebookView,
    /// The tasks on this page, in the order of the course.
    pub columns: Vec<GradebookColumnView>,
    /// How many tasks the course has.
    pub columns_total: usize,
    /// What `columns_after` is to be for the tasks behind these; `""` where there are none.
    pub columns_after: String,
}

impl GradebookHead {
    /// Shows the tasks at some places of all of them.
    pub fn new(
        course: ids::CourseId,
        scheme: &GradebookScheme,
        columns: Vec<GradebookColumnView>,
        (total, goes_on): (usize, bool),
    ) -> Self {
        let last = columns.last().filter(|_| goes_on);
        Self {
            course_id: course.to_string(),
            scheme: scheme.into(),
            columns_after: last.map(|column| column.id.clone()).unwrap_or_default(),
            columns,
            columns_total: total,
        }
    }
}

/// A page of a book: some learners, and where they stand at some tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradebookList {
    /// The learners.
    #[serde(flatten)]
    pub list: List<GradebookRowView>,
    /// What stands above them.
    #[serde(flatten)]
    pub head: GradebookHead,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sums_are_numbers_of_two_decimals_however_large() {
        for (hundredths, number) in [
            (0, json!(0)),
            (1_250, json!(12.5)),
            (5, json!(0.05)),
            (300_000_000_001, json!(3_000_000_000.01)),
        ] {
            let shown = serde_json::to_value(PointsSum(hundredths)).unwrap();
            assert_eq!(shown, number);
            let read: PointsSum = serde_json::from_value(shown).unwrap();
            assert_eq!(read, PointsSum(hundredths));
        }
    }

    #[test]
    fn percents_come_back_and_none_is_above_a_hundred() {
        let percent = Percent::from_hundredths(7_636).unwrap();
        let shown = serde_json::to_value(PercentNumber(percent)).unwrap();
        assert_eq!(shown, json!(76.36));
        let read: PercentNumber = serde_json::from_value(shown).unwrap();
        assert_eq!(read.0, percent);
        assert!(serde_json::from_value::<PercentNumber>(json!(100.01)).is_err());
    }
}
