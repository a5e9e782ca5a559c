//! What a database holds before it is measured, put there through the store itself, thousands of rows a transaction.
//!
//! The same numbers give the same rows with the same ids: two runs measure the same thing.

mod members;

use std::ops::Range;

use anyhow::Context;
use lyceum_domain::authoring::activities::{Activity, ActivityContent, ActivityKind, NewActivity};
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::authoring::completion::Completion;
use lyceum_domain::authoring::courses::gradebook::GradebookScheme;
use lyceum_domain::authoring::courses::{Course, CourseAi, Hours, NewCourse};
use lyceum_domain::authoring::lessons::{Lesson, Minutes, NewLesson};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit};
use lyceum_domain::grading::submissions::{
    NewSubmission, Submission, SubmissionContent, SubmissionFrame,
};
use lyceum_domain::identity::ai_settings::WorkspaceAi;
use lyceum_domain::identity::users::{NewUser, Person, Role, User};
use lyceum_domain::identity::workspaces::{
    NewWorkspace, Platform, PlatformCode, PlatformUuid, Workspace,
};
use lyceum_domain::ids::{AssignmentId, CourseId, LessonId, UnitId, UserId, WorkspaceId};
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::points::Points;
use lyceum_domain::text::{Email, LanguageTag, LongText, Name};
use lyceum_domain::{Id, Timestamp};
use lyceum_ports::store::{Store, StoreError, Tx};
use serde_json::json;
use uuid::Uuid;

/// Rows of a transaction: more would make it no faster.
const CHUNK: u64 = 2_000;
/// 2026-01-01T00:00:00Z; the n-th thing was made n milliseconds later.
const START_MILLIS: u64 = 1_767_225_600_000;
/// Those who hand in for one assignment; each hands in once.
const CLASS: u64 = 200;
/// One in so many is handed in, the others are still drafts.
const DRAFTS: u64 = 10;
/// Units of the course with content, and lessons of a unit.
const TEN: u64 = 10;
/// Activities of a lesson.
const ACTIVITIES: u64 = 3;
/// Ids that a measurement asks for at random.
const ASKED_FOR: u64 = 1_000;

/// How much there is to be.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seed {
    /// Courses in the workspace that is measured.
    pub courses: u64,
    /// Submissions there.
    pub submissions: u64,
    /// Teachers there with an API key each.
    pub members: u64,
    /// Workspaces beside it, with ten courses each.
    pub others: u64,
    /// Whether one course more has a hundred lessons.
    pub content: bool,
}

/// What there is.
#[derive(Debug, Clone, Default)]
pub struct Planted {
    /// Courses, spread over all.
    pub courses: Vec<String>,
    /// Assignments that something was handed in for, spread over all.
    pub assignments: Vec<String>,
    /// Students, where anything was handed in.
    pub students: Vec<String>,
    /// API keys of the teachers.
    pub keys: Vec<String>,
    /// The course with content.
    pub with_content: String,
    /// A lesson of it.
    pub lesson: String,
}

impl Seed {
    /// Puts it there.
    pub async fn plant(
        &self,
        store: &(dyn Store + 'static),
        workspace: &str,
    ) -> anyhow::Result<Planted> {
        let home: WorkspaceId = workspace.parse().context("the workspace has no id")?;
        in_chunks(store, 0..self.courses, move |tx, n| {
            tx.courses().insert(&course(home, n))
        })
        .await?;
        if self.submissions > 0 {
            self.plant_submissions(store, home).await?;
        }
        in_chunks(store, 0..self.members, move |tx, n| {
            members::plant(tx, home, n)
        })
        .await?;
        in_chunks(store, 0..self.others, plant_workspace).await?;
        if self.content {
            let course = self.courses;
            in_chunks(store, 0..TEN, move |tx, n| plant_unit(tx, home, course, n)).await?;
        }
        let students = 0..if self.submissions > 0 { CLASS } else { 0 };
        Ok(Planted {
            courses: spread(self.courses)
                .map(|n| id::<lyceum_domain::ids::Course>(n).to_string())
                .collect(),
            assignments: spread(self.submissions.div_ceil(CLASS))
                .map(|n| id::<lyceum_domain::ids::Assignment>(n).to_string())
                .collect(),
            students: students
                .map(|n| id::<lyceum_domain::ids::User>(n).to_string())
                .collect(),
            keys: (0..self.members)
                .map(|n| members::key(n).reveal().to_owned())
                .collect(),
            with_content: id::<lyceum_domain::ids::Course>(self.courses).to_string(),
            lesson: id::<lyceum_domain::ids::Lesson>(0).to_string(),
        })
    }

    async fn plant_submissions(
        &self,
        store: &(dyn Store + 'static),
        home: WorkspaceId,
    ) -> anyhow::Result<()> {
        in_chunks(store, 0..CLASS, move |tx, n| plant_student(tx, home, n)).await?;
        let assignments = 0..self.submissions.div_ceil(CLASS);
        in_chunks(store, assignments, move |tx, n| {
            let assignment = assignment(home, n)?;
            tx.assignments().insert(&assignment)
        })
        .await?;
        // As it comes in life: everybody is at the same assignment before anybody is at the next.
        in_chunks(store, 0..self.submissions, move |tx, n| {
            tx.submissions().insert(&submission(home, n))
        })
        .await
    }
}

/// At most [`ASKED_FOR`] numbers below this one, evenly apart.
fn spread(count: u64) -> impl Iterator<Item = u64> {
    let step = count.div_ceil(ASKED_FOR).max(1);
    (0..count).step_by(usize::try_from(step).unwrap_or(usize::MAX))
}

/// Does it for every number, many in a transaction.
async fn in_chunks<F>(
    store: &(dyn Store + 'static),
    numbers: Range<u64>,
    plant: F,
) -> anyhow::Result<()>
where
    F: Fn(&mut dyn Tx, u64) -> Result<(), StoreError> + Copy + Send + 'static,
{
    let mut from = numbers.start;
    while from < numbers.end {
        let to = numbers.end.min(from + CHUNK);
        let planted: Result<(), StoreError> = store
            .write(move |tx| (from..to).try_for_each(|n| plant(tx, n)))
            .await;
        planted.context("the database could not be filled")?;
        from = to;
    }
    Ok(())
}

/// The n-th id of a kind, in the shape of a UUIDv7: it sorts as a real one does.
fn id<K>(n: u64) -> Id<K> {
    let moment = u128::from(START_MILLIS + n) << 80;
    Id::from_uuid(Uuid::from_u128(
        moment | 0x7 << 76 | 0x8 << 60 | u128::from(n),
    ))
}

fn moment(n: u64) -> Timestamp {
    Timestamp::from_unix_millis(i64::try_from(START_MILLIS + n).unwrap_or_default())
}

fn name(what: &str, n: u64) -> Name {
    Name::clamp(&format!("{what} {n}"), what)
}

fn text(text: &str) -> LongText {
    LongText::clamp(text)
}

/// What the domain refuses was written wrongly here.
fn accepted<T, E: std::fmt::Debug>(value: Result<T, E>) -> Result<T, StoreError> {
    value.map_err(|error| StoreError::Failed(format!("{error:?}").into()))
}

fn course(workspace: WorkspaceId, n: u64) -> Course {
    let new = NewCourse {
        name: name("Course", n),
        language: LanguageTag::english(),
        description: text(
            "How to keep a kitchen clean, and why it matters to everybody who eats there.",
        ),
        hours: Hours::DEFAULT,
        ai: CourseAi::default(),
        tutor: JsonObject::new(),
        completion: Completion::default(),
        gradebook: GradebookScheme::default(),
        metadata: Metadata::default(),
    };
    Course::draft(workspace, id(n), new, moment(n))
}

fn plant_student(tx: &mut dyn Tx, workspace: WorkspaceId, n: u64) -> Result<(), StoreError> {
    let email = accepted(Email::parse(&format!("student-{n}@bench.example")))?;
    tx.users().insert_person(&Person {
        id: id(n),
        email: email.clone(),
        created_at: moment(n),
    })?;
    let new = NewUser {
        email,
        name: Some(name("Student", n)),
        role: Role::Student,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    tx.users()
        .insert(&User::new(workspace, id(n), id(n), new, moment(n)).of_ones_own_will())
}

fn assignment(workspace: WorkspaceId, n: u64) -> Result<Assignment, StoreError> {
    let course: CourseId = id(0);
    let place = AssignmentPlace {
        course_id: course,
        unit_id: None,
        lesson_id: None,
    };
    let new = NewAssignment {
        parent: AssignmentParent::Course(course),
        name: name("Assignment", n),
        instructions: text("Write a cooling plan for your kitchen."),
        max_score: Points::HUNDRED,
        due_at: None,
        late_policy: None,
        max_attempts: None,
        grading: GradingChanges::default(),
        metadata: Metadata::default(),
    };
    accepted(Assignment::new(
        workspace,
        id(n),
        place,
        LanguageTag::english(),
        new,
        moment(n),
    ))
}

fn submission(workspace: WorkspaceId, n: u64) -> Submission {
    let assignment: AssignmentId = id(n / CLASS);
    let student: UserId = id(n % CLASS);
    let frame = SubmissionFrame {
        workspace_id: workspace,
        id: id(n),
        course_id: id(0),
        user_id: student,
        attempt: 1,
        max_score: Points::HUNDRED,
        assignment_version: 1,
        due: None,
    };
    let new = NewSubmission {
        assignment_id: assignment,
        cohort_id: None,
        content: SubmissionContent::Text(text(
            "Trays cool on ice, in the shade, and never for longer than two hours.",
        )),
        draft: !n.is_multiple_of(DRAFTS),
        metadata: Metadata::default(),
    };
    Submission::new(frame, new, moment(n))
}

/// A workspace of somebody else, whose courses nobody here may see.
fn plant_workspace(tx: &mut dyn Tx, n: u64) -> Result<(), StoreError> {
    let platform = Platform {
        number: tx.workspaces().next_platform_number()?,
        uuid: accepted(PlatformUuid::parse(&format!("{n:024x}")))?,
        code: Some(accepted(PlatformCode::parse(&format!("other-{n}")))?),
    };
    let new = NewWorkspace {
        name: name("Workspace", n),
        domain: None,
        ai: WorkspaceAi::default(),
        metadata: Metadata::default(),
    };
    let workspace = Workspace::new(id(n), platform, new, moment(n));
    tx.workspaces().insert(&workspace)?;
    (0..TEN).try_for_each(|course_number| tx.courses().insert(&course(workspace.id, course_number)))
}

/// A unit of ten lessons with three activities each; the first makes its course too.
fn plant_unit(
    tx: &mut dyn Tx,
    home: WorkspaceId,
    course_number: u64,
    n: u64,
) -> Result<(), StoreError> {
    let course_id: CourseId = id(course_number);
    if n == 0 {
        tx.courses().insert(&course(home, course_number))?;
    }
    let new = NewUnit {
        course_id,
        name: name("Unit", n),
        description: text("A week of work."),
        objectives: Objectives::default(),
        position: None,
        metadata: Metadata::default(),
    };
    let place = u32::try_from(n).unwrap_or_default();
    let unit = Unit::new(home, id(n), new, place, Provenance::human(), moment(n));
    tx.units().insert(&unit)?;
    (0..TEN).try_for_each(|lesson| plant_lesson(tx, home, course_id, unit.id, n * TEN + lesson))
}

fn plant_lesson(
    tx: &mut dyn Tx,
    home: WorkspaceId,
    course: CourseId,
    unit: UnitId,
    n: u64,
) -> Result<(), StoreError> {
    let new = NewLesson {
        unit_id: unit,
        name: name("Lesson", n),
        summary: text("What bacteria like, and what they do not."),
        objectives: Objectives::default(),
        content: text(
            &"Cool what is hot within two hours, and keep what is cold below seven degrees. "
                .repeat(12),
        ),
        duration: Minutes::default(),
        language: None,
        position: None,
        metadata: Metadata::default(),
    };
    let place = u32::try_from(n % TEN).unwrap_or_default();
    let lesson = Lesson::new(
        home,
        id(n),
        course,
        new,
        place,
        Provenance::human(),
        moment(n),
    );
    tx.lessons().insert(&lesson)?;
    (0..ACTIVITIES).try_for_each(|activity| {
        plant_activity(tx, home, course, lesson.id, n * ACTIVITIES + activity)
    })
}

fn plant_activity(
    tx: &mut dyn Tx,
    home: WorkspaceId,
    course: CourseId,
    lesson: LessonId,
    n: u64,
) -> Result<(), StoreError> {
    let kind = ActivityKind::Flashcards;
    let card = |side: u64| json!({"front": format!("Danger {side}?"), "back": "Between 5 and 60 degrees Celsius."});
    let content = json!({"cards": (0..4).map(card).collect::<Vec<_>>()});
    let content = content.as_object().cloned().unwrap_or_default();
    let new = NewActivity {
        lesson_id: lesson,
        name: name("Cards", n),
        kind,
        content: accepted(ActivityContent::parse(kind, content))?,
        language: None,
        position: None,
        metadata: Metadata::default(),
    };
    let place = u32::try_from(n % ACTIVITIES).unwrap_or_default();
    let activity = Activity::new(
        home,
        id(n),
        course,
        new,
        place,
        Provenance::human(),
        moment(n),
    );
    tx.activities().insert(&activity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_as_they_were_made() {
        let ids: Vec<String> = [0, 1, 999, 1_000_000]
            .map(|n| id::<lyceum_domain::ids::Course>(n).to_string())
            .into();
        assert!(ids.is_sorted(), "{ids:?}");
    }

    #[test]
    fn what_is_asked_for_is_spread_over_everything() {
        let asked: Vec<u64> = spread(1_000_000).collect();
        assert_eq!((asked.len(), asked[0], asked[999]), (1_000, 0, 999_000));
        assert_eq!(spread(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0).count(), 0);
    }

    #[tokio::test]
    async fn every_row_that_was_asked_for_is_there() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = lyceum_store::open(lyceum_store::StoreSettings {
            url: lyceum_store::DatabaseUrl::Sqlite(folder.path().join("lyceum.db")),
            pooler: None,
            replica: None,
            master_key: lyceum_store::MasterKey::from_bytes([7; 32]),
            connections: 1,
        })
        .unwrap();
        let home: WorkspaceId = id(1_000);
        let platform = Platform {
            number: 9_000,
            uuid: PlatformUuid::from_bytes([9; 12]),
            code: None,
        };
        let new = NewWorkspace {
            name: name("Home", 0),
            domain: None,
            ai: WorkspaceAi::default(),
            metadata: Metadata::default(),
        };
        let workspace = Workspace::new(home, platform, new, moment(0));
        let inserted: Result<(), StoreError> = store
            .write(move |tx| tx.workspaces().insert(&workspace))
            .await;
        inserted.unwrap();
        let seed = Seed {
            courses: 3,
            submissions: 401,
            members: 5,
            others: 2,
            content: true,
        };
        let planted = seed.plant(store.as_ref(), &home.to_string()).await.unwrap();
        assert_eq!((planted.courses.len(), planted.keys.len()), (3, 5));
        store.close().await;
        let rows = rusqlite::Connection::open(folder.path().join("lyceum.db")).unwrap();
        for (table, count) in [
            ("courses", 3 + 1 + 20),
            ("submissions", 401),
            ("api_keys", 5),
            ("workspaces", 3),
            ("units", 10),
            ("lessons", 100),
            ("activities", 300),
        ] {
            let counted: u32 = rows
                .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })
                .unwrap();
            assert_eq!(counted, count, "{table}");
        }
    }
}
