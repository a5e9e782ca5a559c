//! Courses: the syllabus, and what every AI call inside it is told.

pub mod gradebook;

use self::gradebook::GradebookScheme;
use crate::authoring::completion::Completion;
use crate::changes::changes;
use crate::ids::{CourseId, WorkspaceId};
use crate::json::{JsonObject, Metadata, MetadataChange};
use crate::text::{LanguageTag, LongText, Name};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

words!(
    /// Where a course is in its life: draft → published ⇄ archived; draft → archived.
    CourseStatus {
        /// Being written; only authors see it.
        Draft = "draft",
        /// Learners of its active cohorts see it.
        Published = "published",
        /// Put away.
        Archived = "archived",
    }
);

impl CourseStatus {
    /// draft → published
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn publish(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Draft => Ok(Self::Published),
            Self::Published | Self::Archived => Err(self.cannot("be published")),
        }
    }

    /// draft or published → archived
    ///
    /// # Errors
    /// [`InvalidTransition`] if it already is.
    pub fn archive(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Draft | Self::Published => Ok(Self::Archived),
            Self::Archived => Err(self.cannot("be archived")),
        }
    }

    /// archived → published
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn unarchive(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Archived => Ok(Self::Published),
            Self::Draft | Self::Published => Err(self.cannot("be unarchived")),
        }
    }

    const fn cannot(self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "course",
            from: self.as_str(),
            action,
        }
    }
}

/// How many hours a course takes: 1 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hours(u16);

impl Hours {
    /// What a course takes when nobody says.
    pub const DEFAULT: Self = Self(8);

    /// Checks the range.
    pub fn parse(hours: i64) -> Result<Self, InvalidValue> {
        u16::try_from(hours)
            .ok()
            .filter(|hours| (1..=1000).contains(hours))
            .map(Self)
            .ok_or_else(|| InvalidValue::new("must be between 1 and 1000"))
    }

    /// The number of hours.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The same time in minutes.
    pub fn minutes(self) -> u32 {
        u32::from(self.0) * 60
    }
}

impl Default for Hours {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What AI calls inside the course are told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CourseAi {
    /// Free-text guidance given to every AI call of the course.
    pub instructions: LongText,
    /// Default rubric and model of the course's assignments: `{"rubric": …, "model": …}`, and whatever else its users keep there.
    pub evaluator: JsonObject,
}

/// A course to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCourse {
    /// Human-readable name.
    pub name: Name,
    /// Language of the content.
    pub language: LanguageTag,
    /// Long description; the brief of a syllabus when none is given.
    pub description: LongText,
    /// Planned length.
    pub hours: Hours,
    /// Guidance and defaults for AI.
    pub ai: CourseAi,
    /// Tutor configuration.
    pub tutor: JsonObject,
    /// When it is done, and what it takes to pass it.
    pub completion: Completion,
    /// How it is weighed.
    pub gradebook: GradebookScheme,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change of guidance and defaults for AI; `None` keeps.
    pub struct CourseAiChanges of CourseAi {
        /// New guidance.
        instructions: LongText,
        /// New evaluator, replaced whole.
        evaluator: JsonObject,
    }
}

changes! {
    /// What is to change; `None` keeps.
    pub struct CourseChanges of Course {
        /// New name.
        name: Name,
        /// New language.
        language: LanguageTag,
        /// New description.
        description: LongText,
        /// New planned length.
        hours: Hours,
        /// When it is done, replaced whole.
        completion: Completion,
        /// How it is weighed, replaced whole.
        gradebook: GradebookScheme,
        /// Whether what Studio changes of it waits until it is published.
        changes_wait: bool,
    } and {
        /// Change of guidance and defaults for AI.
        ai: CourseAiChanges,
        /// Merge patch of the tutor configuration; `Some(None)` clears it.
        tutor: Option<Option<JsonObject>>,
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// What is to be different in a copy of a course; `None` takes what the original has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CourseCopy {
    /// Its name; the original's, marked as a copy.
    pub name: Option<Name>,
    /// Its language.
    pub language: Option<LanguageTag>,
    /// Its metadata, whole.
    pub metadata: Option<Metadata>,
}

/// What belongs to a course but not to a copy of it, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CourseAttachments {
    /// Cohorts.
    pub cohorts: u32,
    /// Enrolments in them.
    pub enrollments: u32,
    /// What was handed in for its assignments.
    pub submissions: u32,
    /// Generations for the course, its units, lessons and activities.
    pub generations: u32,
    /// SCORM packages.
    pub scorm_packages: u32,
    /// Things of it whose changes wait.
    pub waiting_changes: u32,
}

/// What marks the name of a copy.
const COPY_MARK: &str = " (copy)";

/// A course.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// Language of the content.
    pub language: LanguageTag,
    /// Long description.
    pub description: LongText,
    /// Planned length.
    pub hours: Hours,
    /// Minutes of lessons that AI made; kept by the service.
    pub minutes_generated: u32,
    /// Where it is in its life.
    pub status: CourseStatus,
    /// Guidance and defaults for AI.
    pub ai: CourseAi,
    /// Tutor configuration.
    pub tutor: JsonObject,
    /// When it is done, and what it takes to pass it.
    pub completion: Completion,
    /// How it is weighed.
    pub gradebook: GradebookScheme,
    /// Whether its authors have agreed that what they change of it once it is published waits, and goes live together.
    pub changes_wait: bool,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Course {
    /// A new course is a draft of which nothing is generated.
    pub fn draft(workspace_id: WorkspaceId, id: CourseId, new: NewCourse, now: Timestamp) -> Self {
        Self {
            workspace_id,
            id,
            name: new.name,
            language: new.language,
            description: new.description,
            hours: new.hours,
            minutes_generated: 0,
            status: CourseStatus::Draft,
            ai: new.ai,
            tutor: new.tutor,
            completion: new.completion,
            gradebook: new.gradebook,
            changes_wait: false,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// A copy of it: a new draft. `minutes_generated` is what its lessons say.
    #[must_use]
    pub fn copy(
        &self,
        id: CourseId,
        copy: CourseCopy,
        minutes_generated: u32,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            name: copy.name.unwrap_or_else(|| self.name_of_copy()),
            language: copy.language.unwrap_or_else(|| self.language.clone()),
            minutes_generated,
            status: CourseStatus::Draft,
            metadata: copy.metadata.unwrap_or_else(|| self.metadata.clone()),
            stamp: Stamp::new(now),
            ..self.clone()
        }
    }

    /// The name with the mark behind it, cut where both would be too long.
    fn name_of_copy(&self) -> Name {
        let room = Name::MAX_CHARS.saturating_sub(COPY_MARK.chars().count());
        let cut: String = self.name.as_str().chars().take(room).collect();
        Name::clamp(&format!("{}{COPY_MARK}", cut.trim_end()), "Copy")
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, mut changes: CourseChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        changes.ai.replace(&mut self.ai);
        match changes.tutor {
            None => {}
            Some(None) => self.tutor = JsonObject::new(),
            Some(Some(patch)) => crate::json::merge(&mut self.tutor, patch),
        }
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        Ok(self.touch_if_changed(&before, now))
    }

    /// draft → published
    pub fn publish(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        self.status = self.status.publish()?;
        self.stamp.touch(now);
        Ok(())
    }

    /// draft or published → archived
    pub fn archive(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        self.status = self.status.archive()?;
        self.stamp.touch(now);
        Ok(())
    }

    /// archived → published
    pub fn unarchive(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        self.status = self.status.unarchive()?;
        self.stamp.touch(now);
        Ok(())
    }

    /// Notes how many minutes of AI-made lessons there are now.
    pub fn note_generated(&mut self, minutes: u32, now: Timestamp) {
        let before = self.clone();
        self.minutes_generated = minutes;
        self.touch_if_changed(&before, now);
    }

    /// Hours of AI-made lessons, rounded half up.
    pub const fn hours_generated(&self) -> u32 {
        self.minutes_generated.saturating_add(30) / 60
    }

    fn touch_if_changed(&mut self, before: &Self, now: Timestamp) -> bool {
        let changed = *self != *before;
        if changed {
            self.stamp.touch(now);
        }
        changed
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Id;
    use rstest::rstest;
    use serde_json::json;
    use uuid::Uuid;

    /// A course of which nothing is said but its name.
    pub(crate) fn new_course() -> NewCourse {
        NewCourse {
            name: Name::parse("Food safety").unwrap(),
            language: LanguageTag::english(),
            description: LongText::default(),
            hours: Hours::DEFAULT,
            ai: CourseAi::default(),
            tutor: JsonObject::new(),
            completion: Completion::default(),
            gradebook: GradebookScheme::default(),
            metadata: Metadata::default(),
        }
    }

    fn course() -> Course {
        let now = Timestamp::from_unix_millis(0);
        Course::draft(
            Id::from_uuid(Uuid::nil()),
            Id::from_uuid(Uuid::nil()),
            new_course(),
            now,
        )
    }

    #[test]
    fn a_new_course_is_a_draft_with_nothing_generated() {
        let course = course();
        assert_eq!(course.status, CourseStatus::Draft);
        assert_eq!((course.hours.get(), course.hours_generated()), (8, 0));
    }

    #[test]
    fn a_change_that_changes_nothing_leaves_the_stamp_alone() {
        let mut course = course();
        let same = CourseChanges {
            name: Some(course.name.clone()),
            ..CourseChanges::default()
        };
        assert!(!course.change(same, Timestamp::from_unix_millis(5)).unwrap());
        assert_eq!(course.stamp.version, 1);
    }

    #[test]
    fn the_name_of_a_copy_says_so_and_fits() {
        let mut course = course();
        let name = |course: &Course| {
            let now = Timestamp::from_unix_millis(9);
            course.copy(course.id, CourseCopy::default(), 0, now).name
        };
        assert_eq!(name(&course).as_str(), "Food safety (copy)");
        course.name = Name::parse("ä".repeat(Name::MAX_CHARS)).unwrap();
        let long = name(&course);
        assert_eq!(long.as_str().chars().count(), Name::MAX_CHARS);
        assert!(long.as_str().ends_with("ä (copy)"));
    }

    #[test]
    fn a_change_merges_objects_and_moves_the_stamp() {
        let mut course = course();
        let tutor = json!({"tone": "warm"}).as_object().cloned();
        let changes = CourseChanges {
            tutor: Some(tutor),
            ..CourseChanges::default()
        };
        assert!(
            course
                .change(changes, Timestamp::from_unix_millis(5))
                .unwrap()
        );
        assert_eq!(course.tutor["tone"], "warm");
        assert_eq!(course.stamp.updated_at.unix_millis(), 5);
        let cleared = CourseChanges {
            tutor: Some(None),
            ..CourseChanges::default()
        };
        assert!(
            course
                .change(cleared, Timestamp::from_unix_millis(6))
                .unwrap()
        );
        assert!(course.tutor.is_empty());
    }

    #[rstest]
    #[case(0, 0)]
    #[case(29, 0)]
    #[case(30, 1)]
    #[case(480, 8)]
    fn generated_hours_round_half_up(#[case] minutes: u32, #[case] hours: u32) {
        let mut course = course();
        course.note_generated(minutes, Timestamp::from_unix_millis(1));
        assert_eq!(course.hours_generated(), hours);
    }

    #[test]
    fn every_move_is_legal_from_its_states_only() {
        use CourseStatus::{Archived, Draft, Published};
        type Arrow = fn(CourseStatus) -> Result<CourseStatus, InvalidTransition>;
        type Legal = [(CourseStatus, CourseStatus)];
        let moves: [(&str, Arrow, &Legal); 3] = [
            ("publish", CourseStatus::publish, &[(Draft, Published)]),
            (
                "archive",
                CourseStatus::archive,
                &[(Draft, Archived), (Published, Archived)],
            ),
            (
                "unarchive",
                CourseStatus::unarchive,
                &[(Archived, Published)],
            ),
        ];
        for (name, make, legal) in moves {
            for from in CourseStatus::ALL {
                let expected = legal
                    .iter()
                    .find(|(start, _)| start == from)
                    .map(|(_, end)| *end);
                assert_eq!(make(*from).ok(), expected, "{name} from {from}");
            }
        }
    }

    #[test]
    fn hours_have_a_range() {
        assert!(Hours::parse(0).is_err());
        assert!(Hours::parse(1001).is_err());
        assert_eq!(Hours::parse(1000).unwrap().minutes(), 60_000);
    }
}
