//! Units: the chapters of a course.

use crate::authoring::provenance::Provenance;
use crate::changes::changes;
use crate::ids::{CourseId, UnitId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::text::{LongText, Name};
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

/// What a learner will be able to do: at most 50 sentences of at most 1 000 characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Objectives(Vec<String>);

impl Objectives {
    /// Checks the limits.
    pub fn parse(sentences: Vec<String>) -> Result<Self, InvalidValue> {
        if sentences.len() > 50 {
            return Err(InvalidValue::new("must have at most 50 entries"));
        }
        if sentences
            .iter()
            .any(|text| text.chars().count() > 1_000 || text.contains('\0'))
        {
            return Err(InvalidValue::new(
                "must have entries of at most 1000 characters",
            ));
        }
        Ok(Self(sentences))
    }

    /// The sentences.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// A unit to be made; its place is the end of the course unless `position` says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct NewUnit {
    /// The course it belongs to.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// What the unit is about.
    pub description: LongText,
    /// What a learner will be able to do.
    pub objectives: Objectives,
    /// 0-based place among the course's units; the end if absent or beyond it.
    pub position: Option<u32>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change; `None` keeps.
    pub struct UnitChanges of Unit {
        /// New name.
        name: Name,
        /// New description.
        description: LongText,
        /// New objectives, replaced whole.
        objectives: Objectives,
    } and {
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// A unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: UnitId,
    /// The course it belongs to.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// What the unit is about.
    pub description: LongText,
    /// What a learner will be able to do.
    pub objectives: Objectives,
    /// 0-based place among the course's units.
    pub position: u32,
    /// Where it came from.
    pub provenance: Provenance,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Unit {
    /// A new unit at `position`.
    pub fn new(
        workspace_id: WorkspaceId,
        id: UnitId,
        new: NewUnit,
        position: u32,
        provenance: Provenance,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            course_id: new.course_id,
            name: new.name,
            description: new.description,
            objectives: new.objectives,
            position,
            provenance,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// Applies a person's changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, mut changes: UnitChanges, now: Timestamp) -> Result<bool, Invalid> {
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
