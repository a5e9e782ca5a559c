//! By which due date a submission is judged: that of its assignment, unless its cohort or its learner has another.
//!
//! Whoever hands in is judged by what held then. What is changed afterwards reaches them where it is better for them, and never
//! where it is worse: nobody is late by a date that nobody had told them.

use crate::authoring::assignments::Assignment;
use crate::authoring::late_policy::LatePolicy;
use crate::changes::changes;
use crate::ids::{AssignmentId, CohortId, DueOverrideId, UserId, WorkspaceId};
use crate::points::Points;
use crate::{Stamp, Timestamp};

/// A due date, and what coming later costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTerms {
    /// When it is due.
    pub due_at: Timestamp,
    /// What is taken off what comes later; nothing where there is none.
    pub late_policy: Option<LatePolicy>,
}

impl DueTerms {
    /// Whether what was handed in then is late.
    pub fn is_late(self, submitted_at: Timestamp) -> bool {
        submitted_at > self.due_at
    }

    /// What is taken off work that was handed in then and earned `earned` of `most`.
    pub fn deduction(self, submitted_at: Timestamp, earned: Points, most: Points) -> Points {
        self.late_policy.map_or(Points::ZERO, |policy| {
            policy.deduction(policy.days_late(self.due_at, submitted_at), earned, most)
        })
    }
}

/// What coming at this moment costs: the most that can be taken off, and whether it is late.
pub fn cost(terms: Option<DueTerms>, submitted_at: Timestamp, most: Points) -> (Points, bool) {
    terms.map_or((Points::ZERO, false), |terms| {
        let off = terms.deduction(submitted_at, most, most);
        (off, terms.is_late(submitted_at))
    })
}

/// Who has another due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverrideTarget {
    /// Whoever hands in within this cohort.
    Cohort(CohortId),
    /// One learner, in whatever cohort.
    User(UserId),
}

impl OverrideTarget {
    /// The cohort, if it is one.
    pub const fn cohort(self) -> Option<CohortId> {
        match self {
            Self::Cohort(id) => Some(id),
            Self::User(_) => None,
        }
    }

    /// The learner, if it is one.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::Cohort(_) => None,
            Self::User(id) => Some(id),
        }
    }
}

/// Another due date to be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewDueOverride {
    /// Whose.
    pub target: OverrideTarget,
    /// When it is due for them; never, where there is none.
    pub due_at: Option<Timestamp>,
}

changes! {
    /// What is to change; `None` keeps, `Some(None)` takes the due date away.
    pub struct DueOverrideChanges of DueOverride {
        /// New due date.
        due_at: Option<Timestamp>,
    }
}

/// Another due date of an assignment, for a cohort or a learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueOverride {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: DueOverrideId,
    /// Of which assignment.
    pub assignment_id: AssignmentId,
    /// Whose.
    pub target: OverrideTarget,
    /// When it is due for them; never, where there is none.
    pub due_at: Option<Timestamp>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl DueOverride {
    /// A new one.
    pub const fn new(
        workspace_id: WorkspaceId,
        id: DueOverrideId,
        assignment_id: AssignmentId,
        new: NewDueOverride,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            assignment_id,
            target: new.target,
            due_at: new.due_at,
            stamp: Stamp::new(now),
        }
    }

    /// Applies changes; returns whether anything really changed.
    pub fn change(&mut self, mut changes: DueOverrideChanges, now: Timestamp) -> bool {
        let before = *self;
        changes.replace(self);
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        differs
    }
}

/// What is asked of whoever hands in as `user`, within `cohort` where one is named: the learner's own due date before a cohort's, and a
/// cohort's before the assignment's. `overrides` are those of this learner and of the cohorts that they are in; where none is named,
/// the latest of these counts.
pub fn terms_for(
    assignment: &Assignment,
    overrides: &[DueOverride],
    user: UserId,
    cohort: Option<CohortId>,
) -> Option<DueTerms> {
    let due_at = due_for(assignment, overrides, user, cohort)?;
    Some(DueTerms {
        due_at,
        late_policy: assignment.late_policy,
    })
}

/// When it is due for `user`; the rest as for [`terms_for`].
pub fn due_for(
    assignment: &Assignment,
    overrides: &[DueOverride],
    user: UserId,
    cohort: Option<CohortId>,
) -> Option<Timestamp> {
    let mut mine = overrides
        .iter()
        .filter(|one| one.assignment_id == assignment.id);
    if let Some(own) = mine.find(|one| one.target.user() == Some(user)) {
        return own.due_at;
    }
    due_in(assignment, overrides, cohort)
}

/// When it is due for whoever has no due date of their own: in this cohort, or by the latest of these where none is named.
pub fn due_in(
    assignment: &Assignment,
    overrides: &[DueOverride],
    cohort: Option<CohortId>,
) -> Option<Timestamp> {
    let counts = |id: CohortId| cohort.is_none_or(|named| named == id);
    let of_cohorts = overrides
        .iter()
        .filter(|one| one.assignment_id == assignment.id)
        .filter(|one| one.target.cohort().is_some_and(counts));
    // Never is later than any moment.
    let latest = of_cohorts.max_by_key(|one| (one.due_at.is_none(), one.due_at));
    latest.map_or(assignment.due_at, |one| one.due_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::authoring::assignments::{
        AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
    };
    use crate::authoring::late_policy::AskedLatePolicy;
    use crate::json::Metadata;
    use crate::text::{LanguageTag, LongText, Name};
    use uuid::Uuid;

    fn at(day: u8) -> Timestamp {
        Timestamp::parse(&format!("2027-03-{day:02}T12:00:00Z")).unwrap()
    }

    fn id<K: crate::id::Identified>(number: u128) -> Id<K> {
        Id::from_uuid(Uuid::from_u128(number))
    }

    fn assignment(due_at: Option<Timestamp>) -> Assignment {
        let asked = AskedLatePolicy {
            percent_per_day: 10,
            ..AskedLatePolicy::default()
        };
        let place = AssignmentPlace {
            course_id: id(1),
            unit_id: None,
            lesson_id: None,
        };
        let new = NewAssignment {
            parent: AssignmentParent::Course(id(1)),
            name: Name::parse("Plan").unwrap(),
            instructions: LongText::default(),
            max_score: Points::HUNDRED,
            due_at,
            late_policy: Some(LatePolicy::parse(asked, "").unwrap()),
            max_attempts: None,
            grading: GradingChanges::default(),
            metadata: Metadata::default(),
        };
        Assignment::new(id(1), id(1), place, LanguageTag::english(), new, at(1)).unwrap()
    }

    fn other(target: OverrideTarget, due_at: Option<Timestamp>) -> DueOverride {
        let new = NewDueOverride { target, due_at };
        DueOverride::new(id(1), id(9), id(1), new, at(1))
    }

    #[test]
    fn ones_own_date_goes_before_the_cohorts_and_that_before_the_assignments() {
        let assignment = assignment(Some(at(1)));
        let due = |overrides: &[DueOverride], cohort: Option<u128>| {
            due_for(&assignment, overrides, id(5), cohort.map(id))
        };
        let own = other(OverrideTarget::User(id(5)), Some(at(4)));
        let early = other(OverrideTarget::Cohort(id(2)), Some(at(2)));
        let later = other(OverrideTarget::Cohort(id(3)), Some(at(3)));
        let never = other(OverrideTarget::Cohort(id(4)), None);
        assert_eq!(due(&[], Some(2)), Some(at(1)));
        assert_eq!(due(&[later, early], Some(2)), Some(at(2)));
        assert_eq!(due(&[early, own, later], Some(2)), Some(at(4)));
        // Where no cohort is named, the best that one is in counts.
        assert_eq!(due(&[early, later], None), Some(at(3)));
        assert_eq!(due(&[early, never, later], None), None);
        assert_eq!(due(&[early], Some(3)), Some(at(1)));
    }

    #[test]
    fn somebody_elses_date_and_another_assignments_count_for_nothing() {
        let assignment = assignment(Some(at(1)));
        let somebody = other(OverrideTarget::User(id(6)), None);
        let elsewhere = DueOverride {
            assignment_id: id(2),
            ..other(OverrideTarget::User(id(5)), None)
        };
        let due = due_for(&assignment, &[somebody, elsewhere], id(5), None);
        assert_eq!(due, Some(at(1)));
    }

    #[test]
    fn where_nothing_is_due_nothing_is_late() {
        assert_eq!(terms_for(&assignment(None), &[], id(5), None), None);
        let terms = terms_for(&assignment(Some(at(1))), &[], id(5), None).unwrap();
        assert!(!terms.is_late(at(1)) && terms.is_late(at(2)));
        let off = terms.deduction(at(3), Points::whole(80), Points::HUNDRED);
        assert_eq!(off, Points::whole(20));
    }
}
