//! A book of grades as lines of fields, whatever they are written in: who, their points at each task, their groups, the total.
//!
//! The first line says what the columns are, the second what is best possible in them.

use lyceum_application::grading::gradebook::BookRow;
use lyceum_domain::grading::gradebook::Percent;
use lyceum_domain::points::Points;
use lyceum_wire::grading::gradebook::GradebookHead;

/// A field of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Words of people.
    Text(String),
    /// A number, in hundredths.
    Number(i64),
    /// Nothing.
    Nothing,
}

impl Field {
    fn text<T: ToString + ?Sized>(text: &T) -> Self {
        Self::Text(text.to_string())
    }

    fn points(points: Option<Points>) -> Self {
        points.map_or(Self::Nothing, |points| {
            Self::Number(points.hundredths().into())
        })
    }

    fn percent(percent: Option<Percent>) -> Self {
        percent.map_or(Self::Nothing, |percent| {
            Self::Number(percent.hundredths().into())
        })
    }
}

/// What is in the first columns.
const WHO: [&str; 4] = ["name", "email", "external_id", "status"];
const TOTAL: &str = "total %";
/// What is best possible, in per cent.
const ALL: Field = Field::Number(10_000);

/// What the columns are, and what is best possible in them.
pub fn head(head: &GradebookHead) -> [Vec<Field>; 2] {
    let mut names: Vec<Field> = WHO.into_iter().map(Field::text).collect();
    let mut best = vec![
        Field::text("best possible"),
        Field::Nothing,
        Field::Nothing,
        Field::Nothing,
    ];
    for column in &head.columns {
        names.push(Field::text(&column.name));
        best.push(Field::points(Some(column.points.0)));
    }
    for group in &head.scheme.groups {
        names.push(Field::Text(format!("{} %", group.name)));
        best.push(ALL);
    }
    if has_others(head) {
        names.push(Field::text("in no group %"));
        best.push(ALL);
    }
    names.push(Field::text(TOTAL));
    best.push(ALL);
    [names, best]
}

/// Whether there is a column for what is in no group. Without groups that would be the total.
fn has_others(head: &GradebookHead) -> bool {
    let is_other = |group: &Option<String>| group.is_none();
    !head.scheme.groups.is_empty() && head.columns.iter().any(|column| is_other(&column.group))
}

/// A learner's line; `has_groups` where the course has any.
pub fn row(row: &BookRow, has_groups: bool) -> Vec<Field> {
    let BookRow {
        enrollment,
        user,
        book,
    } = row;
    let name = user.name.as_ref();
    let mut line = vec![
        name.map_or(Field::Nothing, Field::text),
        Field::text(&user.email),
        user.external_id
            .as_ref()
            .map_or(Field::Nothing, Field::text),
        Field::text(&enrollment.status),
    ];
    line.extend(book.cells.iter().map(|cell| Field::points(cell.points)));
    if has_groups {
        let groups = book.groups.iter();
        line.extend(groups.map(|group| Field::percent(group.percent())));
    }
    line.push(Field::percent(book.total));
    line
}
