//! Lessons: the atomic learning units.

use crate::authoring::provenance::{Origin, Provenance};
use crate::authoring::units::Objectives;
use crate::changes::changes;
use crate::ids::{CourseId, LessonId, UnitId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::text::{LanguageTag, LongText, Name};
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

/// Planned minutes of a lesson: 0 to 10 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Minutes(u32);

impl Minutes {
    /// Checks the range.
    pub fn parse(minutes: i64) -> Result<Self, InvalidValue> {
        u32::try_from(minutes)
            .ok()
            .filter(|minutes| *minutes <= 10_000)
            .map(Self)
            .ok_or_else(|| InvalidValue::new("must be between 0 and 10000"))
    }

    /// The number of minutes.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A lesson to be made; its place is the end of the unit unless `position` says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLesson {
    /// The unit it belongs to.
    pub unit_id: UnitId,
    /// Human-readable name.
    pub name: Name,
    /// One or two sentences.
    pub summary: LongText,
    /// What a learner will be able to do.
    pub objectives: Objectives,
    /// The lesson's text, Markdown.
    pub content: LongText,
    /// Planned minutes.
    pub duration: Minutes,
    /// Language of its content; the course's when absent.
    pub language: Option<LanguageTag>,
    /// 0-based place among the unit's lessons; the end if absent or beyond it.
    pub position: Option<u32>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change; `None` keeps.
    pub struct LessonChanges of Lesson {
        /// New name.
        name: Name,
        /// New summary.
        summary: LongText,
        /// New objectives, replaced whole.
        objectives: Objectives,
        /// New text.
        content: LongText,
        /// New planned minutes.
        duration: Minutes,
        /// New language; `Some(None)` takes it back.
        language: Option<LanguageTag>,
    } and {
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// A lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: LessonId,
    /// The unit it belongs to.
    pub unit_id: UnitId,
    /// The course it belongs to.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// One or two sentences.
    pub summary: LongText,
    /// What a learner will be able to do.
    pub objectives: Objectives,
    /// The lesson's text, Markdown.
    pub content: LongText,
    /// Planned minutes.
    pub duration: Minutes,
    /// Language of its content; the course's when absent.
    pub language: Option<LanguageTag>,
    /// 0-based place among the unit's lessons.
    pub position: u32,
    /// Where it came from.
    pub provenance: Provenance,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Lesson {
    /// A new lesson at `position` of a unit of `course_id`.
    pub fn new(
        workspace_id: WorkspaceId,
        id: LessonId,
        course_id: CourseId,
        new: NewLesson,
        position: u32,
        provenance: Provenance,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            unit_id: new.unit_id,
            course_id,
            name: new.name,
            summary: new.summary,
            objectives: new.objectives,
            content: new.content,
            duration: new.duration,
            language: new.language,
            position,
            provenance,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// Takes over what AI drafted. What a person said about the lesson stays: summary, objectives and minutes are
    /// taken only where there are none, or where they are AI's too.
    pub fn draft(
        &mut self,
        content: LongText,
        summary: LongText,
        objectives: Objectives,
        duration: Minutes,
        provenance: Provenance,
        now: Timestamp,
    ) {
        let all = self.provenance.origin == Origin::Ai;
        if all || self.summary.is_blank() {
            self.summary = summary;
        }
        if all || self.objectives == Objectives::default() {
            self.objectives = objectives;
        }
        if self.duration == Minutes::default() {
            self.duration = duration;
        }
        self.content = content;
        self.provenance = provenance;
        self.stamp.touch(now);
    }

    /// Applies a person's changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, mut changes: LessonChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.provenance.edited();
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}
