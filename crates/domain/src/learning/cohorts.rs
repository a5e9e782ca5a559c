//! Cohorts: runs of a course for a group of students.

use thiserror::Error;

use crate::changes::changes;
use crate::ids::{CohortId, CourseId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::text::Name;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

words!(
    /// Where a cohort is in its life: draft → active → completed → archived; completed → active.
    CohortStatus {
        /// Being set up.
        Draft = "draft",
        /// Running.
        Active = "active",
        /// Over.
        Completed = "completed",
        /// Put away.
        Archived = "archived",
    }
);

words!(
    /// How what changes of its course reaches a cohort under way.
    CohortUpdates {
        /// As soon as it changes.
        Automatic = "automatic",
        /// When somebody has the cohort updated: until then it sees the course as it was.
        Manual = "manual",
    }
);

impl CohortStatus {
    /// draft → active
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn start(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Draft => Ok(Self::Active),
            Self::Active | Self::Completed | Self::Archived => Err(self.cannot("start")),
        }
    }

    /// active → completed
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn end(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Active => Ok(Self::Completed),
            Self::Draft | Self::Completed | Self::Archived => Err(self.cannot("end")),
        }
    }

    /// completed → active
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn reopen(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Completed => Ok(Self::Active),
            Self::Draft | Self::Active | Self::Archived => Err(self.cannot("be reopened")),
        }
    }

    /// completed → archived
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn archive(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Completed => Ok(Self::Archived),
            Self::Draft | Self::Active | Self::Archived => Err(self.cannot("be archived")),
        }
    }

    const fn cannot(self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "cohort",
            from: self.as_str(),
            action,
        }
    }
}

/// How many students fit: 1 to 1 000 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity(u32);

impl Capacity {
    /// Checks the range.
    pub fn parse(capacity: i64) -> Result<Self, InvalidValue> {
        u32::try_from(capacity)
            .ok()
            .filter(|capacity| (1..=1_000_000).contains(capacity))
            .map(Self)
            .ok_or_else(|| InvalidValue::new("must be between 1 and 1000000"))
    }

    /// The number of students.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether one more fits beside so many.
    ///
    /// # Errors
    /// [`CohortFull`]
    pub const fn admits(self, students: u32) -> Result<(), CohortFull> {
        if students < self.0 {
            Ok(())
        } else {
            Err(CohortFull)
        }
    }
}

/// A cohort to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCohort {
    /// The course it runs.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// When it is to start.
    pub starts_at: Option<Timestamp>,
    /// When it is to end.
    pub ends_at: Option<Timestamp>,
    /// IANA name of its time zone.
    pub timezone: String,
    /// How many students fit; everybody if absent.
    pub capacity: Option<Capacity>,
    /// How what changes of the course reaches it.
    pub updates: CohortUpdates,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change; `None` keeps, `Some(None)` clears.
    pub struct CohortChanges of Cohort {
        /// New name.
        name: Name,
        /// New start.
        starts_at: Option<Timestamp>,
        /// New end.
        ends_at: Option<Timestamp>,
        /// New time zone.
        timezone: String,
        /// New capacity.
        capacity: Option<Capacity>,
        /// How what changes of the course is to reach it.
        updates: CohortUpdates,
    } and {
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// A cohort.
#[derive(Debug, Clone, PartialEq)]
pub struct Cohort {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: CohortId,
    /// The course it runs.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// Where it is in its life.
    pub status: CohortStatus,
    /// When it is to start.
    pub starts_at: Option<Timestamp>,
    /// When it is to end; never before the start.
    pub ends_at: Option<Timestamp>,
    /// IANA name of its time zone.
    pub timezone: String,
    /// How many students fit.
    pub capacity: Option<Capacity>,
    /// How what changes of the course reaches it.
    pub updates: CohortUpdates,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// No more students fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the cohort is full")]
pub struct CohortFull;

impl Cohort {
    /// A new cohort is a draft.
    ///
    /// # Errors
    /// [`Invalid`] if it ends before it starts.
    pub fn draft(
        workspace_id: WorkspaceId,
        id: CohortId,
        new: NewCohort,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        let cohort = Self {
            workspace_id,
            id,
            course_id: new.course_id,
            name: new.name,
            status: CohortStatus::Draft,
            starts_at: new.starts_at,
            ends_at: new.ends_at,
            timezone: new.timezone,
            capacity: new.capacity,
            updates: new.updates,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        };
        cohort.check_dates()?;
        Ok(cohort)
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if it would end before it starts or the metadata breaks its limits.
    pub fn change(&mut self, mut changes: CohortChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        self.check_dates()?;
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        Ok(differs)
    }

    /// Whether what changes of its course is pinned for it: not before it started, and not once it is put away.
    pub const fn pins(&self) -> bool {
        matches!(self.updates, CohortUpdates::Manual)
            && matches!(self.status, CohortStatus::Active | CohortStatus::Completed)
    }

    /// Moves it by one of [`CohortStatus`]'s arrows.
    pub fn step(
        &mut self,
        arrow: fn(CohortStatus) -> Result<CohortStatus, InvalidTransition>,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.status = arrow(self.status)?;
        self.stamp.touch(now);
        Ok(())
    }

    fn check_dates(&self) -> Result<(), Invalid> {
        match (self.starts_at, self.ends_at) {
            (Some(starts), Some(ends)) if ends < starts => {
                Err(Invalid::new("ends_at", "must not be before starts_at"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_is_a_place_and_there_is_none_behind_it() {
        let capacity = Capacity::parse(2).unwrap();
        let admitted = [0, 1, 2, 3].map(|students| capacity.admits(students));
        assert_eq!(admitted, [Ok(()), Ok(()), Err(CohortFull), Err(CohortFull)]);
    }

    #[test]
    fn every_move_is_legal_from_its_state_only() {
        use CohortStatus::{Active, Archived, Completed, Draft};
        type Arrow = fn(CohortStatus) -> Result<CohortStatus, InvalidTransition>;
        let arrows: [(&str, Arrow, CohortStatus, CohortStatus); 4] = [
            ("start", CohortStatus::start, Draft, Active),
            ("end", CohortStatus::end, Active, Completed),
            ("reopen", CohortStatus::reopen, Completed, Active),
            ("archive", CohortStatus::archive, Completed, Archived),
        ];
        for (name, arrow, start, end) in arrows {
            for from in CohortStatus::ALL {
                let expected = (*from == start).then_some(end);
                assert_eq!(arrow(*from).ok(), expected, "{name} from {from}");
            }
        }
    }
}
